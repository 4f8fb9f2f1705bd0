#include "tool/bind.h"

#include <stdlib.h>
#include <string.h>

#include "base/json_span.h"
#include "base/utf8.h"
#include "base/xalloc.h"

#define NUMBER_SHOWN 40 /* characters of a number in a message */

/*
 * Where in the arguments a value stands: `edits[3].oldText`.  A table inside
 * a table is as deep as declarations go.
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
	*a = (struct args){ NULL, xcalloc(1, args_size), NULL, 0, 0 };
}

void
args_release(struct args *a)
{
	size_t i;

	for (i = 0; i < a->owned_n; i++)
		free(a->owned[i]);
	free(a->owned);
	free(a->bound);
	cJSON_Delete(a->object);
	*a = (struct args){ NULL, NULL, NULL, 0, 0 };
}

static void *
own(struct args *a, size_t n, size_t size)
{
	void *p = xcalloc(n, size);

	XGROW(a->owned, a->owned_n + 1, a->owned_cap);
	a->owned[a->owned_n++] = p;
	return p;
}

/* ---- words for messages ------------------------------------------------ */

bool
param_is_boolean(const struct param *p)
{
	return p->type == PARAM_BOOLEAN;
}

bool
param_is_list(const struct param *p)
{
	return p->type == PARAM_ENUM_LIST || p->type == PARAM_STRING_LIST ||
	       p->type == PARAM_STRING_OR_LIST || p->type == PARAM_OBJECT_LIST;
}

const struct param *
param_find(const struct param *params, struct str name)
{
	const struct param *p;

	for (p = params; p != NULL && p->name != NULL; p++)
		if (str_is(name, p->name))
			return p;
	return NULL;
}

static void
add_values(struct buf *out, const char *const *values)
{
	const char *const *v;

	for (v = values; *v != NULL; v++) {
		if (v != values)
			buf_adds(out, ", ");
		buf_adds(out, *v);
	}
}

static void
add_characters(struct buf *out, const struct param *p)
{
	if (p->max > 0 && p->min > 0)
		buf_addf(out, " of %lld to %lld characters", (long long)p->min,
			 (long long)p->max);
	else if (p->max > 0)
		buf_addf(out, " of at most %lld characters", (long long)p->max);
	else if (p->min == 1)
		buf_adds(out, " that is not empty");
}

static void
add_count(struct buf *out, const struct param *p)
{
	if (p->max_items > 0)
		buf_addf(out, "at most %zu ", p->max_items);
}

static void
add_field_names(struct buf *out, const struct param *fields)
{
	const struct param *f;

	for (f = fields; f->name != NULL; f++)
		buf_addf(out, "%s%s", f == fields ? " of " : " and ", f->name);
}

void
param_legal(struct buf *out, const struct param *p)
{
	switch (p->type) {
	case PARAM_STRING:
		buf_adds(out, "string");
		add_characters(out, p);
		break;
	case PARAM_INTEGER:
		buf_adds(out, "integer");
		buf_addf(out, " from %lld to %lld", (long long)p->min,
			 (long long)p->max);
		break;
	case PARAM_BOOLEAN:
		buf_adds(out, "true or false");
		break;
	case PARAM_ENUM:
		buf_adds(out, "one of ");
		add_values(out, p->values);
		break;
	case PARAM_ENUM_LIST:
		buf_adds(out, "array of any of ");
		add_values(out, p->values);
		break;
	case PARAM_STRING_OR_LIST:
		buf_adds(out, "string, or ");
		__attribute__((fallthrough));
	case PARAM_STRING_LIST:
		buf_adds(out, "array of ");
		add_count(out, p);
		buf_adds(out, "strings");
		if (p->max > 0)
			buf_addf(out, " of at most %lld characters each",
				 (long long)p->max);
		break;
	case PARAM_OBJECT_LIST:
		buf_adds(out, "array of ");
		add_count(out, p);
		buf_adds(out, "objects");
		add_field_names(out, p->fields);
		break;
	}
}

