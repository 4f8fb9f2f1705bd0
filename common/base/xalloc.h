#ifndef XALLOC_H
#define XALLOC_H

#include <stddef.h>

/*
 * Allocation that does not fail: where memory runs out, or a size overflows,
 * the process says so on stderr and aborts.  Running out of memory is no
 * input error, and these are short-lived programs.  The caller frees with
 * free(3).  A size of 0 gives a unique pointer.
 */
void *xmalloc(size_t size);
void *xcalloc(size_t n, size_t size);
void *xreallocarray(void *p, size_t n, size_t size);
char *xstrdup(const char *s);

/* A NUL-terminated copy of n bytes. */
char *xmemdup(const void *p, size_t n);

/*
 * Makes room for at least `want` elements of `size` bytes in *array, doubling
 * *cap.  Use: XGROW(v, n + 1, cap).
 */
void *xgrow(void *array, size_t want, size_t *cap, size_t size);
#define XGROW(v, want, cap) ((v) = xgrow((v), (want), &(cap), sizeof(*(v))))

/*
 * From now on up to about `most` freed bytes, in each thread, stay with the
 * process.  For those that free much and take it again at once: new pages cost
 * more than what is done with them.
 */
void xkeep_freed(size_t most);

#endif /* XALLOC_H */
