#include "transcript/document.h"

#include <inttypes.h>
#include <string.h>

#include "base/json_span.h"

#define OUTPUT_HEADER "\n--- output ---\n"
#define NESTED_HEADER "\n--- nested calls (%s, %" PRIu64 " recorded) ---"
#define COMPLETE "complete"
#define INCOMPLETE "incomplete"
#define UNKNOWN DOCUMENT_UNKNOWN
#define UNFINISHED "unfinished"
#define MILLISECONDS "ms"
#define ERROR_LABEL " error: "
#define NOT_RECORDED "(arguments not recorded)"
#define OMITTED "(arguments omitted: "
#define OMITTED_BYTES " bytes)"

/* One of them has two parts. */
/* NOLINTBEGIN(bugprone-suspicious-missing-comma) */
const char *const document_texts[] = {
	OUTPUT_HEADER, NESTED_HEADER, COMPLETE,	     INCOMPLETE,
	UNKNOWN,       UNFINISHED,    MILLISECONDS,  ERROR_LABEL,
	NOT_RECORDED,  OMITTED,	      OMITTED_BYTES, NULL
};
/* NOLINTEND(bugprone-suspicious-missing-comma) */

void
document_call(struct buf *out, struct str name, struct str arguments)
{
	buf_add_str(out, name);
	buf_addc(out, ' ');
	buf_add_str(out, arguments.n > 0 ? arguments : STR(NOT_RECORDED));
}

void
document_take_call(struct buf *out, struct str name, struct buf *arguments)
{
	size_t before = name.n + 1;

	(void)buf_reserve(arguments, before);
	memmove(arguments->data + before, arguments->data, arguments->len + 1);
	memcpy(arguments->data, name.s, name.n);
	arguments->data[name.n] = ' ';
	arguments->len += before;
	buf_release(out);
	*out = *arguments;
	buf_init(arguments, BUF_UNLIMITED);
}

size_t
document_output_begin(struct buf *out)
{
	size_t mark = out->len;

	buf_adds(out, OUTPUT_HEADER);
	return mark;
}

void
document_output_end(struct buf *out, size_t mark)
{
	if (out->len - mark == sizeof(OUTPUT_HEADER) - 1)
		buf_truncate(out, mark);
}

uint64_t
document_nested_count(struct str nested)
{
	struct json_iter it = json_iterate(json_get(nested, "calls"));
	struct str call;
	uint64_t n = 0;

	while (json_next_element(&it, &call))
		n++;
	return n;
}

bool
document_nested_complete(struct str nested)
{
	return json_is_true(json_get(nested, "complete"));
}

/* A string member as it is recorded, or what stands for a missing one. */
static void
add_or(struct buf *out, struct str value, const char *missing)
{
	if (json_kind(value) == JSON_STRING)
		json_decode(value, out);
	else
		buf_adds(out, missing);
}

static void
add_nested_call(struct buf *out, struct str call)
{
	static const char *const names[] = {
		"id",	 "name",      "status",	       "durationMs",
		"error", "arguments", "argumentsBytes"
	};
	enum { ID, NAME, STATUS, DURATION, ERROR, ARGUMENTS, BYTES, COUNT };
	struct str v[COUNT];

	json_get_many(call, names, v, COUNT);
	buf_adds(out, "- ");
	add_or(out, v[ID], UNKNOWN);
	buf_addc(out, ' ');
	add_or(out, v[NAME], UNKNOWN);
	buf_adds(out, " [");
	add_or(out, v[STATUS], UNFINISHED);
	buf_addc(out, ']');
	if (json_kind(v[DURATION]) == JSON_NUMBER) {
		buf_addc(out, ' ');
		buf_add_str(out, v[DURATION]);
		buf_adds(out, MILLISECONDS);
	}
	if (json_kind(v[ERROR]) == JSON_STRING) {
		buf_adds(out, ERROR_LABEL);
		json_decode(v[ERROR], out);
	}
	buf_addc(out, ' ');
	if (json_kind(v[ARGUMENTS]) != JSON_NONE) {
		json_canonical(v[ARGUMENTS], out);
	} else if (json_kind(v[BYTES]) == JSON_NUMBER) {
		buf_adds(out, OMITTED);
		buf_add_str(out, v[BYTES]);
		buf_adds(out, OMITTED_BYTES);
	} else {
		buf_adds(out, NOT_RECORDED);
	}
}

void
document_nested(struct buf *out, struct str nested)
{
	struct json_iter it;
	struct str call;

	if (nested.n == 0)
		return;
	buf_addf(out, NESTED_HEADER,
		 document_nested_complete(nested) ? COMPLETE : INCOMPLETE,
		 document_nested_count(nested));
	it = json_iterate(json_get(nested, "calls"));
	if (!json_next_element(&it, &call)) {
		buf_addc(out, '\n');
		return;
	}
	do {
		buf_addc(out, '\n');
		add_nested_call(out, call);
	} while (json_next_element(&it, &call));
}
