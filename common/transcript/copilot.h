#ifndef TRANSCRIPT_COPILOT_H
#define TRANSCRIPT_COPILOT_H

#include "transcript/decoder.h"

/* Transcripts of GitHub Copilot CLI: spec/more-hosts.md. */
extern const struct decoder copilot_decoder;

#endif /* TRANSCRIPT_COPILOT_H */
