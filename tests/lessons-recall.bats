#!/usr/bin/env bats
# lessons-recall: spec/lessons.md section 9.3.

load common
load lessons

setup() {
	lessons_setup
	rc=0
}

@test "without a store: the heading of the project, and nothing is made" {
	good lessons-recall -j
	[ "$(<out)" = "{\"mode\":\"full\",\"project\":\"$APP\",\"sections\":[{\"section\":\"project\",\"lessons\":[],\"total\":0,\"omitted\":0}],\"bytes\":15}" ]
	[ ! -e "$HOME/.local" ]
}

@test "the worked example: 69 bytes, and what 64 leave" {
	good lessons-add 'One.'
	sqlite3 "$DB" "INSERT INTO lessons SELECT 42, scope, 'x', 'k', 'e', basis, 'h', NULL, 1, 1, 1, 1, 1, NULL FROM lessons"
	CTX_NOW_MS=1785571200005 good lessons-add 'Back up before schema work.'
	printf 'lessons: {maxRecallLessons: 1}\n' >config.yaml
	export CTX_CONFIG=$PWD/config.yaml
	good lessons-recall -t
	diff -u - out <<'END'
PROJECT LESSONS
- Back up before schema work. #43
[1 lesson omitted.]
END
	good lessons-recall -j
	[ "$(<out)" = "{\"mode\":\"full\",\"project\":\"$APP\",\"sections\":[{\"section\":\"project\",\"lessons\":[{\"id\":43,\"text\":\"Back up before schema work.\"}],\"total\":2,\"omitted\":1}],\"bytes\":69}" ]
	printf 'lessons: {maxRecallLessons: 1, maxRecallBytes: 69}\n' >config.yaml
	good lessons-recall -j
	[ "$(jq .bytes out)" = 69 ]
	printf 'lessons: {maxRecallLessons: 1, maxRecallBytes: 64}\n' >config.yaml
	good lessons-recall -t
	[ "$(<out)" = $'PROJECT LESSONS\n[2 lessons omitted.]' ]
	[ "$(lessons-recall -j | jq .bytes)" = 36 ]
}

@test "three sections, one empty line between them" {
	good lessons-add $'Two\n  lines.'
	good lessons-add --global 'Everywhere.'
	learn pi:s1 'Mine.'
	learn pi:s2 'Not mine.'
	good lessons-recall -t
	diff -u - out <<'END'
GLOBAL LESSONS
- Everywhere. #2

PROJECT LESSONS
- Two lines. #1

SESSION CANDIDATES (private)
- Mine. #C1
END
	[ "$(lessons-recall -j | jq .bytes)" = $(($(wc -c <out) - 1)) ]
	CTX_SESSION='' good lessons-recall -t
	run ! grep -q CANDIDATES out
}

@test "a candidate is shown in the session's own first wording, to no fork" {
	learn pi:s2 'Same  words.'
	learn pi:s1 'Same words.'
	good lessons-recall -t
	grep -qx -- '- Same words. #C1' out
	CTX_SESSION=pi:f good lessons-session start --fork-of pi:s1
	CTX_SESSION=pi:f good lessons-recall -t
	run ! grep -q CANDIDATES out
	mkdir other
	CTX_CWD=$PWD/other good lessons-recall -t
	run ! grep -q CANDIDATES out
}

@test "no later, shorter row is tried; the size is in bytes" {
	good lessons-add 'Short.'
	CTX_NOW_MS=1785571200001 good lessons-add "$(printf 'é%.0s' {1..30})"
	printf 'lessons: {maxRecallBytes: 70}\n' >config.yaml
	export CTX_CONFIG=$PWD/config.yaml
	good lessons-recall -t
	[ "$(<out)" = $'PROJECT LESSONS\n[2 lessons omitted.]' ]
	# The first row and the line of what is left out take 101 bytes; both rows
	# 93, but the first is tried with that line.
	printf 'lessons: {maxRecallBytes: 100}\n' >config.yaml
	good lessons-recall -t
	[ "$(<out)" = $'PROJECT LESSONS\n[2 lessons omitted.]' ]
	printf 'lessons: {maxRecallBytes: 101}\n' >config.yaml
	good lessons-recall -j
	[ "$(jq -c '[.bytes, (.sections[0].lessons | length)]' out)" = '[93,2]' ]
}

@test "both surfaces fit, whatever the settings say: the last rows go" {
	good lessons-add 'Zero.'
	sqlite3 "$DB" "WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 400)
		INSERT INTO lessons SELECT i, CASE WHEN i % 2 THEN 'global' ELSE scope END, i || ' ' || substr(hex(zeroblob(60)), 1, 100),
		'k' || i, evidence, basis, 'h', NULL, i, i, 1, 0, NULL, NULL FROM lessons, n"
	printf 'lessons: {maxRecallLessons: 1000, maxRecallBytes: 1000000}\n' >config.yaml
	export CTX_CONFIG=$PWD/config.yaml
	good lessons-recall -j
	[ "$(wc -c <out)" -le 32769 ]
	jq -e '[.sections[].omitted] | .[0] == 0 and .[1] > 0' out
	jq -e '.sections | all(.omitted + (.lessons | length) == .total)' out
	good lessons-recall -t
	[ "$(wc -c <out)" -le 32769 ]
}

