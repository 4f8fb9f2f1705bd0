#!/usr/bin/env bats
# lessons-import: spec/lessons.md section 9.4.

load common
load lessons

setup() {
	lessons_setup
}

@test "Markdown: items, continuation, numbers, BOM and CRLF" {
	printf '\xef\xbb\xbf# Lessons\r\n\r\n- One.\r\n* Two\r\n  more.\r\n\r\n+ Three.\r\n12. Four.\r\n3) Five.\r\n' >"$APP/l.md"
	hash=$(sha256sum "$APP/l.md" | cut -d' ' -f1)
	good lessons-import l.md -j
	[ "$(<out)" = "{\"format\":\"markdown\",\"sha256\":\"$hash\",\"items\":5,\"added\":5,\"skipped\":0,\"dry_run\":false,\"scope\":\"$APP\"}" ]
	[ "$(sql 'SELECT text FROM lessons ORDER BY id')" = $'One.\nTwo\nmore.\nThree.\nFour.\nFive.' ]
	[ "$(sql 'SELECT DISTINCT basis, evidence FROM lessons')" = "import|sha256:$hash" ]
	[ "$(sql 'SELECT DISTINCT action FROM activity')" = import ]
	good lessons-import l.md
	[ "$(<out)" = '0 added, 5 skipped' ]
	good lessons-archive 1
	good lessons-import l.md --dry-run
	[ "$(<out)" = '1 would be added, 4 would be skipped' ]
	[ "$(sql 'SELECT count(*) FROM lessons')" = 5 ]
	good lessons-import l.md --global -j
	[ "$(jq -r .scope out)" = global ]
	good lessons-check
}

@test "a dry run without a store makes none; duplicates within the file" {
	printf -- '- A.\n- B.\n-  A.\n' >"$APP/l.md"
	good lessons-import l.md --dry-run -j
	[ "$(jq -c '[.items, .added, .skipped, .dry_run]' out)" = '[3,2,1,true]' ]
	[ ! -e "$HOME/.local" ]
	good lessons-import l.md
	[ "$(<out)" = '2 added, 1 skipped' ]
}

@test "any error: lines are named, nothing is saved" {
	{
		echo 'prose'
		echo '- good'
		echo '- a b c d e f g h i j k l m n o p q r s t u'
		seq 30 | sed 's/^/prose /'
	} >"$APP/l.md"
	refused bad_import lessons-import l.md
	grep -q 'line 1: ' out && grep -q 'line 3: ' out && grep -q 'and 12 more' out || fail "$(<out)"
	[ ! -e "$DB" ]
	printf 'x\xff\n' >"$APP/l.md"
	refused bad_import lessons-import l.md
	: >"$APP/l.md"
	refused bad_import lessons-import l.md
	seq 501 | sed 's/^/- /' >"$APP/l.md"
	refused bad_import lessons-import l.md
	seq 500 | sed 's/^/- /' >"$APP/l.md"
	good lessons-import l.md
}

@test "files: too large, FIFO, link, missing, changed" {
	head -c 1048577 /dev/zero | tr '\0' x >"$APP/l.md"
	refused unreadable lessons-import l.md
	mkfifo "$APP/fifo"
	refused unreadable lessons-import fifo
	echo '- a' >"$APP/real.md"
	ln -s real.md "$APP/link"
	refused unreadable lessons-import link
	refused unreadable lessons-import nowhere
	refused unreadable lessons-import .
	refused changed lessons-import real.md --expect-sha256 "$(printf '0%.0s' {1..64})"
	usage --expect-sha256 lessons-import real.md --expect-sha256 abc
	good lessons-import real.md --expect-sha256 "$(sha256sum "$APP/real.md" | cut -c1-64 | tr a-f A-F)"
	usage global lessons-import real.md --format jsonl --global
}

@test "JSONL: each kind of fault names its line, and saves nothing" {
	local edit
	good lessons-add 'One.'
	learn pi:s1 'A.'
	good lessons-export --format jsonl good.jsonl
	refused not_empty lessons-import --format jsonl good.jsonl
	export CTX_LESSONS_DB=$PWD/fresh.sqlite3
	while read -r edit; do
		sed "$edit" "$APP/good.jsonl" >"$APP/bad.jsonl"
		cmp -s "$APP/good.jsonl" "$APP/bad.jsonl" && fail "no edit: $edit"
		refused bad_import lessons-import --format jsonl bad.jsonl
		grep -q 'line [0-9]*: ' out || fail "$edit: $(<out)"
		[ "$(sqlite3 fresh-v9.sqlite3 'SELECT count(*) FROM lessons')" = 0 ] || fail "$edit"
	done <<'END'
1s/9/8/
s/"table":"candidates"/"table":"nothing"/
s/"id":1,"scope"/"id":1,"x":1,"scope"/
s/"revision":1,//
s/"created_at":1785571200000,"updated_at"/"created_at":"x","updated_at"/
s/"text":"One."/"text":"Two."/
s/"lesson_id":1,/"lesson_id":7,/
s/"basis":"user_request"/"basis":"nonsense"/
2s/}}$/}/
$s/"candidate_id":1/"candidate_id":9/
END
	good lessons-import --format jsonl good.jsonl
	good lessons-check
}

@test "a store with a live log is exported with its rows" {
	good lessons-add 'One.'
	sqlite3 "$DB" <<END >/dev/null &
PRAGMA journal_mode;
BEGIN; SELECT count(*) FROM lessons;
.shell sleep 2
END
	sleep 0.3
	good lessons-add 'Two.'
	[ -s "$DB-wal" ]
	good lessons-export --format jsonl live.jsonl
	wait
	export CTX_LESSONS_DB=$PWD/fresh.sqlite3
	good lessons-import --format jsonl live.jsonl
	good lessons-list -t
	grep -q Two out
}
