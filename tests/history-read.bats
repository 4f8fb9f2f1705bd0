#!/usr/bin/env bats
# history-read on one session of Pi: spec/history.md section 6.

load common
load history

setup() {
	common_setup
}

@test "section 11: the end of a tool event, a window of it" {
	example_session
	export CTX_SESSION=pi:$EXAMPLE
	sed 's,<SP>, ,' >want <<'END'
{"seq":3,"role":"tool","created_at":"2026-03-05T09:00:04.000Z","tool":"read","tool_status":"ok","text":"retry ","total_chars":61,"next_offset_chars":57}
seq 3 | tool
tool read | status ok
neighborhood → history_list({"after_seq":0,"before_seq":13})

retry<SP>

[truncated; continue at offset_chars=57]
END
	echo '{"seq":3,"offset_chars":-10,"limit_chars":6}' | history-read | diff -u want -
	prints history-read 3 <<'END'
seq 3 | tool
tool read | status ok
neighborhood → history_list({"after_seq":0,"before_seq":13})

read {"path":"src/pay.c","max":1.0}
--- output ---
retry = 5;
END
}

@test "section 9: invalid arguments are exit 2 and name the field" {
	session_begin
	user a
	invalid seq history-read
	invalid seq history-read 0
	invalid seq history-read x
	invalid --limit-chars history-read 1 --limit-chars 50001
	invalid --limit-chars history-read 1 --limit-chars 0
	invalid --offset-chars history-read 1 --offset-chars -9007199254740992
	echo '{"seq":1,"window_id":"w"}' >window
	invalid window_id bash -c 'history-read <window'
}

@test "addresses: what is refused, in this order" {
	session_begin
	user a                              # 1
	assistant b "$(call c f)"           # 2 3
	result c x                          # 4
	user off                            # 5
	export ENTRY=3
	sed -i 's/"e4"/"gone"/' "$CTX_SESSION_FILE"
	user on                             # 6
	refuses unknown_seq "unknown seq 7: this session's seqs run 1..6" history-read 7
	refuses unknown_seq "unknown seq 9007199254740991: this session's seqs run 1..6" history-read 9007199254740991
	refuses not_on_branch 'seq 5 is on another branch and is not readable here' history-read 5
	refuses not_an_event 'seq 4 is the result of the call at seq 3; read seq 3' history-read 4
	refuses not_an_event 'seq 4 is the result of the call at seq 3; read seq 3' history-read 4 --offset-chars 999
	refuses invalid_offset 'offset_chars 2 is past the end: the event has 1 characters, and 1 is the largest legal offset' \
		history-read 1 --offset-chars 2
	session_begin empty.jsonl
	refuses unknown_seq 'unknown seq 1: this session has no seqs' history-read 1
}

@test "the neighborhood begins ten seqs before the event" {
	local n
	session_begin
	for n in {1..12}; do user "m$n"; done
	history-read 10 </dev/null | grep -qxF 'neighborhood → history_list({"after_seq":0,"before_seq":20})'
	history-read 12 </dev/null | grep -qxF 'neighborhood → history_list({"after_seq":2,"before_seq":22})'
	rows "3 4 5 6 7 8 9 10 11 12" --after-seq 2 --before-seq 22
}

@test "section 12: offsets from either end" {
	session_begin
	user 'h\u00e9llo'
	for offset in -9 -5 0; do
		[ "$(history-read -j 1 --offset-chars $offset </dev/null | jq -c '[.text, .total_chars, .next_offset_chars]')" = '["héllo",5,null]' ]
	done
	[ "$(history-read -j 1 --offset-chars -4 --limit-chars 2 </dev/null | jq -c '[.text, .next_offset_chars]')" = '["él",3]' ]
	prints history-read 1 --offset-chars 5 <<'END'
seq 1 | user
neighborhood → history_list({"after_seq":0,"before_seq":11})
END
	[ "$(history-read -j 1 --offset-chars 5 </dev/null | jq -c '[.text, .total_chars, .next_offset_chars]')" = '["",5,null]' ]
	run -1 history-read 1 --offset-chars 6
	run -1 history-read 1 --offset-chars 9007199254740991
}

@test "an empty document is a success" {
	session_begin
	user ''
	prints history-read 1 <<'END'
seq 1 | user
neighborhood → history_list({"after_seq":0,"before_seq":11})
END
	[ "$(history-read -j 1 </dev/null)" = '{"seq":1,"role":"user","created_at":"2026-03-05T09:00:01.000Z","text":"","total_chars":0,"next_offset_chars":null}' ]
}

