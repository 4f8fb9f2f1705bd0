#include "output/sink.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "output/op.h"
#include "output/state.h"
#include "output/value_edit.h"
#include "text/sanitize.h"

void
sink_init(struct sink *s, const struct sink_options *options)
{
	struct value *details = value_new_object();
	struct truncation t;
	struct buf shown = BUF_INIT;

	*s = (struct sink){ .options = *options,
			    .note = BUF_INIT,
			    .memos = value_new_object() };
	capture_init(&s->capture, &options->capture);
	(void)replica_init(&s->details, details, NULL);
	value_free(details);
	capture_view(&s->capture, &shown, &t);
	s->state = state_new(&t);
	buf_release(&shown);
}

void
sink_release(struct sink *s)
{
	capture_release(&s->capture);
	replica_release(&s->details);
	value_free(s->state);
	value_free(s->memos);
	buf_release(&s->note);
}

struct value *
sink_state(struct sink *s)
{
	struct buf shown = BUF_INIT;
	struct truncation t;

	capture_view(&s->capture, &shown, &t);
	if (s->note.len > 0)
		truncate_join(&shown, buf_str(&s->note));
	state_set_text(&s->state, buf_str(&shown));
	if (!s->captured)
		state_set_account(&s->state, &t,
				  buf_str(&s->capture.spill.path));
	if (value_get(s->state, "details") != s->details.value)
		state_set(&s->state, "details", value_ref(s->details.value));
	buf_release(&shown);
	return s->state;
}

/* ---- events ------------------------------------------------------------ */

static int
bad_event(struct fail *fail, const char *member, const char *legal)
{
	return fail_refuse(fail, "bad_event",
			   "%s: another type given; legal: %s", member, legal);
}

/*
 * Text of the tool.  A window that was seeded in the middle of a line begins
 * a new one first.
 */
static int
take_write(struct sink *s, const struct value *v, struct fail *fail)
{
	struct buf text = BUF_INIT;
	int rc;

	if (v->kind != JSON_STRING)
		return bad_event(fail, "write", "a text");
	if (value_str(v).n == 0)
		return 0;
	if (s->seeded_break)
		buf_addc(&text, '\n');
	buf_add_str(&text, value_str(v));
	rc = capture_add_text(&s->capture, buf_str(&text), fail);
	if (rc == 0)
		s->seeded_break = false;
	buf_release(&text);
	return rc;
}

static int
take_replace(struct sink *s, const struct value *v, struct fail *fail)
{
	if (v->kind != JSON_STRING)
		return bad_event(fail, "replace", "a text");
	if (capture_replace(&s->capture, value_str(v), fail) != 0)
		return -1;
	s->seeded_break = false;
	return 0;
}

static bool
is_text(const struct value *v)
{
	return v != NULL && v->kind == JSON_STRING && value_str(v).n > 0;
}

static int
take_image(struct sink *s, const struct value *v, struct fail *fail)
{
	const struct value *data = value_get(v, "data"),
			   *mime = value_get(v, "mimeType"),
			   *type = value_get(v, "type");
	size_t n = state_images(s->state);

	if (!is_text(data) || !is_text(mime) ||
	    (type != NULL && (type->kind != JSON_STRING ||
			      !str_is(value_str(type), "image"))) ||
	    value_count(v) != 2 + (size_t)(type != NULL))
		return bad_event(fail, "image",
				 "data and mimeType, texts that are not empty");
	if (s->options.images_max > 0 && n >= s->options.images_max)
		return fail_refuse(fail, "too_many_images",
				   "image: %zu are there; legal: at most %zu",
				   n, s->options.images_max);
	state_add_image(&s->state, value_str(data), value_str(mime));
	return 0;
}

static int
take_capture(struct sink *s, const struct value *v, struct fail *fail)
{
	struct value *truncation = value_get(v, "truncation"),
		     *path = value_get(v, "spillPath"),
		     *last = value_get(v, "lastLineBytes");
	struct truncation t;

	if (v->kind != JSON_OBJECT || !state_account(truncation, last, &t) ||
	    (path != NULL && path->kind != JSON_STRING) ||
	    value_count(v) !=
		    1 + (size_t)(path != NULL) + (size_t)(last != NULL))
		return bad_event(fail, "capture",
				 "truncation with all of its ten members, "
				 "spillPath, lastLineBytes");
	state_set(&s->state, "truncation", value_ref(truncation));
	state_set(&s->state, "spillPath",
		  path == NULL ? NULL : value_ref(path));
	state_set(&s->state, "lastLineBytes",
		  last == NULL ? NULL : value_ref(last));
	s->captured = true;
	spill_close(&s->capture.spill);
	s->capture.spill.when = SPILL_NEVER;
	return 0;
}

