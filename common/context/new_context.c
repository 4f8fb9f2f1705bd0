#include "context/new_context.h"

#include <stdlib.h>

#include "context/bounds.h"
#include "context/control.h"
#include "context/fence.h"
#include "context/life_json.h"

static int
run(struct context *c, const struct tool_call *call,
    struct new_context_result *r, struct fail *fail)
{
	struct life_event event = { .type = EVENT_NEW_CONTEXT };
	struct buf window = BUF_INIT;
	struct decision d;

	if (context_open(c, call->facts, call->remarks, CONTEXT_WRITE, fail) !=
		    0 ||
	    fence_decide(c, &event, &d, fail) != 0 ||
	    context_store(c, fail) != 0 ||
	    fence_answer(c, d.answer, call->tool->name, fail) != 0)
		return -1;
	life_json_window(&window, c->life.window);
	r->window_id = buf_detach(&window);
	r->checkpoint_saved = c->life.note_saved;
	control_prompt(c, PROMPT_RECEIPT, &r->receipt);
	if (!r->checkpoint_saved) {
		buf_adds(&r->receipt, "\n\n");
		control_prompt(c, PROMPT_RECEIPT_UNSAVED, &r->receipt);
	}
	return 0;
}

int
new_context_run(const struct tool_call *call, void *result, struct fail *fail)
{
	struct new_context_result *r = result;
	struct context c;
	int rc;

	buf_init(&r->receipt, BUF_UNLIMITED);
	rc = run(&c, call, r, fail);
	context_close(&c);
	return rc;
}

void
new_context_text(const void *result, struct buf *out)
{
	const struct new_context_result *r = result;

	bounds_show(out, buf_str(&r->receipt));
}

void
new_context_release(void *result)
{
	struct new_context_result *r = result;

	free(r->window_id);
	buf_release(&r->receipt);
}
