#!/usr/bin/env bats
# history-list-windows: spec/context.md sections 4.1 and 4.4.

load common
load context

setup() {
	context_setup
	begin
}

# windows <json>: ids and counts as one word each.
windows() {
	does history-list-windows "${1:-{\}}"
	jq -r '[.windows[] | "\(.window_id):\(.item_count)"] | join(" ")' json
}

marker() {
	printf '<context_window_reset/>\ntext\nCurrent context window id: %s\nmore' "$1"
}

@test "4.1: the boundary belongs to the window that it opens" {
	say u1 user a
	say a1 assistant b
	compacted k1 'what was before'
	say u2 user c
	[ "$(windows)" = 'w1:2 w2:2' ]
	printf 'w1: 2 items\nw2: 2 items\n' | diff -u - text
	gives '[.agent_name,.has_more,.transcript_found]' '["/root",false,null]'
	[ "$(windows '{"recent_first":true}')" = 'w2:2 w1:2' ]
	[ "$(windows '{"recent_first":true,"limit":1}')" = w2:2 ]
	gives .has_more true
	[ "$(tail -n 1 text)" = '[more windows exist; raise limit]' ]
}

@test "4.1: numbers are those of markers, and strictly increase" {
	say u1 user a
	compacted k1 "$(marker w5)"
	compacted k2 foreign
	compacted k3 "$(marker w3)"
	compacted k4 "$(marker w9)"
	compacted k5 "$(marker w09)"
	compacted k6 "Current context window id: w20"
	compacted k7 "$(marker w1000000000)"
	compacted k8 "$(marker w30)"$'\nCurrent context window id: w40'
	compacted k9 "x <context_window_reset/>"$'\nCurrent context window id: w50'
	[ "$(windows)" = 'w1:1 w5:1 w6:1 w7:1 w9:1 w10:1 w11:1 w12:1 w30:1 w31:1' ]
}

@test "4.4: a window without items is listed when a boundary opened it, w1 not" {
	compacted k1 a
	[ "$(windows)" = w2:1 ]
	begin
	entry r1 '{"type":"custom","customType":"pi-context/reset-marker","data":{"windowId":"x"}}'
	[ "$(windows)" = w2:0 ]
	begin
	[ -z "$(windows)" ]
	[ "$(<text)" = 'No history windows.' ]
}

@test "4.2: thoughts and blanks are not counted; empty results are" {
	entry a1 '{"message":{"role":"assistant","content":[{"type":"thinking","thinking":"x"}]}}'
	say a2 assistant $' \n\t'
	entry t1 '{"message":{"role":"toolResult","toolCallId":"c","toolName":"x","content":[]}}'
	entry t2 '{"message":{"role":"assistant","content":[{"type":"strange"}]}}'
	[ "$(windows)" = w1:2 ]
}

@test "2.1: no transcript is no error; a file that is not one is refused" {
	rm session.jsonl
	call history-list-windows '{}'
	printf '{"agent_name":"/root","windows":[],"has_more":false,"transcript_found":false}\nNo transcript found for /root (session pi:s1).\n' |
		diff -u - out
	echo 'not a transcript' >session.jsonl
	refuses unreadable_session history-list-windows '{}'
	says '/root (session pi:s1)'
}

@test "2.1: whose transcript: the bound session's, its file, or none" {
	say u1 user a
	does context-init '{}'
	printf '%s\n' '{"type":"session","version":3,"id":"s2"}' \
		'{"type":"message","id":"x","parentId":null,"message":{"role":"user","content":"hi"}}' \
		'{"type":"message","id":"y","parentId":"x","message":{"role":"user","content":"hi"}}' >two.jsonl
	does context-agent "$(jq -nc --arg f "$PWD/two.jsonl" '{action:"register",agent_name:"two",session:"pi:s2",session_file:$f}')"
	does context-agent '{"action":"register","agent_name":"none","session":"pi:s3"}'
	[ "$(windows '{"agent_name":"two"}')" = w1:2 ]
	gives .agent_name '"/root/two"'
	[ -z "$(windows '{"agent_name":"/root/none"}')" ]
	gives .transcript_found false
	# The agent's own session is now the caller's: its file and leaf count.
	CTX_CONTEXT_ROOT=s1 CTX_CONTEXT_AGENT=/root/two CTX_SESSION=s2 CTX_SESSION_FILE=$PWD/two.jsonl \
		CTX_LEAF=x does history-list-windows '{}'
	gives '.windows[0].item_count' 1
	refuses unknown_agent history-list-windows '{"agent_name":"nobody"}'
	refuses bad_agent history-list-windows '{"agent_name":"a-b"}'
	invalid agent_name history-list-windows '{"agent_name":""}'
	does history-list-windows '{"agent_name":null,"extra":1}'
}

@test "4.1: boundaries of Claude Code and Codex" {
	export CTX_SESSION=claude:s1
	printf '%s\n' '{"type":"user","uuid":"u1","parentUuid":null,"message":{"role":"user","content":"a"}}' \
		'{"type":"system","subtype":"compact_boundary","uuid":"b1","parentUuid":null,"logicalParentUuid":"u1","content":"Conversation compacted"}' \
		"$(jq -nc --arg s "$(marker w4)" '{type:"user",uuid:"u2",parentUuid:"b1",isCompactSummary:true,message:{role:"user",content:$s}}')" \
		'{"type":"user","uuid":"u3","parentUuid":"u2","message":{"role":"user","content":"b"}}' >session.jsonl
	[ "$(windows)" = 'w1:1 w4:3' ]
	export CTX_SESSION=codex:s1
	printf '%s\n' '{"type":"session_meta","payload":{"id":"s1"}}' \
		'{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"a"}]}}' \
		"$(jq -nc --arg s "$(marker w3)" '{type:"compacted",payload:{message:$s}}')" \
		'{"type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"b"}]}}' >session.jsonl
	[ "$(windows)" = 'w1:1 w3:2' ]
}

@test "9: torn lines, cycles and unknown types are skipped" {
	say u1 user a
	printf '{"type":"message","id":"z"\n\nnull\n{"type":"new-thing","id":"n1","parentId":"u1"}\n' >>session.jsonl
	# shellcheck disable=SC2034
	LAST=n1
	say u2 user b
	printf '{"type":"message","id":"u3","parentId":"u2","mess' >>session.jsonl
	[ "$(windows)" = w1:2 ]
	printf '%s\n' '{"type":"session","version":3,"id":"s1"}' \
		'{"type":"message","id":"a","parentId":"b","message":{"role":"user","content":"x"}}' \
		'{"type":"message","id":"b","parentId":"a","message":{"role":"user","content":"y"}}' >session.jsonl
	[ "$(windows)" = w1:2 ]
}
