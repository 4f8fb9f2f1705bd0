#!/usr/bin/env bats
# lessons-history: spec/lessons.md sections 3.3 and 9.1.

load common
load lessons

setup() {
	lessons_setup
	good lessons-add 'One.'
	CTX_NOW_MS=1785571201000 good lessons-move 1 --to global --reason 'Everywhere.'
	CTX_SESSION='' CTX_NOW_MS=1785571202000 good lessons-archive 1
}

@test "the latest first, both surfaces" {
	good lessons-history 1 -t
	diff -u - out <<END
2026-08-01T08:00:02.000Z archive by user (cli) active -> archived
2026-08-01T08:00:01.000Z move by user (pi:s1) $APP -> global: Everywhere.
2026-08-01T08:00:00.000Z create by user (pi:s1)
END
	good lessons-history 1 -j
	jq -e '.next_offset == null and (.events[1] | keys_unsorted) == ["id","lesson_id","action","at","actor",
		"provider","model","harness","session","reason","details","historical"]
		and .events[1].details.after == "global" and .events[0].session == null
		and .events[0].reason == null and .events[0].historical == false' out
	good lessons-history 1 -j --limit 1 --offset 1
	jq -e '.next_offset == 2 and [.events[].action] == ["move"]' out
}

@test "a time that is not known counts as the creation" {
	sqlite3 "$DB" "INSERT INTO activity VALUES (9, 1, 'archive', NULL, 'unknown', NULL, NULL, 'h', NULL, NULL, '{}', 1)"
	good lessons-history 1 -t
	[ "$(sed -n 3p out)" = 'unknown archive by unknown (h)' ]
	[ "$(wc -l <out)" = 4 ]
}

@test "refusals" {
	refused not_found lessons-history 5
	mkdir other
	good lessons-add 'Two.'
	CTX_CWD=$PWD/other refused out_of_scope lessons-history 2
	CTX_CWD=$PWD/other good lessons-history 2 --anywhere
}
