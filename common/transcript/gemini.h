#ifndef TRANSCRIPT_GEMINI_H
#define TRANSCRIPT_GEMINI_H

#include "transcript/decoder.h"

/* Transcripts of Gemini CLI: spec/more-hosts.md. */
extern const struct decoder gemini_decoder;

/* Adds the directory that .project_root holds; false: none. */
bool gemini_project_root(struct str text, struct buf *out);

/* When the session began, as its first record says. */
struct str gemini_began(struct str first);

#endif /* TRANSCRIPT_GEMINI_H */
