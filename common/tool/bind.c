#include "tool/bind.h"

#include <assert.h>
#include <stdlib.h>

#include "base/utf8.h"
#include "base/xalloc.h"
#include "text/near.h"
#include "tool/suggest.h"

#define NUMBER_SHOWN 40 /* characters of a number in a message */
#define PARAMS_MOST 64	/* of one table */

/*
 * Where in the arguments a value stands: `edits[3].oldText`.  It is as deep as
 * declarations go.
 */
struct place {
	const struct place *outer;
	const char *name;
	size_t index;
	bool indexed;
};

void
args_init(struct args *a, size_t args_size)
{
	*a = (struct args){ .bound = xcalloc(1, args_size) };
}

void
args_release(struct args *a)
{
	for (size_t i = 0; i < a->owned_n; i++)
		free(a->owned[i]);
	free(a->owned);
	free(a->bound);
	*a = (struct args){ .bound = NULL };
}

static void *
keep(struct args *a, void *p)
{
	XGROW(a->owned, a->owned_n + 1, a->owned_cap);
	a->owned[a->owned_n++] = p;
	return p;
}

void *
args_own(struct args *a, size_t n, size_t size)
{
	return keep(a, xcalloc(n, size));
}

struct str
args_text(struct args *a, struct str string)
{
	struct buf text = BUF_INIT;
	size_t n;

	json_decode(string, &text);
	n = text.len;
	return (struct str){ keep(a, buf_detach(&text)), n };
}

/* ---- words for messages ------------------------------------------------ */

static void
add_given(struct buf *out, struct str value)
{
	struct buf text = BUF_INIT;

	switch (json_kind(value)) {
	case JSON_NONE:
		buf_adds(out, "nothing");
		break;
	case JSON_STRING:
		buf_adds(out, "string ");
		fail_quote(out, json_text(value, &text));
		break;
	case JSON_NUMBER:
		buf_add(out, value.s,
			value.n <= NUMBER_SHOWN ? value.n : NUMBER_SHOWN);
		if (value.n > NUMBER_SHOWN)
			buf_adds(out, "\xe2\x80\xa6");
		break;
	case JSON_BOOLEAN:
	case JSON_NULL:
		buf_add_str(out, value);
		break;
	case JSON_ARRAY:
		buf_adds(out, "array");
		break;
	case JSON_OBJECT:
		buf_adds(out, "object");
		break;
	}
	buf_release(&text);
}

/* As deep as the declaration. */
static void
/* NOLINTNEXTLINE(misc-no-recursion) */
add_place(struct buf *out, const struct place *at)
{
	if (at->outer != NULL) {
		add_place(out, at->outer);
		buf_addc(out, '.');
	}
	buf_adds(out, at->name);
	if (at->indexed)
		buf_addf(out, "[%zu]", at->index);
}

static void
suggest_value(struct buf *out, struct str value, const struct place *at,
	      const struct param *p)
{
	struct buf text = BUF_INIT;
	struct suggestion meant = SUGGESTION(json_text(value, &text));

	if ((p->type == PARAM_ENUM || at->indexed) && p->values != NULL &&
	    json_kind(value) == JSON_STRING)
		suggest_values(&meant, p->values);
	suggest_add(out, &meant, "");
	buf_release(&text);
}

static int
wrong(const struct place *at, struct str value, const char *note,
      const struct param *p, struct fail *fail)
{
	struct buf text = BUF_INIT;

	add_place(&text, at);
	buf_adds(&text, ": ");
	add_given(&text, value);
	buf_addf(&text, "%s given; legal: ", note);
	if (at->indexed)
		param_entry_legal(&text, p);
	else
		param_legal(&text, p);
	suggest_value(&text, value, at, p);
	fail_invalid(fail, "%s", text.data);
	buf_release(&text);
	return -1;
}

/* ---- binding one value ------------------------------------------------- */

static int
take_string(struct args *a, struct str *text, const struct place *at,
	    struct str value, const struct param *p, struct fail *fail)
{
	char note[64];
	size_t n;

