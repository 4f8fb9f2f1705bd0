#!/usr/bin/env bats
# dream-begin: spec/notes.md sections 5.6, 6 to 8.

load common

setup() {
	common_setup
	export CTX_NOW_MS=1785571200000 CTX_SESSION=pi:s-1 CTX_AGENT='ana bot'
	export CTX_CWD=/srv/shop-api CTX_NOTES_HOME=$PWD/root
	S=$CTX_NOTES_HOME/pi/session/s-1
	H=$CTX_NOTES_HOME/human
	A=$CTX_NOTES_HOME/agents
	mkdir -p "$S" "$H"
}

# read_at <file> <last read, July 2026> [body]
read_at() {
	mkdir -p "${1%/*}"
	printf -- '---\nupdatedAt: 2026-06-01\nlastAccessed: 2026-07-%02d\n---\n\n%b' \
		"$2" "${3-$1}" >"$1"
}
dream() { dream-begin "$@" >out 2>err; }
links() { # links <format> <number>...: links to nowhere, as homes of agents
	local format=$1 name
	shift
	for i in "$@"; do
		# shellcheck disable=SC2059 # it is one
		printf -v name "$A/$format" 0 "$i"
		echo "$name"
	done | xargs -n 1 ln -s nowhere
}
is() { # is <name> <want> <got>
	[ "$2" = "$3" ] && return
	printf '%s\n--- want\n%s\n--- got\n%s\n' "$1" "$2" "$3" >&2
	return 1
}
surfaces() { # surfaces <arguments>: the files json and text of that call
	dream-begin <<<"$1" >out
	head -n 1 out | head -c -1 >json
	tail -n +2 out | head -c -1 >text
	[ "$(wc -c <json)" -le 32768 ] && [ "$(wc -c <text)" -le 32768 ]
}

@test "section 5.6: the whole result, byte for byte" {
	notes-write <<<'{"address":"@project/retry","content":"same\n","origin":"user"}' >out
	notes-write <<<'{"address":"plan","content":"same\n"}' >out
	notes-read plan >out
	CTX_NOW_MS=1785571260000 notes-read plan >out
	cat >"$S/old.md" <<-'END'
		---
		origin: external
		createdAt: 2026-01-01
		updatedAt: 2026-01-02T03:04:05.678+02:00
		crumpledAt: 2026-01-03
		lastAccessed: 2026-01-04
		accessCount: 41
		---
		other
	END
	ln -s old.md "$S/link.md"
	: >"$A"
	cat >want <<'END'
{"files":[{"address":"old.md","origin":"external","created_at":"2026-01-01T00:00:00.000Z","updated_at":"2026-01-02T01:04:05.678Z","last_accessed":"2026-01-04T00:00:00.000Z","access_count":41,"crumpled_at":"2026-01-03T00:00:00.000Z","bytes":158},{"address":"@project/retry.md","project_key":"shop-api-17b5613d","origin":"user","created_at":"2026-08-01T08:00:00.000Z","updated_at":"2026-08-01T08:00:00.000Z","last_accessed":"2026-08-01T08:00:00.000Z","access_count":0,"bytes":168},{"address":"plan.md","origin":"self","created_at":"2026-08-01T08:00:00.000Z","updated_at":"2026-08-01T08:00:00.000Z","last_accessed":"2026-08-01T08:01:00.000Z","access_count":2,"bytes":195}],"totals":{"files":3,"crumpled":1,"bytes":521},"duplicates":[["@project/retry.md","plan.md"]],"more":0,"homes_unavailable":["@self"],"skipped":1}
3 of 3 notes | 1 crumpled | 521 bytes
- old.md | accessed 2026-01-04T00:00:00.000Z (41) | updated 2026-01-02T01:04:05.678Z | origin external | 158 bytes | crumpled 2026-01-03T00:00:00.000Z
- @project/retry.md (project shop-api-17b5613d) | accessed 2026-08-01T08:00:00.000Z (0) | updated 2026-08-01T08:00:00.000Z | origin user | 168 bytes
- plan.md | accessed 2026-08-01T08:01:00.000Z (2) | updated 2026-08-01T08:00:00.000Z | origin self | 195 bytes
same text: @project/retry.md, plan.md
@self could not be read completely
1 entry skipped: not readable as notes
END
	dream <<<'{}'
	for f in old plan; do
		grep -q "$f.md.*\"bytes\":$(wc -c <"$S/$f.md")" out
	done
	diff -u want out
}

