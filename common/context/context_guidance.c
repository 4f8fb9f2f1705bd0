#include "context/context_guidance.h"

#include <string.h>

#include "context/bounds.h"
#include "context/control.h"
#include "context/evidence.h"
#include "context/fence.h"

enum { GUIDANCE, MIGRATION };
const char *const context_guidance_actions[] = { "guidance", "migration",
						 NULL };

static bool
has_line(struct str text, struct str line)
{
	while (text.n > 0)
		if (str_eq(str_cut(&text, '\n'), line))
			return true;
	return false;
}

/* It holds nothing of a window, so that caches of prompts stay valid. */
static int
guide(const struct tool_call *call, struct context_guidance_result *r,
      struct fail *fail)
{
	const struct context_guidance_args *args = call->args;
	struct context c = { .remarks = call->remarks };
	int rc = policy_read(&c.policy, call->facts, call->remarks, fail);

	decide_init(&c.life);
	if (rc == 0)
		control_guidance(&c, &r->owned);
	decide_release(&c.life);
	policy_release(&c.policy);
	r->already_present = has_line(arg_str(args->existing_prompt),
				      STR(CONTROL_GUIDANCE_TAG));
	return rc;
}

/* The hint is given once to an agent. */
static int
migrate(const struct tool_call *call, struct context_guidance_result *r,
	struct fail *fail)
{
	struct life_event event = { .type = EVENT_LOOK };
	struct decision d;
	struct context c;
	int rc = context_open(&c, call->facts, call->remarks, CONTEXT_WRITE,
			      fail);

	if (rc == 0)
		rc = fence_decide(&c, &event, &d, fail);
	if (rc == 0) {
		r->already_present = c.life.migration_shown;
		if (!r->already_present)
			control_prompt(&c, PROMPT_MIGRATION, &r->owned);
		c.life.migration_shown = true;
		rc = context_store(&c, fail);
	}
	context_close(&c);
	return rc;
}

int
context_guidance_run(const struct tool_call *call, void *result,
		     struct fail *fail)
{
	const struct context_guidance_args *args = call->args;
	struct context_guidance_result *r = result;
	int rc;

	buf_init(&r->owned, BUF_UNLIMITED);
	r->action = args->action.given ? args->action.v : GUIDANCE;
	rc = r->action == MIGRATION ? migrate(call, r, fail)
				    : guide(call, r, fail);
	r->text = buf_str(&r->owned);
	return rc;
}

void
context_guidance_text(const void *result, struct buf *out)
{
	const struct context_guidance_result *r = result;

	bounds_show(out, r->text);
}

void
context_guidance_release(void *result)
{
	struct context_guidance_result *r = result;

	buf_release(&r->owned);
}
