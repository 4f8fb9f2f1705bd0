#include "context/life_json.h"

#include <inttypes.h>
#include <string.h>

#include "base/json_check.h"
#include "base/json_span.h"
#include "base/json_write.h"

#define VERSION 1

/* ---- ids --------------------------------------------------------------- */

void
life_json_window(struct buf *out, int64_t window)
{
	buf_addf(out, "w%" PRId64, window);
}

/* Decimal digits without a leading zero, at most `most`; 0: it is none. */
static int64_t
number_of(struct str s, int64_t most)
{
	int64_t v = 0;

	if (s.n == 0 || s.n > 15 || s.s[0] == '0')
		return 0;
	for (size_t i = 0; i < s.n; i++) {
		if (s.s[i] < '0' || s.s[i] > '9')
			return 0;
		v = v * 10 + (s.s[i] - '0');
	}
	return v <= most ? v : 0;
}

int64_t
life_json_window_number(struct str id)
{
	if (id.n < 2 || id.s[0] != 'w')
		return 0;
	return number_of(str_from(id, 1), LIFE_JSON_WINDOW_MAX);
}

void
life_json_message_id(struct buf *out, int64_t window, enum message_kind kind,
		     int64_t number)
{
	buf_addf(out, "w%" PRId64 ":%s:%" PRId64, window, decide_messages[kind],
		 number);
}

bool
life_json_parse_message_id(struct str id, int64_t *window,
			   enum message_kind *kind, int64_t *number)
{
	struct str first = str_cut(&id, ':'), word = str_cut(&id, ':');

	*window = life_json_window_number(first);
	*number = number_of(id, INT64_C(999999999999));
	for (unsigned i = 0; i < MESSAGE_COUNT; i++)
		if (str_is(word, decide_messages[i])) {
			*kind = (enum message_kind)i;
			return *window != 0 && *number != 0;
		}
	return false;
}

/* ---- writing ----------------------------------------------------------- */

/* NULL is null. */
static void
member_word(struct json_writer *w, const char *key, const char *word)
{
	if (word == NULL)
		json_member_null(w, key);
	else
		json_member_string(w, key, str_of(word));
}

static void
member_window(struct json_writer *w, const char *key, int64_t window)
{
	struct buf id = BUF_INIT;

	if (window == 0) {
		json_member_null(w, key);
		return;
	}
	life_json_window(&id, window);
	json_member_string(w, key, buf_str(&id));
	buf_release(&id);
}

static void
write_pending(struct json_writer *w, const struct life_pending *pending)
{
	if (pending->window == 0) {
		json_member_null(w, "pending");
		return;
	}
	json_key(w, "pending");
	json_open_object(w);
	member_window(w, "window_id", pending->window);
	member_word(w, "reason", decide_reasons[pending->reason]);
	json_member_boolean(w, "resume", pending->resume);
	json_close_object(w);
}

static void
write_claim(struct json_writer *w, const struct life_claim *claim)
{
	if (claim->pid == 0) {
		json_member_null(w, "claim");
		return;
	}
	json_key(w, "claim");
	json_open_object(w);
	json_member_integer(w, "pid", claim->pid);
	json_member_integer(w, "at_ms", claim->at_ms);
	json_member_string(w, "path", buf_str(&claim->path));
	json_member_integer(w, "bytes", claim->bytes);
	json_member_integer(w, "updated_ms", claim->updated_ms);
	json_close_object(w);
}

static void
write_usage(struct json_writer *w, const struct life *life)
{
	json_key(w, "usage");
	json_open_object(w);
	if (life->usage_known) {
		json_member_integer(w, "used_tokens", life->used);
		json_member_integer(w, "context_window", life->context_window);
	} else {
		json_member_null(w, "used_tokens");
		json_member_null(w, "context_window");
	}
	json_member_string(w, "model", buf_str(&life->model));
	json_close_object(w);
}

