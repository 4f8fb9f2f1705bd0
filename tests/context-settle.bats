#!/usr/bin/env bats
# context-settle: spec/context.md rows S1 to S6.

load common
load context

setup() {
	context_setup
}

@test "S1 to S6" {
	call context-settle '{}'
	printf '{"action":"none","window_id":"w1","phase":"ready","messages":[]}\naction none | window w1 | phase ready\n' | diff -u - out
	does context-usage '{"used_tokens":99,"context_window":100}'
	does context-settle '{"idle":false}'
	gives '[.action,.messages]' '["none",[]]'
	does context-settle '{}'
	gives '[.action,.messages[].message_id]' '["resend","w1:reminder:1"]'
	does context-compact '{"reason":"manual"}'
	does context-settle '{}'
	gives '[.action,.messages[].message_id]' '["resend","w1:checkpoint:2"]'
	does context-delivered '{"message_id":"w1:checkpoint:2"}'
	does context-settle '{}'
	gives '[.action,.phase]' '["none","checkpoint_required"]'
	note a x
	does context-settle '{}'
	gives '[.action,.phase]' '["roll","rollover_pending"]'
	CTX_CONTEXT_DISABLED=1 does context-settle '{}'
	gives '[.action,.phase]' '["none","disabled"]'
	does context-compact '{"reason":"rollover"}'
	does context-settle '{}'
	gives '[.action,.phase]' '["none","rolling_over"]'
}

@test "7.2: text is frozen; a resend repeats id and text" {
	does context-usage '{"used_tokens":99,"context_window":100}'
	jq -c '.messages[0]' json >one
	does context-usage '{"used_tokens":98,"context_window":100}'
	does context-settle '{}'
	jq -c '.messages[0]' json | cmp - one
}
