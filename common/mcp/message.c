#include "mcp/message.h"

#include "base/json_check.h"
#include "base/json_keys.h"
#include "base/json_span.h"
#include "mcp/recover.h"

#define ANY (JSON_ALLOW_NUL | JSON_ALLOW_DUPLICATES | JSON_ALLOW_LONE)

static bool
is_integer(struct str number)
{
	size_t i;

	for (i = 0; i < number.n; i++)
		if ((number.s[i] < '0' || number.s[i] > '9') &&
		    (i > 0 || number.s[i] != '-'))
			return false;
	return number.n > 0;
}

bool
message_id_key(struct str id, struct buf *key)
{
	enum json_kind kind = json_kind(id);

	if (kind == JSON_STRING)
		json_canonical(id, key);
	else if (kind == JSON_NUMBER && is_integer(id))
		buf_add_str(key, id);
	else
		return false;
	return true;
}

int
message_check(struct str line, struct buf *reason)
{
	struct json_error error;

	if (json_check(line, MESSAGE_DEPTH, ANY, &error) == 0)
		return 0;
	buf_addf(reason, "line %u, column %u: %s", error.line, error.column,
		 error.reason);
	return -1;
}

/* Whether a key stands twice in the object itself; linear but for a sort. */
static bool
repeats(struct str object)
{
	struct json_iter it = json_iterate(object);
	struct json_keys keys = JSON_KEYS_INIT;
	struct str key, value, again;
	bool found;

	json_keys_open(&keys);
	while (json_next_member(&it, &key, &value))
		json_keys_add(&keys, key, memchr(key.s, '\\', key.n) != NULL);
	found = json_keys_close(&keys, &again);
	json_keys_release(&keys);
	return found;
}

static void
faulty(struct message *m, enum message_code code, const char *reason)
{
	m->kind = MESSAGE_FAULTY;
	m->code = code;
	m->reason = reason;
}

enum { JSONRPC, ID, METHOD, PARAMS, RESULT, ERROR, MEMBERS };

/* What is wrong with a request or a notification, if anything. */
static void
read_call(struct message *m, const struct str value[MEMBERS])
{
	m->params = value[PARAMS];
	if (json_kind(value[JSONRPC]) != JSON_STRING ||
	    !json_string_is(value[JSONRPC], "2.0"))
		faulty(m, MESSAGE_INVALID_REQUEST, "jsonrpc is not \"2.0\"");
	else if (json_kind(value[METHOD]) != JSON_STRING)
		faulty(m, MESSAGE_INVALID_REQUEST, "method is not a string");
	else if (m->params.n > 0 && json_kind(m->params) != JSON_OBJECT)
		faulty(m, MESSAGE_INVALID_REQUEST, "params is not an object");
	else if (repeats(m->params))
		faulty(m, MESSAGE_PARSE_ERROR, "a key stands twice in params");
	else
		json_decode(value[METHOD], &m->method);
}

void
message_read(struct message *m, struct str object)
{
	static const char *const names[MEMBERS] = { "jsonrpc", "id",
						    "method",  "params",
						    "result",  "error" };
	struct str value[MEMBERS];

	*m = (struct message){ .kind = MESSAGE_REQUEST,
			       .id = STR("null"),
			       .key = BUF_INIT,
			       .method = BUF_INIT };
	if (json_kind(object) != JSON_OBJECT) {
		faulty(m, MESSAGE_INVALID_REQUEST, "not a JSON-RPC message");
		return;
	}
	if (repeats(object)) {
		m->id = recover_id(object);
		faulty(m, MESSAGE_PARSE_ERROR,
		       "a key stands twice in the message");
		return;
	}
	json_get_many(object, names, value, MEMBERS);
	if (value[METHOD].n == 0 &&
	    (value[RESULT].n > 0 || value[ERROR].n > 0)) {
		m->kind = MESSAGE_RESPONSE;
		m->result = value[RESULT];
		(void)message_id_key(value[ID], &m->key);
		return;
	}
	if (value[ID].n == 0) {
		m->kind = MESSAGE_NOTIFICATION;
		read_call(m, value);
		if (m->kind == MESSAGE_FAULTY)
			m->kind = MESSAGE_IGNORED;
		return;
	}
	if (!message_id_key(value[ID], &m->key)) {
		faulty(m, MESSAGE_INVALID_REQUEST,
		       "id is neither a string nor an integer");
		return;
	}
	m->id = value[ID];
	read_call(m, value);
}

void
message_release(struct message *m)
{
	buf_release(&m->key);
	buf_release(&m->method);
}