	if (json_kind(value) != JSON_STRING)
		return wrong(at, value, "", p, fail);
	*text = args_text(a, value);
	if (!p->nul && str_has(*text, '\0'))
		return wrong(at, value, " with U+0000", p, fail);
	if (p->min == 0 && p->max == 0)
		return 0;
	n = p->bytes ? text->n : utf8_count(*text);
	if (n >= (size_t)p->min && (p->max == 0 || n <= (size_t)p->max))
		return 0;
	(void)snprintf(note, sizeof(note), " of %zu %s", n,
		       p->bytes ? "bytes" : "characters");
	return wrong(at, value, note, p, fail);
}

static bool
take_integer(int64_t *v, struct str value, const struct param *p)
{
	return json_kind(value) == JSON_NUMBER && json_to_integer(value, v) &&
	       *v >= p->min && *v <= p->max;
}

static int
value_index(struct str value, const struct param *p)
{
	if (json_kind(value) == JSON_STRING)
		for (int i = 0; p->values[i] != NULL; i++)
			if (json_string_is(value, p->values[i]))
				return i;
	return -1;
}

/* Checks that it is an array of as many items as there may be. */
static int
take_count(size_t *n, const struct place *at, struct str value,
	   const struct param *p, struct fail *fail)
{
	struct json_iter it = json_iterate(value);
	struct str entry;
	char note[64];

	if (json_kind(value) != JSON_ARRAY)
		return wrong(at, value, "", p, fail);
	for (*n = 0; json_next_element(&it, &entry); (*n)++)
		;
	if (*n >= p->min_items && (p->max_items == 0 || *n <= p->max_items))
		return 0;
	(void)snprintf(note, sizeof(note), " of %zu items", *n);
	return wrong(at, value, note, p, fail);
}

static int
bind_string(struct args *a, void *to, const struct place *at, struct str value,
	    const struct param *p, struct fail *fail)
{
	struct arg_string *arg = to;
	struct str text;

	if (take_string(a, &text, at, value, p, fail) != 0)
		return -1;
	*arg = (struct arg_string){ .s = text.s, .n = text.n, .given = true };
	return 0;
}

static int
bind_enum_list(void *to, struct place *at, struct str value,
	       const struct param *p, struct fail *fail)
{
	struct json_iter it = json_iterate(value);
	struct arg_set *arg = to;
	struct str entry;
	size_t n;
	int i;

	if (take_count(&n, at, value, p, fail) != 0)
		return -1;
	at->indexed = true;
	for (; json_next_element(&it, &entry); at->index++) {
		i = value_index(entry, p);
		if (i < 0)
			return wrong(at, entry, "", p, fail);
		arg->bits |= UINT64_C(1) << i;
	}
	arg->given = true;
	return 0;
}

static int
bind_strings(struct args *a, void *to, struct place *at, struct str value,
	     const struct param *p, struct fail *fail)
{
	struct json_iter it = json_iterate(value);
	struct arg_list *arg = to;
	struct str entry;
	size_t n = 1;
	bool one = p->type == PARAM_STRING_OR_LIST &&
		   json_kind(value) == JSON_STRING;

	if (!one && take_count(&n, at, value, p, fail) != 0)
		return -1;
	arg->v = args_own(a, n, sizeof(*arg->v));
	arg->given = true;
	if (one) {
		arg->n = 1;
		return take_string(a, arg->v, at, value, p, fail);
	}
	at->indexed = true;
	for (; json_next_element(&it, &entry); arg->n++) {
		at->index = arg->n;
		if (take_string(a, &arg->v[arg->n], at, entry, p, fail) != 0)
			return -1;
	}
	return 0;
}

static int
bind_integers(struct args *a, void *to, struct place *at, struct str value,
	      const struct param *p, struct fail *fail)
{
	struct json_iter it = json_iterate(value);
	struct arg_integers *arg = to;
	struct str entry;
	size_t n;

	if (take_count(&n, at, value, p, fail) != 0)
		return -1;
	arg->v = args_own(a, n, sizeof(*arg->v));
	arg->given = true;
	at->indexed = true;
	for (; json_next_element(&it, &entry); arg->n++) {
		at->index = arg->n;
		if (!take_integer(&arg->v[arg->n], entry, p))
			return wrong(at, entry, "", p, fail);
	}
	return 0;
}

