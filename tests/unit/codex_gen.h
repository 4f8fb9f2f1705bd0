#ifndef CODEX_GEN_H
#define CODEX_GEN_H

/*
 * Makes a Codex rollout from a seed: enveloped or flat, or of events alone;
 * mirrors of what is said, rollbacks, summaries, calls and outputs in every
 * form, and what is broken.  Mirrors and what else is never shown have the word
 * `nowhere`, which no event has.
 */
#include "gen.h"

enum codex_mode { CODEX_ENVELOPES, CODEX_FLAT, CODEX_EVENTS, CODEX_ITEMS };

/* The start and the end of a response item, around its members. */
static void
codex_open(struct gen *g, enum codex_mode mode)
{
	buf_addc(&g->file, '{');
	gen_timestamp(g);
	if (mode != CODEX_FLAT)
		buf_adds(&g->file, "\"type\":\"response_item\",\"payload\":{");
}

static void
codex_close(struct gen *g, enum codex_mode mode)
{
	buf_adds(&g->file, mode == CODEX_FLAT ? "}\n" : "}}\n");
}

/* A record that has no event, given by its end. */
static void
codex_other(struct gen *g, const char *end)
{
	buf_addc(&g->file, '{');
	gen_timestamp(g);
	buf_adds(&g->file, end);
	buf_addc(&g->file, '\n');
}

/* ---- messages ---------------------------------------------------------- */

static void
codex_block(struct gen *g, const char *type, struct buf *plain)
{
	buf_addf(&g->file, "{\"type\":\"%s\",\"text\":", type);
	gen_text(g, &g->file, plain);
	buf_addc(&g->file, '}');
}

static void
codex_content(struct gen *g, const char *type, struct buf *plain)
{
	switch (gen_pick(g, 4)) {
	case 0:
		buf_addc(&g->file, '[');
		codex_block(g, "text", plain);
		buf_adds(&g->file, ",{\"type\":\"input_image\",\"text\":"
				   "\"nowhere\"},");
		buf_adds(plain, "\n[image]\n");
		codex_block(g, type, plain);
		buf_addc(&g->file, ']');
		break;
	case 1:
		gen_text(g, &g->file, plain);
		break;
	default:
		buf_addc(&g->file, '[');
		codex_block(g, type, plain);
		buf_addc(&g->file, ']');
	}
}

/* What the other logs say at the same time, before it or after. */
static void
codex_mirror(struct gen *g, bool user, enum codex_mode mode)
{
	if (gen_pick(g, 3) == 0)
		codex_other(g, user ? "\"type\":\"event_msg\",\"payload\":{"
				      "\"type\":\"item_completed\",\"item\":{"
				      "\"type\":\"UserMessage\",\"content\":"
				      "[{\"type\":\"text\",\"text\":"
				      "\"nowhere\"}]}}}"
				    : "\"type\":\"event_msg\",\"payload\":{"
				      "\"type\":\"item_completed\",\"item\":{"
				      "\"type\":\"AgentMessage\"}}}");
	if (mode < CODEX_EVENTS && gen_pick(g, 3) > 0)
		codex_other(g, user ? "\"type\":\"event_msg\",\"payload\":{"
				      "\"type\":\"user_message\",\"message\":"
				      "\"nowhere\"}}"
				    : "\"type\":\"event_msg\",\"payload\":{"
				      "\"type\":\"agent_message\",\"message\":"
				      "\"nowhere\"}}");
}

