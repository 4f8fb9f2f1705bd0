#include "text/diff_script.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

/* ---- lines ------------------------------------------------------------- */

void
diff_lines_init(struct diff_lines *l, struct str text)
{
	struct str rest = text;
	size_t cap = 0;

	*l = (struct diff_lines){ .text = text };
	while (rest.n > 0) {
		XGROW(l->start, l->n + 2, cap);
		l->start[l->n++] = text.n - rest.n;
		(void)str_cut(&rest, '\n');
	}
	XGROW(l->start, l->n + 1, cap);
	l->start[l->n] = text.n;
}

void
diff_lines_release(struct diff_lines *l)
{
	free(l->start);
	*l = (struct diff_lines){ 0 };
}

void
diff_numbers_init(struct diff_numbers *d)
{
	*d = (struct diff_numbers){ 0 };
	hash_key_random(&d->key);
}

void
diff_numbers_release(struct diff_numbers *d)
{
	free(d->known);
	hash_table_release(&d->table);
	*d = (struct diff_numbers){ 0 };
}

uint32_t
diff_numbers_get(struct diff_numbers *d, struct str line)
{
	uint64_t hash = hash_bytes(&d->key, line);
	uint32_t number = hash_find(&d->table, hash, d->known,
				    sizeof(*d->known));

	if (number != HASH_NONE && str_eq(d->known[number].line, line))
		return number;
	XGROW(d->known, d->n + 1, d->cap);
	d->known[d->n] = (struct diff_numbered){ hash, line };
	if (number == HASH_NONE)
		hash_add(&d->table, (uint32_t)d->n, d->known,
			 sizeof(*d->known));
	return (uint32_t)d->n++;
}

/* ---- Myers ------------------------------------------------------------- */

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
 * empty and whose first and last elements differ: the point is not a corner.
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

/* ---- the script -------------------------------------------------------- */

/* One of the two texts, between what both begin and end with. */
struct side {
	const struct diff_lines *lines;
	size_t from, to;
	bool *changed; /* by line of the text */

	/* The lines that the other side has as well, and what they are. */
	uint32_t *number;
	size_t *line;
	size_t n;
};

/* Where a number has been seen. */
enum { IN_OLD = 1, IN_NEW = 2, IN_BOTH = 3 };

static bool
same_line(const struct diff_lines *a, size_t i, const struct diff_lines *b,
	  size_t j)
{
	return str_eq(diff_lines_at(a, i), diff_lines_at(b, j));
}

static void
trim_sides(struct side *old, struct side *new)
{
	while (old->from < old->to && new->from < new->to &&
	       same_line(old->lines, old->from, new->lines, new->from)) {
		old->from++;
		new->from++;
	}
	while (old->from < old->to && new->from < new->to &&
	       same_line(old->lines, old->to - 1, new->lines, new->to - 1)) {
		old->to--;
		new->to--;
	}
}

static void
side_init(struct side *s, const struct diff_lines *lines)
{
	*s = (struct side){ .lines = lines, .to = lines->n };
	s->changed = xcalloc(lines->n + 1, sizeof(*s->changed));
}

static void
side_release(struct side *s)
{
	free(s->changed);
	free(s->number);
	free(s->line);
}

static void
number_lines(struct side *s, struct diff_numbers *numbers)
{
	s->n = s->to - s->from;
	s->number = xreallocarray(NULL, s->n, sizeof(*s->number));
	s->line = xreallocarray(NULL, s->n, sizeof(*s->line));
	for (size_t i = 0; i < s->n; i++) {
		s->line[i] = s->from + i;
		s->number[i] = diff_numbers_get(
			numbers, diff_lines_at(s->lines, s->line[i]));
	}
}

static void
see(const struct side *s, unsigned char *seen, unsigned char where)
{
	for (size_t i = 0; i < s->n; i++)
		seen[s->number[i]] |= where;
}

/* What only one side has is changed for certain: no need to search for it. */
static void
keep_common(struct side *s, const unsigned char *seen)
{
	size_t kept = 0, i;

	for (i = 0; i < s->n; i++) {
		if (seen[s->number[i]] != IN_BOTH) {
			s->changed[s->line[i]] = true;
			continue;
		}
		s->number[kept] = s->number[i];
		s->line[kept++] = s->line[i];
	}
	s->n = kept;
}

