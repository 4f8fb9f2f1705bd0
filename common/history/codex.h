#ifndef HISTORY_CODEX_H
#define HISTORY_CODEX_H

#include "history/decoder.h"

/* Rollouts of Codex: enveloped records, or the flat ones of its beginnings. */
extern const struct decoder codex_decoder;

#endif /* HISTORY_CODEX_H */
