#include "transcript/claude_role.h"

/* The elements that a host writes; the list is closed. */
static const char *const elements[] = {
	"command-name",		"command-message",	"command-args",
	"local-command-stdout", "local-command-stderr", "local-command-caveat",
	"bash-input",		"bash-stdout",		"bash-stderr",
	"system-reminder",	"task-notification",	NULL
};

static struct str
skip_space(struct str text)
{
	size_t i = 0;

	while (i < text.n &&
	       (text.s[i] == ' ' || (text.s[i] >= '\t' && text.s[i] <= '\r')))
		i++;
	return str_from(text, i);
}

/* The name in the tag that text begins with; empty when it is none of ours. */
static struct str
opening(struct str text)
{
	for (size_t i = 0; elements[i] != NULL; i++) {
		struct str name = str_of(elements[i]);

		if (text.n > name.n + 1 && text.s[0] == '<' &&
		    text.s[name.n + 1] == '>' &&
		    str_starts(str_from(text, 1), name))
			return name;
	}
	return STR("");
}

/*
 * Goes past the element that *text begins with: it ends at the first closing
 * tag of its name.
 */
static bool
skip_element(struct str *text)
{
	struct str name = opening(*text), rest;
	const char *at;

	if (name.n == 0)
		return false;
	rest = str_from(*text, name.n + 2);
	while (rest.n > 0) {
		at = memmem(rest.s, rest.n, "</", 2);
		if (at == NULL)
			return false;
		rest = str_from(rest, (size_t)(at - rest.s) + 2);
		if (rest.n <= name.n || !str_starts(rest, name) ||
		    rest.s[name.n] != '>')
			continue;
		*text = str_from(rest, name.n + 1);
		return true;
	}
	return false;
}

bool
claude_role_is_context(struct str text)
{
	if (str_starts(text, STR("<context_window>")))
		return true;
	text = skip_space(text);
	if (text.n == 0)
		return false;
	while (text.n > 0) {
		if (!skip_element(&text))
			return false;
		text = skip_space(text);
	}
	return true;
}

bool
claude_role_is_plain(struct str raw)
{
	/* An escape may stand for either; controls are always escaped. */
	return raw.n > 2 && raw.s[1] != '<' && raw.s[1] != ' ' &&
	       raw.s[1] != '\\';
}
