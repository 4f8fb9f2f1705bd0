#!/usr/bin/env bats
# notes-search: spec/notes.md sections 5.5, 6 to 11.

load common

setup() {
	common_setup
	export CTX_NOW_MS=1785571200000 CTX_SESSION=pi:s-1 CTX_AGENT='ana bot'
	export CTX_CWD=/srv/shop-api CTX_NOTES_HOME=$PWD/root
	S=$CTX_NOTES_HOME/pi/session/s-1
	A=$CTX_NOTES_HOME/agents
	mkdir -p "$S"
}

# body <file> <minute> <text>: a note with that body, printf escapes expanded.
body() {
	[ -d "${1%/*}" ] || mkdir -p "${1%/*}"
	printf -- '---\nupdatedAt: 2026-08-01T07:%02d:00Z\n---\n\n%b' "$2" "$3" >"$1"
}
find_text() { notes-search "$@" >out 2>err; }
hits() { # of a call with this JSON: address, line, offset, text
	notes-search -j <<<"$1" |
		jq -c '.files[]|.address as $a|.matches[]|[$a,.line,.offset_chars,.text]'
}
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
	notes-search <<<"$1" >out
	head -n 1 out | head -c -1 >json
	tail -n +2 out | head -c -1 >text
	[ "$(wc -c <json)" -le 32768 ] && [ "$(wc -c <text)" -le 32768 ]
}

@test "section 9: the worked example, byte for byte" {
	notes-write <<<'{"address":"@project/retry","content":"# Retry\nfive tries\nFIVE at most"}' >out
	notes-write <<<'{"address":"plan","content":"step 1\nstep 2\n"}' >out
	find_text --text <<<'{"query":["five",""],"glob":"@project/**"}'
	cat >want <<'END'
1 file
- @project/retry.md (project shop-api-17b5613d) | updated 2026-08-01T08:00:00.000Z | 2 matches
  line 2 at offset_chars 8: five tries
  line 3 at offset_chars 19: FIVE at most
END
	diff -u want out
	cat >want <<'END'
{"files":[{"address":"@project/retry.md","project_key":"shop-api-17b5613d","updated_at":"2026-08-01T08:00:00.000Z","matches_total":2,"matches":[{"line":2,"text":"five tries","truncated":false,"offset_chars":8},{"line":3,"text":"FIVE at most","truncated":false,"offset_chars":19}]}],"more":0,"crumpled_excluded":0,"homes_unavailable":[]}
END
	find_text --json <<<'{"query":["five",""],"glob":"@project/**"}'
	diff -u want out
}

@test "section 5.5: no query lists every note in scope" {
	body "$S/a.md" 10 'x'
	body "$S/b.md" 20 'y\n'
	cat >want <<'END'
{"files":[{"address":"b.md","updated_at":"2026-08-01T07:20:00.000Z","matches_total":0,"matches":[]},{"address":"a.md","updated_at":"2026-08-01T07:10:00.000Z","matches_total":0,"matches":[]}],"more":0,"crumpled_excluded":0,"homes_unavailable":[]}
2 files
- b.md | updated 2026-08-01T07:20:00.000Z | 0 matches
- a.md | updated 2026-08-01T07:10:00.000Z | 0 matches
END
	for args in '{}' '{"query":""}' '{"query":[]}' '{"query":["",""]}'; do
		find_text <<<"$args"
		diff -u want out || fail "$args"
	done
}