@test "since: full, then nothing, then what is new and gone, then a bad file" {
	good lessons-add 'One.'
	learn pi:s1 'Mine.'
	good lessons-recall --since told -t
	grep -q '#1' out
	[ "$(stat -c %a "$APP/told")" = 600 ]
	good lessons-recall --since told -j
	[ "$(<out)" = "{\"mode\":\"update\",\"project\":\"$APP\",\"gone\":[],\"sections\":[],\"bytes\":0}" ]
	good lessons-recall --since told -t
	[ "$(<out)" = '' ]
	good lessons-archive 1
	CTX_NOW_MS=1785571200001 good lessons-add 'Two.'
	good lessons-recall --since told
	diff -u - out <<'END'
LESSONS UPDATE
Gone, disregard: #1.
PROJECT LESSONS
- Two. #2
END
	good lessons-recall --since told -t
	[ "$(<out)" = '' ]
	for bad in '{' '[]' '{"v":2}' "{\"v\":1,\"project\":\"/x\",\"sections\":[]}"; do
		echo "$bad" >"$APP/told"
		good lessons-recall --since told -t
		[ "$(head -n 1 out)" = 'PROJECT LESSONS' ] || fail "$bad"
	done
}

@test "since: pushed past the limit is not gone; the omitted count is told" {
	printf 'lessons: {maxRecallLessons: 1}\n' >config.yaml
	export CTX_CONFIG=$PWD/config.yaml
	good lessons-add 'One.'
	good lessons-recall --since told
	CTX_NOW_MS=1785571200001 good lessons-add 'Two.'
	good lessons-recall --since told
	diff -u - out <<'END'
LESSONS UPDATE
PROJECT LESSONS
- Two. #2
[1 lesson omitted.]
END
	jq -e '.sections[0].lessons | map(.id) == [2, 1]' "$APP/told"
	good lessons-archive 1
	good lessons-recall --since told
	diff -u - out <<'END'
LESSONS UPDATE
Gone, disregard: #1.
PROJECT LESSONS
[0 lessons omitted.]
END
}

@test "since: a promoted candidate is gone, its lesson new" {
	learn pi:s1 'A.'
	learn pi:s2 'A.'
	good lessons-recall --since told
	CTX_SESSION=pi:e start_evaluation
	CTX_SESSION=pi:e propose_groups "[$(group '[1]' project 'A.')]"
	good lessons-review --decision finish --approve 0
	good lessons-recall --since told
	diff -u - out <<'END'
LESSONS UPDATE
Gone, disregard: #C1.
PROJECT LESSONS
- A. #1
END
}

@test "a broken store: the reason in one line, both surfaces, exit 4" {
	mkdir -p "$(dirname "$DB")"
	seq 1000 >"$DB"
	run_ lessons-recall -t </dev/null
	[ $rc -eq 4 ] && grep -q '^LESSONS UNAVAILABLE: .*not an SQLite database' out && [ "$(wc -l <out)" = 1 ]
	run_ lessons-recall -j </dev/null
	[ $rc -eq 4 ]
	jq -e --arg a "$APP" 'keys_unsorted == ["mode","project","sections","bytes","reason"] and .mode == "unavailable"
		and .project == $a and .sections == []' out
	long=$(printf 'x%.0s' {1..200})
	mkdir -p "$long/$long/$long/$long"
	echo x >"$long/$long/$long/$long/d-v9"
	run_ lessons-recall -t --db "$PWD/$long/$long/$long/$long/d" </dev/null
	[ $rc -eq 4 ] && [ "$(wc -c <out)" -le 701 ]
}

@test "slips in the settings are said, and cost nothing; elsewhere they are exit 4" {
	good lessons-add 'One.'
	printf 'lessons:\n  maxRecallLessons: "20"\n  color: red\n  maxRecallBytes: 0\nother: 1\n' >config.yaml
	export CTX_CONFIG=$PWD/config.yaml
	run_ lessons-recall -t </dev/null
	[ $rc -eq 0 ] && grep -q One out
	[ "$(wc -l <err)" = 1 ] && grep -q maxRecallLessons err && grep -q color err && grep -q maxRecallBytes err
	run_ lessons-list </dev/null
	[ $rc -eq 4 ] && grep -q maxRecallLessons err
	local bad
	for bad in 'maxRecallBytes: 63' 'maxLessonWords: 1.5' 'maxLessonWords: null' 'maxLessonWords: 9007199254740992' \
		'maxLessonWords: [1]' 'unknown: 1' 'maxLessonWords: -1' 'databasePath: ""'; do
		printf 'lessons:\n  %s\n' "$bad" >config.yaml
		run_ lessons-list </dev/null
		[ $rc -eq 4 ] && grep -q "lessons.${bad%%:*}" err || fail "$bad: $rc $(<err)"
	done
	mkdir unreadable
	CTX_CONFIG=$PWD/unreadable run_ lessons-list </dev/null
	[ $rc -eq 4 ]
	CTX_CONFIG=$PWD/none good lessons-list
}

@test "as a hook: the host's object names session and directory" {
	good lessons-add 'One.'
	CTX_SESSION=claude:h learn claude:h 'Mine.'
	unset CTX_SESSION CTX_CWD
	lessons-recall --hook claude <<<"{\"session_id\":\"h\",\"cwd\":\"$APP\",\"hook_event_name\":\"SessionStart\"}" >out
	grep -qx -- '- One. #1' out && grep -qx -- '- Mine. #C1' out
	lessons-recall --hook codex <<<"{\"session_id\":\"x\",\"cwd\":\"$APP\"}" >out
	grep -qx -- '- One. #1' out
	lessons-recall --hook claude <<<'nonsense' >out
	[ ! -s out ]
}

@test "the sidecar is not opened" {
	good lessons-add 'One.'
	mkdir -p "$HOME/.local/state/ctxtools"
	rm -rf "$HOME/.local/state/ctxtools/.lessons"
	: >"$HOME/.local/state/ctxtools/.lessons"
	good lessons-recall -t
}
