#!/usr/bin/env bats
# lessons-review: spec/lessons.md sections 6 and 6.1.

load common
load lessons

setup() {
	lessons_setup
	rc=0
	good lessons-add 'One.'
}

audit() {
	start_audit
	propose_audit '[{"id":1,"action":"archive","reason":"Stale."}]'
}

@test "which review: none, one, several, not submitted" {
	refused no_matching_review lessons-review --decision cancel
	start_audit
	refused no_matching_review lessons-review --decision cancel
	refused not_submitted lessons-review "$ID" --decision apply
	propose_audit '[{"id":1,"action":"archive","reason":"r"}]'
	first=$ID
	CTX_SESSION=pi:s2 start_audit
	CTX_SESSION=pi:s2 propose_audit '[{"id":1,"action":"archive","reason":"r"}]'
	refused ambiguous_review lessons-review --decision cancel
	grep -q "$first" out && grep -q "$ID" out
	good lessons-review "$first" --decision cancel
	good lessons-review --decision cancel
}

@test "decisions that do not fit leave it as it is" {
	audit
	refused bad_decision lessons-review --decision finish
	refused no_ui lessons-review --no-tty
	usage approve lessons-review --approve 0
	usage approve lessons-review --decision apply --approve 0
	usage edits lessons-review --decision cancel --edits '{"0":"x"}'
	usage approve lessons-review --decision finish --approve 1 --approve 1
	usage approve lessons-review --decision finish --approve 10000
	usage decision lessons-review --decision drop
	[ "$(lessons-status -j | jq -r .review.state)" = submitted ]
	good lessons-review --decision apply
}

@test "groups: out of range, not recommended, edits and their rules" {
	learn pi:s2 'A.'
	learn pi:s3 'A.'
	learn pi:s2 'B.'
	CTX_SESSION=pi:e start_evaluation
	CTX_SESSION=pi:e propose_groups "[$(group '[1]' project 'A.'),$(group '[2]' project 'B.' false)]"
	refused bad_decision lessons-review --decision apply
	refused bad_decision lessons-review --decision finish --approve 2
	refused bad_decision lessons-review --decision finish --edits '{"2":"x"}'
	refused not_eligible lessons-review --decision finish --approve 1
	grep -q 'group 1' out
	usage edits lessons-review --decision finish --edits '{"one":"x"}'
	usage edits lessons-review --decision finish --edits '{"0":" "}'
	usage edits.0 lessons-review --decision finish --edits '{"0":"a b c d e f g h i j k l m n o p q r s t u"}'
	good lessons-review --decision finish --approve 0 --edits '{"0":" A, reworded. ","1":"B, reworded."}'
	[ "$(sql 'SELECT text FROM lessons WHERE id = 2')" = 'A, reworded.' ]
	[ "$(sql 'SELECT text, approved FROM candidate_evaluation_groups ORDER BY 1')" = $'A, reworded.|1\nB, reworded.|0' ]
}

@test "a decision in a file" {
	audit
	refused unreadable lessons-review --decide nowhere.json
	mkfifo "$APP/fifo"
	refused unreadable lessons-review --decide fifo
	echo '{"decision":"apply","x":1}' >"$APP/d.json"
	usage 'decide: "x"' lessons-review --decide d.json
	echo '[]' >"$APP/d.json"
	usage decide lessons-review --decide d.json
	echo '{}' >"$APP/d.json"
	usage decide lessons-review --decide d.json
	echo '{"decision":"apply","approve":[0]}' >"$APP/d.json"
	usage approve lessons-review --decide d.json
	echo '{"decision":"apply"}' >"$APP/d.json"
	usage decide lessons-review --decide d.json --decision apply
	good lessons-review --decide d.json
	[ "$(sql 'SELECT archived FROM lessons')" = 1 ]
}

