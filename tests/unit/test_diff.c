/* The diff of notes-update: spec/notes.md section 4.5. */
#include "text/diff.h"

#include "base/xalloc.h"
#include "diff_apply.h"
#include "test.h"
#include "text/diff_script.h"

/* ---- fixed cases: what `diff -u` prints, but for the times ------------- */

static const struct {
	const char *name, *old, *new, *diff;
} rows[] = {
	{ "equal texts", "a\nb\n", "a\nb\n", "" },
	{ "two empty texts", "", "", "" },
	{ "one line changed", "a\n", "b\n", "@@ -1 +1 @@\n-a\n+b\n" },
	{ "from nothing", "", "a\nb\n", "@@ -0,0 +1,2 @@\n+a\n+b\n" },
	{ "from nothing, one line", "", "a\n", "@@ -0,0 +1 @@\n+a\n" },
	{ "to nothing", "a\nb\n", "", "@@ -1,2 +0,0 @@\n-a\n-b\n" },
	{ "three lines of context and no more", "1\n2\n3\n4\n5\n6\n7\n8\n9\n",
	  "1\n2\n3\n4\nx\n6\n7\n8\n9\n",
	  "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+x\n 6\n 7\n 8\n" },
	{ "added at the end", "1\n2\n3\n4\n", "1\n2\n3\n4\n5\n",
	  "@@ -2,3 +2,4 @@\n 2\n 3\n 4\n+5\n" },
	{ "added at the start", "1\n2\n3\n4\n", "0\n1\n2\n3\n4\n",
	  "@@ -1,3 +1,4 @@\n+0\n 1\n 2\n 3\n" },
	{ "six lines between two changes: one hunk", "a\n1\n2\n3\n4\n5\n6\nb\n",
	  "A\n1\n2\n3\n4\n5\n6\nB\n",
	  "@@ -1,8 +1,8 @@\n-a\n+A\n 1\n 2\n 3\n 4\n 5\n 6\n-b\n+B\n" },
	{ "seven lines: two hunks", "a\n1\n2\n3\n4\n5\n6\n7\nb\n",
	  "A\n1\n2\n3\n4\n5\n6\n7\nB\n",
	  "@@ -1,4 +1,4 @@\n-a\n+A\n 1\n 2\n 3\n"
	  "@@ -6,4 +6,4 @@\n 5\n 6\n 7\n-b\n+B\n" },
	{ "the second hunk is shifted by the first",
	  "a\n1\n2\n3\n4\n5\n6\n7\nb\n", "1\n2\n3\n4\n5\n6\n7\nB\nC\n",
	  "@@ -1,4 +1,3 @@\n-a\n 1\n 2\n 3\n"
	  "@@ -6,4 +5,5 @@\n 5\n 6\n 7\n-b\n+B\n+C\n" },
	{ "no line feed at the end of the new text", "a\n", "a",
	  "@@ -1 +1 @@\n-a\n+a\n\\ No newline at end of file\n" },
	{ "none at the end of the old text", "a", "a\n",
	  "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n" },
	{ "none at the end of either, changed", "a", "b",
	  "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n"
	  "+b\n\\ No newline at end of file\n" },
	{ "none at the end of either, in the context", "a\nb", "x\nb",
	  "@@ -1,2 +1,2 @@\n-a\n+x\n b\n\\ No newline at end of file\n" },
	{ "a line feed is a line", "\n", "\n\n", "@@ -1 +1,2 @@\n \n+\n" },
	{ "what is repeated is added at the end of the repetition",
	  "x\na\na\ny\n", "x\na\na\na\ny\n",
	  "@@ -1,4 +1,5 @@\n x\n a\n a\n+a\n y\n" },
	{ "a block is added behind its like", "f() {\n\tone\n}\nend\n",
	  "f() {\n\tone\n}\ng() {\n\ttwo\n}\nend\n",
	  "@@ -1,4 +1,7 @@\n f() {\n \tone\n }\n+g() {\n+\ttwo\n+}\n end\n" },
	{ "CR is a byte of its line", "a\r\nb\r\n", "a\nb\r\n",
	  "@@ -1,2 +1,2 @@\n-a\r\n+a\n b\r\n" },
	{ "lines that look like headers", "-- a\n", "++ b\n",
	  "@@ -1 +1 @@\n--- a\n+++ b\n" },
	{ "lines moved", "a\nb\nc\n", "c\na\nb\n",
	  "@@ -1,3 +1,3 @@\n+c\n a\n b\n-c\n" },
};

static void
test_rows(void)
{
	struct buf out = BUF_INIT;
	char want[500];
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		snprintf(want, sizeof(want), "%s%s",
			 rows[i].diff[0] == '\0'
				 ? ""
				 : "--- @self/a b.md\n+++ @self/a b.md\n",
			 rows[i].diff);
		buf_reset(&out);
		diff_unified(&out, str_of(rows[i].old), str_of(rows[i].new),
			     STR("@self/a b.md"));
		is_string(out.data, want, rows[i].name);
	}
	buf_release(&out);
}

