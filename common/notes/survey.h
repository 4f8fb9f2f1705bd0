#ifndef NOTES_SURVEY_H
#define NOTES_SURVEY_H

#include <sys/stat.h>

#include "notes/front_matter.h"
#include "notes/scope.h"
#include "tool/declare.h"
#include "tool/terminal.h"

/*
 * Going through the notes of all homes that a glob means: what notes-list,
 * notes-search and dream-begin have in common (spec/notes.md section 5.4).
 */
struct survey {
	struct identity who;
	int64_t skipped;
	struct field_list homes_unavailable; /* labels of homes not read to
						their end */
	struct str *labels;		     /* what it has */
	size_t cap;
};

/* What is met besides notes. */
struct survey_tally {
	size_t skipped; /* entries that no address can reach, also for length */
	bool incomplete; /* something could not be read */
};

/* A note whose address matches: a regular file that an address can name. */
struct survey_note {
	const struct home *home;
	struct str address; /* as rendered, terminated */
	int dir;	    /* survey_open() it there */
	const char *name;
};

typedef void survey_visit(void *ctx, const struct survey_note *note,
			  struct survey_tally *tally);

/*
 * Resolves the identity, checks the glob, and visits the notes of each home
 * in turn.  -1 with a failure; survey_release() in either case.
 */
int survey_run(struct survey *survey, const struct facts *facts,
	       const struct arg_string *cwd, const struct arg_string *glob,
	       survey_visit *visit, void *ctx, struct fail *fail);
void survey_release(struct survey *survey);

/*
 * The notes of one home (scope NULL: all of them); root as home_open_root().
 * A home that does not exist has none; one that fails is noted as
 * unavailable.
 */
void survey_home(struct survey *survey, int root, const struct home *home,
		 const struct scope *scope, survey_visit *visit, void *ctx);

/*
 * Opens the note; *fd is -1 where only *st could be had.  False when there is
 * no such note any more, and when it is something else, which *tally counts.
 */
bool survey_open(const struct survey_note *note, struct survey_tally *tally,
		 int *fd, struct stat *st);

/*
 * The same, and reads the note's metadata: from its block, and with the defaults where that
 * cannot be read.  fm must be released by the caller in either case; head is
 * scratch; st may be NULL.
 */
bool survey_peek(const struct survey_note *note, struct survey_tally *tally,
		 struct buf *head, struct front_matter *fm,
		 struct note_meta *meta, struct stat *st);

/* ---- rendering --------------------------------------------------------- */

/* Its members, which end every result, and their trailer lines. */
extern const struct field survey_fields[];
void survey_text(const struct survey *survey, struct buf *out);

/* Begins a line: a newline, unless out is still empty. */
void survey_line(struct buf *out);

/* A time, behind `before`; t is NULL for the plain text. */
void survey_text_time(struct buf *out, const struct terminal *t,
		      const char *before, int64_t ms);

/* The project key that belongs to an address: NULL outside that home. */
const char *survey_project_key(const struct survey *survey,
			       const char *address);

/* The address, with that. */
void survey_text_identity(struct buf *out, const struct terminal *t,
			  const struct survey *survey, const char *address);

#endif /* NOTES_SURVEY_H */