static int
bind_map(struct args *a, void *to, const struct place *outer, struct str value,
	 const struct param *p, struct fail *fail)
{
	struct json_iter it = json_iterate(value), count = it;
	struct arg_map *arg = to;
	struct arg_pair *pair;
	struct str key, entry;
	size_t n = 0;

	if (json_kind(value) != JSON_OBJECT)
		return wrong(outer, value, "", p, fail);
	while (json_next_member(&count, &key, &entry))
		n++;
	arg->v = args_own(a, n, sizeof(*arg->v));
	arg->given = true;
	for (; json_next_member(&it, &key, &entry); arg->n++) {
		struct place at = { outer, "", 0, false };

		pair = &arg->v[arg->n];
		pair->key = args_text(a, key);
		at.name = pair->key.s;
		if (str_has(pair->key, '\0'))
			return wrong(outer, key, " with U+0000 as a name", p,
				     fail);
		if (p->null_values && json_kind(entry) == JSON_NULL)
			continue;
		at.indexed = false;
		if (json_kind(entry) != JSON_STRING)
			return wrong(&at, entry, "", p, fail);
		if (take_string(a, &pair->value, &at, entry, p, fail) != 0)
			return -1;
	}
	return 0;
}

static int
bind_kind(struct args *a, void *to, const struct place *at, struct str value,
	  const struct param *p, struct fail *fail)
{
	struct buf note = BUF_INIT;
	int rc = p->kind->bind(a, to, value, &note);

	if (rc != 0)
		rc = wrong(at, value, note.data, p, fail);
	buf_release(&note);
	return rc;
}

/* Recursion here is as deep as the declaration, whatever the input is. */
/* NOLINTBEGIN(misc-no-recursion) */
static int bind_object(struct args *a, char *base, const struct place *outer,
		       struct str object, const struct param *params,
		       struct args_rules rules, struct fail *fail);

/* A list of objects, or of values of a kind. */
static int
bind_objects(struct args *a, void *to, struct place *at, struct str value,
	     const struct param *p, struct fail *fail)
{
	struct json_iter it = json_iterate(value);
	struct arg_objects *arg = to;
	struct str entry;
	size_t n;
	char *next;
	int rc;

	if (take_count(&n, at, value, p, fail) != 0)
		return -1;
	arg->v = args_own(a, n, p->field_size);
	arg->given = true;
	at->indexed = true;
	for (; json_next_element(&it, &entry); arg->n++) {
		at->index = arg->n;
		next = (char *)arg->v + arg->n * p->field_size;
		if (p->type == PARAM_KIND_LIST)
			rc = bind_kind(a, next, at, entry, p, fail);
		else if (json_kind(entry) != JSON_OBJECT)
			rc = wrong(at, entry, "", p, fail);
		else
			rc = bind_object(a, next, at, entry, p->fields,
					 (struct args_rules){ 0 }, fail);
		if (rc != 0)
			return -1;
	}
	return 0;
}

static int
bind_value(struct args *a, void *to, struct place *at, struct str value,
	   const struct param *p, struct fail *fail)
{
	int64_t v;
	int i;

	if (p->blank_is_absent && str_eq(value, STR("\"\"")))
		return 0;
	if (p->nullable && json_kind(value) == JSON_NULL)
		return 0;
	switch (p->type) {
	case PARAM_STRING:
		return bind_string(a, to, at, value, p, fail);
	case PARAM_INTEGER:
		if (!take_integer(&v, value, p))
			break;
		*(struct arg_integer *)to = (struct arg_integer){ v, true };
		return 0;
	case PARAM_BOOLEAN:
		if (json_kind(value) != JSON_BOOLEAN)
			break;
		*(struct arg_boolean *)to =
			(struct arg_boolean){ json_is_true(value), true };
		return 0;
	case PARAM_ENUM:
		i = value_index(value, p);
		if (i < 0)
			break;
		*(struct arg_enum *)to = (struct arg_enum){ i, true };
		return 0;
	case PARAM_ENUM_LIST:
		return bind_enum_list(to, at, value, p, fail);
	case PARAM_STRING_LIST:
	case PARAM_STRING_OR_LIST:
		return bind_strings(a, to, at, value, p, fail);
	case PARAM_INTEGER_LIST:
		return bind_integers(a, to, at, value, p, fail);
	case PARAM_OBJECT_LIST:
	case PARAM_KIND_LIST:
		return bind_objects(a, to, at, value, p, fail);
	case PARAM_STRING_MAP:
		return bind_map(a, to, at, value, p, fail);
	case PARAM_JSON:
		if (p->json != JSON_NONE && json_kind(value) != p->json)
			break;
		*(struct arg_json *)to = (struct arg_json){ value, true };
		return 0;
	case PARAM_KIND:
		return bind_kind(a, to, at, value, p, fail);
	}
	return wrong(at, value, "", p, fail);
}