@test "section 5.5: lines, offsets and line ends" {
	local bad=0 text query want
	while IFS='|' read -r text query want; do
		body "$S/n.md" 10 "$text"
		got=$(hits "{\"query\":$query}" | jq -c '.[1:]' | paste -sd' ' -)
		[ "$got" = "$want" ] ||
			{ printf '%s / %s: want %s, got %s\n' "$text" "$query" "$want" "$got"; bad=1; }
	done <<-'END'
		abc|"b"|[1,1,"abc"]
		a\nab\n\nb b|"b"|[2,3,"ab"] [4,6,"b b"]
		aaa aaa\n|"a"|[1,0,"aaa aaa"]
		x\r\nfoo\r\nfoo|"foo"|[2,3,"foo"] [3,8,"foo"]
		foo\r|"foo"|[1,0,"foo"]
		foo\r\r|"foo"|[1,0,"foo\r"]
		one two|["two","one"]|[1,0,"one two"]
		one two|["x","two"]|[1,4,"one two"]
		é€😀b\nb|"b"|[1,3,"é€😀b"] [2,5,"b"]
		a\nb|"a\nb"|
		a\nb|["a\nb","b"]|[2,2,"b"]
		\nfoo|"foo"|[2,1,"foo"]
		a*b.c|"*b."|[1,1,"a*b.c"]
		a\tb|"\tb"|[1,1,"a\tb"]
		updatedAt|"2026"|
		a\0033[1mb|"b"|[1,5,"a\u001b[1mb"]
	END
	[ $bad -eq 0 ]
}

@test "section 5.5: folding, and no positions of the folded text (cases 19, trap 2)" {
	local bad=0 text query want
	while IFS='|' read -r text query want; do
		body "$S/n.md" 10 "$text"
		got=$(hits "{\"query\":\"$query\"}" | jq -c '.[2]' | paste -sd' ' -)
		[ "$got" = "$want" ] ||
			{ printf '%s / %s: want %s, got %s\n' "$text" "$query" "$want" "$got"; bad=1; }
	done <<-'END'
		FOO|foo|0
		foo|FOO|0
		xK|k|1
		xſ|S|1
		ς|Σ|0
		ẞ|ß|0
		ß|ss|
		ss|ß|
		İ|i|
		ı|I|
		İ|İ|0
		é|É|0
		e\0314\0201|é|
		ÀÉ x|é X|1
		İİ ẞ ﬁn error here|ERROR|8
		İİ ẞ ﬁn error here|ﬁn|5
		İİ ẞ ﬁn error here|fin|
		ǅ|ǆ|0
		Ω|ω|0
	END
	[ $bad -eq 0 ]
}

@test "offset_chars is what notes-read takes" {
	printf 'bare İİ\r\n😀 and Kestrel\n' >"$S/bare.md"
	body "$S/block.md" 10 '\n\nİ kestrel kestrel'
	for note in bare block; do
		offset=$(notes-search -j --query KESTREL "$note" 2>/dev/null ||
			notes-search -j KESTREL --glob "$note")
		offset=$(jq '.files[0].matches[0].offset_chars' <<<"$offset")
		text=$(notes-read -j <<<"{\"address\":\"$note\",\"offset_chars\":$offset,\"limit_chars\":7}" |
			jq -r .text)
		is "$note" kestrel "${text,,}"
	done
}

@test "max_matches_per_file, limit, more and the wastebasket" {
	body "$S/a.md" 30 'x\nx\nx'
	body "$S/b.md" 20 'x'
	body "$S/c.md" 10 'x\nx'
	body "$S/d.md" 5 'nothing'
	printf -- '---\nupdatedAt: 2026-08-01T07:40:00Z\ncrumpledAt: 2026-08-01T07:50:00Z\n---\nx' >"$S/e.md"
	printf -- '---\n"crumpled\\x41t": 1785571200000\n---\nno' >"$S/f.md"
	cat >want <<'END'
2 files
- a.md | updated 2026-08-01T07:30:00.000Z | 3 matches (1 shown)
  line 1 at offset_chars 0: x
- b.md | updated 2026-08-01T07:20:00.000Z | 1 match
  line 1 at offset_chars 0: x
1 more matching file omitted; narrow with glob
2 crumpled notes hidden; pass wastebasket to include
END
	find_text x --max-matches-per-file 1 --limit 2
	diff -u want out
	sed -i '/^1 more/s/.*/2 more matching files omitted; narrow with glob/; 1s/.*/1 file/; /b.md/,+1d' want
	find_text x --max-matches-per-file 1 --limit 1
	diff -u want out
	find_text X --wastebasket --limit 1
	cat >want <<'END'
1 file
- e.md | updated 2026-08-01T07:40:00.000Z | crumpled 2026-08-01T07:50:00.000Z | 1 match
  line 1 at offset_chars 0: x
3 more matching files omitted; narrow with glob
END
	diff -u want out
	is 'the query does not matter to crumpled_excluded' '0 2' \
		"$(notes-search -j nowhere | jq -r '"\(.files|length) \(.crumpled_excluded)"')"
	is 'the glob does' 0 "$(notes-search -j x --glob a | jq .crumpled_excluded)"
}

@test "section 3.3: what is not text, too large or unreadable is counted" {
	body "$S/ok.md" 10 'needle'
	body "$S/nul.md" 10 'needle\0000'
	printf 'needle\377' >"$S/bytes.md"
	printf -- '---\na: \377\n---\nneedle' >"$S/block.md"
	printf -- '---\ncrumpledAt: 2026-08-01\n---\n\377' >"$S/crumpled.md"
	{ printf 'needle'; head -c 16777211 /dev/zero | tr '\0' '\n'; } >"$S/large.md"
	{ printf -- '---\ncrumpledAt: 2026-08-01\n---\n'; head -c 16777211 /dev/zero; } >"$S/lc.md"
	ln -s ok.md "$S/link.md"
	for query in needle nothing; do
		is "$query" '5 2' "$(notes-search -j "$query" |
			jq -r '"\(.skipped) \(.crumpled_excluded)"')"
	done
	is 'without a query' '5 ok.md' "$(notes-search -j </dev/null |
		jq -r '"\(.skipped) \(.files[0].address)"')"
	is wastebasket '7 0' "$(notes-search -j needle --wastebasket |
		jq -r '"\(.skipped) \(.crumpled_excluded)"')"
	is 'only what matches the glob, but for links' 1 \
		"$(notes-search -j needle --glob ok | jq .skipped)"
	is 'the rest is searched' '["ok.md"]' \
		"$(notes-search -j needle | jq -c '[.files[].address]')"
	truncate -s 16777216 "$S/large.md"
	is 'one of the size limit is searched' '["large.md","ok.md"]' \
		"$(notes-search -j needle | jq -c '[.files[].address]')"
}

