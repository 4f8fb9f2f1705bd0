#ifndef OUTPUT_PACE_H
#define OUTPUT_PACE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * When to publish (spec/output.md section 5.3): no sooner than min_ms after
 * the last time, nor faster than a long-run rate of bytes; and never later
 * than one deadline, which does not move once it is set.  Pure: the caller
 * tells the time, in milliseconds of any clock.
 */
struct pace {
	int64_t min_ms, bytes_per_s;
	int64_t next;	  /* not before that; PACE_NONE: nothing published */
	int64_t deadline; /* PACE_NONE: none is set */
};

#define PACE_NONE INT64_MIN
#define PACE_MIN_MS 100
#define PACE_BYTES_PER_S 102400

void pace_init(struct pace *p, int64_t min_ms, int64_t bytes_per_s);

/* A change came: true when it is to be published at once. */
bool pace_change(struct pace *p, int64_t now);

/* Whether a deadline is set, and has come. */
bool pace_due(const struct pace *p, int64_t now);

/* All was published in so many bytes of ops; 0: there was nothing to say. */
void pace_published(struct pace *p, int64_t now, int64_t bytes);

#endif /* OUTPUT_PACE_H */
