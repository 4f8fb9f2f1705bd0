#include "output/parameters.h"

const char *const output_spills[] = { "auto", "always", "never", NULL };
const char *const output_fsyncs[] = { "always", "base", "none", NULL };
const char *const output_retains[] = { "tail", "head", NULL };

struct value *
parameter_list(const struct arg_json *arg, const char *name, struct fail *fail)
{
	struct json_error error;
	struct value *v = value_read(arg->text, &error);

	if (v == NULL)
		(void)fail_invalid(fail, "%s: byte %zu: %s; legal: JSON", name,
				   error.offset, error.reason);
	return v;
}

struct value *
parameter_value(const struct arg_json *arg, const char *name, struct fail *fail)
{
	struct value *v = parameter_list(arg, name, fail);

	if (v != NULL && parameter_check_depth(v, fail) != 0) {
		value_free(v);
		return NULL;
	}
	return v;
}

int
parameter_check_depth(const struct value *v, struct fail *fail)
{
	unsigned depth = value_depth(v);

	if (depth <= VALUE_DEPTH)
		return 0;
	return fail_refuse(fail, "too_large",
			   "a value %u levels deep; legal: at most %d", depth,
			   VALUE_DEPTH);
}

/* ---- results ----------------------------------------------------------- */

static const char *const reasons[] = { "lines", "bytes", NULL };

#define AT(member) offsetof(struct truncation, member)

const struct field truncation_fields[] = {
	{ .name = "truncated", .type = FIELD_BOOLEAN, .offset = AT(truncated) },
	{ .name = "truncatedBy",
	  .type = FIELD_ENUM,
	  .offset = AT(by),
	  .nullable = true,
	  .values = reasons },
	{ .name = "totalLines",
	  .type = FIELD_INTEGER,
	  .offset = AT(total_lines) },
	{ .name = "totalBytes",
	  .type = FIELD_INTEGER,
	  .offset = AT(total_bytes) },
	{ .name = "outputLines",
	  .type = FIELD_INTEGER,
	  .offset = AT(output_lines) },
	{ .name = "outputBytes",
	  .type = FIELD_INTEGER,
	  .offset = AT(output_bytes) },
	{ .name = "lastLinePartial",
	  .type = FIELD_BOOLEAN,
	  .offset = AT(last_line_partial) },
	{ .name = "firstLineExceedsLimit",
	  .type = FIELD_BOOLEAN,
	  .offset = AT(first_line_exceeds) },
	{ .name = "maxLines", .type = FIELD_INTEGER, .offset = AT(max_lines) },
	{ .name = "maxBytes", .type = FIELD_INTEGER, .offset = AT(max_bytes) },
	FIELD_END
};