@test "a file that may not be read is counted" {
	powerless
	body "$S/a.md" 10 'needle'
	body "$S/b.md" 10 'needle'
	chmod 0 "$S/b.md"
	is rows '1 1' "$("${AS[@]}" "$BIN/notes-search" -j needle |
		jq -r '"\(.files|length) \(.skipped)"')"
}

@test "section 7: arguments that are invalid are exit 2 and name the field" {
	local bad=0 args field
	many=$(jq -nc '{query:[range(65)|tostring]}')
	while IFS='|' read -r field args; do
		rc=0
		notes-search <<<"$args" >out 2>err || rc=$?
		[ $rc -eq 2 ] && [ ! -s out ] && grep -qF -- "$field" err ||
			{ printf '%s: exit %s: %s\n' "$args" $rc "$(<err)"; bad=1; }
	done <<-END
		query|{"query":7}
		query|{"query":null}
		query[1]|{"query":["a",1]}
		query|$many
		max_matches_per_file|{"max_matches_per_file":0}
		max_matches_per_file|{"max_matches_per_file":10001}
		limit|{"limit":0}
		glob|{"glob":1}
		regex|{"query":"x","regex":true}
	END
	[ $bad -eq 0 ]
	notes-search <<<"$(jq -nc '{query:[range(64)|tostring]}')" >out
	rc=0
	notes-search -j --glob '@typo/x' x >out || rc=$?
	is glob '1 invalid_glob' "$rc $(jq -r .code out)"
	rc=0
	notes-search -j --cwd "$PWD/none" x >out || rc=$?
	is cwd '1 invalid_cwd' "$rc $(jq -r .code out)"
}

@test "section 5.8: data never acts on a terminal, and JSON has it exactly" {
	body "$S/n.md" 10 'a\0033[31m\0177\0302\0205\tb\rc\r\r\nd'
	find_text c
	tail -n 1 out >line
	printf '  line 1 at offset_chars 11: a\\u001b[31m\\u007f\\u0085\tb\\u000dc\\u000d\n' >want
	diff -u want line
	printf '%b' 'a\0033[31m\0177\0302\0205\tb\rc\r' >want
	find_text --json c
	jq -j '.files[0].matches[0].text' out | cmp want -
}

