#include "transcript/elements.h"

#include <string.h>

bool
elements_is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

struct str
elements_skip_space(struct str text)
{
	size_t i = 0;

	while (i < text.n && elements_is_space(text.s[i]))
		i++;
	return str_from(text, i);
}

struct str
elements_trim(struct str text)
{
	text = elements_skip_space(text);
	while (text.n > 0 && elements_is_space(text.s[text.n - 1]))
		text.n--;
	return text;
}

/* The name in the tag that text begins with; empty when it is none of them. */
static struct str
opening(struct str text, const struct elements *e)
{
	for (const char *const *of = e->names; *of != NULL; of++) {
		struct str name = str_of(*of);

		if (text.n > name.n + 1 && text.s[0] == '<' &&
		    (text.s[name.n + 1] == '>' ||
		     (e->loose && elements_is_space(text.s[name.n + 1]))) &&
		    str_starts(str_from(text, 1), name))
			return name;
	}
	return STR("");
}

bool
elements_skip(struct str *text, const struct elements *e)
{
	struct str name = opening(*text, e), rest;
	const char *at;

	if (name.n == 0)
		return false;
	rest = str_from(*text, name.n + 1);
	if (!str_has(rest, '>'))
		return false;
	(void)str_cut(&rest, '>');
	while (rest.n > 0) {
		at = memmem(rest.s, rest.n, "</", 2);
		if (at == NULL)
			break;
		rest = str_from(rest, (size_t)(at - rest.s) + 2);
		if (rest.n <= name.n || !str_starts(rest, name) ||
		    rest.s[name.n] != '>')
			continue;
		*text = str_from(rest, name.n + 1);
		return true;
	}
	if (e->loose)
		*text = STR("");
	return e->loose;
}

bool
elements_only(struct str text, const struct elements *e)
{
	text = elements_skip_space(text);
	if (text.n == 0)
		return false;
	while (text.n > 0) {
		if (!elements_skip(&text, e))
			return false;
		text = elements_skip_space(text);
	}
	return true;
}
