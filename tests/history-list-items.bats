#!/usr/bin/env bats
# history-list-items: spec/context.md sections 4.2 to 4.4.

load common
load context

setup() {
	context_setup
	begin
}

# items <json> [filter]: the ids, or what else the filter makes of each.
items() {
	does history-list-items "$1"
	jq -r "[.items[] | ${2:-.item_id}] | join(\" \")" json
}

sample() {
	say u1 user 'do it'
	entry a1 '{"message":{"role":"assistant","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"Reading."},{"type":"toolCall","id":"c1","name":"read","arguments":{"path":"a","n":1.5}},{"type":"toolCall","id":"c2","name":"notes_write_file","arguments":{}}]}}'
	entry t1 '{"message":{"role":"toolResult","toolCallId":"c1","toolName":"other","content":[{"type":"text","text":"body"}]}}'
	entry t2 '{"message":{"role":"toolResult","toolCallId":"c2","toolName":"notes_write_file","content":[]}}'
	compacted k1 ''
	entry b1 '{"message":{"role":"bashExecution","command":"ls","output":"a\nb"}}'
	entry m1 '{"type":"custom_message","customType":"ctxtools:reminder","content":"x"}'
	entry m2 '{"type":"custom_message","customType":"else","content":"y"}'
	entry z1 '{"type":"branch_summary","summary":"went back"}'
	entry e1 '{"type":"custom","customType":"state","data":{}}'
}

@test "4.2: what is an item, its role and its content" {
	sample
	call history-list-items '{}'
	cat >want <<-'END'
		w1 | user | 5 chars
		do it [id: u1]

		w1 | assistant | tool functions.read | 78 chars
		Reading.
		[tool_call read] {"path":"a","n":1.5}
		[tool_call notes_write_file] {} [id: a1]

		w1 | tool | tool functions.read | 4 chars
		body [id: t1]

		w1 | tool | tool notes.notes_write_file | 19 chars
		[empty tool result] [id: t2]

		w2 | system | 0 chars
		 [id: k1]

		w2 | tool | tool functions.bash | 37 chars
		[tool_call bash] {"command":"ls"}
		a
		b [id: b1]

		w2 | developer | 1 chars
		x [id: m1]

		w2 | user | 1 chars
		y [id: m2]

		w2 | system | 9 chars
		went back [id: z1]
	END

	diff -u want text
}

@test "4.4: filters apply before order and limit" {
	sample
	[ "$(items '{"limit":2}')" = 'u1 a1' ]
	gives .has_more true
	[ "$(tail -n 1 text)" = '[more items match; raise limit or narrow the filters]' ]
	[ "$(items '{"limit":2,"recent_first":true}')" = 'z1 m2' ]
	[ "$(items '{"recent_first":true}' .role | tr ' ' '\n' | tac | tr '\n' ' ')" = "$(items '{}' .role) " ]
	[ "$(items '{"role":"tool"}')" = 't1 t2 b1' ]
	[ "$(items '{"role":"tool","limit":1,"recent_first":true}')" = b1 ]
	[ "$(items '{"role":"system"}')" = 'k1 z1' ]
	[ "$(items '{"role":null,"window_id":"w2","limit":2}')" = 'k1 b1' ]
	[ "$(items '{"window_id":"w3"}')" = '' ]
	[ "$(<text)" = 'No matching history items.' ]
	[ "$(items '{"window_id":"2"}')" = '' ]
}

