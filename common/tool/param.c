#include "tool/param.h"

bool
param_is_boolean(const struct param *p)
{
	return p->type == PARAM_BOOLEAN;
}

bool
param_has_negation(const struct param *p)
{
	return param_is_boolean(p) && !(p->has_fallback && p->fallback == 0);
}

bool
param_is_list(const struct param *p)
{
	switch (p->type) {
	case PARAM_ENUM_LIST:
	case PARAM_STRING_LIST:
	case PARAM_STRING_OR_LIST:
	case PARAM_INTEGER_LIST:
	case PARAM_OBJECT_LIST:
	case PARAM_KIND_LIST:
		return true;
	case PARAM_STRING:
	case PARAM_INTEGER:
	case PARAM_BOOLEAN:
	case PARAM_ENUM:
	case PARAM_STRING_MAP:
	case PARAM_JSON:
	case PARAM_KIND:
		break;
	}
	return false;
}

bool
param_is_json(const struct param *p)
{
	switch (p->type) {
	case PARAM_OBJECT_LIST:
	case PARAM_STRING_MAP:
	case PARAM_JSON:
		return true;
	case PARAM_KIND:
	case PARAM_KIND_LIST:
		return p->kind->is_json;
	default:
		return false;
	}
}

const struct param *
param_find(const struct param *params, struct str name)
{
	for (const struct param *p = params; p != NULL && p->name != NULL; p++)
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
	const char *unit = p->bytes ? "bytes" : "characters";

	if (p->max > 0 && p->min > 0)
		buf_addf(out, " of %lld to %lld %s", (long long)p->min,
			 (long long)p->max, unit);
	else if (p->max > 0)
		buf_addf(out, " of at most %lld %s", (long long)p->max, unit);
	else if (p->min == 1)
		buf_adds(out, " that is not empty");
}

static void
add_count(struct buf *out, const struct param *p)
{
	if (p->max_items > 0 && p->min_items > 0)
		buf_addf(out, "%zu to %zu ", p->min_items, p->max_items);
	else if (p->max_items > 0)
		buf_addf(out, "at most %zu ", p->max_items);
	else if (p->min_items > 0)
		buf_addf(out, "at least %zu ", p->min_items);
}

static void
add_field_names(struct buf *out, const struct param *fields)
{
	for (const struct param *f = fields; f->name != NULL; f++)
		buf_addf(out, "%s%s", f == fields ? " of " : " and ", f->name);
}

static void
add_range(struct buf *out, const struct param *p)
{
	buf_addf(out, " from %lld to %lld", (long long)p->min,
		 (long long)p->max);
}

static const char *
json_words(enum json_kind kind)
{
	switch (kind) {
	case JSON_NONE:
		return "any JSON value";
	case JSON_NULL:
		return "null";
	case JSON_BOOLEAN:
		return "true or false";
	case JSON_NUMBER:
		return "number";
	case JSON_STRING:
		return "string";
	case JSON_ARRAY:
		return "array";
	case JSON_OBJECT:
		return "object";
	}
	return "";
}

/* What a list may be. */
static void
add_list(struct buf *out, const struct param *p)
{
	if (p->type == PARAM_STRING_OR_LIST)
		buf_adds(out, "string, or ");
	buf_adds(out, "array of ");
	if (p->type != PARAM_ENUM_LIST)
		add_count(out, p);
	switch (p->type) {
	case PARAM_ENUM_LIST:
		buf_adds(out, "any of ");
		add_values(out, p->values);
		break;
	case PARAM_INTEGER_LIST:
		buf_adds(out, "integers");
		add_range(out, p);
		break;
	case PARAM_OBJECT_LIST:
		buf_adds(out, "objects");
		add_field_names(out, p->fields);
		break;
	case PARAM_KIND_LIST:
		buf_addf(out, "of: %s", p->kind->legal);
		break;
	default:
		buf_adds(out, "strings");
		if (p->max > 0)
			buf_addf(out, " of at most %lld characters each",
				 (long long)p->max);
	}
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
		add_range(out, p);
		break;
	case PARAM_BOOLEAN:
		buf_adds(out, "true or false");
		break;
	case PARAM_ENUM:
		buf_adds(out, "one of ");
		add_values(out, p->values);
		break;
	case PARAM_STRING_MAP:
		buf_addf(out, "object of strings%s",
			 p->null_values ? " and nulls" : "");
		break;
	case PARAM_JSON:
		buf_adds(out, json_words(p->json));
		break;
	case PARAM_KIND:
		buf_adds(out, p->kind->legal);
		break;
	default:
		add_list(out, p);
	}
	if (p->nullable)
		buf_adds(out, ", or null");
}

void
param_entry_legal(struct buf *out, const struct param *p)
{
	switch (p->type) {
	case PARAM_ENUM_LIST:
		buf_adds(out, "one of ");
		add_values(out, p->values);
		break;
	case PARAM_OBJECT_LIST:
		buf_adds(out, "object");
		add_field_names(out, p->fields);
		break;
	case PARAM_INTEGER_LIST:
		buf_adds(out, "integer");
		add_range(out, p);
		break;
	case PARAM_KIND_LIST:
		buf_adds(out, p->kind->legal);
		break;
	default:
		buf_adds(out, "string");
		add_characters(out, p);
		if (p->null_values)
			buf_adds(out, " or null");
		break;
	}
}
