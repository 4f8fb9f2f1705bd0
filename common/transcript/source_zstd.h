#ifndef TRANSCRIPT_SOURCE_ZSTD_H
#define TRANSCRIPT_SOURCE_ZSTD_H

#include <errno.h>

#include "transcript/source.h"

/*
 * The contents of a file that zstd compressed, frames one after the other.
 * Takes `packed` over.  A last frame that ends early gives what decodes of it.
 *
 * The bytes decoded last are kept, `kept` to twice as many, so that reading
 * neighbours in any order decodes them once.  Reading what lies before them
 * decodes the file from its start: ascending positions cost one pass.
 */
#define SOURCE_ZSTD_KEPT ((size_t)16 << 20)

/* kept: SOURCE_ZSTD_KEPT, or less in tests, but not 0. */
struct source *source_zstd(struct source *packed, size_t kept);

/*
 * The errno of what is no zstd data, or needs a window of more than 128 MiB.
 * No file system answers read(2) with it.
 */
#define SOURCE_ZSTD_CORRUPT EILSEQ

#endif /* TRANSCRIPT_SOURCE_ZSTD_H */
