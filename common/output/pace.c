#include "output/pace.h"

void
pace_init(struct pace *p, int64_t min_ms, int64_t bytes_per_s)
{
	*p = (struct pace){ .min_ms = min_ms,
			    .bytes_per_s = bytes_per_s,
			    .next = PACE_NONE,
			    .deadline = PACE_NONE };
}

bool
pace_change(struct pace *p, int64_t now)
{
	if (p->next == PACE_NONE || now >= p->next)
		return true;
	if (p->deadline == PACE_NONE)
		p->deadline = p->next;
	return false;
}

bool
pace_due(const struct pace *p, int64_t now)
{
	return p->deadline != PACE_NONE && p->deadline <= now;
}

void
pace_published(struct pace *p, int64_t now, int64_t bytes)
{
	int64_t wait = (bytes * 1000 + p->bytes_per_s - 1) / p->bytes_per_s;

	p->deadline = PACE_NONE;
	if (bytes > 0)
		p->next = now + (wait > p->min_ms ? wait : p->min_ms);
}
