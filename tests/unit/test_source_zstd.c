/* Compressed transcripts as sources: spec/history.md sections 2.2 and 9. */
#include "transcript/source_zstd.h"

#include <zstd.h>

#include "base/buf.h"
#include "base/xalloc.h"
#include "test.h"

/* ---- a source that counts ---------------------------------------------- */

struct counted {
	struct source base;
	struct source *of;
	uint64_t *bytes; /* that were read from it */
	int error;	 /* errno of every read, or 0 */
};

static long
counted_read(struct source *s, void *p, size_t n)
{
	struct counted *c = (struct counted *)s;
	long got;

	if (c->error != 0) {
		errno = c->error;
		return -1;
	}
	got = source_read(c->of, p, n);
	*c->bytes += (uint64_t)got;
	return got;
}

static void
counted_rewind(struct source *s, uint64_t offset)
{
	source_rewind(((struct counted *)s)->of, offset);
}

static void
counted_close(struct source *s)
{
	source_close(((struct counted *)s)->of);
	free(s);
}

static struct source *
count(struct source *of, uint64_t *bytes, int error)
{
	static const struct source_ops ops = { counted_read, counted_rewind,
					       NULL, counted_close, NULL };
	struct counted *c = xcalloc(1, sizeof(*c));

	*c = (struct counted){
		{ .ops = &ops, .size_hint = of->size_hint }, of, bytes, error
	};
	*bytes = 0;
	return &c->base;
}

/* ---- bytes ------------------------------------------------------------- */

static void
add_frame(struct buf *out, struct str plain, int checksum)
{
	ZSTD_CCtx *ctx = ZSTD_createCCtx();
	size_t size = ZSTD_compressBound(plain.n), n;

	ZSTD_CCtx_setParameter(ctx, ZSTD_c_checksumFlag, checksum);
	n = ZSTD_compress2(ctx, buf_reserve(out, size), size, plain.s, plain.n);
	if (ZSTD_isError(n))
		abort();
	out->len += n;
	ZSTD_freeCCtx(ctx);
}

/* Lines that zstd finds little in. */
static void
add_lines(struct buf *out, size_t n)
{
	uint64_t state = 7;

	while (out->len < n)
		buf_addf(out, "{\"n\":%llu}\n",
			 (unsigned long long)test_random(&state));
}

/* All of it in steps; the errno that it ends in. */
static int
read_all(struct source *s, size_t step, struct buf *out)
{
	long got;

	while ((got = source_read(s, buf_reserve(out, step), step)) > 0)
		out->len += (size_t)got;
	return got < 0 ? errno : 0;
}

static void
check(const char *name, struct str packed, struct str want, int error)
{
	struct source *s = source_zstd(source_memory(packed), 100);
	struct buf got = BUF_INIT;

	is_int(read_all(s, 7, &got), error, name);
	if (error == 0)
		is_bytes(got.data, got.len, want.s, want.n, name);
	is_int(s->size_hint == 0, 1, "and nobody knows how long it is");
	source_close(s);
	buf_release(&got);
}

static void
check_frames(void)
{
	struct buf packed = BUF_INIT;

	check("no bytes are not frames", STR(""), STR(""), 0);
	add_frame(&packed, STR("one "), 0);
	check("a frame", buf_str(&packed), STR("one "), 0);
	add_frame(&packed, STR(""), 1);
	buf_add(&packed, "\x50\x2a\x4d\x18\x04\0\0\0skip", 12);
	add_frame(&packed, STR("two"), 1);
	check("frames, one to skip among them", buf_str(&packed),
	      STR("one two"), 0);
	buf_addc(&packed, 'x');
	check("what follows that is not a frame", buf_str(&packed),
	      STR("one two"), SOURCE_ZSTD_CORRUPT);
	packed.len -= 3;
	check("a checksum that is cut", buf_str(&packed), STR("one two"), 0);
	buf_adds(&packed, "xx");
	check("and one that is wrong", buf_str(&packed), STR(""),
	      SOURCE_ZSTD_CORRUPT);
	check("plain text", STR("{\"type\":\"session_meta\"}\n"), STR(""),
	      SOURCE_ZSTD_CORRUPT);
	check("a header that is cut", STR("\x28\xb5\x2f"), STR(""), 0);
	buf_release(&packed);
}

