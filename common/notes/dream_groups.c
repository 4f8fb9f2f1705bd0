/* Notes that have the same text (spec/notes.md section 5.6). */

#include "base/xalloc.h"
#include "notes/dream.h"
#include "tool/budget.h"

#define GROUPS_BYTES 8192 /* of JSON */

static int
by_digest(const void *a, const void *b)
{
	const struct dream_row *x = *(const struct dream_row *const *)a;
	const struct dream_row *y = *(const struct dream_row *const *)b;
	int c = memcmp(x->digest, y->digest, DREAM_DIGEST_SIZE);

	return c != 0 ? c : strcmp(x->address, y->address);
}

/* order lends the first address of each group. */
static int
by_first_address(const void *a, const void *b, void *order)
{
	const struct dream_group *x = a, *y = b;
	const struct dream_row **rows = order;

	return strcmp(rows[x->start]->address, rows[y->start]->address);
}

static bool
same_body(const struct dream_row *x, const struct dream_row *y)
{
	return memcmp(x->digest, y->digest, DREAM_DIGEST_SIZE) == 0;
}

static void
add_group(struct dream *dream, size_t start, size_t n)
{
	XGROW(dream->groups, dream->n_groups + 1, dream->cap_groups);
	dream->groups[dream->n_groups++] = (struct dream_group){ start, n };
}

/* The array of the first k groups, alone. */
static void
groups_array(const struct dream *dream, size_t k, struct json_writer *w)
{
	size_t i, j;

	json_open_array(w);
	for (i = 0; i < k; i++) {
		const struct dream_group *g = &dream->groups[i];

		json_open_array(w);
		for (j = 0; j < g->n; j++)
			json_string(
				w, str_of(dream->order[g->start + j]->address));
		json_close_array(w);
	}
	json_close_array(w);
}

static bool
fits(void *ctx, size_t k)
{
	struct json_writer w;
	struct buf out;
	bool fits;

	buf_init(&out, GROUPS_BYTES);
	json_begin(&w, &out);
	groups_array(ctx, k, &w);
	fits = !out.full;
	buf_release(&out);
	return fits;
}

void
dream_find_groups(struct dream *dream)
{
	size_t i, j, n = 0;

	dream->order = xcalloc(dream->n, sizeof(*dream->order));
	for (i = 0; i < dream->n; i++)
		if (dream->rows[i].has_body)
			dream->order[n++] = &dream->rows[i];
	if (n > 1)
		qsort(dream->order, n, sizeof(*dream->order), by_digest);
	for (i = 0; i < n; i = j) {
		for (j = i + 1; j < n; j++)
			if (!same_body(dream->order[i], dream->order[j]))
				break;
		if (j - i > 1)
			add_group(dream, i, j - i);
	}
	if (dream->n_groups > 1)
		qsort_r(dream->groups, dream->n_groups, sizeof(*dream->groups),
			by_first_address, dream->order);
	dream->shown_groups = budget_items(0, dream->n_groups, fits, dream);
}

void
dream_release_groups(struct dream *dream)
{
	free(dream->order);
	free(dream->groups);
}

void
dream_groups_json(const struct dream *dream, struct json_writer *w)
{
	json_key(w, "duplicates");
	groups_array(dream, dream->shown_groups, w);
	if (dream->shown_groups < dream->n_groups)
		json_member_integer(
			w, "duplicates_more",
			(int64_t)(dream->n_groups - dream->shown_groups));
}

void
dream_groups_text(const struct dream *dream, struct buf *out)
{
	size_t i, j;

	for (i = 0; i < dream->shown_groups; i++) {
		const struct dream_group *g = &dream->groups[i];

		buf_adds(out, "\nsame text: ");
		for (j = 0; j < g->n; j++) {
			buf_adds(out, j == 0 ? "" : ", ");
			buf_adds(out, dream->order[g->start + j]->address);
		}
	}
	if (dream->shown_groups < dream->n_groups)
		buf_addf(out, "\n%zu more groups of the same text omitted",
			 dream->n_groups - dream->shown_groups);
}
