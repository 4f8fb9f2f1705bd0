#!/usr/bin/env bats
# Rows of spec/lessons.md that hold for several programs: which there are
# (section 1), the model (2, 2.1, 2.3), settings and files (3) and activity (3.3).

load common
load lessons

setup() {
	lessons_setup
	rc=0
	# What is not there is an empty one.
	export CTX_CONFIG=$PWD/config.yaml
}

# The table of section 1: program, operand, mode, whether it writes.
programs() {
	cat <<'END'
memory - sequential yes
memory-audit - sequential yes
memory-evaluate - sequential yes
lessons-add text sequential yes
lessons-archive id sequential yes
lessons-move id sequential yes
lessons-list query parallel no
lessons-show id parallel no
lessons-history id parallel no
lessons-recall - parallel no
lessons-status - parallel no
lessons-audit action sequential yes
lessons-evaluate action sequential yes
lessons-review id sequential yes
lessons-session action sequential yes
lessons-export file parallel file
lessons-import file sequential yes
lessons-backup directory parallel file
lessons-check - parallel no
END
}

@test "section 1: the programs, their operands and modes" {
	local program operand mode writes
	while read -r program operand mode writes; do
		"$program" --schema >out
		jq -e --arg n "${program//-/_}" --arg m "$mode" '.name == $n and .executionMode == $m' out >/dev/null || fail "$program: $(<out)"
		[ "$writes" != yes ] || jq -e '.annotations.readOnlyHint == false' out >/dev/null || fail "$program writes"
		[ "$writes" != no ] || jq -e '.annotations.readOnlyHint == true' out >/dev/null || fail "$program does not write"
		"$program" --help >help
		if [ "$operand" = - ]; then
			run_ "$program" -t operand </dev/null
			[ "$rc" -eq 2 ] || fail "$program takes an operand"
		else
			[ "$(jq -r --arg o "$operand" '.inputSchema.properties | has($o)' out)" = true ] || fail "$program: no $operand"
		fi
		# The facts, and for those that ask somebody the channel.
		for option in session cwd config db state-dir model; do
			grep -qE -- "--$option\b" help || fail "$program: no --$option"
		done
		case $program in
		memory-audit | memory-evaluate | lessons-review)
			grep -q -- '--wait' help && grep -q -- '--ui-fd' help && grep -q -- '--no-tty' help || fail "$program: $(<help)"
			;;
		*) run ! grep -qE -- '--(wait|ui-fd|no-tty)\b' help ;;
		esac
	done < <(programs)
	[ "$(programs | wc -l)" = "$(cd "$BIN" && printf '%s\n' memory* lessons-* | wc -l)" ]
	# Nothing that a model calls reads, searches, restores or deletes.
	good tool-schemas --families lessons -j
	[ "$(jq -r '.. | objects | select(has("inputSchema")) | .name' out | sort | paste -sd,)" = memory,memory_audit,memory_evaluate ]
}

@test "section 1: who only reads makes nothing, with and without a store" {
	local program
	for program in lessons-list 'lessons-show 1' 'lessons-history 1' lessons-recall lessons-status lessons-check lessons-export \
		"lessons-backup $APP" 'lessons-session show' 'lessons-review --show' 'lessons-audit' 'lessons-evaluate' 'lessons-audit cancel' \
		'lessons-archive 1' 'lessons-move 1 --to global' 'lessons-add X --supersedes 1' "lessons-import $APP/none"; do
		# shellcheck disable=SC2086
		run_ $program </dev/null
		[ -z "$(ls -A "$HOME")" ] && [ -z "$(ls -A "$APP")" ] || fail "$program: $(find "$HOME" "$APP")"
	done
	good lessons-add 'One.'
	rm -rf "$HOME/.local/state"
	for program in lessons-list 'lessons-show 1' 'lessons-history 1' lessons-recall lessons-status lessons-check lessons-export \
		'lessons-session show' 'lessons-review --show'; do
		# shellcheck disable=SC2086
		good $program
		[ "$(find "$HOME" -type f)" = "$DB" ] || fail "$program: $(find "$HOME" -type f)"
	done
}

