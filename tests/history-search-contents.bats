#!/usr/bin/env bats
# history-search-contents: spec/context.md section 4.4.

load common
load context

setup() {
	context_setup
	begin
}

found() {
	does history-search-contents "$1"
	jq -r '[.items[].item_id] | join(" ")' json
}

@test "4.4: literal, case matters, one row an item, newlines allowed" {
	say u1 user $'a needle\nhere, a needle'
	say a1 assistant 'Needle'
	entry t1 '{"message":{"role":"toolResult","toolCallId":"c","toolName":"x","content":"no needle: a.b"}}'
	[ "$(found '{"query":"needle"}')" = 'u1 t1' ]
	gives '[.items[].match_offset_chars]' '[2,3]'
	[ "$(found '{"query":"needle\nhere"}')" = u1 ]
	[ "$(found '{"query":"a.b"}')" = t1 ]
	[ "$(found '{"query":"axb"}')" = '' ]
	[ "$(<text)" = 'No matches for "axb".' ]
	[ "$(found '{"query":"needle","recent_first":true,"limit":1}')" = t1 ]
	gives .has_more true
	[ "$(found '{"query":"needle","role":"user"}')" = u1 ]
	[ "$(found '{"query":"needle","tool_name":"x"}')" = t1 ]
	[ "$(found '{"query":"needle","window_id":"w2"}')" = '' ]
	invalid query history-search-contents '{"query":""}'
	invalid query history-search-contents '{}'
}

@test "4.4: the excerpt around the first match" {
	say u1 user "$(printf 'é%.0s' {1..1000})X$(printf 'ü%.0s' {1..1000})"
	call history-search-contents '{"query":"X"}'
	gives '.items[0] | [.content_chars,.match_offset_chars,.excerpt_offset_chars,(.excerpt | length),.excerpt[200:201]]' '[2001,1000,800,400,"X"]'
	head -n 1 text | grep -qx 'w1 | user | 2001 chars, match at 1000, showing 800..1200'
	say u2 user 'Yes'
	call history-search-contents '{"query":"Yes"}'
	head -n 1 text | grep -qx 'w1 | user | 3 chars, match at 0'
	mkdir -p "$HOME/.config/ctxtools"
	echo 'context: {historyItemPreviewChars: 5}' >"$HOME/.config/ctxtools/config.yaml"
	does history-search-contents '{"query":"X"}'
	gives '.items[0] | [.excerpt_offset_chars,.excerpt]' '[998,"ééXüü"]'
}

@test "11: a prefilter changes no result: escapes and words that are rendered" {
	entry u1 '{"message":{"role":"user","content":"\u006eeedle and caf\u00e9"}}'
	entry a1 '{"message":{"role":"assistant","content":[{"type":"toolCall","id":"c","name":"x"},{"type":"image"},{"type":"odd"}]}}'
	entry t1 '{"message":{"role":"toolResult","toolCallId":"c","toolName":"x","content":[]}}'
	entry b1 '{"message":{"role":"bashExecution","command":"ls","output":""}}'
	[ "$(found '{"query":"needle"}')" = u1 ]
	[ "$(found '{"query":"café"}')" = u1 ]
	[ "$(found '{"query":"[tool_call x] {}"}')" = a1 ]
	[ "$(found '{"query":"[image omitted]"}')" = a1 ]
	[ "$(found '{"query":"odd block omitted"}')" = a1 ]
	[ "$(found '{"query":"empty tool result"}')" = t1 ]
	[ "$(found '{"query":"\"command\":"}')" = b1 ]
	[ "$(found '{"query":"{}\n[image"}')" = a1 ]
	printf '%s\n' '{"type":"session_meta","payload":{"id":"s1"}}' \
		'{"type":"response_item","payload":{"type":"local_shell_call","call_id":"c1","action":{"type":"exec"}}}' \
		'{"type":"response_item","payload":{"type":"function_call_output","call_id":"c1","output":"{\"output\":\"h\\u0069dden\"}"}}' >session.jsonl
	export CTX_SESSION=codex:s1
	[ "$(found '{"query":"local_shell"}')" = line-2 ]
	[ "$(found '{"query":"hidden"}')" = line-3 ]
}

@test "13: control messages are found by search, and not shown in the index" {
	entry m1 '{"type":"custom_message","customType":"ctxtools:reminder","content":"a needle in control"}'
	say u1 user 'needle of the user'
	[ "$(found '{"query":"needle"}')" = 'm1 u1' ]
	does context-usage '{"used_tokens":99,"context_window":100}'
	gives '.messages[] | select(.kind == "reminder") | .text | test("control")' false
	gives '.messages[] | select(.kind == "reminder") | .text | test("u1 — user — needle of the user \\(window w1\\)$")' true
}