/* A message as an event, in a rollout that has no response items. */
static void
codex_event(struct gen *g, enum codex_mode mode, bool user)
{
	struct gen_event *e;

	buf_addc(&g->file, '{');
	gen_timestamp(g);
	e = gen_event(g, user ? 0 : 1);
	buf_adds(&g->file, "\"type\":\"event_msg\",\"payload\":{");
	if (mode == CODEX_EVENTS) {
		buf_addf(&g->file, "\"type\":\"%s_message\",\"message\":",
			 user ? "user" : "agent");
		gen_text(g, &g->file, &e->document);
		buf_adds(&g->file, "}}\n");
		codex_mirror(g, user, mode);
		return;
	}
	buf_addf(&g->file,
		 "\"type\":\"item_completed\",\"item\":{\"type\":"
		 "\"%sMessage\",\"content\":[",
		 user ? "User" : "Agent");
	codex_block(g, gen_pick(g, 2) ? "Text" : "text", &e->document);
	buf_adds(&g->file, "]}}}\n");
}

static void
codex_message(struct gen *g, enum codex_mode mode, bool user)
{
	struct gen_event *e;

	if (mode >= CODEX_EVENTS) {
		codex_event(g, mode, user);
		return;
	}
	if (gen_pick(g, 2))
		codex_mirror(g, user, mode);
	codex_open(g, mode);
	e = gen_event(g, user ? 0 : 1);
	buf_addf(&g->file, "\"type\":\"message\",\"role\":\"%s\",\"content\":",
		 user ? "user" : "assistant");
	codex_content(g, user ? "input_text" : "output_text", &e->document);
	codex_close(g, mode);
	if (gen_pick(g, 2))
		codex_mirror(g, user, mode);
}

/* What the host says to the model. */
static void
codex_context(struct gen *g, enum codex_mode mode)
{
	static const char start[] = "<environment_context>";
	struct gen_event *e;

	if (mode >= CODEX_EVENTS)
		return;
	codex_open(g, mode);
	e = gen_event(g, 3);
	if (gen_pick(g, 2)) {
		buf_adds(&g->file, "\"type\":\"message\",\"role\":"
				   "\"developer\",\"content\":");
		codex_content(g, "input_text", &e->document);
	} else {
		buf_addf(&g->file,
			 "\"type\":\"message\",\"role\":\"user\","
			 "\"content\":\" \\n%s",
			 start);
		buf_addf(&e->document, " \n%s", start);
		gen_word(g, &g->file, &e->document);
		buf_addc(&g->file, '"');
	}
	codex_close(g, mode);
}

static void
codex_compacted(struct gen *g)
{
	struct gen_event *e;

	buf_addc(&g->file, '{');
	gen_timestamp(g);
	e = gen_event(g, 3);
	buf_adds(&g->file, "\"type\":\"compacted\",\"payload\":{\"message\":");
	gen_text(g, &g->file, &e->document);
	buf_adds(&g->file, ",\"replacement_history\":[{\"type\":\"message\","
			   "\"role\":\"user\",\"content\":\"nowhere\"}]}}\n");
}

/* ---- tools ------------------------------------------------------------- */

/* The members of a call, and how its document begins. */
static const char *const codex_calls[][2] = {
	{ "\"type\":\"function_call\",\"name\":\"shell\",\"arguments\":"
	  "\"{ \\\"n\\\" : 1.0, \\\"n\\\":\\\"\\\\u0041\\\"}\"",
	  "shell {\"n\":1.0,\"n\":\"A\"}" },
	{ "\"type\":\"function_call\",\"name\":\"view\",\"arguments\":"
	  "\"oops\"",
	  "view \"oops\"" },
	{ "\"type\":\"function_call\"", "unknown (arguments not recorded)" },
	{ "\"type\":\"custom_tool_call\",\"name\":\"apply_patch\","
	  "\"input\":\"*** Begin\\u0020Patch\\n\"",
	  "apply_patch \"*** Begin Patch\\n\"" },
	{ "\"type\":\"local_shell_call\",\"status\":\"completed\","
	  "\"action\":{ \"command\" : [ \"ls\" ] }",
	  "local_shell {\"command\":[\"ls\"]}" },
	{ "\"type\":\"tool_search_call\",\"arguments\":{\"query\": \"x\"}",
	  "tool_search {\"query\":\"x\"}" },
	{ "\"type\":\"web_search_call\",\"status\":\"completed\",\"action\":"
	  "{\"type\":\"search\"}",
	  "web_search {\"type\":\"search\"}" },
	{ "\"type\":\"image_generation_call\",\"status\":\"failed\","
	  "\"result\":\"nowhere\"",
	  "image_generation (arguments not recorded)" },
};

