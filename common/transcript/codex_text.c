#include "transcript/codex_text.h"

#include "transcript/elements.h"
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

/* ---- what is the user's ------------------------------------------------ */

/* The elements that a host writes in the user's name; the list is closed. */
static const char *const element_names[] = {
	"environment_context", "user_instructions",
	"INSTRUCTIONS",	       "permissions instructions",
	"collaboration_mode",  "turn_aborted",
	"user_shell_command",  "skill",
	"skills_instructions", "plugins_instructions",
	"apps_instructions",   "subagent_notification",
	"model_switch",	       "personality_spec",
	"context_window",      "codex_internal_context",
	"user_action",	       NULL,
};

static const struct elements elements = { element_names, .loose = true };

/* Whether a text by itself shows that it is the host's. */
static bool
is_hosts(struct str text)
{
	return str_starts(elements_skip_space(text),
			  STR("# AGENTS.md instructions")) ||
	       elements_only(text, &elements);
}

/* What stands around a picture: the tags of `<image name=[#1] path="x">`. */
static bool
is_wrapper(struct str text)
{
	static const char start[] = "<image name=[", middle[] = "] path=\"",
			  end[] = "\">";
	struct str rest;
	const char *at;

	if (str_is(text, "</image>"))
		return true;
	if (!str_starts(text, str_of(start)))
		return false;
	rest = str_from(text, sizeof(start) - 1);
	at = rest.n == 0 ? NULL
			 : memmem(rest.s, rest.n, middle, sizeof(middle) - 1);
	if (at == NULL)
		return false;
	rest = str_from(rest, (size_t)(at - rest.s) + sizeof(middle) - 1);
	return str_ends(rest, str_of(end));
}

/* The labels of the blocks, when there is one for each; else empty. */
static struct str
labels_of(struct str item, struct str content)
{
	struct str kinds = json_get(
		json_get(item, "internal_chat_message_metadata_passthrough"),
		"content_item_kinds");
	struct json_iter k = json_iterate(kinds), c = json_iterate(content);
	struct str each;
	bool kind, block;

	if (json_kind(kinds) != JSON_ARRAY || json_kind(content) != JSON_ARRAY)
		return STR("");
	do {
		kind = json_next_element(&k, &each);
		block = json_next_element(&c, &each);
	} while (kind && block);
	return kind == block ? kinds : STR("");
}

/* Whether a labelled block is the user's: a block of no known kind may be. */
static bool
is_users(struct str label, struct str block)
{
	struct buf kind = BUF_INIT, text = BUF_INIT;
	bool users, any = false;

	json_decode(label, &kind);
	users = str_starts(buf_str(&kind), STR("user."));
	if (str_is(buf_str(&kind), "unknown")) {
		blocks_add(block, &codex_form, &any, &text);
		users = !is_hosts(buf_str(&text));
	}
	buf_release(&kind);
	buf_release(&text);
	return users;
}

/* Adds a block of the user's, but for what stands around a picture. */
static void
add_users(struct str block, bool *any, struct buf *out)
{
	struct str text = json_get(block, "text");
	struct buf decoded = BUF_INIT;

	if (text.n > 2 && text.s[1] == '<')
		json_decode(text, &decoded);
	if (!is_wrapper(buf_str(&decoded)))
		blocks_add(block, &codex_form, any, out);
	buf_release(&decoded);
}

/*
 * Adds what the user says in a message; labels empty: all of it.  False, with
 * nothing added, when no block is the user's.
 */
static bool
add_what_user_says(struct str content, struct str labels, struct buf *out)
{
	struct json_iter it = json_iterate(content);
	struct json_iter l = json_iterate(labels);
	struct str block, label;
	bool any = false, users = labels.n == 0;

	if (json_kind(content) == JSON_STRING)
		json_decode(content, out);
	while (json_next_element(&it, &block)) {
		if (labels.n > 0) {
			json_next_element(&l, &label);
			if (!is_users(label, block))
				continue;
			users = true;
		}
		add_users(block, &any, out);
	}
	return users;
}

/*
 * Most texts tell by their first byte that they are all the user's; the others
 * are decoded.
 */
static bool
may_be_other(struct str first)
{
	if (first.n <= 2)
		return first.n == 2; /* empty: the next one follows */
	return first.s[1] == '<' || first.s[1] == '#' || first.s[1] == '\\' ||
	       elements_is_space(first.s[1]);
}

/* Adds the text of a message; whether it is the host's. */
static bool
add_message(struct str item, struct buf *out)
{
	struct str content = json_get(item, "content");
	struct str labels = labels_of(item, content);
	size_t start = out->len;

	if (labels.n > 0) {
		if (add_what_user_says(content, labels, out))
			return false;
		blocks_text(content, &codex_form, out);
		return true;
	}
	blocks_text(content, &codex_form, out);
	if (is_hosts(str_from(buf_str(out), start)))
		return true;
	buf_truncate(out, start);
	add_what_user_says(content, labels, out);
	return false;
}

bool
codex_text_is_context(const struct json_map *map, struct str item, bool *empty,
		      struct buf *scratch)
{
	static const char *const names[] = {
		"content", "internal_chat_message_metadata_passthrough"
	};
	struct str v[2], content;
	bool hosts;

	/*
	 * Pictures may stand in tags, which then come first or behind a text.
	 */
	json_map_get_many(map, item, names, v, 2);
	content = v[0];
	if (json_kind(v[1]) == JSON_NONE &&
	    !may_be_other(blocks_first(map, content, &codex_form))) {
		*empty = blocks_empty(map, content, &codex_form);
		return false;
	}
	buf_reset(scratch);
	hosts = add_message(item, scratch);
	*empty = scratch->len == 0;
	return hosts;
}

void
codex_text_of_user(struct str item, struct buf *out)
{
	add_message(item, out);
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
codex_text_of_output(struct str output, struct buf *out)
{
	struct output o;

	if (json_kind(output) == JSON_OBJECT) {
		blocks_text(json_get(output, "content"), &codex_form, out);
		return;
	}
	if (json_kind(output) != JSON_STRING) {
		blocks_text(output, &codex_form, out);
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
		struct str line = str_cut(&text, '\n');

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
codex_text_tells_failure(struct str output)
{
	if (json_kind(output) == JSON_STRING)
		return string_failed(output);
	return is_false(json_get(output, "success"));
}