@test "section 1: a bad option is exit 2, a bad variable exit 4 and named" {
	local fact
	long=$(printf 'x%.0s' {1..161})
	for fact in "session CTX_SESSION $long" $'session CTX_SESSION a\tb' 'session CTX_SESSION pi:' 'db CTX_LESSONS_DB rel/d' \
		'db CTX_LESSONS_DB :memory:' 'db PI_MEMORY_DB rel/d'; do
		IFS=' ' read -r option variable value <<<"$fact"
		run_ lessons-status "--$option" "$value" </dev/null
		[ "$rc" -eq 2 ] && grep -q -- "--$option" err && [ ! -s out ] || fail "$option $value: $rc $(<err)"
		run_ env "$variable=$value" lessons-status </dev/null
		[ "$rc" -eq 4 ] && grep -q "$variable" err && [ ! -s out ] || fail "$variable $value: $rc $(<err)"
	done
	# The model's name is a fact of the model's tools alone.
	long=$(printf 'x%.0s' {1..301})
	for fact in "$long" "a/$long" "${long:0:201}/m" /m m/ $'a\tb'; do
		CTX_MODEL=$fact run_ memory -j <<<'{"action":"add","text":"a","evidence":"b","basis":"user_request"}'
		[ "$rc" -eq 4 ] && grep -q CTX_MODEL err || fail "$fact: $rc $(<err)"
		run_ memory -j --model "$fact" <<<'{"action":"add","text":"a","evidence":"b","basis":"user_request"}'
		[ "$rc" -eq 2 ] && grep -q -- --model err || fail "$fact: $rc $(<err)"
		CTX_MODEL=$fact good lessons-list
	done
	CTX_MODEL="${long:0:200}/${long:0:300}" json 0 memory '{"action":"add","text":"a","evidence":"b","basis":"user_request"}'
}

