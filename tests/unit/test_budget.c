/* Fitting: spec/notes.md sections 5.3 and 5.4, spec/history.md section 5.5. */
#include "tool/budget.h"

#include "test.h"

/* Something of which a known number fits, that counts how it is asked. */
struct probe {
	size_t fit;  /* the first this many fit */
	bool all;    /* and so does the whole */
	size_t n;    /* the whole */
	size_t most; /* largest k asked for */
	unsigned asked;
	bool last_early; /* n asked for before n - 1 fitted */
	bool before_last;
};

static bool
fits(void *ctx, size_t k)
{
	struct probe *p = ctx;

	p->asked++;
	if (k > p->most)
		p->most = k;
	if (k == p->n && p->n > 0 && !p->before_last)
		p->last_early = true;
	if (k + 1 == p->n && k <= p->fit)
		p->before_last = true;
	return k == p->n ? p->all : k <= p->fit;
}

/* All sizes up to 40: the answer is that of trying one after the other. */
static bool
items_agree(size_t least, size_t n, size_t fit, bool all)
{
	struct probe p = { .fit = fit, .all = all, .n = n };
	size_t want = BUDGET_NONE, k, got;

	for (k = least; k <= n && fits(&p, k); k++)
		want = k;
	p = (struct probe){ .fit = fit, .all = all, .n = n };
	got = budget_items(least, n, fits, &p);
	if (got == want && (least == n || !p.last_early))
		return true;
	printf("# least %zu n %zu fit %zu all %d: got %zu\n", least, n, fit,
	       all, got);
	return false;
}

static bool
window_agrees(size_t n, size_t fit, bool all)
{
	struct probe p = { .fit = fit, .all = all, .n = n };
	size_t want = all ? n : n == 0 ? BUDGET_NONE : fit < n ? fit : n - 1;

	return budget_window(n, fits, &p) == want;
}

static void
test_all_small(void)
{
	size_t least, n, fit;
	bool items = true, windows = true;

	for (n = 0; n <= 40; n++) {
		for (fit = 0; fit <= n; fit++) {
			windows = windows && window_agrees(n, fit, false);
			windows = windows && window_agrees(n, fit, true);
			for (least = 0; least <= n; least++) {
				items = items && items_agree(least, n, fit, 0);
				items = items && items_agree(least, n, fit, 1);
			}
		}
	}
	ok(items,
	   "items: as by adding one after the other, n only after n - 1");
	ok(windows, "window: the whole if it fits, else the longest prefix");
}

/*
 * A surface with room for 100 characters; '\r' takes 6 at the end, and 1 where
 * '\n' follows.
 */
static bool
fits_shown(void *ctx, size_t k)
{
	const char *text = ctx;
	size_t i, cost = 0;

	for (i = 0; i < k; i++)
		cost += text[i] == '\r' && i + 1 == k ? 6 : 1;
	return cost <= 100;
}

static void
test_line_ends(void)
{
	char text[161];
	size_t lead, i, want, k;
	bool agree = true;

	for (lead = 0; lead <= 110; lead++) {
		memset(text, 'x', lead);
		for (i = lead; i < 160; i++)
			text[i] = (i - lead) % 2 == 0 ? '\r' : '\n';
		for (want = k = 0; k < 160; k++)
			if (fits_shown(text, k))
				want = k;
		agree = agree && budget_window(160, fits_shown, text) == want;
	}
	ok(agree, "window: a CR is not an end where its LF would fit");
}

static bool
never(void *ctx, size_t k)
{
	(void)ctx;
	(void)k;
	return false;
}

static bool
only_whole(void *ctx, size_t k)
{
	return k == *(const size_t *)ctx;
}

static void
test_none(void)
{
	size_t whole = 7;

	ok(budget_items(0, 9, never, NULL) == BUDGET_NONE,
	   "items: none when the empty result does not fit");
	ok(budget_items(1, 9, never, NULL) == BUDGET_NONE,
	   "items: none when the least does not fit");
	ok(budget_items(3, 2, never, NULL) == BUDGET_NONE,
	   "items: none when there are fewer than the least");
	ok(budget_window(9, never, NULL) == BUDGET_NONE, "window: none");
	ok(budget_window(0, never, NULL) == BUDGET_NONE,
	   "window: an empty range that does not fit");
	ok(budget_window(7, only_whole, &whole) == 7,
	   "notes trap 11: the whole fits where no prefix does");
}

static void
test_effort(void)
{
	struct probe p = { .fit = 300, .n = 1000000 };

	budget_items(0, p.n, fits, &p);
	ok(p.asked <= 20, "items: asked %u times for 300 of a million",
	   p.asked);
	ok(p.most < 4 * p.fit, "items: never for more than %zu", p.most);
	p = (struct probe){ .fit = 0, .n = 1000000 };
	budget_items(0, p.n, fits, &p);
	ok(p.most == 1, "items: none fit, so only one was tried");
	p = (struct probe){ .fit = 20000, .n = 50000 };
	budget_window(p.n, fits, &p);
	ok(p.asked <= 20, "window: asked %u times", p.asked);
}

/* What a result of one string is printed as, and how much text. */
struct measured {
	struct str json;
	size_t text;
};

static void
render_text(const void *result, struct buf *out)
{
	const struct measured *m = result;

	for (size_t i = 0; i < m->text; i++)
		buf_addc(out, 'x');
}

static void
test_surfaces(void)
{
	static const struct field fields[] = {
		{ .name = "s",
		  .type = FIELD_STRING,
		  .offset = offsetof(struct measured, json) },
		FIELD_END
	};
	static const struct tool tool = { .result = fields,
					  .text = render_text };
	static const size_t frame = sizeof("{\"s\":\"\"}") - 1;
	char bytes[BUDGET_BYTES];
	struct measured m = { { bytes, BUDGET_BYTES - frame }, 1 };

	memset(bytes, 'x', sizeof(bytes));
	is_int(BUDGET_BYTES, 32768, "the bound of the design");
	ok(budget_holds(&tool, &m), "32,768 bytes of JSON fit");
	m.json.n++;
	ok(!budget_holds(&tool, &m), "one more does not");
	m = (struct measured){ STR("little"), BUDGET_BYTES };
	ok(budget_holds(&tool, &m), "32,768 bytes of text fit");
	m.text++;
	ok(!budget_holds(&tool, &m), "one more does not");
	m = (struct measured){ { bytes, BUDGET_BYTES - frame }, BUDGET_BYTES };
	ok(budget_holds(&tool, &m), "each surface has it to itself");
}

int
main(void)
{
	test_all_small();
	test_line_ends();
	test_none();
	test_effort();
	test_surfaces();
	return done();
}
