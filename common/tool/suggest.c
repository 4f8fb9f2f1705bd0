#include "tool/suggest.h"

#include "base/utf8.h"
#include "text/near.h"

void
suggest_name(struct suggestion *s, const char *name)
{
	struct buf words = BUF_INIT;
	unsigned edits;

	/* An option is foo-bar where a parameter is foo_bar. */
	for (const char *c = name; *c != '\0'; c++)
		buf_addc(&words, *c == '-' ? '_' : *c);
	edits = near_edits(s->given, buf_str(&words));
	buf_release(&words);
	if (edits >= s->edits || edits >= utf8_count(s->given))
		return;
	s->edits = edits;
	s->name = name;
}

void
suggest_values(struct suggestion *s, const char *const *values)
{
	for (; *values != NULL; values++)
		suggest_name(s, *values);
}

void
suggest_params(struct suggestion *s, const struct param *params)
{
	for (const struct param *p = params; p != NULL && p->name != NULL; p++)
		suggest_name(s, p->name);
}

void
suggest_add(struct buf *out, const struct suggestion *s, const char *before)
{
	if (s->name == NULL)
		return;
	buf_addf(out, "; did you mean %s", before);
	for (const char *c = s->name; *c != '\0'; c++)
		buf_addc(out, *before != '\0' && *c == '_' ? '-' : *c);
	buf_addc(out, '?');
}
