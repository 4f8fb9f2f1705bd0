#!/usr/bin/env bats
# The database that pi-mem and these programs share (spec/lessons.md section
# 3.1): tests/lessons-shared.sql says how the other one makes it.
load common
load lessons

setup() {
	lessons_setup
	OTHER=$PWD/other.sqlite3
	sqlite3 "$OTHER" <"$ROOT/tests/lessons-shared.sql"
	# What only grows is guarded alike in five tables.
	guard candidate_observations 'id = NEW.id OR (candidate_id = NEW.candidate_id AND owner_key = NEW.owner_key)'
	guard candidate_exposures 'candidate_id = NEW.candidate_id AND independence_key = NEW.independence_key'
	guard candidate_evaluations 'id = NEW.id'
	guard candidate_evaluation_groups 'evaluation_id = NEW.evaluation_id AND group_index = NEW.group_index'
	guard candidate_group_members 'evaluation_id = NEW.evaluation_id AND candidate_id = NEW.candidate_id'
	sqlite3 "$OTHER" 'PRAGMA application_id = 1347241293; PRAGMA user_version = 9; PRAGMA journal_mode = WAL' >/dev/null
}

guard() {
	sqlite3 "$OTHER" "
		CREATE TRIGGER $1_immutable BEFORE UPDATE ON $1 BEGIN SELECT RAISE(ABORT, 'shared'); END;
		CREATE TRIGGER $1_no_delete BEFORE DELETE ON $1 BEGIN SELECT RAISE(ABORT, 'shared'); END;
		CREATE TRIGGER $1_no_replace BEFORE INSERT ON $1
		WHEN EXISTS (SELECT 1 FROM $1 WHERE $2) BEGIN SELECT RAISE(ABORT, 'shared'); END;"
}

# take_other: what the other one made is the store.
take_other() {
	export CTX_LESSONS_DB=$PWD/base.sqlite3
	DB=$PWD/base-v9.sqlite3
	cp "$OTHER" "$DB"
}

# schema <database>: every statement of it, without white space that means
# nothing and without the words of its triggers; and what SQLite keeps of it.
schema() {
	sqlite3 "$1" 'SELECT type, name, tbl_name, replace(replace(sql, char(10), char(32)), char(9), char(32))
		FROM sqlite_schema WHERE sql NOTNULL ORDER BY type, name' |
		sed -E "s/RAISE\(ABORT, '[^']*'\)/RAISE/g; s/ +/ /g; s/ ?([(),]) ?/\1/g; s/ $//"
	sqlite3 "$1" 'PRAGMA application_id; PRAGMA user_version; PRAGMA journal_mode; PRAGMA encoding;
		SELECT * FROM candidate_state'
}

@test "both make the same tables, columns, constraints, indices, triggers and pragmas" {
	good lessons-add 'One.'
	[ "$(schema "$DB" | wc -l)" -ge 46 ]
	diff <(schema "$OTHER") <(schema "$DB")
}

@test "a database that the other one made is used as ones own" {
	take_other
	sqlite3 "$DB" "INSERT INTO lessons (id, scope, text, text_key, evidence, basis, source_harness, source_session, created_at, updated_at)
		VALUES (1, '$APP', 'Run make check.', '480f1ad5c440fd77fb944d98acc8c6ae676cb994f1d92bcf9779e0f98aace003', 'CI failed.', 'validated_fix', 'pi', 's0', 5, 5);
		INSERT INTO activity VALUES (1, 1, 'create', 5, 'unknown', NULL, NULL, 'pi', 's0', NULL, '{\"scope\":\"$APP\",\"predecessor_id\":null}', 0)"
	good lessons-check
	good lessons-recall -t
	[ "$(<out)" = $'PROJECT LESSONS\n- Run make check. #1' ]
	good lessons-add --supersedes 1 'Run make check twice.'
	good lessons-move 2 --to global
	learn pi:s2 'Lint first.'
	learn pi:s3 'Lint first.'
	CTX_SESSION=pi:s4 start_evaluation
	CTX_SESSION=pi:s4 propose_groups "[$(group '[1]' project 'Lint first.')]"
	good lessons-review --decision finish --approve 0
	good lessons-archive 2
	good lessons-check
	good lessons-history 1
	[ "$(sql 'SELECT group_concat(id || action) FROM activity')" = 1create,2create,3supersede,4move,5move,6create,7archive ]
	[ "$(sql 'SELECT min(at), max(historical) FROM activity')" = '5|0' ]
	# What the other one relies on is still what it made.
	diff <(schema "$OTHER" | grep -v '^evaluation_highwater\|^marker') <(schema "$DB" | grep -v '^evaluation_highwater\|^marker')
}

@test "what the other one writes beside an open evaluation: new is new, what it counts up is stale" {
	local other
	take_other
	export CTX_SESSION=pi:e
	learn pi:s2 'Lint first.'
	# It counts up the marker for an observation more and for a disclosure, which
	# these programs do not; a candidate of its own changes nothing else.
	while IFS= read -r other; do
		good lessons-session prompt
		start_evaluation
		propose_groups "$(document | jq -c '[.candidates[] | {candidateIds: [.id], text, evidence, scope: "project", reason: "Alone.", recommend: false}]')"
		sqlite3 "$DB" "${other#*: }" || fail "$other"
		case $other in
		new:*)
			good lessons-review --decision finish -j
			[ "$(jq -c .candidates out)" = '{"pending":2,"sinceEvaluation":1}' ] || fail "$(<out)"
			;;
		stale:*) refused stale lessons-review --decision finish ;;
		esac
		good lessons-check
	done <<END
new: INSERT INTO candidates (id, project, text, text_key, evidence, basis, created_at) VALUES (2, '$APP', 'Run make check.', '480f1ad5c440fd77fb944d98acc8c6ae676cb994f1d92bcf9779e0f98aace003', 'CI.', 'validated_fix', 5); INSERT INTO candidate_observations VALUES (2, 2, 'Run make check.', 'CI.', 'validated_fix', '{"harness":"pi","session":"t1","actor":"model","provider":"acme","model":"m"}', '["pi","t1"]', 5, 't1')
stale: INSERT INTO candidate_observations VALUES (3, 2, 'Run make check.', 'CI.', 'validated_fix', '{"harness":"pi","session":"t2","actor":"model","provider":null,"model":null}', '["pi","t2"]', 6, 't2'); UPDATE candidate_state SET value = value + 1 WHERE key = 'marker'
stale: INSERT INTO candidate_exposures VALUES (1, 'elsewhere', 3, 7), (2, 'elsewhere', 3, 7); UPDATE candidate_state SET value = value + 1 WHERE key = 'marker'
END
	# Its disclosure excludes whom it disclosed to, from there on.
	learn pi:elsewhere 'Run make check.'
	good lessons-session prompt
	start_evaluation
	document | jq -e '[.candidates[] | select(.id == 2) | .observations[] | [.independenceKey, .exposed]] == [["t1",false],["t2",false],["elsewhere",true]]'
	propose_groups "[$(group '[2]' project 'Run make check.'),$(group '[1]' project 'Lint first.' false)]"
	good lessons-review --decision finish --approve 0
	[ "$(sql 'SELECT qualification FROM candidate_evaluation_groups WHERE group_index = 0 ORDER BY evaluation_id DESC LIMIT 1')" = '{"occurrences":2,"projects":1,"eligible":true,"resolvedScope":"project"}' ]
	good lessons-check
}
