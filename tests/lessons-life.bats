#!/usr/bin/env bats
# The life of a review, event by event, and what it blocks: spec/lessons.md
# sections 5, 6 and 8.

load common
load lessons

setup() {
	lessons_setup
	rc=0
	good lessons-add 'One.'
	good lessons-add --global 'Two.'
	learn pi:s8 'A.'
	learn pi:s9 'A.'
	learn pi:s9 'B.'
	SIDE=$(lessons-status -j </dev/null | jq -r .state_file)
	ARCHIVE='[{"id":1,"action":"archive","reason":"Stale."}]'
	GROUPS_="[$(group '[1]' project 'A.'),$(group '[2]' project 'B.' false)]"
}

side() {
	sqlite3 -cmd '.timeout 5000' "$SIDE" "$1"
}

# Where it stands: of ID, and of session s1.
state() {
	side "SELECT state FROM staged WHERE id = '$ID'"
}
epoch() {
	side "SELECT coalesce(max(epoch), 0) FROM sessions WHERE id = 's1'"
}

# bring <idle, or kind-state>: session s1 is there, and ID is what it has.
bring() {
	ID=none
	lessons-audit cancel >/dev/null 2>&1 </dev/null || lessons-evaluate cancel >/dev/null 2>&1 </dev/null || :
	good lessons-session prompt
	case $1 in
	audit-*) start_audit ;;
	evaluation-*) start_evaluation ;;
	esac
	case $1 in
	audit-submitted) propose_audit "$ARCHIVE" ;;
	evaluation-submitted) propose_groups "$GROUPS_" ;;
	esac
	case $1 in
	idle) ;;
	*) [ "$(state)" = "${1#*-}" ] || fail "$1: $(state)" ;;
	esac
}

# cancels <kind>: the command that drops one.
cancels() {
	[ "$1" = audit ] && echo 'lessons-audit cancel' || echo 'lessons-evaluate cancel'
}

@test "an audit: idle starts it, a pending audit is replaced, all else is exit 3" {
	local before
	bring idle
	good lessons-audit -j
	[ "$(jq -r .audit_id out)" != null ]
	bring audit-pending
	before=$ID
	good lessons-audit -j
	[ "$(state)" = closed ]
	[ "$(side "SELECT state, id != '$before' FROM staged WHERE id = '$(jq -r .audit_id out)'")" = 'pending|1' ]
	for before in audit-submitted evaluation-pending evaluation-submitted; do
		bring $before
		json 3 lessons-audit '{}'
		jq -e --arg c "$(cancels ${before%-*})" '.code == "review_pending" and
			(.error | contains("review pending") and contains($c))' out >/dev/null || fail "$before: $(<out)"
		[ "$(state)" = "${before#*-}" ] || fail "$before: $(state)"
		[ "$(side "SELECT count(*) FROM staged WHERE state != 'closed'")" = 1 ]
	done
}

@test "an evaluation: with anything pending or submitted exit 3, and nothing is disclosed" {
	local before n
	for before in audit-pending audit-submitted evaluation-pending evaluation-submitted; do
		bring $before
		n=$(sql 'SELECT count(*) FROM candidate_exposures')
		json 3 lessons-evaluate '{}'
		jq -e --arg c "$(cancels ${before%-*})" '.code == "review_pending" and
			(.error | contains("review pending") and contains($c))' out >/dev/null || fail "$before: $(<out)"
		[ "$(state)" = "${before#*-}" ] || fail "$before: $(state)"
		[ "$(sql 'SELECT count(*) FROM candidate_exposures')" = "$n" ]
	done
}

