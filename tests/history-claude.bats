#!/usr/bin/env bats
# history-list and history-read on sessions of Claude Code: spec/history.md.

load common
load history

setup() {
	common_setup
}

# claude_begin: a new transcript, the current session.
claude_begin() {
	export CTX_SESSION_FILE=$PWD/session.jsonl
	: >"$CTX_SESSION_FILE"
	AT=0
}

# record <uuid> <parent> <type> <members>: parent is a uuid or `null`, or
# `-` for none at all.
record() {
	local parent=
	[ "$2" = - ] || parent="\"parentUuid\":\"$2\","
	[ "$2" != null ] || parent='"parentUuid":null,'
	AT=$((AT + 1))
	printf '{%s"isSidechain":false,"userType":"external","cwd":"/srv","sessionId":"other","version":"2.0.1","gitBranch":"main","type":"%s",%s,"uuid":"%s","timestamp":"2026-03-05T09:00:%02d.000Z"}\n' \
		"$parent" "$3" "$4" "$1" $AT >>"$CTX_SESSION_FILE"
}

# says <uuid> <parent> <text> [<members>]: a message of the user; the text as
# JSON has it, without quotes.
says() {
	record "$1" "$2" user "\"message\":{\"role\":\"user\",\"content\":\"$3\"}${4:+,$4}"
}

# answers <uuid> <parent> <message id> <block>...
answers() {
	local uuid=$1 parent=$2 id=$3 IFS=,
	shift 3
	record "$uuid" "$parent" assistant \
		"\"message\":{\"id\":\"$id\",\"role\":\"assistant\",\"content\":[$*]},\"requestId\":\"req_1\""
}

# results <uuid> <parent> <block>...
results() {
	local uuid=$1 parent=$2 IFS=,
	shift 2
	record "$uuid" "$parent" user "\"message\":{\"role\":\"user\",\"content\":[$*]}"
}

text() {
	printf '{"type":"text","text":"%s"}' "$1"
}

# use <id> <name> [<input>]
use() {
	printf '{"type":"tool_use","id":"%s","name":"%s","input":%s}' \
		"$1" "$2" "${3:-{\}}"
}

# outcome <id> <text> [<members>]
outcome() {
	printf '{"tool_use_id":"%s","type":"tool_result","content":"%s"%s}' \
		"$1" "$2" "${3:+,$3}"
}

# events: all there are, one a line: seq, role or tool and status, document.
events() {
	history-list -j --roles user --roles assistant --roles tool \
		--roles context --limit 500 </dev/null |
		jq -r '.events[] | "\(.seq) \(if .tool then "\(.tool) \(.tool_status)" else .role end) \(.content | tojson)"'
}

# shows: the events must be the lines of stdin.
shows() {
	diff -u --label expected --label events - <(events)
}

@test "cases.md row 1: a row cut in the middle takes no seq and stops nothing" {
	claude_begin
	says u1 null one
	answers a1 u1 m1 "$(text two)"
	echo '{"type":"user","uuid":"u3","message":{"role":"us' >>"$CTX_SESSION_FILE"
	says u4 a1 four
	answers a2 u4 m2 "$(text five)"
	prints history-list -t <<'END'
seq 1 | user
one

seq 2 | assistant
two

seq 3 | user
four

seq 4 | assistant
five

1 malformed line skipped
END
	[ "$(history-list -j </dev/null | jq .lines_skipped)" = 1 ]
	history-read 4 </dev/null | grep -qxF '1 malformed line skipped'
}

@test "cases.md row 2: one answer over several records, results in one, out of order" {
	claude_begin
	answers a1 null m1 "$(text Looking.)"
	answers a2 a1 m1 "$(use t1 Read '{"n":1.0}')"
	answers a3 a2 m1 "$(use t2 Bash)"
	results u1 a3 "$(outcome t2 second)" "$(outcome t1 first)"
	shows <<'END'
1 assistant "Looking."
2 assistant ""
3 Read ok "Read {\"n\":1.0}\n--- output ---\nfirst"
4 assistant ""
5 Bash ok "Bash {}\n--- output ---\nsecond"
END
	rows "1"
	[ "$(history-list -j </dev/null | jq -c '.events[1] | [.first_seq, .last_seq, .count, .tools]')" = '[3,5,2,{"Read":1,"Bash":1}]' ]
	refuses not_an_event 'seq 6 is the result of the call at seq 5; read seq 5' history-read 6
	refuses not_an_event 'seq 7 is the result of the call at seq 3; read seq 3' history-read 7
}

