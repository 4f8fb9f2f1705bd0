#include "output/state.h"

#include <assert.h>

#include "output/value_edit.h"

static const char *const reasons[] = { "lines", "bytes" };

static struct value *
string(const char *s)
{
	return value_new_string(str_of(s));
}

static struct value *
integer(int64_t n)
{
	return value_new_integer((uint64_t)n);
}

static struct value *
account(const struct truncation *t)
{
	struct value *v = value_new_object();

	value_put_as(v, "truncated", value_new_boolean(t->truncated));
	value_put_as(v, "truncatedBy",
		     t->by < 0 ? value_new_scalar(JSON_NULL, STR("null"))
			       : string(reasons[t->by]));
	value_put_as(v, "totalLines", integer(t->total_lines));
	value_put_as(v, "totalBytes", integer(t->total_bytes));
	value_put_as(v, "outputLines", integer(t->output_lines));
	value_put_as(v, "outputBytes", integer(t->output_bytes));
	value_put_as(v, "lastLinePartial",
		     value_new_boolean(t->last_line_partial));
	value_put_as(v, "firstLineExceedsLimit",
		     value_new_boolean(t->first_line_exceeds));
	value_put_as(v, "maxLines", integer(t->max_lines));
	value_put_as(v, "maxBytes", integer(t->max_bytes));
	return v;
}

struct value *
state_new(const struct truncation *t)
{
	struct value *state = value_new_object();
	struct value *content = value_new_array();
	struct value *text = value_new_object();

	value_put_as(text, "type", string("text"));
	value_put_as(text, "text", string(""));
	value_push(content, text);
	value_put_as(state, "content", content);
	value_put_as(state, "details", value_new_object());
	value_put_as(state, "terminate", value_new_boolean(false));
	value_put_as(state, "truncation", account(t));
	return state;
}

/* The members in the order in which they are told of. */
static void
put_in_order(struct value **state)
{
	static const char *const order[] = { "content",	  "details",
					     "usage",	  "addedTools",
					     "terminate", "truncation",
					     "spillPath", "lastLineBytes" };
	struct value *ordered = value_new_object(), *v;
	size_t i;

	for (i = 0; i < sizeof(order) / sizeof(order[0]); i++) {
		v = value_get(*state, order[i]);
		if (v != NULL)
			value_put_as(ordered, order[i], value_ref(v));
	}
	value_free(*state);
	*state = ordered;
}

void
state_set(struct value **state, const char *key, struct value *v)
{
	size_t at = value_find(*state, str_of(key));
	struct value_member old;

	if (at == VALUE_NONE && v == NULL)
		return;
	(void)value_own(state);
	at = value_find(*state, str_of(key)); /* a copy has no gaps */
	if (at == VALUE_NONE) {
		value_put_as(*state, key, v);
		put_in_order(state);
	} else if (v != NULL) {
		value_free(*value_slot(*state, at));
		*value_slot(*state, at) = v;
	} else {
		old = value_delete(*state, at);
		value_free(old.key);
		value_free(old.value);
		value_tidy(*state);
	}
}

/* The content of a state, made its own. */
static struct value *
content(struct value **state)
{
	size_t at;

	(void)value_own(state);
	at = value_find(*state, STR("content"));
	return value_own(value_slot(*state, at));
}

struct str
state_text(const struct value *state)
{
	const struct value *block = value_item(value_get(state, "content"), 0);

	return value_str(value_get(block, "text"));
}

void
state_set_text(struct value **state, struct str text)
{
	struct value *block, **slot;

	if (str_eq(state_text(*state), text))
		return;
	block = value_own(value_slot(content(state), 0));
	slot = value_slot(block, value_find(block, STR("text")));
	value_free(*slot);
	*slot = value_new_string(text);
}

void
state_add_image(struct value **state, struct str data, struct str mime_type)
{
	struct value *image = value_new_object();

	value_put_as(image, "type", string("image"));
	value_put_as(image, "data", value_new_string(data));
	value_put_as(image, "mimeType", value_new_string(mime_type));
	value_push(content(state), image);
}

size_t
state_images(const struct value *state)
{
	return value_count(value_get(state, "content")) - 1;
}

