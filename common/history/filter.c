#include "history/filter.h"

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
	*hit = fold_find(f->query, buf_str(&e->document), NULL);
	return *hit != FOLD_NONE;
}
