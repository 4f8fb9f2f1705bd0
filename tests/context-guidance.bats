#!/usr/bin/env bats
# context-guidance: spec/context.md sections 6.1, 6.2 and 7.7.

load common
load context

setup() {
	context_setup
}

@test "6.1: the block, the same for all; the text surface is the block alone" {
	call context-guidance '{}'
	jq -r .text json | diff - text
	head -n 1 text | grep -qx '<pi_token_budget_guidance>'
	tail -n 1 text | grep -qx '</pi_token_budget_guidance>'
	grep -q 'at most 1,000,000 UTF-8 bytes' text
	! grep -qE 'w1|/root|2030' text || fail 'it holds a window, an agent or a time'
	[ ! -e "$HOME/.local" ]
	cp text before
	does new-context '{}'
	does context-compact '{"reason":"rollover"}'
	does context-commit '{"outcome":"committed","window_id":"w2"}'
	does context-guidance '{"action":"guidance"}'
	cmp text before
	# It needs no session.
	unset CTX_SESSION
	does context-guidance '{}'
}

@test "6: the cap, and a text of one's own" {
	mkdir -p "$HOME/.config/ctxtools/p"
	echo 'context: {prompts_dir: p, notesMaxFileBytes: 1234567}' >"$HOME/.config/ctxtools/config.yaml"
	printf '{{notes_max_file_bytes}} {{window_id}}' >"$HOME/.config/ctxtools/p/guidance.txt"
	does context-guidance '{}'
	[ "$(sed -n 2p text)" = '1,234,567 {{window_id}}' ]
	printf '%016384d' 0 >"$HOME/.config/ctxtools/p/guidance.txt"
	does context-guidance '{}'
	printf '%016385d' 0 >"$HOME/.config/ctxtools/p/guidance.txt"
	call context-guidance '{}'
	[ "$(wc -l <err)" -eq 1 ]
	grep -q 'Work may outlast' text
}

@test "7.7: whether it is there already: by a line of its own" {
	does context-guidance '{"existing_prompt":"You are.\n<pi_token_budget_guidance>\nx"}'
	gives .already_present true
	does context-guidance '{"existing_prompt":"You are <pi_token_budget_guidance>"}'
	gives .already_present false
	does context-guidance '{"existing_prompt":"<pi_token_budget_guidance>"}'
	gives .already_present true
}

@test "7.7: the migration hint is given once to an agent" {
	does context-guidance '{"action":"migration"}'
	gives '[.action,.already_present,(.text | test("operation field"))]' '["migration",false,true]'
	does context-guidance '{"action":"migration"}'
	gives '[.already_present,.text]' '[true,""]'
	does context-agent '{"action":"register","agent_name":"w","session":"pi:w"}'
	CTX_CONTEXT_AGENT=/root/w does context-guidance '{"action":"migration"}'
	gives .already_present false
}