@test "a submission that is refused before the dialog leaves it pending" {
	local status object
	bring audit-pending
	while IFS=$'\t' read -r status object; do
		json "$status" memory-audit "{\"auditId\":\"$ID\",\"changes\":$object}" --no-tty
		[ "$(state)" = pending ] || fail "$object: $(state)"
	done <<'END'
1	[{"id":77,"action":"archive","reason":"r"}]
1	[{"id":2,"action":"move_global","reason":"r"}]
2	[{"id":1,"action":"archive"}]
2	[{"id":1,"action":"drop","reason":"r"}]
1	[{"id":1,"action":"archive","reason":"r"}]
1	[]
END
	bring evaluation-pending
	while IFS=$'\t' read -r status object; do
		json "$status" memory-evaluate "{\"evaluationId\":\"$ID\",\"groups\":$object}" --no-tty
		[ "$(state)" = pending ] || fail "$object: $(state)"
	done <<END
1	[]
1	[$(group '[1]' project 'A.')]
1	[$(group '[1,2,3]' project 'A.')]
2	[$(group '[1,2]' everywhere 'A.')]
1	$GROUPS_
END
}

@test "a submission while one is submitted: exit 3, naming lessons-review and the id" {
	bring audit-submitted
	json 3 memory-audit "{\"auditId\":\"$ID\",\"changes\":$ARCHIVE}" --wait 1
	jq -e --arg c "lessons-review $ID" '.code == "review_pending" and (.error | contains("review pending") and contains($c))' out
	bring evaluation-submitted
	json 3 memory-evaluate "{\"evaluationId\":\"$ID\",\"groups\":$GROUPS_}" --wait 1
	jq -e --arg c "lessons-review $ID" '.code == "review_pending" and (.error | contains("review pending") and contains($c))' out
	[ "$(state)" = submitted ]
}

@test "an empty audit is closed without a question" {
	bring audit-pending
	echo "{\"auditId\":\"$ID\",\"changes\":[]}" >proposal
	by_lines '' memory-audit <proposal
	[ "$rc" -eq 0 ] && [ "$(<out)" = '{"status":"no changes"}' ] && [ ! -s asked ]
	[ "$(state)" = closed ]
	[ "$(memory-audit -t --wait 1 --no-tty <<<"$(start_audit && echo "{\"auditId\":\"$ID\",\"changes\":[]}")")" = 'no changes proposed; audit closed' ]
}

@test "apply, finish and cancel close it" {
	local decision
	for decision in 'audit-submitted cancel' 'audit-submitted apply' 'evaluation-submitted cancel' 'evaluation-submitted finish'; do
		bring "${decision% *}"
		good lessons-review --decision "${decision#* }"
		[ "$(state)" = closed ] || fail "$decision: $(state)"
		refused no_matching_review lessons-review "$ID" --decision cancel
	done
}

@test "bad_decision and not_eligible leave it submitted" {
	bring audit-submitted
	refused bad_decision lessons-review --decision finish
	[ "$(state)" = submitted ]
	bring evaluation-submitted
	refused bad_decision lessons-review --decision apply
	refused bad_decision lessons-review --decision finish --approve 2
	grep -q 2 out
	refused not_eligible lessons-review --decision finish --approve 1
	grep -q 'group 1' out
	[ "$(state)" = submitted ]
}

@test "stale and duplicate close it, and nothing is written" {
	bring audit-submitted
	good lessons-archive 1
	local before
	before=$(lessons-export --format jsonl </dev/null)
	refused stale lessons-review --decision apply
	grep -q lessons-audit out
	[ "$(state)" = closed ] && [ "$(lessons-export --format jsonl </dev/null)" = "$before" ]
	good lessons-add 'Two.'
	bring idle
	start_audit
	propose_audit '[{"id":3,"action":"move_global","reason":"r"}]'
	before=$(lessons-export --format jsonl </dev/null)
	refused duplicate lessons-review --decision apply
	grep -q '#3' out && grep -q '#2' out
	[ "$(state)" = closed ] && [ "$(lessons-export --format jsonl </dev/null)" = "$before" ]
	bring evaluation-submitted
	learn pi:s7 'A.'
	before=$(lessons-export --format jsonl </dev/null)
	refused stale lessons-review --decision finish
	grep -q lessons-evaluate out
	[ "$(state)" = closed ] && [ "$(lessons-export --format jsonl </dev/null)" = "$before" ]
}