static void
test_nul(void)
{
	struct buf out = BUF_INIT;

	diff_unified(&out, STR("a\0b\n"), STR("a\0c\n"), STR("n"));
	is_bytes(out.data, out.len, "--- n\n+++ n\n@@ -1 +1 @@\n-a\0b\n+a\0c\n",
		 34, "NUL is a byte of its line");
	buf_reset(&out);
	diff_unified(&out, (struct str){ NULL, 0 }, STR("a\n"), STR("n"));
	is_string(out.data, "--- n\n+++ n\n@@ -0,0 +1 @@\n+a\n",
		  "an empty span without memory");
	buf_release(&out);
}

/* ---- against the definition ------------------------------------------- */

/* Lines that begin with - or +, but for the header's. */
static size_t
count_changed(struct str diff)
{
	size_t at = 0, n = 0;

	while (at < diff.n) {
		char mark = take_line(diff, &at).s[0];

		n += mark == '-' || mark == '+';
	}
	return n - (diff.n == 0 ? 0 : 2);
}

/* Lines removed and added by a shortest script: by the textbook's table. */
static size_t
shortest(struct str old, struct str new)
{
	struct diff_lines a, b;
	size_t i, j, *row, diagonal, above, result;

	diff_lines_init(&a, old);
	diff_lines_init(&b, new);
	row = xcalloc(b.n + 1, sizeof(*row));
	for (i = 0; i < a.n; i++) {
		for (diagonal = 0, j = 0; j < b.n; j++, diagonal = above) {
			above = row[j + 1];
			if (str_eq(diff_lines_at(&a, i), diff_lines_at(&b, j)))
				row[j + 1] = diagonal + 1;
			else if (row[j] > above)
				row[j + 1] = row[j];
		}
	}
	result = a.n + b.n - 2 * row[b.n];
	free(row);
	diff_lines_release(&a);
	diff_lines_release(&b);
	return result;
}

static struct str
random_text(uint64_t *seed, char *out, size_t most_lines, size_t kinds)
{
	size_t lines = test_random(seed) % (most_lines + 1), n = 0;

	while (lines-- > 0) {
		size_t kind = test_random(seed) % kinds;

		if (kind > 0)
			out[n++] = (char)('a' + kind % 26);
		if (kind >= 26)
			out[n++] = 'x';
		out[n++] = '\n';
	}
	if (n > 1 && test_random(seed) % 4 == 0)
		n--;
	return (struct str){ out, n };
}

/* old with some lines dropped, and some put in. */
static struct str
edited_text(uint64_t *seed, struct str old, char *out, size_t kinds)
{
	size_t at = 0, n = 0;

	while (at < old.n) {
		struct str line = take_line(old, &at);
		uint64_t dice = test_random(seed) % 16;

		if (dice == 0)
			continue;
		memcpy(out + n, line.s, line.n);
		n += line.n;
		if (dice == 1)
			n += random_text(seed, out + n, 3, kinds).n;
	}
	return (struct str){ out, n };
}

static void
test_random_pairs(size_t most_lines, size_t kinds, int rounds)
{
	uint64_t seed = 362436069 + most_lines + kinds;
	char *a = malloc(3 * most_lines + 1), *b = malloc(12 * most_lines + 1);
	struct buf out = BUF_INIT;
	struct str old, new;
	bool applied = true, short_enough = true;
	int i;

	for (i = 0; i < rounds && applied && short_enough; i++) {
		old = random_text(&seed, a, most_lines, kinds);
		if (i % 2 == 0)
			new = random_text(&seed, b, most_lines, kinds);
		else
			new = edited_text(&seed, old, b, kinds);
		buf_reset(&out);
		diff_unified(&out, old, new, STR("n"));
		applied = diff_applies(buf_str(&out), old, new);
		short_enough = count_changed(buf_str(&out)) ==
			       shortest(old, new);
	}
	ok(applied,
	   "%d pairs of up to %zu lines of %zu kinds: applied to the "
	   "old text it gives the new one",
	   rounds, most_lines, kinds);
	ok(short_enough, "and no shorter one is possible");
	if (!applied || !short_enough)
		printf("# old %.*s\n# new %.*s\n# diff %s\n", (int)old.n, old.s,
		       (int)new.n, new.s, out.data);
	buf_release(&out);
	free(a);
	free(b);
}

/* ---- numbers for lines ------------------------------------------------- */

#define MANY 20000

