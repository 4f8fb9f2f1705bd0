#!/usr/bin/env bats
# notes-read: spec/notes.md sections 3, 4.6 and 5.3.

load common
load notes

setup() {
	notes_setup
	rc=0 # of the last call
}

# count <file>: its accessCount.
count() {
	sed -n 's/^accessCount: //p' "$1"
}

# ---- what it answers -------------------------------------------------------

@test "notes section 9: the worked example, both surfaces" {
	notes-write plan --content $'step 1\nstep 2\n'
	succeed notes-read '{"address":"plan","limit_chars":6}'
	cat >want <<-END
		{"address":"plan.md","metadata":{"origin":"self","created_at":"2026-08-01T08:00:00.000Z","updated_at":"2026-08-01T08:00:00.000Z","project":"$KEY","extra":{}},"text":"step 1","total_chars":14,"next_offset_chars":6}
		plan.md
		origin self | created 2026-08-01T08:00:00.000Z | updated 2026-08-01T08:00:00.000Z | project $KEY

		step 1

		[truncated; continue at offset_chars=6]
	END
	diff -u want out
	notes-read plan --offset-chars 6 >out
	printf '%s\n' plan.md \
		"origin self | created 2026-08-01T08:00:00.000Z | updated 2026-08-01T08:00:00.000Z | project $KEY" \
		'' '' 'step 2' '' | diff -u - out
}

@test "notes section 5.3: the header of every kind of note" {
	put "$NOTES/project/$KEY/n.md" --- 'origin: external' 'createdAt: 2026-01-01' \
		'updatedAt: 2026-01-02T03:04' 'crumpledAt: 2026-01-03 04:05:06.7+01:00' \
		'lastAccessed: 2026-01-01' 'accessCount: 3' 'reviewer: "Ana \u009b B"' --- text
	succeed notes-read '{"address":"@project/n"}'
	sed -n 1p out | jq -c . >got
	echo "{\"address\":\"@project/n.md\",\"project_key\":\"$KEY\",\"metadata\":{\"origin\":\"external\",\"created_at\":\"2026-01-01T00:00:00.000Z\",\"updated_at\":\"2026-01-02T03:04:00.000Z\",\"crumpled_at\":\"2026-01-03T03:05:06.700Z\",\"extra\":{\"reviewer\":\"Ana $(printf '\302\233') B\"}},\"text\":\"text\\n\",\"total_chars\":5,\"next_offset_chars\":null}" |
		diff -u <(jq -c .) got
	printf '%s\n' "@project/n.md (project $KEY)" \
		'origin external | created 2026-01-01T00:00:00.000Z | updated 2026-01-02T03:04:00.000Z | crumpled 2026-01-03T03:05:06.700Z | extra {"reviewer":"Ana \u009b B"}' \
		'' text '' | diff -u - <(sed 1d out)
	# A bare note, and one with no text.
	put "$NOTES/human/bare.md" 'no front matter'
	succeed notes-read '{"address":"@human/bare"}' -t
	printf '%s\n' @human/bare.md \
		'origin self | created 2026-01-02T03:04:05.678Z | updated 2026-01-02T03:04:05.678Z' \
		'' 'no front matter' '' | diff -u - out
	printf '' >"$NOTES/human/empty.md"
	touch -d 2026-01-02T03:04:05Z "$NOTES/human/empty.md"
	succeed notes-read '{"address":"@human/empty"}'
	sed -n 1p out | jq -c '[.text,.total_chars,.next_offset_chars]' | diff -u <(echo '["",0,null]') -
	[ "$(sed 1d out | wc -l)" -eq 2 ]
}

@test "notes section 5.3: windows count code points from either end, and joined they give the text" {
	local offset limit text total next i=0
	notes-write w --content $'a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\nz'
	while read -r offset limit text next; do
		succeed notes-read "{\"address\":\"w\",\"offset_chars\":$offset,\"limit_chars\":$limit}" -j
		[ "$(jq -c '[.text,.total_chars,.next_offset_chars]' out)" = "[$text,6,$next]" ] ||
			fail "$offset $limit: $(<out)"
	done <<-'END'
		0 6 "aé€😀\nz" null
		0 3 "aé€" 3
		3 1 "😀" 4
		-1 50000 "z" null
		-2 1 "\n" 5
		-6 1 "a" 1
		-99 2 "aé" 2
		-9007199254740992 1 "a" 1
		6 1 "" null
		5 1 "z" null
	END
	total=
	while [ "$i" != null ]; do
		succeed notes-read "{\"address\":\"w\",\"offset_chars\":$i,\"limit_chars\":2}" -j
		total+=$(jq -j .text out && echo .)
		total=${total%.}
		i=$(jq .next_offset_chars out)
	done
	[ "$total" = $'aé€😀\nz' ]
	# 12,000 by default.
	printf 'x%.0s' {1..12001} >body
	notes-write long --content - <body
	succeed notes-read '{"address":"long"}' -j
	[ "$(jq -c '[(.text|length),.next_offset_chars]' out)" = '[12000,12000]' ]
}

