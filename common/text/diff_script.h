#ifndef DIFF_SCRIPT_H
#define DIFF_SCRIPT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"
#include "base/str.h"

/* ---- lines ------------------------------------------------------------- */

/*
 * A text by lines.  A line has its LF; the last one may have none, and then
 * differs from the same bytes with one.
 */
struct diff_lines {
	struct str text; /* borrowed */
	size_t *start;	 /* of each line, and start[n] == text.n */
	size_t n;
};

void diff_lines_init(struct diff_lines *l, struct str text);
void diff_lines_release(struct diff_lines *l);

static inline struct str
diff_lines_at(const struct diff_lines *l, size_t i)
{
	return (struct str){ l->text.s + l->start[i],
			     l->start[i + 1] - l->start[i] };
}

/*
 * Numbers for lines: equal numbers mean equal lines, and the other way round
 * but for lines whose hashes are the same, which nobody can choose.
 */
struct diff_numbers {
	struct hash_key key;
	struct diff_numbered {
		uint64_t hash;
		struct str line;
	} * known; /* by number */
	size_t n, cap;
	struct hash_table table;
};

void diff_numbers_init(struct diff_numbers *d);
void diff_numbers_release(struct diff_numbers *d);

/* line must live as long as d. */
uint32_t diff_numbers_get(struct diff_numbers *d, struct str line);

/* ---- what changes ------------------------------------------------------ */

/* Lines [a, a + a_n) of the old text become [b, b + b_n) of the new one. */
struct diff_change {
	size_t a, a_n, b, b_n;
};

/* Ascending, not overlapping, none empty, never two next to each other. */
struct diff_script {
	struct diff_change *change;
	size_t n, cap;
};

/* A shortest script, within the limits of diff_myers(). */
void diff_script_init(struct diff_script *s, const struct diff_lines *a,
		      const struct diff_lines *b);
void diff_script_release(struct diff_script *s);

/*
 * Which elements of a (n of them) and b (m) a shortest edit script removes
 * and adds: a_changed[i] and b_changed[j] are set for those, and left as they
 * are for the others, which are one common sequence.  n and m are below 2^30.
 *
 * Myers, "An O(ND) difference algorithm and its variations" (1986), in linear
 * space.  After a fixed amount of work what is undecided counts as changed.
 */
void diff_myers(const uint32_t *a, size_t n, const uint32_t *b, size_t m,
		bool *a_changed, bool *b_changed);

#endif /* DIFF_SCRIPT_H */
