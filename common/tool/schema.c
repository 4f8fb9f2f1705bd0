#include "tool/schema.h"

#include <string.h>

#include "base/json_write.h"

static void
member_type(struct json_writer *w, const char *type)
{
	json_member_string(w, "type", str_of(type));
}

static void
write_values(struct json_writer *w, const char *const *values, bool or_null)
{
	const char *const *v;

	json_key(w, "enum");
	json_open_array(w);
	for (v = values; *v != NULL; v++)
		json_string(w, str_of(*v));
	if (or_null)
		json_null(w);
	json_close_array(w);
}

/* ---- parameters -------------------------------------------------------- */

/* Recursion here is as deep as the declaration. */
/* NOLINTBEGIN(misc-no-recursion) */
static void write_params(struct json_writer *w, const struct param *params,
			 bool open);

static void
write_string_bounds(struct json_writer *w, const struct param *p)
{
	/* JSON Schema counts characters: bytes are for the help to tell. */
	if (p->min > 0)
		json_member_integer(w, "minLength", p->bytes ? 1 : p->min);
	if (p->max > 0 && !p->max_unsaid)
		json_member_integer(w, "maxLength", p->max);
}

static void
open_items(struct json_writer *w, const char *type)
{
	member_type(w, "array");
	json_key(w, "items");
	json_open_object(w);
	member_type(w, type);
}

static void
close_items(struct json_writer *w, const struct param *p)
{
	json_close_object(w);
	if (p->min_items > 0)
		json_member_integer(w, "minItems", (int64_t)p->min_items);
	if (p->max_items > 0)
		json_member_integer(w, "maxItems", (int64_t)p->max_items);
}

static void
write_string_list(struct json_writer *w, const struct param *p)
{
	open_items(w, "string");
	write_string_bounds(w, p);
	close_items(w, p);
}

static void
write_string_or_list(struct json_writer *w, const struct param *p)
{
	json_key(w, "anyOf");
	json_open_array(w);
	json_open_object(w);
	member_type(w, "string");
	write_string_bounds(w, p);
	json_close_object(w);
	json_open_object(w);
	write_string_list(w, p);
	json_close_object(w);
	json_close_array(w);
}

static void
write_range(struct json_writer *w, const struct param *p)
{
	if (p->min > PARAM_ANY_MIN)
		json_member_integer(w, "minimum", p->min);
	if (p->max < PARAM_ANY_MAX && !p->max_unsaid)
		json_member_integer(w, "maximum", p->max);
}

static void
write_map(struct json_writer *w, const struct param *p)
{
	member_type(w, "object");
	json_key(w, "additionalProperties");
	json_open_object(w);
	json_key(w, "type");
	if (p->null_values) {
		json_open_array(w);
		json_string(w, STR("string"));
		json_string(w, STR("null"));
		json_close_array(w);
	} else {
		json_string(w, STR("string"));
	}
	write_string_bounds(w, p);
	json_close_object(w);
}

/* Of JSON_NONE, any value, there is nothing to say. */
static const char *
json_type(enum json_kind kind)
{
	static const char *const types[] = {
		[JSON_NULL] = "null",	  [JSON_BOOLEAN] = "boolean",
		[JSON_NUMBER] = "number", [JSON_STRING] = "string",
		[JSON_ARRAY] = "array",	  [JSON_OBJECT] = "object",
	};

	return types[kind];
}