@test "notes section 6: invalid_offset has the offset, the total and the largest legal one" {
	notes-write w --content abc
	unchanged refuse invalid_offset notes-read '{"address":"w","offset_chars":4}' 4 3 'largest'
	unchanged refuse invalid_offset notes-read '{"address":"w","offset_chars":9007199254740992}' 9007199254740992
}

# block_of <perl string> <n>: a note of n times that, its text in body.
block_of() {
	perl -e 'print eval("\"$ARGV[0]\"") x $ARGV[1]' -- "$1" "$2" >body
	mkdir -p "$SESSION"
	{ printf -- '---\nupdatedAt: 2026-01-01\n---\n\n' && cat body; } >"$SESSION/n.md"
}

# window <offset>: reads from there; fills next, and adds the text to all.
window() {
	local size
	succeed notes-read "{\"address\":\"n\",\"offset_chars\":$1,\"limit_chars\":50000}"
	sed -n 1p out >json
	sed 1d out >text
	size=$(($(wc -c <json) - 1))
	[ $size -le 32768 ] || fail "$char: a JSON line of $size bytes"
	size=$(($(wc -c <text) - 1))
	[ $size -le 32768 ] || fail "$char: a text of $size bytes"
	jq -j .text json >>all
	next=$(jq .next_offset_chars json)
	[ "$next" = null ] || [ "$next" -gt "$1" ] || fail "$char: it does not advance"
}

@test "DESIGN section 2, trap 10: both surfaces fit 32,768 bytes, whatever the text is made of" {
	local char next
	# What makes the JSON the tighter one, or the text.
	for char in '\x22' '\x5c' '\n' '\r' '\x7f' '\xc2\x85' '\x01' x '\xf0\x9f\x98\x80' '\r\n'; do
		block_of "$char" 20000
		: >all
		next=0
		while [ "$next" != null ]; do
			window "$next"
		done
		cmp body all || fail "$char: the windows do not give the text"
	done
}

@test "trap 11: a rest that fits only without the line that says where to continue is whole" {
	local char=DEL next header n
	# 100 DELs take 600 bytes of the text and 100 of the JSON.
	block_of '\x7f' 100
	: >all
	window 0
	header=$(head -n 2 text | wc -c)
	n=$((32768 - 600 - 1 - header))
	block_of "\".(chr(127) x 100).(\"x\" x $n).\"" 1
	window 0
	[ "$next" = null ] || fail "cut at $next"
	[ $(($(wc -c <text) - 1)) -eq 32768 ]
	# One more, and there are two windows.
	block_of "\".(chr(127) x 100).(\"x\" x $((n + 1))).\"" 1
	: >all
	window 0
	[ "$next" != null ]
	window "$next"
	[ "$next" = null ]
	cmp body all
}

@test "notes section 5.3: the largest count that fits, even where a CR alone would not" {
	local char=CRLF next n size
	mkdir -p "$SESSION"
	# A DEL takes 6 bytes, CR and LF 2; a CR alone takes 6.
	for n in {5424..5432}; do
		perl -e 'print "---\nupdatedAt: 2026-01-01\n---\n\n", "\x7f" x $ARGV[0], "\r\n" x 100' \
			"$n" >"$SESSION/n.md"
		: >all
		window 0
		size=$(($(wc -c <text) - 1))
		[ $size -gt 32766 ] || fail "$n: two more would have fitted $size bytes"
		[ "$(((next - n) % 2))" -eq 0 ] || fail "$n: ends between CR and LF"
	done
}