@test "cancel closes it; an open dialog and a waiter end with no_matching_review" {
	local kind how pid
	for kind in audit evaluation; do
		for how in '--wait 20' '--ui-fd 8,9'; do
			bring $kind-pending
			if [ $kind = audit ]; then
				echo "{\"auditId\":\"$ID\",\"changes\":$ARCHIVE}" >proposal
			else
				echo "{\"evaluationId\":\"$ID\",\"groups\":$GROUPS_}" >proposal
			fi
			rm -f answers
			mkfifo answers
			# shellcheck disable=SC2086
			memory-${kind/evaluation/evaluate} -j --no-tty $how 8<>answers 9>asked <proposal >ended 2>/dev/null &
			pid=$!
			until [ "$(state)" = submitted ]; do sleep 0.05; done
			# shellcheck disable=SC2046
			good $(cancels $kind)
			run_ wait $pid
			[ "$rc" -eq 1 ] && [ "$(jq -r .code ended)" = no_matching_review ] || fail "$kind $how: $rc $(<ended)"
			[ "$(state)" = closed ]
		done
	done
}

@test "start, compact, branch and end: one epoch more, and closed; prompt and show: neither" {
	local action before n
	for before in audit-pending audit-submitted evaluation-pending evaluation-submitted; do
		for action in start compact branch end; do
			bring $before
			n=$(epoch)
			good lessons-session $action -j
			[ "$(jq -r '.epoch, .dropped' out)" = $((n + 1))$'\n'"$ID" ] || fail "$action: $(<out)"
			[ "$(state)" = closed ] && [ "$(epoch)" = $((n + 1)) ]
			[ "$(jq .barrier out)" = true ] || fail "$action cleared the barrier"
		done
		for action in prompt show; do
			bring $before
			n=$(epoch)
			good lessons-session $action -j
			jq -e --argjson n "$n" '.epoch == $n and .dropped == null and .barrier' out >/dev/null || fail "$action: $(<out)"
			[ "$(state)" = "${before#*-}" ]
		done
	done
}

@test "what the barrier outlives: finish, cancel, a new start; only a prompt with nothing pending ends it" {
	local how
	for how in 'lessons-review --decision apply' 'lessons-review --decision cancel' 'lessons-audit cancel' \
		'lessons-session start' 'lessons-session compact' 'lessons-session branch' 'lessons-session end'; do
		good lessons-session prompt
		good lessons-add "For: $how"
		start_audit
		propose_audit "[{\"id\":$(sql 'SELECT max(id) FROM lessons'),\"action\":\"archive\",\"reason\":\"r\"}]"
		# shellcheck disable=SC2086
		good $how
		json 3 memory '{"action":"archive","id":1}'
		jq -e '.code == "barrier" and (.error | contains("fresh prompt") and contains("lessons-session prompt"))' out >/dev/null ||
			fail "$how: $(<out)"
		json 3 memory '{"action":"add","text":"N.","evidence":"e","basis":"user_request"}'
	done
	good lessons-session prompt
	json 0 memory '{"action":"add","text":"N.","evidence":"e","basis":"user_request"}'
}

@test "whom a review blocks: memory in its session, while pending and while submitted, and nobody else" {
	local before action
	for before in audit-pending audit-submitted evaluation-pending evaluation-submitted; do
		bring $before
		for action in '{"action":"add","text":"N.","evidence":"e","basis":"user_request"}' \
			'{"action":"archive","id":1}' '{"action":"supersede","id":1,"text":"N.","evidence":"e","basis":"user_request"}'; do
			json 3 memory "$action"
			jq -e '.code == "review_pending" and (.error | contains("review pending"))' out >/dev/null || fail "$before: $(<out)"
			CTX_SESSION=pi:other json 1 memory '{"action":"archive","id":99}'
		done
	done
	good lessons-add 'Three.'
	good lessons-move 3 --to global
	good lessons-archive 3
}