static int
take_details(struct sink *s, const struct value *batch, struct fail *fail)
{
	size_t most = s->options.details_max_bytes, i;
	struct buf message = BUF_INIT;
	struct op op;
	int rc = 0;

	if (batch->kind != JSON_ARRAY)
		return bad_event(fail, "details", "an array of ops");
	apply_begin(&s->details);
	for (i = 0; rc == 0 && i < value_count(batch); i++) {
		rc = op_read(value_item(batch, i), s->options.verbs, &op, fail);
		/* It stands one level down in the state. */
		if (rc == 0)
			rc = apply_op(&s->details, &op, fail);
		op_release(&op);
	}
	if (rc != 0) {
		apply_undo(&s->details);
		buf_add_str(&message, buf_str(&fail->message));
		(void)fail_refuse(fail, fail->code, "op %zu: %s", i - 1,
				  message.data);
		fail_member_integer(fail, "op", (int64_t)i - 1);
		buf_release(&message);
		return -1;
	}
	if (most > 0 && s->details.bytes > most)
		rc = fail_refuse(fail, "details_too_large",
				 "details: %zu bytes; legal: at most %zu",
				 s->details.bytes, most);
	else if (value_depth(s->details.value) >= VALUE_DEPTH)
		rc = fail_refuse(fail, "too_large",
				 "details: %u levels deep; legal: at most %d",
				 value_depth(s->details.value),
				 VALUE_DEPTH - 1);
	if (rc != 0)
		apply_undo(&s->details);
	else
		apply_commit(&s->details);
	return rc;
}

/* ---- usage ------------------------------------------------------------- */

/* An integer within 2^53, exactly. */
static bool
small(const struct value *v, int64_t *n)
{
	return json_to_integer(value_str(v), n);
}

#define SUM_DIGITS 17

/* Integers exactly up to 2^53, else as doubles in their shortest form. */
static struct value *
sum(const struct value *a, const struct value *b)
{
	struct buf x = BUF_INIT, y = BUF_INIT, text = BUF_INIT;
	int64_t m, n;
	double total;
	int digits;
	struct value *v;

	buf_add_str(&x, value_str(a));
	buf_add_str(&y, value_str(b));
	total = strtod(x.data, NULL) + strtod(y.data, NULL);
	if (small(a, &m) && small(b, &n) && m + n <= INT64_C(1) << 53 &&
	    m + n >= -(INT64_C(1) << 53))
		buf_addf(&text, "%" PRId64, m + n);
	else if (!isfinite(total)) /* JSON has no such number */
		buf_add_str(&text, value_str(b));
	else
		for (digits = 1; digits <= SUM_DIGITS; digits++) {
			buf_reset(&text);
			buf_addf(&text, "%.*g", digits, total);
			if (strtod(text.data, NULL) == total)
				break;
		}
	v = value_new_scalar(JSON_NUMBER, buf_str(&text));
	buf_release(&x);
	buf_release(&y);
	buf_release(&text);
	return v;
}

/*
 * Two objects merge, two numbers add up, anything else replaces.  Without
 * recursion: pairs of objects that are still to be merged wait in a list.
 */
static void
accumulate(struct value *into, const struct value *from)
{
	struct {
		struct value *into;
		const struct value *from;
		size_t at;
	} open[VALUE_NESTING];
	unsigned depth = 1;

	open[0].into = into;
	open[0].from = from;
	open[0].at = 0;
	while (depth > 0) {
		const struct value_member *m = value_next(open[depth - 1].from,
							  &open[depth - 1].at);
		struct value **slot, *v;
		size_t at;

		if (m == NULL) {
			depth--;
			continue;
		}
		into = open[depth - 1].into;
		at = value_find(into, value_str(m->key));
		if (at == VALUE_NONE) {
			value_put(into, value_ref(m->key), value_ref(m->value));
			continue;
		}
		slot = value_slot(into, at);
		if ((*slot)->kind == JSON_OBJECT &&
		    m->value->kind == JSON_OBJECT) {
			assert(depth < VALUE_NESTING);
			open[depth].into = value_own(slot);
			open[depth].from = m->value;
			open[depth++].at = 0;
			continue;
		}
		v = (*slot)->kind == JSON_NUMBER &&
				    m->value->kind == JSON_NUMBER
			    ? sum(*slot, m->value)
			    : value_ref(m->value);
		value_free(*slot);
		*slot = v;
	}
}

