#include "output/surface.h"

#include <unistd.h>

#include "base/visible.h"

void
surface_text(struct buf *out, struct str text)
{
	const char *cr;

	if (!isatty(STDOUT_FILENO)) {
		buf_add_str(out, text);
		return;
	}
	/* A CR before LF is let through by visible_text(), but not here. */
	while (text.n > 0 && (cr = memchr(text.s, '\r', text.n)) != NULL) {
		size_t before = (size_t)(cr - text.s);

		visible_text(out, (struct str){ text.s, before });
		visible_field(out, STR("\r"));
		text = str_from(text, before + 1);
	}
	visible_text(out, text);
}

void
surface_value(struct buf *out, const struct value *v)
{
	struct buf text = BUF_INIT;

	if (v->kind == JSON_STRING) {
		surface_text(out, value_str(v));
		return;
	}
	value_write(v, &text);
	surface_text(out, buf_str(&text));
	buf_release(&text);
}
