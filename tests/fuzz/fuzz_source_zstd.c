/*
 * Any bytes as a file that zstd compressed, and any bytes compressed in frames.
 * What is read in large blocks, in small ones, and by position are the same
 * bytes; what was compressed comes back; and where zstd itself finds an error
 * with all of the file in memory, there is one.  How much is decoded before it
 * is not defined.
 */
#include "transcript/source_zstd.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

#define MOST ((size_t)1 << 17) /* bytes looked at: some inputs are bombs */

static void
must(bool holds)
{
	if (!holds)
		abort();
}

static struct source *
unpack(struct str packed, size_t kept)
{
	return source_zstd(source_memory(packed), kept);
}

/* Reads on to MOST bytes in steps; the error or 0 at the end, or there. */
static int
read_all(struct source *s, char *out, size_t step, size_t *n)
{
	long got = 1;

	*n = 0;
	while (got > 0 && *n < MOST) {
		if (step > MOST - *n)
			step = MOST - *n;
		got = source_read(s, out + *n, step);
		must(got <= (long)step);
		*n += got > 0 ? (size_t)got : 0;
	}
	return got < 0 ? errno : 0;
}

/* The same by zstd's own means. */
static int
decode_all(struct str packed, char *out, size_t *n)
{
	ZSTD_DCtx *ctx = ZSTD_createDCtx();
	ZSTD_inBuffer in = { packed.s, packed.n, 0 };
	ZSTD_outBuffer to = { out, MOST, 0 };
	size_t rc = 0, before;

	must(ctx != NULL);
	do {
		before = to.pos + in.pos;
		rc = ZSTD_decompressStream(ctx, &to, &in);
	} while (!ZSTD_isError(rc) && to.pos < MOST &&
		 to.pos + in.pos > before);
	ZSTD_freeDCtx(ctx);
	*n = to.pos;
	return to.pos < MOST && ZSTD_isError(rc) ? SOURCE_ZSTD_CORRUPT : 0;
}

/* Ranges all over it, the end too, by what looks like chance. */
static void
check_ranges(struct source *s, const char *bytes, size_t n, unsigned seed)
{
	static char got[4096];

	for (unsigned i = 0; i < 16 && n > 0; i++) {
		size_t at, length;

		seed = seed * 1103515245u + 12345u;
		at = (seed >> 8) % n;
		length = (seed >> 4) % sizeof(got);
		if (length > n - at)
			length = n - at;
		must(source_read_at(s, at, got, length) &&
		     memcmp(got, bytes + at, length) == 0);
	}
	if (n < MOST)
		must(!source_read_at(s, n, got, 1));
	source_rewind(s, n / 2);
	if (n < MOST && n / 2 < n)
		must(source_read(s, got, 1) == 1 && got[0] == bytes[n / 2]);
}

/* Reads it all in steps, and compares with what zstd makes of it. */
static void
check_steps(struct str packed, size_t kept, size_t step, unsigned seed)
{
	char *want = malloc(MOST), *got = malloc(MOST);
	struct source *s = unpack(packed, kept);
	size_t n, m;
	int error, own;

	must(want != NULL && got != NULL);
	error = decode_all(packed, want, &n);
	own = read_all(s, got, step, &m);
	must(memcmp(want, got, n < m ? n : m) == 0);
	if (n < MOST && m < MOST)
		must(error == own);
	if (error == 0 && own == 0) {
		must(n == m);
		check_ranges(s, want, n, seed);
	}
	source_close(s);
	free(want);
	free(got);
}

static void
check(struct str packed, unsigned seed)
{
	check_steps(packed, SOURCE_ZSTD_KEPT, 100000, seed);
	check_steps(packed, 64 + seed % 3000, 16 + seed % 5000, seed);
}

/* The bytes in frames of `step`, and what comes back. */
static void
check_frames(struct str plain, size_t step, unsigned seed)
{
	size_t cap = ZSTD_compressBound(step) * (plain.n / step + 1), n = 0, m;
	char *packed = malloc(cap), *back = malloc(MOST);
	struct source *s;

	must(packed != NULL && back != NULL);
	for (size_t at = 0; at < plain.n; at += step) {
		size_t some = plain.n - at < step ? plain.n - at : step;
		size_t rc = ZSTD_compress(packed + n, cap - n, plain.s + at,
					  some, 3);

		must(!ZSTD_isError(rc));
		n += rc;
	}
	s = unpack((struct str){ packed, n }, 64 + seed % 3000);
	must(read_all(s, back, 16 + seed % 5000, &m) == 0);
	must(m == plain.n && memcmp(back, plain.s, m) == 0);
	check_ranges(s, back, m, seed);
	source_close(s);
	free(packed);
	free(back);
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	char *copy;
	struct str bytes;
	unsigned seed;

	if (n < 2)
		return 0;
	seed = p[0] * 256u + p[1];
	copy = malloc(n - 2 > 0 ? n - 2 : 1);
	must(copy != NULL);
	memcpy(copy, p + 2, n - 2);
	bytes = (struct str){ copy, n - 2 };
	check(bytes, seed);
	if (bytes.n < MOST)
		check_frames(bytes, 64 + seed % 997 * 64, seed);
	free(copy);
	return 0;
}
