#ifndef TRANSCRIPT_QWEN_H
#define TRANSCRIPT_QWEN_H

#include "transcript/decoder.h"

/* Transcripts of Qwen Code: spec/more-hosts.md. */
extern const struct decoder qwen_decoder;

#endif /* TRANSCRIPT_QWEN_H */
