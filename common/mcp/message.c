#include "mcp/message.h"

#include <string.h>

#include "base/json_check.h"
#include "base/json_keys.h"
#include "base/json_scan.h"
#include "base/json_span.h"

#define DEPTH 96
#define KEPT_MAX ((size_t)1 << 18) /* memory that is kept between lines */

/* What the programs judge, and not we (section 2.2). */
#define ANY (JSON_ALLOW_NUL | JSON_ALLOW_DUPLICATES | JSON_ALLOW_LONE)

const char *const message_versions[] = { "2024-11-05", "2025-03-26",
					 "2025-06-18", "2025-11-25",
					 "2026-07-28", NULL };

enum version
message_legacy_version(struct str name)
{
	for (int v = VERSION_2024_11_05; v <= VERSION_NEWEST_LEGACY; v++)
		if (str_is(name, message_versions[v]))
			return (enum version)v;
	return VERSION_NONE;
}

/* ---- lines ------------------------------------------------------------- */

void
message_lines_init(struct message_lines *l, size_t max)
{
	*l = (struct message_lines){ .max = max, .line = BUF_INIT };
}

void
message_lines_release(struct message_lines *l)
{
	buf_release(&l->line);
}

/* Adds a piece of the current line, or of one that is too long its head. */
static void
add(struct message_lines *l, struct str piece)
{
	size_t room;

	/*
	 * Nothing is added to a line that is too long but its head, where
	 * its id may stand.
	 */
	if (!l->too_long && piece.n <= l->max - l->line.len) {
		buf_add_str(&l->line, piece);
		return;
	}
	l->too_long = true;
	if (l->line.len >= MESSAGE_HEAD) {
		struct buf head = BUF_INIT;

		/* The memory of a long line is given back. */
		buf_add(&head, l->line.data, MESSAGE_HEAD);
		buf_release(&l->line);
		l->line = head;
		return;
	}
	room = MESSAGE_HEAD - l->line.len;
	buf_add(&l->line, piece.s, piece.n < room ? piece.n : room);
}

/* Forgets the line that was given away before. */
static void
begin(struct message_lines *l)
{
	if (!l->done)
		return;
	buf_reset(&l->line);
	if (l->line.cap > KEPT_MAX)
		buf_release(&l->line);
	l->done = l->too_long = false;
}

static void
give(struct message_lines *l, struct message_line *line)
{
	line->text = buf_str(&l->line);
	line->too_long = l->too_long;
	l->done = true;
}

bool
message_lines_next(struct message_lines *l, struct str *input,
		   struct message_line *line)
{
	struct str piece;

	begin(l);
	if (input->n == 0)
		return false;
	piece = str_until(*input, '\n');
	add(l, piece);
	if (piece.n == input->n) {
		*input = str_from(*input, piece.n);
		return false;
	}
	*input = str_from(*input, piece.n + 1);
	give(l, line);
	return true;
}

bool
message_lines_last(struct message_lines *l, struct message_line *line)
{
	begin(l);
	if (l->line.len == 0)
		return false;
	give(l, line);
	return true;
}

/* ---- ids --------------------------------------------------------------- */

/* As it is written: 1.0 and 1e0 are not ids, 2^53 + 1 is. */
static bool
is_integer(struct str number)
{
	for (size_t i = 0; i < number.n; i++)
		if ((number.s[i] < '0' || number.s[i] > '9') &&
		    (i > 0 || number.s[i] != '-'))
			return false;
	return number.n > 0;
}

/* A string keeps its quotes: 1 and "1" are two ids (section 2.3). */
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

/* Where a value ends, in text that may be broken; end when it does not. */
static const char *
skip_value(const char *p, const char *end)
{
	size_t depth = 0;

	for (; p < end; p++) {
		if (*p == '"') {
			p = json_scan_string(p + 1, end) - 1;
			if (p + 1 == end)
				return end;
		} else if (*p == '[' || *p == '{') {
			depth++;
		} else if (depth > 0 && (*p == ']' || *p == '}')) {
			depth--;
		} else if (depth == 0 && (*p == ',' || *p == '}')) {
			return p;
		}
	}
	return end;
}

/* Cuts white space off the end. */
static struct str
trim(const char *from, const char *to)
{
	while (to > from && json_scan_is_space(to[-1]))
		to--;
	return (struct str){ from, (size_t)(to - from) };
}

static bool
is_value(struct str s)
{
	return json_check(s, 1, JSON_ALLOW_NUL | JSON_ALLOW_LONE, NULL) == 0;
}

/*
 * The text is not JSON as a whole; each name and the value in question are
 * checked on their own.
 */
struct str
message_recover_id(struct str head)
{
	const char *p = head.s, *start;
	const char *end = p + (head.n > MESSAGE_HEAD ? MESSAGE_HEAD : head.n);
	struct buf key = BUF_INIT;
	struct str name, id, value = STR("null");

	p = json_scan_space(p, end);
	if (p == end || *p != '{')
		return value;
	do {
		start = json_scan_space(p + 1, end);
		if (start == end || *start != '"')
			return value;
		p = json_scan_string(start + 1, end);
		name = (struct str){ start, (size_t)(p - start) };
		p = json_scan_space(p, end);
		if (p == end || *p != ':' || !is_value(name))
			return value;
		start = json_scan_space(p + 1, end);
		p = skip_value(start, end);
	} while (!json_string_is(name, "id") && p < end && *p == ',');
	id = trim(start, p);
	/* A number may go on where the text was cut; a string says its end. */
	if (json_string_is(name, "id") && id.n > 0 &&
	    (p < end || *start == '"') && is_value(id) &&
	    message_id_key(id, &key))
		value = id;
	buf_release(&key);
	return value;
}

/* ---- messages ---------------------------------------------------------- */

int
message_check(struct str line, struct buf *reason)
{
	struct json_error error;

	if (json_check(line, DEPTH, ANY, &error) == 0)
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
		json_keys_add(&keys, key, str_has(key, '\\'));
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
		m->id = message_recover_id(object);
		faulty(m, MESSAGE_PARSE_ERROR,
		       "a key stands twice in the message");
		return;
	}
	json_get_many(object, names, value, MEMBERS);
	/* A response needs no id of ours to be recognised: it is then ignored. */
	if (value[METHOD].n == 0 &&
	    (value[RESULT].n > 0 || value[ERROR].n > 0)) {
		m->kind = MESSAGE_RESPONSE;
		m->result = value[RESULT];
		(void)message_id_key(value[ID], &m->key);
		return;
	}
	/* Never answered, not even with an error. */
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
