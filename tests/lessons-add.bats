#!/usr/bin/env bats
# lessons-add: spec/lessons.md sections 3 and 9.2.

load common
load lessons

setup() {
	lessons_setup
	rc=0
}

@test "saved, already exists, global; both surfaces" {
	good lessons-add 'Run make check.' -j
	[ "$(<out)" = "{\"id\":1,\"status\":\"saved\",\"scope\":\"$APP\"}" ]
	good lessons-add ' Run  make check. ' -j
	[ "$(<out)" = "{\"id\":1,\"status\":\"already exists\",\"scope\":\"$APP\"}" ]
	good lessons-add 'Run make check.' --global
	[ "$(<out)" = '#2 saved in global' ]
	good lessons-add 'Run make check.'
	[ "$(<out)" = "#1 already exists in $APP" ]
	[ "$(sql 'SELECT basis, evidence, source_harness, source_session FROM lessons WHERE id = 1')" = 'user_request|user-supplied|pi|s1' ]
	[ "$(sql 'SELECT count(*) FROM activity')" = 2 ]
	[ "$(sql 'SELECT actor, provider, model FROM activity WHERE id = 1')" = 'user||' ]
}

@test "supersedes: memory's answer, and its refusals" {
	good lessons-add 'One.'
	good lessons-add 'Two.'
	good lessons-add 'One, better.' --supersedes '#1' -j
	[ "$(<out)" = "{\"status\":\"superseded\",\"id\":3,\"supersedes_id\":1,\"scope\":\"$APP\"}" ]
	good lessons-add 'One, best.' --supersedes 3
	[ "$(<out)" = "lesson #4 replaces #3 in $APP" ]
	refused archived lessons-add 'X.' --supersedes 1
	refused duplicate lessons-add 'Two.' --supersedes 4
	grep -q '#2' out
	refused not_found lessons-add 'X.' --supersedes 99
	usage global lessons-add 'X.' --global --supersedes 4
	mkdir other
	CTX_CWD=$PWD/other refused out_of_scope lessons-add 'X.' --supersedes 4
	grep -q -- "$APP" out && grep -q anywhere out
}

@test "text and evidence have the limits of section 2.3" {
	usage text lessons-add ' '
	usage text lessons-add "$(printf 'x%.0s' {1..1201})"
	usage 'text: 21 words' lessons-add 'a b c d e f g h i j k l m n o p q r s t u'
	usage evidence lessons-add a --evidence $'\a'
	good lessons-add "$(printf 'x%.0s' {1..1200})"
	good lessons-add --text 'as an option' -t
}

@test "a store that is made: 0700, 0600, WAL, and said on stderr with its siblings" {
	mkdir -p "$HOME/.local/share/ctxtools"
	: >"$HOME/.local/share/ctxtools/memory.sqlite3"
	sqlite3 "$HOME/.local/share/ctxtools/memory-v8.sqlite3" 'CREATE TABLE t(x); PRAGMA user_version = 8; PRAGMA application_id = 1347241293'
	cp "$HOME/.local/share/ctxtools/memory-v8.sqlite3" v8
	good lessons-add 'One.'
	grep -q "created $DB" err && grep -q 'left alone: .*memory-v8.sqlite3, .*memory.sqlite3' err || fail "$(<err)"
	cmp v8 "$HOME/.local/share/ctxtools/memory-v8.sqlite3"
	[ "$(stat -c %a "$DB")" = 600 ]
	[ "$(sql 'PRAGMA journal_mode')" = wal ]
	[ "$(sql 'PRAGMA application_id')" = 1347241293 ] && [ "$(sql 'PRAGMA user_version')" = 9 ]
	good lessons-add 'Two.'
	[ ! -s err ]
	rm -rf "$HOME/.local"
	good lessons-add 'One.'
	[ "$(stat -c %a "$HOME/.local/share/ctxtools")" = 700 ]
}

@test "the base of the database: option, variables, settings, in that order" {
	local base
	printf 'lessons: {databasePath: sub/d.db}\n' >config.yaml
	export CTX_CONFIG=$PWD/config.yaml
	good lessons-status -j
	[ "$(jq -r .database out)" = "$PWD/sub/d-v9.db" ]
	export PI_MEMORY_DB=$PWD/pi.sqlite3
	good lessons-status -j
	[ "$(jq -r .database out)" = "$PWD/pi-v9.sqlite3" ]
	export CTX_LESSONS_DB=\~/ctx-v3.sqlite3
	good lessons-status -j
	[ "$(jq -r .database out)" = "$HOME/ctx-v9.sqlite3" ]
	while read -r base target; do
		good lessons-status -j --db "$PWD/$base"
		[ "$(jq -r .database out)" = "$PWD/$target" ] || fail "$base: $(<out)"
	done <<'END'
a a-v9
a.b.c a.b-v9.c
.hidden .hidden-v9
x-v12.sqlite3 x-v9.sqlite3
x-v.sqlite3 x-v-v9.sqlite3
x-v9 x-v9
END
	unset PI_MEMORY_DB
	for base in rel/d.db '' :memory: /a/; do
		# An option without a value is as one that is not given.
		[ -z "$base" ] || run_ lessons-status --db "$base" </dev/null
		[ -z "$base" ] || [ $rc -eq 2 ] || fail "--db '$base': $rc"
		CTX_LESSONS_DB=$base run_ lessons-status </dev/null
		[ $rc -eq 4 ] && grep -q CTX_LESSONS_DB err || fail "'$base': $rc $(<err)"
	done
}