@test "cases.md row 7: what was rewound away is gone; a title row is not a leaf" {
	claude_begin
	says u1 null 'the start'
	answers a1 u1 m1 "$(text 'the answer')"
	says u2 a1 'a wrong turn'
	answers a2 u2 m2 "$(text 'a wrong answer')"
	says u3 a1 'the right turn'
	answers a3 u3 m3 "$(text 'the right answer')"
	echo '{"type":"custom-title","customTitle":"wrong","sessionId":"s"}' >>"$CTX_SESSION_FILE"
	rows "1 2 5 6"
	rows "" --query wrong
	refuses not_on_branch 'seq 3 is on another branch and is not readable here' history-read 3
	refuses not_on_branch 'seq 4 is on another branch and is not readable here' history-read 4
	CTX_LEAF=a2 rows "1 2 3 4"
	CTX_LEAF=a1 rows "1 2"
	CTX_LEAF=u9 refuses invalid_session 'CTX_LEAF "u9" names no record of the session: give the id of one, or leave it unset for the last' history-list
}

@test "section 12: parallel calls that fork the chain are both on the branch" {
	claude_begin
	says u1 null go
	answers A u1 m1 "$(use t1 Read)"
	answers B A m1 "$(use t2 Bash)"
	results r1 A "$(outcome t1 one)"
	results r2 B "$(outcome t2 two)"
	answers C r2 m2 "$(text Done.)"
	shows <<'END'
1 user "go"
2 assistant ""
3 Read ok "Read {}\n--- output ---\none"
4 assistant ""
5 Bash ok "Bash {}\n--- output ---\ntwo"
8 assistant "Done."
END
}

# ---- the tables ------------------------------------------------------------

@test "section 3.2: which records take slots" {
	claude_begin
	echo '{"type":"summary","summary":"a title","leafUuid":"u1"}' >>"$CTX_SESSION_FILE"
	says u1 null hello
	record f1 u1 file-history-snapshot '"messageId":"u1"'
	record at1 f1 attachment '"attachment":{"type":"new_file"}'
	record s1 at1 system '"subtype":"turn_duration","content":"no"'
	echo '{"type":"queue-operation","operation":"enqueue","content":"no"}' >>"$CTX_SESSION_FILE"
	answers a1 s1 m1 '{"type":"thinking","thinking":"hm","signature":"x"}' "$(text hi)" "$(use t1 Bash)" '{"type":"server_tool_use","id":"t9","name":"no"}' "$(use t2 Read)"
	results r1 a1 "$(outcome t1 out)" "$(text 'and this')" "$(outcome t2 '')" '{"type":"image","source":{}}'
	results i1 r1 '{"type":"image","source":{}}'
	results d1 i1 '{"type":"document","source":{}}'
	results o1 d1 '{"type":"of tomorrow"}'
	record c1 o1 system '"subtype":"compact_boundary","content":"Conversation compacted"'
	record x1 c1 progress '"content":"no"'
	shows <<'END'
1 user "hello"
2 assistant "hi"
3 Bash ok "Bash {}\n--- output ---\nout"
4 Read ok "Read {}"
5 user "and this\n[image]"
8 user "[image]"
9 user "[document]"
10 context "Conversation compacted"
END
}

