#!/usr/bin/env bats
# What programs for people show, row by row: spec/lessons.md section 9.

load common
load lessons

setup() {
	lessons_setup
	rc=0
	# What is not there is an empty one.
	export CTX_CONFIG=$PWD/config.yaml
}

@test "bounds of offset and limit, and their defaults" {
	local program bad
	good lessons-add 'One.'
	for program in lessons-list 'lessons-history 1' lessons-status; do
		for bad in '--limit 0' '--limit 1001' '--limit -1' '--limit 1.5' '--offset -1' '--offset 9007199254740992' '--offset x'; do
			# shellcheck disable=SC2086
			usage "${bad% *}" $program $bad
		done
		for bad in '--limit 1' '--limit 1000' '--offset 0' '--offset 9007199254740991'; do
			# shellcheck disable=SC2086
			good $program $bad
		done
	done
	[ "$(lessons-list --schema | jq .inputSchema.properties.limit.default)" = 30 ]
	[ "$(lessons-history --schema | jq .inputSchema.properties.limit.default)" = 20 ]
	[ "$(lessons-status --schema | jq .inputSchema.properties.limit.default)" = 100 ]
	usage --state lessons-list --state all
	usage --scope lessons-list --scope everywhere
}

@test "list: the default is 30 of the active ones here; a time in common is in the order of ids" {
	good lessons-add 'One.'
	sqlite3 "$DB" "WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 40)
		INSERT INTO lessons SELECT i, scope, 'L ' || i, 'k' || i, evidence, basis, source_harness, NULL, created_at, updated_at, 1, 0, NULL, NULL FROM lessons, n"
	good lessons-list -j
	[ "$(jq -c '[.lessons[].id]' out)" = "$(jq -nc '[range(1; 31)]')" ]
	[ "$(jq -c '[.total, .next_offset]' out)" = '[40,30]' ]
	good lessons-list -t
	[ "$(sed -n 1p out)" = "#1 2026-08-01 [$APP] One." ] && [ "$(tail -n 1 out)" = '[40 lessons; continue at offset 30]' ]
	# A project stands before global, the newer before the older.
	CTX_NOW_MS=1785571200001 good lessons-add 'New.'
	CTX_NOW_MS=1785571200002 good lessons-add --global 'Newest.'
	good lessons-list -j --limit 2
	[ "$(jq -c '[.lessons[].id]' out)" = '[41,1]' ]
	good lessons-list -j --offset 41
	[ "$(jq -c '[.lessons[].id], .next_offset' out)" = $'[42]\nnull' ]
	# total counts what matches.
	good lessons-list -j 'l 3'
	[ "$(jq -c '[.total, .lessons[].id]' out)" = '[11,3,30,31,32,33,34,35,36,37,38,39]' ] || fail "$(jq -c '[.total, .lessons[].id]' out)"
	good lessons-list -t 'nothing of the kind'
	[ "$(<out)" = 'no lessons' ]
}

@test "list: a query is looked for in text, LF and evidence" {
	good lessons-add 'Ends here' --evidence 'begins There'
	for query in $'here\nbegins' 'THERE' 'ends HERE' $'E\nB'; do
		good lessons-list -j "$query"
		[ "$(jq .total out)" = 1 ] || fail "$query"
	done
	for query in 'here begins' 'herebegins' '_nds' '%'; do
		good lessons-list -j "$query"
		[ "$(jq .total out)" = 0 ] || fail "$query"
	done
}

@test "show: the order of the lines, the last three as they apply" {
	good lessons-add 'One.'
	good lessons-add --supersedes 1 'Two.' --evidence 'Why.'
	good lessons-add --supersedes 2 'Three.'
	good lessons-show 2 -t
	diff -u - out <<END
#2 archived in $APP
Two.
evidence: Why.
basis: user_request
created: 2026-08-01T08:00:00.001Z
archived: 2026-08-01T08:00:00.002Z
replaces #1
replaced by #3
END
	good lessons-show 3 -t
	diff -u - out <<END
#3 active in $APP
Three.
evidence: user-supplied
basis: user_request
created: 2026-08-01T08:00:00.002Z
replaces #2
END
	good lessons-show 2 -j
	[ "$(<out)" = "{\"lesson\":{\"id\":2,\"scope\":\"$APP\",\"text\":\"Two.\",\"evidence\":\"Why.\",\"basis\":\"user_request\",\"source_harness\":\"pi\",\"source_session\":\"s1\",\"created_at\":1785571200001,\"updated_at\":1785571200001,\"revision\":1,\"archived\":true,\"archived_at\":1785571200002,\"supersedes_id\":1},\"successor_id\":3}" ]
}