/* The same of one entry of a list. */
static void
entry_legal(struct buf *out, const struct param *p)
{
	if (p->type == PARAM_ENUM_LIST) {
		buf_adds(out, "one of ");
		add_values(out, p->values);
	} else if (p->type == PARAM_OBJECT_LIST) {
		buf_adds(out, "object");
		add_field_names(out, p->fields);
	} else {
		buf_adds(out, "string");
		add_characters(out, p);
	}
}

/* Whether a double is an integer that it holds exactly. */
static bool
is_integer(double v)
{
	return v >= (double)PARAM_ANY_MIN && v <= (double)PARAM_ANY_MAX &&
	       v == (double)(int64_t)v;
}

void
args_keep_numbers(cJSON *object, struct str text)
{
	struct json_iter it = json_iterate(json_value(text));
	struct str key, value;
	cJSON *item;

	cJSON_ArrayForEach(item, object)
	{
		if (!json_next_member(&it, &key, &value))
			break;
		if (cJSON_IsNumber(item))
			item->valuestring = xmemdup(value.s, value.n);
	}
}

/* Whether a number is an integer, and which; see args_keep_numbers(). */
static bool
to_integer(const cJSON *item, int64_t *v)
{
	if (item->valuestring != NULL)
		return json_to_integer(str_of(item->valuestring), v);
	if (!is_integer(item->valuedouble))
		return false;
	*v = (int64_t)item->valuedouble;
	return true;
}

static void
add_number(struct buf *out, const cJSON *item)
{
	struct str text = str_of(item->valuestring);

	if (item->valuestring == NULL) {
		buf_addf(out, is_integer(item->valuedouble) ? "%.0f" : "%.17g",
			 item->valuedouble);
	} else if (text.n <= NUMBER_SHOWN) {
		buf_add_str(out, text);
	} else {
		buf_add(out, text.s, NUMBER_SHOWN);
		buf_adds(out, "\xe2\x80\xa6");
	}
}

static void
add_given(struct buf *out, const cJSON *item)
{
	if (item == NULL) {
		buf_adds(out, "nothing");
	} else if (cJSON_IsString(item)) {
		buf_adds(out, "string ");
		fail_quote(out, str_of(item->valuestring));
	} else if (cJSON_IsNumber(item)) {
		add_number(out, item);
	} else if (cJSON_IsBool(item)) {
		buf_adds(out, cJSON_IsTrue(item) ? "true" : "false");
	} else if (cJSON_IsNull(item)) {
		buf_adds(out, "null");
	} else {
		buf_adds(out, cJSON_IsArray(item) ? "array" : "object");
	}
}

static void
add_place(struct buf *out, const struct place *at)
{
	if (at->outer != NULL)
		buf_addf(out, "%s[%zu].", at->outer->name, at->outer->index);
	buf_adds(out, at->name);
	if (at->indexed)
		buf_addf(out, "[%zu]", at->index);
}

static int
wrong(const struct place *at, const cJSON *item, const char *note,
      const struct param *p, struct fail *fail)
{
	struct buf text = BUF_INIT;

	add_place(&text, at);
	buf_adds(&text, ": ");
	add_given(&text, item);
	buf_addf(&text, "%s given; legal: ", note);
	if (at->indexed)
		entry_legal(&text, p);
	else
		param_legal(&text, p);
	fail_invalid(fail, "%s", text.data);
	buf_release(&text);
	return -1;
}

/* ---- binding one value ------------------------------------------------- */

static int
check_characters(const struct place *at, const cJSON *item,
		 const struct param *p, struct fail *fail)
{
	char note[64];
	size_t n;

	if (p->min == 0 && p->max == 0)
		return 0;
	n = utf8_count(str_of(item->valuestring));
	if (n >= (size_t)p->min && (p->max == 0 || n <= (size_t)p->max))
		return 0;
	(void)snprintf(note, sizeof(note), " of %zu characters", n);
	return wrong(at, item, note, p, fail);
}