@test "notes section 5.8: control characters of a note never reach the terminal raw" {
	notes-write n --content $'a\001\033[31m\x7f\xc2\x9b\tb\r\nc\rd\r'
	succeed notes-read '{"address":"n"}'
	sed 1d out | sed -n '4,$p' | diff -u <(printf 'a\\u0001\\u001b[31m\\u007f\\u009b\tb\r\nc\\u000dd\\u000d\n') -
	sed -n 1p out | jq -j .text | cmp - <(printf 'a\001\033[31m\x7f\302\233\tb\r\nc\rd\r')
}

@test "notes section 5.8: nor do direction controls, in a header or in the text; the JSON has them as they are" {
	put "$SESSION/n.md" --- $'note: "a\u202eb"' --- $'x\u202ey \u2066z\u2069 \u2065 \u20ac'
	succeed notes-read '{"address":"n"}' -t
	grep -qF 'extra {"note":"a\u202eb"}' out || fail "$(<out)"
	[ "$(tail -n 2 out)" = "$(printf 'x\\u202ey \\u2066z\\u2069 \u2065 \u20ac\n\n')" ] || fail "$(<out)"
	notes-read n -j | grep -qF $'x\u202ey'
}

@test "what runs out of memory says so before it ends" {
	[[ $BIN != *asan* ]] || skip 'ASan needs all addresses there are'
	put "$SESSION/n.md" text
	truncate -s 15M "$SESSION/n.md"
	rc=0
	(ulimit -v 12000 && ulimit -c 0 && exec notes-read n >out 2>err) || rc=$?
	[ $rc -eq 134 ] && [ ! -s out ] && [ "$(<err)" = 'notes-read: out of memory' ] || fail "$rc $(<err)"
}

@test "notes section 10: how scalars of the front matter are shown in extra" {
	local line want
	while IFS='|' read -r line want; do
		put "$SESSION/n.md" --- "$line" --- x
		succeed notes-read '{"address":"n"}' -j
		grep -qF "\"extra\":{$want}}" out || fail "$line: $(<out)"
	done <<-'END'
		n: 17|"n":17
		n: "17"|"n":"17"
		n: 1e3|"n":1e3
		n: 0x10|"n":"0x10"
		e:|"e":null
		t: true|"t":true
		y: yes|"y":"yes"
		l: [1, a]|"l":[1,"a"]
		v: 1.10|"v":1.10
	END
	put "$SESSION/n.md" --- 'title: Re: plan' --- x
	succeed notes-read '{"address":"n"}' -j
	[ "$(jq -c '[.text,.metadata.extra]' out)" = '["---\ntitle: Re: plan\n---\nx\n",{}]' ]
}

@test "notes section 5.3: values of extra that are too large are named in place" {
	local big
	big=$(printf 'b%.0s' {1..1100})
	put "$SESSION/n.md" --- 'a: 1' "big: $big" "c: ${big:0:900}" "d: ${big:0:900}" \
		"e: ${big:0:900}" 'f: 2' --- x
	succeed notes-read '{"address":"n"}' -j
	[ "$(jq -c '.metadata.extra|map_values(if type == "string" then .[0:20] else . end)' out)" = \
		'{"a":1,"big":"[omitted: too large]","c":"bbbbbbbbbbbbbbbbbbbb","d":"bbbbbbbbbbbbbbbbbbbb","e":"[omitted: too large]","f":2}' ] ||
		fail "$(<out)"
}

@test "notes section 3.1: what is not a block is text, to the last byte" {
	local file
	mkdir -p "$SESSION"
	printf -- '---\norigin: user\nno end' >"$SESSION/a.md"
	printf -- '---\n# only a comment\n---\ntext' >"$SESSION/b.md"
	printf -- ' ---\norigin: user\n---\n' >"$SESSION/c.md"
	printf '\xef\xbb\xbfplain' >"$SESSION/d.md"
	printf -- '---\n- a\n- b\n---\ntext' >"$SESSION/e.md"
	printf -- '---\na: &x 1\nb: *x\n---\ntext' >"$SESSION/f.md"
	for file in a b c d e f; do
		notes-read $file -j | jq -j .text | cmp - "$SESSION/$file.md" || fail "$file"
	done
	printf '\xef\xbb\xbf---  \r\norigin: user\r\n--- \r\n\r\n\r\ntext' >"$SESSION/g.md"
	[ "$(notes-read g -j | jq -c '[.text,.metadata.origin]')" = '["\r\ntext","user"]' ]
}