@test "history: every form of a line; default 20; times that are unknown sort as the creation" {
	local i
	good lessons-add 'One.'
	sqlite3 "$DB" "INSERT INTO activity VALUES (2, 1, 'move', 1785571200001, 'model', 'acme', 'm', 'pi', 's2', 'So.', '{\"before\":\"/a\",\"after\":\"/b\"}', 0);
		INSERT INTO activity VALUES (3, 1, 'archive', NULL, 'unknown', NULL, NULL, 'old', NULL, NULL, '{}', 1);
		INSERT INTO activity VALUES (4, 1, 'move', 1785571199999, 'user', NULL, NULL, 'cli', NULL, 'Early.', '{\"before\":1,\"after\":\"x\"}', 0)"
	good lessons-history 1 -t
	diff -u - out <<'END'
2026-08-01T08:00:00.001Z move by model (pi:s2) /a -> /b: So.
unknown archive by unknown (old)
2026-08-01T08:00:00.000Z create by user (pi:s1)
2026-08-01T07:59:59.999Z move by user (cli): Early.
END
	good lessons-history 1 -j
	jq -e '[.events[].id] == [2, 3, 1, 4] and .events[1].at == null and .events[1].historical == true
		and .events[0].provider == "acme" and .events[0].details == {"before":"/a","after":"/b"}' out
	for i in $(seq 5 25); do
		sqlite3 "$DB" "INSERT INTO activity SELECT $i, 1, 'move', 1785571300000 + $i, actor, NULL, NULL, harness, NULL, NULL, '{}', 0 FROM activity WHERE id = 1"
	done
	good lessons-history 1 -j
	[ "$(jq -c '[(.events | length), .next_offset]' out)" = '[20,20]' ]
	good lessons-history 1 -j --offset 20
	[ "$(jq -c '[(.events | length), .next_offset]' out)" = '[5,null]' ]
}

@test "views: controls and format characters of data are shown by their numbers, LF stays where lines are" {
	mkdir $'odd \u202e\u200f dir'
	ODD=$(cd odd* && pwd -P)
	CTX_CWD=$ODD good lessons-add $'a\tb\nc \u00ad \ufeff. \u2029d\U000e0001' --evidence $'e\r\u2066'
	CTX_CWD=$ODD good lessons-show 1 -t
	[ "$(sed -n 2p out)" = 'a\u0009b' ] && [ "$(sed -n 3p out)" = 'c \u00ad \ufeff. \u2029d\U000e0001' ] || fail "$(<out)"
	grep -qF '#1 active in ' out && grep -qF 'odd \u202e\u200f dir' out && grep -qF 'evidence: e\u000d\u2066' out
	CTX_CWD=$ODD good lessons-list -t
	[[ $(<out) == *'odd \u202e\u200f dir] a b c \u00ad . d\U000e0001' ]] || fail "$(<out)"
	CTX_CWD=$ODD good lessons-status -t
	grep -qF 'odd \u202e\u200f dir' out
	CTX_CWD=$ODD good lessons-move 1 --to global --reason $'r\u202e'
	grep -qF 'odd \u202e\u200f dir' out
	good lessons-history 1 -t
	grep -qF ': r\u202e' out
	run ! grep -q $'\u202e\|\u200f' out
	# Without a position on a terminal it is as it is: the JSON, and what is for the model.
	good lessons-recall -t
	grep -q $'\u00ad' out
}

