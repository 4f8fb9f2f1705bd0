#ifndef TRANSCRIPT_PI_H
#define TRANSCRIPT_PI_H

#include "transcript/decoder.h"

/* Transcripts of the Pi coding agent, versions 1 to 3. */
extern const struct decoder pi_decoder;

#endif /* TRANSCRIPT_PI_H */