@test "4.4: an unknown window lists nothing, and is no error" {
	sample
	for window in w9 w01 W1 1 'w 1'; do
		[ -z "$(items "{\"window_id\":\"$window\"}")" ]
		does history-search-contents "{\"query\":\"do\",\"window_id\":\"$window\"}"
		gives '[.items,.has_more]' '[[],false]'
	done
}

@test "4.3: tools by name, short name and namespace; one call meets both" {
	sample
	[ "$(items '{"tool_name":"read"}')" = 'a1 t1' ]
	[ "$(items '{"tool_name":"other"}')" = '' ]
	[ "$(items '{"tool_name":"write_file"}')" = 'a1 t2' ]
	gives '[.items[].tool_name]' '["notes_write_file","notes_write_file"]'
	[ "$(items '{"tool_name":"notes_write_file"}')" = 'a1 t2' ]
	[ "$(items '{"tool_namespace":"notes"}')" = 'a1 t2' ]
	[ "$(items '{"tool_namespace":"functions"}')" = 'a1 t1 b1' ]
	[ "$(items '{"tool_namespace":"notes","tool_name":"read"}')" = '' ]
	[ "$(items '{"tool_namespace":"functions","role":"assistant"}' .tool_name)" = read ]
	[ "$(items '{"role":"user"}' '.tool_name // "none"')" = 'none none' ]
}

@test "4.3: a call in what the user says makes no tool item" {
	entry u1 '{"message":{"role":"user","content":[{"type":"text","text":"see"},{"type":"toolCall","id":"c1","name":"read","arguments":{}}]}}'
	does history-list-items '{}'
	gives '[.items[] | [.role,.tool_name,.truncated_content]]' '[["user",null,"see\n[tool_call read] {}"]]'
	[ -z "$(items '{"tool_name":"read"}')" ]
}

@test "4.3: a recorded namespace, an unknown tool, and long names" {
	local long
	long=$(printf 'é%.0s' {1..129})
	entry a1 "{\"message\":{\"role\":\"assistant\",\"content\":[{\"type\":\"toolCall\",\"id\":\"c\",\"name\":\"$long\",\"namespace\":\"mcp\"}]}}"
	entry t1 '{"message":{"role":"toolResult","toolCallId":"x","content":"r"}}'
	does history-list-items '{}'
	gives '[.items[].tool_namespace]' '["mcp","functions"]'
	gives '.items[0].tool_name' "\"$(printf 'é%.0s' {1..128})…\""
	gives '.items[1].tool_name' '"unknown"'
	gives '.items[0].truncated_content | endswith("] {}")' true
}

@test "4.4: previews are a plain prefix" {
	say u1 user "$(printf 'é%.0s' {1..500})"
	does history-list-items '{}'
	gives '[.items[0].content_chars, (.items[0].truncated_content | length)]' '[500,400]'
	head -n 1 text | grep -q '500 chars, first 400 shown$'
	does history-list-items '{"max_chars_per_item":3}'
	gives '.items[0].truncated_content' '"ééé"'
	say u2 user "$(printf 'x%.0s' {1..5000})"
	does history-list-items '{"max_chars_per_item":90000,"window_id":"w1","recent_first":true,"limit":1}'
	gives '.items[0].truncated_content | length' 4000
	mkdir -p "$HOME/.config/ctxtools"
	echo 'context: {historyItemPreviewChars: 7}' >"$HOME/.config/ctxtools/config.yaml"
	does history-list-items '{"limit":1}'
	gives '.items[0].truncated_content | length' 7
}

@test "1.3: items are dropped from the end to fit; the first is cut" {
	local i
	for i in {1..10}; do
		say "u$i" user "$(printf '\001%.0s' {1..1000})"
	done
	does history-list-items '{"limit":200,"max_chars_per_item":4000}'
	gives '[.has_more, (.items | length >= 1)]' '[true,true]'
	[ "$(wc -c <json)" -le 32769 ] && [ "$(wc -m <text)" -le 12001 ]
	begin
	say u1 user "$(printf '\001%.0s' {1..4000})"
	does history-list-items '{"max_chars_per_item":4000}'
	gives '[.items[0].content_chars, (.items[0].truncated_content | length < 4000), .has_more]' '[4000,true,false]'
	[ "$(wc -m <text)" -le 12001 ]
}

@test "4.2: ids that are none are line numbers, and every line counts" {
	printf '\n' >>session.jsonl
	entry 'has blank' '{"message":{"role":"user","content":"a"}}'
	printf 'torn {\n' >>session.jsonl
	say u2 user b
	[ "$(items '{}')" = 'line-3 u2' ]
	printf '%s\n' '{"type":"session","id":"s1"}' \
		'{"type":"message","message":{"role":"user","content":"a"}}' '' \
		'{"type":"message","message":{"role":"user","content":"b"}}' >session.jsonl
	[ "$(items '{}')" = 'line-2 line-4' ]
}

@test "4.2: Claude Code" {
	export CTX_SESSION=claude:s1
	cat >session.jsonl <<-'END'
		{"type":"user","uuid":"u1","parentUuid":null,"timestamp":"2026-01-01T00:00:00Z","message":{"role":"user","content":"hello"}}
		{"type":"assistant","uuid":"a1","parentUuid":"u1","message":{"id":"m1","role":"assistant","content":[{"type":"thinking","thinking":"x"}]}}
		{"type":"assistant","uuid":"a2","parentUuid":"a1","message":{"id":"m1","role":"assistant","content":[{"type":"tool_use","id":"t1","name":"Read","input":{"f":1}}]}}
		{"type":"user","uuid":"u2","parentUuid":"a2","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":[{"type":"text","text":"one"},{"type":"image"}]},{"type":"tool_result","tool_use_id":"t9","content":""},{"type":"text","text":"and"}]}}
		{"type":"user","uuid":"u3","parentUuid":"u2","isMeta":true,"message":{"role":"user","content":"caveat"}}
		{"type":"user","uuid":"u4","parentUuid":"u3","message":{"role":"user","content":"<command-name>/x</command-name>"}}
		{"type":"user","uuid":"u5","parentUuid":"u4","message":{"role":"user","content":"<context_window>\nhi"}}
		{"type":"user","uuid":"u6","parentUuid":"u5","isSidechain":true,"message":{"role":"user","content":"side"}}
		{"type":"user","uuid":"u7","parentUuid":"u5","message":{"role":"user","content":"<context_window_reminder source_context_window_id=\"w1\">"}}
		{"type":"user","uuid":"u8","parentUuid":"u7","message":{"role":"user","content":"last"}}
	END
	does history-list-items '{}'
	gives '[.items[] | [.item_id,.role,.tool_name,.created_at]]' \
		'[["u1","user",null,"2026-01-01T00:00:00Z"],["a2","assistant","Read",null],["u2","tool","Read",null],["u3","developer",null,null],["u4","developer",null,null],["u5","developer",null,null],["u7","developer",null,null],["u8","user",null,null]]'
	gives '.items[2].truncated_content' '"one\n[image omitted]\n[empty tool result]\nand"'
	gives '.items[1].truncated_content' '"[tool_call Read] {\"f\":1}"'
}

