#ifndef TRANSFER_H
#define TRANSFER_H

#include <stddef.h>

/*
 * Writes what fd takes without waiting, whether it was opened to block or
 * not: its flags belong to whoever gave it to us.  The number of bytes, 0
 * when none can be taken now, -1 with errno.
 */
long transfer_some(int fd, const void *p, size_t n);

#endif /* TRANSFER_H */
