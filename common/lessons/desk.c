#include "lessons/desk.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/io.h"
#include "base/path.h"
#include "lessons/project_root.h"

static int
take_cwd(struct desk *d, struct fail *fail)
{
	const char *given = fact(d->call->facts, FACT_CWD);
	struct buf here = BUF_INIT;
	int rc = 0;

	if ((given == NULL || given[0] != '/') &&
	    path_working_directory(&here) != 0)
		rc = fail_environment(fail, "the working directory: %s",
				      strerror(errno));
	else
		path_resolve(&d->cwd, buf_str(&here),
			     given == NULL ? STR("") : str_of(given));
	buf_release(&here);
	return rc;
}

static int
begin(struct desk *d, const struct tool_call *call, enum origin_actor actor,
      struct buf *remarks, struct fail *fail)
{
	*d = (struct desk){ .call = call,
			    .cwd = BUF_INIT,
			    .project = BUF_INIT };
	origin_init(&d->origin);
	database_init(&d->database);
	sidecar_init(&d->sidecar);
	d->settings.database = (struct buf)BUF_INIT;
	if (facts_now_ms(call->facts, &d->now, fail) != 0 ||
	    origin_take(&d->origin, call->facts, actor, fail) != 0 ||
	    settings_read(&d->settings, call->facts, remarks, fail) != 0 ||
	    take_cwd(d, fail) != 0)
		return -1;
	return database_base(&d->database, call->facts, &d->settings, fail);
}

int
desk_begin(struct desk *d, const struct tool_call *call,
	   enum origin_actor actor, struct fail *fail)
{
	return begin(d, call, actor, NULL, fail) != 0 ? -1 : desk_find(d, fail);
}

int
desk_begin_lenient(struct desk *d, const struct tool_call *call,
		   struct fail *fail)
{
	return begin(d, call, ORIGIN_USER, call->remarks, fail);
}

int
desk_find(struct desk *d, struct fail *fail)
{
	if (database_find(&d->database, fail) != 0)
		return -1;
	return sidecar_find(&d->sidecar, d->call->facts,
			    buf_str(&d->database.real), fail);
}

void
desk_release(struct desk *d)
{
	database_release(&d->database);
	sidecar_release(&d->sidecar);
	origin_release(&d->origin);
	settings_release(&d->settings);
	buf_release(&d->cwd);
	buf_release(&d->project);
	keep_release(&d->keep);
}

int
desk_project(struct desk *d, struct fail *fail)
{
	return project_root(d->cwd.data, &d->project, fail);
}

int
desk_sidecar(struct desk *d, enum sidecar_mode mode, struct fail *fail)
{
	if (sidecar_open(&d->sidecar, mode, fail) != 0)
		return -1;
	return sidecar_session(&d->sidecar, desk_session_key(d), &d->keep,
			       &d->session, fail);
}

int
desk_store(struct desk *d, bool write, struct fail *fail)
{
	struct buf older = BUF_INIT;

	if (database_open(&d->database, write, fail) != 0)
		return -1;
	if (d->database.created && d->origin.actor == ORIGIN_USER) {
		buf_addf(d->call->remarks, "created %s\n",
			 d->database.target.data);
		database_siblings(&d->database, &older);
		if (older.len > 0)
			buf_addf(d->call->remarks, "left alone: %s\n",
				 older.data);
		buf_release(&older);
	}
	return 0;
}

struct str
desk_session_key(const struct desk *d)
{
	return buf_str(&d->origin.session);
}

struct str
desk_lineage(const struct desk *d)
{
	return d->origin.has_session ? d->session.root : STR("no-session");
}

bool
desk_ephemeral(const struct desk *d)
{
	return !d->origin.has_session || d->session.ephemeral;
}

void
desk_config_hash(const struct desk *d, char hash[WORDING_KEY_SIZE])
{
	struct buf text = BUF_INIT;
	size_t i;

	for (i = 0; i < LIMITS_COUNT; i++)
		buf_addf(&text, "%s=%lld\n", limits_name(i),
			 (long long)limits_value(&d->settings.limits, i));
	buf_add_str(&text, buf_str(&d->database.real));
	wording_sha256(buf_str(&text), hash);
	buf_release(&text);
}

void
desk_path(const struct desk *d, const char *given, struct buf *out)
{
	path_resolve(out, buf_str(&d->cwd), str_of(given));
}

int
desk_read_file(const struct desk *d, const char *given, bool link, size_t max,
	       struct buf *text, struct fail *fail)
{
	struct buf path = BUF_INIT;
	struct stat st;
	const char *why = NULL;
	int fd, rc;

	desk_path(d, given, &path);
	fd = open(path.data,
		  O_RDONLY | O_CLOEXEC | O_NONBLOCK | (link ? 0 : O_NOFOLLOW));
	if (fd < 0 || fstat(fd, &st) != 0)
		why = errno == ELOOP && !link ? "a symbolic link"
					      : strerror(errno);
	else if (!S_ISREG(st.st_mode))
		why = "not a regular file";
	else if ((rc = io_read_all(fd, max, text)) != 0)
		why = rc < 0 ? strerror(errno) : "too large";
	rc = why == NULL ? 0
			 : fail_refuse(fail, "unreadable", "%s: %s", path.data,
				       why);
	if (fd >= 0)
		(void)close(fd);
	buf_release(&path);
	return rc;
}