@test "section 1: relative paths lie below CTX_CWD, and are named whole" {
	good lessons-add 'One.'
	mkdir elsewhere "$APP/copies"
	cd elsewhere
	good lessons-export e.md
	[ "$(<out)" = "1 records written to $APP/e.md" ]
	good lessons-audit --file a.md -j
	[ "$(jq -r .file out)" = "$APP/a.md" ]
	good lessons-backup copies -j
	[[ $(jq -r .file out) == $APP/copies/* ]]
	good lessons-recall --since told
	[ -s "$APP/told" ]
	good lessons-move 1 --to copies -j
	[ "$(jq -r .to out)" = "$APP/copies" ]
	echo '- Two.' >"$APP/l.md"
	good lessons-import l.md
	echo '{"decision":"cancel"}' >"$APP/d.json"
	refused no_matching_review lessons-review --decide d.json
	# A directory within a project is the project.
	mkdir -p "$APP/repo/.git" "$APP/repo/deep"
	: >"$APP/repo/.git/HEAD"
	good lessons-move 2 --to repo/deep -j
	[ "$(jq -r .to out)" = "$APP/repo" ]
	[ -z "$(ls -A .)" ] || [ "$(ls -A .)" = $'err\nout' ]
}

@test "section 2: ids grow, are never used again and stay through a move; people see #, candidates #C" {
	good lessons-add 'One.'
	good lessons-add 'Two.'
	good lessons-archive 2
	good lessons-add 'Two.' -j
	[ "$(jq .id out)" = 3 ]
	good lessons-move 3 --to global -j
	[ "$(jq .id out)" = 3 ]
	learn pi:s1 'C.'
	good lessons-recall
	grep -qx -- '- C. #C1' out && grep -qx -- '- Two. #3' out
	# Every sequence ends at 2^53 - 1.
	sqlite3 "$DB" "INSERT INTO candidates SELECT 9007199254740991, project, 'x', 'k', evidence, basis, 0, 'pending', NULL FROM candidates"
	run_ memory -j <<<'{"action":"add","text":"New.","evidence":"b","basis":"user_request"}'
	[ "$rc" -eq 4 ] && grep -q 'id range exhausted' err
	sqlite3 "$DB" "INSERT INTO candidate_observations SELECT 9007199254740991, 9007199254740991, wording, evidence, basis, origin, owner_key, 0, independence_key FROM candidate_observations"
	CTX_SESSION=pi:s2 run_ memory -j <<<'{"action":"add","text":"C.","evidence":"b","basis":"user_request"}'
	[ "$rc" -eq 4 ] && grep -q 'id range exhausted' err
	[ "$(sql 'SELECT count(*) FROM candidate_observations')" = 2 ]
	sqlite3 "$DB" "INSERT INTO activity SELECT 9007199254740991, lesson_id, action, at, actor, provider, model, harness, session, reason, details, historical FROM activity WHERE id = 1"
	run_ lessons-add 'Four.' </dev/null
	[ "$rc" -eq 4 ] && grep -q 'id range exhausted' err
	[ "$(sql 'SELECT count(*) FROM lessons')" = 3 ]
}

@test "section 2: times of archiving and superseding are not before what was" {
	# Archive: max(now, created_at, updated_at).
	good lessons-add 'One.'
	sqlite3 "$DB" "INSERT INTO lessons SELECT 2, scope, 'x', 'k', evidence, basis, source_harness, NULL, 5, 1785571200900, 1, 0, NULL, NULL FROM lessons;
		INSERT INTO activity SELECT 2, 2, action, at, actor, provider, model, harness, session, reason, details, historical FROM activity"
	CTX_NOW_MS=1 good lessons-archive 1
	CTX_NOW_MS=1 good lessons-archive 2
	[ "$(sql 'SELECT archived_at FROM lessons ORDER BY id')" = $'1785571200000\n1785571200900' ]
	# Supersede: max(now, created_at + 1, updated_at), of both.
	good lessons-add 'Three.'
	CTX_NOW_MS=1 good lessons-add --supersedes 3 'Four.'
	[ "$(sql 'SELECT archived_at FROM lessons WHERE id = 3; SELECT created_at, updated_at, revision FROM lessons WHERE id = 4')" = $'1785571200001\n1785571200001|1785571200001|1' ]
	CTX_NOW_MS=1785571300000 good lessons-add --supersedes 4 'Five.'
	[ "$(sql 'SELECT archived_at FROM lessons WHERE id = 4; SELECT created_at FROM lessons WHERE id = 5')" = $'1785571300000\n1785571300000' ]
	[ "$(sql "SELECT at FROM activity WHERE lesson_id IN (4, 5) ORDER BY id")" = $'1785571200001\n1785571300000\n1785571300000' ]
}

@test "section 2.1: harness, session, actor, provider, model and reason, each of its own" {
	local given want i=0
	while IFS='|' read -r given want; do
		i=$((i + 1))
		CTX_SESSION=$given good lessons-add "Lesson $i."
		[ "$(sql "SELECT source_harness, source_session FROM lessons WHERE id = $i")" = "$want" ] || fail "$given: $(sql "SELECT source_harness, source_session FROM lessons WHERE id = $i")"
	done <<'END'
pi:s1|pi|s1
claude-code2:x:y|claude-code2|x:y
s1|cli|s1
:s1|cli|s1
Pi:s1|cli|s1
2pi:s1|cli|s1
-pi:s1|cli|s1
p_i:s1|cli|s1
abcdefghijklmnopqrstuvwxyzabcdef:s1|abcdefghijklmnopqrstuvwxyzabcdef|s1
abcdefghijklmnopqrstuvwxyzabcdefg:s1|cli|s1
pi:  s 1  |pi|s 1
END
	CTX_SESSION='' good lessons-add 'None.'
	[ "$(sql 'SELECT source_harness, source_session IS NULL FROM lessons ORDER BY id DESC LIMIT 1')" = 'cli|1' ]
	# What people do is theirs: no provider, no model, whatever the host says.
	CTX_MODEL=acme/m good lessons-archive 1 --reason 'Old.'
	[ "$(sql 'SELECT actor, provider IS NULL, model IS NULL, harness, session, reason FROM activity ORDER BY id DESC LIMIT 1')" = 'user|1|1|pi|s1|Old.' ]
	CTX_MODEL=acme/m json 0 memory '{"action":"archive","id":2}'
	[ "$(sql 'SELECT actor, provider, model, reason IS NULL FROM activity ORDER BY id DESC LIMIT 1')" = 'model|acme|m|1' ]
	json 0 memory '{"action":"archive","id":3,"reason":" So. "}'
	[ "$(sql 'SELECT actor, provider IS NULL, model IS NULL, reason FROM activity ORDER BY id DESC LIMIT 1')" = 'model|1|1|So.' ]
}

@test "section 2.3: white space, each of it, and what is none" {
	local space i=0
	for space in '\t' '\n' '\u000b' '\f' '\r' ' ' '\u00a0' '\u1680' '\u2000' '\u2001' '\u2002' '\u2003' '\u2004' '\u2005' '\u2006' '\u2007' '\u2008' '\u2009' \
		'\u200a' '\u2028' '\u2029' '\u202f' '\u205f' '\u3000' '\ufeff'; do
		case $space in
		'\u000b' | '\f')
			# White space, but nothing that a text may have.
			json 2 memory "{\"action\":\"add\",\"text\":\"a${space}b\",\"evidence\":\"e\",\"basis\":\"user_request\"}"
			continue
			;;
		esac
		i=$((i + 1))
		json 0 memory "{\"action\":\"add\",\"text\":\"${space}W$space${space}x$space\",\"evidence\":\"e\",\"basis\":\"user_request\"}"
		json 2 memory "{\"action\":\"add\",\"text\":\"$space\",\"evidence\":\"e\",\"basis\":\"user_request\"}"
	done
	# All of them are one wording, trimmed, in the first one's white space.
	[ "$(sql 'SELECT count(*), hex(substr(text, 2, 1)) FROM candidates')" = '1|09' ]
	for space in '\u200b' '\u2060' '\u180e' '\u200c'; do
		json 0 memory "{\"action\":\"add\",\"text\":\"${space}W x\",\"evidence\":\"e\",\"basis\":\"user_request\"}"
		i=$((i + 1))
	done
	[ "$(sql 'SELECT count(DISTINCT text_key) FROM candidates')" = 5 ]
}

@test "section 2.3: ids in requests are the same in every program" {
	local program id
	good lessons-add 'One.'
	for id in 1 1.0 10e-1 '"1"' '"#1"' '" #1 "'; do
		for program in lessons-show lessons-history; do
			json 0 $program "{\"id\":$id}"
		done
		json 1 lessons-move "{\"id\":$id,\"to\":\"project\"}"
		[ "$(jq -r .code out)" = same_scope ]
		json 1 memory-audit "{\"auditId\":\"x\",\"changes\":[{\"id\":$id,\"action\":\"archive\",\"reason\":\"r\"}]}"
		json 1 memory-evaluate "{\"evaluationId\":\"x\",\"groups\":[{\"candidateIds\":[$id],\"text\":\"a\",\"evidence\":\"b\",\"scope\":\"project\",\"reason\":\"r\",\"recommend\":true}]}"
	done
	for id in true null '""' '[1]' '{}' 0 -1 1.5 9007199254740992 '"9007199254740992"' '"01"' '"+1"' '"1.0"' '"1e0"' '"##1"' '"# 1"' '"C1"' '"１"'; do
		for program in lessons-show lessons-history lessons-archive; do
			json 2 $program "{\"id\":$id}"
			grep -q '^[a-z-]*: id: .*positive safe integer' err || fail "$program $id: $(<err)"
		done
		json 2 lessons-move "{\"id\":$id,\"to\":\"global\"}"
		json 2 lessons-add "{\"text\":\"a\",\"supersedes\":$id}"
		grep -q 'supersedes: .*positive safe integer' err
		json 2 memory-audit "{\"auditId\":\"x\",\"changes\":[{\"id\":$id,\"action\":\"archive\",\"reason\":\"r\"}]}"
		grep -q 'changes\[0\].id: .*positive safe integer' err || fail "$(<err)"
		json 2 memory-evaluate "{\"evaluationId\":\"x\",\"groups\":[{\"candidateIds\":[$id],\"text\":\"a\",\"evidence\":\"b\",\"scope\":\"project\",\"reason\":\"r\",\"recommend\":true}]}"
		grep -q 'candidateIds\[0\]: .*positive safe integer' err || fail "$(<err)"
	done
	# 7 and "#7" are one id where repetitions are refused.
	json 2 memory-evaluate '{"evaluationId":"x","groups":[{"candidateIds":[7,"#7"],"text":"a","evidence":"b","scope":"project","reason":"r","recommend":true}]}'
	for program in memory lessons-show lessons-history lessons-archive lessons-move lessons-add memory-audit memory-evaluate; do
		"$program" --schema | jq -e '[.inputSchema | .. | objects | to_entries[] |
			select(.key == "id" or .key == "supersedes" or .key == "candidateIds") | .value | .items // . | select(has("type")) | .type]
			| length > 0 and all(. == ["integer","string"])' >/dev/null || fail "$program"
	done
}

@test "section 3: each setting has its default and its effect" {
	local key value
	: >config.yaml
	good lessons-status -j
	[ "$(jq -c .limits out)" = '{"projectMinOccurrences":2,"globalMinOccurrences":4,"globalMinProjects":3,"maxLessonWords":20,"maxEvidenceWords":20,"maxRecallLessons":30,"maxRecallBytes":8192}' ]
	for key in projectMinOccurrences globalMinOccurrences globalMinProjects maxLessonWords maxEvidenceWords maxRecallLessons maxRecallBytes; do
		for value in 64 9007199254740991; do
			printf 'lessons: {%s: %s}\n' $key $value >config.yaml
			good lessons-status -j
			[ "$(jq ".limits.$key" out)" = $value ] || fail "$key: $(<out)"
		done
		for value in 0 -1 1.5 '"20"' null '~' 9007199254740992 1e3 0x10 020 +5 '[1]' '{a: 1}' '' 99999999999999999999; do
			printf 'lessons:\n  %s: %s\n' $key "$value" >config.yaml
			run_ lessons-status </dev/null
			[ "$rc" -eq 4 ] && grep -q "lessons.$key" err && [ ! -s out ] || fail "$key: $value: $rc $(<err)"
			run_ lessons-recall </dev/null
			[ "$rc" -eq 0 ] && [ "$(wc -l <err)" = 1 ] && grep -q "lessons.$key" err || fail "recall, $key: $value: $rc $(<err)"
		done
	done
	printf 'lessons: {maxRecallBytes: 63}\n' >config.yaml
	run_ lessons-status </dev/null
	[ "$rc" -eq 4 ] && grep -q maxRecallBytes err
	printf 'lessons: {maxLesson: 3}\n' >config.yaml
	run_ lessons-status </dev/null
	[ "$rc" -eq 4 ] && grep -q 'lessons.maxLesson' err
	printf 'notes: {maxLesson: 3}\nlessons:\n' >config.yaml
	good lessons-status
	printf 'lessons: 7\n' >config.yaml
	run_ lessons-status </dev/null
	[ "$rc" -eq 4 ]
	printf 'lessons: [\n' >config.yaml
	run_ lessons-status </dev/null
	[ "$rc" -eq 4 ] && grep -q config.yaml err
}

@test "section 3: databasePath: relative to the file's directory, below home, or whole" {
	local given want
	while read -r given want; do
		printf 'lessons: {databasePath: %s}\n' "$given" >config.yaml
		good lessons-status -j
		[ "$(jq -r .database out)" = "$want" ] || fail "$given: $(jq -r .database out)"
	done <<END
d.db $PWD/d-v9.db
../x/d.db ${PWD%/*}/x/d-v9.db
~/d.db $HOME/d-v9.db
/srv/d.db /srv/d-v9.db
"quoted-v3.db" $PWD/quoted-v9.db
END
	for given in '""' '":memory:"' null '[a]' sub/; do
		printf 'lessons:\n  databasePath: %s\n' "$given" >config.yaml
		run_ lessons-status </dev/null
		[ "$rc" -eq 4 ] && grep -q lessons.databasePath err || fail "$given: $rc $(<err)"
	done
	printf 'lessons: {databasePath: d.db}\n' >config.yaml
	XDG_DATA_HOME=$PWD/data good lessons-status -j
	[ "$(jq -r .database out)" = "$PWD/d-v9.db" ]
	: >config.yaml
	XDG_DATA_HOME=$PWD/data good lessons-status -j
	[ "$(jq -r .database out)" = "$PWD/data/ctxtools/memory-v9.sqlite3" ]
}

@test "section 3: a lower limit hides and rewrites nothing that is stored" {
	good lessons-add 'One two three four five.' --evidence 'six seven eight'
	learn pi:s2 'One two three four.'
	learn pi:s3 'One two three four.'
	sql 'SELECT * FROM lessons' >before
	printf 'lessons: {maxLessonWords: 1, maxEvidenceWords: 1}\n' >config.yaml
	good lessons-recall
	grep -q 'One two three four five.' out
	good lessons-show 1
	grep -q 'six seven eight' out
	good lessons-move 1 --to global
	good lessons-move 1 --to project
	sql 'SELECT * FROM lessons' | cmp - before
	# A group's text is new, and bound.
	CTX_SESSION=pi:e start_evaluation
	CTX_SESSION=pi:e json 2 memory-evaluate "$(jq -nc --arg id "$ID" --argjson g "[$(group '[1]' project 'One two.')]" '{evaluationId: $id, groups: $g}')"
	grep -q 'groups\[0\].text: 2 words' err
}

@test "section 3: a store that is busy longer than five seconds: exit 4, and it says so" {
	local holder
	good lessons-add 'One.'
	mkfifo hold
	sqlite3 "$DB" >held <hold &
	holder=$!
	exec 7>hold
	printf 'BEGIN IMMEDIATE;\nSELECT 1;\n' >&7
	until [ -s held ]; do sleep 0.05; done
	run_ lessons-add 'Two.' </dev/null
	[ "$rc" -eq 4 ] && grep -q 'database is busy' err && [ ! -s out ] || fail "$rc $(<err)"
	# Reading goes on beside it.
	good lessons-list
	exec 7>&-
	wait $holder
	[ "$(sql 'SELECT count(*) FROM lessons')" = 1 ]
}

@test "section 3.1: every trigger stops what it is there to stop" {
	local statement
	good lessons-add 'One.'
	good lessons-add --supersedes 1 'Two.'
	good lessons-add 'Three.'
	learn pi:s2 'C.'
	learn pi:s3 'C.'
	learn pi:s3 'D.'
	CTX_SESSION=pi:e start_evaluation
	CTX_SESSION=pi:e propose_groups "[$(group '[1]' project 'C.'),$(group '[2]' project 'D.' false)]"
	good lessons-review --decision finish --approve 0
	good lessons-export --format jsonl
	cp out before
	while IFS= read -r statement; do
		run sqlite3 "$DB" "PRAGMA foreign_keys = OFF; $statement"
		[ "$status" -ne 0 ] || fail "went through: $statement"
	done < <(
		for column in id scope text text_key evidence basis source_harness source_session created_at updated_at revision supersedes_id; do
			echo "UPDATE lessons SET $column = $column WHERE id = 2"
		done
		for column in id project text text_key evidence basis created_at; do
			echo "UPDATE candidates SET $column = $column WHERE id = 2"
		done
		cat <<'END'
UPDATE lessons SET archived = 1 WHERE id = 2
UPDATE lessons SET archived = 0 WHERE id = 1
UPDATE lessons SET archived_at = 1785571299999 WHERE id = 1
UPDATE lessons SET archived_at = 1785571299999 WHERE id = 2
DELETE FROM lessons
DELETE FROM activity
DELETE FROM candidates
INSERT OR REPLACE INTO lessons SELECT id, scope, 'n', 'n', evidence, basis, source_harness, source_session, created_at, updated_at, revision, archived, archived_at, supersedes_id FROM lessons WHERE id = 3
INSERT OR REPLACE INTO lessons SELECT 99, scope, text, text_key, evidence, basis, source_harness, source_session, created_at, updated_at, revision, archived, archived_at, NULL FROM lessons WHERE id = 3
INSERT OR REPLACE INTO lessons SELECT 99, scope, 'n', 'n', evidence, basis, source_harness, source_session, created_at, updated_at, revision, 0, NULL, 1 FROM lessons WHERE id = 3
INSERT INTO lessons SELECT 99, scope, 'n', 'n', evidence, basis, source_harness, source_session, created_at, updated_at, revision, 0, NULL, 3 FROM lessons WHERE id = 3
INSERT INTO lessons SELECT 99, '/x', 'n', 'n', evidence, basis, source_harness, source_session, created_at, updated_at, revision, 0, NULL, 1 FROM lessons WHERE id = 3
UPDATE activity SET reason = 'x' WHERE id = 1
INSERT OR REPLACE INTO activity SELECT * FROM activity WHERE id = 1
UPDATE candidates SET status = 'pending', lesson_id = NULL WHERE id = 1
UPDATE candidates SET lesson_id = 2 WHERE id = 1
UPDATE candidates SET status = 'promoted' WHERE id = 2
INSERT OR REPLACE INTO candidates SELECT id, project, 'n', 'n', evidence, basis, created_at, status, lesson_id FROM candidates WHERE id = 2
INSERT OR REPLACE INTO candidates SELECT 99, project, text, text_key, evidence, basis, created_at, status, lesson_id FROM candidates WHERE id = 2
UPDATE candidate_observations SET basis = basis
DELETE FROM candidate_observations
INSERT OR REPLACE INTO candidate_observations SELECT * FROM candidate_observations WHERE id = 1
INSERT OR REPLACE INTO candidate_observations SELECT 99, candidate_id, wording, evidence, basis, origin, owner_key, created_at, independence_key FROM candidate_observations WHERE id = 1
UPDATE candidate_exposures SET created_at = created_at
DELETE FROM candidate_exposures
INSERT OR REPLACE INTO candidate_exposures SELECT candidate_id, independence_key, 99, 99 FROM candidate_exposures LIMIT 1
UPDATE candidate_evaluations SET highwater = highwater
DELETE FROM candidate_evaluations
INSERT OR REPLACE INTO candidate_evaluations SELECT * FROM candidate_evaluations LIMIT 1
UPDATE candidate_evaluation_groups SET text = text
DELETE FROM candidate_evaluation_groups
INSERT OR REPLACE INTO candidate_evaluation_groups SELECT * FROM candidate_evaluation_groups LIMIT 1
UPDATE candidate_group_members SET group_index = group_index
DELETE FROM candidate_group_members
INSERT OR REPLACE INTO candidate_group_members SELECT evaluation_id, group_index + 1, candidate_id FROM candidate_group_members LIMIT 1
INSERT INTO lessons SELECT 0, scope, 'n', 'n', evidence, basis, source_harness, NULL, 1, 1, 1, 0, NULL, NULL FROM lessons WHERE id = 3
INSERT INTO lessons SELECT 9007199254740992, scope, 'n', 'n', evidence, basis, source_harness, NULL, 1, 1, 1, 0, NULL, NULL FROM lessons WHERE id = 3
INSERT INTO lessons SELECT 99, scope, '', 'n', evidence, basis, source_harness, NULL, 1, 1, 1, 0, NULL, NULL FROM lessons WHERE id = 3
INSERT INTO lessons SELECT 99, scope, 'n', 'n', evidence, 'guess', source_harness, NULL, 1, 1, 1, 0, NULL, NULL FROM lessons WHERE id = 3
INSERT INTO lessons SELECT 99, scope, 'n', 'n', evidence, basis, source_harness, NULL, 9, 9, 1, 1, 8, NULL FROM lessons WHERE id = 3
INSERT INTO candidates SELECT 99, project, 'n', 'n', evidence, 'import', created_at, status, lesson_id FROM candidates WHERE id = 2
INSERT INTO activity SELECT 99, lesson_id, 'edit', at, actor, provider, model, harness, session, reason, details, historical FROM activity WHERE id = 1
INSERT INTO activity SELECT 99, lesson_id, action, at, 'robot', provider, model, harness, session, reason, details, historical FROM activity WHERE id = 1
INSERT INTO activity SELECT 99, lesson_id, action, at, actor, provider, model, harness, session, reason, '{', historical FROM activity WHERE id = 1
END
	)
	good lessons-export --format jsonl
	cmp out before
	# A move, a refused one too, leaves them all in place.
	good lessons-add --global 'Three.'
	refused duplicate lessons-move 3 --to global
	run sqlite3 "$DB" 'UPDATE lessons SET scope = scope WHERE id = 3'
	[ "$status" -ne 0 ]
}

@test "section 3.3: the rows of each mutation, and none for reads, refusals and repetitions" {
	local n
	rows() {
		sql "SELECT lesson_id, action, details, historical FROM activity WHERE id > $n ORDER BY id"
	}
	n=0
	good lessons-add 'One.'
	[ "$(rows)" = "1|create|{\"scope\":\"$APP\",\"predecessor_id\":null}|0" ]
	n=1
	good lessons-add --supersedes 1 'Two.'
	[ "$(rows)" = "2|create|{\"scope\":\"$APP\",\"predecessor_id\":1}|0
1|supersede|{\"before\":\"active\",\"after\":\"archived\",\"successor_id\":2}|0" ]
	n=3
	good lessons-move 2 --to global
	[ "$(rows)" = "1|move|{\"before\":\"$APP\",\"after\":\"global\"}|0
2|move|{\"before\":\"$APP\",\"after\":\"global\"}|0" ]
	n=5
	good lessons-archive 2
	[ "$(rows)" = '2|archive|{"before":"active","after":"archived"}|0' ]
	n=6
	printf -- '- Three.\n' >"$APP/l.md"
	good lessons-import l.md
	[ "$(rows)" = "3|import|{\"scope\":\"$APP\",\"predecessor_id\":null}|0" ]
	n=7
	learn pi:s2 'C.'
	learn pi:s3 'C.'
	CTX_SESSION=pi:e start_evaluation
	CTX_SESSION=pi:e propose_groups "[$(group '[1]' project 'C.')]"
	[ -z "$(rows)" ]
	good lessons-review --decision finish --approve 0
	[ "$(rows)" = "4|create|{\"scope\":\"$APP\",\"predecessor_id\":null}|0" ]
	n=8
	for program in lessons-list 'lessons-show 1' 'lessons-history 1' lessons-recall lessons-status lessons-check lessons-export 'lessons-archive 2' \
		'lessons-add Three.' 'lessons-import l.md' 'lessons-archive 99' 'lessons-move 3 --to project' 'lessons-add X --supersedes 1' 'lessons-import l.md --dry-run' \
		'lessons-audit' 'lessons-audit cancel'; do
		# shellcheck disable=SC2086
		run_ $program --anywhere </dev/null
		# shellcheck disable=SC2086
		[ "$rc" -ne 2 ] || run_ $program </dev/null
		[ "$rc" -ne 2 ] && [ -z "$(rows)" ] || fail "$program: $rc $(rows)"
	done
}

@test "section 14: the worked example" {
	local same='{"action":"add","text":"Run the linter before pushing.","evidence":"CI failed twice.","basis":"validated_learning"}'
	json 0 memory "$same"
	[ "$(<out)" = '{"status":"candidate staged","message":"Stored as a private candidate of this session. Only an evaluation approved by the user can publish it."}' ]
	good lessons-recall -t
	printf 'PROJECT LESSONS\n\nSESSION CANDIDATES (private)\n- Run the linter before pushing. #C1\n' | diff -u - out
	CTX_SESSION=pi:s2 json 0 memory "$same"
	CTX_SESSION=pi:s3 start_evaluation
	CTX_SESSION=pi:s3 propose_groups "[$(group '[1]' project 'Run the linter before pushing.')]"
	good lessons-review --decision finish --approve 0
	printf 'evaluation finished: 1 promoted, 0 pending (0 new)\ngroup 0: lesson #1 created\n' | diff -u - out
	good lessons-add 'Tag releases from main only.'
	[ "$(<out)" = "#2 saved in $APP" ]
	CTX_SESSION=pi:s3 json 3 memory "$same"
	[ "$(<out)" = '{"error":"writes are blocked until a fresh prompt (lessons-session prompt)","code":"barrier"}' ]
}
