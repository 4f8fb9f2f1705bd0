#ifndef TRANSCRIPT_CODEX_H
#define TRANSCRIPT_CODEX_H

#include "transcript/decoder.h"

/* Rollouts of Codex: enveloped records, or the flat ones of its beginnings. */
extern const struct decoder codex_decoder;

#endif /* TRANSCRIPT_CODEX_H */
