#include "output/output_truncate.h"

#include <errno.h>
#include <unistd.h>

#include "output/place.h"
#include "output/surface.h"
#include "text/sanitize.h"
#include "text/utf8_stream.h"

#define READ_BYTES 262144

/* Runs a file or stdin through the window.  0, or -1 with FAIL_ENVIRONMENT. */
static int
take_file(struct window_text *w, int fd, const char *what, struct fail *fail)
{
	struct utf8_stream s = { .n = 0 };
	struct buf bytes = BUF_INIT, text = BUF_INIT;
	char *block = buf_reserve(&bytes, READ_BYTES);
	ssize_t n;

	do {
		n = read(fd, block, READ_BYTES);
		if (n < 0 && errno == EINTR)
			continue;
		buf_reset(&text);
		if (n > 0)
			utf8_stream_add(&s, block, (size_t)n, &text);
		else
			utf8_stream_end(&s, &text);
		window_text_add(w, buf_str(&text));
	} while (n > 0 || (n < 0 && errno == EINTR));
	if (n < 0)
		(void)fail_environment(fail, "%s: %s", what, strerror(errno));
	buf_release(&bytes);
	buf_release(&text);
	return n < 0 ? -1 : 0;
}

static int
take_input(struct window_text *w, const struct tool_call *call,
	   struct fail *fail)
{
	const struct output_truncate_args *args = call->args;
	int fd, rc;

	if (args->path.given == args->text.given)
		return fail_invalid(fail,
				    "path, text: %s given; legal: one of them",
				    args->path.given ? "both" : "neither");
	if (args->text.given && args->text.s == NULL)
		return take_file(w, STDIN_FILENO, "standard input", fail);
	if (args->text.given) {
		window_text_add(w, arg_str(args->text));
		return 0;
	}
	fd = place_open(call->facts, args->path.s, fail);
	if (fd < 0)
		return -1;
	rc = take_file(w, fd, args->path.s, fail);
	close(fd);
	return rc;
}

int
output_truncate_run(const struct tool_call *call, void *result,
		    struct fail *fail)
{
	const struct output_truncate_args *args = call->args;
	struct output_truncate_result *r = result;
	struct window_text w;
	struct str view;
	int rc;

	buf_init(&r->text, BUF_UNLIMITED);
	buf_init(&r->footer, BUF_UNLIMITED);
	window_text_init(&w, (enum truncate_retain)args->retain.v,
			 (size_t)args->max_bytes.v, (size_t)args->max_lines.v);
	rc = take_input(&w, call, fail);
	if (rc == 0) {
		view = window_text_view(&w, true, &r->truncation);
		if (args->sanitize.v)
			sanitize(view, &r->text);
		else
			buf_add_str(&r->text, view);
		r->text_json = buf_str(&r->text);
		r->last_line_bytes = r->truncation.last_line_partial
					     ? r->truncation.last_line_bytes
					     : FIELD_NONE;
		if (r->truncation.truncated) {
			truncate_footer(&r->footer, w.retain, true,
					&r->truncation, str_of(args->path.s));
			r->footer_json = buf_str(&r->footer);
		}
	}
	window_text_release(&w);
	return rc;
}

void
output_truncate_text(const void *result, struct buf *out)
{
	const struct output_truncate_result *r = result;
	struct buf text = BUF_INIT;

	buf_add_str(&text, buf_str(&r->text));
	if (r->footer.len > 0)
		truncate_join(&text, buf_str(&r->footer));
	if (text.len == 0)
		buf_adds(&text, "(no output)");
	surface_text(out, buf_str(&text));
	buf_release(&text);
}

void
output_truncate_release(void *result)
{
	struct output_truncate_result *r = result;

	buf_release(&r->text);
	buf_release(&r->footer);
}
