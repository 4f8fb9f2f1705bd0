#include "context/bounds.h"

#include "base/utf8.h"
#include "base/visible.h"

#define QUERY_CHARS 200

void
bounds_show(struct buf *out, struct str text)
{
	size_t start = 0, i;

	for (i = 0; i < text.n; i++) {
		if (text.s[i] != '\n' && text.s[i] != '\t')
			continue;
		visible_field(out, (struct str){ text.s + start, i - start });
		buf_addc(out, text.s[i]);
		start = i + 1;
	}
	visible_field(out, str_from(text, start));
}

size_t
bounds_escaped_size(struct str text)
{
	size_t size = text.n;

	for (size_t i = 0; i < text.n; i++) {
		unsigned char c = (unsigned char)text.s[i];

		if (c == '"' || c == '\\' || c == '\n' || c == '\t')
			size += 1;
		else if (c < 0x20 || c == 0x7f)
			size += 5;
		else if (c == 0xc2 && i + 1 < text.n &&
			 (unsigned char)text.s[i + 1] < 0xa0)
			size += 4;
	}
	return size;
}

int
bounds_refuse(const char *what, struct fail *fail)
{
	return fail_refuse(fail, "output_too_large",
			   "%s does not fit the output, even cut", what);
}

void
bounds_show_query(struct buf *out, struct str query)
{
	struct str shown = utf8_prefix(query, QUERY_CHARS);

	bounds_show(out, shown);
	if (shown.n < query.n)
		buf_adds(out, "\xe2\x80\xa6");
}
