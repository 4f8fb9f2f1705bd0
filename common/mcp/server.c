#include "mcp/server.h"

#include "base/json_span.h"
#include "mcp/methods.h"
#include "mcp/outcome.h"
#include "mcp/recover.h"

#define BATCH_MAX 64

static const struct reply alone = { NULL, 0 };

void
server_init(struct server *s, const struct catalogue *c,
	    const struct server_options *options, const struct facts *given)
{
	*s = (struct server){ .catalogue = c,
			      .options = *options,
			      .version = VERSION_NONE,
			      .talk = TALK_INIT };
	outbox_init(&s->outbox);
	s->replies = (struct replies){ &s->outbox, NULL };
	frames_init(&s->frames, options->frame_max);
	calls_init(&s->calls, options->jobs, options->timeout_s * 1000);
	host_facts_init(&s->facts, given, &s->talk);
}

void
server_release(struct server *s)
{
	calls_release(&s->calls);
	batch_release(&s->replies);
	outbox_release(&s->outbox);
	frames_release(&s->frames);
	host_facts_release(&s->facts);
	talk_release(&s->talk);
}

/* ---- messages ---------------------------------------------------------- */

static void
take_message(struct server *s, struct str value, struct reply reply)
{
	struct message m;

	message_read(&m, value);
	switch (m.kind) {
	case MESSAGE_REQUEST:
		if (calls_find(&s->calls, buf_str(&m.key)) != NULL)
			methods_error(s, m.id, reply, MESSAGE_INVALID_REQUEST,
				      STR("id is in use"));
		else
			methods_request(s, &m, reply);
		break;
	case MESSAGE_FAULTY:
		methods_error(s, m.id, reply, m.code, str_of(m.reason));
		break;
	case MESSAGE_NOTIFICATION:
		methods_notification(s, &m);
		batch_no_reply(&s->replies, reply);
		break;
	case MESSAGE_RESPONSE:
		methods_response(s, &m);
		batch_no_reply(&s->replies, reply);
		break;
	case MESSAGE_IGNORED:
		batch_no_reply(&s->replies, reply);
		break;
	}
	message_release(&m);
}

static void
take_batch(struct server *s, struct str array)
{
	struct json_iter it = json_iterate(array);
	const char *fault = NULL;
	struct batch *b;
	struct str value;
	size_t n = 0;

	while (json_next_element(&it, &value))
		n++;
	if (s->version > VERSION_2025_03_26)
		fault = "batches are of the versions 2025-03-26 and "
			"2024-11-05 only";
	else if (n == 0)
		fault = "the batch is empty";
	else if (n > BATCH_MAX)
		fault = "the batch has more than 64 messages";
	if (fault != NULL) {
		methods_error(s, STR("null"), alone, MESSAGE_INVALID_REQUEST,
			      str_of(fault));
		return;
	}
	b = batch_new(&s->replies, n);
	it = json_iterate(array);
	for (n = 0; json_next_element(&it, &value); n++)
		take_message(s, value, (struct reply){ b, n });
	batch_seal(&s->replies, b);
}

static bool
is_blank(struct str s)
{
	size_t i;

	for (i = 0; i < s.n; i++)
		if (s.s[i] != ' ' && s.s[i] != '\t' && s.s[i] != '\r')
			return false;
	return true;
}

static void
take_frame(struct server *s, const struct frame *frame)
{
	struct buf reason = BUF_INIT;
	struct str value;

	if (frame->too_long) {
		buf_addf(&reason, "message exceeds %zu bytes", s->frames.max);
		methods_error(s, recover_id(frame->line), alone,
			      MESSAGE_INVALID_REQUEST, buf_str(&reason));
	} else if (is_blank(frame->line)) {
		;
	} else if (message_check(frame->line, &reason) != 0) {
		methods_error(s, recover_id(frame->line), alone,
			      MESSAGE_PARSE_ERROR, buf_str(&reason));
	} else {
		value = json_value(frame->line);
		if (json_kind(value) == JSON_ARRAY)
			take_batch(s, value);
		else
			take_message(s, value, alone);
	}
	buf_release(&reason);
}

bool
server_take(struct server *s, struct str *input)
{
	struct frame frame;

	if (!frames_next(&s->frames, input, &frame))
		return false;
	take_frame(s, &frame);
	return true;
}

void
server_end_input(struct server *s)
{
	struct frame frame;

	if (frames_last(&s->frames, &frame))
		take_frame(s, &frame);
	s->roots.open = false; /* nobody is there to answer */
}

/* ---- calls ------------------------------------------------------------- */

/* A program's stderr is passed on, line by line. */
static void
pass_on(struct server *s, const struct call *call)
{
	struct str rest = buf_str(&call->err);
	const char *end;
	size_t n;

	while (rest.n > 0) {
		end = memchr(rest.s, '\n', rest.n);
		n = end == NULL ? rest.n : (size_t)(end - rest.s);
		talk_say(&s->talk, families_tools[call->tool->tool],
			 (struct str){ rest.s, n });
		rest = str_from(rest, end == NULL ? n : n + 1);
	}
}

void
server_finish_calls(struct server *s)
{
	struct buf text = BUF_INIT;
	struct call *call;

	while ((call = calls_over(&s->calls, s->now)) != NULL) {
		pass_on(s, call);
		if (call->end == END_CANCELLED || call->end == END_SERVER) {
			batch_no_reply(&s->replies, call->reply);
		} else {
			outcome_write(call, s->options.surface,
				      s->options.timeout_s, &text);
			batch_reply(&s->replies, call->reply, &text,
				    buf_str(&call->key));
		}
		calls_remove(&s->calls, call);
	}
	buf_release(&text);
}

void
server_end_calls(struct server *s)
{
	struct call *call, *next;

	for (call = s->calls.first; call != NULL; call = next) {
		next = call->next;
		if (call->running) {
			calls_end(call, END_SERVER, s->now);
			continue;
		}
		batch_no_reply(&s->replies, call->reply);
		calls_remove(&s->calls, call);
	}
}
