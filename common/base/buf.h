#ifndef BUF_H
#define BUF_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

/*
 * Growable byte string.  Invariants: data is never NULL, data[len] == 0,
 * len <= max.  Bytes may include NUL.  An addition that would go over max
 * adds nothing, sets `full`, and turns every later addition into a no-op, so
 * a caller builds a whole text and tests `full` once at the end.
 */
struct buf {
	char *data;
	size_t len, cap, max;
	bool full;
};

#define BUF_UNLIMITED ((size_t)-1 / 2)

extern char buf_empty[1]; /* what data points to before the first addition */
#define BUF_INIT                                      \
	{                                             \
		buf_empty, 0, 0, BUF_UNLIMITED, false \
	}

void buf_init(struct buf *b, size_t max);
void buf_release(struct buf *b); /* frees, and leaves an empty buf */
void buf_reset(struct buf *b);	 /* empty again, memory and max kept */
void buf_truncate(struct buf *b, size_t len); /* len <= b->len */

void buf_add(struct buf *b, const void *p, size_t n);
void buf_adds(struct buf *b, const char *s);
void buf_addc(struct buf *b, char c);
void buf_add_str(struct buf *b, struct str s);
void buf_addf(struct buf *b, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void buf_vaddf(struct buf *b, const char *fmt, va_list ap)
	__attribute__((format(printf, 2, 0)));

/* `1 noun`, `2 nouns`: for words whose plural has an s more. */
void buf_add_count(struct buf *b, uint64_t n, const char *noun);

/*
 * Room for n more bytes at data + len; the caller then adds to len, or says
 * with buf_commit() how many have been written there: one addition as any.
 */
char *buf_reserve(struct buf *b, size_t n);
void buf_commit(struct buf *b, size_t n);

/* The bytes as a string that the caller frees; b is empty afterwards. */
char *buf_detach(struct buf *b);

/* Borrowed, valid until b changes. */
static inline struct str
buf_str(const struct buf *b)
{
	return (struct str){ b->data, b->len };
}

#endif /* BUF_H */
