#!/usr/bin/env bats
# lessons-check: spec/lessons.md section 9.4.

load common
load lessons

setup() {
	lessons_setup
	rc=0
}

full() {
	good lessons-add 'One.'
	good lessons-add --supersedes 1 'Two.'
	good lessons-archive 2
	learn pi:s1 'A.'
	learn pi:s2 'A.'
	CTX_SESSION=pi:e start_evaluation
	CTX_SESSION=pi:e propose_groups "[$(group '[1]' project 'A.')]"
	good lessons-review --decision finish --approve 0
	learn pi:s2 'B.'
}

@test "all is well, even where nothing is" {
	good lessons-check -j
	[ "$(<out)" = '{"ok":true,"checks":["integrity","foreign_keys","schema","keys","chains","activity","candidates","evaluations"],"problems":[],"lessons":0,"candidates":0}' ]
	full
	good lessons-check -t
	[ "$(<out)" = 'ok: 3 lessons, 2 candidates' ]
}

@test "each kind of fault is found, with exit 4 and both surfaces" {
	local check damage
	full
	cp "$DB" good.sqlite3
	while IFS=$'\t' read -r check damage; do
		cp good.sqlite3 "$DB"
		rm -f "$DB-wal" "$DB-shm"
		sqlite3 "$DB" "PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON; $damage" >/dev/null || fail "$damage"
		run_ lessons-check -j </dev/null
		[ $rc -eq 4 ] || fail "$damage: exit $rc $(<out)"
		jq -e --arg c "$check" '.ok == false and any(.problems[]; .check == $c)' out >/dev/null || fail "$damage: $(<out)"
		run_ lessons-check -t </dev/null
		[ $rc -eq 4 ] && grep -q "^$check: " out
	done <<'END'
schema	DROP TRIGGER lessons_no_delete
schema	DROP INDEX lessons_recall
schema	DROP TABLE candidate_group_members
keys	DROP TRIGGER lessons_immutable; UPDATE lessons SET text_key = 'x' WHERE id = 3
keys	DROP TRIGGER candidates_immutable; UPDATE candidates SET text_key = 'x' WHERE id = 2
chains	DROP TRIGGER lessons_archive_only; UPDATE lessons SET archived = 0, archived_at = NULL WHERE id = 1
chains	DROP TRIGGER lessons_immutable; UPDATE lessons SET scope = '/x' WHERE id = 1
chains	DROP TRIGGER lessons_immutable; UPDATE lessons SET supersedes_id = 3 WHERE id = 3
chains	DROP INDEX lessons_active_text; DROP TRIGGER lessons_immutable; DROP TRIGGER lessons_archive_only; UPDATE lessons SET text_key = (SELECT text_key FROM lessons WHERE id = 3), archived = 0, archived_at = NULL
activity	DROP TRIGGER activity_no_delete; DELETE FROM activity WHERE action = 'archive'
activity	DROP TRIGGER activity_no_delete; DELETE FROM activity WHERE id = 1
activity	INSERT INTO activity SELECT 99, lesson_id, action, at, actor, provider, model, harness, session, reason, details, historical FROM activity WHERE id = 1
candidates	DROP TRIGGER candidates_promotion_only; UPDATE candidates SET status = 'pending' WHERE id = 1
candidates	DROP TRIGGER candidate_observations_no_delete; DELETE FROM candidate_observations WHERE candidate_id = 2
candidates	DROP TRIGGER candidate_observations_immutable; UPDATE candidate_observations SET owner_key = '["x","y"]' WHERE id = 1
foreign_keys	DROP TRIGGER candidates_promotion_only; UPDATE candidates SET lesson_id = 77 WHERE id = 1
evaluations	UPDATE candidate_state SET value = 99 WHERE key = 'evaluation_highwater'
evaluations	DELETE FROM candidate_state WHERE key = 'marker'
evaluations	DROP TRIGGER candidate_group_members_no_delete; DELETE FROM candidate_group_members
END
}

@test "a damaged file is a problem, not a crash" {
	full
	dd if=/dev/urandom of="$DB" bs=1 seek=8192 count=12288 conv=notrunc status=none
	run_ lessons-check -j </dev/null
	[ $rc -eq 4 ]
	[ ! -s out ] || jq -e '.ok == false and (.problems | length) > 0' out
}

@test "many problems: at most 100 and bounded, the rest counted" {
	good lessons-add 'One.'
	sqlite3 "$DB" "WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 400)
		INSERT INTO lessons SELECT i, scope, 'x' || i, 'k' || i, 'e', basis, 'h', NULL, 1, 1, 1, 0, NULL, NULL FROM lessons, n"
	run_ lessons-check -j </dev/null
	[ $rc -eq 4 ] && [ "$(wc -c <out)" -le 32769 ]
	jq -e '(.problems | length) == 100 and .omitted > 0' out
	run_ lessons-check -t </dev/null
	grep -qE '^and [0-9]+ more$' out
}
