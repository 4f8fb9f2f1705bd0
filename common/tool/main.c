#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/io.h"
#include "base/utf8.h"
#include "base/visible.h"
#include "base/xalloc.h"
#include "tool/bind.h"
#include "tool/command_line.h"
#include "tool/completion.h"
#include "tool/declare.h"
#include "tool/help.h"
#include "tool/hook.h"
#include "tool/result.h"
#include "tool/schema.h"
#include "tool/version.h"

/* One run of a program, and all that it owns. */
struct run {
	const struct tool *tool;
	bool no_stdin; /* it was closed when we began */
	struct command_line command;
	struct facts environment, facts;
	struct hook hook;
	struct buf input;	    /* what came on stdin */
	struct buf params, options; /* of the command line, as JSON */
	struct str object;	    /* the parameters, from either */
	bool typed;	  /* by a person: a parameter, or nothing at a prompt */
	bool streams;	  /* stream() is called, not run() */
	struct args args; /* bound parameters and options */
	struct buf remarks;
	void *result;
	struct fail fail;
};

/* ---- talking ----------------------------------------------------------- */

/*
 * A message that is about a parameter begins with its name, or with that of a
 * part of it, and a colon: a sentence about edits[0].oldText is of the JSON.
 */
static bool
is_about(struct str message, const struct param *p)
{
	struct str name = str_of(p->name);
	const char *blank = memchr(message.s, ' ', message.n);

	return str_starts(message, name) && message.n > name.n &&
	       (message.s[name.n] == ':' ||
		((message.s[name.n] == '[' || message.s[name.n] == '.') &&
		 blank != NULL && blank[-1] == ':'));
}

/*
 * What a message tells a model in parameters it tells a person in options:
 * `limit: 0 given` is about --limit, `the session parameter` is --session.
 */
static void
name_options(const struct param *params, struct buf *message)
{
	struct str rest = buf_str(message);
	struct buf phrase = BUF_INIT, out = BUF_INIT;
	const char *at;

	for (const struct param *p = params; p != NULL && p->name != NULL; p++)
		if (out.len == 0 && is_about(rest, p)) {
			flag_name(&out, p->name);
			rest = str_from(rest, strlen(p->name));
		}
	for (const struct param *p = params; p != NULL && p->name != NULL;
	     p++) {
		buf_reset(&phrase);
		buf_addf(&phrase, "the %s parameter", p->name);
		at = memmem(rest.s, rest.n, phrase.data, phrase.len);
		if (at == NULL)
			continue;
		buf_add(&out, rest.s, (size_t)(at - rest.s));
		flag_name(&out, p->name);
		rest = str_from(rest, (size_t)(at - rest.s) + phrase.len);
	}
	buf_add_str(&out, rest);
	buf_reset(message);
	buf_add_str(message, buf_str(&out));
	buf_release(&phrase);
	buf_release(&out);
}

/* One line on stderr, in one write, with no control characters of data. */
static void
complain(const struct tool *tool, const char *message)
{
	struct buf line = BUF_INIT;

	program_name(&line, tool);
	buf_adds(&line, ": ");
	visible_field(&line, str_of(message));
	buf_addc(&line, '\n');
	(void)io_write_all(STDERR_FILENO, line.data, line.len);
	buf_release(&line);
}

/* What a run had to say besides its result, line by line. */
static void
pass_on(const struct tool *tool, char *remarks)
{
	char *end;

	for (char *line = remarks; *line != '\0'; line = end + 1) {
		end = strchr(line, '\n');
		if (end == NULL)
			return;
		*end = '\0';
		complain(tool, line);
	}
}

/* Writes and closes stdout, so that a full disk is not missed. */
static int
finish_output(const struct tool *tool, const struct buf *out, bool stored)
{
	struct buf message = BUF_INIT;
	int error = 0;

	if (io_write_all(STDOUT_FILENO, out->data, out->len) != 0)
		error = errno;
	if (close(STDOUT_FILENO) != 0 && error == 0)
		error = errno;
	if (error == 0)
		return 0;
	if (stored)
		buf_adds(&message,
			 "stored; the receipt could not be written: ");
	else
		buf_adds(&message, "standard output: ");
	buf_adds(&message, strerror(error));
	complain(tool, message.data);
	buf_release(&message);
	return FAIL_ENVIRONMENT;
}

