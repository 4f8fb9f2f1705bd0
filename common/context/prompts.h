#ifndef CONTEXT_PROMPTS_H
#define CONTEXT_PROMPTS_H

#include "context/policy.h"

/*
 * The prose of this family, by name (spec/context.md section 6): built in, or
 * of a file <name>.txt in the folder of the setting prompts_dir.
 */
enum prompt {
	PROMPT_GUIDANCE,
	PROMPT_REMINDER,
	PROMPT_CLEANUP_ADVICE,
	PROMPT_FALLBACK,
	PROMPT_CHECKPOINT,
	PROMPT_RECENT_HEADING,
	PROMPT_BOOTSTRAP_NOTICE,
	PROMPT_BOOTSTRAP_RECOVERY,
	PROMPT_NOTES_HEADING,
	PROMPT_NO_NOTES,
	PROMPT_CONTINUATION,
	PROMPT_MIGRATION,
	PROMPT_RECEIPT,
	PROMPT_RECEIPT_UNSAVED,
	PROMPT_COUNT
};

/* What its placeholders stand for. */
struct prompt_values {
	int64_t window, previous; /* 0: none */
	struct str agent;
	int64_t remaining;	   /* below 0: unknown */
	struct str cleanup_advice; /* where it is not the template's */
};

/*
 * Adds a text with its placeholders filled in.  A file that is invalid is one
 * line of remarks, and the built-in text stands: prose must never stop the
 * machine.
 */
void prompts_add(struct buf *out, enum prompt prompt,
		 const struct prompt_values *values,
		 const struct policy *policy, struct buf *remarks);

/* Its name, that of the file without .txt; and its built-in text. */
const char *prompts_name(enum prompt prompt);
const char *prompts_text(enum prompt prompt);

#endif /* CONTEXT_PROMPTS_H */