/* cases.md row 6: what decodes is served. */
static void
check_cut(void)
{
	struct buf plain = BUF_INIT, packed = BUF_INIT, got = BUF_INIT;
	struct source *s;

	add_lines(&plain, 1000000);
	add_frame(&packed, buf_str(&plain), 0);
	s = source_zstd(
		source_memory((struct str){ packed.data, packed.len / 2 }),
		1000);
	is_int(read_all(s, 4096, &got), 0, "half a frame is read to its end");
	ok(got.len > 200000 && got.len < 600000 &&
		   memcmp(got.data, plain.data, got.len) == 0,
	   "and is a part of what was compressed");
	source_close(s);
	buf_release(&plain);
	buf_release(&packed);
	buf_release(&got);
}

/* A frame that says how large a window it needs, and holds a block. */
static void
check_windows(void)
{
	char frame[] = "\x28\xb5\x2f\xfd\0W\x19\0\0{}\n";
	struct str packed = { frame, sizeof(frame) - 1 };

	frame[5] = (char)((27 - 10) << 3);
	check("a window of 128 MiB", packed, STR("{}\n"), 0);
	frame[5]++;
	check("a larger one", packed, STR(""), SOURCE_ZSTD_CORRUPT);
	frame[5] = (char)((41 - 10) << 3);
	check("the largest", packed, STR(""), SOURCE_ZSTD_CORRUPT);
}

/* ---- positions --------------------------------------------------------- */

#define RECORD 100

/* Records at positions that go up or down: all of their bytes. */
static bool
read_records(struct source *s, const struct buf *plain, bool up)
{
	size_t n = plain->len / RECORD;
	char got[RECORD];

	for (size_t i = 0; i < n; i++) {
		size_t at = (up ? i : n - 1 - i) * RECORD;

		if (!source_read_at(s, at, got, RECORD) ||
		    memcmp(got, plain->data + at, RECORD) != 0)
			return false;
	}
	return true;
}

static void
check_positions(void)
{
	struct buf plain = BUF_INIT, packed = BUF_INIT, got = BUF_INIT;
	char byte;
	uint64_t bytes;
	struct source *s;

	add_lines(&plain, 1000000);
	add_frame(&packed, buf_str(&plain), 1);
	s = source_zstd(count(source_memory(buf_str(&packed)), &bytes, 0),
			100000);
	ok(read_records(s, &plain, true), "records by ascending position");
	is_int((long long)bytes, (long long)packed.len,
	       "are decoded once, all of them");
	ok(source_read_at(s, plain.len - 100000, &byte, 1) &&
		   bytes == packed.len,
	   "what was decoded last is there");
	ok(read_records(s, &plain, false), "records by descending position");
	ok(bytes <= 12 * packed.len, "are decoded a span at a time");

	ok(source_read_at(s, plain.len, &byte, 0) &&
		   source_read_at(s, plain.len - 1, &byte, 1) &&
		   !source_read_at(s, plain.len, &byte, 1) &&
		   !source_read_at(s, UINT64_MAX, &byte, 1),
	   "what lies behind the end is not there");
	ok(source_read_at(s, 1, buf_reserve(&got, plain.len), plain.len - 1) &&
		   memcmp(got.data, plain.data + 1, plain.len - 1) == 0,
	   "a record may be longer than what is kept");
	source_rewind(s, 500000);
	ok(read_all(s, 4096, &got) == 0 && got.len == plain.len - 500000 &&
		   memcmp(got.data, plain.data + 500000, got.len) == 0,
	   "reading goes on from a position");
	source_close(s);

	s = source_zstd(count(source_memory(buf_str(&packed)), &bytes, 0),
			SOURCE_ZSTD_KEPT);
	ok(read_records(s, &plain, false) && bytes == packed.len,
	   "a file that can be kept is decoded once in any order");
	source_close(s);

	s = source_zstd(count(source_memory(buf_str(&packed)), &bytes, EIO),
			100);
	ok(source_read(s, &byte, 1) < 0 && errno == EIO &&
		   !source_read_at(s, 0, &byte, 1),
	   "an error of reading is its own");
	source_close(s);
	buf_release(&plain);
	buf_release(&packed);
	buf_release(&got);
}

int
main(void)
{
	check_frames();
	check_cut();
	check_windows();
	check_positions();
	return done();
}
