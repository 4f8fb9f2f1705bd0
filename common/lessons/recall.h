#ifndef RECALL_H
#define RECALL_H

#include "lessons/desk.h"

/*
 * What an agent is told at the start: the block of active lessons and own
 * candidates, within the budget (spec/lessons.md section 9.3).
 */
enum recall_kind { RECALL_GLOBAL, RECALL_PROJECT, RECALL_CANDIDATES };
#define RECALL_KINDS 3
extern const char *const recall_kinds[]; /* global, project, candidates */

struct recall_row {
	int64_t id;
	struct str text; /* on one line, as it is shown */
};

struct recall_section {
	int kind;
	struct field_list rows; /* struct recall_row */
	int64_t total, omitted;
	bool with_omission; /* there is a line for them */
};
extern const struct field recall_section_fields[];

/* Sections by kind; one that is not there has no heading either. */
struct recall_block {
	struct recall_section sections[RECALL_KINDS];
	bool present[RECALL_KINDS];
};

/*
 * Selects.  The rows live in keep.
 */
int recall_select(struct desk *d, struct keep *keep, struct recall_block *b,
		  struct fail *fail);

/*
 * Takes the last row that may go to save room: of candidates, then the
 * project's, then the global ones.  False: there is none.
 */
bool recall_shorten(struct recall_block *b);

/* The block as the agent reads it, without a final newline. */
void recall_render(const struct recall_block *b, struct buf *out);

/* One section's lines. */
void recall_render_section(const struct recall_section *s, struct buf *out);

#endif /* RECALL_H */