@test "section 3.2: sidechains take none and are not a leaf; agent work is not shown" {
	claude_begin
	says u1 null go
	answers a1 u1 m1 "$(use t1 Task)"
	printf '%s\n' \
		'{"type":"user","isSidechain":true,"uuid":"x1","parentUuid":null,"message":{"content":"the task"}}' \
		'{"type":"assistant","isSidechain":true,"uuid":"x2","parentUuid":"x1","message":{"id":"m1","content":[{"type":"tool_use","id":"t8","name":"Grep","input":{}}]}}' \
		'{"type":"user","isSidechain":true,"uuid":"x3","parentUuid":"x2","message":{"content":[{"type":"tool_result","tool_use_id":"t1","content":"not this"}]}}' \
		>>"$CTX_SESSION_FILE"
	shows <<'END'
1 user "go"
2 assistant ""
3 Task unfinished "Task {}"
END
	results r1 a1 "$(outcome t1 finished)"
	shows <<'END'
1 user "go"
2 assistant ""
3 Task ok "Task {}\n--- output ---\nfinished"
END
	rows "" --query 'the task' --query 'not this' --query Grep
}

@test "section 3.3: compact boundaries go on at the logical parent" {
	claude_begin
	says u1 null before
	answers a1 u1 m1 "$(text working)"
	says u2 a1 'rewound away'
	record c1 null system '"subtype":"compact_boundary","content":"Compacted","logicalParentUuid":"a1","compactMetadata":{"trigger":"auto"}'
	says s1 c1 'This session is being continued.' '"isCompactSummary":true,"isVisibleInTranscriptOnly":true'
	says u3 s1 after
	shows <<'END'
1 user "before"
2 assistant "working"
4 context "Compacted"
5 context "This session is being continued."
6 user "after"
END
	[ "$(history-list -j </dev/null | jq -c '.events[] | select(.folded) | [.first_seq, .last_seq, .count, .tools]')" = '[4,5,2,{}]' ]
	# One that is not in the file is as none: it goes on from the record before.
	sed -i 's/"logicalParentUuid":"a1"/"logicalParentUuid":"zz"/' "$CTX_SESSION_FILE"
	rows "1 2 3 6"
}

@test "section 3.3: a compaction that keeps a tail hides neither the tail nor itself" {
	claude_begin
	says u1 null one
	answers a1 u1 m1 "$(text 'of one')"
	says u2 a1 two
	answers a2 u2 m2 "$(text 'of two')"
	record c1 null system '"subtype":"compact_boundary","content":"Compacted","logicalParentUuid":"a1","compactMetadata":{"preservedSegment":{"headUuid":"u2","anchorUuid":"s1","tailUuid":"a2"}}'
	says s1 c1 'It was so.' '"isCompactSummary":true'
	says u3 a2 three
	shows <<'END'
1 user "one"
2 assistant "of one"
3 user "two"
4 assistant "of two"
5 context "Compacted"
6 context "It was so."
7 user "three"
END
	[ "$(context-boot -j | jq -c '[.windows[] | [.first_seq, .last_seq]]')" = '[[1,4],[5,7]]' ]
}

@test "section 3.3: summarised from here: what was is history, and what follows is, too" {
	claude_begin
	says u1 null one
	answers a1 u1 m1 "$(text 'of one')"
	says u2 a1 two
	answers a2 u2 m2 "$(text 'of two')"
	# The head of what is kept is in front; the summary hangs on its end.
	record c1 null system '"subtype":"compact_boundary","content":"Compacted","logicalParentUuid":"a1","compactMetadata":{"preservedSegment":{"headUuid":"u1","anchorUuid":"c1","tailUuid":"a1"}}'
	says s1 a1 'It was so.' '"isCompactSummary":true'
	says u3 s1 three
	shows <<'END'
1 user "one"
2 assistant "of one"
3 user "two"
4 assistant "of two"
5 context "Compacted"
6 context "It was so."
7 user "three"
END
}

