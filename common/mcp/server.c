#include "mcp/server.h"

#include "mcp/outcome.h"

void
server_init(struct server *s, const struct catalogue *c,
	    const struct server_options *options, const struct facts *given)
{
	*s = (struct server){ .catalogue = c,
			      .options = *options,
			      .version = VERSION_NONE,
			      .talk = TALK_INIT };
	outbox_init(&s->outbox);
	message_lines_init(&s->lines, options->line_max);
	calls_init(&s->calls, options->jobs, options->timeout_s * 1000,
		   options->line_max);
	host_facts_init(&s->facts, given, &s->talk);
}

/* Calls first: the outbox holds the batches that they answer into. */
void
server_release(struct server *s)
{
	calls_release(&s->calls);
	outbox_release(&s->outbox);
	message_lines_release(&s->lines);
	host_facts_release(&s->facts);
	talk_release(&s->talk);
}

/* A program's stderr is passed on, line by line. */
static void
pass_on(struct server *s, const struct call *call)
{
	struct str rest = buf_str(&call->err);

	while (rest.n > 0)
		talk_say(&s->talk, families_tools[call->tool->tool],
			 str_cut(&rest, '\n'));
}

void
server_finish_calls(struct server *s)
{
	struct buf text = BUF_INIT;
	struct call *call;

	/* Whichever is over: a slow call holds up no other. */
	while ((call = calls_over(&s->calls, s->now)) != NULL) {
		/* What it said is passed on however it ended. */
		pass_on(s, call);
		if (call->end == END_CANCELLED || call->end == END_SERVER) {
			outbox_no_answer(&s->outbox, call->reply);
		} else {
			outcome_write(call, s->options.surface,
				      s->options.timeout_s, &text);
			outbox_answer(&s->outbox, call->reply, &text,
				      buf_str(&call->key));
		}
		calls_remove(&s->calls, call);
	}
	buf_release(&text);
}

void
server_end_calls(struct server *s)
{
	struct call *next;

	for (struct call *call = s->calls.first; call != NULL; call = next) {
		next = call->next;
		if (call->running) {
			calls_end(call, END_SERVER, s->now);
			continue;
		}
		outbox_no_answer(&s->outbox, call->reply);
		calls_remove(&s->calls, call);
	}
}
