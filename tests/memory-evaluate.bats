#!/usr/bin/env bats
# memory-evaluate: spec/lessons.md sections 6, 7.2 and 7.3.

load common
load lessons

setup() {
	lessons_setup
	rc=0
}

submit() {
	json "$1" memory-evaluate "$(jq -nc --arg id "$ID" --argjson g "$2" '{evaluationId: $id, groups: $g}')" "${@:3}"
}

@test "section 14: a candidate of two lineages becomes a lesson" {
	learn pi:s1 'Run the linter.'
	learn pi:s2 'Run the  linter.'
	export CTX_SESSION=pi:s3
	start_evaluation
	CTX_MODEL=acme/m propose_groups "[$(group '[1]' project 'Run the linter before pushing.')]"
	good lessons-review --decision finish --approve 0 -j
	[ "$(<out)" = '{"status":"evaluated","promoted":[{"groupIndex":0,"lessonId":1,"created":true}],"candidates":{"pending":0,"sinceEvaluation":0}}' ]
	[ "$(sql 'SELECT scope, text, evidence, basis, source_harness, source_session FROM lessons')" = "$APP|Run the linter before pushing.|Seen in CI.|validated_fix|pi|s3" ]
	[ "$(sql 'SELECT action, actor, provider, model, session, reason FROM activity')" = 'create|user|acme|m|s3|Same advice.' ]
	[ "$(sql 'SELECT status, lesson_id FROM candidates')" = 'promoted|1' ]
	[ "$(sql 'SELECT evaluator FROM candidate_evaluations')" = '{"harness":"pi","session":"s3","actor":"user","provider":"acme","model":"m"}' ]
	[ "$(sql 'SELECT group_index, approved, recommend, qualification, lesson_id FROM candidate_evaluation_groups')" = '0|1|1|{"occurrences":2,"projects":1,"eligible":true,"resolvedScope":"project"}|1' ]
	[ "$(sql "SELECT key, value FROM candidate_state ORDER BY key")" = $'evaluation_highwater|1\nmarker|1' ]
	good lessons-check
}

@test "section 7.2, worked: exposure by any wording of the group" {
	learn pi:L1 'T.'
	learn pi:L2 'T.'
	CTX_SESSION=pi:L2 start_evaluation
	CTX_SESSION=pi:L2 good lessons-evaluate cancel
	CTX_SESSION=pi:L2 good lessons-session prompt
	learn pi:L2 'T, differently.'
	learn pi:L3 'T, differently.'
	[ "$(sql 'SELECT candidate_id, independence_key, observation_highwater FROM candidate_exposures')" = '1|L2|2' ]
	export CTX_SESSION=pi:e
	start_evaluation
	propose_groups "[$(group '[1,2]' project 'T.')]"
	good lessons-review --show
	grep -q 'Occurrences: 3/2, projects: 1/1' out
	grep -q 'lineage L2 (exposed, not independent)' out
	good lessons-evaluate cancel
	start_evaluation
	propose_groups "[$(group '[1]' project 'T.'),$(group '[2]' project 'T, differently.')]"
	good lessons-review --show
	[ "$(grep -c 'Occurrences: 2/2, projects: 1/1' out)" = 2 ]
	run ! grep -q exposed, out
}

@test "forks vote with the session they come from" {
	CTX_SESSION=pi:f2 good lessons-session start --fork-of pi:f1
	learn pi:f1 'A.'
	learn pi:f2 'A.'
	export CTX_SESSION=pi:e
	start_evaluation
	propose_groups "[$(group '[1]' project 'A.')]"
	good lessons-review --show
	grep -q 'Occurrences: 1/2' out
	refused not_eligible lessons-review --decision finish --approve 0
	[ "$(lessons-status -j | jq -r .review.state)" = submitted ]
	good lessons-review --decision finish -j
	[ "$(<out)" = '{"status":"evaluated","promoted":[],"candidates":{"pending":1,"sinceEvaluation":0}}' ]
}

@test "global needs lineages and projects" {
	local p
	for p in a b c; do
		mkdir $p
		CTX_CWD=$PWD/$p learn "pi:$p" 'Everywhere.'
	done
	CTX_CWD=$PWD/a learn pi:d 'Everywhere.'
	export CTX_SESSION=pi:e
	start_evaluation
	submit 1 "[$(group '[1,2,3]' project 'Everywhere.')]" --wait 1
	[ "$(jq -r .code out)" = mixed_projects ]
	propose_groups "[$(group '[3,1,2]' global 'Everywhere.')]"
	good lessons-review --decision finish --approve 0 -t
	diff -u - out <<'END'
evaluation finished: 1 promoted, 0 pending (0 new)
group 0: lesson #1 created
END
	[ "$(sql 'SELECT scope FROM lessons')" = global ]
}

@test "an active lesson is used again as it is" {
	learn pi:s1 'A.'
	learn pi:s2 'A.'
	good lessons-add 'A.' --evidence mine
	export CTX_SESSION=pi:e
	start_evaluation
	propose_groups "[$(group '[1]' project 'A.')]"
	good lessons-review --decision finish --approve 0 -t
	grep -qx 'group 0: lesson #1 already active' out
	[ "$(sql 'SELECT evidence FROM lessons')" = mine ]
	[ "$(sql 'SELECT count(*) FROM activity')" = 1 ]
	# An archived one prevents nothing.
	good lessons-archive 1
	learn pi:s3 'A.'
	learn pi:s4 'A.'
	CTX_SESSION=pi:e2 start_evaluation
	CTX_SESSION=pi:e2 propose_groups "[$(group '[2]' project 'A.')]"
	good lessons-review --decision finish --approve 0 -t
	grep -qx 'group 0: lesson #2 created' out
}

