/* How near two names are: spec/notes.md section 6, spec/people.md 5. */
#include "text/near.h"

#include "test.h"

static void
is(const char *a, const char *b, unsigned want)
{
	is_int(near_edits(str_of(a), str_of(b)), want, a);
	is_int(near_edits(str_of(b), str_of(a)), want, b);
}

/* The table in full. */
static unsigned
naive(const char *a, size_t n, const char *b, size_t m)
{
	unsigned d[16][16];
	size_t i, j;

	for (i = 0; i <= n; i++)
		for (j = 0; j <= m; j++) {
			unsigned best = i == 0 ? (unsigned)j : d[i - 1][j] + 1;

			if (j > 0 && d[i][j - 1] + 1 < best)
				best = d[i][j - 1] + 1;
			if (i > 0 && j > 0 &&
			    d[i - 1][j - 1] + (a[i - 1] != b[j - 1]) < best)
				best = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
			if (i > 0 && j == 0)
				best = (unsigned)i;
			d[i][j] = best;
		}
	return d[n][m] > NEAR_EDITS ? NEAR_EDITS + 1 : d[n][m];
}

static void
test_random_pairs(void)
{
	uint64_t seed = 99;
	bool same = true;

	for (int round = 0; round < 50000 && same; round++) {
		char a[9], b[9];
		size_t n = test_random(&seed) % 9;
		size_t m = test_random(&seed) % 9, i;

		for (i = 0; i < 9; i++) {
			a[i] = (char)('a' + test_random(&seed) % 3);
			b[i] = (char)('a' + test_random(&seed) % 3);
		}
		same = near_edits((struct str){ a, n }, (struct str){ b, m }) ==
		       naive(a, n, b, m);
	}
	ok(same, "50,000 random pairs agree with the whole table");
}

int
main(void)
{
	is("", "", 0);
	is("plan.md", "plan.md", 0);
	is("plan.md", "plam.md", 1);
	is("plan.md", "plans.md", 1);
	is("plan.md", "pln.md", 1);
	is("plan.md", "palns.md", 3);
	is("plan.md", "paln.md", 2);
	is("", "ab", 2);
	is("", "abc", 3);
	is("abcdef", "bcdefa", 2);
	is("abcdef", "fedcba", 3);
	is("\xc3\xa9t\xc3\xa9", "ete", 2);
	is("\xe5\x87\xbd\xe6\x95\xb0", "\xe5\x87\xbd", 1);
	test_random_pairs();
	return done();
}