@test "section 3.1: a branch made after a compaction has records twice; the first counts" {
	claude_begin
	record c1 null system '"subtype":"compact_boundary","content":"Compacted","logicalParentUuid":"gone","compactMetadata":{"preservedSegment":{"headUuid":"u1","anchorUuid":"s1","tailUuid":"a1"}}'
	says s1 c1 'It was so.' '"isCompactSummary":true'
	says u1 s1 one
	answers a1 u1 m1 "$(text 'of one')"
	record c2 a1 system '"subtype":"compact_boundary","content":"Compacted","logicalParentUuid":"a1","compactMetadata":{"preservedSegment":{"headUuid":"c1","anchorUuid":"c2","tailUuid":"a1"}}'
	record c1 c2 system '"subtype":"compact_boundary","content":"Compacted"'
	says s1 c1 'It was so.' '"isCompactSummary":true'
	says u1 s1 one
	answers a1 u1 m1 "$(text 'of one')"
	says s2 a1 'And so it was.' '"isCompactSummary":true'
	says u2 s2 two
	shows <<'END'
1 context "Compacted"
2 context "It was so."
3 user "one"
4 assistant "of one"
5 context "Compacted"
6 context "And so it was."
7 user "two"
END
	[ "$(history-list -j | jq .records_repeated)" = 4 ]
}

@test "section 3.3: a reply is not on another branch for an error that was tried again" {
	claude_begin
	says u1 null one
	record e1 u1 system '"subtype":"api_error","level":"error"'
	answers a1 u1 m1 "$(text 'the reply')"
	record h1 e1 system '"subtype":"stop_hook_summary"'
	says u2 h1 two
	rows "1 2 3"
	[ "$(history-read -t 2 | tail -n 1)" = 'the reply' ]
	# The same without the error.
	claude_begin
	says u1 null one
	answers a1 u1 m1 "$(text 'the reply')"
	record h1 u1 system '"subtype":"stop_hook_summary"'
	says u2 h1 two
	rows "1 2 3"
}

@test "section 3.4: words that were typed while it worked are the user's, once" {
	claude_begin
	says u1 null one
	answers a1 u1 m1 "$(use t1 Bash)"
	results r1 a1 "$(outcome t1 out)"
	record q1 r1 attachment '"attachment":{"type":"queued_command","prompt":"also check the cage","commandMode":"prompt","source_uuid":"k1"}'
	printf '%s\n' \
		'{"type":"queue-operation","operation":"remove","reason":"absorbed_mid_turn","content":"also check the cage","commandUuid":"k1","timestamp":"2026-03-05T09:00:30.000Z"}' \
		'{"type":"queue-operation","operation":"remove","reason":"absorbed_mid_turn","content":"and the door","timestamp":"2026-03-05T09:00:31.000Z"}' \
		'{"type":"attachment","attachment":{"type":"queued_command","prompt":"in an older form"}}' >>"$CTX_SESSION_FILE"
	answers a2 q1 m2 "$(text Done.)"
	shows <<'END'
1 user "one"
2 assistant ""
3 Bash ok "Bash {}\n--- output ---\nout"
5 user "also check the cage"
7 user "and the door"
8 user "in an older form"
9 assistant "Done."
END
	rows "5" --query cage
	refuses unknown_seq 'seq 6 carries no readable event' history-read 6
}

@test "section 3.4: an interruption is not a user's word, a local command neither" {
	claude_begin
	says u1 null one
	says u2 u1 '[Request interrupted by user]'
	says u3 u2 '[Request interrupted by user for tool use]'
	says u4 u3 'I saw [Request interrupted by user]'
	record l1 u4 system '"subtype":"local_command","content":"<command-name>/cost</command-name>"'
	rows "1 4"
	[ "$(history-list -j --roles context </dev/null | jq -c '[.events[].seq]')" = '[2,3,5]' ]
}

@test "sections 2.2, 3.2: a sub-agent's own file is read like any other" {
	mkdir -p "$HOME/.claude/projects/p/abc/subagents"
	CTX_SESSION_FILE=$HOME/.claude/projects/p/abc/subagents/agent-7.jsonl
	printf '%s\n' \
		'{"type":"user","isSidechain":true,"uuid":"x1","parentUuid":null,"message":{"content":"the task"}}' \
		'{"type":"assistant","isSidechain":true,"uuid":"x2","parentUuid":"x1","message":{"id":"m1","content":[{"type":"text","text":"its answer"}]}}' >"$CTX_SESSION_FILE"
	unset CTX_SESSION_FILE
	[ "$(history-list -j --session claude:agent-7 | jq -c '[.events[].content]')" = '["the task","its answer"]' ]
	[ "$(CTX_SESSION=claude:agent-7 CTX_LEAF=x1 history-list -j | jq -c '[.events[].content]')" = '["the task"]' ]
	[ "$(history-list -j --session '*' --agents --query answer | jq -c '[.events[].session]')" = '["claude:agent-7"]' ]
	[ "$(CTX_SESSION_FILE=$HOME/.claude/projects/p/abc/subagents/agent-7.jsonl history-list -j </dev/null | jq -c '[.events[].content]')" = '["the task","its answer"]' ]
}

