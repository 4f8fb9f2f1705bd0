#include "lessons/channel.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "base/io.h"
#include "base/json_check.h"
#include "base/json_write.h"
#include "base/utf8.h"
#include "lessons/parameters.h"
#include "lessons/wording.h"
#include "tool/bind.h"
#include "tool/facts.h"

#define LOOK_MS 100
#define LINE_MAX_BYTES (1 << 20)

/* ---- which ------------------------------------------------------------- */

/* Two descriptors that are open: IN,OUT. */
static bool
parse_fds(const char *text, int *in, int *out)
{
	char *end;
	long a, b;

	if (text[0] < '0' || text[0] > '9')
		return false;
	a = strtol(text, &end, 10);
	if (end[0] != ',' || end[1] < '0' || end[1] > '9')
		return false;
	b = strtol(end + 1, &end, 10);
	if (*end != '\0' || a > 65535 || b > 65535 ||
	    fcntl((int)a, F_GETFD) < 0 || fcntl((int)b, F_GETFD) < 0)
		return false;
	*in = (int)a;
	*out = (int)b;
	return true;
}

static int
bind_ui_fd(struct args *a, void *to, struct str value, struct buf *note)
{
	struct arg_string *arg = to;
	struct str text;
	int in, out;

	(void)note;
	if (json_kind(value) != JSON_STRING)
		return -1;
	text = args_text(a, value);
	if (!parse_fds(text.s, &in, &out))
		return -1;
	*arg = (struct arg_string){ text.s, text.n, true };
	return 0;
}

const struct param_kind channel_ui_fd = {
	.legal = "IN,OUT: two descriptors that are open",
	.metavar = "IN,OUT",
	.bind = bind_ui_fd,
	.schema = kind_string_schema,
};

/* The terminal, when this process is in its foreground. */
static int
open_terminal(void)
{
	int fd = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);

	if (fd >= 0 && tcgetpgrp(fd) == getpgrp())
		return fd;
	if (fd >= 0)
		(void)close(fd);
	return -1;
}

/* How long to wait: what --wait says, or the variable. */
static int
wait_seconds(const struct channel_args *args, int64_t *seconds,
	     struct fail *fail)
{
	const char *said = facts_variable(CHANNEL_WAIT_VARIABLE);
	struct buf quoted = BUF_INIT;

	*seconds = args->wait.v;
	if (args->wait.given || said == NULL)
		return 0;
	if (strlen(said) <= 5 && said[strspn(said, "0123456789")] == '\0') {
		*seconds = strtol(said, NULL, 10);
		if (*seconds <= CHANNEL_WAIT_MAX_SECONDS)
			return 0;
	}
	fail_quote(&quoted, str_of(said));
	(void)fail_environment(fail, "%s: %s given; legal: 0 to %d seconds",
			       CHANNEL_WAIT_VARIABLE, quoted.data,
			       CHANNEL_WAIT_MAX_SECONDS);
	buf_release(&quoted);
	return -1;
}

int
channel_open(struct channel *c, const struct channel_args *args,
	     struct fail *fail)
{
	int64_t seconds;

	*c = (struct channel){ .in = -1, .out = -1, .pending = BUF_INIT };
	if (wait_seconds(args, &seconds, fail) != 0)
		return -1;
	if (args->ui_fd.given && parse_fds(args->ui_fd.s, &c->in, &c->out)) {
		c->kind = CHANNEL_LINES;
		return 0;
	}
	if (!args->no_tty.v) {
		c->in = c->out = open_terminal();
		if (c->in >= 0) {
			c->kind = CHANNEL_TERMINAL;
			return 0;
		}
	}
	if (seconds > 0) {
		c->kind = CHANNEL_WAIT;
		c->wait_ms = seconds * 1000;
	}
	return 0;
}

void
channel_close(struct channel *c)
{
	if (c->kind == CHANNEL_TERMINAL)
		(void)close(c->in);
	buf_release(&c->pending);
	c->kind = CHANNEL_NONE;
}

/* ---- reading lines ----------------------------------------------------- */

static bool
still(const struct channel *c)
{
	return c->still == NULL || c->still(c->ctx);
}

/*
 * The next line without its end.  False at the end of file, for a line that
 * is too long, and when the dialog is to end.
 */
static bool
read_line(struct channel *c, struct buf *line)
{
	struct pollfd p = { c->in, POLLIN, 0 };
	char bytes[4096];
	const char *end;
	ssize_t n;
	int ready;

	for (;;) {
		end = memchr(c->pending.data, '\n', c->pending.len);
		if (end != NULL) {
			size_t used = (size_t)(end - c->pending.data);
			struct buf rest = BUF_INIT;

			buf_reset(line);
			buf_add(line, c->pending.data, used);
			buf_add_str(&rest,
				    str_from(buf_str(&c->pending), used + 1));
			buf_release(&c->pending);
			c->pending = rest;
			return true;
		}
		if (c->pending.len > LINE_MAX_BYTES || !still(c))
			return false;
		ready = poll(&p, 1, LOOK_MS);
		if (ready == 0 || (ready < 0 && errno == EINTR))
			continue;
		n = ready < 0 ? -1 : read(c->in, bytes, sizeof(bytes));
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		buf_add(&c->pending, bytes, (size_t)n);
	}
}

/* ---- lines of JSON ----------------------------------------------------- */

static void
begin_message(struct json_writer *w, struct buf *out, const char *type,
	      const char *title, struct str body)
{
	json_begin(w, out);
	json_open_object(w);
	json_member_string(w, "type", str_of(type));
	json_member_string(w, "title", str_of(title));
	json_member_string(w, "body", body);
}