@test "notes section 7: hostile front matter is shown as text, and soon" {
	local file
	mkdir -p "$SESSION"
	{ printf -- '---\na: ' && head -c 65536 /dev/zero | tr '\0' '[' && printf '\n---\nbody'; } >"$SESSION/deep.md"
	{ printf -- '---\n' && head -c 1000000 /dev/zero | tr '\0' k && printf ': v\n---\nbody'; } >"$SESSION/key.md"
	{ printf -- '---\na: &a [x, x]\n' && for i in b c d e f g h; do echo "$i: [*a, *a, *a, *a]"; done &&
		printf -- '---\nbody'; } >"$SESSION/bomb.md"
	for file in deep key bomb; do
		timeout 5 notes-read $file -j >out || fail "$file: $?"
		[ "$(jq -j '.text[0:4]' out)" = "$(printf -- '---\n.')" ] || [ "$(jq -r '.text[0:3]' out)" = --- ]
		[ "$(jq -c .metadata.extra out)" = '{}' ]
		timeout 5 notes-read $file -j --offset-chars -4 >out
		[ "$(jq -r .text out)" = body ]
		[ "$(jq -r .total_chars out)" -eq "$(wc -c <"$SESSION/$file.md")" ]
	done
}

# ---- bookkeeping (section 4.6) ---------------------------------------------

@test "notes section 4.6, traps 1 and 3: a read changes two values, and neither time nor any other byte" {
	local inode
	put "$SESSION/n.md" $'---\r' $'updatedAt: 2026-01-01\r' $'# ours: kept\r' \
		$'accessCount:   8   # times\r' \
		$'nested: {a: [1,\r' $'  2]}\r' $'lastAccessed: 2026-01-01T00:00:00.000+00:00\r' \
		$'"q":   \'x\'\r' $'---\r' $'text\r' end
	cp -p "$SESSION/n.md" old
	inode=$(stat -c %i "$SESSION/n.md")
	notes-read n
	sed 's/:   8 /:   9 /; s/2026-01-01T00:00:00.000/2026-08-01T08:00:00.000/' old | cmp - "$SESSION/n.md"
	[ "$(stat -c %y old)" = "$(stat -c %y "$SESSION/n.md")" ]
	# In place: the same file.
	[ "$(stat -c %i "$SESSION/n.md")" = "$inode" ]
	# One digit more, and the file is replaced, with its time and mode.
	chmod 640 "$SESSION/n.md"
	notes-read n
	sed 's/:   8 /:   10 /; s/2026-01-01T00:00:00.000/2026-08-01T08:00:00.000/' old | cmp - "$SESSION/n.md"
	[ "$(stat -c %y old)" = "$(stat -c %y "$SESSION/n.md")" ]
	[ "$(stat -c %a "$SESSION/n.md")" = 640 ]
	no_leftover
	[ ! -e "$SESSION/.ctx@stamp" ]
}

@test "notes section 4.6: in place only when updatedAt is readable, and without other links" {
	local at inode
	for at in 'k: v' 'updatedAt: then' 'updatedAt: 2026-01-01 # and a link'; do
		put "$SESSION/n.md" --- "$at" 'accessCount: 1' \
			'lastAccessed: 2026-01-01T00:00:00.000+00:00' --- text
		[[ $at != *link ]] || ln -f "$SESSION/n.md" other
		cp -p "$SESSION/n.md" old
		inode=$(stat -c %i "$SESSION/n.md")
		notes-read n
		[ "$(count "$SESSION/n.md")" = 2 ]
		# Another file, with the old one's time: what a kill leaves is one or
		# the other.
		[ "$(stat -c %i "$SESSION/n.md")" != "$inode" ] || fail "$at: in place"
		[ "$(stat -c %y old)" = "$(stat -c %y "$SESSION/n.md")" ]
		[[ $at != *link ]] || cmp old other
	done
}

@test "notes section 4.6: a file of another owner is read, root's call included, and stays as it is" {
	local foreigner=4242
	[ "$(id -u)" -eq 0 ] || skip 'only root can give a file away'
	put "$SESSION/n.md" --- 'accessCount: 9' 'updatedAt: 2026-01-01' \
		'lastAccessed: 2026-01-01T00:00:00.000+00:00' --- text
	chown $foreigner:$foreigner "$SESSION/n.md"
	chmod 640 "$SESSION/n.md"
	unchanged succeed notes-read '{"address":"n"}'
	[ "$(stat -c '%u %g %a' "$SESSION/n.md")" = "$foreigner $foreigner 640" ]
	# A change by root keeps owner and group, too (section 4.2).
	notes-update n --origin user
	[ "$(stat -c '%u %g %a' "$SESSION/n.md")" = "$foreigner $foreigner 640" ]
}