@test "match: kind, id byte for byte, session; who has none may submit to any" {
	bring audit-pending
	local id=$ID other
	json 1 memory-evaluate "{\"evaluationId\":\"$ID\",\"groups\":$GROUPS_}" --wait 1
	jq -e '.code == "no_matching_review" and (.error | contains("no matching pending evaluation") and contains("lessons-evaluate"))' out
	for other in "${id^^}" "$id " " $id" "${id%?}" x; do
		json 1 memory-audit "{\"auditId\":\"$other\",\"changes\":[]}" --wait 1
		jq -e '.code == "no_matching_review" and (.error | contains("no matching pending audit") and contains("lessons-audit"))' out >/dev/null ||
			fail "$other: $(<out)"
	done
	CTX_SESSION=pi:s2 json 1 memory-audit "{\"auditId\":\"$ID\",\"changes\":[]}" --wait 1
	[ "$(jq -r .code out)" = no_matching_review ]
	# The session is what counts, not the host's name for it.
	CTX_SESSION=claude:s1 json 1 memory-audit "{\"auditId\":\"$ID\",\"changes\":$ARCHIVE}" --no-tty
	[ "$(jq -r .code out)" = no_ui ]
	CTX_SESSION='' json 0 memory-audit "{\"auditId\":\"$ID\",\"changes\":[]}" --wait 1 --no-tty
	[ "$(state)" = closed ]
	bring evaluation-pending
	json 1 memory-audit "{\"auditId\":\"$ID\",\"changes\":[]}" --wait 1
	grep -q 'no matching pending audit' out
}

@test "the origin of what is applied is the process that staged it, its model that of the submitter" {
	bring audit-pending
	CTX_SESSION='' CTX_MODEL=acme/m propose_audit "$ARCHIVE"
	CTX_SESSION=claude:person CTX_MODEL=other/x good lessons-review --decision apply
	[ "$(sql "SELECT actor, provider, model, harness, session, reason FROM activity WHERE action = 'archive'")" = 'user|acme|m|pi|s1|Stale.' ]
	bring evaluation-pending
	CTX_SESSION='' CTX_MODEL=m2 propose_groups "$GROUPS_"
	CTX_SESSION=claude:person good lessons-review --decision finish
	[ "$(sql 'SELECT evaluator FROM candidate_evaluations')" = '{"harness":"pi","session":"s1","actor":"user","provider":null,"model":"m2"}' ]
}

@test "context at submission: project, settings, database; each mismatch is invalidated and closes it" {
	local what
	mkdir other
	printf 'lessons: {projectMinOccurrences: 3}\n' >config.yaml
	for what in "CTX_CWD=$PWD/other project" "CTX_CONFIG=$PWD/config.yaml configuration"; do
		bring audit-pending
		export "${what% *}"
		json 1 memory-audit "{\"auditId\":\"$ID\",\"changes\":[]}" --wait 1
		jq -e --arg w "${what#* }" '.code == "invalidated" and (.error | contains($w) and contains("lessons-audit"))' out >/dev/null ||
			fail "$what: $(<out)"
		export CTX_CWD=$APP
		unset CTX_CONFIG
		[ "$(state)" = closed ]
	done
	# Settings that say the same, or of another kind, change nothing.
	printf 'lessons: {projectMinOccurrences: 2}\nother: 1\n' >config.yaml
	bring evaluation-pending
	CTX_CONFIG=$PWD/config.yaml json 1 memory-evaluate "{\"evaluationId\":\"$ID\",\"groups\":$GROUPS_}" --no-tty
	[ "$(jq -r .code out)" = no_ui ]
	# Another database has another sidecar: there is no such review.
	bring audit-pending
	CTX_LESSONS_DB=$PWD/other.sqlite3 json 1 memory-audit "{\"auditId\":\"$ID\",\"changes\":[]}" --wait 1
	[ "$(jq -r .code out)" = no_matching_review ] && [ "$(state)" = pending ]
}