@test "show: the open reviews and their bodies, escaped, deciding nothing" {
	good lessons-review --show -j
	[ "$(<out)" = '{"reviews":[]}' ]
	good lessons-review --show -t
	[ "$(<out)" = 'no reviews' ]
	good lessons-add $'bidi \u202e and \u2066 tag\U000e0041 zero\u200b'
	start_audit
	propose_audit '[{"id":2,"action":"archive","reason":"it \u202e hides"}]'
	CTX_SESSION=pi:s2 start_audit
	good lessons-review --show -j
	jq -e --arg a "$APP" '.reviews | map([.kind, .state, .session, .project, .created_at, .items]) | sort
		== [["audit", "pending", "s2", $a, 1785571200000, 0], ["audit", "submitted", "s1", $a, 1785571200000, 1]]' out >/dev/null ||
		fail "$(<out)"
	good lessons-review --show -t
	grep -qF 'bidi \u202e and \u2066 tag\U000e0041 zero\u200b' out
	grep -qF 'reason: it \u202e hides' out
	good lessons-review "$ID" --show
	[ "$(lessons-review --show -j | jq '.reviews | length')" = 2 ]
}

@test "show is cut with the number of those left out" {
	local i
	good lessons-add "$(printf 'x%.0s' {1..1200})"
	for i in $(seq 30); do
		CTX_SESSION=pi:p$i start_audit
		CTX_SESSION=pi:p$i propose_audit "$(jq -nc '[{id:2,action:"archive",reason:("y" * 600)}]')"
	done
	good lessons-review --show
	[ "$(wc -c <out)" -le 32769 ]
	grep -qE '^\[[0-9]+ more reviews\]$' out
}

# typed <lines> <program>...: on a terminal of its own; what it shows is in
# screen, in the order in which it comes.  Each line is typed once the prompt
# stands there.
typed() {
	local typing=$1
	shift
	printf '%s\n' "$*" >command
	rc=0
	# Prompts end in a blank; the first line is typed ahead, and is lost.
	timeout 60 "$ROOT/tests/terminal.pl" "$typing" bash command >screen 2>&1 || rc=$?
}

@test "on a terminal: Enter cancels, another word repeats the prompt, apply applies" {
	need_terminal
	audit
	typed $'\n' lessons-review
	grep -q 'Apply all 1 changes? Type apply, or press Enter to cancel: ' screen
	grep -q 'nothing was changed' screen
	audit
	typed $'yes\nAPPLY\napply\n' lessons-review
	[ "$(grep -o 'Apply all 1 changes' screen | wc -l)" = 3 ] || fail "$(<screen)"
	grep -q 'audit applied: 1 change' screen
	grep -q 'cannot be made active again' screen && grep -q 'reason: Stale.' screen
}

@test "on a terminal: the end of the input is a cancellation" {
	need_terminal
	audit
	typed $'\x04' lessons-review
	grep -q 'nothing was changed' screen || fail "$(<screen)"
}

@test "on a terminal: what was typed ahead is not an answer" {
	need_terminal
	audit
	rc=0
	timeout 60 "$ROOT/tests/terminal.pl" --ahead $'apply\n' $'\n' bash -c 'sleep 0.5; lessons-review' >screen 2>&1 || rc=$?
	grep -q 'nothing was changed' screen || fail "$(<screen)"
	[ "$(sql 'SELECT archived FROM lessons')" = 0 ]
}

@test "on a terminal: an evaluation, group by group, hostile text escaped" {
	need_terminal
	learn pi:s2 'A.'
	learn pi:s3 'A.'
	learn pi:s2 $'B \u202e.'
	CTX_SESSION=pi:e start_evaluation
	CTX_SESSION=pi:e propose_groups "[$(group '[1]' project 'A.'),$(group '[2]' project $'B \u202e.')]"
	typed $'1\nyes\n2\nno\n3\n1\nedit\nA, edited.\n\nfinish\n' lessons-review
	grep -q 'Group 1-2, finish (0 promotions), or Enter to cancel: ' screen || fail "$(<screen)"
	grep -q 'Group 1-2, finish (1 promotions), or Enter to cancel: ' screen
	grep -q 'yes, no, edit, or Enter for back: ' screen
	grep -q 'no, edit, or Enter for back: ' screen
	grep -qF 'B \u202e.' screen && run ! grep -q $'\u202e' screen
	grep -q 'lesson #2 created' screen || fail "$(<screen)"
	[ "$(sql 'SELECT text FROM lessons WHERE id = 2')" = 'A, edited.' ]
}

