#include "tool/schema.h"

#include "base/json_write.h"

static void
member_type(struct json_writer *w, const char *type)
{
	json_member_string(w, "type", str_of(type));
}

static void
write_values(struct json_writer *w, const char *const *values)
{
	const char *const *v;

	json_key(w, "enum");
	json_open_array(w);
	for (v = values; *v != NULL; v++)
		json_string(w, str_of(*v));
	json_close_array(w);
}

/* ---- parameters -------------------------------------------------------- */

/* Recursion here is as deep as the declaration. */
/* NOLINTBEGIN(misc-no-recursion) */
static void write_params(struct json_writer *w, const struct param *params);

static void
write_string_bounds(struct json_writer *w, const struct param *p)
{
	if (p->min > 0)
		json_member_integer(w, "minLength", p->min);
	if (p->max > 0)
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
write_integer(struct json_writer *w, const struct param *p)
{
	member_type(w, "integer");
	if (p->min > PARAM_ANY_MIN)
		json_member_integer(w, "minimum", p->min);
	if (p->max < PARAM_ANY_MAX)
		json_member_integer(w, "maximum", p->max);
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
		write_integer(w, p);
		break;
	case PARAM_BOOLEAN:
		member_type(w, "boolean");
		break;
	case PARAM_ENUM:
		member_type(w, "string");
		write_values(w, p->values);
		break;
	case PARAM_ENUM_LIST:
		open_items(w, "string");
		write_values(w, p->values);
		close_items(w, p);
		break;
	case PARAM_STRING_LIST:
		write_string_list(w, p);
		break;
	case PARAM_STRING_OR_LIST:
		write_string_or_list(w, p);
		break;
	case PARAM_OBJECT_LIST:
		member_type(w, "array");
		json_key(w, "items");
		json_open_object(w);
		write_params(w, p->fields);
		close_items(w, p);
		break;
	}
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
write_params(struct json_writer *w, const struct param *params)
{
	const struct param *p;
	bool required = false;

	member_type(w, "object");
	json_key(w, "properties");
	json_open_object(w);
	for (p = params; p != NULL && p->name != NULL; p++) {
		json_key(w, p->name);
		json_open_object(w);
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
		for (p = params; p->name != NULL; p++)
			if (p->required)
				json_string(w, str_of(p->name));
		json_close_array(w);
	}
	json_member_boolean(w, "additionalProperties", false);
}

/* ---- results ----------------------------------------------------------- */

static void write_fields(struct json_writer *w, const struct field *fields);

static const char *
field_json_type(enum field_type type)
{
	switch (type) {
	case FIELD_STRING:
	case FIELD_ENUM:
		return "string";
	case FIELD_INTEGER:
		return "integer";
	case FIELD_BOOLEAN:
		return "boolean";
	case FIELD_STRINGS:
	case FIELD_STRING_LISTS:
	case FIELD_OBJECTS:
		return "array";
	case FIELD_OBJECT:
	case FIELD_MAP_INTEGER:
	case FIELD_OPEN_OBJECT:
		return "object";
	}
	return "object";
}

static void
write_field_type(struct json_writer *w, const struct field *f)
{
	const char *type = field_json_type(f->type);

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
write_string_items(struct json_writer *w)
{
	json_key(w, "items");
	json_open_object(w);
	member_type(w, "string");
	json_close_object(w);
}

/* The elements of an array of objects, of one kind or of two. */
static void
write_object_items(struct json_writer *w, const struct field *f)
{
	json_key(w, "items");
	json_open_object(w);
	if (f->other == NULL) {
		write_fields(w, f->fields);
	} else {
		json_key(w, "anyOf");
		json_open_array(w);
		json_open_object(w);
		write_fields(w, f->fields);
		json_close_object(w);
		json_open_object(w);
		write_fields(w, f->other);
		json_close_object(w);
		json_close_array(w);
	}
	json_close_object(w);
}

static void
write_field_members(struct json_writer *w, const struct field *f)
{
	switch (f->type) {
	case FIELD_ENUM:
		write_values(w, f->values);
		break;
	case FIELD_BOOLEAN:
		if (f->constant_true)
			json_member_boolean(w, "const", true);
		break;
	case FIELD_STRINGS:
		write_string_items(w);
		break;
	case FIELD_STRING_LISTS:
		json_key(w, "items");
		json_open_object(w);
		member_type(w, "array");
		write_string_items(w);
		json_close_object(w);
		break;
	case FIELD_OBJECTS:
		write_object_items(w, f);
		break;
	case FIELD_MAP_INTEGER:
		json_key(w, "additionalProperties");
		json_open_object(w);
		member_type(w, "integer");
		json_close_object(w);
		break;
	case FIELD_STRING:
	case FIELD_INTEGER:
	case FIELD_OBJECT:
	case FIELD_OPEN_OBJECT:
		break;
	}
}

/* The properties of an object whose type is written already. */
static void
write_properties(struct json_writer *w, const struct field *fields)
{
	const struct field *f;

	json_key(w, "properties");
	json_open_object(w);
	for (f = fields; f->name != NULL; f++) {
		json_key(w, f->name);
		json_open_object(w);
		write_field_type(w, f);
		write_field_members(w, f);
		if (f->type == FIELD_OBJECT)
			write_properties(w, f->fields);
		if (f->help != NULL)
			json_member_string(w, "description", str_of(f->help));
		json_close_object(w);
	}
	json_close_object(w);
	json_key(w, "required");
	json_open_array(w);
	for (f = fields; f->name != NULL; f++)
		if (!f->optional)
			json_string(w, str_of(f->name));
	json_close_array(w);
	json_member_boolean(w, "additionalProperties", false);
}

static void
write_fields(struct json_writer *w, const struct field *fields)
{
	member_type(w, "object");
	write_properties(w, fields);
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
	write_params(&w, tool->params);
	json_close_object(&w);
	json_key(&w, "outputSchema");
	json_open_object(&w);
	write_fields(&w, tool->result);
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
