#include "notes/near.h"

#include <stdlib.h>

#include "base/path.h"
#include "base/tree.h"
#include "base/xalloc.h"
#include "text/near.h"

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
	if (edits <= NEAR_EDITS) {
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

	if (home >= 0)
		(void)tree_walk(home, take_node, &near);
	if (near.n > 1)
		qsort(near.v, near.n, sizeof(*near.v), neighbour_cmp);
	for (size_t i = 0; i < near.n; i++) {
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
