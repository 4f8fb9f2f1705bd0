#include "context/fence.h"

#include "context/control.h"
#include "context/evidence.h"

int
fence_answer(const struct context *c, enum answer answer, const char *tool,
	     struct fail *fail)
{
	switch (answer) {
	case ANSWER_FENCED:
		return fail_block(fail, "fenced",
				  "%s is blocked: a checkpoint is due. One "
				  "notes_write_file or notes_append_to_file "
				  "call with text, to %.*s/notes/<path>, must "
				  "succeed first",
				  tool, (int)c->agent.n, c->agent.s);
	case ANSWER_ROLLOVER_PENDING:
		return fail_block(fail, "rollover_pending",
				  "%s is blocked: the checkpoint is saved and "
				  "a new context window is on its way; stop "
				  "here",
				  tool);
	case ANSWER_DISABLED:
		return fail_refuse(fail, "disabled",
				   "context windows are switched off: set "
				   "`enabled: true` under `context` in the "
				   "configuration, and unset "
				   "CTX_CONTEXT_DISABLED");
	default:
		return 0;
	}
}

/* The eleven look at the transcript only where it can change the answer. */
static bool
needs_transcript(const struct context *c, bool infer)
{
	return c->valid ? c->life.stage == STAGE_SENT : infer;
}

static int
decide_with(struct context *c, bool infer, const struct life_event *event,
	    struct decision *decision, struct fail *fail)
{
	struct items items = { .session = SESSION_INIT };
	struct evidence evidence;
	int rc = 0;

	if (needs_transcript(c, infer))
		rc = evidence_gather(c, &items, &evidence, fail);
	else
		evidence = evidence_local(c);
	if (rc == 0) {
		*decision = context_decide(c, event, &evidence);
		rc = control_compose(c, &items, fail);
	}
	items_close(&items);
	return rc;
}

int
fence_decide(struct context *c, const struct life_event *event,
	     struct decision *decision, struct fail *fail)
{
	return decide_with(c, true, event, decision, fail);
}

int
fence_look(struct context *c, bool infer, struct fail *fail)
{
	struct life_event event = { .type = EVENT_LOOK };
	struct decision decision;
	bool records = c->valid &&
		       (c->life.stage == STAGE_SENT || c->life.claim.pid != 0);

	/* Only who is alone with the state may change it. */
	if (records && context_reopen(c, fail) != 0)
		return -1;
	if (decide_with(c, infer, &event, &decision, fail) != 0)
		return -1;
	return records ? context_store(c, fail) : 0;
}

int
fence_admit(struct context *c, const char *tool, bool infer, struct fail *fail)
{
	if (fence_look(c, infer, fail) != 0)
		return -1;
	return fence_answer(c, decide_fence(&c->life, &c->config, FENCE_ANY),
			    tool, fail);
}