@test "4.2: Codex" {
	export CTX_SESSION=codex:s1
	cat >session.jsonl <<-'END'
		{"type":"session_meta","payload":{"id":"s1"}}
		{"type":"response_item","payload":{"type":"message","role":"developer","content":[{"type":"input_text","text":"rules"}]}}
		{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"<environment_context>x</environment_context>"}]}}
		{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"hi"},{"type":"input_image"}]}}
		{"type":"response_item","payload":{"type":"reasoning","summary":[]}}
		{"type":"response_item","payload":{"type":"function_call","call_id":"c1","name":"shell","arguments":"{\"a\": [1]}"}}
		{"type":"response_item","payload":{"type":"function_call_output","call_id":"c1","output":"done"}}
		{"type":"response_item","payload":{"type":"function_call","call_id":"c2","name":"odd","namespace":"mcp","arguments":"not json"}}
		{"type":"response_item","payload":{"type":"function_call_output","call_id":"c2","output":""}}
		{"type":"response_item","payload":{"type":"custom_tool_call","call_id":"c3","name":"apply_patch","input":"*** Begin"}}
		{"type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"ok"}]}}
		{"type":"compacted","payload":{"message":""}}
	END
	does history-list-items '{}'
	gives '[.items[] | [.item_id,.role,.tool_namespace,.tool_name,.truncated_content]] | .[0:4]' \
		'[["line-2","developer",null,null,"rules"],["line-3","developer",null,null,"<environment_context>x</environment_context>"],["line-4","user",null,null,"hi\n[image omitted]"],["line-6","assistant","functions","shell","[tool_call shell] {\"a\":[1]}"]]'
	gives '[.items[] | [.item_id,.role,.tool_namespace,.tool_name,.truncated_content]] | .[4:]' \
		'[["line-7","tool","functions","shell","done"],["line-8","assistant","mcp","odd","[tool_call odd] not json"],["line-9","tool","mcp","odd","[empty tool result]"],["line-10","assistant","functions","apply_patch","[tool_call apply_patch] *** Begin"],["line-11","assistant",null,null,"ok"],["line-12","system",null,null,""]]'
}

@test "1.2: bounds and words" {
	invalid limit history-list-items '{"limit":0}'
	invalid limit history-list-items '{"limit":null}'
	invalid limit history-list-items '{"limit":"5"}'
	invalid role history-list-items '{"role":"toolResult"}'
	invalid window_id history-list-items '{"window_id":""}'
	invalid tool_name history-list-items '{"tool_name":""}'
	invalid tool_namespace history-list-items '{"tool_namespace":""}'
	does history-list-items '{"limit":9007199254740991,"what":null}'
}
