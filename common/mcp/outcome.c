#include "mcp/outcome.h"

#include <sys/wait.h>

#include "base/json_check.h"
#include "base/json_span.h"
#include "base/utf8.h"
#include "mcp/outbox.h"

#define DEPTH 512 /* of results: the programs' own bounds are far below */

/* Both surfaces of an answer of the program, or of one in its place. */
struct surfaces {
	struct str line, text;
	struct buf own_line, own_text; /* of a refusal that we word */
};

/* The first line of stderr, valid UTF-8. */
static void
first_line(const struct call *call, struct buf *out)
{
	utf8_mend(out, str_until(buf_str(&call->err), '\n'));
}

/* stdout as line 1 and text; false when that is not what it is. */
static bool
split(const struct call *call, struct surfaces *s)
{
	struct str line;

	s->text = buf_str(&call->out);
	line = str_cut(&s->text, '\n');
	if (str_ends(s->text, STR("\n")))
		s->text.n--;
	if (json_check(line, DEPTH,
		       JSON_ALLOW_NUL | JSON_ALLOW_DUPLICATES | JSON_ALLOW_LONE,
		       NULL) != 0)
		return false;
	s->line = json_value(line);
	return json_kind(s->line) == JSON_OBJECT && utf8_valid(s->text);
}

/* A refusal in our words. */
static void
word(struct surfaces *s, const char *code, struct str message)
{
	struct json_writer w;

	buf_reset(&s->own_line);
	json_begin(&w, &s->own_line);
	json_open_object(&w);
	json_member_string(&w, "error", message);
	json_member_string(&w, "code", str_of(code));
	json_close_object(&w);
	buf_reset(&s->own_text);
	buf_addf(&s->own_text, "error: %s: ", code);
	buf_add_str(&s->own_text, message);
	s->line = buf_str(&s->own_line);
	s->text = buf_str(&s->own_text);
}

/* A refusal has the same form as a success (section 6.3). */
static void
write_result(const struct call *call, const struct surfaces *s,
	     enum tool_surface surface, bool is_error, struct buf *out)
{
	struct json_writer w;

	outbox_open_result(&w, out, buf_str(&call->id));
	json_key(&w, "content");
	json_open_array(&w);
	json_open_object(&w);
	json_member_string(&w, "type", STR("text"));
	json_member_string(&w, "text",
			   surface == TOOL_SURFACE_JSON ? s->line : s->text);
	json_close_object(&w);
	json_close_array(&w);
	/*
	 * Older clients know no structuredContent; some hosts show the model
	 * nothing else once it is there, hence the surface `text`.
	 */
	if (surface != TOOL_SURFACE_TEXT &&
	    call->version >= VERSION_2025_06_18) {
		json_key(&w, "structuredContent");
		json_raw(&w, s->line);
	}
	json_member_boolean(&w, "isError", is_error);
	outbox_close_result(&w, call->modern);
}

/*
 * An error of the protocol: nothing that the model could mend.  A host that
 * makes the call again at that gets a refusal.
 */
static void
write_error(const struct call *call, enum tool_surface surface,
	    struct str message, struct buf *out)
{
	const struct host *host = call->facts.client.host;
	bool signalled = WIFSIGNALED(call->status);
	struct surfaces s = { .own_line = BUF_INIT, .own_text = BUF_INIT };
	struct buf data = BUF_INIT;
	struct json_writer w;

	if (host != NULL && host->client.repeats) {
		utf8_mend(&data, message);
		word(&s, "environment", buf_str(&data));
		write_result(call, &s, surface, true, out);
		goto out;
	}
	json_begin(&w, &data);
	json_open_object(&w);
	json_member_string(&w, "tool",
			   str_of(families_tools[call->tool->tool]));
	json_member_integer(&w, signalled ? "signal" : "exit",
			    signalled ? WTERMSIG(call->status)
				      : WEXITSTATUS(call->status));
	json_close_object(&w);
	outbox_write_error(out, buf_str(&call->id), MESSAGE_INTERNAL, message,
			   buf_str(&data));
out:
	buf_release(&s.own_line);
	buf_release(&s.own_text);
	buf_release(&data);
}

