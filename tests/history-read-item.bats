#!/usr/bin/env bats
# history-read-item: spec/context.md section 4.4.

load common
load context

setup() {
	context_setup
	begin
	say u1 user 'one two'
	compacted k1 sum
	entry t1 '{"message":{"role":"toolResult","toolCallId":"c","toolName":"history_read_item","content":"x"}}'
}

@test "4.4: an item, both surfaces" {
	call history-read-item '{"item_id":"u1","window_id":"w1"}'
	printf '{"window_id":"w1","item_id":"u1","role":"user","tool_name":null,"tool_namespace":null,"content":"one two","offset_chars":0,"total_chars":7,"next_offset_chars":null}\nw1 | user | 7 chars [id: u1]\none two\n' |
		diff -u - out
	call history-read-item '{"item_id":"u1","window_id":"w1","offset_chars":2,"limit_chars":3}'
	printf 'w1 | user | 7 chars, showing 2..5 [id: u1]\ne t\n\n[truncated; continue at offset_chars=5]\n' |
		diff -u - text
	does history-read-item '{"item_id":"t1","window_id":"w2"}'
	head -n 1 text | grep -qx 'w2 | tool | tool history.history_read_item | 1 chars \[id: t1\]'
	does history-read-item '{"item_id":"u1","window_id":"w1","offset_chars":7}'
	gives '[.content,.offset_chars,.next_offset_chars]' '["",7,null]'
}

@test "4.4: both ids must agree, and the right window is told" {
	refuses not_found history-read-item '{"item_id":"u1","window_id":"w2"}'
	says 'it is in window w1'
	refuses not_found history-read-item '{"item_id":"u9","window_id":"w1"}'
	says '"u9"'
	says '"w1"'
	refuses not_found history-read-item '{"item_id":"u1","window_id":"w9"}'
	refuses not_found history-read-item '{"item_id":"line-2","window_id":"w1"}'
	invalid item_id history-read-item '{"item_id":"","window_id":"w1"}'
	invalid window_id history-read-item '{"item_id":"u1"}'
}

@test "4.5: a marker in data is data" {
	say u2 user 'look [id: u1]'
	does history-read-item '{"item_id":"u2","window_id":"w2"}'
	gives .content '"look [id: u1]"'
}

@test "1.3: pages concatenate to the content" {
	local next=0 n=0
	jq -nj '"é\u0007\"" * 9000' >body
	entry u2 "$(jq -nc --rawfile t body '{message:{role:"user",content:$t}}')"
	: >all
	while [ "$next" != null ]; do
		does history-read-item "{\"item_id\":\"u2\",\"window_id\":\"w2\",\"offset_chars\":$next}"
		jq -j .content json >>all
		next=$(jq .next_offset_chars json)
		n=$((n + 1))
	done
	cmp body all
	[ $n -gt 2 ]
}

@test "4.2: items of Codex by line; a repeated id: the first wins" {
	echo '{"type":"message","id":"u1","parentId":"t1","message":{"role":"user","content":"again"}}' >>session.jsonl
	does history-read-item '{"item_id":"u1","window_id":"w1"}'
	gives .content '"one two"'
	export CTX_SESSION=codex:s1
	printf '%s\n' '{"type":"session_meta","payload":{"id":"s1"}}' '' \
		'{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"a"}]}}' >session.jsonl
	does history-read-item '{"item_id":"line-3","window_id":"w1"}'
	gives .content '"a"'
	refuses not_found history-read-item '{"item_id":"line-03","window_id":"w1"}'
}

@test "2.1: without a transcript nothing is found" {
	rm session.jsonl
	refuses not_found history-read-item '{"item_id":"u1","window_id":"w1"}'
}

@test "9: an item of 64 MB is counted, listed, searched and paged; so is a result" {
	begin
	{
		printf '{"type":"message","id":"u1","parentId":null,"message":{"role":"user","content":"start '
		head -c 64000000 /dev/zero | tr '\0' y
		printf '%s\n' ' needle"}}' '{"type":"message","id":"u2","parentId":"u1","message":{"role":"user","content":"after"}}'
		printf '{"type":"message","id":"t1","parentId":"u2","message":{"role":"toolResult","toolCallId":"c","toolName":"x","content":[{"type":"text","text":"'
		head -c 64000000 /dev/zero | tr '\0' z
		printf '%s\n' '\u00e9"}]}}'
	} >>session.jsonl
	does history-list-windows '{}'
	gives .windows '[{"window_id":"w1","item_count":3}]'
	does history-list-items '{"max_chars_per_item":7}'
	gives '[.items[] | [.item_id,.content_chars,.truncated_content]]' \
		'[["u1",64000013,"start y"],["u2",5,"after"],["t1",64000001,"zzzzzzz"]]'
	does history-search-contents '{"query":"y needle"}'
	gives '[.items[] | [.item_id,.match_offset_chars,.excerpt_offset_chars,(.excerpt | length)]]' \
		'[["u1",64000005,63999805,208]]'
	does history-read-item '{"window_id":"w1","item_id":"u1","offset_chars":64000003}'
	gives '[.content,.next_offset_chars]' '["yyy needle",null]'
	does history-read-item '{"window_id":"w1","item_id":"t1","offset_chars":63999999,"limit_chars":1}'
	gives '[.content,.total_chars,.next_offset_chars]' '["z",64000001,64000000]'
}
