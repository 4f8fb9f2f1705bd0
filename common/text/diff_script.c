#include "text/diff_script.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/xalloc.h"
#include "text/diff_myers.h"

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
trim(struct side *old, struct side *new)
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
	size_t i;

	s->n = s->to - s->from;
	s->number = xreallocarray(NULL, s->n, sizeof(*s->number));
	s->line = xreallocarray(NULL, s->n, sizeof(*s->line));
	for (i = 0; i < s->n; i++) {
		s->line[i] = s->from + i;
		s->number[i] = diff_numbers_get(
			numbers, diff_lines_at(s->lines, s->line[i]));
	}
}

static void
see(const struct side *s, unsigned char *seen, unsigned char where)
{
	size_t i;

	for (i = 0; i < s->n; i++)
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
	size_t i;

	for (i = 0; i < s->n; i++)
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
	trim(&old, &new);
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
