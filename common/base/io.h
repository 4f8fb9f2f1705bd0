#ifndef IO_H
#define IO_H

#include <stddef.h>

#include "base/buf.h"

/* All retry on EINTR and go on after short transfers. */

/*
 * Adds everything up to end of file to out.  0; -1 with errno; 1 when more
 * than cap bytes came (out then has some of them).
 */
int io_read_all(int fd, size_t cap, struct buf *out);

/* 0, or -1 with errno. */
int io_write_all(int fd, const void *p, size_t n);

/*
 * Writes what fd takes without waiting, whether it was opened to block or
 * not: its flags belong to whoever gave it to us.  The number of bytes, 0
 * when none can be taken now, -1 with errno.
 */
long io_write_some(int fd, const void *p, size_t n);

/* pread(2) of up to n bytes; the number read (less only at end of file). */
long io_pread_all(int fd, void *p, size_t n, long long offset);

/*
 * Sees to it that descriptors 0, 1 and 2 are open, so that no file opened
 * later can land there and be written to as if it were stdout.  What was
 * closed reads as empty and fails when written to.  Gives them as bits: 1 << fd.
 */
unsigned io_secure_standard(void);

#endif /* IO_H */