#define CODEX_PAIRING 6 /* the first so many of them have results */

/* The value of `output`, and the text that it says; true: it is an error. */
static bool
codex_output(struct gen *g, struct buf *text)
{
	unsigned what = gen_pick(g, 6);

	switch (what) {
	case 0:
		buf_addc(&g->file, '[');
		codex_block(g, "input_text", text);
		buf_adds(&g->file, ",{\"type\":\"input_image\",\"image_url\":"
				   "\"data:image\\/gif;base64,R0l\"}]");
		buf_adds(text, "\n[image image/gif]");
		break;
	case 1:
		buf_adds(&g->file, "{\"success\":false,\"content\":");
		gen_text(g, &g->file, text);
		buf_addc(&g->file, '}');
		break;
	case 2:
		buf_adds(&g->file,
			 "\"{\\\"output\\\":\\\"re\\\\u0074ry\\\\n\\\""
			 ",\\\"metadata\\\":{\\\"exit_code\\\":1,"
			 "\\\"nowhere\\\":2}}\"");
		buf_adds(text, "retry\n");
		break;
	case 3:
		buf_adds(&g->file, "\"Exit code: 1\\nOutput:\\n");
		buf_adds(text, "Exit code: 1\nOutput:\n");
		gen_word(g, &g->file, text);
		buf_addc(&g->file, '"');
		break;
	default:
		gen_text(g, &g->file, text);
	}
	return what >= 1 && what <= 3;
}

/* What says that a call failed, while its output does not. */
static void
codex_failure(struct gen *g, uint32_t id)
{
	static const char *const kinds[] = { "McpToolCall", "CommandExecution",
					     "FileChange" };
	char end[160];

	snprintf(end, sizeof(end),
		 "\"type\":\"event_msg\",\"payload\":{\"type\":\"item_"
		 "completed\",\"item\":{\"type\":\"%s\",\"id\":\"c%" PRIu32
		 "\",\"status\":\"%s\",\"x\":\"nowhere\"}}}",
		 kinds[gen_pick(g, 3)], id,
		 gen_pick(g, 2) ? "failed" : "declined");
	codex_other(g, end);
}

/* id: what the call is named by. */
static void
codex_result(struct gen *g, enum codex_mode mode, size_t call, uint32_t id)
{
	static const char *const types[] = { "function_call_output",
					     "custom_tool_call_output",
					     "tool_search_output" };
	struct buf text = BUF_INIT;
	bool error, failed = mode == CODEX_ENVELOPES && !g->rounds &&
			     gen_pick(g, 6) == 0;

	if (failed)
		codex_failure(g, id);
	codex_open(g, mode);
	gen_hide(g);
	buf_addf(&g->file,
		 "\"type\":\"%s\",\"call_id\":\"c%" PRIu32 "\",\"output\":",
		 types[gen_pick(g, 3)], id);
	error = codex_output(g, &text);
	codex_close(g, mode);
	gen_output(&g->events[call], &text);
	g->events[call].status = error || failed;
	buf_release(&text);
}

/* Calls side by side, and results of some, the last call's first. */
static void
codex_tools(struct gen *g, enum codex_mode mode)
{
	unsigned n = gen_pick(g, 4), kinds[4];
	uint32_t ids[4];
	size_t first = g->n;

	if (mode >= CODEX_EVENTS)
		return;
	for (unsigned i = 0; i < n; i++) {
		unsigned kind = gen_pick(g, 8);
		struct gen_event *e;

		codex_open(g, mode);
		e = gen_event(g, 2);
		kinds[i] = kind;
		ids[i] = g->rounds ? i + 1 : e->seq;
		if (kind >= CODEX_PAIRING)
			e->status = kind > CODEX_PAIRING;
		buf_addf(&g->file, "%s,\"call_id\":\"c%" PRIu32 "\"",
			 codex_calls[kind][0], ids[i]);
		buf_adds(&e->document, codex_calls[kind][1]);
		codex_close(g, mode);
	}
	while (n-- > 0)
		if (kinds[n] < CODEX_PAIRING && gen_pick(g, 5) > 0)
			codex_result(g, mode, first + n, ids[n]);
}

