/*
 * flush - what it costs to say that a string of 200 KB has grown by 8
 * characters: prints the least nanoseconds of a flush, and those of two passes
 * of memcmp(3) over the text.
 */
#include <stdio.h>
#include <time.h>

#include "output/delta.h"
#include "output/value_edit.h"

#define ROUNDS 500
#define BYTES 204800

static double
now(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

int
main(void)
{
	struct value *before = value_new_object(), *after = value_new_object();
	struct delta_options options = DELTA_OPTIONS;
	struct buf text = BUF_INIT, copy = BUF_INIT;
	double flush = 1e18, passes = 1e18, t;
	struct ops ops = OPS_INIT;
	/* So that two passes are not made one. */
	int (*volatile compare)(const void *, const void *, size_t) = memcmp;
	int i, same = 0;

	for (i = 0; text.len < BYTES; i++)
		buf_addf(&text, "line %d\n", i);
	buf_add_str(&copy, buf_str(&text));
	value_put_as(before, "text", value_new_string(buf_str(&text)));
	buf_adds(&text, "8 chars\n");
	value_put_as(after, "text", value_new_string(buf_str(&text)));
	for (i = 0; i < ROUNDS; i++) {
		t = now();
		delta(before, after, &options, &ops);
		t = now() - t;
		flush = t < flush ? t : flush;
		same += ops.n == 1 && ops.v[0].verb == 'a';
		ops_reset(&ops);
		t = now();
		same += compare(text.data, copy.data, copy.len) == 0;
		same += compare(text.data, copy.data, copy.len) == 0;
		t = now() - t;
		passes = t < passes ? t : passes;
	}
	ops_release(&ops);
	value_free(before);
	value_free(after);
	buf_release(&text);
	buf_release(&copy);
	printf("%.0f %.0f\n", flush, passes);
	return same == 3 * ROUNDS ? 0 : 1;
}