@test "fitting, rows: JSON the tighter surface, then the text (trap 10)" {
	# Each line is a row of its own; all rows have one size.
	line=x$(printf '%050d' 0 | tr 0 '"')
	for i in {100..399}; do
		body "$S/n$i.md" 10 "$line"
	done
	surfaces '{"query":"x"}'
	k=$(jq '.files|length' json)
	row=$(jq -c '.files[0]' json)
	[ $(($(wc -c <json) + ${#row} + 1)) -gt 32768 ] || fail "room for more than $k"
	is more $((300 - k)) "$(jq .more json)"
	is text "$k files" "$(head -n 1 text)"
	line=x$(printf '%0100d' 0 | sed 's/0/\\0177/g')
	for i in {100..399}; do
		body "$S/n$i.md" 10 "$line"
	done
	surfaces '{"query":"x"}'
	k=$(jq '.files|length' json)
	[ "$(wc -c <json)" -lt 20000 ] || fail 'the JSON was to be the wider one'
	row=$(sed -n 2,3p text)
	[ $(($(wc -c <text) + ${#row} + 1)) -gt 32768 ] || fail "room for more than $k"
	is text "$k files" "$(head -n 1 text)"
}

@test "fitting: the first row keeps as many leading hits as fit, and is the last" {
	yes "$(printf 'x%0100d' 0)" | head -n 1000 | sed 's/0/y/g' >"$S/a.md"
	body "$S/b.md" 10 'x'
	surfaces '{"query":"x"}'
	k=$(jq '.files[0].matches|length' json)
	is rows '1 1 1000' "$(jq -r '"\(.files|length) \(.more) \(.files[0].matches_total)"' json)"
	[ "$k" -gt 100 ] || fail "only $k"
	last=$(jq -c '.files[0].matches[-1]' json)
	[ $(($(wc -c <json) + ${#last} + 1)) -gt 32768 ] || fail "room for more than $k"
	is leading "$k" "$(jq '.files[0].matches[-1].line' json)"
	grep -qF " | 1000 matches ($k shown)" text
	is 'the same on both' "$k" "$(grep -c '^  line ' text)"
	surfaces '{"query":"x","max_matches_per_file":5}'
	is 'asked for less, all fit' '2 5' \
		"$(jq -r '"\(.files|length) \(.files[0].matches|length)"' json)"
	# Not the first row: it comes whole or not at all.
	body "$S/b.md" 10 'x'
	touch -d 2020-01-01 "$S/a.md"
	surfaces '{"query":"x"}'
	is 'a second row' '["b.md"]' "$(jq -c '[.files[].address]' json)"
}

@test "section 5.5: of a long line the 400 characters around the hit, and where they begin" {
	local before after row shown
	# before|after|length of the text|where it begins|what is left out
	while IFS='|' read -r before after row; do
		{ printf 'one\n'; printf 'é%.0s' $(seq "$before"); printf NEEDLE
			[ "$after" -eq 0 ] || printf 'ü%.0s' $(seq "$after"); } >"$S/a.md"
		surfaces '{"query":"needle"}'
		shown=$(tail -n 1 text)
		shown=${shown#*: }
		case $shown in
		…*…) shown='…|…' ;;
		…*) shown='…|' ;;
		*…) shown='|…' ;;
		*) shown='|' ;;
		esac
		is "$before $after" "$row" "$(jq -r '.files[0].matches[0] |
			"\(.truncated)|\(.text | length)|\(.text_offset_chars)|\(.offset_chars)"' json)|$shown"
		[ "$(jq '.files[0].matches[0] | has("text_offset_chars")' json)" = \
			"$(jq '.files[0].matches[0].truncated' json)" ]
	done <<-'END'
		1|0|false|7|null|5||
		200|194|false|400|null|204||
		200|195|true|400|5|204|…|
		99|400|true|400|4|103||…
		100|400|true|400|4|104||…
		101|400|true|400|5|105|…|…
		40000|40000|true|400|39904|40004|…|…
		40000|294|true|400|39904|40004|…|
		40000|295|true|400|39904|40004|…|…
		40000|10|true|400|39620|40004|…|
	END
	# The text is what notes-read gives from there.
	is 'the same characters' "$(jq -r '.files[0].matches[0].text' json)" \
		"$(notes-read a --offset-chars 39620 --limit-chars 400 -j | jq -r .text)"
	# A hit that is longer than what is shown of it.
	{ printf 'x%.0s' {1..150}; printf 'y%.0s' {1..500}; printf '\r\n'; } >"$S/a.md"
	surfaces "{\"query\":\"$(printf 'y%.0s' {1..500})\"}"
	is 'a long hit' '["xxxy",400,50,150]' "$(jq -c '.files[0].matches[0] |
		[.text[97:101], (.text | length), .text_offset_chars, .offset_chars]' json)"
	# Others have their place on the page.
	{ printf 'é%.0s' {1..40000}; printf needle; } >"$S/a.md"
	body "$S/b.md" 10 'needle'
	surfaces '{"query":"needle"}'
	is 'both notes' 2 "$(jq '.files | length' json)"
}

@test "fitting: a first hit that does not fit is cut, and says so" {
	mkdir -p "$A"
	links '%097d-%d' {100..333}
	{ printf 'start '; printf 'é%.0s' {1..394}; } | body "$A/zoe/x.md" 10 "$(cat)"
	surfaces '{"query":"start","glob":"@agents/**"}'
	is row '[1,1,true,0,false]' "$(jq -c '.files[0].matches as $m |
		[(.files | length), ($m | length), $m[0].truncated, $m[0].offset_chars, ($m[0] | has("text_offset_chars"))]' json)"
	text=$(jq -r '.files[0].matches[0].text' json)
	[[ $text == "start é"*"é [truncated]" ]] || fail "$text"
	# A character has two bytes: one more would not fit.
	[ "$(wc -c <text)" -ge 32767 ] || fail "$(wc -c <text)"
	is 'the same text' 1 "$(grep -cF "  line 1 at offset_chars 0: $text" text)"
	# The start of an excerpt: the mark in front of it stays.
	{ printf 'é%.0s' {1..500}; printf needle; printf 'é%.0s' {1..500}; } | body "$A/zoe/x.md" 10 "$(cat)"
	surfaces '{"query":"needle","glob":"@agents/**"}'
	text=$(jq -r '.files[0].matches[0].text' json)
	[[ $text == "éé"*"é [truncated]" ]] || fail "$text"
	is 'where it begins' 400 "$(jq '.files[0].matches[0].text_offset_chars' json)"
	grep -qF ": …$text" text
	run ! grep -q 'truncated]…' text
}

@test "output_too_large: not one character, or no envelope" {
	mkdir -p "$A"
	body "$A/zoe/x.md" 10 'needle'
	links '%097d-%d' {100..333}
	ln -s nowhere "$A/$(printf '%0150d' 0)"
	rc=0
	notes-search -j needle --glob '@agents/**' >out || rc=$?
	is 'no character' '1 output_too_large' "$rc $(jq -r .code out)"
	grep -q 'narrow with glob' out
	notes-search -j --glob '@agents/**' >out </dev/null
	is 'without a query it is a row that does not fit' '0 1' \
		"$(jq -r '"\(.files|length) \(.more)"' out)"
	ln -s nowhere "$A/one-more"
	rc=0
	notes-search -j needle --glob '@agents/**' >out || rc=$?
	is 'no envelope' '1 output_too_large' "$rc $(jq -r .code out)"
}

@test "section 8: 10,000 notes full of hits in little memory" {
	mkdir -p "$CTX_NOTES_HOME/human"
	awk -v d="$CTX_NOTES_HOME/human" 'BEGIN {
		for (i = 0; i < 60; i++)
			line = line "needle in a long line of a note "
		for (i = 10000; i < 20000; i++) {
			f = d "/note-" i ".md"
			printf "---\nupdatedAt: 2026-08-01T%02d:%02d:00Z\n---\n\n%s\n%s\n",
				i / 60 % 24, i % 60, line, line >f
			close(f) } }'
	(
		[[ $BIN == *asan* ]] || ulimit -v 65536
		find_text needle
		cp out first
		find_text needle
	)
	cmp first out
	surfaces '{"query":"needle"}'
	is 'all are counted' 10000 "$(($(jq '.files|length' json) + $(jq .more json)))"
	is 'the newest first' 2026-08-01T23:59:00.000Z "$(jq -r '.files[0].updated_at' json)"
	yes needle | head -c 16000000 >"$CTX_NOTES_HOME/human/all.md"
	(
		[[ $BIN == *asan* ]] || ulimit -v 65536
		find_text -j needle --glob '@human/all'
	)
	is 'and in one note' 2285714 "$(jq '.files[0].matches_total' out)"
}

@test "nothing changes on disk, not even a count of accesses" {
	body "$S/a.md" 10 'needle'
	find "$CTX_NOTES_HOME" -printf '%p %m %s %T@ %C@\n' | sort >before
	find_text needle
	find "$CTX_NOTES_HOME" -printf '%p %m %s %T@ %C@\n' | sort | cmp before -
}

@test "trap 17: a pipe, a link and a bad home hide nothing" {
	body "$S/a.md" 10 'needle'
	mkfifo "$S/f.md"
	ln -s a.md "$S/l.md"
	: >"$CTX_NOTES_HOME/human"
	timeout 5 notes-search -j needle >out
	is result '["a.md"] ["@human"] 2' "$(jq -cr \
		'"\([.files[].address]) \(.homes_unavailable) \(.skipped)"' out)"
}