@test "context at decision: settings are, the project is not; an epoch is no_matching_review" {
	bring audit-submitted
	mkdir other
	printf 'lessons: {maxRecallBytes: 100}\n' >config.yaml
	CTX_CONFIG=$PWD/config.yaml refused invalidated lessons-review --decision apply
	[ "$(state)" = closed ]
	bring audit-submitted
	CTX_CWD=$PWD/other good lessons-review --decision apply
	bring evaluation-submitted
	side "UPDATE sessions SET epoch = epoch + 1 WHERE id = 's1'"
	refused no_matching_review lessons-review --decision finish
	grep -q 'no matching pending evaluation' out
}

@test "the channel: --ui-fd before a terminal and --wait, --wait last, none is no_ui" {
	bring audit-pending
	echo "{\"auditId\":\"$ID\",\"changes\":$ARCHIVE}" >proposal
	by_lines '{"value":"cancel"}\n' memory-audit --wait 5 <proposal
	[ "$rc" -eq 0 ] && [ -s asked ] && [ "$(jq -r .status out)" = cancelled ]
	bring audit-pending
	json 1 memory-audit "{\"auditId\":\"$ID\",\"changes\":$ARCHIVE}" --no-tty --wait 0
	jq -e '.code == "no_ui" and (.error | contains("lessons-review") and contains("--wait"))' out
	[ "$(state)" = pending ]
	# stdin is the proposal, and never a decision.
	run_ memory-audit -j --no-tty <<<"{\"auditId\":\"$ID\",\"changes\":$ARCHIVE}"$'\napply'
	[ "$rc" -eq 2 ] && [ "$(state)" = pending ]
}

@test "--ui-fd: the audit's question, whole" {
	bring audit-pending
	jq -nc --arg id "$ID" '{auditId: $id, changes: [{id: 1, action: "move_global", reason: "True \u202e everywhere."}]}' >proposal
	by_lines '{"cancelled":true}\n' memory-audit <proposal
	[ "$(wc -l <asked)" = 1 ]
	jq -e 'keys_unsorted == ["type","title","body","options","default"] and .type == "select" and .title == "Review audit"
		and .default == "cancel" and (.options | map(.value)) == ["cancel","apply"] and (.options | all(keys_unsorted == ["value","label"]))
		and (.body | contains("#1") and contains("move") and contains("One.") and contains("True \\u202e everywhere."))' asked >/dev/null ||
		fail "$(<asked)"
	jq -e --arg a "$APP" '.body | contains($a)' asked
}

@test "--ui-fd: what a group's body tells, and what an answer does there" {
	CTX_SESSION=pi:s1 start_evaluation
	good lessons-evaluate cancel
	good lessons-session prompt
	CTX_MODEL=acme/m learn pi:s1 'A.'
	bring evaluation-pending
	echo "{\"evaluationId\":\"$ID\",\"groups\":$GROUPS_}" >proposal
	by_lines '{"value":"0"}\n{"cancelled":true}\n{"value":"0"}\n{"value":"back"}\n{"value":"0"}\n{"value":"yes"}\n{"value":"0"}\n{"value":"no"}\n{"value":"finish"}\n' memory-evaluate <proposal
	[ "$rc" -eq 0 ] && [ "$(jq -c .promoted out)" = '[]' ] || fail "$(<out)"
	jq -s -e '[.[].title] == ["Review evaluation","Group 1 of 2","Review evaluation","Group 1 of 2","Review evaluation","Group 1 of 2",
		"Review evaluation","Group 1 of 2","Review evaluation"]' asked
	# Cancelled in a group and back decide nothing; yes can be taken back.
	jq -s -e '[.[0, 2, 4, 6, 8].options[1].label | split(" · ")[1]] == ["Suggested","Suggested","Suggested","Yes","No"]' asked
	jq -s -e --arg a "$APP" '.[1] | .default == "back" and (.options | map(.value)) == ["no","yes","edit","back"]
		and (.body | contains("A.") and contains("Seen in CI.") and contains("Same advice.")
			and contains("Occurrences: 2/2, projects: 1/1") and contains("#C1") and contains($a)
			and contains("2026-08-01T08:00:00.000Z") and contains("acme/m") and contains("s8") and contains("exposed, not independent"))' asked >/dev/null ||
		fail "$(jq -s -r '.[1].body' asked)"
	[ "$(jq -s -r '.[1].body' asked | grep -c 'exposed, not independent')" = 1 ]
}