static int
bind_string(void *to, const struct place *at, const cJSON *item,
	    const struct param *p, struct fail *fail)
{
	struct arg_string *arg = to;

	if (!cJSON_IsString(item))
		return wrong(at, item, "", p, fail);
	if (check_characters(at, item, p, fail) != 0)
		return -1;
	*arg = (struct arg_string){ item->valuestring,
				    strlen(item->valuestring), true };
	return 0;
}

static int
bind_integer(void *to, const struct place *at, const cJSON *item,
	     const struct param *p, struct fail *fail)
{
	struct arg_integer *arg = to;
	int64_t v;

	if (!cJSON_IsNumber(item) || !to_integer(item, &v) || v < p->min ||
	    v > p->max)
		return wrong(at, item, "", p, fail);
	*arg = (struct arg_integer){ v, true };
	return 0;
}

static int
bind_boolean(void *to, const struct place *at, const cJSON *item,
	     const struct param *p, struct fail *fail)
{
	struct arg_boolean *arg = to;

	if (!cJSON_IsBool(item))
		return wrong(at, item, "", p, fail);
	*arg = (struct arg_boolean){ cJSON_IsTrue(item) != 0, true };
	return 0;
}

static int
value_index(const cJSON *item, const struct param *p)
{
	int i;

	if (!cJSON_IsString(item))
		return -1;
	for (i = 0; p->values[i] != NULL; i++)
		if (strcmp(p->values[i], item->valuestring) == 0)
			return i;
	return -1;
}

static int
bind_enum(void *to, const struct place *at, const cJSON *item,
	  const struct param *p, struct fail *fail)
{
	int i = value_index(item, p);

	if (i < 0)
		return wrong(at, item, "", p, fail);
	*(struct arg_enum *)to = (struct arg_enum){ i, true };
	return 0;
}

static int
bind_enum_list(void *to, struct place *at, const cJSON *item,
	       const struct param *p, struct fail *fail)
{
	struct arg_set *arg = to;
	const cJSON *entry;
	int i;

	if (!cJSON_IsArray(item))
		return wrong(at, item, "", p, fail);
	at->indexed = true;
	cJSON_ArrayForEach(entry, item)
	{
		i = value_index(entry, p);
		if (i < 0)
			return wrong(at, entry, "", p, fail);
		arg->bits |= UINT64_C(1) << i;
		at->index++;
	}
	arg->given = true;
	return 0;
}

/* Checks the number of items: cJSON counts by walking, once is enough. */
static int
check_count(const struct place *at, const cJSON *item, const struct param *p,
	    size_t *n, struct fail *fail)
{
	char note[64];

	*n = (size_t)cJSON_GetArraySize(item);
	if (p->max_items == 0 || *n <= p->max_items)
		return 0;
	(void)snprintf(note, sizeof(note), " of %zu items", *n);
	return wrong(at, item, note, p, fail);
}

static int
bind_strings(struct args *a, void *to, struct place *at, const cJSON *item,
	     const struct param *p, struct fail *fail)
{
	struct arg_list *arg = to;
	const cJSON *entry;
	size_t n;

	if (cJSON_IsString(item) && p->type == PARAM_STRING_OR_LIST) {
		if (check_characters(at, item, p, fail) != 0)
			return -1;
		arg->v = own(a, 1, sizeof(*arg->v));
		arg->v[0] = str_of(item->valuestring);
		arg->n = 1;
		arg->given = true;
		return 0;
	}
	if (!cJSON_IsArray(item))
		return wrong(at, item, "", p, fail);
	if (check_count(at, item, p, &n, fail) != 0)
		return -1;
	arg->v = own(a, n, sizeof(*arg->v));
	at->indexed = true;
	cJSON_ArrayForEach(entry, item)
	{
		at->index = arg->n;
		if (!cJSON_IsString(entry))
			return wrong(at, entry, "", p, fail);
		if (check_characters(at, entry, p, fail) != 0)
			return -1;
		arg->v[arg->n++] = str_of(entry->valuestring);
	}
	arg->given = true;
	return 0;
}

/* Recursion here is as deep as the declaration, whatever the input is. */
/* NOLINTBEGIN(misc-no-recursion) */
static int bind_object(struct args *a, char *base, const struct place *outer,
		       const cJSON *object, const struct param *params,
		       struct fail *fail);

