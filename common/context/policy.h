#ifndef CONTEXT_POLICY_H
#define CONTEXT_POLICY_H

#include "context/decide.h"
#include "tool/facts.h"

/*
 * The settings of this family: the map `context` of CTX_CONFIG, and the
 * variables that override it (spec/context.md section 10).
 */
struct policy {
	bool disabled;
	int64_t output_chars;	/* maxToolOutputChars */
	int64_t note_bytes;	/* notesMaxFileBytes */
	int64_t preview_chars;	/* historyItemPreviewChars */
	struct buf prompts_dir; /* absolute; empty: none */

	/* Thresholds by model; see policy_for(). */
	struct policy_rule *rules;
	size_t n, cap;
	double percent_override; /* of the environment; 0: none */
	int64_t hard_override;	 /* 0: none */
};

/*
 * Reads them.  A missing file means defaults; a bad value or an unknown key
 * keeps the default, and all of them together are one line of remarks.  -1
 * with FAIL_ENVIRONMENT where the file cannot be read or is not YAML.
 */
int policy_read(struct policy *p, const struct facts *facts,
		struct buf *remarks, struct fail *fail);
void policy_release(struct policy *p);

/* What holds for a model, `provider/model`; it may be empty. */
struct life_config policy_for(const struct policy *p, struct str model);

/*
 * How well a pattern matches a model, `*` standing for any run; 0: not at
 * all.  The best score wins.
 */
unsigned policy_score(struct str pattern, struct str model);

#endif /* CONTEXT_POLICY_H */
