#ifndef TRANSCRIPT_QWEN_LIVE_H
#define TRANSCRIPT_QWEN_LIVE_H

#include <stdbool.h>

#include "transcript/live.h"

/*
 * Qwen Code gives a call no id, but writes it before it makes it: the session
 * is the one whose last answer has such a call that nothing came back of yet
 * (spec/more-hosts.md).
 */
live_follow qwen_live_follow;

/* Adds where, below a root, it keeps the transcripts of a directory. */
void qwen_live_folder(struct str directory, struct buf *out);

#endif /* TRANSCRIPT_QWEN_LIVE_H */