static void
write_outbox(struct json_writer *w, const struct life *life)
{
	struct buf id = BUF_INIT;

	json_key(w, "outbox");
	json_open_array(w);
	for (unsigned i = 0; i < MESSAGE_COUNT; i++) {
		if (life->outbox[i].number == 0)
			continue;
		buf_reset(&id);
		life_json_message_id(&id, life->window, (enum message_kind)i,
				     life->outbox[i].number);
		json_open_object(w);
		json_member_string(w, "message_id", buf_str(&id));
		json_member_string(w, "text", buf_str(&life->outbox[i].text));
		json_close_object(w);
	}
	json_close_array(w);
	buf_release(&id);
}

void
life_json_write(const struct life *life, struct str root, struct str agent,
		struct buf *out)
{
	struct json_writer w;

	json_begin(&w, out);
	json_open_object(&w);
	json_member_integer(&w, "version", VERSION);
	json_member_string(&w, "root", root);
	json_member_string(&w, "agent_name", agent);
	json_member_integer(&w, "window_number", life->window);
	member_window(&w, "previous_window_id", life->previous);
	member_word(&w, "reminder", decide_reminders[life->reminder]);
	member_word(&w, "checkpoint_kind", decide_kinds[life->kind]);
	member_word(&w, "checkpoint_stage", decide_stages[life->stage]);
	member_word(&w, "request", decide_requests[life->request]);
	write_pending(&w, &life->pending);
	write_claim(&w, &life->claim);
	json_member_boolean(&w, "note_saved", life->note_saved);
	json_member_boolean(&w, "hard_latched", life->hard_latched);
	write_usage(&w, life);
	member_word(&w, "identity", decide_identities[life->identity]);
	json_member_boolean(&w, "migration_shown", life->migration_shown);
	write_outbox(&w, life);
	json_member_integer(&w, "message_count", life->message_count);
	json_close_object(&w);
	buf_addc(out, '\n');
}

/* ---- reading ----------------------------------------------------------- */

/*
 * Reads member after member of one object; the first that is not as it must
 * be makes all of it invalid.
 */
struct reader {
	struct str object;
	struct buf scratch;
	bool bad;
};

static struct str
text_of(struct reader *r, const char *key)
{
	struct str v = json_get(r->object, key);

	if (json_kind(v) != JSON_STRING) {
		r->bad = true;
		return STR("");
	}
	return json_text(v, &r->scratch);
}

static bool
is_null(struct reader *r, const char *key)
{
	return json_kind(json_get(r->object, key)) == JSON_NULL;
}

static bool
boolean_of(struct reader *r, const char *key)
{
	struct str v = json_get(r->object, key);

	if (json_kind(v) != JSON_BOOLEAN)
		r->bad = true;
	return json_is_true(v);
}

static int64_t
integer_of(struct reader *r, const char *key, int64_t min)
{
	int64_t v = min;

	if (!json_to_integer(json_get(r->object, key), &v) || v < min)
		r->bad = true;
	return v;
}

/* One of words, of which a NULL first stands for null. */
static int
word_of(struct reader *r, const char *key, const char *const words[])
{
	struct str text;

	if (words[0] == NULL && is_null(r, key))
		return 0;
	text = text_of(r, key);
	for (int i = words[0] == NULL; words[i] != NULL; i++)
		if (str_is(text, words[i]))
			return i;
	r->bad = true;
	return 0;
}

static int64_t
window_of(struct reader *r, const char *key)
{
	int64_t window;

	if (is_null(r, key))
		return 0;
	window = life_json_window_number(text_of(r, key));
	if (window == 0)
		r->bad = true;
	return window;
}

/* A reader of a member that is an object; false where it is null. */
static bool
enter(struct reader *r, const char *key, struct reader *inner)
{
	*inner = (struct reader){ .object = json_get(r->object, key),
				  .scratch = BUF_INIT };
	if (json_kind(inner->object) == JSON_OBJECT)
		return true;
	if (json_kind(inner->object) != JSON_NULL)
		r->bad = true;
	return false;
}

static void
leave(struct reader *r, struct reader *inner)
{
	r->bad = r->bad || inner->bad;
	buf_release(&inner->scratch);
}

