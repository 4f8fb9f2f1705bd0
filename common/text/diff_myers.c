#include "text/diff_myers.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

/*
 * Diagonals and matches looked at in all: a tenth of a second or so.  The
 * diagonals alone are the square of the edits made from one end, so that this
 * limit is met before MOST_EDITS is.
 */
#define MOST_WORK (INT64_C(1) << 24)
#define MOST_EDITS 4096

/* The part of the edit graph from (x, y) to before (x_end, y_end). */
struct box {
	int32_t x, y, x_end, y_end;
};

struct myers {
	const uint32_t *a, *b;
	bool *a_changed, *b_changed;
	int64_t work; /* what is left of it */
	struct box *todo;
	size_t n, cap;
	/*
	 * The farthest x on each diagonal x - y, by distance from the corner
	 * where the search began; [MOST_EDITS + 1] is the corner's own.
	 */
	int32_t down[2 * MOST_EDITS + 3], up[2 * MOST_EDITS + 3];
};

/* Diagonals are numbered from the corner that a search begins in. */
struct front {
	int32_t *at;	   /* at[0] is the corner's diagonal */
	int32_t low, high; /* those reached */
	int32_t from, to;  /* those in the box */
	int32_t unreached; /* worse than any x */
};

/*
 * One edit more: the diagonals reached grow by one at either side, and those
 * that would leave the box drop out.  Every other one is now of interest.
 */
static void
widen(struct front *f)
{
	if (f->low > f->from) {
		f->low--;
		f->at[f->low - 1] = f->unreached;
	} else {
		f->low++;
	}
	if (f->high < f->to) {
		f->high++;
		f->at[f->high + 1] = f->unreached;
	} else {
		f->high--;
	}
}

static bool
reached(const struct front *f, int32_t k)
{
	return k >= f->low && k <= f->high;
}

/* From the upper left corner.  True when it has met the other front. */
static bool
go_down(struct myers *s, const struct box *box, struct front *f,
	const struct front *other, int32_t delta, struct box *split)
{
	int32_t origin = box->x - box->y, k, x, y, start;

	widen(f);
	for (k = f->high; k >= f->low; k -= 2) {
		x = f->at[k - 1] < f->at[k + 1] ? f->at[k + 1]
						: f->at[k - 1] + 1;
		start = x;
		y = x - k - origin;
		while (x < box->x_end && y < box->y_end && s->a[x] == s->b[y]) {
			x++;
			y++;
		}
		f->at[k] = x;
		s->work -= 1 + x - start;
		if (other != NULL && reached(other, k - delta) &&
		    other->at[k - delta] <= x) {
			split->x = x;
			split->y = y;
			return true;
		}
	}
	return false;
}

/* From the lower right corner, in the same way. */
static bool
go_up(struct myers *s, const struct box *box, struct front *f,
      const struct front *other, int32_t delta, struct box *split)
{
	int32_t origin = box->x_end - box->y_end, k, x, y, start;

	widen(f);
	for (k = f->high; k >= f->low; k -= 2) {
		x = f->at[k - 1] < f->at[k + 1] ? f->at[k - 1]
						: f->at[k + 1] - 1;
		start = x;
		y = x - k - origin;
		while (x > box->x && y > box->y && s->a[x - 1] == s->b[y - 1]) {
			x--;
			y--;
		}
		f->at[k] = x;
		s->work -= 1 + start - x;
		if (other != NULL && reached(other, k + delta) &&
		    other->at[k + delta] >= x) {
			split->x = x;
			split->y = y;
			return true;
		}
	}
	return false;
}

/*
 * A point in the middle of a shortest script for the box, whose sides are not
 * empty and whose first and last elements differ: the point is no corner.
 * False when the work limit is met before the two searches meet.
 */
static bool
find_middle(struct myers *s, const struct box *box, struct box *split)
{
	int32_t width = box->x_end - box->x, height = box->y_end - box->y;
	int32_t delta = width - height, edits;
	bool odd = (delta & 1) != 0;
	struct front down = { .at = s->down + MOST_EDITS + 1,
			      .from = -height,
			      .to = width,
			      .unreached = -1 };
	struct front up = { .at = s->up + MOST_EDITS + 1,
			    .from = -width,
			    .to = height,
			    .unreached = INT32_MAX };

	/* The corners: their elements differ, so no match leads on. */
	down.at[0] = box->x;
	up.at[0] = box->x_end;
	for (edits = 1; edits < MOST_EDITS && s->work > 0; edits++) {
		if (go_down(s, box, &down, odd ? &up : NULL, delta, split))
			return true;
		if (go_up(s, box, &up, odd ? NULL : &down, delta, split))
			return true;
	}
	return false;
}

static void
push(struct myers *s, int32_t x, int32_t y, int32_t x_end, int32_t y_end)
{
	XGROW(s->todo, s->n + 1, s->cap);
	s->todo[s->n++] = (struct box){ x, y, x_end, y_end };
}

static void
trim(const struct myers *s, struct box *box)
{
	while (box->x < box->x_end && box->y < box->y_end &&
	       s->a[box->x] == s->b[box->y]) {
		box->x++;
		box->y++;
	}
	while (box->x < box->x_end && box->y < box->y_end &&
	       s->a[box->x_end - 1] == s->b[box->y_end - 1]) {
		box->x_end--;
		box->y_end--;
	}
}

static void
mark(bool *changed, int32_t from, int32_t to)
{
	if (from < to)
		memset(changed + from, true, (size_t)(to - from));
}

static void
solve(struct myers *s, struct box box)
{
	struct box split;

	trim(s, &box);
	if (box.x < box.x_end && box.y < box.y_end &&
	    find_middle(s, &box, &split)) {
		push(s, box.x, box.y, split.x, split.y);
		push(s, split.x, split.y, box.x_end, box.y_end);
		return;
	}
	mark(s->a_changed, box.x, box.x_end);
	mark(s->b_changed, box.y, box.y_end);
}

void
diff_myers(const uint32_t *a, size_t n, const uint32_t *b, size_t m,
	   bool *a_changed, bool *b_changed)
{
	struct myers *s = xcalloc(1, sizeof(*s));

	s->a = a;
	s->b = b;
	s->a_changed = a_changed;
	s->b_changed = b_changed;
	s->work = MOST_WORK;
	push(s, 0, 0, (int32_t)n, (int32_t)m);
	while (s->n > 0)
		solve(s, s->todo[--s->n]);
	free(s->todo);
	free(s);
}
