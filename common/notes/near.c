#include "notes/near.h"

#include <stdlib.h>

#include "base/path.h"
#include "base/tree.h"
#include "base/utf8.h"
#include "base/xalloc.h"

#define FAR (NEAR_EDITS + 1)
#define BAND (2 * NEAR_EDITS + 1)

/* ---- how near ---------------------------------------------------------- */

/* The characters of a name on disk; the number of them. */
static size_t
decode(struct str name, uint32_t out[ADDRESS_NAME_MAX])
{
	size_t i = 0, n = 0;
	unsigned length;

	while (i < name.n && n < ADDRESS_NAME_MAX) {
		length = utf8_decode(name.s + i, name.n - i, &out[n]);
		if (length == 0)
			break;
		i += length;
		n++;
	}
	return n;
}

static unsigned
least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/*
 * The usual table, of which only the diagonals near the middle can lead to a
 * small number: row[k] is for the first i characters of a and the first
 * i + k - NEAR_EDITS of b.
 */
unsigned
near_edits(struct str a, struct str b)
{
	uint32_t x[ADDRESS_NAME_MAX], y[ADDRESS_NAME_MAX];
	size_t n = decode(a, x), m = decode(b, y), i, j, k;
	unsigned row[BAND], next[BAND];

	if (n > m + NEAR_EDITS || m > n + NEAR_EDITS)
		return FAR;
	for (k = 0; k < BAND; k++)
		row[k] = k < NEAR_EDITS ? FAR : (unsigned)k - NEAR_EDITS;
	for (i = 1; i <= n; i++) {
		for (k = 0; k < BAND; k++) {
			next[k] = FAR;
			if (i + k < NEAR_EDITS || i + k - NEAR_EDITS > m)
				continue;
			j = i + k - NEAR_EDITS;
			if (j > 0)
				next[k] = row[k] + (x[i - 1] != y[j - 1]);
			if (k + 1 < BAND)
				next[k] = least(next[k], row[k + 1] + 1);
			if (k > 0)
				next[k] = least(next[k], next[k - 1] + 1);
		}
		for (k = 0; k < BAND; k++)
			row[k] = least(next[k], FAR);
	}
	return row[m + NEAR_EDITS - n];
}

/* ---- who is near ------------------------------------------------------- */

struct neighbour {
	char *path;
	unsigned edits;
};

struct neighbours {
	struct str name; /* that was asked for */
	struct neighbour *v;
	size_t n, cap;
};

static bool
take_node(void *ctx, const struct tree_node *node)
{
	struct neighbours *near = ctx;
	struct str name = str_of(node->name), path = str_of(node->path);
	unsigned edits;

	if (!address_is_name(name))
		return false;
	if (node->kind == TREE_DIRECTORY)
		return address_reaches_into(path);
	if (node->kind != TREE_FILE || !str_ends(name, STR(".md")) ||
	    !address_reaches(path))
		return false;
	edits = near_edits(near->name, name);
	if (edits < FAR) {
		XGROW(near->v, near->n + 1, near->cap);
		near->v[near->n++] = (struct neighbour){ xstrdup(node->path),
							 edits };
	}
	return false;
}

static int
neighbour_cmp(const void *a, const void *b)
{
	const struct neighbour *x = a, *y = b;

	if (x->edits != y->edits)
		return x->edits < y->edits ? -1 : 1;
	return strcmp(x->path, y->path);
}

int
near_fail_not_found(int home, const struct address *a, struct fail *fail)
{
	struct neighbours near = { .name = path_last(str_of(a->path)) };
	struct buf list = BUF_INIT;
	size_t i;

	if (home >= 0)
		(void)tree_walk(home, take_node, &near);
	if (near.n > 1)
		qsort(near.v, near.n, sizeof(*near.v), neighbour_cmp);
	for (i = 0; i < near.n; i++) {
		if (i < NEAR_MOST)
			buf_addf(&list, "%s%s%s", i == 0 ? "; near it: " : ", ",
				 a->home.prefix, near.v[i].path);
		free(near.v[i].path);
	}
	fail_refuse(fail, "not_found", "there is no note %s%s", a->rendered,
		    list.data);
	free(near.v);
	buf_release(&list);
	return -1;
}
