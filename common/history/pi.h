#ifndef HISTORY_PI_H
#define HISTORY_PI_H

#include "history/decoder.h"

/* Transcripts of the Pi coding agent, versions 1 to 3. */
extern const struct decoder pi_decoder;

#endif /* HISTORY_PI_H */
