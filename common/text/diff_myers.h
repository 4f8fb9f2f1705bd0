#ifndef DIFF_MYERS_H
#define DIFF_MYERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

#endif /* DIFF_MYERS_H */