static void
write_param_type(struct json_writer *w, const struct param *p)
{
	switch (p->type) {
	case PARAM_STRING:
		member_type(w, "string");
		write_string_bounds(w, p);
		break;
	case PARAM_INTEGER:
		member_type(w, "integer");
		write_range(w, p);
		break;
	case PARAM_BOOLEAN:
		member_type(w, "boolean");
		break;
	case PARAM_ENUM:
		member_type(w, "string");
		write_values(w, p->values, false);
		break;
	case PARAM_ENUM_LIST:
		open_items(w, "string");
		write_values(w, p->values, false);
		close_items(w, p);
		break;
	case PARAM_STRING_LIST:
		write_string_list(w, p);
		break;
	case PARAM_STRING_OR_LIST:
		write_string_or_list(w, p);
		break;
	case PARAM_INTEGER_LIST:
		open_items(w, "integer");
		write_range(w, p);
		close_items(w, p);
		break;
	case PARAM_OBJECT_LIST:
		member_type(w, "array");
		json_key(w, "items");
		json_open_object(w);
		write_params(w, p->fields, false);
		close_items(w, p);
		break;
	case PARAM_STRING_MAP:
		write_map(w, p);
		break;
	case PARAM_JSON:
		if (p->json != JSON_NONE)
			member_type(w, json_type(p->json));
		break;
	case PARAM_KIND:
		p->kind->schema(w);
		break;
	case PARAM_KIND_LIST:
		member_type(w, "array");
		json_key(w, "items");
		json_open_object(w);
		p->kind->schema(w);
		close_items(w, p);
		break;
	}
}

/* As a host expects it of a parameter that may be null. */
static void
write_nullable(struct json_writer *w, const struct param *p)
{
	json_key(w, "anyOf");
	json_open_array(w);
	json_open_object(w);
	write_param_type(w, p);
	json_close_object(w);
	json_open_object(w);
	member_type(w, "null");
	json_close_object(w);
	json_close_array(w);
}

static void
write_fallback(struct json_writer *w, const struct param *p)
{
	if (!p->has_fallback)
		return;
	if (p->type == PARAM_INTEGER)
		json_member_integer(w, "default", p->fallback);
	else if (p->type == PARAM_BOOLEAN)
		json_member_boolean(w, "default", p->fallback != 0);
	else if (p->type == PARAM_ENUM)
		json_member_string(w, "default",
				   str_of(p->values[p->fallback]));
}

static void
write_params(struct json_writer *w, const struct param *params, bool open)
{
	bool required = false;

	member_type(w, "object");
	json_key(w, "properties");
	json_open_object(w);
	for (const struct param *p = params; p != NULL && p->name != NULL;
	     p++) {
		json_key(w, p->name);
		json_open_object(w);
		if (p->nullable)
			write_nullable(w, p);
		else
			write_param_type(w, p);
		write_fallback(w, p);
		if (p->help != NULL)
			json_member_string(w, "description", str_of(p->help));
		json_close_object(w);
		required |= p->required;
	}
	json_close_object(w);
	if (required) {
		json_key(w, "required");
		json_open_array(w);
		for (const struct param *p = params; p->name != NULL; p++)
			if (p->required)
				json_string(w, str_of(p->name));
		json_close_array(w);
	}
	if (!open)
		json_member_boolean(w, "additionalProperties", false);
}

/* ---- results ----------------------------------------------------------- */

static void write_fields(struct json_writer *w, const struct field *fields);
static void write_properties(struct json_writer *w, const struct field *fields);

static const char *
field_json_type(enum field_type type)
{
	switch (type) {
	case FIELD_STRING:
	case FIELD_CHARS:
	case FIELD_BUF:
	case FIELD_TIME:
	case FIELD_ENUM:
		return "string";
	case FIELD_INTEGER:
		return "integer";
	case FIELD_BOOLEAN:
		return "boolean";
	case FIELD_STRINGS:
	case FIELD_STRING_LISTS:
	case FIELD_OBJECTS:
	case FIELD_KINDS:
	case FIELD_OPEN_OBJECTS:
		return "array";
	case FIELD_OBJECT:
	case FIELD_MAP_INTEGER:
	case FIELD_OPEN_OBJECT:
		return "object";
	case FIELD_JSON:
	case FIELD_MEMBERS:
		break;
	}
	return NULL; /* any */
}

static void
write_field_type(struct json_writer *w, const struct field *f)
{
	const char *type = field_json_type(f->type);

	if (type == NULL)
		return;
	if (!f->nullable) {
		member_type(w, type);
		return;
	}
	json_key(w, "type");
	json_open_array(w);
	json_string(w, str_of(type));
	json_string(w, STR("null"));
	json_close_array(w);
}

static void
write_items(struct json_writer *w, const char *type)
{
	json_key(w, "items");
	json_open_object(w);
	member_type(w, type);
	json_close_object(w);
}