/* ---- arguments --------------------------------------------------------- */

static int
read_stdin(struct run *r, const char *what)
{
	size_t max = r->tool->input_max > 0 ? r->tool->input_max
					    : TOOL_INPUT_MAX;
	int rc = io_read_all(STDIN_FILENO, max, &r->input);

	if (rc < 0)
		return fail_environment(&r->fail, "standard input: %s",
					strerror(errno));
	if (rc > 0)
		return fail_invalid(&r->fail,
				    "%s: more than %zu bytes given; "
				    "legal: at most %zu bytes",
				    what, max, max);
	return 0;
}

/* The argument object from stdin; a terminal or nothing at all is {}. */
static int
arguments_from_stdin(struct run *r)
{
	struct json_error error;

	r->object = STR("{}");
	if (isatty(STDIN_FILENO)) {
		r->typed = true;
		return 0;
	}
	if (read_stdin(r, "arguments") != 0)
		return -1;
	if (json_value(buf_str(&r->input)).n == 0)
		return 0;
	if (args_check(r->tool, buf_str(&r->input), &error) != 0)
		return fail_invalid(&r->fail,
				    "arguments: line %u, column %u: %s; "
				    "legal: one JSON object",
				    error.line, error.column, error.reason);
	r->object = json_value(buf_str(&r->input));
	if (json_kind(r->object) != JSON_OBJECT)
		return fail_invalid(&r->fail, "arguments: no object given; "
					      "legal: one JSON object");
	return 0;
}

/* The one string parameter that was given as `-`. */
static int
parameter_from_stdin(struct run *r)
{
	const struct param *p = r->command.from_stdin;
	struct str text;
	size_t bad;

	if (r->no_stdin)
		return fail_environment(
			&r->fail, "%s: standard input is closed", p->name);
	if (read_stdin(r, p->name) != 0)
		return -1;
	text = buf_str(&r->input);
	bad = utf8_valid_prefix(text);
	if (bad < text.n)
		return fail_invalid(&r->fail,
				    "%s: invalid UTF-8 at byte %zu; "
				    "legal: UTF-8 text",
				    p->name, bad);
	if (!p->nul && str_has(text, '\0'))
		return fail_invalid(&r->fail,
				    "%s: NUL at byte %zu; "
				    "legal: text without NUL",
				    p->name, strlen(text.s));
	command_line_set_stdin(&r->command, text);
	return 0;
}

/* Of a stream program stdin is its own. */
static bool
leaves_stdin(const struct run *r)
{
	return r->command.from_stdin == NULL || r->command.from_stdin->streamed;
}

static int
arguments_from_flags(struct run *r)
{
	r->typed = true;
	if (!leaves_stdin(r) && parameter_from_stdin(r) != 0)
		return -1;
	given_object(&r->command.params, &r->params);
	r->object = buf_str(&r->params);
	return 0;
}

/* As a hook a program is told by its host, whose object is on stdin. */
static int
facts_from_stdin(struct run *r)
{
	given_object(&r->command.params, &r->params);
	r->object = buf_str(&r->params);
	if (isatty(STDIN_FILENO))
		return fail_invalid(&r->fail, "a hook's host gives an object");
	if (read_stdin(r, "the hook's object") != 0)
		return -1;
	r->command.surface = SURFACE_TEXT;
	return hook_take(&r->hook, buf_str(&r->input), &r->environment,
			 &r->facts, &r->fail);
}

static int
take_arguments(struct run *r)
{
	if (r->hook.facts != NULL)
		return facts_from_stdin(r);
	if (r->command.params.n > 0 || r->command.command != NULL)
		return arguments_from_flags(r);
	return arguments_from_stdin(r);
}

static int
bind_options(struct run *r)
{
	given_object(&r->command.options, &r->options);
	return args_bind(&r->args, buf_str(&r->options), r->tool->options,
			 (struct args_rules){ 0 }, &r->fail);
}