@test "nested calls: counted on the result, told in the document" {
	session_begin
	assistant '' "$(call c f)" "$(call d g)"
	result c '' ',"nestedCalls":{"complete":true,"calls":[]}'
	result d out ',"isError":true,"nestedCalls":{"calls":[{"id":"n1","name":"grep","status":"ok","durationMs":12,"arguments":{"p":1.0}},{"argumentsBytes":99,"error":"late"}]}'
	prints history-read 2 -j <<'END'
{"seq":2,"role":"tool","created_at":"2026-03-05T09:00:01.000Z","tool":"f","tool_status":"ok","nested_calls":{"call_count":0,"complete":true},"text":"f {}\n--- nested calls (complete, 0 recorded) ---\n","total_chars":49,"next_offset_chars":null}
END
	prints history-read 3 <<'END'
seq 3 | tool
tool g | status error | nested calls 2 recorded, incomplete
neighborhood → history_list({"after_seq":0,"before_seq":13})

g {}
--- output ---
out
--- nested calls (incomplete, 2 recorded) ---
- n1 grep [ok] 12ms {"p":1.0}
- unknown unknown [unfinished] error: late (arguments omitted: 99 bytes)
END
	[ "$(history-read -j 3 </dev/null | jq -c .nested_calls)" = '{"call_count":2,"complete":false}' ]
	# A list does not repeat it.
	[ "$(history-list -j --roles tool </dev/null | jq -c '[.events[].nested_calls]')" = '[null,null]' ]
}

@test "truncated output names its full text while that exists" {
	session_begin
	echo full >spill.txt
	bash_entry "\"command\":\"ls\",\"output\":\"o\",\"exitCode\":1,\"truncated\":true,\"fullOutputPath\":\"$PWD/spill.txt\""
	prints history-read 1 <<END
seq 1 | tool
tool bash | status error | output truncated, full text at $PWD/spill.txt
neighborhood → history_list({"after_seq":0,"before_seq":11})

bash {"command":"ls"}
--- output ---
o
END
	[ "$(history-read -j 1 </dev/null | jq -r '.full_output_path')" = "$PWD/spill.txt" ]
	rm spill.txt
	[ "$(history-read -j 1 </dev/null | jq -c '[.output_truncated, .full_output_path]')" = '[true,null]' ]
}

@test "under a selector the session is named everywhere" {
	example_session
	history-read -t 3 --session pi:4f2a --limit-chars 4 </dev/null >got
	diff -u - got <<END
session pi:$EXAMPLE | seq 3 | tool
tool read | status ok
neighborhood → history_list({"after_seq":0,"before_seq":13,"session":"pi:$EXAMPLE"})

read

[truncated; continue at offset_chars=4]
END
	[ "$(history-read -j 3 --session 4f2a </dev/null | jq -r 'to_entries[0] | [.key, .value] | join(" ")')" = "session pi:$EXAMPLE" ]
	refuses wildcard_read 'session "*" means many sessions: one is needed to read from' history-read 3 --session '*'
	refuses wildcard_read 'session "pi:*" means many sessions: one is needed to read from' history-read 3 --session 'pi:*'
	# The selector's own faults come first.
	run -1 history-read -j 99 --session 'a b'
	[ "$(jq -r .code <<<"$output")" = invalid_session ]
}

@test "windows join to the document, both surfaces in bounds" {
	local offset=0
	session_begin
	user "$(printf "\\\\u0001é\\\\r\\\\n%.0s" {1..6000})"
	printf '\001é\r\n%.0s' {1..6000} >want
	: >got
	while [ "$offset" != null ]; do
		echo "{\"seq\":1,\"limit_chars\":50000,\"offset_chars\":$offset}" >input
		in_bounds history-read <input
		history-read -j <input >json
		jq -j .text json >>got
		offset=$(jq .next_offset_chars json)
	done
	cmp want got
}

@test "the whole range is tried before a prefix: the footer vanishes at the end" {
	local n
	session_begin
	CTX_TEXT_PREFIX=$(printf '<%.0s' {1..100})
	export CTX_TEXT_PREFIX
	n=$(printf 'seq 1 | user\nneighborhood → history_list({"after_seq":0,"before_seq":11})\n\n' | wc -c)
	n=$((32768 - 100 - n))
	user "$(printf 'x%.0s' $(seq 1 $n))"
	user "$(printf 'x%.0s' $(seq 0 $n))"
	[ "$(history-read -t 1 --limit-chars 50000 </dev/null | wc -c)" = 32769 ]
	[ "$(history-read -j 1 --limit-chars 50000 </dev/null | jq -c '[(.text | length), .next_offset_chars]')" = "[$n,null]" ]
	# One more does not fit, and then the footer must.
	n=$((n - $(printf '\n\n[truncated; continue at offset_chars=%d]' $n | wc -c)))
	[ "$(history-read -j 2 --limit-chars 50000 </dev/null | jq -c '[(.text | length), .next_offset_chars]')" = "[$n,$n]" ]
	[ "$(history-read -t 2 --limit-chars 50000 </dev/null | wc -c)" = 32769 ]
}