@test "status: each line, and each value of blocked and review" {
	mkdir gone
	CTX_CWD=$PWD/gone good lessons-add 'G.'
	rmdir gone
	good lessons-add 'One.'
	learn pi:s2 'C.'
	good lessons-status -t
	diff -u - out <<END
database: $DB
state file: $(lessons-status -j </dev/null | jq -r .state_file)
project: $APP
session: s1
lineage: s1
ephemeral: no
blocked: no
review: none
project lessons: 1 active, 0 archived
global lessons: 0 active, 0 archived
candidates: 1 pending, 1 since the last evaluation
projectMinOccurrences: 2
globalMinOccurrences: 4
globalMinProjects: 3
maxLessonWords: 20
maxEvidenceWords: 20
maxRecallLessons: 30
maxRecallBytes: 8192
scope $APP: 1 active, 0 archived
scope ${APP%app}gone: 1 active, 0 archived, directory missing
END
	[ "$(lessons-status -j </dev/null | jq -c keys_unsorted)" = '["database","exists","state_file","project","session","lineage","ephemeral","blocked","review","lessons","candidates","limits","scopes","next_offset"]' ]
	start_evaluation
	propose_groups "[$(group '[1]' project 'C.')]"
	good lessons-status -j
	jq -e --arg id "$ID" '.blocked == "review" and .review == {id: $id, kind: "evaluation", state: "submitted"}' out
	good lessons-review --decision finish
	good lessons-status -j
	jq -e '.blocked == "barrier" and .review == null and .candidates == {pending: 1, since_evaluation: 0}' out
	good lessons-status -t --limit 1
	[ "$(tail -n 1 out)" = '[2 scopes; continue at offset 1]' ]
	CTX_SESSION=pi:f good lessons-session start --fork-of s1 --ephemeral
	CTX_SESSION=pi:f good lessons-status -j
	jq -e '.session == "f" and .lineage == "s1" and .ephemeral == true and .blocked == null' out
}

@test "status, the line: global, rounded up to a fourth, units and not bytes" {
	local units
	good lessons-add --global 'Ünï.'
	good lessons-add 'Two.'
	good lessons-recall -t
	# wc counts the final newline, too.
	units=$(($(wc -m <out) - 1))
	[ $((units % 4)) -ne 0 ]
	[ "$(lessons-status --line -t </dev/null)" = "lessons 1|1 ~$((units / 4 + 1)), candidates 0" ]
	good lessons-add --global $'\U1F600'
	# A character beyond U+FFFF is two.
	units=$(($(lessons-recall -t </dev/null | wc -m) - 1 + 1))
	[ "$(lessons-status --line -t </dev/null)" = "lessons 1|2 ~$(((units + 3) / 4)), candidates 0" ]
}

@test "recall: sections, limits and omissions of candidates" {
	local i
	for i in 1 2 3 4; do
		learn pi:s1 "Candidate $i."
	done
	printf 'lessons: {maxRecallLessons: 2}\n' >config.yaml
	good lessons-recall -t
	diff -u - out <<'END'
PROJECT LESSONS

SESSION CANDIDATES (private)
- Candidate 1. #C1
- Candidate 2. #C2
[2 candidates omitted.]
END
	printf 'lessons: {maxRecallLessons: 3}\n' >config.yaml
	good lessons-recall -t
	[ "$(tail -n 1 out)" = '[1 candidate omitted.]' ]
	# Each section has the bytes for itself.
	good lessons-add 'Project.'
	good lessons-add --global 'Global.'
	printf 'lessons: {maxRecallBytes: 90}\n' >config.yaml
	good lessons-recall -j
	jq -e '[.sections[] | [.section, (.lessons | length), .total, .omitted]] == [["global",1,1,0],["project",1,1,0],["candidates",2,4,2]]' out ||
		fail "$(<out)"
	jq -e '.sections[2].lessons == [{"id":1,"text":"Candidate 1."},{"id":2,"text":"Candidate 2."}]' out
	# A global lesson that is archived is not a section; a newer one comes first, a tie by id.
	good lessons-archive 2
	: >config.yaml
	good lessons-recall -t
	[ "$(head -n 1 out)" = 'PROJECT LESSONS' ]
	good lessons-add 'Tie.'
	CTX_NOW_MS=1785571200001 good lessons-add 'Newer.'
	good lessons-recall -t
	[ "$(sed -n 2,4p out)" = $'- Newer. #4\n- Project. #1\n- Tie. #3' ]
}

