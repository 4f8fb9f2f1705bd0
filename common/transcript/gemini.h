#ifndef TRANSCRIPT_GEMINI_H
#define TRANSCRIPT_GEMINI_H

#include "transcript/decoder.h"

/* Transcripts of Gemini CLI: spec/more-hosts.md. */
extern const struct decoder gemini_decoder;

#endif /* TRANSCRIPT_GEMINI_H */
