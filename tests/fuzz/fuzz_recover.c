/*
 * A journal of any bytes.  The second half of the input is also taken as
 * payloads that are framed as lines, so that the checksum is not a wall.  What
 * is recovered is a right value; reading all of it, where that finds no
 * damage, comes to the same end as reading from the last base.
 */
#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "output/recover.h"

static void
require(bool holds)
{
	if (!holds)
		abort();
}

static int
run(struct str bytes, bool all, struct recovered *r)
{
	struct fail fail = FAIL_INIT;
	int fd = memfd_create("journal", MFD_CLOEXEC), rc;

	require(fd >= 0 && write(fd, bytes.s, bytes.n) == (ssize_t)bytes.n);
	rc = recover(fd, "\"j\"", all, 7, r, &fail);
	require((rc == 0) == (fail.message.len == 0));
	close(fd);
	fail_release(&fail);
	return rc;
}

static void
check(struct str bytes)
{
	struct recovered whole, last;
	int a = run(bytes, true, &whole), b = run(bytes, false, &last);

	if (a == 0) {
		require(b == 0 && last.seq == whole.seq &&
			last.torn == whole.torn && last.end == whole.end &&
			last.settled == whole.settled &&
			last.retired == whole.retired);
		require((last.r.value == NULL) == (whole.r.value == NULL));
		if (last.r.value != NULL)
			require(value_equal(last.r.value, whole.r.value) &&
				value_equal(last.memos, whole.memos) &&
				last.r.bytes == value_bytes(last.r.value));
	}
	if (b == 0)
		require(last.end + last.torn == bytes.n);
	recovered_release(&whole);
	recovered_release(&last);
}

/* Each line `CPAYLOAD` becomes one of class C. */
static void
frame(struct str lines, struct buf *out)
{
	buf_adds(out, "{\"v\":1,\"kind\":\"k\",\"id\":\"i\"}\n");
	while (lines.n > 0) {
		const char *lf = memchr(lines.s, '\n', lines.n);
		size_t n = lf == NULL ? lines.n : (size_t)(lf - lines.s);

		if (n > 0) {
			struct str payload = { lines.s + 1, n - 1 };

			buf_addf(out, "%c %08" PRIx32 " %08zu ", lines.s[0],
				 recover_crc(lines.s[0], payload), payload.n);
			buf_add_str(out, payload);
			buf_addc(out, '\n');
		}
		lines = str_from(lines, n + (lf != NULL));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct buf framed = BUF_INIT;

	check((struct str){ (const char *)p, n });
	frame((struct str){ (const char *)p, n }, &framed);
	check(buf_str(&framed));
	buf_release(&framed);
	return 0;
}