@test "section 3.3: a parent that is missing, or that the file lacks" {
	claude_begin
	says u1 null one
	says u2 - two
	says u3 gone three
	record x1 null attachment '"attachment":{}'
	says u4 u3 four
	rows "1 2 3 4"
	# null ends the branch all the same.
	says u5 null five
	rows "5"
	says u6 u6 'its own parent'
	rows "6"
}

@test "section 3.4: what is context among the messages of the user" {
	local name
	claude_begin
	says u0 null plain
	says u1 u0 meta '"isMeta":true'
	says u2 u1 summary '"isCompactSummary":true'
	says u3 u2 '<context_window>\nAgent name: x'
	says u4 u3 '<command-name>/clear</command-name>\n            <command-message>clear</command-message>\n            <command-args></command-args>'
	results u5 u4 "$(text '<system-reminder>\nnow\n</system-reminder>')" "$(text '<task-notification>x</task-notification>')"
	says u6 u5 '<bash-input>ls</bash-input> is what I ran'
	says u7 u6 ' <context_window>'
	says u8 u7 '<command-name>/x</command-name'
	says u9 u8 '<script>x</script>'
	rows "1 7 8 9 10"
	rows "2 3 4 5 6" --roles context
	parent=u9 n=0
	for name in command-name command-message command-args local-command-stdout \
		local-command-stderr local-command-caveat bash-input bash-stdout \
		bash-stderr system-reminder task-notification; do
		n=$((n + 1))
		says "v$n" "$parent" "<$name>x</$name>"
		parent=v$n
	done
	rows "11 12 13 14 15 16 17 18 19 20 21" --roles context --after-seq 10
}

@test "section 3.4: truncated output, and where it is kept" {
	local full=$PWD/full.txt
	claude_begin
	echo all >full.txt
	# spill <uuid> <parent> <path> <block>...
	spill() {
		local uuid=$1 parent=$2 path=$3 IFS=,
		shift 3
		record "$uuid" "$parent" user "\"message\":{\"role\":\"user\",\"content\":[$*]},\"toolUseResult\":{\"stdout\":\"part\",\"persistedOutputPath\":$path}"
	}
	answers a1 null m1 "$(use t1 Bash)" "$(use t2 Bash)" "$(use t3 Bash)" "$(use t4 Bash)" "$(use t5 Bash)"
	spill r1 a1 "\"$full\"" "$(outcome t1 part '"is_error":true')"
	spill r2 r1 '"/nowhere/full.txt"' "$(outcome t2 part)"
	spill r3 r2 "\"$full\"" "$(outcome t3 part)" "$(outcome t4 part)"
	spill r4 r3 '""' "$(outcome t5 part)"
	history-list -j --roles tool </dev/null | jq -c --arg p "$full" \
		'.events[] | [.seq, .tool_status, .output_truncated, .full_output_path == $p]' >got
	diff -u - got <<'END'
[2,"error",true,true]
[3,"ok",true,false]
[4,"ok",null,false]
[5,"ok",null,false]
[6,"ok",null,false]
END
	prints history-read 2 <<END
seq 2 | tool
tool Bash | status error | output truncated, full text at $full
neighborhood → history_list({"after_seq":0,"before_seq":12})

Bash {}
--- output ---
part
END
	prints history-read -j 3 <<'END'
{"seq":3,"role":"tool","created_at":"2026-03-05T09:00:01.000Z","tool":"Bash","tool_status":"ok","output_truncated":true,"text":"Bash {}\n--- output ---\npart","total_chars":27,"next_offset_chars":null}
END
}