@test "recall: past 32,768 bytes rows of candidates go first, then of the project, then global" {
	good lessons-add 'Zero.'
	learn pi:s1 'Zero.'
	# 150 of each, of 100 bytes: three sections are 45,000.
	sqlite3 "$DB" "WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 301)
		INSERT INTO lessons SELECT i, CASE WHEN i % 2 THEN 'global' ELSE scope END, i || ' ' || substr(hex(zeroblob(60)), 1, 90),
		'k' || i, evidence, basis, 'h', NULL, i, i, 1, 0, NULL, NULL FROM lessons, n;
		WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 151)
		INSERT INTO candidates SELECT i, project, 'x', 'k' || i, evidence, basis, 1, 'pending', NULL FROM candidates, n;
		WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 151)
		INSERT INTO candidate_observations SELECT i, i, i || ' ' || substr(hex(zeroblob(60)), 1, 90), evidence, basis, origin, owner_key, 1, independence_key FROM candidate_observations, n"
	printf 'lessons: {maxRecallLessons: 1000, maxRecallBytes: 1000000}\n' >config.yaml
	good lessons-recall -j
	[ "$(wc -c <out)" -le 32769 ]
	jq -e '[.sections[] | .omitted] | .[0] == 0 and .[1] > 0 and .[2] == 151' out || fail "$(jq -c '[.sections[] | .omitted]' out)"
	good lessons-recall -t
	[ "$(wc -c <out)" -le 32769 ] && grep -qx '\[151 candidates omitted.\]' out
}

@test "since: in the order of the file; told only what was printed; the sidecars of others are not theirs" {
	local i
	for i in 1 2 3; do
		CTX_NOW_MS=$((1785571200000 + i)) good lessons-add "Lesson $i."
	done
	good lessons-add --global 'G.'
	learn pi:s1 'C.'
	good lessons-recall --since told -j
	[ "$(jq -c '[.v, .project, [.sections[].section]]' "$APP/told")" = "[1,\"$APP\",[\"global\",\"project\",\"candidates\"]]" ]
	good lessons-archive 2
	good lessons-archive 3
	good lessons-archive 4
	# A disk that is full: nothing was told, and so nothing is taken as told.
	cp "$APP/told" before
	run_ bash -c 'lessons-recall --since told -t >/dev/full' </dev/null
	[ "$rc" -eq 4 ] && cmp before "$APP/told"
	good lessons-recall --since told -j
	[ "$(jq -c .gone out)" = '["#4","#3","#2"]' ]
	# To another project, and to global, moved: gone here, new there.
	good lessons-move 1 --to global
	good lessons-recall --since told -t
	printf 'LESSONS UPDATE\nGLOBAL LESSONS\n- Lesson 1. #1\n' | diff -u - out || fail "$(<out)"
	good lessons-recall --since told -t
	[ "$(<out)" = '' ]
	# What the limits push out is no news, and what comes back is none either.
	printf 'lessons: {maxRecallLessons: 1}\n' >config.yaml
	CTX_NOW_MS=1785571200009 good lessons-add --global 'G2.'
	good lessons-recall --since told -t
	printf 'LESSONS UPDATE\nGLOBAL LESSONS\n- G2. #5\n[1 lesson omitted.]\n' | diff -u - out
	good lessons-archive 5
	good lessons-recall --since told -t
	printf 'LESSONS UPDATE\nGone, disregard: #5.\nGLOBAL LESSONS\n[0 lessons omitted.]\n' | diff -u - out
	# A link in its place is replaced, and what it leads to stays.
	echo kept >"$APP/other"
	ln -sf other "$APP/told"
	good lessons-recall --since told -t
	[ "$(<"$APP/other")" = kept ]
}

@test "export: an item, its lines; one record is one; scope and format" {
	good lessons-add $'a\n\n- b\n  c'
	good lessons-export -t
	printf '# Lessons\n\n- a\n  \n  - b\n    c\n' | diff -u - out
	good lessons-export out.md
	good lessons-import out.md
	[ "$(<out)" = '0 added, 1 skipped' ]
	good lessons-archive 1
	good lessons-import out.md
	[ "$(<out)" = '1 added, 0 skipped' ]
	[ "$(sql 'SELECT count(DISTINCT text), count(*) FROM lessons')" = '1|2' ]
	usage --format lessons-export --format yaml
	# A document is not bound by 32,768 bytes.
	sqlite3 "$DB" "WITH RECURSIVE n(i) AS (SELECT 3 UNION ALL SELECT i + 1 FROM n WHERE i < 90)
		INSERT INTO lessons SELECT i, scope, i || substr(hex(zeroblob(600)), 1, 1000), 'k' || i, evidence, basis, 'h', NULL, i, i, 1, 0, NULL, NULL FROM lessons, n WHERE id = 2"
	good lessons-export -t
	[ "$(wc -c <out)" -gt 80000 ]
	good lessons-export -j
	[ "$(jq .records out)" = 89 ]
}

