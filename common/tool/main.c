#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/io.h"
#include "base/json_check.h"
#include "base/json_write.h"
#include "base/utf8.h"
#include "base/visible.h"
#include "tool/bind.h"
#include "tool/command_line.h"
#include "tool/completion.h"
#include "tool/declare.h"
#include "tool/help.h"
#include "tool/hook.h"
#include "tool/schema.h"
#include "tool/version.h"

#define ARGUMENT_DEPTH 64

/* One run of a program, and all that it owns. */
struct run {
	const struct tool *tool;
	struct command_line command;
	struct facts environment, facts;
	struct hook hook;
	struct buf input; /* what came on stdin */
	bool typed;	  /* by a person: a parameter, or nothing at a prompt */
	struct args args; /* bound parameters and options */
	struct buf remarks;
	void *result;
	struct fail fail;
};

/* ---- talking ----------------------------------------------------------- */

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
	char *line, *end;

	for (line = remarks; *line != '\0'; line = end + 1) {
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

static bool
is_blank(struct str s)
{
	size_t i;

	for (i = 0; i < s.n; i++)
		if (strchr(" \t\r\n", s.s[i]) == NULL || s.s[i] == '\0')
			return false;
	return true;
}

/* The argument object from stdin; a terminal or nothing at all is {}. */
static int
arguments_from_stdin(struct run *r)
{
	struct json_error error;

	if (isatty(STDIN_FILENO)) {
		r->typed = true;
		return 0;
	}
	if (read_stdin(r, "arguments") != 0)
		return -1;
	if (is_blank(buf_str(&r->input)))
		return 0;
	if (json_check(buf_str(&r->input), ARGUMENT_DEPTH, 0, &error) != 0)
		return fail_invalid(&r->fail,
				    "arguments: line %u, column %u: %s; "
				    "legal: one JSON object",
				    error.line, error.column, error.reason);
	cJSON_Delete(r->command.params);
	r->command.params = cJSON_ParseWithLength(r->input.data, r->input.len);
	if (r->command.params == NULL)
		abort(); /* checked text: only memory can be missing */
	if (!cJSON_IsObject(r->command.params))
		return fail_invalid(&r->fail, "arguments: no object given; "
					      "legal: one JSON object");
	args_keep_numbers(r->command.params, buf_str(&r->input));
	return 0;
}

/* The one string parameter that was given as `-`. */
static int
parameter_from_stdin(struct run *r)
{
	const char *name = r->command.from_stdin;
	struct str text;
	size_t bad;

	if (name == NULL)
		return 0;
	if (read_stdin(r, name) != 0)
		return -1;
	text = buf_str(&r->input);
	bad = utf8_valid_prefix(text);
	if (bad < text.n)
		return fail_invalid(&r->fail,
				    "%s: invalid UTF-8 at byte %zu; "
				    "legal: UTF-8 text",
				    name, bad);
	if (memchr(text.s, '\0', text.n) != NULL)
		return fail_invalid(&r->fail,
				    "%s: NUL at byte %zu; "
				    "legal: text without NUL",
				    name, strlen(text.s));
	command_line_set_stdin(&r->command, text.s);
	return 0;
}

/* As a hook a program is told by its host, whose object is on stdin. */
static int
facts_from_stdin(struct run *r)
{
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
	r->typed = r->command.has_params;
	if (r->hook.facts != NULL)
		return facts_from_stdin(r);
	return r->command.has_params ? parameter_from_stdin(r)
				     : arguments_from_stdin(r);
}

static int
bind_arguments(struct run *r)
{
	if (args_bind(&r->args, r->command.params, r->tool->params, &r->fail) !=
	    0)
		return -1;
	return args_bind(&r->args, r->command.options, r->tool->options,
			 &r->fail);
}

/* ---- results ----------------------------------------------------------- */

static void
refusal_json(const struct fail *fail, struct buf *out)
{
	struct json_writer w;

	json_begin(&w, out);
	json_open_object(&w);
	json_member_string(&w, "error", buf_str(&fail->message));
	json_member_string(&w, "code", str_of(fail->code));
	json_close_object(&w);
}

static void
refusal_text(const struct fail *fail, struct buf *out)
{
	buf_addf(out, "error: %s: ", fail->code);
	visible_field(out, buf_str(&fail->message));
}

/* Both surfaces, or the one that was asked for, of a result or a refusal. */
static void
render(struct run *r, struct buf *out)
{
	bool refused = r->fail.kind != FAIL_NONE;
	enum surface surface = r->command.surface;

	if (surface == SURFACE_DEFAULT && r->typed)
		surface = SURFACE_TEXT;
	if (surface != SURFACE_TEXT) {
		if (refused)
			refusal_json(&r->fail, out);
		else
			r->tool->json(r->result, out);
		buf_addc(out, '\n');
	}
	if (surface != SURFACE_JSON) {
		if (refused)
			refusal_text(&r->fail, out);
		else
			r->tool->text(r->result, out);
		buf_addc(out, '\n');
	}
}

static int
run_tool(struct run *r, struct buf *out)
{
	struct tool_call call = { r->args.bound, &r->facts, &r->remarks };

	if (take_arguments(r) != 0 || bind_arguments(r) != 0)
		return -1;
	r->result = calloc(1, r->tool->result_size);
	if (r->result == NULL)
		abort();
	if (r->tool->run(&call, r->result, &r->fail) != 0 &&
	    r->fail.kind != FAIL_REFUSED && r->fail.kind != FAIL_BLOCKED)
		return -1;
	render(r, out);
	return 0;
}

static int
run_server(struct run *r)
{
	struct tool_call call = { r->args.bound, &r->facts, &r->remarks };

	if (args_bind(&r->args, r->command.options, r->tool->options,
		      &r->fail) != 0)
		return -1;
	return r->tool->serve(&call, &r->fail);
}

static int
answer(struct run *r, struct buf *out)
{
	switch (r->command.request) {
	case REQUEST_RUN:
		return r->tool->serve != NULL ? run_server(r)
					      : run_tool(r, out);
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
		return completion_print(r->tool, r->command.shell, out,
					&r->fail);
	}
	return -1;
}

/* Says what there is to say, and gives the exit status. */
static int
conclude(struct run *r, bool answered, const struct buf *out)
{
	int status = (int)r->fail.kind;
	bool stored;

	if (r->hook.facts != NULL) {
		if (answered && status == FAIL_NONE)
			(void)io_write_all(STDOUT_FILENO, out->data, out->len);
		return 0;
	}
	if (!answered) {
		complain(r->tool, r->fail.message.data);
		return status;
	}
	stored = r->tool->writes && r->result != NULL && status == FAIL_NONE;
	if (finish_output(r->tool, out, stored) != 0)
		return FAIL_ENVIRONMENT;
	pass_on(r->tool, r->remarks.data);
	return status;
}

int
tool_main(const struct tool *tool, int argc, char *argv[])
{
	struct run r = { .tool = tool,
			 .input = BUF_INIT,
			 .remarks = BUF_INIT,
			 .fail = FAIL_INIT };
	struct buf out = BUF_INIT;
	bool answered;
	int status;

	io_secure_standard();
	/* A reader that went away is an error to report, not a signal. */
	(void)signal(SIGPIPE, SIG_IGN);
	/* So is a file that would pass the limit on sizes: EFBIG. */
	(void)signal(SIGXFSZ, SIG_IGN);
	facts_from_environment(&r.environment);
	r.facts = r.environment;
	hook_find(&r.hook, tool, argc, argv);
	args_init(&r.args, tool->args_size);
	answered = command_line_parse(&r.command, tool, argc, argv, &r.facts,
				      &r.fail) == 0 &&
		   answer(&r, &out) == 0;
	status = conclude(&r, answered, &out);
	if (r.result != NULL && tool->release != NULL)
		tool->release(r.result);
	free(r.result);
	args_release(&r.args);
	command_line_release(&r.command);
	hook_release(&r.hook);
	buf_release(&r.input);
	buf_release(&r.remarks);
	buf_release(&out);
	fail_release(&r.fail);
	return status;
}
