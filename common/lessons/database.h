#ifndef LESSONS_DATABASE_H
#define LESSONS_DATABASE_H

#include "lessons/settings.h"
#include "lessons/sql.h"
#include "tool/facts.h"

/*
 * The lessons database: which file it is, and opening it (spec/lessons.md
 * section 3).
 */
struct database {
	struct sql sql;	   /* closed: there is none, or it is empty */
	struct buf target; /* absolute */
	struct buf base;   /* what the target was derived from */
	struct buf real;   /* the target's real path, as far as it is there */
	bool exists;	   /* the file */
	bool created;	   /* by database_open() */
};

void database_init(struct database *d);
void database_release(struct database *d);

/* The base file, of what the host said or the settings say. */
int database_base(struct database *d, const struct facts *facts,
		  const struct settings *settings, struct fail *fail);

/*
 * Chooses the file by its base, and checks what it is by its header.  Nothing
 * is opened in SQLite that is not ours, and nothing is changed.
 */
int database_find(struct database *d, struct fail *fail);

/*
 * Opens it after database_find(): for writing it is made where it is not
 * there; for reading a store that is not there stays closed.
 */
int database_open(struct database *d, bool write, struct fail *fail);

/* The file beside it that an older version kept, one a line, for people. */
void database_siblings(const struct database *d, struct buf *out);

/*
 * `max(id) + 1` of a table inside a write transaction.  The text is
 * `SELECT max(id) FROM ...`.  Beyond 2^53 - 1 it is FAIL_ENVIRONMENT.
 */
int database_next_id(struct sql *s, const char *text, int64_t *id,
		     struct fail *fail);

/*
 * Makes an empty file, 0600, and the directories above it, 0700, all of it
 * durable; *made is false where another process had made it.  -1 with errno.
 */
int database_make_file(const char *path, bool *made);

/* Switches to WAL, waiting while another process does. */
int database_wal(struct sql *s, struct fail *fail);

#endif /* LESSONS_DATABASE_H */
