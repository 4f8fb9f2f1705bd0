#include "lessons/lessons_backup.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <sqlite3.h>

#include "base/clock.h"
#include "base/path.h"
#include "base/timestamp.h"
#include "base/tree.h"

#define PAGES_A_STEP 256
#define NAMES_MAX 1000

/* Copies page by page; SQLite begins again when a writer comes between. */
static int
copy_pages(struct sql *from, struct sql *to, struct fail *fail)
{
	int64_t deadline = clock_monotonic_ms() + SQL_BUSY_MS;
	sqlite3_backup *backup = sqlite3_backup_init(to->db, "main", from->db,
						     "main");
	int rc = SQLITE_OK;

	if (backup == NULL)
		return sql_fail(to, sqlite3_errcode(to->db), fail);
	while (rc == SQLITE_OK) {
		rc = sqlite3_backup_step(backup, PAGES_A_STEP);
		if ((rc == SQLITE_BUSY || rc == SQLITE_LOCKED) &&
		    clock_monotonic_ms() < deadline) {
			clock_sleep_ms(20);
			rc = SQLITE_OK;
		}
	}
	(void)sqlite3_backup_finish(backup);
	return rc == SQLITE_DONE ? 0 : sql_fail(to, rc, fail);
}

static int
check_copy(struct sql *copy, struct fail *fail)
{
	struct query q;
	int rc;

	/* One file, that lies there without a log. */
	if (sql_script(copy, "PRAGMA journal_mode = DELETE", fail) != 0)
		return -1;
	rc = query_first(&q, copy, fail, "PRAGMA quick_check", "");
	if (rc == 1)
		rc = str_is(query_text(&q, 0), "ok")
			     ? 0
			     : fail_environment(fail, "%s: the copy is damaged",
						copy->path.data);
	query_close(&q);
	return rc;
}

static int
make_copy(struct desk *d, const char *path, struct fail *fail)
{
	struct sql copy = SQL_INIT;
	int fd, rc = -1;

	fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
		  0600);
	if (fd < 0)
		return fail_refuse(fail, "unwritable", "%s: %s", path,
				   strerror(errno));
	if (sql_open(&copy, path, SQL_WRITE, fail) == 0 &&
	    copy_pages(&d->database.sql, &copy, fail) == 0)
		rc = check_copy(&copy, fail);
	sql_close(&copy);
	if (rc == 0 && fsync(fd) != 0)
		rc = fail_environment(fail, "%s: %s", path, strerror(errno));
	(void)close(fd);
	return rc;
}

/* YYYYMMDDTHHMMSSZ */
static void
add_stamp(struct buf *out, int64_t ms)
{
	char text[TIMESTAMP_SIZE];
	const char *p;

	timestamp_utc(ms, text);
	for (p = text; *p != '\0' && *p != '.'; p++)
		if (*p != '-' && *p != ':')
			buf_addc(out, *p);
	buf_addc(out, 'Z');
}

/* A name that is free, which the copy gets. */
static int
link_copy(struct desk *d, const char *temporary, const char *folder,
	  struct lessons_backup_result *r, struct fail *fail)
{
	struct str name = path_last(buf_str(&d->database.target));
	struct buf stem = BUF_INIT, path = BUF_INIT;
	size_t dot = name.n, i;
	int rc = -1;

	while (dot > 1 && name.s[dot - 1] != '.')
		dot--;
	buf_addf(&stem, "%s/%.*s-", folder, (int)(dot > 1 ? dot - 1 : name.n),
		 name.s);
	add_stamp(&stem, d->now);
	for (i = 1; rc != 0 && i <= NAMES_MAX; i++) {
		buf_reset(&path);
		buf_add_str(&path, buf_str(&stem));
		if (i > 1)
			buf_addf(&path, "-%zu", i);
		buf_adds(&path, ".sqlite3");
		rc = link(temporary, path.data);
		if (rc != 0 && errno != EEXIST)
			break;
	}
	if (rc != 0)
		rc = fail_refuse(fail, "unwritable", "%s: %s", path.data,
				 strerror(errno));
	r->file = keep_str(&r->keep, buf_str(&path));
	buf_release(&stem);
	buf_release(&path);
	return rc;
}

static int
sync_folder(const char *folder, struct fail *fail)
{
	int dir = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC), rc = 0;

	if (dir < 0 || tree_sync(dir) != 0)
		rc = fail_environment(fail, "%s: %s", folder, strerror(errno));
	if (dir >= 0)
		(void)close(dir);
	return rc;
}

static int
back_up(struct desk *d, const char *folder, struct lessons_backup_result *r,
	struct fail *fail)
{
	struct buf temporary = BUF_INIT;
	struct stat st;
	int rc;

	buf_addf(&temporary, "%s/.lessons-backup.%ld", folder, (long)getpid());
	rc = make_copy(d, temporary.data, fail);
	if (rc == 0)
		rc = link_copy(d, temporary.data, folder, r, fail);
	if (rc == 0 && stat(r->file.s, &st) == 0)
		r->bytes = (int64_t)st.st_size;
	(void)unlink(temporary.data);
	buf_release(&temporary);
	return rc == 0 ? sync_folder(folder, fail) : -1;
}

int
lessons_backup_run(const struct tool_call *call, void *result,
		   struct fail *fail)
{
	const struct lessons_backup_args *a = call->args;
	struct buf folder = BUF_INIT;
	struct stat st;
	struct desk d;
	int rc = -1;

	if (desk_begin(&d, call, ORIGIN_USER, fail) != 0)
		goto out;
	desk_path(&d, a->directory.s, &folder);
	if (desk_store(&d, false, fail) != 0)
		goto out;
	if (d.database.sql.db == NULL)
		rc = fail_refuse(fail, "not_found", "there is no store at %s",
				 d.database.target.data);
	else if (stat(folder.data, &st) != 0 || !S_ISDIR(st.st_mode))
		rc = fail_refuse(fail, "unwritable", "%s: not a directory",
				 folder.data);
	else
		rc = back_up(&d, folder.data, result, fail);
out:
	buf_release(&folder);
	desk_release(&d);
	return rc;
}

void
lessons_backup_text(const void *result, struct buf *out)
{
	const struct lessons_backup_result *r = result;

	buf_adds(out, "backup written to ");
	wording_show_line(out, r->file);
}
