#include "mcp/dispatch.h"

#include "base/json_span.h"
#include "mcp/methods.h"

#define BATCH_MAX 64

/* A message to what it asks for; one without an answer has no place to fill. */
static void
take_message(struct server *s, struct str value, struct reply reply)
{
	struct message m;

	message_read(&m, value);
	switch (m.kind) {
	case MESSAGE_REQUEST:
		/* Two calls of one id could not be told apart, nor cancelled. */
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
		outbox_no_answer(&s->outbox, reply);
		break;
	case MESSAGE_RESPONSE:
		methods_response(s, &m);
		outbox_no_answer(&s->outbox, reply);
		break;
	case MESSAGE_IGNORED:
		outbox_no_answer(&s->outbox, reply);
		break;
	}
	message_release(&m);
}

/* Its elements are taken as if they came one by one (section 4). */
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
	/* VERSION_NONE is greater, too: before initialize there are none. */
	if (s->version > VERSION_2025_03_26)
		fault = "batches are of the versions 2025-03-26 and "
			"2024-11-05 only";
	else if (n == 0)
		fault = "the batch is empty";
	else if (n > BATCH_MAX)
		fault = "the batch has more than 64 messages";
	if (fault != NULL) {
		methods_error(s, STR("null"), REPLY_ALONE,
			      MESSAGE_INVALID_REQUEST, str_of(fault));
		return;
	}
	/* Its answers go out together: an array is one message. */
	b = outbox_open_batch(&s->outbox, n);
	it = json_iterate(array);
	for (n = 0; json_next_element(&it, &value); n++)
		take_message(s, value, (struct reply){ b, n });
	outbox_seal_batch(&s->outbox, b);
}

/* No line ends the server; without an id the error has null. */
static void
take_line(struct server *s, const struct message_line *line)
{
	struct buf reason = BUF_INIT;
	struct str value;

	if (line->too_long) {
		buf_addf(&reason, "message exceeds %zu bytes", s->lines.max);
		methods_error(s, message_recover_id(line->text), REPLY_ALONE,
			      MESSAGE_INVALID_REQUEST, buf_str(&reason));
	} else if (str_is_blank(line->text)) {
		;
	} else if (message_check(line->text, &reason) != 0) {
		methods_error(s, message_recover_id(line->text), REPLY_ALONE,
			      MESSAGE_PARSE_ERROR, buf_str(&reason));
	} else {
		value = json_value(line->text);
		if (json_kind(value) == JSON_ARRAY)
			take_batch(s, value);
		else
			take_message(s, value, REPLY_ALONE);
	}
	buf_release(&reason);
}

bool
dispatch_take(struct server *s, struct str *input)
{
	struct message_line line;

	if (!message_lines_next(&s->lines, input, &line))
		return false;
	take_line(s, &line);
	return true;
}

void
dispatch_end_input(struct server *s)
{
	struct message_line line;

	/* A host that writes and closes may leave out the last newline. */
	if (message_lines_last(&s->lines, &line))
		take_line(s, &line);
	s->roots.open = false; /* nobody is there to answer */
}