static int
take_usage(struct sink *s, const struct value *v, struct fail *fail)
{
	struct value *usage = value_get(s->state, "usage");

	if (v->kind != JSON_OBJECT)
		return bad_event(fail, "usage", "an object");
	if (value_depth(v) >= VALUE_DEPTH)
		return fail_refuse(fail, "too_large",
				   "usage: %u levels deep; legal: at most %d",
				   value_depth(v), VALUE_DEPTH - 1);
	usage = usage == NULL ? value_new_object() : value_ref(usage);
	accumulate(value_own(&usage), v);
	state_set(&s->state, "usage", usage);
	return 0;
}

/* ---- the rest ---------------------------------------------------------- */

static int
take_tools(struct sink *s, struct value *v, struct fail *fail)
{
	size_t i;

	if (v->kind != JSON_ARRAY)
		return bad_event(fail, "addTools", "an array of names");
	for (i = 0; i < value_count(v); i++)
		if (value_item(v, i)->kind != JSON_STRING)
			return bad_event(fail, "addTools", "an array of names");
	state_set(&s->state, "addedTools", value_ref(v));
	return 0;
}

static int
take_terminate(struct sink *s, struct value *v, struct fail *fail)
{
	if (v->kind != JSON_BOOLEAN)
		return bad_event(fail, "terminate", "true or false");
	state_set(&s->state, "terminate", value_ref(v));
	return 0;
}

#define MEMO_BYTES 200

static int
take_memo(struct sink *s, const struct value *v, struct str *name,
	  struct fail *fail)
{
	struct buf quoted = BUF_INIT;
	size_t at;

	if (v->kind != JSON_ARRAY || value_count(v) < 1 || value_count(v) > 2 ||
	    !is_text(value_item(v, 0)) ||
	    value_str(value_item(v, 0)).n > MEMO_BYTES)
		return bad_event(fail, "memo",
				 "[name,value] or [name], with a name of 1 to "
				 "200 bytes");
	if (!s->options.journal)
		return fail_refuse(fail, "no_journal",
				   "memo: there is no journal to keep it in; "
				   "legal: with journal");
	*name = value_str(value_item(v, 0));
	at = value_find(s->memos, *name);
	if (value_count(v) == 1 && at == VALUE_NONE) {
		fail_quote(&quoted, *name);
		(void)fail_refuse(fail, "unknown_memo", "there is no memo %s",
				  quoted.data);
		buf_release(&quoted);
		return -1;
	}
	if (value_count(v) == 2 && value_depth(value_item(v, 1)) > VALUE_DEPTH)
		return fail_refuse(fail, "too_large",
				   "memo: %u levels deep; legal: at most %d",
				   value_depth(value_item(v, 1)), VALUE_DEPTH);
	(void)value_own(&s->memos);
	at = value_find(s->memos, *name);
	if (value_count(v) == 1) {
		struct value_member old = value_delete(s->memos, at);

		value_free(old.key);
		value_free(old.value);
		value_tidy(s->memos);
	} else if (at == VALUE_NONE) {
		value_put(s->memos, value_ref(value_item(v, 0)),
			  value_ref(value_item(v, 1)));
	} else {
		value_free(*value_slot(s->memos, at));
		*value_slot(s->memos, at) = value_ref(value_item(v, 1));
	}
	return 0;
}

static bool
is_true(const struct value *v)
{
	return v->kind == JSON_BOOLEAN && str_is(value_str(v), "true");
}

static int
take_end(struct sink *s, const struct value *v, struct fail *fail)
{
	const struct value *error = value_get(v, "error"),
			   *is_error = value_get(v, "isError");

	if (v->kind != JSON_OBJECT || error == NULL ||
	    (error->kind != JSON_NULL && error->kind != JSON_STRING) ||
	    (is_error != NULL && is_error->kind != JSON_BOOLEAN) ||
	    value_count(v) != 1 + (size_t)(is_error != NULL))
		return bad_event(fail, "end",
				 "error, a text or null, and isError");
	s->ended = true;
	s->is_error = error->kind == JSON_STRING;
	if (is_error != NULL)
		s->is_error = is_true(is_error);
	if (error->kind == JSON_STRING)
		buf_add_str(&s->note, value_str(error));
	return 0;
}

static const char *const names[] = { "write",	 "replace",   "image",
				     "capture",	 "details",   "usage",
				     "addTools", "terminate", "memo",
				     "rebase",	 "flush",     "end" };
enum event {
	WRITE,
	REPLACE,
	IMAGE,
	CAPTURE,
	DETAILS,
	USAGE,
	ADD_TOOLS,
	TERMINATE,
	MEMO,
	REBASE,
	FLUSH,
	END,
	EVENTS
};

