#!/usr/bin/env bats
# context-gate: spec/context.md sections 7.6 and 7.7.

load common
load context

setup() {
	context_setup
	rc=0
}

gate() {
	call context-gate "$(jq -nc --arg t "$1" --argjson a "${2:-null}" '{tool_name:$t} + (if $a == null then {} else {arguments:$a} end)')"
}

@test "7.7: go, both surfaces; it makes no state" {
	gate bash
	printf '{"allowed":true,"tool_name":"bash","phase":"ready"}\nagent /root | window w1 | phase ready\n' | diff -u - out
	[ ! -e "$HOME/.local" ]
	invalid tool_name context-gate '{"tool_name":""}'
	invalid arguments context-gate '{"tool_name":"x","arguments":[]}'
	gate bash '{"command":"a\u0000b"}'
	[ "$rc" -eq 0 ]
}

@test "7.6: armed: only a text to own notes goes" {
	armed
	local t
	for t in bash history_list_items new_context get-context-remaining notes_read_file; do
		gate $t
		[ "$rc" -eq 3 ]
		gives .code '"fenced"'
		says "$t is blocked"
	done
	for t in notes_write_file notes-append-to-file mcp__ctx__notes_write_file mcp__x__y__notes-write-file; do
		gate $t '{"path":"a","text":"x"}'
		[ "$rc" -eq 0 ] || fail "$t: $(<out)"
		gives .phase '"checkpoint_required"'
		gate $t '{"path":"/root/notes/a","text":"x"}'
		[ "$rc" -eq 0 ]
		for args in '{}' '{"path":"a"}' '{"text":"x"}' '{"path":"a","text":" \n"}' '{"path":"../a","text":"x"}' \
			'{"path":"/root/w/notes/a","text":"x"}' '{"path":1,"text":"x"}' '{"path":"a","text":["x"]}'; do
			gate $t "$args"
			[ "$rc" -eq 3 ] || fail "$t $args: $(<out)"
		done
	done
	gate notes_write_file
	[ "$rc" -eq 3 ]
	# It claims nothing.
	note a x
	gives .rollover_requested true
}

@test "7.6: saved: nothing goes but new_context" {
	armed
	note a x
	gate bash
	[ "$rc" -eq 3 ]
	gives .code '"rollover_pending"'
	says 'checkpoint is saved'
	gate notes_write_file '{"path":"a","text":"x"}'
	[ "$rc" -eq 3 ]
	gate new-context
	[ "$rc" -eq 0 ]
	CTX_CONTEXT_DISABLED=1 gate bash
	[ "$rc" -eq 0 ]
}

@test "7.3: sent is not armed; it sees in the branch that it was delivered" {
	begin
	say u1 user a
	does context-compact '{"reason":"manual"}'
	context-gate bash || fail 'blocked before it was delivered'
	deliver c1
	gate bash
	[ "$rc" -eq 3 ]
	[ "$(jq -r .checkpoint_stage "$STATE/agents/root/window.json")" = armed ]
}
