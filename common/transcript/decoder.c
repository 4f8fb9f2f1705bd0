#include "transcript/decoder.h"

#include <string.h>

#include "base/json_span.h"
#include "base/path.h"

const char *const decoder_role_names[] = { "user", "assistant", "tool",
					   "context", NULL };
const char *const decoder_status_names[] = { "ok", "error", "unfinished",
					     NULL };

unsigned
decoder_find_kind(const struct decoder_kind known[], struct str name)
{
	while (known->name != NULL && !json_string_is(name, known->name))
		known++;
	return known->kind;
}

struct str
decoder_stem(struct str path)
{
	struct str name = path_last(path);
	size_t n;

	if (str_ends(name, STR(".zst")))
		name.n -= sizeof(".zst") - 1;
	n = name.n;
	while (n > 0 && name.s[n - 1] != '.')
		n--;
	return n > 1 ? (struct str){ name.s, n - 1 } : name;
}

bool
decoder_has_form(struct str s, const char *form)
{
	size_t n = strlen(form);

	if (s.n < n)
		return false;
	for (size_t i = 0; i < n; i++)
		if (form[i] == '0' ? s.s[i] < '0' || s.s[i] > '9'
				   : s.s[i] != form[i])
			return false;
	return true;
}

void
decoder_read_call(struct str call, const char *name, const char *arguments,
		  struct call_facts *out)
{
	const char *const names[] = { name, arguments };
	struct str v[2];

	json_get_many(call, names, v, 2);
	json_decode(v[0], &out->name);
	if (json_kind(v[1]) != JSON_NONE)
		json_canonical(v[1], &out->arguments);
}

struct str
decoder_session_id(const struct decoder *decoder, struct str first,
		   struct buf *scratch)
{
	return decoder->session_id == NULL
		       ? STR("")
		       : decoder->session_id(first, scratch);
}