@test "sections 4 and 12: arguments as they are recorded, results of both forms" {
	claude_begin
	answers a1 null m1 "$(use t1 f '{ "b" : 1.0, "a":[-0,1E5] , "b":"\u0041\/\u000A" }')" \
		"$(use t2 g null)" "$(use t3 h '"x"')" \
		'{"type":"tool_use","id":"t4","name":"","caller":{}}'
	results r1 a1 '{"type":"tool_result","tool_use_id":"t1","content":[{"type":"text","text":"one"},{"type":"image"},{"type":"text","text":"two"}]}' \
		'{"type":"tool_result","tool_use_id":"t2","content":[]}' \
		'{"type":"tool_result","tool_use_id":"nobody","content":"lost"}'
	shows <<'END'
1 assistant ""
2 f ok "f {\"b\":1.0,\"a\":[-0,1E5],\"b\":\"A/\\n\"}\n--- output ---\none\n[image]\ntwo"
3 g ok "g null"
4 h unfinished "h \"x\""
5 unknown unfinished "unknown (arguments not recorded)"
8 unknown ok "unknown (arguments not recorded)\n--- output ---\nlost"
END
}

@test "section 3.5: a result before its call, and a second one, stand alone" {
	claude_begin
	results r0 null "$(outcome t1 early)"
	answers a1 r0 m1 "$(use t1 f)" "$(use t2 g)" "$(use '' h)"
	results r1 a1 "$(outcome t2 first)"
	results r2 r1 "$(outcome t2 second)" "$(outcome '' nameless)"
	shows <<'END'
1 unknown ok "unknown (arguments not recorded)\n--- output ---\nearly"
2 assistant ""
3 f unfinished "f {}"
4 g ok "g {}\n--- output ---\nfirst"
5 h unfinished "h {}"
7 unknown ok "unknown (arguments not recorded)\n--- output ---\nsecond"
8 unknown ok "unknown (arguments not recorded)\n--- output ---\nnameless"
END
}

@test "section 9: wrong types, duplicates and hostile lines" {
	claude_begin
	says u1 null one
	says u1 null 'a repeat'
	printf '%s\n' \
		'{"type":"user","uuid":"w1","parentUuid":"u1","message":{"content":17}}' \
		'{"type":"assistant","uuid":"w2","parentUuid":"w1","message":null}' \
		'{"type":"assistant","uuid":"w3","parentUuid":"w2","message":{"content":{"content":"no"}}}' \
		'{"type":"system","subtype":"compact_boundary","uuid":"w4","parentUuid":"w3","content":["no"]}' \
		'[]' "$(printf '[%.0s' {1..2000})" >>"$CTX_SESSION_FILE"
	printf '{"type":"user","uuid":"bad","message":{"content":"\377"}}\n' >>"$CTX_SESSION_FILE"
	says u2 w4 'a\ud83d b'
	printf '{"type":"user","uuid":"torn","mess' >>"$CTX_SESSION_FILE"
	shows <<END
1 user "one"
2 assistant ""
3 assistant ""
4 context ""
5 user "a$(printf '\357\277\275') b"
END
	# A line that cannot be read and a record that comes again are two things.
	run -0 --separate-stderr history-list -t </dev/null
	assert_output --partial $'\n4 malformed lines skipped\n1 repeated record skipped'
	[ "$(history-list -j </dev/null | jq -c '[.lines_skipped, .records_repeated]')" = '[4,1]' ]
	[ "$(history-read -j 1 | jq -c '[.lines_skipped, .records_repeated]')" = '[4,1]' ]
}

@test "cases.md row 8: a result of 12 MiB hides nothing and pages to its end" {
	claude_begin
	says u1 null small
	answers a1 u1 m1 "$(use t1 f)"
	{
		printf '{"type":"user","uuid":"big","parentUuid":"a1","message":{"content":[{"type":"tool_result","tool_use_id":"t1","content":"'
		head -c 12582912 /dev/zero | tr '\0' y
		printf '"}]}}\n'
	} >>"$CTX_SESSION_FILE"
	says u2 big 'a kestrel'
	rows "5" kestrel
	limit=65536
	# A sanitizer alone needs more than any limit.
	(ulimit -v $limit && history-list --version) >/dev/null 2>&1 || limit=unlimited
	[ "$(ulimit -v $limit && history-list -j --roles tool </dev/null | jq .events[0].total_chars)" = 12582932 ]
	[ "$(history-read -j 3 --offset-chars -3 </dev/null | jq -c '[.text, .next_offset_chars]')" = '["yyy",null]' ]
}

