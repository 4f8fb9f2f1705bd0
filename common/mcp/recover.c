#include "mcp/recover.h"

#include <string.h>

#include "base/json_check.h"
#include "base/json_scan.h"
#include "base/json_span.h"
#include "mcp/message.h"

#define HEAD 4096

/* Where a value ends, in text that may be broken; end when it does not. */
static const char *
skip_value(const char *p, const char *end)
{
	size_t depth = 0;

	for (; p < end; p++) {
		if (*p == '"') {
			p = json_scan_string(p + 1, end) - 1;
			if (p + 1 == end)
				return end;
		} else if (*p == '[' || *p == '{') {
			depth++;
		} else if (depth > 0 && (*p == ']' || *p == '}')) {
			depth--;
		} else if (depth == 0 && (*p == ',' || *p == '}')) {
			return p;
		}
	}
	return end;
}

/* Cuts white space off the end. */
static struct str
trim(const char *from, const char *to)
{
	while (to > from && json_scan_is_space(to[-1]))
		to--;
	return (struct str){ from, (size_t)(to - from) };
}

static bool
is_value(struct str s)
{
	return json_check(s, 1, JSON_ALLOW_NUL | JSON_ALLOW_LONE, NULL) == 0;
}

struct str
recover_id(struct str head)
{
	const char *p = head.s, *start;
	const char *end = p + (head.n > HEAD ? HEAD : head.n);
	struct buf key = BUF_INIT;
	struct str name, id, value = STR("null");

	p = json_scan_space(p, end);
	if (p == end || *p != '{')
		return value;
	do {
		start = json_scan_space(p + 1, end);
		if (start == end || *start != '"')
			return value;
		p = json_scan_string(start + 1, end);
		name = (struct str){ start, (size_t)(p - start) };
		p = json_scan_space(p, end);
		if (p == end || *p != ':' || !is_value(name))
			return value;
		start = json_scan_space(p + 1, end);
		p = skip_value(start, end);
	} while (!json_string_is(name, "id") && p < end && *p == ',');
	id = trim(start, p);
	/* A number may go on where the text was cut; a string says its end. */
	if (json_string_is(name, "id") && id.n > 0 &&
	    (p < end || *start == '"') && is_value(id) &&
	    message_id_key(id, &key))
		value = id;
	buf_release(&key);
	return value;
}
