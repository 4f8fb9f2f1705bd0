#!/usr/bin/env bats
# lessons-status: spec/lessons.md section 9.1.

load common
load lessons

setup() {
	lessons_setup
}

@test "without a store: what would be, and nothing is made" {
	good lessons-status -j
	jq -e --arg db "$DB" --arg a "$APP" '.database == $db and .exists == false and .project == $a
		and .session == "s1" and .lineage == "s1" and .ephemeral == false and .blocked == null
		and .review == null and .scopes == [] and .next_offset == null
		and .limits == {projectMinOccurrences:2,globalMinOccurrences:4,globalMinProjects:3,maxLessonWords:20,
			maxEvidenceWords:20,maxRecallLessons:30,maxRecallBytes:8192}
		and (.state_file | test("/.lessons/[0-9a-f]{16}.sqlite3$"))' out
	[ ! -e "$HOME/.local" ]
	CTX_SESSION='' good lessons-status -j
	jq -e '.session == null and .lineage == "no-session" and .ephemeral == true' out
}

@test "counts, scopes, what is missing" {
	mkdir gone
	CTX_CWD=$PWD/gone good lessons-add 'G.'
	rmdir gone
	good lessons-add 'One.'
	good lessons-add 'Two.'
	good lessons-archive 2
	good lessons-add --global 'Three.'
	learn pi:s1 'C.'
	good lessons-status -j
	jq -e --arg a "$APP" '.lessons == {project: {active: 1, archived: 1}, global: {active: 1, archived: 0}}
		and .candidates == {pending: 1, since_evaluation: 1}
		and (.scopes | map([.scope, .active, .archived, .missing])) ==
			[[$a, 1, 1, false], [($a | sub("app$"; "gone")), 1, 0, true], ["global", 1, 0, false]]' out
	good lessons-status -j --limit 1 --offset 1
	jq -e '.next_offset == 2 and (.scopes | length) == 1' out
	good lessons-status -t
	grep -qx "database: $DB" out && grep -qx 'candidates: 1 pending, 1 since the last evaluation' out
}

@test "the review and what is blocked" {
	good lessons-add 'One.'
	start_audit
	good lessons-status -j
	jq -e --arg id "$ID" '.blocked == "review" and .review == {id: $id, kind: "audit", state: "pending"}' out
	good lessons-audit cancel
	good lessons-status -j
	jq -e '.blocked == "barrier" and .review == null' out
}

@test "the line: a fourth of the units of the block, numbers in short" {
	good lessons-status --line
	[ "$(<out)" = 'lessons 0|0 ~4, candidates 0' ]
	good lessons-add 'One.'
	learn pi:s2 'C.'
	good lessons-status --line
	# PROJECT LESSONS, LF, `- One. #1`: 25 units.
	[ "$(<out)" = 'lessons 1|0 ~7, candidates 1 (+1)' ]
}

@test "the line: numbers from a thousand on have one decimal, or none" {
	local n
	good lessons-add 'One.'
	sql "UPDATE candidate_state SET value = 99999 WHERE key = 'evaluation_highwater'"
	for n in 999:999 1000:1.0k 1049:1.0k 1050:1.1k 9949:9.9k 9999:10.0k 10000:10k 12499:12k 12600:13k; do
		sql "WITH RECURSIVE n(i) AS (SELECT (SELECT count(*) FROM candidates) + 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${n%:*})
			INSERT INTO candidates (id, project, text, text_key, evidence, basis, created_at)
			SELECT i, '/p', 'C.', i, 'Seen.', 'validated_fix', 1 FROM n"
		good lessons-status --line
		[ "$(<out)" = "lessons 1|0 ~7, candidates ${n#*:}" ] || fail "$n: $(<out)"
	done
}

@test "the line: numbers from a million on, as in tests/unit/test_status_number" {
	local n
	good lessons-add 'One.'
	# So many candidates, of two tables whose rows are multiplied.
	for n in 999499:999k 999999:1000k 1000000:1.0M 1049999:1.0M 1050000:1.1M; do
		sql "WITH RECURSIVE n(i) AS (SELECT (SELECT count(*) FROM candidates) + 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${n%:*})
			INSERT INTO candidates (id, project, text, text_key, evidence, basis, created_at)
			SELECT i, '/p', 'C.', i, 'Seen.', 'validated_fix', 1 FROM n"
		good lessons-status --line
		[ "$(<out)" = "lessons 1|0 ~7, candidates ${n#*:} (+${n#*:})" ] || fail "$n: $(<out)"
	done
}
