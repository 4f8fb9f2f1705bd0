#!/usr/bin/env bats
# lessons-show: spec/lessons.md section 9.1.

load common
load lessons

setup() {
	lessons_setup
	good lessons-add $'First line.\nSecond line.' --evidence 'Seen.'
}

@test "one lesson, with its successor" {
	good lessons-add --supersedes 1 'Better.'
	good lessons-show 1 -t
	diff -u - out <<END
#1 archived in $APP
First line.
Second line.
evidence: Seen.
basis: user_request
created: 2026-08-01T08:00:00.000Z
archived: 2026-08-01T08:00:00.001Z
replaced by #2
END
	good lessons-show 2 -t
	[ "$(tail -n 1 out)" = 'replaces #1' ]
	good lessons-show '#1' -j
	jq -e 'keys_unsorted == ["lesson", "successor_id"] and .successor_id == 2
		and .lesson.archived == true and .lesson.archived_at == 1785571200001' out
	good lessons-show 2 -j
	jq -e '.successor_id == null and .lesson.supersedes_id == 1' out
}

@test "not found, out of scope, anywhere" {
	mkdir other
	refused not_found lessons-show 7
	CTX_CWD=$PWD/other refused out_of_scope lessons-show 1
	grep -q -- --anywhere out
	CTX_CWD=$PWD/other good lessons-show 1 --anywhere
}
