#ifndef HISTORY_CLAUDE_H
#define HISTORY_CLAUDE_H

#include "history/decoder.h"

/* Transcripts of Claude Code. */
extern const struct decoder claude_decoder;

#endif /* HISTORY_CLAUDE_H */