static int
bind_arguments(struct run *r)
{
	const struct tool *tool = r->tool;
	const struct param *from_stdin = r->command.from_stdin;
	struct args_rules rules = { .open = tool->open };

	rules.stream = r->streams && r->command.command == NULL &&
		       tool->run != NULL;
	if (r->command.command != NULL)
		rules.supplied = param_find(tool->params,
					    str_of(tool->operand));
	if (args_bind(&r->args, r->object, tool->params, rules, &r->fail) != 0)
		return -1;
	if (from_stdin != NULL && from_stdin->streamed) {
		struct arg_string *arg = (void *)((char *)r->args.bound +
						  from_stdin->offset);

		*arg = (struct arg_string){ .s = NULL, .given = true };
	}
	return bind_options(r);
}

/* ---- working ----------------------------------------------------------- */

static struct tool_call
make_call(struct run *r)
{
	return (struct tool_call){
		.tool = r->tool,
		.args = r->args.bound,
		.facts = &r->facts,
		.remarks = &r->remarks,
		.hook = r->hook.facts != NULL ? json_value(buf_str(&r->input))
					      : STR(""),
		.surface = r->command.surface,
		.typed = r->typed,
		.command = r->command.command
	};
}

static bool
is_refused(const struct fail *fail)
{
	return fail->kind == FAIL_REFUSED || fail->kind == FAIL_BLOCKED;
}

static void
refusal_text(const struct run *r, const struct terminal *t, struct buf *out)
{
	struct buf message = BUF_INIT;

	buf_add_str(&message, buf_str(t != NULL && r->fail.person.len > 0
					      ? &r->fail.person
					      : &r->fail.message));
	if (r->typed)
		name_options(r->tool->params, &message);
	terminal_on(out, t, TERMINAL_REFUSAL);
	buf_addf(out, "error: %s:", r->fail.code);
	terminal_off(out, t);
	buf_addc(out, ' ');
	visible_field(out, buf_str(&message));
	buf_release(&message);
}

/* A hook's text is for its host, whatever stdout is. */
static void
render_text(struct run *r, struct buf *out)
{
	struct terminal terminal, *t = NULL;

	struct buf text = BUF_INIT;

	if (r->hook.facts == NULL &&
	    terminal_init(&terminal, r->command.color, &r->facts))
		t = &terminal;
	if (is_refused(&r->fail))
		refusal_text(r, t, out);
	else if (t != NULL && r->tool->person != NULL)
		r->tool->person(r->result, t, out);
	else
		r->tool->text(r->result, &text);
	hook_print(&r->hook, buf_str(&text), out);
	buf_release(&text);
}

/* Both surfaces, or the one that was asked for, of a result or a refusal. */
static void
render(struct run *r, struct buf *out)
{
	enum surface surface = r->command.surface;

	if (surface == SURFACE_DEFAULT && r->typed)
		surface = SURFACE_TEXT;
	if (surface != SURFACE_TEXT) {
		if (is_refused(&r->fail))
			result_refusal(&r->fail, out);
		else
			result_json(r->tool, r->result, out);
		buf_addc(out, '\n');
	}
	if (surface != SURFACE_JSON) {
		render_text(r, out);
		buf_addc(out, '\n');
	}
}

/*
 * The status to exit with, and what is to be printed in out; -1 when there is
 * nothing to be printed but the failure.
 */
static int
run_tool(struct run *r, struct buf *out)
{
	struct tool_call call = make_call(r);
	int status;

	r->result = xcalloc(1, r->tool->result_size);
	status = r->tool->run(&call, r->result, &r->fail);
	if (status < 0 && !is_refused(&r->fail))
		return -1;
	render(r, out);
	return status < 0 ? (int)r->fail.kind : status;
}

static int
stream_tool(struct run *r, struct buf *out)
{
	struct tool_call call = make_call(r);
	int status = r->tool->stream(&call, &r->fail);

	if (status >= 0 || !is_refused(&r->fail))
		return status;
	render(r, out);
	return (int)r->fail.kind;
}

/* Whether the command line asks for a stream. */
static bool
asks_for_stream(const struct run *r)
{
	const struct param *p = param_find(r->tool->params, STR("stream"));

	return r->tool->stream != NULL && p != NULL &&
	       given_on(&r->command.params, p);
}

/* Arguments that are an object have stdin to themselves. */
static int
check_stream(struct run *r)
{
	const struct param *p = param_find(r->tool->params, STR("stream"));
	const struct arg_boolean *stream;

	if (asks_for_stream(r) && r->command.surface == SURFACE_TEXT)
		return fail_invalid(&r->fail, "-t and --stream given; "
					      "legal: one of them");
	if (r->tool->stream == NULL || p == NULL || r->typed)
		return 0;
	stream = (const void *)((const char *)r->args.bound + p->offset);
	if (stream->given && stream->v)
		return fail_invalid(&r->fail, "stream: true given; legal: "
					      "--stream on the command line");
	return 0;
}

