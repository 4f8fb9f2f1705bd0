#!/usr/bin/env bats
# notes-read-file: spec/context.md section 3.6.

load common
load context

setup() {
	context_setup
	note f $'one\ntwo\nthree\n'
}

# lines <start> <stop>: a call with these bounds, - for none.
lines() {
	jq -nc --arg a "$1" --arg b "$2" '{path:"f"}
		+ (if $a == "-" then {} else {start_line:($a|tonumber)} end)
		+ (if $b == "-" then {} else {stop_line:($b|tonumber)} end)'
}

@test "12: the worked example" {
	note plan.md $'goal\n- é'
	call notes-read-file '{"path":"plan.md","start_line":-1,"offset_chars":2}'
	jq -c 'del(.created_at,.updated_at)' json >got
	echo '{"path":"/root/notes/plan.md","content":"é","start_line":2,"stop_line":2,"line_count":2,"offset_chars":2,"total_chars":3,"next_offset_chars":null,"bytes":9}' |
		diff -u - got
	printf -- '--- /root/notes/plan.md (3 chars, showing 2..3) ---\né\n' | diff -u - text
}

@test "12: the line vectors" {
	local start stop want
	while read -r start stop want; do
		does notes-read-file "$(lines "$start" "$stop")"
		gives .content "$want"
	done <<-'END'
		2 2 "two"
		-1 - "three"
		- -2 "one\ntwo"
		-9 1 "one"
		2 99 "two\nthree"
	END
	while read -r start stop; do
		refuses empty_range notes-read-file "$(lines "$start" "$stop")"
		says 'has 3 lines'
	done <<-'END'
		3 2
		4 -
		- -4
	END
	refuses empty_range notes-read-file "$(lines 3 2)"
	says 'line range 3..2 is empty: /root/notes/f has 3 lines'
	does notes-read-file '{"path":"f","start_line":2,"stop_line":2,"offset_chars":1,"limit_chars":1}'
	gives '[.content,.total_chars,.next_offset_chars]' '["w",3,2]'
}

@test "3.6: no bound: the whole text, final newline included, and null bounds" {
	does notes-read-file '{"path":"f","start_line":null,"stop_line":null}'
	gives '[.content,.start_line,.stop_line,.line_count]' '["one\ntwo\nthree\n",null,null,3]'
}

@test "3.6: line counts" {
	local text want
	while IFS='|' read -r text want; do
		printf '%b' "$text" >"$NOTES/f"
		does notes-read-file '{"path":"f"}'
		gives .line_count "$want"
	done <<-'END'
		a\nb\n|2
		a\nb|2
		\n|1
		|0
		\r\n\r|2
	END
	note f ''
	refuses empty_range notes-read-file '{"path":"f","start_line":1}'
	says 'has 0 lines'
	note f $'a\r\n\nb'
	does notes-read-file '{"path":"f","start_line":1,"stop_line":2}'
	gives .content '"a\r\n"'
}

@test "1.2: 0 is not a line; ranges of integers" {
	invalid '1-based' notes-read-file '{"path":"f","start_line":0}'
	invalid 'from the end' notes-read-file '{"path":"f","stop_line":0}'
	invalid offset_chars notes-read-file '{"path":"f","offset_chars":-1}'
	invalid limit_chars notes-read-file '{"path":"f","limit_chars":0}'
	invalid limit_chars notes-read-file '{"path":"f","limit_chars":null}'
	invalid limit_chars notes-read-file '{"path":"f","limit_chars":"5"}'
	invalid start_line notes-read-file '{"path":"f","start_line":9007199254740992}'
	invalid start_line notes-read-file '{"path":"f","start_line":-9007199254740992}'
	invalid path notes-read-file '{"path":""}'
	does notes-read-file '{"path":"f","start_line":-9007199254740991}'
	does notes-read-file '{"path":"f","limit_chars":9007199254740991}'
}

@test "3.6: an offset at or past the end is no error" {
	does notes-read-file '{"path":"f","offset_chars":14}'
	gives '[.content,.offset_chars,.next_offset_chars]' '["",14,null]'
	does notes-read-file '{"path":"f","offset_chars":99}'
	gives '[.offset_chars,.total_chars]' '[14,14]'
}

@test "1.3: pages fit, and concatenate to the text byte for byte" {
	local next=0 n=0
	jq -nj '[range(9000) | ["😀", "\n", "\t", "\u0001", "\"", "\\", "é", "a"][. % 8]] | add * 3' \
		>"$NOTES/f"
	: >all
	while [ "$next" != null ]; do
		does notes-read-file "{\"path\":\"f\",\"offset_chars\":$next}"
		[ "$(wc -c <json)" -le 32769 ] && [ "$(wc -c <text)" -le 32769 ]
		[ "$(wc -m <text)" -le 12001 ]
		jq -j .content json >>all
		next=$(jq .next_offset_chars json)
		[ "$next" = null ] || tail -n 1 text | grep -qx "\[truncated; continue at offset_chars=$next\]"
		! LC_ALL=C tr -d '\n\t' <text | grep -q '[[:cntrl:]]' || fail 'raw controls'
		n=$((n + 1))
	done
	cmp all "$NOTES/f"
	[ $n -gt 2 ]
}

@test "3.3: what is not a note file, no text, too large; NUL is text" {
	refuses not_found notes-read-file '{"path":"none"}'
	says 'no note file at "/root/notes/none"'
	mkdir -p "$NOTES/dir"
	refuses not_found notes-read-file '{"path":"dir"}'
	printf 'ok\xc3(' >"$NOTES/bad"
	refuses not_text notes-read-file '{"path":"bad"}'
	says 'offset 2'
	truncate -s 16777217 "$NOTES/huge"
	refuses too_large notes-read-file '{"path":"huge"}'
	says 16777217
	truncate -s 16777216 "$NOTES/huge"
	does notes-read-file '{"path":"huge","limit_chars":1}'
	gives '[.content,.total_chars]' '["\u0000",16777216]'
	[ "$(tail -n +2 text | head -n 1)" = '\u0000' ]
}

@test "13: a reader makes no state" {
	export CTX_SESSION=pi:other
	refuses not_found notes-read-file '{"path":"a"}'
	[ ! -e "$HOME/.local/state/ctxtools/other" ]
}
