#!/usr/bin/env bats
# A host is its decoder and one row of the table: what this page adds to a copy
# of the tree is all that a host needs.

load common
load history
load tree

setup() {
	common_setup
}

# toy_host: the decoder of a toy, whose records are {"toy":ROLE,"says":TEXT},
# the first of them {"toy":"box","name":ID,"at":DIRECTORY}.
toy_host() {
	cat >tree/common/transcript/toy.h <<'END'
#ifndef TRANSCRIPT_TOY_H
#define TRANSCRIPT_TOY_H

#include "transcript/decoder.h"

extern const struct decoder toy_decoder;

#endif /* TRANSCRIPT_TOY_H */
END
	cat >tree/common/transcript/toy.c <<'END'
#include "transcript/toy.h"

#include "base/json_span.h"
#include "transcript/index.h"

enum { NOTHING, SAYS, DOES };

static const struct decoder_kind kinds[] = { { "person", SAYS },
					     { "toy", SAYS },
					     { "squeak", DOES },
					     { NULL, NOTHING } };
static const char *const words[] = { "squeak", NULL };

static bool
toy_recognises(struct str first)
{
	return json_string_is(json_get(first, "toy"), "box");
}

static struct str
toy_session_id(struct str first, struct buf *scratch)
{
	return json_text(json_get(first, "name"), scratch);
}

static struct file_name
toy_file_name(struct str path)
{
	(void)path;
	return (struct file_name){ .id = { NULL, 0 } };
}

static struct str
toy_directory(struct str record)
{
	return json_get(record, "at");
}

static void
toy_begin(struct transcript *t, struct str first)
{
	(void)t;
	(void)first;
}

static bool
toy_index(struct transcript *t, struct str record, uint64_t number)
{
	struct str toy = json_get(record, "toy");
	struct str none = { NULL, 0 };
	unsigned kind = decoder_find_kind(kinds, toy);

	(void)number;
	if (!index_record(t, none))
		return true;
	index_parent_previous(t);
	if (kind == DOES)
		index_tool(t, SLOT_LONE, none, STR("squeak"));
	else if (kind == SAYS)
		index_text(t,
			   json_string_is(toy, "toy") ? ROLE_ASSISTANT
						      : ROLE_USER,
			   json_get(record, "says").n <= 2);
	return true;
}

static void
toy_branch(struct transcript *t, uint32_t leaf)
{
	index_mark_path(t, leaf == RECORD_NONE ? index_last(t) : leaf);
	index_mark_slots(t);
}

static unsigned
toy_parts(const struct transcript *t, uint32_t number, struct str record,
	  decoder_add_part *add, void *ctx)
{
	(void)t;
	(void)number;
	add(ctx, record, STR(""));
	return 0;
}

static void
toy_text(const struct part *part, struct buf *out)
{
	json_decode(json_get(part->span, "says"), out);
}

static void
toy_call(const struct part *part, struct call_facts *out)
{
	(void)part;
	buf_adds(&out->name, "squeak");
}

static void
toy_result(const struct part *part, struct result_facts *out)
{
	(void)part;
	(void)out;
}

const struct decoder toy_decoder = {
	.words = words,
	.recognises = toy_recognises,
	.file_name = toy_file_name,
	.session_id = toy_session_id,
	.directory = toy_directory,
	.begin = toy_begin,
	.index = toy_index,
	.branch = toy_branch,
	.parts = toy_parts,
	.text = toy_text,
	.call = toy_call,
	.result = toy_result,
};
END
	# Its row, and the name of its decoder.
	sed -i -e 's|^#include "transcript/qwen.h"|&\n#include "transcript/toy.h"|' \
		-e 's|^	{ .name = NULL },|	{ .name = "toy", .decoder = \&toy_decoder,\n	  .roots = { { "TOY_HOME", "/boxes" }, { NULL, "/.toy/boxes" } },\n	  .sessions = PATTERNS("*/*"),\n	  .client = { .name = "toy-client", .session = "TOY_SESSION" } },\n&|' \
		tree/common/transcript/hosts.c
}

