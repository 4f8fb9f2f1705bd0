#include "history/filter.h"

#include <stdlib.h>

#include "base/xalloc.h"

#define LEFT_OUT UINT32_MAX

void
filter_bounds(const struct filter *f, const struct transcript *t,
	      uint32_t *first, uint32_t *last)
{
	uint32_t highest = transcript_highest(t);

	*first = 1;
	*last = highest;
	if (f->after >= highest)
		*last = 0;
	else if (f->after > 0)
		*first = (uint32_t)f->after + 1;
	if (f->before <= *last)
		*last = f->before > 0 ? (uint32_t)f->before - 1 : 0;
}

bool
filter_passes(const struct filter *f, const struct transcript *t, uint32_t seq)
{
	const struct slot *slot = transcript_slot(t, seq);

	if (!transcript_is_event(t, seq) || !transcript_in_time(t, seq))
		return false;
	if (f->query != NULL && !transcript_is_candidate(t, seq))
		return false;
	if (f->conversation)
		return (slot->role == ROLE_USER ||
			slot->role == ROLE_ASSISTANT) &&
		       (slot->flags & SLOT_EMPTY) == 0;
	return f->roles == 0 || (f->roles >> slot->role & 1) != 0;
}

bool
filter_folds(const struct transcript *t, uint32_t seq)
{
	const struct slot *slot = transcript_slot(t, seq);

	return (slot->role == ROLE_TOOL || slot->role == ROLE_CONTEXT) &&
	       transcript_is_event(t, seq) && transcript_in_time(t, seq);
}

bool
filter_matches(const struct filter *f, const struct event *e, size_t *hit)
{
	*hit = 0;
	if (f->query == NULL)
		return true;
	if (f->match_all && !fold_has_all(f->query, buf_str(&e->document)))
		return false;
	*hit = fold_find(f->query, buf_str(&e->document), NULL);
	return *hit != FOLD_NONE;
}

/* ---- folds ------------------------------------------------------------- */

void
folds_release(struct folds *f)
{
	free(f->v);
	free(f->seen);
	*f = (struct folds){ 0 };
}

void
folds_reset(struct folds *f)
{
	f->n = 0;
	free(f->seen);
	f->seen = NULL;
}

/* The place of a tool that the fold has not met: LEFT_OUT without room. */
static uint32_t
add_tool(struct fold *fold, struct transcript *t, uint32_t name)
{
	if (fold->n_tools == FOLDS_TOOLS || t->names[name].too_long) {
		fold->omitted++;
		return LEFT_OUT;
	}
	fold->tools[fold->n_tools] =
		(struct field_count){ event_tool_name(t, name), 0 };
	return fold->n_tools++;
}

static void
count_tool(struct folds *f, struct transcript *t, uint32_t name)
{
	struct fold *fold = &f->v[f->n - 1];
	struct fold_seen *seen;

	if (f->seen == NULL)
		f->seen = xcalloc(t->n_names, sizeof(*f->seen));
	seen = &f->seen[name];
	if (seen->fold != f->n)
		*seen = (struct fold_seen){ (uint32_t)f->n,
					    add_tool(fold, t, name) };
	if (seen->place != LEFT_OUT)
		fold->tools[seen->place].n++;
}

void
folds_add(struct folds *f, struct transcript *t, uint32_t seq, bool starts_run)
{
	const struct slot *slot = transcript_slot(t, seq);

	if (starts_run) {
		XGROW(f->v, f->n + 1, f->cap);
		f->v[f->n++] = (struct fold){ .first = seq };
	}
	f->v[f->n - 1].last = seq;
	f->v[f->n - 1].count++;
	if (slot->role == ROLE_TOOL)
		count_tool(f, t, slot->name);
}