@test "notes section 4.6: absent and unreadable counts are 0, and no other key is recorded" {
	local was
	for was in 'accessCount: -1' 'accessCount: many' 'accessCount: "7"' 'accessCount: 1.5' 'k: v'; do
		put "$SESSION/n.md" --- "$was" --- text
		notes-read n
		[ "$(count "$SESSION/n.md")" = 1 ] || fail "$was: $(<"$SESSION/n.md")"
		grep -q '^lastAccessed: 2026-08-01T08:00:00.000+00:00$' "$SESSION/n.md"
		run ! grep -qE 'createdAt|updatedAt|origin' "$SESSION/n.md"
		[ "$(notes-read n -j | jq -r .metadata.updated_at)" = 2026-01-02T03:04:05.678Z ]
		[ "$(count "$SESSION/n.md")" = 2 ]
	done
}

@test "notes section 4.6: bare and broken notes are never rewritten, refused reads count nothing" {
	put "$SESSION/bare.md" text
	put "$SESSION/broken.md" --- 'title: [open' 'accessCount: 1' --- text
	put "$SESSION/n.md" --- 'accessCount: 1' --- text
	unchanged notes-read bare
	unchanged notes-read broken
	unchanged refuse invalid_offset notes-read '{"address":"n","offset_chars":99}'
	unchanged usage notes-read '{"address":"n","limit_chars":0}' limit_chars
	notes-read n
	[ "$(count "$SESSION/n.md")" = 2 ]
}

@test "notes section 4.6: parallel reads all count" {
	local i
	# Written in place: forty files that are synced take their time, and a
	# count is given up when the lock is not to be had within a second.
	put "$SESSION/n.md" --- 'updatedAt: 2026-01-01' 'accessCount: 15' \
		'lastAccessed: 2026-01-01T00:00:00.000+00:00' --- text
	for ((i = 0; i < 40; i++)); do
		notes-read n >/dev/null &
	done
	wait
	[ "$(count "$SESSION/n.md")" = 55 ]
	[ "$(tail -n 1 "$SESSION/n.md")" = text ]
}

@test "notes section 4.6: reads beside writes, and neither loses the other's" {
	local i
	notes-write n --content 0
	for ((i = 1; i <= 20; i++)); do
		notes-read n >/dev/null &
		echo "{\"address\":\"n\",\"edits\":[{\"oldText\":\"$((i - 1))\",\"newText\":\"$i\"}]}" |
			notes-update >/dev/null
	done
	wait
	[ "$(count "$SESSION/n.md")" = 20 ]
	[ "$(tail -n 1 "$SESSION/n.md")" = 20 ]
}

@test "notes section 4.6: best effort: a home that is locked, a file that may not be written" {
	put "$SESSION/n.md" --- 'accessCount: 1' --- text
	flock "$SESSION" -c 'touch locked; sleep 30' &
	holder=$!
	while [ ! -e locked ]; do sleep 0.01; done
	unchanged succeed notes-read '{"address":"n"}'
	pkill -P $holder sleep || :
	kill $holder 2>/dev/null || :
	[ ! -s err ]
	# No room for a longer file.
	put "$SESSION/m.md" --- 'accessCount: 9' --- "$(printf 'x%.0s' {1..3000})"
	(
		ulimit -f 1
		unchanged succeed notes-read '{"address":"m","limit_chars":1}' -t | cat
	)
	no_leftover
	powerless
	chmod 400 "$SESSION/n.md"
	unchanged succeed notes-read '{"address":"n"}'
}

@test "notes section 2: another agent's note is read, and its bookkeeping bumped like any other" {
	put "$NOTES/agents/bob/n.md" --- 'accessCount: 1' --- text
	put "$NOTES/models/m-2/n.md" --- 'accessCount: 1' --- text
	succeed notes-read '{"address":"@agents/bob/n"}'
	[ "$(sed -n 2p out)" = @agents/bob/n.md ]
	[ "$(count "$NOTES/agents/bob/n.md")" = 2 ]
	succeed notes-read '{"address":"@models/m-2/n.md"}'
	[ "$(count "$NOTES/models/m-2/n.md")" = 2 ]
	put "$NOTES/agents/ana-bot/n.md" text
	succeed notes-read '{"address":"@agents/ana-bot/n"}'
	[ "$(sed -n 2p out)" = @self/n.md ]
}

