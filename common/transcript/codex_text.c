#include "transcript/codex_text.h"

#include "transcript/lines.h"

/* ---- blocks ------------------------------------------------------------ */

/* That of the data: URL that an image or a file is recorded as. */
static struct str
media_type(struct str block, struct buf *scratch)
{
	static const char *const names[] = { "image_url", "file_data" };
	struct str v[2], url;
	size_t n = 0;

	json_get_many(block, names, v, 2);
	url = json_text(json_kind(v[0]) == JSON_STRING ? v[0] : v[1], scratch);
	if (!str_starts(url, STR("data:")))
		return STR("");
	url = str_from(url, sizeof("data:") - 1);
	while (n < url.n && url.s[n] != ';' && url.s[n] != ',')
		n++;
	return (struct str){ url.s, n };
}

const struct blocks_form codex_form = {
	.texts = (const char *const[]){ "input_text", "output_text", "text",
					NULL },
	.image = "input_image",
	.document = "input_file",
	.media_type = media_type,
};

/* ---- texts of the host's own ------------------------------------------- */

static const char *const context_starts[] = {
	"# AGENTS.md instructions",
	"<environment_context>",
	"<user_instructions>",
	"<INSTRUCTIONS>",
	"<permissions instructions>",
	"<collaboration_mode>",
	"<turn_aborted>",
	"<user_shell_command>",
	"<skill>",
	"<skills_instructions>",
	"<plugins_instructions>",
	"<apps_instructions>",
	"<subagent_notification>",
	"<model_switch>",
	"<personality_spec>",
	"<context_window>",
	NULL,
};

static bool
is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool
starts_context(struct str text)
{
	for (size_t i = 0; context_starts[i] != NULL; i++)
		if (str_starts(text, str_of(context_starts[i])))
			return true;
	return false;
}

/*
 * Most texts tell by their first byte that they are none; the others are
 * decoded.
 */
static bool
may_be_context(struct str first)
{
	if (first.n <= 2)
		return first.n == 2; /* empty: the next one follows */
	return first.s[1] == '<' || first.s[1] == '#' || first.s[1] == '\\' ||
	       is_space(first.s[1]);
}

bool
codex_text_is_context(struct str content, const struct blocks_form *form,
		      struct buf *scratch)
{
	struct str text;
	size_t n = 0;

	if (!may_be_context(blocks_first(content, form)))
		return false;
	buf_reset(scratch);
	blocks_text(content, form, scratch);
	text = buf_str(scratch);
	while (n < text.n && is_space(text.s[n]))
		n++;
	return starts_context(str_from(text, n));
}

/* ---- outputs ----------------------------------------------------------- */

/* An output that is a string: what it says, and what that has to say. */
struct output {
	struct buf decoded;
	struct str object; /* what it holds when it is one; else empty */
	struct str text;   /* raw, in the object; of no string: none */
};

static void
open_output(struct output *o, struct str string)
{
	*o = (struct output){ .decoded = BUF_INIT };
	json_decode(string, &o->decoded);
	if (!lines_parse(buf_str(&o->decoded), &o->object))
		return;
	o->text = json_get(o->object, "output");
	if (json_kind(o->text) != JSON_STRING)
		o->text = (struct str){ NULL, 0 };
}

void
codex_output_text(struct str output, const struct blocks_form *form,
		  struct buf *out)
{
	struct output o;

	if (json_kind(output) == JSON_OBJECT) {
		blocks_text(json_get(output, "content"), form, out);
		return;
	}
	if (json_kind(output) != JSON_STRING) {
		blocks_text(output, form, out);
		return;
	}
	open_output(&o, output);
	if (o.text.n > 0)
		json_decode(o.text, out);
	else
		buf_add_str(out, buf_str(&o.decoded));
	buf_release(&o.decoded);
}

/* A decimal integer that is not 0; *is_number: it is one at all. */
static bool
is_failure(struct str code, bool *is_number)
{
	bool other = false;
	size_t i = code.n > 0 && code.s[0] == '-';

	*is_number = i < code.n;
	for (; i < code.n; i++) {
		if (code.s[i] < '0' || code.s[i] > '9')
			*is_number = false;
		other = other || code.s[i] != '0';
	}
	return other && *is_number;
}

static struct str
next_line(struct str *text)
{
	const char *lf = text->n == 0 ? NULL : memchr(text->s, '\n', text->n);
	struct str line = *text;

	if (lf == NULL) {
		*text = str_from(*text, text->n);
		return line;
	}
	line.n = (size_t)(lf - text->s);
	*text = str_from(*text, line.n + 1);
	return line;
}

/*
 * What the head of a formatted output says: lines of facts, then `Output:`.
 * The first exit code counts.
 */
static bool
head_failed(struct str text)
{
	static const char *const forms[] = { "Exit code: ",
					     "Process exited with code " };
	bool found = false, failed = false;

	for (unsigned i = 0; i < 10 && text.n > 0; i++) {
		struct str line = next_line(&text);

		if (str_is(line, "Output:"))
			return failed;
		for (unsigned k = 0; k < 2 && !found; k++)
			if (str_starts(line, str_of(forms[k])))
				failed = is_failure(
					str_from(line, strlen(forms[k])),
					&found);
	}
	return false;
}

static bool
string_failed(struct str string)
{
	struct output o;
	struct str code;
	int64_t v;
	bool failed;

	open_output(&o, string);
	if (o.text.n > 0) {
		code = json_get(json_get(o.object, "metadata"), "exit_code");
		failed = json_kind(code) == JSON_NUMBER &&
			 (!json_to_integer(code, &v) || v != 0);
	} else {
		failed = head_failed(buf_str(&o.decoded));
	}
	buf_release(&o.decoded);
	return failed;
}

static bool
is_false(struct str value)
{
	return json_kind(value) == JSON_BOOLEAN && !json_is_true(value);
}

bool
codex_output_failed(struct str output)
{
	if (json_kind(output) == JSON_STRING)
		return string_failed(output);
	return is_false(json_get(output, "success"));
}
