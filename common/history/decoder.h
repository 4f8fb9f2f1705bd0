#ifndef DECODER_H
#define DECODER_H

#include "base/buf.h"
#include "base/json_span.h"
#include "base/timestamp.h"

/*
 * The seam between the hosts' transcript formats and everything above them.
 * One file a host (pi.c, claude.c, codex.c) fills in a struct decoder; the
 * layers above (branch, pairing, documents, pages) know no host.
 */
#endif /* DECODER_H */