@test "section 9: a tool name that fills the budget is left out; nothing else helps" {
	session_begin
	assistant a "$(call c "$(printf 'n%.0s' {1..40000})")"
	history-read -j 2 --offset-chars 40001 </dev/null >got
	[ "$(jq -c '[.tool, .tool_name_omitted, .text]' got)" = '[null,true,"{}"]' ]
	history-read 2 --offset-chars -2 </dev/null >text
	sed -n 2p text | grep -qxF 'tool name omitted | status unfinished'
	# At the very end, too, where there is nothing to deliver.
	[ "$(history-read -j 2 --offset-chars 40003 </dev/null | jq -c '[.tool_name_omitted, .text]')" = '[true,""]' ]
}

@test "output_too_large, when what is known of the event fills the page" {
	local path=$PWD part id
	part=$(printf '\001%.0s' {1..240})
	id=$(printf 'i%.0s' {1..128})
	while [ ${#path} -lt 3840 ]; do path+=/$part; done
	mkdir -p "$path"
	path+=/${part:0:4094-${#path}}
	: >"$path"
	session_begin
	sed -i "s/own/$id/" "$CTX_SESSION_FILE"
	bash_entry "\"command\":\"ls\",\"truncated\":true,\"fullOutputPath\":\"${path//$'\001'/\\u0001}\""
	CTX_TEXT_PREFIX=$(printf '<%.0s' {1..8192})
	export CTX_TEXT_PREFIX
	history-read -j 1 </dev/null | jq -e '.text | length > 0' >/dev/null
	refuses output_too_large 'what is known about the event leaves no room for one character of it' \
		history-read 1 --session "$id"
}

@test "malformed lines are counted above the text" {
	session_begin
	echo broken >>"$CTX_SESSION_FILE"
	user a
	prints history-read 1 <<'END'
seq 1 | user
neighborhood → history_list({"after_seq":0,"before_seq":11})
1 malformed line skipped

a
END
	[ "$(history-read -j 1 </dev/null | jq -c '[.lines_skipped, keys_unsorted[-1]]')" = '[1,"lines_skipped"]' ]
}

@test "cases.md row 8: an event of 12 MiB pages to its end" {
	session_begin
	{
		printf '{"type":"message","id":"e1","parentId":null,"message":{"role":"user","content":"'
		head -c 12582900 /dev/zero | tr '\0' y
		printf ' the end"}}\n'
	} >>"$CTX_SESSION_FILE"
	[ "$(history-read -j 1 --offset-chars -7 </dev/null | jq -c '[.text, .total_chars, .next_offset_chars]')" = '["the end",12582908,null]' ]
	history-read -j 1 --offset-chars 12582800 </dev/null | jq -e '.text | endswith("y the end")' >/dev/null
}

@test "cases.md row 19: reading from a hit starts with what was found" {
	session_begin
	user 'İİ ẞ ﬁn error here'
	offset=$(history-list -j ERROR </dev/null | jq .events[0].offset_chars)
	[ "$(history-read -j 1 --offset-chars "$offset" </dev/null | jq -r .text)" = 'error here' ]
}

@test "a pair is read at its call, the leaf decides what can be read" {
	session_begin
	assistant a "$(call c f)"
	result c x
	user b
	[ "$(history-read -j 2 </dev/null | jq -r .text)" = $'f {}\n--- output ---\nx' ]
	# Before the result was there: the call is unfinished, the result elsewhere.
	[ "$(CTX_LEAF=e1 history-read -j 2 </dev/null | jq -c '[.tool_status, .text]')" = '["unfinished","f {}"]' ]
	CTX_LEAF=e1 refuses not_on_branch 'seq 3 is on another branch and is not readable here' history-read 3
	[ "$(history-read -j 2 --leaf e1 </dev/null | jq -r .tool_status)" = unfinished ]
}

@test "nothing is written, and only the transcript is read" {
	session_begin
	user a
	before=$(stat -c '%s %Y %Z %i' "$CTX_SESSION_FILE"; sha1sum "$CTX_SESSION_FILE"; ls -a)
	history-read 1 </dev/null >/dev/null
	[ "$before" = "$(stat -c '%s %Y %Z %i' "$CTX_SESSION_FILE"; sha1sum "$CTX_SESSION_FILE"; ls -a)" ]
	chmod 400 "$CTX_SESSION_FILE"
	history-read 1 </dev/null >/dev/null
}