@test "a dialog that is killed leaves it submitted" {
	start_audit
	jq -nc --arg id "$ID" '{auditId: $id, changes: [{id: 1, action: "archive", reason: "r"}]}' >proposal
	mkfifo answers
	memory-audit --ui-fd 8,9 8<>answers 9>asked <proposal >out 2>&1 &
	until [ -s asked ]; do sleep 0.05; done
	kill -9 $!
	wait $! || :
	[ "$(lessons-status -j | jq -r .review.state)" = submitted ]
	good lessons-review --decision apply
}

@test "an open dialog ends when the review is closed elsewhere" {
	start_audit
	jq -nc --arg id "$ID" '{auditId: $id, changes: [{id: 1, action: "archive", reason: "r"}]}' >proposal
	mkfifo answers
	memory-audit -j --ui-fd 8,9 8<>answers 9>asked <proposal >out 2>&1 &
	until [ -s asked ]; do sleep 0.05; done
	good lessons-audit cancel
	rc=0
	wait %1 || rc=$?
	[ $rc -eq 1 ]
}

@test "a decider that dies between closing and answering: unknown_outcome" {
	local side
	start_audit
	jq -nc --arg id "$ID" '{auditId: $id, changes: [{id: 1, action: "archive", reason: "r"}]}' >proposal
	memory-audit -j --no-tty --wait 20 <proposal >waiter 2>/dev/null &
	until [ "$(lessons-status -j | jq -r .review.state)" = submitted ]; do sleep 0.05; done
	side=$(lessons-status -j | jq -r .state_file)
	sqlite3 "$side" "PRAGMA busy_timeout = 5000; UPDATE staged SET state = 'closed', holder = '999999 1'" >/dev/null
	rc=0
	wait $! || rc=$?
	[ $rc -eq 1 ] && [ "$(jq -r .code waiter)" = unknown_outcome ] && grep -q lessons-history waiter
}

@test "a host that gives no options says in a variable how long to wait" {
	local bad
	start_audit
	jq -nc --arg id "$ID" '{auditId: $id, changes: [{id: 1, action: "archive", reason: "r"}]}' >proposal
	for bad in -1 1.5 86401 999999 x; do
		CTX_LESSONS_WAIT=$bad run_ memory-audit -j --no-tty <proposal
		[ "$rc" -eq 4 ] && [ ! -s out ] || fail "$bad: exit $rc"
		grep -qF "CTX_LESSONS_WAIT: \"$bad\" given; legal: 0 to 86400 seconds" err || fail "$(<err)"
	done
	# The option says it first; 0 is not to wait.
	CTX_LESSONS_WAIT=20 run_ memory-audit -j --no-tty --wait 0 <proposal
	[ "$rc" -eq 1 ] && [ "$(jq -r .code out)" = no_ui ]
	CTX_LESSONS_WAIT=20 setsid -w memory-audit -j <proposal >waiter 2>/dev/null &
	until [ "$(lessons-status -j | jq -r .review.state)" = submitted ]; do sleep 0.05; done
	good lessons-review --decision apply
	wait $!
	[ "$(jq -r .status waiter)" = applied ]
}

@test "a read-only store when it is applied: exit 4, closed, and it says so" {
	powerless
	audit
	chmod 400 "$DB"
	run_ "${AS[@]}" lessons-review --decision apply </dev/null
	chmod 600 "$DB"
	[ $rc -eq 4 ] && grep -q 'is closed and nothing of it was applied' err || fail "$rc $(<err)"
	refused no_matching_review lessons-review --decision apply
	[ "$(sql 'SELECT archived FROM lessons')" = 0 ]
}