@test "trap 17: no question about one of many results walks the whole record" {
	claude_begin
	{
		printf '{"type":"assistant","uuid":"a","message":{"content":["x"'
		seq 0 29999 | sed 's/.*/,{"type":"tool_use","id":"c&","name":"f","input":{"n":&}}/' | tr -d '\n'
		printf ']}}\n{"type":"user","uuid":"r","parentUuid":"a","message":{"content":["x"'
		seq 0 29999 | sed 's/.*/,{"type":"tool_result","tool_use_id":"c&","content":"out &."}/' | tr -d '\n'
		printf ']}}\n'
	} >>"$CTX_SESSION_FILE"
	rows 30001 --query 'out 29999.'
	rows "" --query nowhere
}

# ---- sessions --------------------------------------------------------------

# claude_file <root> <project> <id> [<time>]: a session with one message.
claude_file() {
	mkdir -p "$1/$2"
	printf '{"type":"user","uuid":"u","sessionId":"inside","timestamp":"%s","message":{"content":"%s"}}\n' \
		"${4:-2026-03-05T09:00:00Z}" "$3" >"$1/$2/$3.jsonl"
}

@test "section 2.2: where Claude Code's sessions are" {
	local one=$HOME/.claude/projects two=$HOME/.config/claude/projects
	claude_file "$one" -srv-shop one1
	claude_file "$two" -srv-shop two2
	claude_file "$one" -srv-shop/deeper deep3
	claude_file "$one" -srv-shop agent-4
	claude_file "$one" -srv-shop xagent-5
	claude_file "$one" . root6
	claude_file "$one" -srv-shop 'bad name'
	cp "$one/-srv-shop/one1.jsonl" "$one/-srv-shop/other7.json"
	ln -s one1.jsonl "$one/-srv-shop/link8.jsonl"
	ln -s -- -srv-shop "$one/linked"
	for id in one1 two2 xagent-5 claude:one1; do
		rows 1 --session "$id"
	done
	# A sub-agent's by its full id, byte for byte, alone.
	rows 1 --session claude:agent-4
	for id in deep3 Agent-4 agent root6 other7 link8; do
		run -1 history-list -j --session "claude:$id"
		[ "$(jq -r .code <<<"$output")" = unknown_session ]
	done
	# Trap 18: the id is the file's name, not what stands inside.
	run -1 history-list -j --session inside
	[ "$(history-list -j --session one1 </dev/null | jq -r .events[0].session)" = claude:one1 ]
	# The variable stands for both.
	claude_file own/projects p var9
	CLAUDE_CONFIG_DIR=own rows 1 --session var9
	CLAUDE_CONFIG_DIR=own run -1 history-list --session one1
	ln -s own/projects/p root
	mkdir linked && ln -s ../own/projects linked/projects
	CLAUDE_CONFIG_DIR=linked rows 1 --session var9
	CLAUDE_CONFIG_DIR=nowhere run -1 history-list --session one1
}

@test "section 2.2: of two with one id the one modified last stands, then the greater path" {
	local one=$HOME/.claude/projects two=$HOME/.config/claude/projects
	claude_file "$one" z same1
	claude_file "$two" a same1
	sed -i 's/"same1"}/"second"}/' "$two/a/same1.jsonl"
	content() { history-list -j --session same1 </dev/null | jq -r .events[0].content; }
	touch -d 2026-01-02 "$one/z/same1.jsonl"
	touch -d 2026-01-01 "$two/a/same1.jsonl"
	[ "$(content)" = same1 ]
	touch -d 2026-01-03 "$two/a/same1.jsonl"
	[ "$(content)" = second ]
	touch -d 2026-01-03 "$one/z/same1.jsonl"
	[ "$(content)" = second ]
}