/* Many different lines, which both texts have. */
static void
test_many_lines(void)
{
	struct buf old = BUF_INIT, new = BUF_INIT, out = BUF_INIT;
	size_t i;

	for (i = 0; i < MANY; i++) {
		buf_addf(&old, "line %zu\n", i);
		if (i % 100 == 50)
			buf_addf(&new, "another %zu\n", i);
		else if (i % 100 != 0)
			buf_addf(&new, "line %zu\n", i);
	}
	diff_unified(&out, buf_str(&old), buf_str(&new), STR("n"));
	ok(diff_applies(buf_str(&out), buf_str(&old), buf_str(&new)),
	   "20,000 lines with 200 changes and 200 losses");
	is_int((long long)count_changed(buf_str(&out)), 600,
	       "which is all that the diff says");
	buf_release(&old);
	buf_release(&new);
	buf_release(&out);
}

static void
test_numbers(void)
{
	struct buf text = BUF_INIT;
	struct diff_lines lines;
	struct diff_numbers d;
	bool right = true;
	size_t i;

	for (i = 0; i < 3 * MANY; i++)
		buf_addf(&text, "%zu\n", i % MANY);
	buf_adds(&text, "7");
	diff_lines_init(&lines, buf_str(&text));
	diff_numbers_init(&d);
	for (i = 0; i < 3 * MANY; i++)
		right = right &&
			diff_numbers_get(&d, diff_lines_at(&lines, i)) ==
				i % MANY;
	ok(right, "equal lines have equal numbers, others have others");
	ok(diff_numbers_get(&d, diff_lines_at(&lines, i)) == MANY,
	   "a line without its LF is another one");
	diff_numbers_release(&d);
	diff_lines_release(&lines);
	buf_release(&text);
}

/* ---- large: spec/notes.md section 8 ------------------------------------ */

#define LARGE 1000000

/* These need only be right. */
static void
test_large(struct str old, struct str new, const char *name)
{
	struct buf out = BUF_INIT;

	diff_unified(&out, old, new, STR("n"));
	ok(diff_applies(buf_str(&out), old, new), "%s", name);
	buf_release(&out);
}

static void
test_large_texts(void)
{
	char *a = malloc(LARGE), *b = malloc(LARGE);
	struct str old = { a, LARGE }, new = { b, LARGE };
	uint64_t seed = 521288629;
	size_t i;

	for (i = 0; i < LARGE; i++)
		a[i] = b[i] = i % 2 == 0 ? 'a' : '\n';
	test_large(old, (struct str){ b, LARGE / 2 }, "half of the same lines");
	for (i = 0; i < LARGE; i += 2)
		b[i] = 'b';
	test_large(old, new, "500,000 lines of a to as many of b");
	memset(a, '\n', LARGE);
	test_large(old, new, "a million empty lines to those");
	memset(a, 'a', LARGE);
	memset(b, 'a', LARGE);
	b[LARGE / 2] = 'b';
	test_large(old, new, "one line of a million letters");
	for (i = 0; i < LARGE; i += 2) {
		a[i] = (char)('a' + test_random(&seed) % 2);
		b[i] = (char)('a' + test_random(&seed) % 2);
		a[i + 1] = b[i + 1] = '\n';
	}
	test_large(old, new, "500,000 lines of two kinds, in no order");
	free(a);
	free(b);
}

/* Lines behind the work limit are replaced: longer, but right. */
static void
test_limit(void)
{
	size_t n = 20000, i, kept_a = 0, kept_b = 0;
	uint32_t *a = malloc(n * sizeof(*a)), *b = malloc(n * sizeof(*b));
	bool *a_changed = calloc(n, 1), *b_changed = calloc(n, 1);
	size_t j = 0;
	bool same = true;

	for (i = 0; i < n; i++) {
		a[i] = (uint32_t)i;
		b[i] = (uint32_t)(n - 1 - i);
	}
	a[0] = b[0] = (uint32_t)n;
	diff_myers(a, n, b, n, a_changed, b_changed);
	for (i = 0; i < n; i++) {
		kept_a += !a_changed[i];
		kept_b += !b_changed[i];
		while (!a_changed[i] && j < n && b_changed[j])
			j++;
		if (!a_changed[i])
			same = same && j < n && a[i] == b[j++];
	}
	ok(kept_a == kept_b && same, "beyond the limit: still one sequence");
	ok(kept_a == 1, "but no longer the longest (%zu)", kept_a);
	free(a);
	free(b);
	free(a_changed);
	free(b_changed);
}

int
main(void)
{
	test_rows();
	test_nul();
	test_random_pairs(6, 2, 20000);
	test_random_pairs(12, 3, 20000);
	test_random_pairs(40, 5, 5000);
	test_random_pairs(60, 60, 3000);
	test_random_pairs(300, 8, 200);
	test_many_lines();
	test_numbers();
	test_large_texts();
	test_limit();
	return done();
}