@test "unknown, left out, twice, none: refused; words are those of the settings" {
	learn pi:s1 'A.'
	learn pi:s1 'B.'
	export CTX_SESSION=pi:e
	start_evaluation
	submit 1 "[$(group '[1,2,7]' project 'A.')]" --wait 1
	[ "$(jq -r .code out)" = not_in_review ]
	submit 1 "[$(group '[2]' project 'A.')]" --wait 1
	[ "$(jq -r .code out)" = incomplete ] && grep -q '#C1' out
	submit 1 '[]' --wait 1
	[ "$(jq -r .code out)" = incomplete ]
	submit 2 "[$(group '[1,2]' project 'A.'),$(group '["1"]' project 'A.')]" --wait 1
	submit 2 "[$(group '[1,1]' project 'A.')]" --wait 1
	submit 2 "[$(group '[]' project 'A.')]" --wait 1
	submit 2 "[$(group '[true]' project 'A.')]" --wait 1
	submit 2 "[$(group '[1,2]' project 'A.' '"false"')]" --wait 1
	submit 2 "[$(group '[1,2]' project 'A.' | jq -c '. + {priority: 1}')]" --wait 1
	submit 2 "[$(group '[1,2]' project 'a b c d e f g h i j k l m n o p q r s t u')]" --wait 1
	grep -qF 'groups[0].text: 21 words' err
	submit 1 "[$(group '[1,2]' project 'A.')]" --no-tty
	[ "$(jq -r .code out)" = no_ui ]
}

@test "stale: an observation more, another evaluation; not a new candidate, not an exposure" {
	learn pi:s1 'A.'
	learn pi:s2 'A.'
	CTX_SESSION=pi:e1 start_evaluation
	first=$ID
	CTX_SESSION=pi:e2 start_evaluation
	second=$ID
	learn pi:s5 'New.'
	ID=$first CTX_SESSION=pi:e1 propose_groups "[$(group '[1]' project 'A.')]"
	ID=$second CTX_SESSION=pi:e2 propose_groups "[$(group '[1]' project 'A.')]"
	good lessons-review "$first" --decision finish --approve 0 -j
	[ "$(jq -c .candidates out)" = '{"pending":1,"sinceEvaluation":1}' ]
	refused stale lessons-review "$second" --decision finish --approve 0
	grep -q lessons-evaluate out
	CTX_SESSION=pi:e3 start_evaluation
	learn pi:s6 'New.'
	CTX_SESSION=pi:e3 propose_groups "[$(group '[2]' project 'New.')]"
	refused stale lessons-review --decision finish
	[ "$(sql 'SELECT count(*) FROM candidate_evaluations')" = 1 ]
}

@test "the dialog over --ui-fd: no, yes, an edit, a bad edit, finish" {
	learn pi:s1 'A.'
	learn pi:s2 'A.'
	learn pi:s1 'B.'
	export CTX_SESSION=pi:e
	start_evaluation
	jq -nc --arg id "$ID" --argjson g "[$(group '[1]' project 'A.'),$(group '[2]' project 'B.')]" \
		'{evaluationId: $id, groups: $g}' >proposal
	by_lines '{"value":"0"}\n{"value":"edit"}\n{"value":"   "}\n{"value":"edit"}\n{"value":"A, edited."}\n{"value":"yes"}\n{"value":"1"}\n{"value":"no"}\n{"value":"finish"}\n' memory-evaluate <proposal
	[ $rc -eq 0 ] || fail "$(<out)$(<err)"
	[ "$(sql 'SELECT text FROM lessons')" = 'A, edited.' ]
	jq -s -c '[.[] | .title]' asked >titles
	[ "$(<titles)" = '["Review evaluation","Group 1 of 2","New wording","Group 1 of 2","New wording","Group 1 of 2","Review evaluation","Group 2 of 2","Review evaluation"]' ]
	jq -s -e '.[0] | .default == "cancel" and [.options[].value] == ["cancel", "0", "1", "finish"]' asked
	jq -s -e --arg a "$APP" '.[0].options[1:3] | map(.label) == ["Group 1 · Suggested · \($a) · A.", "Group 2 · Pending · \($a) · B."]' asked
	jq -s -e '.[1] | [.options[].value] == ["no", "yes", "edit", "back"] and .default == "back"' asked
	jq -s -e '.[2] | .type == "input" and .value == "A."' asked
	jq -s -e '.[3].body | startswith("The old text is kept.")' asked
	jq -s -e '.[7] | [.options[].value] == ["no", "edit", "back"]' asked
	jq -s -e '.[8].options[1:3] | map(.label | split(" · ")[1]) == ["Yes", "No"]' asked
}

@test "cancelled: neither judgments nor promotions, but the disclosure stays" {
	learn pi:s1 'A.'
	export CTX_SESSION=pi:e
	start_evaluation
	propose_groups "[$(group '[1]' project 'A.')]"
	good lessons-review --decision cancel -j
	[ "$(<out)" = '{"status":"cancelled","message":"The user cancelled the evaluation; no judgment or promotion was saved."}' ]
	[ "$(sql 'SELECT count(*) FROM candidate_evaluations')" = 0 ]
	[ "$(sql 'SELECT count(*) FROM candidate_exposures')" = 1 ]
	[ "$(sql "SELECT value FROM candidate_state WHERE key = 'marker'")" = 0 ]
}
