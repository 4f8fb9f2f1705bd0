#ifndef NOTES_SHELF_H
#define NOTES_SHELF_H

#include "notes/survey.h"

/*
 * The notes of one home at a glance (spec/history.md section 7.2): its map,
 * and the others, newest first, with titles.  Nothing counts as a read.
 */
struct shelf_note {
	char *address;
	int64_t updated_at;
	bool titled;
	struct buf title;
};

struct shelf {
	struct home home;
	struct shelf_note *notes; /* live ones but the map, in list order */
	size_t n, cap;
	bool has_map;
	struct buf map; /* its first characters, valid UTF-8 */
	size_t map_total_chars;
	bool unavailable; /* it could not be read to its end */
};

#define SHELF_MAP "MAP.md"
#define SHELF_MAP_CHARS 4096
#define SHELF_TITLE_CHARS 40

/* Adds the title of a note: "" only when the body is blank. */
void shelf_title(struct buf *out, struct str body);

#define SHELVES_MOST 5

struct shelves {
	struct shelf v[SHELVES_MOST];
	size_t n;
};

/*
 * Reads the shelves of session (when who has one), project, own agent, own
 * model and human, in this order; at least the first most_titles notes of
 * each are titled.  s comes zeroed.
 */
void shelves_read(struct shelves *s, const struct identity *who,
		  size_t most_titles);
void shelves_release(struct shelves *s);

#endif /* NOTES_SHELF_H */
