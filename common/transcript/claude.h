#ifndef TRANSCRIPT_CLAUDE_H
#define TRANSCRIPT_CLAUDE_H

#include "transcript/decoder.h"

/* Transcripts of Claude Code. */
extern const struct decoder claude_decoder;

#endif /* TRANSCRIPT_CLAUDE_H */
