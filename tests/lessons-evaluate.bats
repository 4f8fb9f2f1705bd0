#!/usr/bin/env bats
# lessons-evaluate: spec/lessons.md section 7.3.

load common
load lessons

setup() {
	lessons_setup
}

@test "nothing is pending: no id, nothing is made" {
	good lessons-evaluate -j
	[ "$(<out)" = '{"evaluation_id":null,"candidates":0,"exposed":0,"bytes":0}' ]
	good lessons-evaluate -t
	[ "$(<out)" = 'no candidates are pending' ]
	[ ! -e "$HOME/.local" ]
}

@test "the document: keys in order, exposures with this disclosure" {
	learn pi:s1 'A.'
	learn pi:s2 'A.'
	learn pi:s1 'B.'
	CTX_SESSION=pi:e start_evaluation
	document >json
	jq -e 'keys_unsorted == ["candidates","exposures","evaluations","highwater","marker"]
		and (.candidates | map(.id)) == [1, 2]
		and (.candidates[0] | keys_unsorted) == ["id","project","text","evidence","basis","created_at","observations"]
		and (.candidates[0].observations[0] | keys_unsorted) == ["id","wording","evidence","basis","origin","created_at","independenceKey","exposed"]
		and (.exposures[0] | keys_unsorted) == ["candidateId","textKey","independenceKey","observationHighwater","created_at"]
		and (.exposures | map([.candidateId, .independenceKey, .observationHighwater])) == [[1, "e", 3], [2, "e", 3]]
		and .evaluations == [] and .highwater == 2 and .marker == 0
		and ([.candidates[].observations[].exposed] | any | not)' json
	grep -q "2 independent discoverers.*4 of them in 3 projects" document
	grep -q 'at most 20 words' document
	grep -q memory_evaluate document
}

@test "the same session again discloses nothing new; another one does" {
	learn pi:s1 'A.'
	good lessons-evaluate -j --session pi:e
	jq -e '.candidates == 1 and .exposed == 1' out
	good lessons-evaluate cancel --session pi:e
	good lessons-evaluate -j --session pi:e
	jq -e '.exposed == 0' out
	good lessons-evaluate -j --session pi:e2
	jq -e '.exposed == 1' out
	[ "$(sql "SELECT value FROM candidate_state WHERE key = 'marker'")" = 0 ]
}

@test "what is submitted after the disclosure is exposed" {
	learn pi:s1 'A.'
	CTX_SESSION=pi:e start_evaluation
	CTX_SESSION=pi:e good lessons-evaluate cancel
	CTX_SESSION=pi:e good lessons-session prompt
	learn pi:e 'A.'
	CTX_SESSION=pi:e3 start_evaluation
	document | jq -e '[.candidates[0].observations[].exposed] == [false, true]'
}

@test "too large: nothing is disclosed" {
	learn pi:s1 "$(printf 'x%.0s' {1..1200})"
	refused too_large lessons-evaluate --max-bytes 1024
	[ "$(sql 'SELECT count(*) FROM candidate_exposures')" = 0 ]
	[ "$(lessons-status -j | jq -r .blocked)" = null ]
}

@test "past groups that match are told, reduced to those" {
	learn pi:s1 'A.'
	learn pi:s1 'B.'
	CTX_SESSION=pi:e start_evaluation
	CTX_SESSION=pi:e propose_groups "[$(group '[1]' project 'A.' false),$(group '[2]' project 'B.')]"
	good lessons-review --decision finish
	CTX_SESSION=pi:e2 start_evaluation
	document | jq -e '.marker == 1 and (.evaluations | length) == 1
		and (.evaluations[0] | keys_unsorted) == ["id","recorded_at","highwater","evaluator","groups"]
		and (.evaluations[0].groups | length) == 2
		and (.evaluations[0].groups[0] | keys_unsorted) == ["group","qualification","approved","lessonId"]
		and .evaluations[0].groups[0].group == {candidateIds: [1], text: "A.", evidence: "Seen in CI.", scope: "project", reason: "Same advice.", recommend: false}
		and .evaluations[0].groups[0].lessonId == null'
}

@test "a review in the way: exit 3" {
	learn pi:s1 'A.'
	start_evaluation
	json 3 lessons-evaluate '{}'
	[ "$(jq -r .code out)" = review_pending ] && grep -q 'lessons-evaluate cancel' out
}

@test "10,000 candidates are grouped, shown and finished" {
	learn pi:s1 'A.'
	sqlite3 "$DB" "WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
		INSERT INTO candidates SELECT i, project, 'A ' || i, 'k' || i, evidence, basis, created_at, 'pending', NULL FROM candidates, n;
		WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
		INSERT INTO candidate_observations SELECT i, i, wording, evidence, basis, origin, owner_key, created_at, independence_key
		FROM candidate_observations, n"
	export CTX_SESSION=pi:e
	start_evaluation --max-bytes 67108864
	jq -nc --arg id "$ID" '{evaluationId: $id, groups: [range(10000) | {candidateIds: [. + 1], text: "A.",
		evidence: "b", scope: "project", reason: "r", recommend: false}]}' >proposal
	propose memory-evaluate
	good lessons-review --decision finish -j
	jq -e '.candidates.pending == 10000' out
	[ "$(sql 'SELECT count(*) FROM candidate_group_members')" = 10000 ]
}