@test "an empty root" {
	rm -r "$CTX_NOTES_HOME"
	cat >want <<'END'
{"files":[],"totals":{"files":0,"crumpled":0,"bytes":0},"duplicates":[],"more":0,"homes_unavailable":[]}
0 of 0 notes | 0 crumpled | 0 bytes
END
	dream <<<'{}'
	diff -u want out
	[ ! -e "$CTX_NOTES_HOME" ]
}

@test "order: longest unread first, then the bytes of the address; defaults" {
	read_at "$S/b.md" 10; read_at "$S/B.md" 10; read_at "$H/z.md" 9
	printf -- '---\nupdatedAt: 2026-07-08\naccessCount: -1\n---\n' >"$S/never.md"
	printf 'bare' >"$S/bare.md"
	touch -d 2026-07-07T00:00:00Z "$S/bare.md"
	cat >want <<'END'
bare.md 2026-07-07T00:00:00.000Z 0 self
never.md 2026-07-08T00:00:00.000Z 0 self
@human/z.md 2026-07-09T00:00:00.000Z 0 self
B.md 2026-07-10T00:00:00.000Z 0 self
b.md 2026-07-10T00:00:00.000Z 0 self
END
	dream -j </dev/null
	jq -r '.files[]|"\(.address) \(.last_accessed) \(.access_count) \(.origin)"' out |
		diff -u want -
}

@test "unused_days: to the millisecond, over all that follows" {
	local bad=0 days want
	read_at "$S/a.md" 31 same
	read_at "$S/b.md" 30 same
	printf -- '---\nlastAccessed: 2026-08-02\n---\n' >"$S/future.md"
	export CTX_NOW_MS=1785542400000 # 2026-08-01T00:00:00.000Z
	while read -r days want; do
		got=$(dream-begin -j --unused-days "$days" |
			jq -c '[.totals.files,(.files|length),(.duplicates|length)]')
		[ "$got" = "$want" ] || { echo "$days: want $want, got $got"; bad=1; }
	done <<-'END'
		0 [2,2,1]
		1 [2,2,1]
		2 [1,1,0]
		3 [0,0,0]
		36500 [0,0,0]
	END
	[ $bad -eq 0 ]
	is 'a millisecond less' 1 "$(CTX_NOW_MS=1785542399999 dream-begin -j --unused-days 1 |
		jq .totals.files)"
	is 'no bound' 3 "$(dream-begin -j </dev/null | jq .totals.files)"
	for now in 9223372036854775807 -9223372036854775808; do
		CTX_NOW_MS=$now dream-begin -j --unused-days 1 >out 2>err || [ $? -eq 4 ]
	done
}

@test "same text: equal non-empty bodies, whatever stands above them" {
	printf -- '---\na: 1\n---\n\nsame\n' >"$S/a.md"
	printf -- '---\r\n# other\r\nb: 2\r\n---\r\n\r\nsame\n' >"$S/b.md"
	printf 'same\n' >"$H/bare.md"
	printf 'same' >"$S/no-newline.md"
	printf 'same\r\n' >"$S/crlf.md"
	printf -- '---\na: 1\n---\n' >"$S/empty.md"
	printf '' >"$S/empty2.md"
	printf 'x\0\377' >"$S/x1.md"
	printf -- '---\ncrumpledAt:\n---\nx\0\377' >"$S/x2.md"
	printf -- '---\ntitle: [open\n---\nsame\n' >"$S/broken.md"
	{ printf 'big'; head -c 16777216 /dev/zero; } | tee "$S/big1.md" >"$S/big2.md"
	is groups '[["@human/bare.md","a.md","b.md"],["x1.md","x2.md"]]' \
		"$(dream-begin -j </dev/null | jq -c .duplicates)"
	is 'matching ones only' '[["x1.md","x2.md"]]' \
		"$(dream-begin -j 'x*' | jq -c .duplicates)"
	truncate -s 16777216 "$S/big1.md" "$S/big2.md"
	is 'of the size limit' '[["big1.md","big2.md"]]' \
		"$(dream-begin -j 'big*' | jq -c .duplicates)"
}