/* The elements of an array of objects of several kinds. */
static void
write_kinds(struct json_writer *w, const struct field *const *kinds)
{
	json_key(w, "items");
	json_open_object(w);
	json_key(w, "anyOf");
	json_open_array(w);
	for (; *kinds != NULL; kinds++) {
		json_open_object(w);
		write_fields(w, *kinds);
		json_close_object(w);
	}
	json_close_array(w);
	json_close_object(w);
}

static void
write_objects(struct json_writer *w, const struct field *fields)
{
	json_key(w, "items");
	json_open_object(w);
	write_fields(w, fields);
	json_close_object(w);
}

static void
write_field_members(struct json_writer *w, const struct field *f)
{
	switch (f->type) {
	case FIELD_ENUM:
		write_values(w, f->values, f->nullable);
		break;
	case FIELD_BOOLEAN:
		if (f->constant_true)
			json_member_boolean(w, "const", true);
		break;
	case FIELD_STRINGS:
		write_items(w, "string");
		break;
	case FIELD_STRING_LISTS:
		json_key(w, "items");
		json_open_object(w);
		member_type(w, "array");
		write_items(w, "string");
		json_close_object(w);
		break;
	case FIELD_OBJECTS:
		write_objects(w, f->fields);
		break;
	case FIELD_KINDS:
		write_kinds(w, f->kinds);
		break;
	case FIELD_OPEN_OBJECTS:
		if (f->fields != NULL)
			write_objects(w, f->fields);
		else
			write_items(w, "object");
		break;
	case FIELD_MAP_INTEGER:
		json_key(w, "additionalProperties");
		json_open_object(w);
		member_type(w, "integer");
		json_close_object(w);
		break;
	case FIELD_OBJECT:
		write_properties(w, f->fields);
		break;
	case FIELD_STRING:
	case FIELD_CHARS:
	case FIELD_BUF:
	case FIELD_INTEGER:
	case FIELD_TIME:
	case FIELD_JSON:
	case FIELD_OPEN_OBJECT:
	case FIELD_MEMBERS:
		break;
	}
}

static void
write_field(struct json_writer *w, const struct field *f)
{
	json_key(w, f->name);
	json_open_object(w);
	write_field_type(w, f);
	write_field_members(w, f);
	if (f->help != NULL)
		json_member_string(w, "description", str_of(f->help));
	json_close_object(w);
}

static void
write_each_property(struct json_writer *w, const struct field *fields)
{
	for (const struct field *f = fields; f->name != NULL; f++)
		if (f->type == FIELD_MEMBERS)
			write_each_property(w, f->fields);
		else
			write_field(w, f);
}

static void
write_each_required(struct json_writer *w, const struct field *fields)
{
	for (const struct field *f = fields; f->name != NULL; f++)
		if (f->type == FIELD_MEMBERS)
			write_each_required(w, f->fields);
		else if (!f->optional)
			json_string(w, str_of(f->name));
}

/* The properties of an object whose type is written already. */
static void
write_properties(struct json_writer *w, const struct field *fields)
{
	json_key(w, "properties");
	json_open_object(w);
	write_each_property(w, fields);
	json_close_object(w);
	json_key(w, "required");
	json_open_array(w);
	write_each_required(w, fields);
	json_close_array(w);
	json_member_boolean(w, "additionalProperties", false);
}

static void
write_fields(struct json_writer *w, const struct field *fields)
{
	member_type(w, "object");
	write_properties(w, fields);
}

/* ---- results of several shapes ------------------------------------------ */

static const struct field *
find_field(const struct field *fields, const char *name)
{
	const struct field *inner;

	for (const struct field *f = fields; f->name != NULL; f++) {
		inner = f->type == FIELD_MEMBERS ? find_field(f->fields, name)
						 : NULL;
		if (inner != NULL)
			return inner;
		if (f->type != FIELD_MEMBERS && strcmp(f->name, name) == 0)
			return f;
	}
	return NULL;
}

/* Whether an earlier shape than the i-th has such a member. */
static bool
had_before(const struct field *const *shapes, size_t i, const char *name)
{
	for (size_t k = 0; k < i; k++)
		if (find_field(shapes[k], name) != NULL)
			return true;
	return false;
}