/* From a flag for each of the lines compared to one for each of the text. */
static void
spread(struct side *s, const bool *changed)
{
	for (size_t i = 0; i < s->n; i++)
		s->changed[s->line[i]] = changed[i];
}

static void
compare(struct side *old, struct side *new)
{
	struct diff_numbers numbers;
	unsigned char *seen;
	bool *old_changed, *new_changed;

	diff_numbers_init(&numbers);
	number_lines(old, &numbers);
	number_lines(new, &numbers);
	seen = xcalloc(numbers.n, sizeof(*seen));
	see(old, seen, IN_OLD);
	see(new, seen, IN_NEW);
	keep_common(old, seen);
	keep_common(new, seen);
	free(seen);
	diff_numbers_release(&numbers);

	old_changed = xcalloc(old->n, sizeof(*old_changed));
	new_changed = xcalloc(new->n, sizeof(*new_changed));
	diff_myers(old->number, old->n, new->number, new->n, old_changed,
		   new_changed);
	spread(old, old_changed);
	spread(new, new_changed);
	free(old_changed);
	free(new_changed);
}

/* The lines that are not changed go in step on both sides. */
static void
collect(struct diff_script *s, const struct side *old, const struct side *new)
{
	size_t i = old->from, j = new->from;
	struct diff_change c;

	while (i < old->to || j < new->to) {
		c = (struct diff_change){ .a = i, .b = j };
		while (i < old->to && old->changed[i])
			i++;
		while (j < new->to &&new->changed[j])
			j++;
		c.a_n = i - c.a;
		c.b_n = j - c.b;
		if (c.a_n + c.b_n == 0) {
			i++;
			j++;
			continue;
		}
		XGROW(s->change, s->n + 1, s->cap);
		s->change[s->n++] = c;
	}
}

/*
 * A change that only removes or only adds says the same one line further down
 * when its first line is the one that follows it.  Moves it there, if so, and
 * takes what that cost from *work.
 */
static bool
slide_line(struct diff_change *c, const struct diff_lines *a,
	   const struct diff_lines *b, size_t *work)
{
	const struct diff_lines *lines = c->b_n == 0 ? a : b;
	size_t from = c->b_n == 0 ? c->a : c->b;
	size_t to = from + c->a_n + c->b_n, cost;

	if ((c->a_n > 0 && c->b_n > 0) || to == lines->n)
		return false;
	cost = diff_lines_at(lines, from).n;
	if (cost > *work || !same_line(lines, from, lines, to))
		return false;
	*work -= cost;
	c->a++;
	c->b++;
	return true;
}

/*
 * Moves such changes down as far as they go, which is where a reader looks
 * for them: what is added to a list of like things comes after them.  A change
 * that reaches the next one becomes one with it.
 */
static void
slide(struct diff_script *s, const struct diff_lines *a,
      const struct diff_lines *b)
{
	size_t work = 4 * (a->text.n + b->text.n), next = s->n, i;
	struct diff_change c;

	for (i = s->n; i-- > 0;) {
		c = s->change[i];
		do {
			while (next < s->n &&
			       c.a + c.a_n == s->change[next].a) {
				c.a_n += s->change[next].a_n;
				c.b_n += s->change[next].b_n;
				next++;
			}
		} while (slide_line(&c, a, b, &work));
		s->change[--next] = c;
	}
	for (i = next; i < s->n; i++)
		s->change[i - next] = s->change[i];
	s->n -= next;
}

void
diff_script_init(struct diff_script *s, const struct diff_lines *a,
		 const struct diff_lines *b)
{
	struct side old, new;

	*s = (struct diff_script){ 0 };
	side_init(&old, a);
	side_init(&new, b);
	trim_sides(&old, &new);
	compare(&old, &new);
	collect(s, &old, &new);
	slide(s, a, b);
	side_release(&old);
	side_release(&new);
}

void
diff_script_release(struct diff_script *s)
{
	free(s->change);
	*s = (struct diff_script){ 0 };
}