@test "same text: groups fill 8,192 bytes of JSON, the rest is counted" {
	for i in {100..399}; do
		printf '%d' "$i" >"$S/a-$i.md"
		printf '%d' "$i" >"$H/b-$i.md"
	done
	surfaces '{}'
	k=$(jq '.duplicates|length' json)
	is all 300 "$((k + $(jq .duplicates_more json)))"
	groups=$(jq -c .duplicates json)
	one=$(jq -c '.duplicates[0]' json)
	[ ${#groups} -le 8192 ] && [ $((${#groups} + ${#one} + 1)) -gt 8192 ]
	is order '["@human/b-100.md","a-100.md"]' "$one"
	is 'the same lines' "$k" "$(grep -c '^same text: ' text)"
	grep -qx "$((300 - k)) more groups of the same text omitted" text
	rows=$(jq '.files|length' json)
	grep -qx "$((600 - rows)) more matching notes omitted; narrow with glob or unused_days" text
	is header "$rows of 600 notes | 0 crumpled | 1800 bytes" "$(head -n 1 text)"
	# Rows of two lengths: the shorter one would not fit either.
	row=$(jq -c '.files[-1]' json)
	[ $(($(wc -c <json) + ${#row} + 2)) -gt 32768 ] || fail "room for more than $rows"
	surfaces '{"limit":2}'
	is limit '2 598 600' "$(jq -r '"\(.files|length) \(.more) \(.totals.files)"' json)"
}

@test "crumpled notes are included, and other homes by glob" {
	read_at "$A/bob/x.md" 1
	printf -- '---\ncrumpledAt: null\nupdatedAt: 2026-07-01\n---\nx' >"$A/bob/y.md"
	is rows '[["@agents/bob/x.md",null],["@agents/bob/y.md","2026-07-01T00:00:00.000Z"]]' \
		"$(dream-begin -j '@agents/*/**' | jq -c '[.files[]|[.address,.crumpled_at]]')"
	is totals '{"files":2,"crumpled":1}' \
		"$(dream-begin -j '@agents/bob/**' | jq -c '.totals|{files,crumpled}')"
}

@test "it changes nothing, not even a count of accesses" {
	read_at "$S/a.md" 1
	read_at "$H/b.md" 1
	find "$CTX_NOTES_HOME" -printf '%p %m %s %T@ %C@\n' | sort >before
	dream <<<'{}'
	cp out first
	dream <<<'{}'
	cmp first out
	find "$CTX_NOTES_HOME" -printf '%p %m %s %T@ %C@\n' | sort | cmp before -
	is 'so says its schema' true "$(dream-begin --schema | jq .annotations.readOnlyHint)"
}

@test "sections 6 and 7: refusals, and arguments that are invalid" {
	local bad=0 args field
	while IFS='|' read -r field args; do
		rc=0
		dream-begin <<<"$args" >out 2>err || rc=$?
		[ $rc -eq 2 ] && [ ! -s out ] && grep -qF -- "$field" err ||
			{ printf '%s: exit %s: %s\n' "$args" $rc "$(<err)"; bad=1; }
	done <<-'END'
		unused_days|{"unused_days":-1}
		unused_days|{"unused_days":36501}
		unused_days|{"unused_days":"1"}
		limit|{"limit":0}
		glob|{"glob":false}
		wastebasket|{"wastebasket":true}
	END
	[ $bad -eq 0 ]
	rc=0
	dream-begin -j '@typo/x' >out || rc=$?
	is glob '1 invalid_glob' "$rc $(jq -r .code out)"
	rc=0
	dream-begin -j --cwd "$PWD/none" >out || rc=$?
	is cwd '1 invalid_cwd' "$rc $(jq -r .code out)"
	rc=0
	CTX_SESSION=a:b:c dream-begin </dev/null >out 2>err || rc=$?
	is session 4 $rc
	is 'no session is no fault' 0 "$(CTX_SESSION='' dream-begin -j </dev/null | jq .totals.files)"
	mkdir -p "$A"
	links '%0100d-%d' {100..400}
	rc=0
	dream-begin -j '@agents/**' >out || rc=$?
	is envelope '1 output_too_large' "$rc $(jq -r .code out)"
	grep -q unused_days out
}

@test "section 8: 10,000 notes in little memory" {
	awk -v d="$H" 'BEGIN { for (i = 10000; i < 20000; i++) {
		f = d "/note-" i ".md"
		printf "---\nlastAccessed: 2026-07-01T%02d:%02d:00Z\n---\n\n%d\n",
			i / 60 % 24, i % 60, i / 2 >f
		close(f) } }'
	(
		[[ $BIN == *asan* ]] || ulimit -v 65536
		dream <<<'{}'
	)
	surfaces '{}'
	is all 10000 "$(($(jq '.files|length' json) + $(jq .more json)))"
	is groups 5000 "$(($(jq '.duplicates|length' json) + $(jq .duplicates_more json)))"
}
