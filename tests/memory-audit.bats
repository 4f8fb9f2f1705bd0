#!/usr/bin/env bats
# memory-audit: spec/lessons.md sections 6 and 7.1.

load common
load lessons

setup() {
	lessons_setup
	rc=0
	good lessons-add 'One.'
	good lessons-add --global 'Two.'
	good lessons-add 'Three.'
}

submit() {
	json "$1" memory-audit "$(jq -nc --arg id "$ID" --argjson c "$2" '{auditId: $id, changes: $c}')" "${@:3}"
}

@test "apply: archive and move, with the rows that are recorded" {
	good lessons-add --supersedes 3 'Three, better.'
	start_audit
	propose_audit '[{"id":1,"action":"archive","reason":"Stale."},{"id":"#4","action":"move_global","reason":"True everywhere."}]'
	good lessons-review --decision apply -j
	[ "$(<out)" = "{\"status\":\"applied\",\"count\":2,\"changes\":[{\"id\":1,\"action\":\"archive\",\"from\":\"$APP\",\"scope\":\"$APP\"},{\"id\":4,\"action\":\"move_global\",\"from\":\"$APP\",\"scope\":\"global\",\"records\":2}]}" ]
	[ "$(sql 'SELECT id, scope, archived FROM lessons ORDER BY id')" = "1|$APP|1
2|global|0
3|global|1
4|global|0" ]
	[ "$(sql "SELECT lesson_id, actor, harness, session, reason, details FROM activity WHERE action IN ('archive', 'move') ORDER BY id")" = "1|user|pi|s1|Stale.|{\"before\":\"active\",\"after\":\"archived\"}
3|user|pi|s1|True everywhere.|{\"before\":\"$APP\",\"after\":\"global\"}
4|user|pi|s1|True everywhere.|{\"before\":\"$APP\",\"after\":\"global\"}" ]
	good lessons-check
	run sqlite3 "$DB" "UPDATE lessons SET scope = 'x'"
	[ "$status" -ne 0 ]
}

@test "texts: applied, cancelled, no changes" {
	start_audit
	propose_audit '[{"id":1,"action":"archive","reason":"r"},{"id":3,"action":"move_global","reason":"r"}]'
	good lessons-review --decision apply
	diff -u - out <<END
audit applied: 2 changes
#1 archived in $APP
#3 moved from $APP to global (1 record)
END
	start_audit
	propose_audit '[{"id":2,"action":"archive","reason":"r"}]'
	good lessons-review --decision cancel
	[ "$(<out)" = 'The user cancelled the audit; nothing was changed.' ]
	start_audit
	submit 0 '[]' --wait 1 --no-tty
	[ "$(<out)" = '{"status":"no changes"}' ]
	refused no_matching_review lessons-review --decision apply
}

@test "match: kind, id, session; the message says what was looked for" {
	start_audit
	CTX_SESSION=pi:s2 submit 1 '[]' --wait 1
	[ "$(jq -r .code out)" = no_matching_review ] && grep -q 'no matching pending audit' out
	local id=$ID
	ID=nothing submit 1 '[]' --wait 1
	[ "$(jq -r .code out)" = no_matching_review ]
	json 1 memory-evaluate "{\"evaluationId\":\"$id\",\"groups\":[]}" --wait 1
	grep -q 'no matching pending evaluation' out
	# Without a session one may submit to a review of any.
	CTX_SESSION='' submit 0 '[]' --wait 1 --no-tty
	submit 1 '[]' --wait 1
	grep -q lessons-audit out
}

@test "context: another project, configuration or epoch" {
	start_audit
	mkdir other
	CTX_CWD=$PWD/other submit 1 '[]' --wait 1
	[ "$(jq -r .code out)" = invalidated ] && grep -q project out
	submit 1 '[]' --wait 1
	[ "$(jq -r .code out)" = no_matching_review ]
	good lessons-session prompt
	start_audit
	printf 'lessons: {maxLessonWords: 19}\n' >config.yaml
	CTX_CONFIG=$PWD/config.yaml submit 1 '[]' --wait 1
	[ "$(jq -r .code out)" = invalidated ]
	start_audit
	propose_audit '[{"id":1,"action":"archive","reason":"r"}]'
	CTX_CONFIG=$PWD/config.yaml refused invalidated lessons-review --decision apply
	start_audit
	good lessons-session branch
	submit 1 '[]' --wait 1
	[ "$(jq -r .code out)" = no_matching_review ]
	[ "$(sql 'SELECT count(*) FROM lessons WHERE archived = 1')" = 0 ]
}

@test "ids outside of the audit, already global, no channel: it stays pending" {
	start_audit
	submit 1 '[{"id":9,"action":"archive","reason":"r"}]' --wait 1
	[ "$(jq -r .code out)" = not_in_review ] && grep -q '#9' out
	submit 1 '[{"id":2,"action":"move_global","reason":"r"}]' --wait 1
	[ "$(jq -r .code out)" = already_global ]
	submit 1 '[{"id":1,"action":"archive","reason":"r"}]' --no-tty
	[ "$(jq -r .code out)" = no_ui ] && grep -q -- --wait out && grep -q lessons-review out
	submit 1 '[]' --no-tty
	[ "$(jq -r .code out)" = no_ui ]
	[ "$(lessons-status -j | jq -r .review.state)" = pending ]
}

@test "a second submission is blocked, and names lessons-review" {
	start_audit
	propose_audit '[{"id":1,"action":"archive","reason":"r"}]'
	submit 3 '[]' --wait 1
	[ "$(jq -r .code out)" = review_pending ] && grep -q "lessons-review $ID" out
}

@test "stale: only what is a target counts, and a way there and back does" {
	start_audit
	propose_audit '[{"id":1,"action":"archive","reason":"r"}]'
	good lessons-archive 3
	good lessons-add 'Four.'
	good lessons-review --decision apply
	start_audit
	propose_audit '[{"id":4,"action":"archive","reason":"r"}]'
	good lessons-move 4 --to global
	good lessons-move 4 --to project
	refused stale lessons-review --decision apply
	refused no_matching_review lessons-review --decision apply
	[ "$(sql 'SELECT archived FROM lessons WHERE id = 4')" = 0 ]
}

@test "duplicate: two moves of one wording, and one that is there; all rolls back" {
	mkdir other
	CTX_CWD=$PWD/other good lessons-add 'One.'
	lessons-audit -t --all-projects >document
	ID=$(sed -n 's/.*auditId `\(.*\)`.*/\1/p' document)
	propose_audit '[{"id":3,"action":"archive","reason":"r"},{"id":1,"action":"move_global","reason":"r"},{"id":4,"action":"move_global","reason":"r"}]'
	refused duplicate lessons-review --decision apply
	grep -q '#4' out && grep -q '#1' out
	[ "$(sql "SELECT count(*) FROM activity WHERE action IN ('archive', 'move')")" = 0 ]
	good lessons-check
}

@test "--wait: the outcome is printed as its own, the refusal too" {
	start_audit
	jq -nc --arg id "$ID" '{auditId: $id, changes: [{id: 1, action: "archive", reason: "r"}]}' >proposal
	memory-audit -j --no-tty --wait 20 <proposal >waiter 2>waiter.err &
	until lessons-review --decision apply -j >decider 2>/dev/null; do sleep 0.05; done
	wait $!
	diff waiter decider
	grep -q "^memory-audit: review pending: decide with lessons-review $ID\$" waiter.err
	start_audit
	jq -nc --arg id "$ID" '{auditId: $id, changes: [{id: 3, action: "archive", reason: "r"}]}' >proposal
	memory-audit -j --no-tty --wait 20 <proposal >waiter 2>&1 &
	until [ "$(lessons-status -j | jq -r .review.state)" = submitted ]; do sleep 0.05; done
	good lessons-audit cancel
	rc=0
	wait $! || rc=$?
	[ $rc -eq 1 ] && grep -q no_matching_review waiter
}

@test "--wait over: exit 3, and it can still be decided" {
	start_audit
	propose_audit '[{"id":1,"action":"archive","reason":"r"}]'
	[ "$(jq -r .error out)" = "review pending: decide with lessons-review $ID" ]
	good lessons-review "$ID" --decision apply
}

@test "--ui-fd: the question, and what is an answer" {
	local answer
	for answer in '{"value":"apply"}\n' '{"value":"cancel"}\n' '{"cancelled":true}\n' '' 'x\n' \
		'{"value":"no such"}\n' '{"value":1}\n' '[]\n'; do
		start_audit
		jq -nc --arg id "$ID" '{auditId: $id, changes: [{id: 1, action: "archive", reason: "Stale."}]}' >proposal
		by_lines "$answer" memory-audit <proposal
		jq -e '.type == "select" and .title == "Review audit" and .default == "cancel"
			and [.options[].value] == ["cancel", "apply"]
			and (.body | contains("#1") and contains("Stale.") and contains("One."))' asked >/dev/null
		case $answer in
		*apply*)
			[ $rc -eq 0 ] && [ "$(jq -r .status out)" = applied ]
			good lessons-add 'One.'
			sqlite3 "$DB" 'SELECT max(id) FROM lessons' >n
			start_audit && good lessons-audit cancel
			break
			;;
		esac
	done
	# The rest all mean no.
	for answer in '{"value":"cancel"}\n' '{"cancelled":true}\n' '' 'x\n' '{"value":"no such"}\n' '{"value":1}\n' '[]\n'; do
		start_audit
		jq -nc --arg id "$ID" '{auditId: $id, changes: [{id: 2, action: "archive", reason: "r"}]}' >proposal
		by_lines "$answer" memory-audit <proposal
		[ $rc -eq 0 ] && [ "$(<out)" = '{"status":"cancelled","message":"The user cancelled the audit; nothing was changed."}' ] ||
			fail "$answer: $(<out)$(<err)"
	done
	[ "$(sql 'SELECT archived FROM lessons WHERE id = 2')" = 0 ]
}

@test "bad options and bad changes are exit 2" {
	local option
	for option in --ui-fd=1 --ui-fd=7000,7001 --ui-fd=x --wait=86401 --wait=-1; do
		json 2 memory-audit '{"auditId":"x","changes":[]}' "$option"
		grep -qE 'ui-fd|ui_fd|wait' err
	done
	start_audit
	local c
	for c in '[{"id":1,"action":"archive"}]' '[{"id":1,"action":"drop","reason":"r"}]' \
		'[{"id":true,"action":"archive","reason":"r"}]' '[{"id":1,"action":"archive","reason":" "}]' \
		'[{"id":1,"action":"archive","reason":"r","x":1}]' '{}' \
		'[{"id":1,"action":"archive","reason":"r"},{"id":"#1","action":"archive","reason":"r"}]'; do
		submit 2 "$c" --wait 1
	done
	json 2 memory-audit "$(jq -nc --arg id "$ID" '{auditId: $id, changes: [range(10001) | {id: (. + 1), action: "archive", reason: "r"}]}')"
	json 2 memory-audit '{"auditId":"","changes":[]}'
}