static bool
send_message(struct channel *c, struct json_writer *w, struct buf *out)
{
	bool sent;

	json_close_object(w);
	buf_addc(out, '\n');
	sent = io_write_all(c->out, out->data, out->len) == 0;
	buf_release(out);
	return sent;
}

/* The value of the answer, or false: cancelled, or no answer at all. */
static bool
read_answer(struct channel *c, struct buf *answer)
{
	static const char *const names[] = { "value", "cancelled" };
	struct buf line = BUF_INIT;
	struct str values[2];
	bool got = false;

	if (read_line(c, &line) &&
	    json_check(buf_str(&line), 8, 0, NULL) == 0 &&
	    json_kind(json_value(buf_str(&line))) == JSON_OBJECT) {
		json_get_many(json_value(buf_str(&line)), names, values, 2);
		got = json_kind(values[0]) == JSON_STRING &&
		      json_kind(values[1]) == JSON_NONE;
		if (got)
			json_decode(values[0], answer);
	}
	buf_release(&line);
	return got;
}

static long
select_by_lines(struct channel *c, const struct question *q)
{
	struct buf out = BUF_INIT, answer = BUF_INIT;
	struct json_writer w;
	long found = -1;
	size_t i;

	begin_message(&w, &out, "select", q->title, q->body);
	json_key(&w, "options");
	json_open_array(&w);
	for (i = 0; i < q->n; i++) {
		json_open_object(&w);
		json_member_string(&w, "value", str_of(q->choices[i].value));
		json_member_string(&w, "label", q->choices[i].label);
		json_close_object(&w);
	}
	json_close_array(&w);
	json_member_string(&w, "default",
			   str_of(q->choices[q->fallback].value));
	if (send_message(c, &w, &out) && read_answer(c, &answer))
		for (i = 0; i < q->n; i++)
			if (str_is(buf_str(&answer), q->choices[i].value))
				found = (long)i;
	buf_release(&answer);
	return found;
}

static bool
input_by_lines(struct channel *c, const char *title, struct str body,
	       struct str value, struct buf *answer)
{
	struct buf out = BUF_INIT;
	struct json_writer w;

	begin_message(&w, &out, "input", title, body);
	json_member_string(&w, "value", value);
	return send_message(c, &w, &out) && read_answer(c, answer);
}

/* ---- the terminal ------------------------------------------------------ */

/*
 * Prints what is asked about, then the prompt, and reads a line, from which
 * white space at its ends is taken.  What was typed before the prompt is not an
 * answer; what is typed once it stands there is, so it is not thrown away later.
 */
static bool
ask(struct channel *c, const struct buf *text, const char *prompt,
    struct buf *line)
{
	struct str answer;
	struct buf kept = BUF_INIT;
	bool got;

	if (io_write_all(c->out, text->data, text->len) != 0)
		return false;
	buf_reset(&c->pending);
	(void)tcflush(c->in, TCIFLUSH);
	if (io_write_all(c->out, prompt, strlen(prompt)) != 0)
		return false;
	got = read_line(c, line);
	if (!got) {
		(void)io_write_all(c->out, "\n", 1);
		return false;
	}
	answer = wording_trim(buf_str(line));
	buf_add_str(&kept, answer);
	buf_release(line);
	*line = kept;
	return true;
}

static void
print_question(const struct question *q, struct buf *out)
{
	size_t i;

	buf_addf(out, "\n%s\n\n", q->title);
	buf_add_str(out, q->body);
	if (q->body.n > 0 && q->body.s[q->body.n - 1] != '\n')
		buf_addc(out, '\n');
	buf_addc(out, '\n');
	for (i = 0; q->listed && i < q->n; i++)
		if (q->choices[i].label.n > 0) {
			buf_add_str(out, q->choices[i].label);
			buf_addc(out, '\n');
		}
	if (q->listed)
		buf_addc(out, '\n');
}

static long
select_on_terminal(struct channel *c, const struct question *q)
{
	struct buf text = BUF_INIT, line = BUF_INIT;
	long found = -1;
	size_t i;

	print_question(q, &text);
	while (found < 0 && ask(c, &text, q->prompt, &line)) {
		if (line.len == 0)
			found = (long)q->fallback;
		for (i = 0; i < q->n && found < 0; i++)
			if (i != q->fallback &&
			    str_is(buf_str(&line), q->choices[i].value))
				found = (long)i;
		/* Again the prompt alone: the rest still stands above it. */
		buf_reset(&text);
	}
	buf_release(&text);
	buf_release(&line);
	return found;
}

static bool
input_on_terminal(struct channel *c, const char *title, struct str body,
		  struct str value, struct buf *answer)
{
	struct buf text = BUF_INIT, line = BUF_INIT;
	bool got;

	buf_addf(&text, "\n%s\n\n", title);
	buf_add_str(&text, body);
	buf_adds(&text, "\nIt reads: ");
	wording_show_line(&text, value);
	buf_addc(&text, '\n');
	got = ask(c, &text, "New text, or Enter to keep it: ", &line) &&
	      line.len > 0;
	if (got && utf8_valid(buf_str(&line)) &&
	    memchr(line.data, '\0', line.len) == NULL)
		buf_add_str(answer, buf_str(&line));
	else
		got = false;
	buf_release(&text);
	buf_release(&line);
	return got;
}

long
channel_select(struct channel *c, const struct question *q)
{
	return c->kind == CHANNEL_LINES ? select_by_lines(c, q)
					: select_on_terminal(c, q);
}

bool
channel_input(struct channel *c, const char *title, struct str body,
	      struct str value, struct buf *answer)
{
	return c->kind == CHANNEL_LINES
		       ? input_by_lines(c, title, body, value, answer)
		       : input_on_terminal(c, title, body, value, answer);
}
