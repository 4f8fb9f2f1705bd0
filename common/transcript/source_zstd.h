#ifndef TRANSCRIPT_SOURCE_ZSTD_H
#define TRANSCRIPT_SOURCE_ZSTD_H

#include <errno.h>

#include "transcript/source.h"

/*
 * The contents of a file that zstd compressed, frames one after the other.
 * Takes `packed` over.  A last frame that ends early gives what decodes of it.
 *
 * It is decoded up to two places, and the bytes before each are kept, `kept` to
 * twice as many: neighbours in any order are decoded once, and so are two
 * series of ascending positions that are read in turns, a call's and its
 * result's.  Reading what lies before both decodes the file from its start.
 */
#define SOURCE_ZSTD_KEPT ((size_t)2 << 20)

/* kept: SOURCE_ZSTD_KEPT, or less in tests, but not 0. */
struct source *source_zstd(struct source *packed, size_t kept);

/*
 * The errno of what is not zstd data, or needs a window of more than 128 MiB.
 * No file system answers read(2) with it.
 */
#define SOURCE_ZSTD_CORRUPT EILSEQ

#endif /* TRANSCRIPT_SOURCE_ZSTD_H */
