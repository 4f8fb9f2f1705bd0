#include "sessions/selector.h"

#include <string.h>

void
selector_add_forms(struct buf *out)
{
	buf_adds(out, "<host>:<id>, an id, or the first characters of one, "
		      "with ");
	hosts_add_names(out, " or ");
	buf_adds(out, " for the host; \".\" for the latest of this directory; "
		      "in history_list also \"*\" or \"<host>:*\"");
}

static bool
is_id_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-';
}

bool
selector_is_id(struct str s)
{
	if (s.n == 0 || s.n > SELECTOR_ID_BYTES || s.s[0] == '.')
		return false;
	for (size_t i = 0; i < s.n; i++)
		if (!is_id_char(s.s[i]))
			return false;
	return true;
}

bool
selector_parse(struct str s, struct selector *selector)
{
	struct str host = str_until(s, ':');

	*selector = (struct selector){ .host = NULL, .id = s };
	if (host.n < s.n) {
		selector->host = hosts_find(host);
		if (selector->host == NULL)
			return false;
		selector->id = str_from(s, host.n + 1);
	}
	if (str_is(selector->id, "*")) {
		selector->wildcard = true;
		selector->id = STR("");
		return true;
	}
	if (str_is(s, ".")) {
		selector->here = true;
		selector->id = STR("");
		return true;
	}
	return selector_is_id(selector->id);
}

bool
selector_parse_one(struct str s, struct selector *selector)
{
	return selector_parse(s, selector) && !selector->wildcard &&
	       !selector->here;
}

static char
lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

enum selector_match
selector_match(const struct selector *selector, const struct host *host,
	       struct str id)
{
	struct str want = selector->id;

	if (selector->host != NULL && selector->host != host)
		return SELECTOR_DIFFERS;
	if (str_eq(id, want))
		return SELECTOR_EQUAL;
	if (id.n < want.n)
		return SELECTOR_DIFFERS;
	for (size_t i = 0; i < want.n; i++)
		if (lower(id.s[i]) != lower(want.s[i]))
			return SELECTOR_DIFFERS;
	if (id.n == want.n)
		return SELECTOR_LETTERS;
	return want.n >= SELECTOR_PREFIX_CHARS ? SELECTOR_PREFIX
					       : SELECTOR_DIFFERS;
}