/* The one member of an event besides its time. */
static int
event_of(const struct value *event, struct value **v, struct fail *fail)
{
	const struct value_member *m;
	struct buf quoted = BUF_INIT;
	size_t at = 0;
	int found = -1, i;

	if (event->kind != JSON_OBJECT)
		return fail_refuse(
			fail, "bad_event",
			"no event; legal: an object with one member "
			"of write, replace, image, capture, details, "
			"usage, addTools, terminate, memo, rebase, "
			"flush, end");
	while ((m = value_next(event, &at)) != NULL) {
		if (str_is(value_str(m->key), "atMs"))
			continue;
		for (i = 0; i < EVENTS; i++)
			if (str_is(value_str(m->key), names[i]))
				break;
		if (i == EVENTS) {
			op_quote(&quoted, m->key);
			(void)fail_refuse(fail, "bad_event",
					  "%s is not an event; legal: write, "
					  "replace, image, capture, details, "
					  "usage, addTools, terminate, memo, "
					  "rebase, flush, end",
					  quoted.data);
			buf_release(&quoted);
			return -1;
		}
		if (found >= 0)
			return fail_refuse(fail, "bad_event",
					   "%s and %s given; legal: one of "
					   "them",
					   names[found], names[i]);
		found = i;
		*v = m->value;
	}
	if (found < 0)
		return fail_refuse(fail, "bad_event",
				   "no event given; legal: one member");
	return found;
}

int
sink_take(struct sink *s, const struct value *event, enum sink_wants *wants,
	  struct str *memo, struct fail *fail)
{
	struct value *v = NULL;
	int which = event_of(event, &v, fail);

	*wants = SINK_CHANGE;
	if (which < 0)
		return -1;
	if (s->ended)
		return fail_refuse(fail, "ended",
				   "%s: given after end; legal: no event",
				   names[which]);
	switch ((enum event)which) {
	case WRITE:
		return take_write(s, v, fail);
	case REPLACE:
		return take_replace(s, v, fail);
	case IMAGE:
		return take_image(s, v, fail);
	case CAPTURE:
		return take_capture(s, v, fail);
	case DETAILS:
		return take_details(s, v, fail);
	case USAGE:
		return take_usage(s, v, fail);
	case ADD_TOOLS:
		return take_tools(s, v, fail);
	case TERMINATE:
		return take_terminate(s, v, fail);
	case MEMO:
		*wants = SINK_MEMO;
		return take_memo(s, v, memo, fail);
	case REBASE:
	case FLUSH:
		*wants = which == REBASE ? SINK_BASE : SINK_FLUSH;
		return is_true(v) ? 0 : bad_event(fail, names[which], "true");
	default:
		*wants = SINK_END;
		return take_end(s, v, fail);
	}
}

/* ---- going on ---------------------------------------------------------- */

/*
 * Whether the last line of a truncated window ended with LF, by the rules of
 * section 7.3 in their order.
 */
static bool
last_line_complete(struct sink *s, const struct truncation *t, struct str path)
{
	int resumed = path.n == 0 ? -1
				  : spill_resume(&s->capture.spill, path,
						 (long long)t->total_bytes);

	if (resumed >= 0)
		return resumed == 1;
	if (t->output_lines == t->total_lines && !t->last_line_partial)
		return true;
	if (t->total_lines == 1 && t->last_line_partial)
		return t->total_bytes == t->last_line_bytes + 1;
	return true;
}

/* The window and its counters as the state has them. */
static void
restore(struct sink *s, struct str text, const struct truncation *t,
	struct str path)
{
	struct spill *spill = &s->capture.spill;
	bool complete;

	if (!t->truncated) {
		window_text_add(&s->capture.window, text);
		if (path.n == 0 ||
		    spill_resume(spill, path, (long long)t->total_bytes) < 0)
			buf_add_str(&spill->held, text);
		return;
	}
	complete = last_line_complete(s, t, path);
	window_text_resume(&s->capture.window, text, t, complete);
	s->seeded_break = !complete;
	/* Elsewhere the file has what was, and not what comes. */
	if (spill->fd < 0) {
		spill->when = SPILL_NEVER;
		buf_add_str(&spill->path, path);
	}
}

int
sink_seed(struct sink *s, struct value *state, struct value *memos,
	  const char *name, struct fail *fail)
{
	const struct value *path = value_get(state, "spillPath");
	struct truncation t;

	if (!state_is(state))
		return fail_refuse(fail, "bad_path",
				   "%s: its state is not a tool's output",
				   name);
	(void)state_account(value_get(state, "truncation"),
			    value_get(state, "lastLineBytes"), &t);
	restore(s, state_text(state), &t,
		path == NULL ? STR("") : value_str(path));
	value_ref(state);
	value_free(s->state);
	s->state = state;
	value_ref(memos);
	value_free(s->memos);
	s->memos = memos;
	return replica_set(&s->details, value_get(state, "details"), fail);
}
