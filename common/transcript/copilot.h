#ifndef TRANSCRIPT_COPILOT_H
#define TRANSCRIPT_COPILOT_H

#include "transcript/decoder.h"

/* Transcripts of GitHub Copilot CLI: spec/more-hosts.md. */
extern const struct decoder copilot_decoder;

/* Adds the name that workspace.yaml gives the session; false: none. */
bool copilot_given_name(struct str text, struct buf *out);

#endif /* TRANSCRIPT_COPILOT_H */