/* Words for a program that did not behave; its own first, if it has any. */
static void
broken(const struct call *call, enum tool_surface surface, const char *why,
       struct buf *out)
{
	struct buf said = BUF_INIT, message = BUF_INIT;

	/* What a person needs to find the fault: which program, and its end. */
	buf_addf(&message, "%s: ", call->tool->program);
	if (why != NULL)
		buf_adds(&message, why);
	else if (WIFSIGNALED(call->status))
		buf_addf(&message, "ended by signal %d",
			 WTERMSIG(call->status));
	else
		buf_addf(&message, "ended with exit status %d",
			 WEXITSTATUS(call->status));
	first_line(call, &said);
	if (said.len > 0)
		buf_addf(&message, ": %s", said.data);
	write_error(call, surface, buf_str(&message), out);
	buf_release(&said);
	buf_release(&message);
}

/* The stderr line without the name of the program. */
static void
complaint(const struct call *call, const char *fallback, struct buf *out)
{
	struct buf line = BUF_INIT, prefix = BUF_INIT;
	struct str rest;

	first_line(call, &line);
	buf_addf(&prefix, "%s: ", call->tool->program);
	rest = buf_str(&line);
	if (str_starts(rest, buf_str(&prefix)))
		rest = str_from(rest, prefix.len);
	if (rest.n > 0)
		buf_add_str(out, rest);
	else
		buf_adds(out, fallback);
	buf_release(&line);
	buf_release(&prefix);
}

/* The table of section 5.2. */
static void
write_exit(const struct call *call, enum tool_surface surface,
	   struct surfaces *s, struct buf *out)
{
	struct buf words = BUF_INIT;

	switch (WEXITSTATUS(call->status)) {
	case 0:
	case 1:
		if (split(call, s))
			write_result(call, s, surface,
				     WEXITSTATUS(call->status) != 0, out);
		else
			broken(call, surface, "its output is not a result",
			       out);
		break;
	/* In every version a result: the model can mend its arguments. */
	case 2:
		complaint(call, "the arguments are invalid", &words);
		word(s, "invalid_arguments", buf_str(&words));
		write_result(call, s, surface, true, out);
		break;
	/*
	 * A program that is blocked may say so on stdout, or on stderr
	 * only.
	 */
	case 3:
		if (call->out.len > 0 && !split(call, s)) {
			broken(call, surface, "its output is not a result",
			       out);
			break;
		}
		if (call->out.len == 0) {
			complaint(call, "blocked", &words);
			word(s, "blocked", buf_str(&words));
		}
		write_result(call, s, surface, true, out);
		break;
	/* What the environment lacks is for the person, in whole. */
	case 4:
		first_line(call, &words);
		if (words.len > 0)
			write_error(call, surface, buf_str(&words), out);
		else
			broken(call, surface, NULL, out);
		break;
	default:
		broken(call, surface, NULL, out);
	}
	buf_release(&words);
}

void
outcome_write(const struct call *call, enum tool_surface surface,
	      int64_t timeout_s, struct buf *out)
{
	struct surfaces s = { .own_line = BUF_INIT, .own_text = BUF_INIT };
	struct buf words = BUF_INIT;

	if (call->end == END_TIMEOUT) {
		buf_addf(&words,
			 "timed out after %lld s; the call may or may not "
			 "have taken effect",
			 (long long)timeout_s);
		word(&s, "timeout", buf_str(&words));
		write_result(call, &s, surface, true, out);
	} else if (call->end == END_TOO_MUCH) {
		broken(call, surface, "it printed too much", out);
	} else if (WIFEXITED(call->status)) {
		write_exit(call, surface, &s, out);
	} else {
		broken(call, surface, NULL, out);
	}
	buf_release(&words);
	buf_release(&s.own_line);
	buf_release(&s.own_text);
}
