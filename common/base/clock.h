#ifndef CLOCK_H
#define CLOCK_H

#include <stdbool.h>
#include <stdint.h>

/* Wall clock, milliseconds since 1970. */
int64_t clock_now_ms(void);

/*
 * The same as the times of files have it: the last tick of the kernel, which is
 * some milliseconds before clock_now_ms().  What is written later is not older.
 */
int64_t clock_files_ms(void);

/* Monotonic clock in milliseconds, for deadlines. */
int64_t clock_monotonic_ms(void);

void clock_sleep_ms(int64_t ms);

#endif /* CLOCK_H */