@test "a host needs its files and one row" {
	copy_tree
	toy_host
	build bin/history-list bin/history-read bin/context-boot bin/mcp-serve unit/test_hosts
	BIN=$PWD/tree/$FOLDER/bin
	PATH=$BIN:$PATH
	mkdir -p "$HOME/.toy/boxes/a"
	printf '%s\n' '{"toy":"box","name":"bear-1","at":"/srv/shop","timestamp":"2026-03-05T09:00:00Z"}' \
		'{"toy":"person","says":"Hello, bear.","timestamp":"2026-03-05T09:00:01Z"}' \
		'{"toy":"squeak","says":"eek","timestamp":"2026-03-05T09:00:02Z"}' \
		'{"toy":"toy","says":"Hello, person.","timestamp":"2026-03-05T09:00:03Z"}' >"$HOME/.toy/boxes/a/1.jsonl"
	mkdir -p "$HOME/.claude/projects/p"
	printf '{"type":"user","uuid":"u1","parentUuid":null,"timestamp":"2026-03-05T08:00:00Z","message":{"content":"Hello, Claude."}}\n' \
		>"$HOME/.claude/projects/p/c.jsonl"
	# By its name, an id, a prefix, a wildcard, the directory and the file.
	for session in toy:bear-1 bear-1 bear; do
		[ "$(history-list -j --session $session | jq -c '[.events[] | .content // .tools]')" = \
			'["Hello, bear.",{"squeak":1},"Hello, person."]' ] || fail "$session"
	done
	[ "$(history-list -j --session '*' | jq -c '[.events[].session]')" = '["toy:bear-1","claude:c"]' ]
	[ "$(history-list -j --session 'toy:*' --cwd /srv | jq -c '[.events[].session]')" = '["toy:bear-1"]' ]
	[ "$(CTX_CWD=/srv/shop history-read -j 2 --session . | jq -c '[.tool, .text]')" = '["squeak","squeak (arguments not recorded)\n--- output ---\neek"]' ]
	[ "$(CTX_SESSION_FILE=$HOME/.toy/boxes/a/1.jsonl history-read -j 1 | jq -r .text)" = 'Hello, bear.' ]
	[ "$(CTX_SESSION=toy:bear-1 context-boot -j | jq -c '[.session, .windows[0].window_id]')" = '["toy:bear-1","toy:bear-1:0"]' ]
	# Its words are looked for in documents, since no record has them.
	[ "$(history-list -j --session '*' --query 'squeak (arg' | jq -c '[.events[].seq]')" = '[2]' ]
	# Another root; and what is not its own crashes nobody.
	mkdir -p other/boxes/b
	cp "$HOME/.claude/projects/p/c.jsonl" other/boxes/b/
	[ "$(TOY_HOME=$PWD/other history-list -j --session '*' | jq -c '[.events[].session, .sessions_skipped]')" = '["claude:c",1]' ]
	cp "$HOME/.toy/boxes/a/1.jsonl" "$HOME/.claude/projects/p/toy.jsonl"
	[ "$(history-list -j --session 'claude:*' | jq -c '[.events[].session, .sessions_skipped]')" = '["claude:c",1]' ]
	run -1 --separate-stderr history-list -j --session claude:toy
	[ "$(jq -r .error <<<"$output")" = 'claude:toy cannot be read: not a claude transcript' ]
	# As a client of mcp-serve, by its name and its variable.
	printf '%s\n' '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"toy-client-7","version":"1"}}}' \
		'{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"history_read","arguments":{"seq":1}}}' |
		env -u CTX_SESSION TOY_SESSION=bear-1 CLAUDECODE=1 CLAUDE_CODE_SESSION_ID=c mcp-serve >served
	[ "$(jq -r 'select(.id == 2).result.structuredContent.text' served)" = 'Hello, bear.' ] || fail "$(<served)"
	# And the unit test that asks of every row what C cannot is content.
	"tree/$FOLDER/unit/test_hosts" >units || true
	grep -q '^ok .* toy: the decoder has all its functions' units
}

@test "hosts that have no part of their own are named by their files and their rows only" {
	cd "$ROOT"
	grep -rliE 'copilot|qwen|gemini' common cmd tools completions Makefile |
		grep -vE '^common/transcript/(copilot|qwen|gemini)[a-z_]*\.[ch]$' | sort >"$BATS_TEST_TMPDIR/named"
	diff -u - "$BATS_TEST_TMPDIR/named" <<'END'
common/transcript/hooks.c
common/transcript/hosts.c
END
}