/* ---- the rest ---------------------------------------------------------- */

/* Turns begin with what the user says, so one is retired as a whole. */
static void
codex_roll_back(struct gen *g)
{
	unsigned turns = gen_pick(g, 4), left = turns;
	size_t from = g->n;
	char end[96];

	snprintf(end, sizeof(end),
		 "\"type\":\"event_msg\",\"payload\":{\"type\":"
		 "\"thread_rolled_back\",\"num_turns\":%u}}",
		 turns);
	codex_other(g, end);
	for (size_t i = g->n; i > 0 && left > 0; i--)
		if (g->events[i - 1].role == 0) {
			from = i - 1;
			left--;
		}
	gen_rewind(g, from);
}

static void
codex_noise(struct gen *g, enum codex_mode mode)
{
	static const char *const others[] = {
		"\"type\":\"session_meta\",\"payload\":{\"id\":\"parent\"}}",
		"\"type\":\"turn_context\",\"payload\":{\"cwd\":\"nowhere\"}}",
		"\"type\":\"event_msg\",\"payload\":{\"text\":\"nowhere\"}}",
		"\"type\":\"event_msg\",\"payload\":[\"nowhere\"]}",
		"\"record_type\":\"state\"}",
		"\"type\":17,\"payload\":{\"type\":\"message\"}}",
	};
	unsigned what = gen_pick(g, 10);

	if (what < 6) {
		codex_other(g, others[what]);
	} else if (what < 7 && mode < CODEX_EVENTS) {
		codex_open(g, mode);
		buf_adds(&g->file, "\"type\":\"reasoning\",\"summary\":["
				   "{\"text\":\"nowhere\"}]");
		codex_close(g, mode);
	} else if (what < 8 && mode < CODEX_EVENTS) {
		codex_open(g, mode);
		buf_adds(&g->file, "\"type\":\"message\",\"role\":\"tool\","
				   "\"content\":\"nowhere\"");
		codex_close(g, mode);
	} else if (what < 9) {
		gen_nuls(g);
	} else {
		buf_adds(&g->file, "{\"type\":\"resp\n\n \t\r\n");
		g->skipped++;
	}
}

static void
gen_codex(struct gen *g, uint64_t seed, unsigned entries)
{
	enum codex_mode mode = CODEX_ENVELOPES;

	gen_begin(g, seed);
	if (gen_pick(g, 3) == 0)
		mode = (enum codex_mode)gen_pick(g, 4);
	if (mode == CODEX_FLAT)
		codex_other(g, "\"id\":\"gen\",\"instructions\":null}");
	else
		codex_other(g, "\"type\":\"session_meta\",\"payload\":{"
			       "\"id\":\"gen\",\"cwd\":\"nowhere\"}}");
	for (unsigned i = 0; i < entries; i++) {
		unsigned what = gen_pick(g, 20);

		if (what < 5)
			codex_message(g, mode, true);
		else if (what < 9)
			codex_message(g, mode, false);
		else if (what < 14)
			codex_tools(g, mode);
		else if (what < 15)
			codex_context(g, mode);
		else if (what < 16)
			codex_compacted(g);
		else if (what < 19)
			codex_noise(g, mode);
		else
			codex_roll_back(g);
	}
	codex_message(g, mode, true);
	if (gen_pick(g, 3) == 0) {
		buf_adds(&g->file, "{\"type\":\"response_item\",\"payl");
		g->skipped++;
	}
}

#endif /* CODEX_GEN_H */
