#include "base/buf.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

char buf_empty[1];

void
buf_init(struct buf *b, size_t max)
{
	*b = (struct buf)BUF_INIT;
	b->max = max;
}

void
buf_release(struct buf *b)
{
	if (b->cap > 0)
		free(b->data);
	buf_init(b, b->max);
}

void
buf_reset(struct buf *b)
{
	b->full = false;
	buf_truncate(b, 0);
}

void
buf_truncate(struct buf *b, size_t len)
{
	b->len = len;
	if (b->cap > 0)
		b->data[len] = '\0';
}

/* After this there is room for n bytes and the terminating NUL. */
static void
make_room(struct buf *b, size_t n)
{
	size_t want = b->len + n + 1;
	size_t cap = b->cap < 64 ? 64 : b->cap;

	if (want <= b->cap)
		return;
	while (cap < want)
		cap *= 2; /* cannot overflow: max is at most SIZE_MAX / 2 */
	b->data = xreallocarray(b->cap > 0 ? b->data : NULL, cap, 1);
	b->cap = cap;
	b->data[b->len] = '\0';
}

static bool
fits(struct buf *b, size_t n)
{
	if (b->full || n > b->max - b->len) {
		b->full = true;
		return false;
	}
	return true;
}

void
buf_add(struct buf *b, const void *p, size_t n)
{
	if (!fits(b, n) || n == 0)
		return;
	make_room(b, n);
	memcpy(b->data + b->len, p, n);
	b->len += n;
	b->data[b->len] = '\0';
}

void
buf_adds(struct buf *b, const char *s)
{
	buf_add(b, s, strlen(s));
}

void
buf_addc(struct buf *b, char c)
{
	if (!fits(b, 1))
		return;
	if (b->cap - b->len < 2)
		make_room(b, 1);
	b->data[b->len++] = c;
	b->data[b->len] = '\0';
}

void
buf_add_str(struct buf *b, struct str s)
{
	buf_add(b, s.s, s.n);
}

void
buf_vaddf(struct buf *b, const char *fmt, va_list ap)
{
	va_list again;
	int n;

	va_copy(again, ap);
	n = vsnprintf(NULL, 0, fmt, ap);
	if (n > 0 && fits(b, (size_t)n)) {
		make_room(b, (size_t)n);
		(void)vsnprintf(b->data + b->len, (size_t)n + 1, fmt, again);
		b->len += (size_t)n;
	}
	va_end(again);
}

void
buf_addf(struct buf *b, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	buf_vaddf(b, fmt, ap);
	va_end(ap);
}

void
buf_add_count(struct buf *b, uint64_t n, const char *noun)
{
	buf_addf(b, "%" PRIu64 " %s%s", n, noun, n == 1 ? "" : "s");
}

char *
buf_reserve(struct buf *b, size_t n)
{
	make_room(b, n);
	return b->data + b->len;
}

void
buf_commit(struct buf *b, size_t n)
{
	if (fits(b, n))
		b->len += n;
	b->data[b->len] = '\0';
}

char *
buf_detach(struct buf *b)
{
	char *data;

	make_room(b, 0);
	data = b->data;
	b->cap = 0;
	buf_release(b);
	return data;
}
