#include "transcript/source_zstd.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "base/xalloc.h"

#define WINDOW_LOG 27 /* 128 MiB: spec/history.md section 9 */
#define KEPT_FIRST ((size_t)256 * 1024)

/* A place up to which the file has been decoded. */
struct decoding {
	ZSTD_DStream *stream; /* NULL: not begun */
	uint64_t packed_at;   /* of the packed bytes to be read next */
	ZSTD_inBuffer in;     /* of those read last */
	char *block;	      /* which are here */

	/* Decoded last: kept[0 .. n) is what lies at offset `from`. */
	char *kept;
	size_t n, cap;
	uint64_t from;
	int error;  /* errno of decoding on, or 0 */
	bool ended; /* there is no more */
};

struct zstd {
	struct source base;
	struct source *packed;
	size_t block_size;
	size_t keep;	   /* the fewest decoded bytes that stay */
	uint64_t position; /* of read() */
	/* A call and its result may lie far apart, and are read in turns. */
	struct decoding d[2];
	unsigned last; /* that was read from */
};

static int
errno_of(size_t rc)
{
	if (ZSTD_getErrorCode(rc) == ZSTD_error_memory_allocation)
		return ENOMEM;
	return SOURCE_ZSTD_CORRUPT;
}

/* Decoding starts, or starts anew. */
static void
restart(struct zstd *z, struct decoding *d)
{
	if (d->stream == NULL) {
		d->stream = ZSTD_createDStream();
		if (d->stream == NULL)
			abort();
		ZSTD_DCtx_setParameter(d->stream, ZSTD_d_windowLogMax,
				       WINDOW_LOG);
		d->block = xmalloc(z->block_size);
		d->in.src = d->block;
	}
	ZSTD_DCtx_reset(d->stream, ZSTD_reset_session_only);
	d->packed_at = 0;
	d->in.size = d->in.pos = 0;
	d->n = 0;
	d->from = 0;
	d->error = 0;
	d->ended = false;
}

/* Room for more decoded bytes; the oldest go when there are enough. */
static void
make_room(const struct zstd *z, struct decoding *d)
{
	size_t most = 2 * z->keep;

	if (d->n < d->cap)
		return;
	if (d->cap < most) {
		d->cap = d->cap == 0 ? KEPT_FIRST : d->cap * 2;
		if (d->cap > most)
			d->cap = most;
		d->kept = xreallocarray(d->kept, d->cap, 1);
		return;
	}
	memmove(d->kept, d->kept + (d->n - z->keep), z->keep);
	d->from += d->n - z->keep;
	d->n = z->keep;
}

/* Reads packed bytes: false at their end, or when that fails. */
static bool
fill(struct zstd *z, struct decoding *d)
{
	long got;

	source_rewind(z->packed, d->packed_at);
	got = source_read(z->packed, d->block, z->block_size);
	if (got < 0)
		d->error = errno;
	if (got <= 0)
		return false;
	d->packed_at += (uint64_t)got;
	d->in.size = (size_t)got;
	d->in.pos = 0;
	return true;
}

/*
 * Decodes on; false at the end, or with d->error.  zstd holds decoded bytes
 * back when it had no room for them, so it is asked before more is read.
 */
static bool
decode(struct zstd *z, struct decoding *d)
{
	while (!d->ended && d->error == 0) {
		ZSTD_outBuffer out;
		size_t rc;

		make_room(z, d);
		out = (ZSTD_outBuffer){ d->kept, d->cap, d->n };
		rc = ZSTD_decompressStream(d->stream, &out, &d->in);
		if (ZSTD_isError(rc))
			d->error = errno_of(rc);
		if (out.pos > d->n) {
			d->n = out.pos;
			return true;
		}
		if (d->error == 0 && d->in.pos == d->in.size && !fill(z, d))
			d->ended = true;
	}
	return false;
}

/*
 * The decoding that leads to an offset soonest: the one that has come nearest
 * to it, or the one not used last, from the start.
 */
static struct decoding *
choose(struct zstd *z, uint64_t offset)
{
	struct decoding *best = NULL;

	for (unsigned i = 0; i < 2; i++) {
		struct decoding *d = &z->d[i];

		if (d->stream != NULL && offset >= d->from &&
		    (best == NULL || d->from > best->from))
			best = d;
	}
	if (best == NULL) {
		best = &z->d[z->d[z->last].stream == NULL ? z->last
							  : 1 - z->last];
		restart(z, best);
	}
	z->last = (unsigned)(best - z->d);
	return best;
}

/*
 * Copies what follows offset, up to n bytes; 0 at the end, -1 with errno.
 */
static long
copy(struct zstd *z, uint64_t offset, void *p, size_t n)
{
	struct decoding *d = choose(z, offset);
	size_t at;

	while (offset >= d->from + d->n)
		if (!decode(z, d)) {
			errno = d->error;
			return d->error == 0 ? 0 : -1;
		}
	at = (size_t)(offset - d->from);
	if (n > d->n - at)
		n = d->n - at;
	memcpy(p, d->kept + at, n);
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
	for (unsigned i = 0; i < 2; i++) {
		ZSTD_freeDStream(z->d[i].stream);
		free(z->d[i].block);
		free(z->d[i].kept);
	}
	free(z);
}

struct source *
source_zstd(struct source *packed, size_t kept)
{
	static const struct source_ops ops = { zstd_read, zstd_rewind,
					       zstd_read_at, zstd_close, NULL };
	struct zstd *z = xcalloc(1, sizeof(*z));

	z->base.ops = &ops;
	z->base.packed_size = packed->size_hint;
	z->base.one_way = true;
	z->packed = packed;
	z->keep = kept;
	z->block_size = ZSTD_DStreamInSize();
	return &z->base;
}