@test "import, Markdown: what is an item and what is not" {
	local text want
	while IFS='|' read -r text want; do
		rm -f "$DB"*
		printf "%b" "$text" >"$APP/l.md"
		if [ "$want" = bad ]; then
			refused bad_import lessons-import l.md
			grep -q 'line [0-9]*: ' out || fail "$text: $(<out)"
			[ ! -e "$DB" ] || fail "$text: a store"
		else
			good lessons-import l.md
			[ "$(sql "SELECT group_concat(replace(text, char(10), '/'), ';') FROM lessons")" = "$want" ] ||
				fail "$text: $(sql "SELECT group_concat(replace(text, char(10), '/'), ';') FROM lessons")"
		fi
	done <<'END'
- a|a
- a\n|a
* a\n+ b\n1. c\n23) d\n|a;b;c;d
# Title\n- a|a
# Title\n\n- a|a
- a\n  b\n    c|a/b/  c
- a\n\n  b\n\n\n- c\n\n|a//b;c
- a\r\n- b\r\n|a;b
- a\r\n  b\n|a/b
-  a |a
\xef\xbb\xbf- a|a
\n\n- a|a
## Title\n- a|bad
- a\n# Title|bad
#Title\n- a|bad
prose|bad
 - a|bad
-a|bad
1.a|bad
1 a|bad
- a\n b|bad
- |bad
-|bad
- a\x07|bad
- a\xff|bad
- a\x00b|bad
# Title\n|bad
|bad
END
}

@test "import: its evidence, limits of words, and what a dry run says" {
	seq 21 | tr '\n' ' ' >words
	printf -- '- %s\n' "$(<words)" >"$APP/l.md"
	refused bad_import lessons-import l.md
	grep -q 'line 1: text: 21 words' out
	for text in 'Two.' ' two.' 'TWO.'; do
		printf -- '- One.\n- %s\n' "$text" >"$APP/l.md"
		cp "$APP/l.md" before
		good lessons-import l.md --dry-run -j
		good lessons-import l.md --global
		cmp before "$APP/l.md"
	done
	[ "$(sql 'SELECT count(*), count(DISTINCT evidence) FROM lessons')" = '4|3' ]
	[ "$(sql 'SELECT DISTINCT scope, basis, source_harness FROM lessons')" = 'global|import|pi' ]
	[ "$(sql 'SELECT DISTINCT actor FROM activity')" = user ]
	usage --expect-sha256 lessons-import l.md --expect-sha256 "$(printf 'g%.0s' {1..64})"
}

@test "backup: the stem of the target, whatever its base; into a relative directory" {
	mkdir "$APP/b"
	export CTX_LESSONS_DB=$PWD/team.lessons.db
	good lessons-add 'One.'
	good lessons-backup b -j
	[ "$(jq -r .file out)" = "$APP/b/team.lessons-v9-20260801T080000Z.sqlite3" ]
	good lessons-backup b
	good lessons-backup b -j
	[ "$(jq -r .file out)" = "$APP/b/team.lessons-v9-20260801T080000Z-3.sqlite3" ]
	[ -z "$(find "$APP/b" -name '.*' -type f)" ]
	# It is a store of its own.
	CTX_LESSONS_DB=$APP/b/team.lessons-v9-20260801T080000Z.sqlite3 good lessons-list -t
	grep -q One out
}

@test "check: reading alone; a missing and an empty store are well" {
	good lessons-check -t
	[ "$(<out)" = 'ok: 0 lessons, 0 candidates' ] && [ ! -e "$HOME/.local" ]
	mkdir -p "$(dirname "$DB")"
	: >"$DB"
	good lessons-check -t
	[ "$(<out)" = 'ok: 0 lessons, 0 candidates' ] && [ ! -s "$DB" ]
	rm "$DB"
	good lessons-add 'One.'
	# A historical row counts as the creation.
	sqlite3 "$DB" "DROP TRIGGER activity_no_update; UPDATE activity SET historical = 1, at = NULL, actor = 'unknown'"
	run_ lessons-check -j </dev/null
	jq -e '[.problems[].check] == ["schema"]' out
	[ "$(sql "SELECT count(*) FROM sqlite_schema WHERE name = 'activity_no_update'")" = 0 ]
}