/* Every type that a member has in one shape or another, each once. */
static void
write_variants(struct json_writer *w, const struct field *const *shapes,
	       const struct field *first)
{
	const struct field *f, *seen[16];
	size_t n = 0, i, k;

	for (i = 0; shapes[i] != NULL; i++) {
		f = find_field(shapes[i], first->name);
		for (k = 0; f != NULL && k < n; k++)
			if (seen[k]->type == f->type &&
			    seen[k]->nullable == f->nullable &&
			    seen[k]->values == f->values &&
			    seen[k]->fields == f->fields)
				break;
		if (f != NULL && k == n && n < sizeof(seen) / sizeof(seen[0]))
			seen[n++] = f;
	}
	if (n == 1) {
		write_field(w, first);
		return;
	}
	json_key(w, first->name);
	json_open_object(w);
	json_key(w, "anyOf");
	json_open_array(w);
	for (k = 0; k < n; k++) {
		json_open_object(w);
		write_field_type(w, seen[k]);
		write_field_members(w, seen[k]);
		json_close_object(w);
	}
	json_close_array(w);
	json_close_object(w);
}

static void
write_shape_properties(struct json_writer *w, const struct field *const *shapes,
		       size_t i, const struct field *fields)
{
	for (const struct field *f = fields; f->name != NULL; f++)
		if (f->type == FIELD_MEMBERS)
			write_shape_properties(w, shapes, i, f->fields);
		else if (!had_before(shapes, i, f->name))
			write_variants(w, shapes, f);
}

static void
write_shape_required(struct json_writer *w, const struct field *const *shapes,
		     const struct field *fields)
{
	const struct field *same;
	size_t k;

	for (const struct field *f = fields; f->name != NULL; f++) {
		if (f->type == FIELD_MEMBERS) {
			write_shape_required(w, shapes, f->fields);
			continue;
		}
		for (k = 0; shapes[k] != NULL; k++) {
			same = find_field(shapes[k], f->name);
			if (same == NULL || same->optional)
				break;
		}
		if (shapes[k] == NULL)
			json_string(w, str_of(f->name));
	}
}

/*
 * What the shapes have in common: at the top a schema says one type, and has
 * no composition (spec/hosts.md section 8).
 */
static void
write_shapes(struct json_writer *w, const struct field *const *shapes)
{
	member_type(w, "object");
	json_key(w, "properties");
	json_open_object(w);
	for (size_t i = 0; shapes[i] != NULL; i++)
		write_shape_properties(w, shapes, i, shapes[i]);
	json_close_object(w);
	json_key(w, "required");
	json_open_array(w);
	write_shape_required(w, shapes, shapes[0]);
	json_close_array(w);
	json_member_boolean(w, "additionalProperties", false);
}
/* NOLINTEND(misc-no-recursion) */

void
schema_print(const struct tool *tool, struct buf *out)
{
	struct json_writer w;

	json_begin(&w, out);
	json_open_object(&w);
	json_member_string(&w, "name", str_of(tool->name));
	json_member_string(&w, "title", str_of(tool->title));
	json_member_string(&w, "description", str_of(tool->description));
	json_key(&w, "inputSchema");
	json_open_object(&w);
	write_params(&w, tool->params, tool->open);
	json_close_object(&w);
	json_key(&w, "outputSchema");
	json_open_object(&w);
	if (tool->shapes != NULL)
		write_shapes(&w, tool->shapes);
	else if (tool->result != NULL)
		write_fields(&w, tool->result);
	else
		member_type(&w, "object");
	json_close_object(&w);
	json_member_string(&w, "executionMode",
			   tool->sequential ? STR("sequential")
					    : STR("parallel"));
	json_key(&w, "annotations");
	json_open_object(&w);
	json_member_boolean(&w, "readOnlyHint", !tool->writes);
	json_member_boolean(&w, "destructiveHint", tool->destructive);
	json_member_boolean(&w, "idempotentHint", tool->idempotent);
	json_member_boolean(&w, "openWorldHint", false);
	json_close_object(&w);
	json_close_object(&w);
}