# ---- refusals --------------------------------------------------------------

@test "notes section 6: not_found has the address; there is no fallback to another home" {
	local long
	refuse not_found notes-read '{"address":"n"}' n.md
	[ ! -e "$NOTES" ]
	put "$NOTES/human/n.md" text
	refuse not_found notes-read '{"address":"n"}' n.md
	refuse not_found notes-read '{"address":"@self/n"}' @self/n.md
	refuse not_found notes-read '{"address":"@human/N"}' @human/N.md
	refuse not_found notes-read '{"address":"@human/a/b/c"}' @human/a/b/c.md
	refuse not_found notes-read '{"address":"@agents/bob/n"}' @agents/bob/n.md
	long=$(printf 'n%.0s' {1..300})
	refuse not_found notes-read "{\"address\":\"$long\"}"
	refuse not_found notes-read "{\"address\":\"$long/$long/$long\"}"
	mkdir "$NOTES/agents"
	refuse not_found notes-read "{\"address\":\"@agents/$long/n\"}"
	# No Unicode normalisation: two spellings are two notes.
	put "$NOTES/human/$(printf 'e\xcc\x81').md" one
	refuse not_found notes-read '{"address":"@human/é"}'
}

@test "notes section 6: not_found names up to three near addresses of that home, the nearest first" {
	local message
	put "$NOTES/human/old/plan.md" text
	put "$NOTES/human/plam.md" text
	put "$NOTES/human/a/b/plans2.md" --- 'crumpledAt: 2026-01-01' ---
	put "$NOTES/human/plant.md" text
	put "$NOTES/human/pl.md.txt" text
	put "$NOTES/human/abcdef.md" text
	put "$SESSION/plan.md" text
	ln -s plam.md "$NOTES/human/plai.md"
	refuse not_found notes-read '{"address":"@human/plan"}' @human/plan.md
	message=$(sed 1q out | jq -r .error)
	[ "$message" = 'there is no note @human/plan.md; near it: @human/old/plan.md, @human/plam.md, @human/plant.md' ] ||
		fail "$message"
	rm "$NOTES/human/plam.md"
	refuse not_found notes-update '{"address":"@human/plan","origin":"user"}' \
		'@human/old/plan.md, @human/plant.md, @human/a/b/plans2.md'
	refuse not_found notes-update '{"address":"@human/plan","rename_to":"@self/x"}' @human/old/plan.md
	refuse not_found notes-read '{"address":"@human/quite/other"}' 'there is no note @human/quite/other.md'
	[ "$(sed 1q out | jq -r .error)" = 'there is no note @human/quite/other.md' ]
	refuse not_found notes-read '{"address":"@self/plan"}' '@self/plan.md'
	[ "$(sed 1q out | jq -r .error)" = 'there is no note @self/plan.md' ]
}

@test "notes section 6: invalid_address, no_session and invalid_cwd" {
	refuse invalid_address notes-read '{"address":"@typo/x"}' '"@typo/x"' '@project/'
	refuse invalid_cwd notes-read '{"address":"@typo/x","cwd":"/no/such"}' '"/no/such"'
	unset CTX_SESSION
	refuse no_session notes-read '{"address":"x"}' CTX_SESSION
}

@test "notes section 3.3: not_text has the offset in the file of the first bad byte" {
	local bytes offset
	mkdir -p "$SESSION"
	while read -r bytes offset; do
		printf %b "$bytes" >"$SESSION/n.md"
		unchanged refuse not_text notes-read '{"address":"n"}' n.md "byte $offset"
	done <<-'END'
		\0 0
		ab\0c 2
		ab\0377 2
		ab\0303 2
		\0355\0240\0200 0
		---\nk:\0040v\n---\nx\0 14
		\0300\0200 0
	END
	truncate -s 16777217 "$SESSION/n.md"
	unchanged refuse too_large notes-read '{"address":"n"}' 16777217 16777216
	head -c 16777216 /dev/zero | tr '\0' x >"$SESSION/n.md"
	succeed notes-read '{"address":"n","offset_chars":-1}' -j
	[ "$(jq -c '[.text,.total_chars]' out)" = '["x",16777216]' ]
}

