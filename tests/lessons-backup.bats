#!/usr/bin/env bats
# lessons-backup: spec/lessons.md section 9.4.

load common
load lessons

setup() {
	lessons_setup
	mkdir copies
	COPIES=$(cd copies && pwd -P)
}

@test "a name with the time, then with a number; 0600, one file, whole" {
	good lessons-add 'One.'
	good lessons-backup "$COPIES" -j
	[ "$(jq -r .file out)" = "$COPIES/memory-v9-20260801T080000Z.sqlite3" ]
	[ "$(jq .bytes out)" = "$(stat -c %s "$COPIES/memory-v9-20260801T080000Z.sqlite3")" ]
	good lessons-backup "$COPIES"
	[ "$(<out)" = "backup written to $COPIES/memory-v9-20260801T080000Z-2.sqlite3" ]
	[ "$(find copies -type f | wc -l)" = 2 ]
	[ "$(stat -c %a copies/*-2.sqlite3)" = 600 ]
	[ "$(sqlite3 "$COPIES/memory-v9-20260801T080000Z.sqlite3" 'PRAGMA integrity_check; SELECT text FROM lessons')" = $'ok\nOne.' ]
}

@test "no store, no directory" {
	refused not_found lessons-backup "$COPIES"
	good lessons-add 'One.'
	refused unwritable lessons-backup "$COPIES/none"
	refused unwritable lessons-backup "$DB"
	[ "$(find copies -type f | wc -l)" = 0 ]
}

@test "taken in a loop while another process writes: whole, and one committed state" {
	local file n
	good lessons-add 'Zero.'
	(for i in $(seq 60); do lessons-add "Lesson $i." >/dev/null 2>&1 </dev/null; done) &
	for i in $(seq 15); do
		good lessons-backup "$COPIES" -j
		file=$(jq -r .file out)
		[ "$(sqlite3 "$file" 'PRAGMA integrity_check')" = ok ]
		n=$(sqlite3 "$file" 'SELECT count(*) FROM lessons')
		[ "$(sqlite3 "$file" 'SELECT count(*) FROM activity')" = "$n" ]
		[ "$(sqlite3 "$file" 'SELECT max(id) FROM lessons')" = "$n" ]
	done
	wait
}