@test "--ui-fd: the end of the answers, a malformed line and a value not offered are cancelled" {
	local answer
	for answer in '' '\n' 'null\n' '"cancel"\n' '{}\n' '{"value":"2"}\n' '{"value":"-1"}\n' '{"value":"00"}\n' '{"value":"yes"}\n' \
		'{"value":"finish"' '{"value":"fin\xffish"}\n' '{"value":"finish","cancelled":true}\n' '{"value":["finish"]}\n' \
		'{"value":"finish"}x\n' '{"value":"finish","value":"finish"}\n' '{"value":"Finish"}\n' '{"value":" finish"}\n'; do
		bring evaluation-pending
		echo "{\"evaluationId\":\"$ID\",\"groups\":$GROUPS_}" >proposal
		by_lines "$answer" memory-evaluate <proposal
		[ "$rc" -eq 0 ] && [ "$(jq -r .status out)" = cancelled ] || fail "$answer: $rc $(<out)$(<err)"
		[ "$(state)" = closed ]
	done
	[ "$(sql 'SELECT count(*) FROM candidate_evaluations')" = 0 ]
}

@test "the commit order: closed in the sidecar before the store is written" {
	bring audit-submitted
	# A store that cannot be written to: the proposal is lost, and not applied.
	sqlite3 "$DB" "CREATE TRIGGER stop BEFORE UPDATE ON lessons BEGIN SELECT RAISE(ABORT, 'stopped'); END"
	run_ lessons-review --decision apply </dev/null
	[ "$rc" -eq 4 ] && [ ! -s out ] && grep -q 'is closed and nothing of it was applied' err || fail "$rc $(<err)"
	[ "$(state)" = closed ]
	[ "$(side "SELECT snapshot = '' AND proposal IS NULL AND result IS NOT NULL FROM staged WHERE id = '$ID'")" = 1 ]
	sqlite3 "$DB" 'DROP TRIGGER stop'
	refused no_matching_review lessons-review "$ID" --decision apply
	[ "$(sql 'SELECT archived FROM lessons WHERE id = 1')" = 0 ]
}

@test "section 8: roots, votes and epochs of sessions" {
	# memory registers an unknown session as its own root, not ephemeral, epoch 0.
	[ "$(side "SELECT root, ephemeral, epoch, barrier FROM sessions WHERE id = 's9'")" = 's9|0|0|0' ]
	CTX_SESSION=x:new good lessons-session compact -j
	[ "$(<out)" = '{"session":"new","root":"new","ephemeral":false,"epoch":1,"barrier":false,"dropped":null}' ]
	# A fork of an unknown session registers that one, with itself as root.
	CTX_SESSION=pi:f1 good lessons-session start --fork-of claude:base -j
	[ "$(<out)" = '{"session":"f1","root":"base","ephemeral":false,"epoch":1,"barrier":false,"dropped":null}' ]
	[ "$(side "SELECT root, epoch FROM sessions WHERE id = 'base'")" = 'base|0' ]
	# A fork of a fork has the root of both, and of the root itself the same.
	CTX_SESSION=pi:f2 good lessons-session start --fork-of f1
	[ "$(<out)" = 'session f2: root base, epoch 1' ]
	CTX_SESSION=pi:f2 good lessons-session start --fork-of base
	CTX_SESSION=pi:f2 refused lineage_fixed lessons-session start --fork-of s9
	grep -q base out && grep -q s9 out
	# A fork of its own fork would be a root of itself: it stays what it was.
	CTX_SESSION=pi:base refused lineage_fixed lessons-session start --fork-of s9
	# ephemeral is set anew by each start.
	CTX_SESSION=pi:f2 good lessons-session start --ephemeral -j
	[ "$(jq .ephemeral out)" = true ]
	CTX_SESSION=pi:f2 good lessons-session start -j
	[ "$(jq .ephemeral out)" = false ]
	# One lineage is one vote.
	learn pi:f1 'Fork.'
	learn pi:f2 'Fork.'
	[ "$(sql "SELECT count(*), count(DISTINCT independence_key), max(independence_key) FROM candidate_observations WHERE wording = 'Fork.'")" = '2|1|base' ]
}

