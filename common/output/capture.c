#include "output/capture.h"

#include "base/utf8.h"
#include "text/sanitize.h"

void
capture_init(struct capture *c, const struct capture_options *options)
{
	*c = (struct capture){ .sanitize = options->sanitize,
			       .decoded = BUF_INIT };
	window_text_init(&c->window, options->retain, options->max_bytes,
			 options->max_lines);
	spill_init(&c->spill, options->spill, options->spill_dir,
		   options->spill_kind);
}

void
capture_release(struct capture *c)
{
	window_text_release(&c->window);
	spill_release(&c->spill);
	buf_release(&c->decoded);
}

int
capture_add(struct capture *c, struct str bytes, struct fail *fail)
{
	/* Nothing is held, and all of it is text: it need not be copied. */
	if (c->decoder.n == 0 && utf8_valid(bytes)) {
		window_text_add(&c->window, bytes);
	} else {
		buf_reset(&c->decoded);
		utf8_stream_add(&c->decoder, bytes.s, bytes.n, &c->decoded);
		window_text_add(&c->window, buf_str(&c->decoded));
	}
	c->raw += bytes.n;
	return spill_add(&c->spill, bytes, window_text_truncated(&c->window),
			 fail);
}

int
capture_add_text(struct capture *c, struct str text, struct fail *fail)
{
	size_t held = c->spill.held.len;

	if (spill_add(&c->spill, text, window_text_crosses(&c->window, text),
		      fail) != 0) {
		if (c->spill.held.len > held)
			buf_truncate(&c->spill.held, held);
		return -1;
	}
	window_text_add(&c->window, text);
	c->raw += text.n;
	return 0;
}

int
capture_replace(struct capture *c, struct str text, struct fail *fail)
{
	struct window_text window;
	struct spill spill;

	window_text_init(&window, c->window.retain, c->window.max_bytes,
			 c->window.max_lines);
	spill_init(&spill, c->spill.when, buf_str(&c->spill.dir),
		   c->spill.kind);
	if (spill_add(&spill, text, window_text_crosses(&window, text), fail) !=
	    0) {
		window_text_release(&window);
		spill_release(&spill);
		return -1;
	}
	window_text_add(&window, text);
	window_text_release(&c->window);
	spill_release(&c->spill);
	c->window = window;
	c->spill = spill;
	return 0;
}

int
capture_end(struct capture *c, struct fail *fail)
{
	buf_reset(&c->decoded);
	utf8_stream_end(&c->decoder, &c->decoded);
	window_text_add(&c->window, buf_str(&c->decoded));
	return spill_add(&c->spill, STR(""), window_text_truncated(&c->window),
			 fail);
}

void
capture_view(const struct capture *c, struct buf *shown, struct truncation *t)
{
	struct str view = window_text_view(&c->window, false, t);

	if (c->sanitize)
		sanitize(view, shown);
	else
		buf_add_str(shown, view);
}