static void
read_pending(struct reader *r, struct life_pending *pending)
{
	struct reader in;

	if (enter(r, "pending", &in)) {
		pending->window = window_of(&in, "window_id");
		pending->reason = (enum life_reason)word_of(&in, "reason",
							    decide_reasons);
		pending->resume = boolean_of(&in, "resume");
		in.bad = in.bad || pending->window == 0;
	}
	leave(r, &in);
}

static void
read_claim(struct reader *r, struct life_claim *claim)
{
	struct reader in;

	if (enter(r, "claim", &in)) {
		claim->pid = integer_of(&in, "pid", 1);
		claim->at_ms = integer_of(&in, "at_ms", -PTRDIFF_MAX);
		buf_add_str(&claim->path, text_of(&in, "path"));
		claim->bytes = integer_of(&in, "bytes", 0);
		claim->updated_ms = integer_of(&in, "updated_ms", -PTRDIFF_MAX);
	}
	leave(r, &in);
}

static void
read_usage(struct reader *r, struct life *life)
{
	struct reader in;

	if (!enter(r, "usage", &in)) {
		r->bad = true;
	} else {
		life->usage_known = !is_null(&in, "used_tokens");
		if (life->usage_known) {
			life->used = integer_of(&in, "used_tokens", 0);
			life->context_window = integer_of(&in, "context_window",
							  1);
		}
		buf_add_str(&life->model, text_of(&in, "model"));
	}
	leave(r, &in);
}

static void
read_outbox(struct reader *r, struct life *life)
{
	struct str rows = json_get(r->object, "outbox"), row;
	struct json_iter it = json_iterate(rows);
	enum message_kind kind;
	int64_t window, number;

	if (json_kind(rows) != JSON_ARRAY)
		r->bad = true;
	while (!r->bad && json_next_element(&it, &row)) {
		struct reader in = { .object = row, .scratch = BUF_INIT };

		if (!life_json_parse_message_id(text_of(&in, "message_id"),
						&window, &kind, &number) ||
		    window != life->window || number > life->message_count ||
		    life->outbox[kind].number != 0) {
			in.bad = true;
		} else {
			life->outbox[kind].number = number;
			buf_add_str(&life->outbox[kind].text,
				    text_of(&in, "text"));
		}
		leave(r, &in);
	}
}

bool
life_json_read(struct life *life, struct str root, struct str agent,
	       struct str json)
{
	struct reader r = { .scratch = BUF_INIT };

	if (json_check(json, 8, 0, NULL) != 0)
		return false;
	r.object = json_value(json);
	r.bad = integer_of(&r, "version", 0) != VERSION ||
		!str_eq(text_of(&r, "root"), root) ||
		!str_eq(text_of(&r, "agent_name"), agent);
	life->window = integer_of(&r, "window_number", 1);
	life->previous = window_of(&r, "previous_window_id");
	life->reminder = (enum life_reminder)word_of(&r, "reminder",
						     decide_reminders);
	life->kind = (enum life_kind)word_of(&r, "checkpoint_kind",
					     decide_kinds);
	life->stage = (enum life_stage)word_of(&r, "checkpoint_stage",
					       decide_stages);
	life->request = (enum life_request)word_of(&r, "request",
						   decide_requests);
	read_pending(&r, &life->pending);
	read_claim(&r, &life->claim);
	life->note_saved = boolean_of(&r, "note_saved");
	life->hard_latched = boolean_of(&r, "hard_latched");
	read_usage(&r, life);
	life->identity = (enum life_identity)word_of(&r, "identity",
						     decide_identities);
	life->migration_shown = boolean_of(&r, "migration_shown");
	life->message_count = integer_of(&r, "message_count", 0);
	read_outbox(&r, life);
	r.bad = r.bad || life->window > LIFE_JSON_WINDOW_MAX ||
		(life->kind == KIND_NONE) != (life->stage == STAGE_NONE);
	if (r.bad) {
		decide_release(life);
		decide_init(life);
	}
	buf_release(&r.scratch);
	return !r.bad;
}
