#include "text/diff.h"

#include "text/diff_script.h"

#define CONTEXT ((size_t)3)

struct texts {
	struct diff_lines old, new;
};

/* Adds lines [from, to), each behind the mark. */
static void
add_lines(struct buf *out, char mark, const struct diff_lines *lines,
	  size_t from, size_t to)
{
	struct str line;

	for (; from < to; from++) {
		line = diff_lines_at(lines, from);
		buf_addc(out, mark);
		buf_add_str(out, line);
		if (!str_ends(line, STR("\n")))
			buf_adds(out, "\n\\ No newline at end of file\n");
	}
}

/* One range of a hunk's header: of no lines, it names the line before. */
static void
add_range(struct buf *out, size_t from, size_t n)
{
	if (n == 1)
		buf_addf(out, "%zu", from + 1);
	else
		buf_addf(out, "%zu,%zu", n == 0 ? from : from + 1, n);
}

/* How many of the changes at c, n of them, share a hunk with the first. */
static size_t
hunk_length(const struct diff_change *c, size_t n)
{
	size_t k = 1;

	while (k < n && c[k].a - (c[k - 1].a + c[k - 1].a_n) <= 2 * CONTEXT)
		k++;
	return k;
}

static void
add_hunk(struct buf *out, const struct texts *t, const struct diff_change *c,
	 size_t n)
{
	const struct diff_change *last = &c[n - 1];
	size_t before = c->a < CONTEXT ? c->a : CONTEXT;
	size_t from = c->a - before;
	size_t to = last->a + last->a_n, after = t->old.n - to, i;

	if (after > CONTEXT)
		after = CONTEXT;
	buf_adds(out, "@@ -");
	add_range(out, from, to + after - from);
	buf_adds(out, " +");
	add_range(out, c->b - before,
		  last->b + last->b_n + after - (c->b - before));
	buf_adds(out, " @@\n");

	for (i = 0; i < n; i++) {
		add_lines(out, ' ', &t->old, from, c[i].a);
		from = c[i].a + c[i].a_n;
		add_lines(out, '-', &t->old, c[i].a, from);
		add_lines(out, '+', &t->new, c[i].b, c[i].b + c[i].b_n);
	}
	add_lines(out, ' ', &t->old, to, to + after);
}

void
diff_unified(struct buf *out, struct str old_text, struct str new_text,
	     struct str label)
{
	struct texts t;
	struct diff_script script;
	size_t n;

	if (str_eq(old_text, new_text))
		return;
	diff_lines_init(&t.old, old_text);
	diff_lines_init(&t.new, new_text);
	diff_script_init(&script, &t.old, &t.new);

	buf_adds(out, "--- ");
	buf_add_str(out, label);
	buf_adds(out, "\n+++ ");
	buf_add_str(out, label);
	buf_addc(out, '\n');
	for (size_t i = 0; i < script.n; i += n) {
		n = hunk_length(&script.change[i], script.n - i);
		add_hunk(out, &t, &script.change[i], n);
	}

	diff_script_release(&script);
	diff_lines_release(&t.old);
	diff_lines_release(&t.new);
}
