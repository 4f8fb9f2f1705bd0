#include "tool/result.h"

#include "base/timestamp.h"

/* Recursion here is as deep as the declaration. */
/* NOLINTBEGIN(misc-no-recursion) */

static int64_t
integer_at(const void *at)
{
	return *(const int64_t *)at;
}

/* Whether there is none of it: see enum field_type. */
static bool
is_none(const struct field *f, const void *at)
{
	switch (f->type) {
	case FIELD_STRING:
	case FIELD_JSON:
	case FIELD_OPEN_OBJECT:
	case FIELD_OPEN_OBJECTS:
		return ((const struct str *)at)->s == NULL;
	case FIELD_CHARS:
		return *(const char *const *)at == NULL;
	case FIELD_BUF:
		return ((const struct buf *)at)->len == 0;
	case FIELD_INTEGER:
		return integer_at(at) == FIELD_NONE ||
		       (f->zero_is_none && integer_at(at) == 0);
	case FIELD_TIME:
		return integer_at(at) == FIELD_NONE;
	case FIELD_BOOLEAN:
		return f->constant_true ? !*(const bool *)at
					: *(const int *)at < 0;
	case FIELD_ENUM:
		return *(const int *)at < 0;
	case FIELD_OBJECT:
		return *(const void *const *)at == NULL;
	case FIELD_STRINGS:
	case FIELD_STRING_LISTS:
	case FIELD_OBJECTS:
	case FIELD_KINDS:
	case FIELD_MAP_INTEGER:
		return ((const struct field_list *)at)->v == NULL;
	case FIELD_MEMBERS:
		break;
	}
	return false;
}

static void
write_time(struct json_writer *w, int64_t ms)
{
	char text[TIMESTAMP_SIZE];

	timestamp_utc(ms, text);
	json_string(w, str_of(text));
}

static void
write_strings(struct json_writer *w, const struct field_list *list)
{
	const struct str *v = list->v;

	json_open_array(w);
	for (size_t i = 0; i < list->n; i++)
		json_string(w, v[i]);
	json_close_array(w);
}

static void
write_string_lists(struct json_writer *w, const struct field_list *list)
{
	const struct field_list *v = list->v;

	json_open_array(w);
	for (size_t i = 0; i < list->n; i++)
		write_strings(w, &v[i]);
	json_close_array(w);
}

static void
write_counts(struct json_writer *w, const struct field_list *list)
{
	const struct field_count *v = list->v;

	json_open_object(w);
	for (size_t i = 0; i < list->n; i++) {
		json_key_str(w, v[i].name);
		json_integer(w, v[i].n);
	}
	json_close_object(w);
}

static void
write_objects(struct json_writer *w, const struct field *f,
	      const struct field_list *list)
{
	const char *v = list->v;

	json_open_array(w);
	for (size_t i = 0; i < list->n; i++)
		result_object(w, f->fields, v + i * f->size);
	json_close_array(w);
}

static void
write_kinds(struct json_writer *w, const struct field *f,
	    const struct field_list *list)
{
	const struct field_kind *v = list->v;

	json_open_array(w);
	for (size_t i = 0; i < list->n; i++)
		result_object(w, f->kinds[v[i].kind], v[i].v);
	json_close_array(w);
}

void
result_value(struct json_writer *w, const struct field *f, const void *at)
{
	bool may_lack = f->optional || f->nullable;

	switch (f->type) {
	case FIELD_STRING:
		json_string(w, *(const struct str *)at);
		break;
	case FIELD_CHARS:
		json_string(w, str_of(*(const char *const *)at));
		break;
	case FIELD_BUF:
		json_string(w, buf_str(at));
		break;
	case FIELD_INTEGER:
		json_integer(w, integer_at(at));
		break;
	case FIELD_TIME:
		write_time(w, integer_at(at));
		break;
	case FIELD_BOOLEAN:
		json_boolean(w, may_lack && !f->constant_true
					? *(const int *)at > 0
					: *(const bool *)at);
		break;
	case FIELD_ENUM:
		json_string(w, str_of(f->values[*(const int *)at]));
		break;
	case FIELD_STRINGS:
		write_strings(w, at);
		break;
	case FIELD_STRING_LISTS:
		write_string_lists(w, at);
		break;
	case FIELD_OBJECT:
		result_object(w, f->fields,
			      may_lack ? *(const void *const *)at : at);
		break;
	case FIELD_OBJECTS:
		write_objects(w, f, at);
		break;
	case FIELD_KINDS:
		write_kinds(w, f, at);
		break;
	case FIELD_MAP_INTEGER:
		write_counts(w, at);
		break;
	case FIELD_JSON:
	case FIELD_OPEN_OBJECT:
	case FIELD_OPEN_OBJECTS:
		json_raw(w, *(const struct str *)at);
		break;
	case FIELD_MEMBERS:
		break;
	}
}

void
result_members(struct json_writer *w, const struct field *fields,
	       const void *object)
{
	const char *at;
	bool none;

	for (const struct field *f = fields; f->name != NULL; f++) {
		at = (const char *)object + f->offset;
		if (f->type == FIELD_MEMBERS) {
			result_members(w, f->fields, at);
			continue;
		}
		none = (f->optional || f->nullable) && is_none(f, at);
		if (none && f->optional)
			continue;
		json_key(w, f->name);
		if (none)
			json_null(w);
		else
			result_value(w, f, at);
	}
}

void
result_object(struct json_writer *w, const struct field *fields,
	      const void *object)
{
	json_open_object(w);
	result_members(w, fields, object);
	json_close_object(w);
}
/* NOLINTEND(misc-no-recursion) */

void
result_json(const struct tool *tool, const void *result, struct buf *out)
{
	const struct field *fields = tool->result;
	struct json_writer w;

	if (tool->shapes != NULL)
		fields = tool->shapes[*(const int *)((const char *)result +
						     tool->shape_offset)];
	json_begin(&w, out);
	result_object(&w, fields, result);
}

void
result_refusal(const struct fail *fail, struct buf *out)
{
	struct json_writer w;

	json_begin(&w, out);
	json_open_object(&w);
	json_member_string(&w, "error", buf_str(&fail->message));
	json_member_string(&w, "code", str_of(fail->code));
	if (fail->members.len > 0) {
		buf_addc(out, ',');
		buf_add_str(out, buf_str(&fail->members));
	}
	json_close_object(&w);
}
