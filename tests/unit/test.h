#ifndef TEST_H
#define TEST_H

/*
 * The whole unit test framework: TAP on stdout, for prove(1).
 *
 *	int main(void) { ok(1 + 1 == 2, "adds"); return done(); }
 */
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int test_count, test_failed;

__attribute__((format(printf, 2, 3), unused)) static bool
ok(bool passed, const char *fmt, ...)
{
	va_list ap;

	test_count++;
	if (!passed)
		test_failed++;
	printf("%sok %d - ", passed ? "" : "not ", test_count);
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	putchar('\n');
	return passed;
}

/* Compares two byte runs and shows both when they differ. */
__attribute__((unused)) static bool
is_bytes(const char *got, size_t got_n, const char *want, size_t want_n,
	 const char *name)
{
	bool same = got_n == want_n &&
		    (want_n == 0 || memcmp(got, want, want_n) == 0);

	if (!ok(same, "%s", name))
		printf("#  got: %.*s\n# want: %.*s\n", (int)got_n, got,
		       (int)want_n, want);
	return same;
}

__attribute__((unused)) static bool
is_string(const char *got, const char *want, const char *name)
{
	return is_bytes(got, strlen(got), want, strlen(want), name);
}

__attribute__((unused)) static bool
is_int(long long got, long long want, const char *name)
{
	if (!ok(got == want, "%s", name)) {
		printf("#  got: %lld\n# want: %lld\n", got, want);
		return false;
	}
	return true;
}

/* xorshift64*: seeded, so that a failing property test can be repeated. */
__attribute__((unused)) static uint64_t
test_random(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * UINT64_C(2685821657736338717);
}

__attribute__((unused)) static int
done(void)
{
	printf("1..%d\n", test_count);
	return test_failed == 0 ? 0 : 1;
}

#endif /* TEST_H */
