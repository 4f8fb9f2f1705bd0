#ifndef DIFF_SCRIPT_H
#define DIFF_SCRIPT_H

#include "text/diff_lines.h"

/* Lines [a, a + a_n) of the old text become [b, b + b_n) of the new one. */
struct diff_change {
	size_t a, a_n, b, b_n;
};

/* Ascending, not overlapping, none empty, never two next to each other. */
struct diff_script {
	struct diff_change *change;
	size_t n, cap;
};

/* A shortest script within the limits of diff_myers(). */
void diff_script_init(struct diff_script *s, const struct diff_lines *a,
		      const struct diff_lines *b);
void diff_script_release(struct diff_script *s);

#endif /* DIFF_SCRIPT_H */
