/*
 * Any file as a rollout of Codex.  The slots and the branch are compared with
 * what the words of spec/history.md sections 3.2 and 3.3 say, done slowly: the
 * log to read is known before the first slot is given, and a rollback looks at
 * every slot before it.
 */
#include "base/json_span.h"
#include "transcript/codex.h"
#include "transcript/lines.h"
#include "transcript_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

#define MOST 2000 /* slots and rollbacks, for the slow way */

enum log { ITEMS, EVENTS, RESPONSES, NO_LOG };

/* One record, as far as it matters. */
struct said {
	enum log log;
	bool slot;
	int64_t rollback; /* turns, or 0 */
};

static bool
is(struct str object, const char *name, const char *value)
{
	struct str v = json_get(object, name);

	return json_kind(v) == JSON_STRING && json_string_is(v, value);
}

static bool
is_any(struct str object, const char *name, const char *const values[])
{
	while (*values != NULL)
		if (is(object, name, *values++))
			return true;
	return false;
}

static struct said
read_response(struct str item)
{
	static const char *const roles[] = { "user", "assistant", "developer",
					     "system", NULL };
	static const char *const types[] = {
		"function_call",
		"custom_tool_call",
		"local_shell_call",
		"tool_search_call",
		"web_search_call",
		"image_generation_call",
		"function_call_output",
		"custom_tool_call_output",
		"tool_search_output",
		"agent_message",
		NULL,
	};
	struct said said = { .log = NO_LOG };

	/* Only messages are in another log, too. */
	if (is(item, "type", "message"))
		said.log = RESPONSES;
	said.slot = said.log == RESPONSES ? is_any(item, "role", roles)
					  : is_any(item, "type", types);
	return said;
}

/* Any integer, however large. */
static int64_t
read_turns(struct str raw)
{
	struct buf text = BUF_INIT;
	int64_t turns = 0;
	double number = 0;

	if (json_kind(raw) == JSON_NUMBER && !json_to_integer(raw, &turns)) {
		buf_add_str(&text, raw);
		number = strtod(text.data, NULL);
		turns = number >= 9007199254740992.0 ? INT64_MAX : 0;
	}
	buf_release(&text);
	return turns > 0 ? turns : 0;
}

static struct said
read_event(struct str event)
{
	static const char *const types[] = { "user_message", "agent_message",
					     NULL };
	static const char *const items[] = { "UserMessage", "AgentMessage",
					     NULL };
	struct said said = { .log = NO_LOG };

	if (is_any(event, "type", types))
		said = (struct said){ EVENTS, true, 0 };
	if (is(event, "type", "item_completed") &&
	    is_any(json_get(event, "item"), "type", items))
		said = (struct said){ ITEMS, true, 0 };
	if (is(event, "type", "thread_rolled_back"))
		said.rollback = read_turns(json_get(event, "num_turns"));
	return said;
}

static struct said
read_record(struct str record, bool flat)
{
	static const char *const others[] = { "session_meta", "turn_context",
					      NULL };
	struct str payload = json_get(record, "payload");

	if (is(record, "type", "response_item"))
		return read_response(payload);
	if (is(record, "type", "event_msg"))
		return read_event(payload);
	if (is(record, "type", "compacted"))
		return (struct said){ NO_LOG, true, 0 };
	if (flat && json_kind(json_get(record, "type")) == JSON_STRING &&
	    !is_any(record, "type", others))
		return read_response(record);
	return (struct said){ .log = NO_LOG };
}

static struct said
read_number(const struct transcript *t, struct str file, size_t i, bool flat)
{
	struct str line = { file.s + t->records[i].offset,
			    t->records[i].length };
	struct str record;

	must(lines_parse(line, &record));
	return read_record(record, flat);
}

static void
roll_back(const struct transcript *t, bool *active, uint32_t n, int64_t turns)
{
	uint32_t from = n;

	for (uint32_t i = n; i > 0 && turns > 0; i--)
		if (active[i - 1] && t->slots[i - 1].role == ROLE_USER) {
			from = i - 1;
			turns--;
		}
	for (; from < n; from++)
		active[from] = false;
}

static void
check_slots(const struct transcript *t, struct str file, struct str leaf)
{
	static bool active[MOST];
	bool flat = t->n_records > 0, seen[NO_LOG + 1] = { false };
	enum log log;
	uint32_t n = 0;
	struct str first;

	(void)leaf; /* records have no ids */
	if (t->n_records > MOST || t->n_slots > MOST)
		return;
	if (flat) {
		must(lines_parse((struct str){ file.s + t->records[0].offset,
					       t->records[0].length },
				 &first));
		flat = json_kind(json_get(first, "type")) != JSON_STRING;
	}
	for (size_t i = 0; i < t->n_records; i++)
		seen[read_number(t, file, i, flat).log] = true;
	log = seen[RESPONSES] ? RESPONSES : seen[EVENTS] ? EVENTS : ITEMS;

	for (size_t i = 0; i < t->n_records; i++) {
		struct said said = read_number(t, file, i, flat);

		if (said.slot && (said.log == log || said.log == NO_LOG)) {
			must(n < t->n_slots && t->slots[n].record == i);
			must(t->records[i].seq == n + 1);
			active[n++] = true;
		}
		roll_back(t, active, n, said.rollback);
	}
	must(n == t->n_slots);
	for (uint32_t i = 0; i < n; i++)
		must(((t->slots[i].flags & SLOT_BRANCH) != 0) == active[i]);
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct str file;

	if (n == 0)
		return 0;
	file = copy_file(p, n);
	check_transcript(&codex_decoder, file,
			 find_leaf(file, "\"id\":\"", *p % 16), check_slots);
	free((void *)(uintptr_t)file.s);
	return 0;
}
