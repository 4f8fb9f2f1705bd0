#include "transcript/gemini.h"

#include <strings.h>

#include "transcript/elements.h"
#include "transcript/gemini_log.h"
#include "transcript/index.h"
#include "transcript/parts.h"

#define ID_START 8 /* characters of it in a file's name */

static bool
gemini_recognises(struct str first)
{
	static const char *const names[] = { "type", "sessionId",
					     "projectHash" };
	struct str v[3];

	json_get_many(first, names, v, 3);
	return json_kind(v[0]) == JSON_NONE && json_kind(v[1]) == JSON_STRING &&
	       json_kind(v[2]) == JSON_STRING;
}

/* Its name has only the start of the id. */
static struct file_name
gemini_file_name(struct str path)
{
	(void)path;
	return (struct file_name){ .id = { NULL, 0 } };
}

/* A name of another form may have any. */
static bool
gemini_may_name(struct str stem, struct str id)
{
	static const char form[] = "session-0000-00-00T00-00-";
	struct str start = str_from(stem, sizeof(form) - 1);
	size_t n = start.n < id.n ? start.n : id.n;

	return !decoder_has_form(stem, form) || start.n > ID_START ||
	       strncasecmp(start.s, id.s, n) == 0;
}

static struct str
gemini_session_id(struct str first, struct buf *scratch)
{
	return json_text(json_get(first, "sessionId"), scratch);
}

static bool
gemini_is_agent(struct str first)
{
	return json_string_is(json_get(first, "kind"), "subagent");
}

static struct str
gemini_directory(struct str first)
{
	struct json_iter it = json_iterate(json_get(first, "directories"));
	struct str directory;

	while (json_next_element(&it, &directory))
		if (json_kind(directory) == JSON_STRING)
			return directory;
	return STR("");
}

bool
gemini_project_root(struct str text, struct buf *out)
{
	text = elements_trim(text);
	if (text.n == 0 || text.s[0] != '/')
		return false;
	buf_add_str(out, text);
	return true;
}

struct str
gemini_began(struct str first)
{
	return json_get(first, "startTime");
}

static struct str
gemini_title(struct str record, unsigned *rank)
{
	*rank = 0;
	return json_get(json_get(record, "$set"), "summary");
}

/* Most lines have no time of their own. */
static struct str
gemini_changed(struct str record)
{
	struct str set = json_get(record, "$set");

	return json_get(json_kind(set) == JSON_OBJECT ? set : record,
			"lastUpdated");
}

/* Slots are on it from the start, until a rewind retires them. */
static void
gemini_branch(struct transcript *t, uint32_t leaf)
{
	(void)leaf;
	index_settle_names(t);
}

/* ---- facts ------------------------------------------------------------- */

/*
 * The spans of a message, and of its calls.  time: that of what stands in a
 * $set, whose record has none.
 */
static void
add_parts(const struct transcript *t, const struct str v[], struct str time,
	  decoder_add_part *add, void *ctx)
{
	struct json_iter it = json_iterate(v[GEMINI_CALLS]);
	struct str call, id, own = gemini_log_time(t, v[GEMINI_ID]);

	add(ctx,
	    json_kind(v[GEMINI_CONTENT]) == JSON_STRING ||
			    json_kind(v[GEMINI_CONTENT]) == JSON_ARRAY
		    ? v[GEMINI_CONTENT]
		    : STR(""),
	    own.s != NULL ? own : time);
	while (gemini_log_next_call(&it, &call, &id)) {
		struct str at = json_get(call, "timestamp");

		if (json_kind(at) != JSON_STRING)
			at = v[GEMINI_TIME].n > 0 ? v[GEMINI_TIME]
						  : STR("null");
		add(ctx, call, at);
	}
}

static unsigned
gemini_parts(const struct transcript *t, uint32_t number, struct str record,
	     decoder_add_part *add, void *ctx)
{
	struct str v[GEMINI_COUNT], message, m[GEMINI_COUNT], time;
	struct json_iter it;

	(void)number;
	json_get_many(record, gemini_log_members, v, GEMINI_COUNT);
	if (json_kind(v[GEMINI_SET]) != JSON_OBJECT) {
		add_parts(t, v, STR(""), add, ctx);
		return 0;
	}
	time = json_get(v[GEMINI_SET], "lastUpdated");
	if (time.n == 0)
		time = STR("null");
	it = json_iterate(json_get(v[GEMINI_SET], "messages"));
	while (json_next_element(&it, &message)) {
		json_get_many(message, gemini_log_members, m, GEMINI_COUNT);
		add_parts(t, m, time, add, ctx);
	}
	return 0;
}

/* Adds what came back of a call, which is the element of its id. */
static void
add_result(struct str call, struct buf *out)
{
	static const char *const names[] = { "id", "result" };
	struct buf id = BUF_INIT, other = BUF_INIT;
	struct str v[2], element, response;
	size_t from = out->len;
	struct json_iter it;

	json_get_many(call, names, v, 2);
	json_decode(v[0], &id);
	it = json_iterate(v[1]);
	while (json_next_element(&it, &element)) {
		response = json_get(element, "functionResponse");
		if (json_kind(json_get(response, "id")) != JSON_STRING ||
		    !str_eq(json_text(json_get(response, "id"), &other),
			    buf_str(&id)))
			continue;
		parts_response_text(response, out);
		break;
	}
	parts_add_marks(v[1], from, out);
	buf_release(&id);
	buf_release(&other);
}

/* The span of a call is the object; that of a text its content, which is none. */
static void
gemini_text(const struct part *part, struct buf *out)
{
	if (json_kind(part->span) == JSON_OBJECT)
		add_result(part->span, out);
	else
		(void)gemini_log_add_text(part->span, out);
}

static void
gemini_call(const struct part *part, struct call_facts *out)
{
	decoder_read_call(part->span, "name", "args", out);
}

static void
gemini_result(const struct part *part, struct result_facts *out)
{
	static const char *const names[] = { "name", "status", "result" };
	struct buf text = BUF_INIT;
	struct str v[3];

	json_get_many(part->span, names, v, 3);
	json_decode(v[0], &out->name);
	if (json_kind(v[2]) != JSON_ARRAY)
		out->status = TOOL_UNFINISHED;
	else if (json_string_is(v[1], "error") ||
		 json_string_is(v[1], "cancelled"))
		out->status = TOOL_ERROR;
	else if (!json_string_is(v[1], "success"))
		out->status = TOOL_UNFINISHED;
	add_result(part->span, &text);
	parts_read_result(buf_str(&text), buf_str(&out->name),
			  "Output too large. Showing first # and last # "
			  "characters. For full output see: ",
			  out);
	buf_release(&text);
}

static const char *const title_words[] = { "summary", NULL };

const struct decoder gemini_decoder = {
	.recognises = gemini_recognises,
	.file_name = gemini_file_name,
	.may_name = gemini_may_name,
	.session_id = gemini_session_id,
	.is_agent = gemini_is_agent,
	.directory = gemini_directory,
	.title = gemini_title,
	.title_words = title_words,
	.changed = gemini_changed,
	.changed_key = "\"lastUpdated\"",
	.begin = gemini_log_begin,
	.end = gemini_log_end,
	.index = gemini_log_index,
	.branch = gemini_branch,
	.place = gemini_log_place,
	.parts = gemini_parts,
	.alone = true,
	.text = gemini_text,
	.call = gemini_call,
	.result = gemini_result,
};
