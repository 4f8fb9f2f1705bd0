/*
 * Sessions of mcp-serve without programs: whatever bytes come, in whatever
 * pieces, every line that goes out is a JSON-RPC message (or a batch of them)
 * in valid UTF-8, no request is answered twice, and nothing that was not asked
 * is answered.  The first byte says into what pieces the rest is cut.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/json_check.h"
#include "base/json_span.h"
#include "mcp/dispatch.h"

#define LINE_MAX_BYTES 8192
#define DEPTH 200
#define LINES_MAX 65 /* a batch, and a question for each of its messages */
#define ANY (JSON_ALLOW_NUL | JSON_ALLOW_DUPLICATES | JSON_ALLOW_LONE)

static void
require(bool holds)
{
	if (!holds)
		abort();
}

/* Two tools as their programs would define them. */
static void
make_catalogue(struct catalogue *c, struct definition tools[2])
{
	static const char *const names[] = { "notes_read", "notes_write" };
	size_t i, tool;

	for (i = 0; i < 2; i++) {
		for (tool = 0; strcmp(families_tools[tool], names[i]) != 0;)
			tool++;
		tools[i] = (struct definition){
			.tool = tool,
			.program = "stub",
			.title = STR("\"Title\""),
			.description = STR("\"What it does.\""),
			.input_schema = STR("{\"type\":\"object\"}"),
			.output_schema = STR("{\"type\":\"object\"}"),
			.annotations = STR("{\"readOnlyHint\":true}"),
			.sequential = i == 1,
		};
		tools[i].name = i == 0 ? STR("\"notes_read\"")
				       : STR("\"notes_write\"");
	}
	*c = (struct catalogue){ tools, 2, NULL, 0 };
}

static void
check_message(struct str m)
{
	struct str id = json_get(m, "id");
	struct str result = json_get(m, "result"), error = json_get(m, "error");
	int64_t code;

	require(json_kind(m) == JSON_OBJECT);
	require(json_string_is(json_get(m, "jsonrpc"), "2.0"));
	if (json_get(m, "method").n > 0) {
		require(json_string_is(json_get(m, "method"), "roots/list"));
		return;
	}
	require(json_kind(id) == JSON_STRING || json_kind(id) == JSON_NUMBER ||
		(json_kind(id) == JSON_NULL && error.n > 0));
	require((json_kind(result) == JSON_OBJECT) !=
		(json_kind(error) == JSON_OBJECT));
	if (error.n > 0)
		require(json_to_integer(json_get(error, "code"), &code) &&
			code <= -32022 && code >= -32700 &&
			json_kind(json_get(error, "message")) == JSON_STRING);
}

static void
check_line(struct str line)
{
	struct json_iter it;
	struct str value, element;

	require(memchr(line.s, '\n', line.n) == NULL);
	require(json_check(line, DEPTH, ANY, NULL) == 0);
	value = json_value(line);
	if (json_kind(value) == JSON_OBJECT) {
		check_message(value);
		return;
	}
	it = json_iterate(value);
	require(json_next_element(&it, &element));
	do
		check_message(element);
	while (json_next_element(&it, &element));
}

/* Reads all that is out; gives the number of lines. */
static size_t
drain(struct server *s)
{
	size_t n = 0;

	for (; !outbox_is_empty(&s->outbox); n++) {
		check_line(outbox_first(&s->outbox));
		outbox_drop_first(&s->outbox);
	}
	return n;
}

/* What each call that waits was given is an object, and its own id is known. */
static void
check_calls(struct server *s)
{
	const struct call *call;
	size_t n = 0;

	for (call = s->calls.first; call != NULL; call = call->next, n++) {
		require(json_check(buf_str(&call->arguments), DEPTH, ANY,
				   NULL) == 0);
		require(json_kind(buf_str(&call->arguments)) == JSON_OBJECT);
		require(calls_find(&s->calls, buf_str(&call->key)) == call);
	}
	require(n == s->calls.n && n <= CALLS_MAX);
}

/* Feeds the bytes; a line is answered at once, or its calls later. */
static void
feed(struct server *s, const char *p, size_t n, size_t piece)
{
	struct str input;
	size_t before;

	while (n > 0) {
		input = (struct str){ p, n < piece ? n : piece };
		p += input.n;
		n -= input.n;
		for (;;) {
			before = s->calls.n;
			if (!dispatch_take(s, &input))
				break;
			require(drain(s) <= LINES_MAX);
			require(s->calls.n <= before + 64);
			s->now++;
		}
		buf_reset(&s->talk.pending);
	}
	require(outbox_is_empty(&s->outbox));
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct server_options options = { .surface = TOOL_SURFACE_BOTH,
					  .timeout_s = 1,
					  .jobs = 1,
					  .ask_roots = true,
					  .line_max = LINE_MAX_BYTES };
	struct facts given = { { NULL } };
	struct definition tools[2];
	struct catalogue catalogue;
	struct server s;
	char *copy;

	if (n == 0)
		return 0;
	copy = malloc(n);
	if (copy == NULL)
		abort();
	memcpy(copy, p, n);
	make_catalogue(&catalogue, tools);
	server_init(&s, &catalogue, &options, &given);
	feed(&s, copy + 1, n - 1, p[0] == 0 ? n : p[0]);
	dispatch_end_input(&s);
	require(drain(&s) <= LINES_MAX);
	check_calls(&s);
	/* Without their answers; batches then go out with what they have. */
	server_end_calls(&s);
	require(s.calls.n == 0);
	(void)drain(&s);
	require(s.outbox.batches == NULL);
	server_release(&s);
	free(copy);
	return 0;
}
