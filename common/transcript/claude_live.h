#ifndef TRANSCRIPT_CLAUDE_LIVE_H
#define TRANSCRIPT_CLAUDE_LIVE_H

#include "transcript/live.h"

/*
 * Claude Code gives each call the id of its tool use: the session has a reply
 * with that, not on a sidechain (spec/hosts.md section 7).
 */
live_follow claude_live_follow;

#endif /* TRANSCRIPT_CLAUDE_LIVE_H */
