#!/usr/bin/env bats
# context-commit: spec/context.md rows M0 to M4, and what sees a commit first.

load common
load context

setup() {
	context_setup
}

commit() {
	does context-commit "{\"outcome\":\"$1\",\"window_id\":\"$2\"${3:+,$3}}"
}
pending() {
	does new-context '{}'
	does context-compact '{"reason":"rollover"}'
}

@test "M0 to M2" {
	commit committed w2
	gives '[.status,.window_id,.previous_window_id]' '["ignored","w1",null]'
	commit committed w1
	gives .status '"ignored"'
	pending
	commit committed w3
	gives .status '"ignored"'
	commit committed nonsense
	gives .status '"ignored"'
	call context-commit '{"outcome":"committed","window_id":"w2"}'
	gives '[.status,.window_id,.previous_window_id,.phase,.messages[].deliver]' '["committed","w2","w1","ready","turn"]'
	head -n 1 text | grep -qx 'status committed | window w2 | phase ready'
	commit committed w2
	gives '[.status,.messages[].message_id]' '["committed","w2:continuation:1"]'
	commit failed w2
	gives .status '"ignored"'
	commit committed w1
	gives .status '"ignored"'
}

@test "M2: the continuation steers when the agent is not idle, and is not always" {
	pending
	commit committed w2 '"idle":false'
	gives '.messages[0].deliver' '"steer"'
	does new-context '{}'
	does context-compact '{"reason":"rollover","owns_continuation":true}'
	commit committed w3
	gives .messages '[]'
	# A person asked for it: nothing goes on by itself.
	does context-compact '{"reason":"manual"}'
	does context-delivered '{"message_id":"w3:checkpoint:1"}'
	note a x
	does context-compact '{"reason":"rollover"}'
	commit committed w4
	gives .messages '[]'
}

@test "M3: failed: the request goes, and a checkpoint has to be written again" {
	pending
	commit failed w2
	gives '[.status,.phase]' '["failed","ready"]'
	armed
	note a x
	does context-compact '{"reason":"rollover"}'
	commit failed w2
	gives .phase '"checkpoint_required"'
	refuses fenced context-gate '{"tool_name":"bash"}'
	note a y
	gives .rollover_requested true
}

@test "M4: aborted: request and stage stay" {
	armed
	note a x
	does context-compact '{"reason":"rollover"}'
	commit aborted w2
	gives '[.status,.phase]' '["aborted","rollover_pending"]'
	does context-settle '{}'
	gives .action '"roll"'
}

@test "7.3: killed before the commit: the branch says that it happened" {
	begin
	say u1 user a
	pending
	compacted k1 "$(jq -r .bootstrap json)"
	does context-settle '{}'
	gives '[.window_id,.action,.messages[].kind]' '["w2","resend","continuation"]'
	commit committed w2
	gives '[.status,.window_id]' '["committed","w2"]'
	deliver c1
	does context-settle '{}'
	gives .action '"none"'
	does history-list-windows '{}'
	gives '[.windows[].window_id]' '["w1","w2"]'
}

@test "7.3: a continuation of an earlier window proves nothing" {
	begin
	say u1 user a
	pending
	compacted k1 "$(jq -r .bootstrap json)"
	commit committed w2
	say c1 user "$(jq -r .messages[0].text json)"
	does context-settle '{}'
	gives .action '"none"'
	pending
	compacted k2 "$(jq -r .bootstrap json)"
	commit committed w3
	does context-settle '{}'
	gives '[.action,.messages[].message_id]' '["resend","w3:continuation:1"]'
}

@test "1.2: bounds" {
	invalid outcome context-commit '{"outcome":"maybe","window_id":"w2"}'
	invalid window_id context-commit '{"outcome":"failed"}'
	invalid window_id context-commit '{"outcome":"failed","window_id":""}'
}