@test "notes section 2.1 and 7: links, special files and files for directories are unsafe_path" {
	mkdir -p outside "$SESSION/dir.md"
	echo secret >outside/s.md
	ln -s "$PWD/outside/s.md" "$SESSION/link.md"
	ln -s "$PWD/outside" "$SESSION/out"
	mkfifo "$SESSION/fifo.md"
	put "$SESSION/f.md" text
	python3 - "$SESSION/sock.md" 2>/dev/null <<-'END' || :
		import socket, sys
		socket.socket(socket.AF_UNIX).bind(sys.argv[1])
	END
	unchanged refuse unsafe_path notes-read '{"address":"link"}' link.md 'a symbolic link'
	unchanged refuse unsafe_path notes-read '{"address":"out/s"}' out/s.md '"out"' 'a symbolic link'
	unchanged refuse unsafe_path notes-read '{"address":"fifo"}' fifo.md 'not a regular file'
	unchanged refuse unsafe_path notes-read '{"address":"dir"}' dir.md 'not a regular file'
	unchanged refuse unsafe_path notes-read '{"address":"f.md/x"}' '"f.md"' 'not a directory'
	[ ! -S "$SESSION/sock.md" ] ||
		refuse unsafe_path notes-read '{"address":"sock"}' sock.md 'not a regular file'
	mkdir -p "$NOTES/project"
	ln -s "$PWD/outside" "$NOTES/human"
	echo >"$NOTES/project/$KEY"
	refuse unsafe_path notes-read '{"address":"@human/s"}' @human/s.md '"human"' 'a symbolic link'
	refuse unsafe_path notes-read '{"address":"@project/s"}' "\"$KEY\"" 'not a directory'
}

@test "notes section 7: a project of 40,000 characters leaves no room: output_too_large" {
	put "$SESSION/n.md" --- "project: $(printf 'p%.0s' {1..40000})" 'accessCount: 1' --- text
	unchanged refuse output_too_large notes-read '{"address":"n"}' metadata n.md
	unchanged refuse output_too_large notes-read '{"address":"n","limit_chars":1}' 'no narrower'
	# A value that is not a string is not shown, and stays.
	put "$SESSION/n.md" --- 'project: 17' --- text
	succeed notes-read '{"address":"n"}' -j
	[ "$(jq '.metadata|has("project")' out)" = false ]
	grep -qx 'project: 17' "$SESSION/n.md"
}

@test "notes section 7: what is not an argument is exit 2, with the field" {
	notes-write n --content x
	while IFS='|' read -r json field; do
		unchanged usage notes-read "$json" "$field"
	done <<-'END'
		{}|address
		{"address":null}|address
		{"address":["n"]}|address
		{"address":"n","limit_chars":0}|limit_chars
		{"address":"n","limit_chars":50001}|limit_chars
		{"address":"n","limit_chars":1.5}|limit_chars
		{"address":"n","limit_chars":"1"}|limit_chars
		{"address":"n","offset_chars":null}|offset_chars
		{"address":"n","offset_chars":9007199254740993}|offset_chars: 9007199254740993 given
		{"address":"n","offset_chars":-9007199254740993}|offset_chars: -9007199254740993 given
		{"address":"n","offset_chars":0.99999999999999999}|offset_chars: 0.99999999999999999 given
		{"address":"n","limit_chars":1e400}|limit_chars: 1e400 given
		{"address":"n","offset":1}|offset
		{"address":"n","cwd":null}|cwd
	END
	CTX_SESSION=../x call notes-read '{"address":"@human/n"}'
	[ $rc -eq 4 ]
	grep -q CTX_SESSION err
}

@test "a note that is replaced while it is read is the old or the new one, whole" {
	local i text pid
	printf 'a%.0s' {1..9000} >a
	printf 'b%.0s' {1..9000} >b
	notes-write n --content - <a
	(
		for ((i = 0; i < 40; i++)); do
			notes-write n --content - <b
			notes-write n --content - <a
		done
	) >/dev/null &
	pid=$!
	while kill -0 $pid 2>/dev/null; do
		text=$(notes-read n -j | jq -r .text)
		[ "$text" = "$(<a)" ] || [ "$text" = "$(<b)" ] || fail "torn: ${#text}"
	done
	wait $pid
}