static int
work(struct run *r, struct buf *out)
{
	const struct tool *tool = r->tool;

	if (tool->serve != NULL) {
		struct tool_call call = make_call(r);

		return bind_options(r) != 0 ? -1 : tool->serve(&call, &r->fail);
	}
	r->streams = tool->stream != NULL &&
		     (tool->run == NULL || r->command.command != NULL ||
		      asks_for_stream(r));
	if (take_arguments(r) != 0 || bind_arguments(r) != 0 ||
	    check_stream(r) != 0)
		return -1;
	return r->streams ? stream_tool(r, out) : run_tool(r, out);
}

static int
answer(struct run *r, struct buf *out)
{
	switch (r->command.request) {
	case REQUEST_RUN:
		return work(r, out);
	case REQUEST_HELP:
		help_print(r->tool, out);
		return 0;
	case REQUEST_VERSION:
		program_name(out, r->tool);
		buf_adds(out, " (ctxtools) " CTXTOOLS_VERSION "\n");
		return 0;
	case REQUEST_SCHEMA:
		schema_print(r->tool, out);
		buf_addc(out, '\n');
		return 0;
	case REQUEST_COMPLETION:
		return completion_print(r->tool, r->command.shell, &r->facts,
					out, &r->fail);
	}
	return -1;
}

/* ---- concluding -------------------------------------------------------- */

/* A hook has its text or nothing, and stops no host. */
static int
conclude_hook(int status, const struct buf *out)
{
	if (status == 0)
		(void)io_write_all(STDOUT_FILENO, out->data, out->len);
	return 0;
}

/* Says what there is to say, and gives the exit status. */
static int
conclude(struct run *r, int status, const struct buf *out)
{
	struct tool_call call = make_call(r);
	bool done = r->result != NULL && r->fail.kind == FAIL_NONE;

	if (r->hook.facts != NULL)
		return conclude_hook(status, out);
	if (status < 0) {
		if (r->typed)
			name_options(r->tool->params, &r->fail.message);
		name_options(r->tool->options, &r->fail.message);
		complain(r->tool, r->fail.message.data);
		return (int)r->fail.kind;
	}
	if (finish_output(r->tool, out, done && r->tool->writes) != 0)
		return FAIL_ENVIRONMENT;
	pass_on(r->tool, r->remarks.data);
	if (done && r->tool->printed != NULL &&
	    r->tool->printed(&call, r->result, &r->fail) != 0) {
		complain(r->tool, r->fail.message.data);
		return (int)r->fail.kind;
	}
	return status;
}

int
tool_main(const struct tool *tool, int argc, char *argv[])
{
	struct run r = { .tool = tool,
			 .input = BUF_INIT,
			 .params = BUF_INIT,
			 .options = BUF_INIT,
			 .remarks = BUF_INIT,
			 .fail = FAIL_INIT };
	struct buf out = BUF_INIT;
	int status;

	r.no_stdin = (io_secure_standard() & 1U << STDIN_FILENO) != 0;
	/* A reader that went away is an error to report, not a signal. */
	(void)signal(SIGPIPE, SIG_IGN);
	/* So is a file that would pass the limit on sizes: EFBIG. */
	(void)signal(SIGXFSZ, SIG_IGN);
	facts_from_environment(&r.environment);
	r.facts = r.environment;
	hook_find(&r.hook, tool, argc, argv);
	args_init(&r.args, tool->args_size);
	status = command_line_parse(&r.command, tool, argc, argv, &r.facts,
				    &r.fail);
	if (status == 0)
		status = answer(&r, &out);
	else
		r.typed = true;
	status = conclude(&r, status, &out);
	if (r.result != NULL && tool->release != NULL)
		tool->release(r.result);
	free(r.result);
	args_release(&r.args);
	command_line_release(&r.command);
	hook_release(&r.hook);
	buf_release(&r.input);
	buf_release(&r.params);
	buf_release(&r.options);
	buf_release(&r.remarks);
	buf_release(&out);
	fail_release(&r.fail);
	return status;
}
