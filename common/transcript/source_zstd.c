#include "transcript/source_zstd.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "base/xalloc.h"

#define WINDOW_LOG 27 /* 128 MiB: spec/history.md section 9 */
#define KEPT_FIRST ((size_t)256 * 1024)

struct zstd {
	struct source base;
	struct source *packed;
	ZSTD_DStream *stream;
	ZSTD_inBuffer in; /* of the packed bytes read last */
	char *block;	  /* which are here */
	size_t block_size;

	/* Decoded last: kept[0 .. n) is what lies at offset `from`. */
	char *kept;
	size_t n, cap;
	size_t keep; /* the fewest that stay */
	uint64_t from;
	uint64_t position; /* of read() */
	int error;	   /* errno of decoding on, or 0 */
	bool ended;	   /* there is no more */
};

static int
errno_of(size_t rc)
{
	if (ZSTD_getErrorCode(rc) == ZSTD_error_memory_allocation)
		return ENOMEM;
	return SOURCE_ZSTD_CORRUPT;
}

/* Decoding starts anew. */
static void
restart(struct zstd *z)
{
	ZSTD_DCtx_reset(z->stream, ZSTD_reset_session_only);
	source_rewind(z->packed, 0);
	z->in.size = z->in.pos = 0;
	z->n = 0;
	z->from = 0;
	z->error = 0;
	z->ended = false;
}

/* Room for more decoded bytes; the oldest go when there are enough. */
static void
make_room(struct zstd *z)
{
	size_t most = 2 * z->keep;

	if (z->n < z->cap)
		return;
	if (z->cap < most) {
		z->cap = z->cap == 0 ? KEPT_FIRST : z->cap * 2;
		if (z->cap > most)
			z->cap = most;
		z->kept = xreallocarray(z->kept, z->cap, 1);
		return;
	}
	memmove(z->kept, z->kept + (z->n - z->keep), z->keep);
	z->from += z->n - z->keep;
	z->n = z->keep;
}

/* Reads packed bytes: false at their end, or when that fails. */
static bool
fill(struct zstd *z)
{
	long got = source_read(z->packed, z->block, z->block_size);

	if (got < 0)
		z->error = errno;
	if (got <= 0)
		return false;
	z->in.size = (size_t)got;
	z->in.pos = 0;
	return true;
}

/*
 * Decodes on; false at the end, or with z->error.  zstd holds decoded bytes
 * back when it had no room for them, so it is asked before more is read.
 */
static bool
decode(struct zstd *z)
{
	while (!z->ended && z->error == 0) {
		ZSTD_outBuffer out;
		size_t rc;

		make_room(z);
		out = (ZSTD_outBuffer){ z->kept, z->cap, z->n };
		rc = ZSTD_decompressStream(z->stream, &out, &z->in);
		if (ZSTD_isError(rc))
			z->error = errno_of(rc);
		if (out.pos > z->n) {
			z->n = out.pos;
			return true;
		}
		if (z->error == 0 && z->in.pos == z->in.size && !fill(z))
			z->ended = true;
	}
	return false;
}

/*
 * Copies what follows offset, up to n bytes; 0 at the end, -1 with errno.
 */
static long
copy(struct zstd *z, uint64_t offset, void *p, size_t n)
{
	size_t at;

	if (offset < z->from)
		restart(z);
	while (offset >= z->from + z->n)
		if (!decode(z)) {
			errno = z->error;
			return z->error == 0 ? 0 : -1;
		}
	at = (size_t)(offset - z->from);
	if (n > z->n - at)
		n = z->n - at;
	memcpy(p, z->kept + at, n);
	return (long)n;
}

static long
zstd_read(struct source *s, void *p, size_t n)
{
	struct zstd *z = (struct zstd *)s;
	long got = copy(z, z->position, p, n);

	if (got > 0)
		z->position += (uint64_t)got;
	return got;
}

static void
zstd_rewind(struct source *s, uint64_t offset)
{
	((struct zstd *)s)->position = offset;
}

static bool
zstd_read_at(struct source *s, uint64_t offset, void *p, size_t n)
{
	struct zstd *z = (struct zstd *)s;
	size_t done = 0;
	long got;

	while (done < n) {
		got = copy(z, offset + done, (char *)p + done, n - done);
		if (got <= 0)
			return false;
		done += (size_t)got;
	}
	return true;
}

static void
zstd_close(struct source *s)
{
	struct zstd *z = (struct zstd *)s;

	source_close(z->packed);
	ZSTD_freeDStream(z->stream);
	free(z->block);
	free(z->kept);
	free(z);
}

struct source *
source_zstd(struct source *packed, size_t kept)
{
	static const struct source_ops ops = { zstd_read, zstd_rewind,
					       zstd_read_at, zstd_close };
	struct zstd *z = xcalloc(1, sizeof(*z));

	z->base.ops = &ops;
	z->packed = packed;
	z->keep = kept;
	z->stream = ZSTD_createDStream();
	if (z->stream == NULL)
		abort();
	ZSTD_DCtx_setParameter(z->stream, ZSTD_d_windowLogMax, WINDOW_LOG);
	z->block_size = ZSTD_DStreamInSize();
	z->block = xmalloc(z->block_size);
	z->in.src = z->block;
	return &z->base;
}