void
state_set_account(struct value **state, const struct truncation *t,
		  struct str spill_path)
{
	state_set(state, "truncation", account(t));
	state_set(state, "spillPath",
		  spill_path.n == 0 ? NULL : value_new_string(spill_path));
	state_set(state, "lastLineBytes",
		  t->last_line_partial ? integer(t->last_line_bytes) : NULL);
}

/* ---- reading ----------------------------------------------------------- */

static bool
take_boolean(const struct value *v, const char *key, bool *b)
{
	v = value_get(v, key);
	if (v == NULL || v->kind != JSON_BOOLEAN)
		return false;
	*b = str_is(value_str(v), "true");
	return true;
}

static bool
take_integer(const struct value *v, const char *key, int64_t *n)
{
	uint64_t u;

	v = value_get(v, key);
	if (v == NULL || !value_integer(v, &u))
		return false;
	*n = (int64_t)u;
	return true;
}

static bool
take_reason(const struct value *v, int *by)
{
	v = value_get(v, "truncatedBy");
	if (v == NULL || (v->kind != JSON_NULL && v->kind != JSON_STRING))
		return false;
	*by = -1;
	if (v->kind == JSON_NULL)
		return true;
	for (*by = 0; *by < 2; (*by)++)
		if (str_is(value_str(v), reasons[*by]))
			return true;
	return false;
}

#define ACCOUNT_MEMBERS 10

bool
state_account(const struct value *truncation,
	      const struct value *last_line_bytes, struct truncation *t)
{
	const struct value *v = truncation;
	uint64_t n;

	*t = (struct truncation){ .last_line_bytes = -1 };
	if (v == NULL || value_count(v) != ACCOUNT_MEMBERS ||
	    !take_boolean(v, "truncated", &t->truncated) ||
	    !take_reason(v, &t->by) ||
	    !take_integer(v, "totalLines", &t->total_lines) ||
	    !take_integer(v, "totalBytes", &t->total_bytes) ||
	    !take_integer(v, "outputLines", &t->output_lines) ||
	    !take_integer(v, "outputBytes", &t->output_bytes) ||
	    !take_boolean(v, "lastLinePartial", &t->last_line_partial) ||
	    !take_boolean(v, "firstLineExceedsLimit", &t->first_line_exceeds) ||
	    !take_integer(v, "maxLines", &t->max_lines) ||
	    !take_integer(v, "maxBytes", &t->max_bytes))
		return false;
	if (last_line_bytes == NULL)
		return true;
	if (!value_integer(last_line_bytes, &n))
		return false;
	t->last_line_bytes = (int64_t)n;
	return true;
}

static bool
is_block(const struct value *v, const char *type, const char *const *members)
{
	const struct value *m = value_get(v, "type");

	if (m == NULL || m->kind != JSON_STRING || !str_is(value_str(m), type))
		return false;
	for (; *members != NULL; members++) {
		m = value_get(v, *members);
		if (m == NULL || m->kind != JSON_STRING)
			return false;
	}
	return true;
}

static bool
is_content(const struct value *v)
{
	static const char *const text[] = { "text", NULL };
	static const char *const image[] = { "data", "mimeType", NULL };
	size_t i;

	if (v == NULL || v->kind != JSON_ARRAY || value_count(v) == 0 ||
	    !is_block(value_item(v, 0), "text", text))
		return false;
	for (i = 1; i < value_count(v); i++)
		if (!is_block(value_item(v, i), "image", image))
			return false;
	return true;
}

bool
state_is(const struct value *v)
{
	const struct value *path = value_get(v, "spillPath");
	const struct value *usage = value_get(v, "usage");
	const struct value *tools = value_get(v, "addedTools");
	struct truncation t;
	bool terminate;

	return is_content(value_get(v, "content")) &&
	       value_get(v, "details") != NULL &&
	       take_boolean(v, "terminate", &terminate) &&
	       state_account(value_get(v, "truncation"),
			     value_get(v, "lastLineBytes"), &t) &&
	       (path == NULL || path->kind == JSON_STRING) &&
	       (usage == NULL || usage->kind == JSON_OBJECT) &&
	       (tools == NULL || tools->kind == JSON_ARRAY);
}
