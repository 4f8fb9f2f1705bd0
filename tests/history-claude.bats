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

@test "cases.md row 7: what was rewound away is gone; a title row is no leaf" {
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