/* ---- binding an object ------------------------------------------------- */

static void
set_defaults(char *base, const struct param *params)
{
	void *to;

	for (const struct param *p = params; p->name != NULL; p++) {
		to = base + p->offset;
		if (p->type == PARAM_STRING)
			((struct arg_string *)to)->s = "";
		else if (p->type == PARAM_INTEGER)
			((struct arg_integer *)to)->v = p->fallback;
		else if (p->type == PARAM_BOOLEAN)
			((struct arg_boolean *)to)->v = p->fallback != 0;
		else if (p->type == PARAM_ENUM)
			((struct arg_enum *)to)->v = p->has_fallback
							     ? (int)p->fallback
							     : -1;
	}
}

static int
unknown_field(const struct place *outer, struct str name,
	      const struct param *params, struct fail *fail)
{
	struct suggestion meant = SUGGESTION(name);
	struct buf text = BUF_INIT;
	const char *const *why;
	const struct param *p;

	if (outer != NULL) {
		add_place(&text, outer);
		buf_adds(&text, ": ");
	}
	fail_quote(&text, name);
	buf_adds(&text, " is not a parameter; legal: ");
	for (p = params; p->name != NULL; p++)
		buf_addf(&text, "%s%s", p == params ? "" : ", ", p->name);
	if (p == params)
		buf_adds(&text, "none");
	/* What the end of the table says of this name. */
	for (why = p->values; why != NULL && *why != NULL; why += 2)
		if (str_is(name, why[0]))
			buf_addf(&text, "; %s", why[1]);
	suggest_params(&meant, params);
	suggest_add(&text, &meant, "");
	fail_invalid(fail, "%s", text.data);
	buf_release(&text);
	return -1;
}

static int
bind_object(struct args *a, char *base, const struct place *outer,
	    struct str object, const struct param *params,
	    struct args_rules rules, struct fail *fail)
{
	struct json_iter it = json_iterate(object);
	struct buf scratch = BUF_INIT;
	struct str key, name, value;
	const struct param *p;
	uint64_t seen = 0;
	int rc = 0;

	set_defaults(base, params);
	while (rc == 0 && json_next_member(&it, &key, &value)) {
		name = json_text(key, &scratch);
		p = param_find(params, name);
		if (p != NULL) {
			struct place at = { outer, p->name, 0, false };

			assert(p - params < PARAMS_MOST);
			seen |= UINT64_C(1) << (p - params);
			rc = rules.stream && p->streamed
				     ? fail_invalid(fail,
						    "%s: given with stream; "
						    "legal: on stdin",
						    p->name)
				     : bind_value(a, base + p->offset, &at,
						  value, p, fail);
		} else if (!rules.open) {
			rc = unknown_field(outer, name, params, fail);
		}
	}
	for (p = params; rc == 0 && p->name != NULL; p++) {
		struct place at = { outer, p->name, 0, false };

		if (p->required && (seen & UINT64_C(1) << (p - params)) == 0 &&
		    !(rules.stream && p->streamed) && p != rules.supplied)
			rc = wrong(&at, (struct str){ NULL, 0 }, "", p, fail);
	}
	buf_release(&scratch);
	return rc;
}
/* NOLINTEND(misc-no-recursion) */

int
args_bind(struct args *a, struct str object, const struct param *params,
	  struct args_rules rules, struct fail *fail)
{
	static const struct param none[] = { PARAM_END };

	return bind_object(a, a->bound, NULL, object,
			   params == NULL ? none : params, rules, fail);
}

int
args_check(const struct tool *tool, struct str text, struct json_error *error)
{
	return json_check(text,
			  tool->input_depth > 0 ? tool->input_depth
						: TOOL_INPUT_DEPTH,
			  tool->input_nul ? JSON_ALLOW_NUL : 0, error);
}
