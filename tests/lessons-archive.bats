#!/usr/bin/env bats
# lessons-archive: spec/lessons.md section 9.2.

load common
load lessons

setup() {
	lessons_setup
	good lessons-add 'One.'
}

@test "archived, then already archived; time and activity stay" {
	good lessons-archive '#1' --reason 'Old.' -j
	[ "$(<out)" = "{\"id\":1,\"archived\":true,\"changed\":true,\"scope\":\"$APP\"}" ]
	[ "$(sql 'SELECT action, actor, reason, details FROM activity WHERE id = 2')" = 'archive|user|Old.|{"before":"active","after":"archived"}' ]
	CTX_NOW_MS=1785571300000 good lessons-archive 1
	[ "$(<out)" = "lesson #1 was already archived in $APP" ]
	[ "$(sql 'SELECT archived_at FROM lessons')" = 1785571200000 ]
	[ "$(sql 'SELECT count(*) FROM activity')" = 2 ]
}

@test "archive time is not before creation" {
	CTX_NOW_MS=1000 good lessons-archive 1
	[ "$(sql 'SELECT archived_at FROM lessons')" = 1785571200000 ]
}

@test "not found, out of scope, anywhere" {
	mkdir other
	refused not_found lessons-archive 9
	CTX_CWD=$PWD/other refused out_of_scope lessons-archive 1
	CTX_CWD=$PWD/other refused not_found lessons-archive 9
	CTX_CWD=$PWD/other good lessons-archive 1 --anywhere
	usage id lessons-archive 01
	usage reason lessons-archive 1 --reason "$(printf 'x%.0s' {1..601})"
}
