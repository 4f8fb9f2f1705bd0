#!/usr/bin/env bats
# context-delivered: spec/context.md sections 7.3 and 7.7.

load common
load context

setup() {
	context_setup
}

@test "7.7: accepted, again, stale, unknown" {
	does context-usage '{"used_tokens":99,"context_window":100}'
	call context-delivered '{"message_id":"w1:reminder:1"}'
	printf '{"message_id":"w1:reminder:1","accepted":true,"reason":null,"phase":"ready"}\nagent /root | window w1 | phase ready\n' | diff -u - out
	does context-delivered '{"message_id":"w1:reminder:1"}'
	gives .accepted true
	local id
	for id in w1:reminder:2 w2:reminder:1 x w1:nothing:1 w1:reminder: w1:reminder:01 :: ''; do
		refuses unknown_message context-delivered "{\"message_id\":\"$id\"}"
		says "\"$id\""
	done
	does new-context '{}'
	does context-compact '{"reason":"overflow"}'
	does context-commit '{"outcome":"committed","window_id":"w2"}'
	does context-delivered '{"message_id":"w1:reminder:1"}'
	gives '[.accepted,.reason]' '[false,"stale"]'
	invalid message_id context-delivered '{}'
}

@test "7.3: the proof of a fallback arms the fence" {
	does context-compact '{"reason":"threshold"}'
	does context-delivered '{"message_id":"w1:reminder:1"}'
	does context-compact '{"reason":"threshold"}'
	does get-context-remaining '{}'
	does context-delivered '{"message_id":"w1:fallback:2"}'
	gives .phase '"checkpoint_required"'
	refuses fenced get-context-remaining '{}'
}
