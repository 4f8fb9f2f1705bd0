#include "notes/notes_path.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/path.h"
#include "base/visible.h"
#include "base/xalloc.h"
#include "notes/store.h"

int
notes_path_of(struct buf *out, const struct address *a,
	      const struct identity *who, struct fail *fail)
{
	struct buf here = BUF_INIT;
	int rc = 0;

	if (who->root[0] != '/' && path_working_directory(&here) != 0) {
		rc = fail_environment(fail,
				      "the working directory has no path (%s); "
				      "set CTX_NOTES_HOME to an absolute one",
				      strerror(errno));
	} else {
		path_resolve(out, buf_str(&here), str_of(who->root));
		buf_addf(out, "%s%s/%s", out->len == 1 ? "" : "/",
			 a->home.directory, a->path);
	}
	buf_release(&here);
	return rc;
}

/* Whether there is such a file; one that cannot be read counts. */
static int
look(const struct address *a, const struct identity *who, bool *exists,
     struct fail *fail)
{
	struct beneath_fault fault = { BENEATH_FINE, 0, 0 };
	struct store store = STORE_INIT;
	struct stat st;
	int fd = -1, rc;

	rc = store_open(&store, a, who, fail);
	if (rc != 0 || store.home < 0)
		goto out;
	fd = note_open(store.home, a->path, O_RDONLY, &st, &fault);
	*exists = fd >= 0 || errno == EACCES;
	if (!*exists && fault.kind != BENEATH_FINE)
		rc = address_fail_unsafe(a, a->path, &fault, fail);
	else if (!*exists && errno != ENOENT)
		rc = address_fail_io(a->rendered, errno, fail);
out:
	if (fd >= 0)
		close(fd);
	store_close(&store);
	return rc;
}

int
notes_path_run(const struct tool_call *call, void *result, struct fail *fail)
{
	const struct notes_path_args *args = call->args;
	struct notes_path_result *r = result;
	struct address address;
	struct identity who;
	int rc;

	buf_init(&r->path, BUF_UNLIMITED);
	rc = address_resolve(&address, &who, call->facts, &args->cwd,
			     &args->address, fail);
	if (rc == 0)
		rc = address_check_length(&address, fail);
	if (rc == 0)
		rc = look(&address, &who, &r->exists, fail);
	if (rc == 0)
		rc = notes_path_of(&r->path, &address, &who, fail);
	if (rc == 0)
		address_tell(&address, &who, &r->address, &r->project_key);
	address_release(&address);
	identity_release(&who);
	return rc;
}

/* For `$(notes-path ...)`: byte for byte. */
void
notes_path_text(const void *result, struct buf *out)
{
	const struct notes_path_result *r = result;

	buf_add_str(out, buf_str(&r->path));
}

void
notes_path_person(const void *result, const struct terminal *t, struct buf *out)
{
	const struct notes_path_result *r = result;

	(void)t;
	visible_field(out, buf_str(&r->path));
}

void
notes_path_release(void *result)
{
	struct notes_path_result *r = result;

	free(r->address);
	free(r->project_key);
	buf_release(&r->path);
}
