#include "lessons/parameters.h"

#include <string.h>

#include "base/json_span.h"
#include "tool/bind.h"

void
kind_string_schema(struct json_writer *w)
{
	json_member_string(w, "type", STR("string"));
}

/* ---- ids --------------------------------------------------------------- */

static int
bind_id(struct args *a, void *to, struct str value, struct buf *note)
{
	struct arg_integer *arg = to;
	int64_t id = 0;
	bool legal;

	(void)note;
	if (json_kind(value) == JSON_STRING)
		legal = wording_id(args_text(a, value), &id);
	else
		legal = json_kind(value) == JSON_NUMBER &&
			json_to_integer(value, &id) && id >= 1 &&
			id <= INT64_C(9007199254740991);
	if (!legal)
		return -1;
	*arg = (struct arg_integer){ id, true };
	return 0;
}

static void
id_schema(struct json_writer *w)
{
	json_key(w, "type");
	json_open_array(w);
	json_string(w, STR("integer"));
	json_string(w, STR("string"));
	json_close_array(w);
}

const struct param_kind kind_id = {
	.legal = "positive safe integer (42), or a string of one (\"#42\")",
	.metavar = "ID",
	.bind = bind_id,
	.schema = id_schema,
};

/* ---- texts ------------------------------------------------------------- */

static int
bind_limited(struct args *a, void *to, struct str value, size_t max,
	     struct buf *note)
{
	struct arg_string *arg = to;
	struct str text, trimmed;
	char *end;

	if (json_kind(value) != JSON_STRING)
		return -1;
	text = args_text(a, value);
	trimmed = wording_trim(text);
	if (wording_units(text) > max)
		buf_addf(note, " of %zu UTF-16 units", wording_units(text));
	else if (trimmed.n == 0)
		buf_adds(note, " without anything but white space");
	else if (!wording_legal(text, max))
		buf_adds(note, " with a control character");
	else {
		end = args_own(a, trimmed.n + 1, 1);
		memcpy(end, trimmed.s, trimmed.n);
		*arg = (struct arg_string){ end, trimmed.n, true };
		return 0;
	}
	return -1;
}

/* maxLength counts code points, of which there are never more than units. */
static void
text_schema(struct json_writer *w, int64_t max)
{
	kind_string_schema(w);
	json_member_integer(w, "minLength", 1);
	json_member_integer(w, "maxLength", max);
}

#define DIGITS_OF(number) #number
#define DIGITS(number) DIGITS_OF(number)

#define TEXT_KIND(name, units)                                             \
	static int bind_##name(struct args *a, void *to, struct str value, \
			       struct buf *note)                           \
	{                                                                  \
		return bind_limited(a, to, value, units, note);            \
	}                                                                  \
	static void schema_##name(struct json_writer *w)                   \
	{                                                                  \
		text_schema(w, units);                                     \
	}                                                                  \
	const struct param_kind kind_##name = {                            \
		.legal = "text of at most " DIGITS(                        \
			units) " UTF-16 units, not blank, without "        \
			       "control characters but tab, LF and CR",    \
		.metavar = "TEXT",                                         \
		.bind = bind_##name,                                       \
		.schema = schema_##name,                                   \
	};

TEXT_KIND(text, WORDING_TEXT)
TEXT_KIND(evidence, WORDING_EVIDENCE)
TEXT_KIND(reason, WORDING_REASON)
TEXT_KIND(query, WORDING_QUERY)

/* ---- ids of reviews ---------------------------------------------------- */

static int
bind_review_id(struct args *a, void *to, struct str value, struct buf *note)
{
	struct arg_string *arg = to;
	struct str text;
	size_t units;

	if (json_kind(value) != JSON_STRING)
		return -1;
	text = args_text(a, value);
	units = wording_units(text);
	if (units < 1 || units > 80) {
		buf_addf(note, " of %zu characters", units);
		return -1;
	}
	*arg = (struct arg_string){ text.s, text.n, true };
	return 0;
}

static void
review_id_schema(struct json_writer *w)
{
	text_schema(w, 80);
}

const struct param_kind kind_review_id = {
	.legal = "string of 1 to 80 characters",
	.metavar = "ID",
	.bind = bind_review_id,
	.schema = review_id_schema,
};