static int
bind_objects(struct args *a, void *to, struct place *at, const cJSON *item,
	     const struct param *p, struct fail *fail)
{
	struct arg_objects *arg = to;
	const cJSON *entry;
	size_t n;

	if (!cJSON_IsArray(item))
		return wrong(at, item, "", p, fail);
	if (check_count(at, item, p, &n, fail) != 0)
		return -1;
	arg->v = own(a, n, p->field_size);
	cJSON_ArrayForEach(entry, item)
	{
		at->index = arg->n;
		at->indexed = true;
		if (!cJSON_IsObject(entry))
			return wrong(at, entry, "", p, fail);
		if (bind_object(a, (char *)arg->v + arg->n * p->field_size, at,
				entry, p->fields, fail) != 0)
			return -1;
		arg->n++;
	}
	arg->given = true;
	return 0;
}

static int
bind_value(struct args *a, void *to, struct place *at, const cJSON *item,
	   const struct param *p, struct fail *fail)
{
	if (p->blank_is_absent && cJSON_IsString(item) &&
	    item->valuestring[0] == '\0')
		return 0;
	switch (p->type) {
	case PARAM_STRING:
		return bind_string(to, at, item, p, fail);
	case PARAM_INTEGER:
		return bind_integer(to, at, item, p, fail);
	case PARAM_BOOLEAN:
		return bind_boolean(to, at, item, p, fail);
	case PARAM_ENUM:
		return bind_enum(to, at, item, p, fail);
	case PARAM_ENUM_LIST:
		return bind_enum_list(to, at, item, p, fail);
	case PARAM_STRING_LIST:
	case PARAM_STRING_OR_LIST:
		return bind_strings(a, to, at, item, p, fail);
	case PARAM_OBJECT_LIST:
		return bind_objects(a, to, at, item, p, fail);
	}
	return -1;
}

/* ---- binding an object ------------------------------------------------- */

static void
set_defaults(char *base, const struct param *params)
{
	const struct param *p;
	void *to;

	for (p = params; p != NULL && p->name != NULL; p++) {
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
unknown_field(const struct place *outer, const char *name,
	      const struct param *params, struct fail *fail)
{
	struct buf text = BUF_INIT;
	const struct param *p;

	if (outer != NULL)
		buf_addf(&text, "%s[%zu]: ", outer->name, outer->index);
	fail_quote(&text, str_of(name));
	buf_adds(&text, " is no parameter; legal: ");
	for (p = params; p->name != NULL; p++)
		buf_addf(&text, "%s%s", p == params ? "" : ", ", p->name);
	if (p == params)
		buf_adds(&text, "none");
	fail_invalid(fail, "%s", text.data);
	buf_release(&text);
	return -1;
}

static int
bind_object(struct args *a, char *base, const struct place *outer,
	    const cJSON *object, const struct param *params, struct fail *fail)
{
	const struct param *p;
	const cJSON *item;

	set_defaults(base, params);
	cJSON_ArrayForEach(item, object)
	{
		struct place at = { outer, item->string, 0, false };

		p = param_find(params, str_of(item->string));
		if (p == NULL)
			return unknown_field(outer, item->string, params, fail);
		if (bind_value(a, base + p->offset, &at, item, p, fail) != 0)
			return -1;
	}
	for (p = params; p->name != NULL; p++) {
		struct place at = { outer, p->name, 0, false };

		if (p->required &&
		    cJSON_GetObjectItemCaseSensitive(object, p->name) == NULL)
			return wrong(&at, NULL, "", p, fail);
	}
	return 0;
}
/* NOLINTEND(misc-no-recursion) */

int
args_bind(struct args *a, const cJSON *object, const struct param *params,
	  struct fail *fail)
{
	static const struct param none[] = { PARAM_END };

	return bind_object(a, a->bound, NULL, object,
			   params == NULL ? none : params, fail);
}

void
args_defaults(struct args *a, const struct param *params)
{
	set_defaults(a->bound, params);
}