@test "section 3.2: the sidecar's file, its identity and its tables" {
	[[ $SIDE =~ ^$HOME/\.local/state/ctxtools/\.lessons/[0-9a-f]{16}\.sqlite3$ ]]
	[ "$(basename "$SIDE" .sqlite3)" = "$(printf %s "$(realpath "$DB")" | sha256sum | cut -c1-16)" ]
	[ "$(stat -c %a "$SIDE")" = 600 ] && [ "$(stat -c %a "$(dirname "$SIDE")")" = 700 ]
	[ "$(side 'PRAGMA application_id; PRAGMA user_version; PRAGMA journal_mode')" = $((0x43545852))$'\n1\nwal' ]
	[ "$(side "SELECT group_concat(name) FROM pragma_table_info('sessions')")" = id,root,ephemeral,epoch,barrier ]
	[ "$(side "SELECT group_concat(name) FROM pragma_table_info('staged')" | tr , '\n' | sort | paste -sd,)" = \
		"$(tr ' ' '\n' <<<'id kind session harness epoch project config_hash provider model state holder snapshot proposal result created_at' | sort | paste -sd,)" ]
	# One open review a session; without a session the key is empty.
	bring audit-pending
	run sqlite3 "$SIDE" "INSERT INTO staged SELECT id || 'x', kind, session, harness, epoch, project, config_hash, provider, model, state, holder, snapshot, proposal, result, created_at FROM staged WHERE id = '$ID'"
	[ "$status" -ne 0 ]
	CTX_SESSION='' start_audit
	[ "$(side "SELECT quote(session) FROM staged WHERE id = '$ID'")" = "''" ]
	# holder: the process that shows the dialog, none while it waits.
	bring audit-submitted
	[ "$(side "SELECT holder IS NULL FROM staged WHERE id = '$ID'")" = 1 ]
	# A file that is another kind of database is left alone.
	side 'PRAGMA user_version = 2'
	run_ lessons-session prompt </dev/null
	[ "$rc" -eq 4 ] && grep -qF "$SIDE" err
}

@test "section 3.2: config_hash covers the limits and the target, nothing else" {
	local first key
	hash_now() {
		side "SELECT config_hash FROM staged WHERE id = '$ID'"
	}
	export CTX_CONFIG=$PWD/config.yaml
	: >config.yaml
	bring audit-pending
	first=$(hash_now)
	for key in projectMinOccurrences globalMinOccurrences globalMinProjects maxLessonWords maxEvidenceWords maxRecallLessons maxRecallBytes; do
		echo "lessons: {$key: 99}" >config.yaml
		good lessons-session prompt
		start_audit
		[ "$(hash_now)" != "$first" ] || fail "$key"
	done
	# The defaults in so many words, other settings, and another way to the file.
	printf 'lessons: {projectMinOccurrences: 2, maxRecallBytes: 8192, databasePath: %s}\nnotes: 1\n' "$HOME/.local/share/ctxtools/memory.sqlite3" >config.yaml
	start_audit
	[ "$(hash_now)" = "$first" ]
	: >config.yaml
	CTX_LESSONS_DB=$DB start_audit
	[ "$(hash_now)" = "$first" ]
}
