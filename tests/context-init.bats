#!/usr/bin/env bats
# context-init: spec/context.md sections 7.3 and 7.7.

load common
load context

setup() {
	context_setup
}

@test "7.7: the identity of the first window, until it is delivered" {
	call context-init '{}'
	gives 'del(.messages)' '{"agent_name":"/root","window_id":"w1","window_number":1,"first_window_id":"w1","previous_window_id":null,"phase":"ready","transcript_found":false}'
	gives '.messages[0] | del(.text)' '{"message_id":"w1:identity:1","kind":"identity","window_id":"w1","deliver":"passive","custom_type":"ctxtools:identity","details":{"windowId":"w1","kind":"identity"},"display":false}'
	cat >want <<-'END'
		agent /root | window w1 | phase ready

		--- identity w1:identity:1 (passive) ---
		<context_window>
		Agent name: /root
		First context window id: w1
		Current context window id: w1
		</context_window>
	END
	diff -u want text
	does context-init '{}'
	gives '[.messages[].message_id]' '["w1:identity:1"]'
	begin
	deliver c1
	does context-init '{}'
	gives '[.messages[].message_id]' '[]'
}

@test "7.3: a message is delivered by its text, too, white space aside" {
	does context-init '{}'
	begin
	say u1 user "$(jq -r .messages[0].text json)"$'\n\n'
	does context-init '{}'
	gives .messages '[]'
}

@test "7.3: no valid state: the branch tells, and no reminder repeats" {
	local state=$STATE/agents/root/window.json text
	begin
	say u1 user a
	compacted k1 foreign
	say u2 user b
	does context-init '{}'
	gives '[.window_id,.previous_window_id,(.messages | length)]' '["w2","w1",1]'
	for text in '' '{' '[]' "$(jq -c '.version = 2' "$state")" "$(jq -c '.root = "x"' "$state")" \
		"$(jq -c '.agent_name = "/root/x"' "$state")" "$(jq -c '.reminder = "maybe"' "$state")" \
		"$(jq -c '.window_number = "2"' "$state")" "$(jq -c 'del(.outbox)' "$state")" \
		"$(jq -c '.pending = {}' "$state")" "$(jq -c '.usage = null' "$state")" \
		"$(jq -c '.checkpoint_stage = "armed"' "$state")" "$(head -c 100 "$state")"; do
		printf %s "$text" >"$state"
		does context-init '{}'
		gives '[.window_id,.previous_window_id,(.messages | length)]' '["w2","w1",1]'
		does context-compact '{"reason":"threshold"}'
		gives '.messages[-1].kind' '"fallback"'
		printf %s "$text" >"$state"
	done
}

@test "7.3: control entries of this window arm the fence again" {
	armed
	rm "$STATE/agents/root/window.json"
	does context-init '{}'
	gives .phase '"checkpoint_required"'
	refuses fenced notes-list-files-by-prefix '{}'
	rm "$STATE/agents/root/window.json"
	refuses fenced context-gate '{"tool_name":"bash"}'
	note a saved
	gives .rollover_requested true
	# Those of an earlier one do not.
	compacted k1 foreign
	rm "$STATE/agents/root/window.json"
	does context-init '{}'
	gives '[.window_id,.phase]' '["w2","ready"]'
}

@test "7.3: our own bootstrap in the branch is the identity" {
	begin
	say u1 user a
	does new-context '{}'
	does context-compact '{"reason":"rollover"}'
	compacted k1 "$(jq -r .bootstrap json)"
	rm -r "$STATE"
	does context-init '{}'
	gives '[.window_id,.previous_window_id,.messages]' '["w2","w1",[]]'
}

@test "M4: a rollover that is not in the branch is discarded; the request stays" {
	does new-context '{}'
	does context-compact '{"reason":"rollover"}'
	does context-init '{}'
	gives '[.window_id,.phase]' '["w1","rollover_pending"]'
	does context-settle '{}'
	gives .action '"roll"'
}

@test "7.7: it binds /root to the session, and only as /root" {
	begin
	does context-init '{}'
	jq -c .agents "$STATE/agents.json" >got
	echo "[{\"agent_name\":\"/root\",\"session\":\"pi:s1\",\"session_file\":\"$PWD/session.jsonl\"}]" | diff - got
	does context-agent '{"action":"register","agent_name":"w","session":"pi:w"}'
	cp "$STATE/agents.json" before
	CTX_SESSION=pi:w CTX_CONTEXT_ROOT=s1 CTX_CONTEXT_AGENT=/root/w does context-init '{}'
	gives .agent_name '"/root/w"'
	cmp before "$STATE/agents.json"
	CTX_SESSION=pi:later CTX_CONTEXT_ROOT=s1 does context-init '{}'
	does context-agent '{"action":"list"}'
	gives '.agents[0].session' '"pi:later"'
}

@test "10: disabled, nothing is sent" {
	CTX_CONTEXT_DISABLED=1 does context-init '{}'
	gives '[.phase,.messages]' '["disabled",[]]'
}

@test "9: it takes no parameters" {
	invalid x context-init '{"x":1}'
	invalid operand context-init '' operand
}