@test "section 2.1: an id that two hosts have is ambiguous; a host decides" {
	claude_file "$HOME/.claude/projects" p "$EXAMPLE" 2026-03-05T09:00:09Z
	example_session
	refuses ambiguous_session "\"$EXAMPLE\" matches 2 sessions: claude:$EXAMPLE, pi:$EXAMPLE" \
		history-list --session "$EXAMPLE"
	rows 1 --session "claude:$EXAMPLE"
	rows "1 2 6" --session pi:4f2a
	CTX_SESSION=claude:4f2a rows 1
}

@test "cases.md row 10: a title row without a time does not make a session recent" {
	local root=$HOME/.claude/projects
	claude_file "$root" p same-a 2026-03-05T10:00:00Z
	claude_file "$root" p same-b 2026-03-05T11:00:00Z
	echo '{"type":"custom-title","customTitle":"x","sessionId":"same-a"}' >>"$root/p/same-a.jsonl"
	touch -d '2026-03-05 11:00' "$root/p/same-b.jsonl"
	refuses ambiguous_session '"same" matches 2 sessions: claude:same-b, claude:same-a' \
		history-list --session same
}

@test "section 2.3: what is recognised, and what is not" {
	claude_begin
	echo '{"type":"summary","summary":"only a title"}' >>"$CTX_SESSION_FILE"
	prints history-list -t <<<'no events match this selection'
	[ "$(CTX_SESSION=claude:x history-list -j </dev/null)" = '{"events":[],"page_older":null,"page_newer":null}' ]
	# Its identity is the file's name.
	says u1 null hello
	[ "$(history-list -j --session session </dev/null | jq -r .events[0].session)" = claude:session ]
	CTX_LEAF=u1 rows 1 --session claude:session
	CTX_SESSION=pi:x refuses unreadable_session 'pi:x cannot be read: not a pi transcript' history-list
	session_begin pi.jsonl
	CTX_SESSION=claude:x refuses unreadable_session 'claude:x cannot be read: not a claude transcript' history-list
	echo '{"type":"session_meta","payload":{"id":"c"}}' >codex.jsonl
	CTX_SESSION_FILE=codex.jsonl CTX_SESSION=claude:x refuses unreadable_session \
		'claude:x cannot be read: not a claude transcript' history-list
	echo '{"type":7}' >none.jsonl
	CTX_SESSION_FILE=none.jsonl CTX_SESSION=claude:x refuses unreadable_session \
		'claude:x cannot be read: not a claude transcript' history-list
}

@test "section 5.4: all sessions of Claude Code, and only those" {
	local root=$HOME/.claude/projects
	claude_file "$root" p one1 2026-03-05T10:00:00Z
	claude_file "$root" q two2 2026-03-05T11:00:00Z
	claude_file "$root" q agent-3 2026-03-05T12:00:00Z
	echo '<html>' >"$root/q/html4.jsonl"
	# An answer over two records, its results side by side, and a sidechain.
	CTX_SESSION_FILE=$root/p/one1.jsonl AT=0
	answers a1 u m1 "$(use t1 Read)"
	answers a2 u m1 "$(use t2 Bash)"
	results r1 a1 "$(outcome t1 'a kestrel')"
	results r2 a2 "$(outcome t2 'a kestrel')"
	printf '{"type":"user","isSidechain":true,"uuid":"x","message":{"content":"kestrel"}}\n' >>"$CTX_SESSION_FILE"
	unset CTX_SESSION_FILE
	example_session
	found() {
		history-list -j "$@" </dev/null |
			jq -c '[.events[] | [.session, .seq, .tool]], .sessions_skipped'
	}
	diff -u - <(found --session 'claude:*') <<'END'
[["claude:two2",1,null],["claude:one1",1,null]]
1
END
	diff -u - <(found --session 'claude:*' --query kestrel) <<'END'
[["claude:one1",5,"Bash"],["claude:one1",3,"Read"]]
1
END
	CTX_NO_PREFILTER=1 found --session 'claude:*' --query KESTREL >slow
	found --session '*' --query KESTREL | diff -u slow -
	[ "$(found --session 'pi:*' --query kestrel)" = $'[]\nnull' ]
}