@test "a target that is missing: a base of ours is used, a lone log is not touched" {
	good lessons-add 'One.'
	cp "$DB" own.sqlite3
	good lessons-status -j --db "$PWD/own.sqlite3"
	[ "$(jq -r '.database, .lessons.project.active' out)" = "$PWD/own.sqlite3"$'\n1' ]
	local suffix
	for suffix in -wal -shm -journal; do
		: >"lone-v9.sqlite3$suffix"
		run_ lessons-add 'X.' --db "$PWD/lone.sqlite3" </dev/null
		[ $rc -eq 4 ] && grep -q "lone-v9.sqlite3$suffix" err
		[ ! -e lone-v9.sqlite3 ]
		rm "lone-v9.sqlite3$suffix"
	done
}

@test "section 11: a database that is not ours is refused, byte for byte unchanged" {
	local kind
	mkdir -p "$(dirname "$DB")"
	for kind in application schema both text short directory zero; do
		rm -rf "$DB"
		case $kind in
		application) sqlite3 "$DB" 'CREATE TABLE t(x); PRAGMA application_id = 7; PRAGMA user_version = 9' ;;
		schema) sqlite3 "$DB" 'CREATE TABLE t(x); PRAGMA application_id = 1347241293; PRAGMA user_version = 8' ;;
		both) sqlite3 "$DB" 'CREATE TABLE t(x)' ;;
		text) seq 1000 >"$DB" ;;
		short) printf 'SQLite format 3\0' >"$DB" ;;
		directory) mkdir "$DB" ;;
		zero) head -c 4096 /dev/zero >"$DB" ;;
		esac
		[ $kind = directory ] || cp "$DB" before
		for program in 'lessons-add X' lessons-list; do
			# shellcheck disable=SC2086
			run_ $program </dev/null
			[ $rc -eq 4 ] && [ ! -s out ] && grep -qF "$DB" err || fail "$kind, $program: $rc $(<err)"
		done
		case $kind in
		application) grep -q '7.*9' err ;;
		schema) grep -q '1347241293.*8' err ;;
		esac
		[ $kind = directory ] || cmp before "$DB"
		[ ! -e "$DB-wal" ] && [ ! -e "$DB-shm" ]
	done
}

@test "a damaged database is an error, and stays as it is" {
	good lessons-add 'One.'
	dd if=/dev/urandom of="$DB" bs=1 seek=4096 count=8192 conv=notrunc status=none
	cp "$DB" before
	run_ lessons-list </dev/null
	[ $rc -eq 4 ] && grep -qF "$DB" err
	run_ lessons-add 'Two.' </dev/null
	[ $rc -eq 4 ]
	cmp before "$DB"
}

@test "a full disk: exit 4, and nothing of it is there" {
	good lessons-add 'One.'
	run_ bash -c 'ulimit -f 100; exec lessons-add "$1"' _ "Two, which is long: $(printf 'x%.0s' {1..500})"
	for i in $(seq 60); do
		run_ bash -c 'ulimit -f 100; exec lessons-add "$1"' _ "$i $(printf 'x%.0s' {1..1100})"
		[ $rc -eq 0 ] || break
	done
	[ $rc -eq 4 ] || fail "exit $rc: $(<err)"
	local n
	n=$(sql 'SELECT count(*) FROM lessons')
	good lessons-check
	good lessons-list -j --limit 1
	[ "$(jq .total out)" = "$n" ]
}

@test "a directory that cannot be written to: reading goes on, writing is exit 4" {
	powerless
	good lessons-add 'One.'
	chmod 500 "$(dirname "$DB")"
	run_ "${AS[@]}" lessons-list -t </dev/null
	chmod 700 "$(dirname "$DB")"
	[ $rc -eq 0 ] && grep -q One out || fail "$rc $(<err)"
	chmod 400 "$DB"
	run_ "${AS[@]}" lessons-add 'Two.' </dev/null
	[ $rc -eq 4 ] || fail "$rc $(<err)"
	[ "$(sql 'SELECT count(*) FROM lessons')" = 1 ]
}

@test "20 writers at once while another process holds the lock for a second: none is refused" {
	local i pids=()
	good lessons-add 'Zero.'
	sqlite3 "$DB" <<'END' &
BEGIN IMMEDIATE;
.shell sleep 1
COMMIT;
END
	sleep 0.2
	for i in $(seq 20); do
		lessons-add "Lesson $i." >"out$i" 2>"err$i" </dev/null &
		pids+=($!)
	done
	for i in "${pids[@]}"; do
		wait "$i" || fail "$(cat err*)"
	done
	wait
	[ "$(sql 'SELECT count(*) FROM lessons')" = 21 ]
	[ "$(sql 'SELECT count(*) FROM activity')" = 21 ]
	good lessons-check
}

@test "kill -9 at any moment leaves the old state or the new one" {
	local i n
	good lessons-add 'Zero.'
	for i in $(seq 40); do
		timeout -s KILL "0.00$((i % 10 + 1))" lessons-add "Lesson $i." >/dev/null 2>&1 </dev/null || :
		[ $((i % 10)) -ne 0 ] || good lessons-check
	done
	n=$(sql 'SELECT count(*) FROM lessons')
	[ "$(sql 'SELECT count(*) FROM activity')" = "$n" ]
}

@test "two first writers make one store" {
	local i
	for i in 1 2 3 4 5 6; do
		lessons-add "Lesson $i." >/dev/null 2>&1 </dev/null &
	done
	wait
	[ "$(sql 'SELECT count(*) FROM lessons')" = 6 ]
	good lessons-check
}
