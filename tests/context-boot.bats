#!/usr/bin/env bats
# context-boot: spec/history.md sections 7 to 9 and 11.

load common
load history

setup() {
	common_setup
	NOTES=$HOME/.agents/notes
}

# note <path under the root> <time> <body>, as the notes programs store it.
note() {
	mkdir -p "$NOTES/${1%/*}"
	printf -- '---\norigin: self\ncreatedAt: %s\nupdatedAt: %s\n---\n\n%b' \
		"$2" "$2" "$3" >"$NOTES/$1"
}

boot() {
	context-boot "$@" </dev/null
}

# field <jq> <arguments>
field() {
	local filter=$1
	shift
	boot -j "$@" | jq -c "$filter"
}

is() {
	[ "$2" = "$3" ] || fail "$1: $3, not $2"
}

# block <name>: the lines of that block of a text on stdin.
block() {
	sed -n "/^<$1>\$/,/^<\/$1>\$/p" | sed '1d;$d'
}

marker() {
	entry custom "\"customType\":\"notesoup/reset-marker\",\"data\":{\"windowId\":\"$1\"}"
}

compaction() {
	entry compaction "\"summary\":\"$1\",\"firstKeptEntryId\":\"${2-x}\""
}

@test "section 11: the worked example, both surfaces" {
	example_session
	export CTX_SESSION=pi:$EXAMPLE
	cat >want <<'END'
{"session":"pi:4f2a90c1-7b1e-7d20-9a11-c0de00000001","agent":"anonymous","model":"default","transcript":"found","windows":[{"window_id":"pcw:4f2a90c1:root","created_at":null,"first_seq":1,"last_seq":4,"event_count":4,"current":false},{"window_id":"pcw:4f2a90c1:5d3e0b77","created_at":"2026-03-05T09:00:06.000Z","first_seq":6,"last_seq":6,"event_count":1,"current":true}],"notes":{"shelves":[],"homes_unavailable":[]}}
<context_window>
Agent name: anonymous (brain: default)
First context window id: pcw:4f2a90c1:root
Current context window id: pcw:4f2a90c1:5d3e0b77
Previous context window id: pcw:4f2a90c1:root
</context_window>

<notes_index>
no notes yet
</notes_index>

<history_windows>
window pcw:4f2a90c1:root | seqs 1-4 | 4 events | from start
window pcw:4f2a90c1:5d3e0b77 | seqs 6-6 | 1 event | from 2026-03-05T09:00:06.000Z | current
</history_windows>
END
	echo '{}' | context-boot | diff -u want -
	is 'nothing is written' "$(find "$HOME/.pi")" "$(find "$HOME" -mindepth 1)"
	# A prefix and the session itself mean the same session.
	for session in 4f2a "pi:$EXAMPLE" ''; do
		echo "{\"session\":\"$session\"}" | context-boot | diff -u want -
	done
}

@test "section 9: invalid arguments are exit 2 and name the field" {
	session_begin
	invalid --max-notes context-boot --max-notes 51
	invalid --max-notes context-boot --max-notes -1
	invalid --max-notes context-boot --max-notes x
	invalid hook context-boot --hook cluade
	echo '{"window_id":"w"}' >input
	invalid window_id bash -c 'context-boot <input'
	echo '{"session":17}' >input
	invalid session bash -c 'context-boot <input'
	echo '{"hook":"claude"}' >input
	invalid hook bash -c 'context-boot <input'
}

@test "section 8: refusals, in their order" {
	refuses no_session 'no current session: set CTX_SESSION, or name one with the session parameter' context-boot
	export CTX_SESSION=pi:gone
	refuses wildcard_read 'session "*" means many sessions: one is needed to read from' context-boot '*'
	refuses wildcard_read 'session "pi:*" means many sessions: one is needed to read from' context-boot 'pi:*'
	run -1 context-boot -t '../x'
	assert_output --partial 'error: invalid_session: session "../x"'
	run -1 context-boot -t other
	assert_output --partial 'error: unknown_session: no session matches "other"'
	# The current one by its name is named by parameter, too.
	run -1 context-boot -t pi:gone
	assert_output --partial 'error: unknown_session: '
	CTX_SESSION='a b' run -1 context-boot -t
	assert_output --partial 'error: invalid_session: CTX_SESSION "a b"'
	example_session
	cp "$HOME/.pi/agent/sessions/--srv-shop--/2026-03-05T09-00-00-000Z_$EXAMPLE.jsonl" \
		"$HOME/.pi/agent/sessions/2026-03-05T09-00-00-000Z_4f2a90c1-x.jsonl"
	run -1 context-boot -t 4f2a
	assert_output --partial 'error: ambiguous_session: "4f2a" matches 2 sessions: '
	CTX_SESSION=4f2a run -1 context-boot -t
	assert_output --partial 'error: ambiguous_session: '
	CTX_SESSION=pi:$EXAMPLE CTX_LEAF=zz run -1 context-boot -t
	assert_output --partial 'error: invalid_session: CTX_LEAF "zz"'
	# Of another session it is not about.
	CTX_LEAF=zz boot "pi:$EXAMPLE" | grep -qxF 'Previous context window id: pcw:4f2a90c1:root'
	echo '<html>' >"$HOME/.pi/agent/sessions/2026-03-05T09-00-00-000Z_page.jsonl"
	refuses unreadable_session 'pi:page cannot be read: not a pi transcript' context-boot page
}

@test "host facts that are invalid are exit 4" {
	session_begin
	for bad in CTX_SESSION=pi:a/b CTX_SESSION=: CTX_NOW_MS=x \
		CTX_AGENT="$(printf 'a%.0s' {1..129})"; do
		run -4 --separate-stderr env "$bad" context-boot
		[ -z "$output" ] || fail "$bad: $output"
		[[ ${stderr:?} == "context-boot: ${bad%%=*}: "* ]] || fail "$bad: $stderr"
	done
	run -4 env CTX_SESSION=pi:a:b context-boot other
}

@test "7.1: boundaries of the branch divide the events" {
	session_begin
	user a                                             # 1
	marker w1
	assistant b "$(call c f)"                          # 2 3
	marker w2
	result c x                                         # 4, of 3
	compaction sum                                     # 5
	user d                                             # 6
	compaction '' "e$((ENTRY + 1))"                    # 7, of the marker
	marker w3
	boot | block history_windows | diff -u - <(cat <<'END'
window pcw:own:root | seqs 1-1 | 1 event | from start
window w1 | seqs 2-3 | 2 events | from 2026-03-05T09:00:02.000Z
window w2 | no events | from 2026-03-05T09:00:04.000Z
window pcw:own:e6 | seqs 5-7 | 3 events | from 2026-03-05T09:00:06.000Z
window w3 | no events | from 2026-03-05T09:00:09.000Z | current
END
	)
	is 'members' '{"window_id":"w2","created_at":"2026-03-05T09:00:04.000Z","first_seq":null,"last_seq":null,"event_count":0,"current":false}' \
		"$(field '.windows[2]')"
	boot | block context_window | diff -u - <(cat <<'END'
Agent name: anonymous (brain: default)
First context window id: pcw:own:root
Current context window id: w3
Previous context window id: pcw:own:e6
END
	)
	# An earlier leaf: the branch ends there.
	is leaf '["pcw:own:root","w1"]' "$(field '[.windows[].window_id]' --leaf e3)"
}

@test "7.1: a time that is none reads from start; ids are shown, not acted on" {
	session_begin
	marker 'w\u001b[2J\n'
	sed -i 's/"timestamp":"[^"]*"/"timestamp":5/' "$CTX_SESSION_FILE"
	boot | block history_windows | tail -n 1 | diff -u - <(
		echo 'window w\u001b[2J\u000a | no events | from start | current')
	is exact '"w\u001b[2J\n"' "$(field '.windows[1].window_id')"
}

@test "7.3: at most 64 windows: the first and the newest 63" {
	session_begin
	for i in {1..65}; do
		marker "w$i"
	done
	is ids '["pcw:own:root","w3","w65",64,2]' \
		"$(field '[.windows[0,1,-1].window_id, (.windows | length), .windows_omitted]')"
	boot | block history_windows | tail -n 1 | diff -u - <(echo '2 earlier windows omitted')
	sed -i '$d' "$CTX_SESSION_FILE"
	boot | block history_windows | tail -n 1 | diff -u - <(echo '1 earlier window omitted')
	sed -i '$d' "$CTX_SESSION_FILE"
	is none '[64,null]' "$(field '[(.windows | length), .windows_omitted]')"
}

@test "7.3: malformed lines are counted" {
	session_begin
	user a
	echo '{"torn":' >>"$CTX_SESSION_FILE"
	is one 1 "$(field .lines_skipped)"
	boot | block history_windows | tail -n 1 | diff -u - <(echo '1 malformed line skipped')
	printf '\xff\n' >>"$CTX_SESSION_FILE"
	boot | block history_windows | tail -n 1 | diff -u - <(echo '2 malformed lines skipped')
}

@test "7.3: a transcript that is not there yet" {
	# host and id as given, or of the file's name
	while read -r session file want window; do
		[ "$session" = - ] && session=
		[ "$file" = - ] && file=
		export CTX_SESSION=$session CTX_SESSION_FILE=$file
		is "$session $file" "[\"$want\",\"absent\",[{\"window_id\":\"$window\",\"created_at\":null,\"first_seq\":null,\"last_seq\":null,\"event_count\":0,\"current\":true}]]" \
			"$(field '[.session, .transcript, .windows]')"
	done <<'END'
pi:0123456789 - pi:0123456789 pcw:01234567:root
0123456789 - pi:0123456789 pcw:01234567:root
claude:s-1 - claude:s-1 claude:s-1:0
codex:s-1 - codex:s-1 codex:s-1:0
pi:0123 none.jsonl pi:0123 pcw:0123:root
0123 /none/none.jsonl pi:0123 pcw:0123:root
- none.jsonl pi:none pcw:none:root
- d/2026-03-05T09-00-00-000Z_abc.jsonl pi:abc pcw:abc:root
END
	export CTX_SESSION=pi:own CTX_SESSION_FILE=$PWD/late.jsonl
	note pi/session/own/a.md 2026-01-01 'It is there.'
	boot -t | diff -u - <(cat <<'END'
<context_window>
Agent name: anonymous (brain: default)
First context window id: pcw:own:root
Current context window id: pcw:own:root
</context_window>

<notes_index>
session:
- a.md | It is there. | updated 2026-01-01T00:00:00.000Z
</notes_index>

<history_windows>
window pcw:own:root | no events | from start | current
</history_windows>
END
	)
}

@test "7.3: a transcript that cannot be read does not take the notes with it" {
	export CTX_SESSION=pi:own
	note pi/session/own/a.md 2026-01-01 'It is there.'
	mkdir folder.jsonl
	mkfifo fifo.jsonl
	echo '<html>' >page.jsonl
	: >empty.jsonl
	while read -r file reason; do
		export CTX_SESSION_FILE=$PWD/$file
		is "$file" "[\"unreadable\",[],\"unreadable_session: pi:own cannot be read: $reason\",\"a.md\"]" \
			"$(field '[.transcript, .windows, .windows_error, .notes.shelves[0].recent[0].address]')"
	done <<'END'
folder.jsonl not a regular file
fifo.jsonl not a regular file
page.jsonl not a pi transcript
empty.jsonl not a pi transcript
END
	boot -t | diff -u - <(cat <<'END'
<context_window>
Agent name: anonymous (brain: default)
</context_window>

<notes_index>
session:
- a.md | It is there. | updated 2026-01-01T00:00:00.000Z
</notes_index>

<history_windows>
history unavailable: unreadable_session: pi:own cannot be read: not a pi transcript
</history_windows>
END
	)
	powerless
	session_begin
	chmod 0 "$CTX_SESSION_FILE"
	is denied '"unreadable_session: pi:own cannot be read: permission denied"' \
		"$("${AS[@]}" context-boot -j </dev/null | jq .windows_error)"
}

@test "7.2: the shelves, their order, maps, titles and what more there is" {
	session_begin
	export CTX_AGENT='Ana Bot' CTX_MODEL=acme/Big-1 CTX_CWD=/data/x
	note human/h.md 2026-01-01 'h\n'
	note models/big-1/m.md 2026-01-01 'm\n'
	note agents/ana-bot/MAP.md 2026-01-01 '# Me\n\nmine\n\n\n'
	note agents/ana-bot/sub/MAP.md 2026-01-01 'not the map\n'
	note agents/bob/b.md 2026-01-01 'of somebody else\n'
	note project/x-ed66d30a/p.md 2026-01-01 ''
	for i in 1 2 3 4 5; do
		note "pi/session/own/n$i.md" "2026-01-0$i" "n$i\n"
	done
	note pi/session/own/b.md 2026-01-04 'tie\n'
	note pi/session/own/gone.md 2026-01-09 'gone\n'
	sed -i '2i crumpledAt: 2026-01-10' "$NOTES/pi/session/own/gone.md"
	find "$NOTES" -printf '%p %T@ %A@ %s\n' | sort >before
	boot -t | diff -u - <(cat <<'END'
<context_window>
Agent name: ana-bot (brain: big-1)
First context window id: pcw:own:root
Current context window id: pcw:own:root
</context_window>

<notes_index>
session:
- n5.md | n5 | updated 2026-01-05T00:00:00.000Z
- b.md | tie | updated 2026-01-04T00:00:00.000Z
- n4.md | n4 | updated 2026-01-04T00:00:00.000Z
3 more notes; notes_list {"glob":"**"}
@project (x-ed66d30a):
- @project/p.md | (empty) | updated 2026-01-01T00:00:00.000Z
@self:
MAP.md:
# Me

mine
- @self/sub/MAP.md | not the map | updated 2026-01-01T00:00:00.000Z
@model:
- @model/m.md | m | updated 2026-01-01T00:00:00.000Z
@human:
- @human/h.md | h | updated 2026-01-01T00:00:00.000Z
</notes_index>

<history_windows>
window pcw:own:root | no events | from start | current
</history_windows>
END
	)
	is project '{"home":"@project","project_key":"x-ed66d30a","map":null,"map_total_chars":null,"recent":[{"address":"@project/p.md","title":"","updated_at":"2026-01-01T00:00:00.000Z"}],"more":0}' \
		"$(field '.notes.shelves[1]')"
	is map '["@self","# Me\n\nmine\n\n\n",13]' "$(field '.notes.shelves[2] | [.home, .map, .map_total_chars]')"
	is none '[[],6]' "$(field '.notes.shelves[0] | [.recent, .more]' --max-notes 0)"
	is five '[5,1]' "$(field '.notes.shelves[0] | [(.recent | length), .more]' --max-notes 5)"
	boot --max-notes 5 | grep -qxF '1 more note; notes_list {"glob":"**"}'
	boot --max-notes 0 | grep -qxF '1 more note; notes_list {"glob":"@human/**"}'
	is all '[6,0]' "$(field '.notes.shelves[0] | [(.recent | length), .more]' --max-notes 50)"
	is options '["bo","default"]' "$(field '[.agent, .model]' --agent bo --model /)"
	is homes '["session","@project","@model","@human"]' "$(field '[.notes.shelves[].home]' --agent bo)"
	is elsewhere '["session","@self","@model","@human"]' "$(field '[.notes.shelves[].home]' --cwd /)"
	is 'another root' '[]' "$(field '.notes.shelves' --notes-home "$PWD/none")"
	find "$NOTES" -printf '%p %T@ %A@ %s\n' | sort | cut -d' ' -f1,2,4 >after
	cut -d' ' -f1,2,4 before | diff -u - after
}

@test "7.2: titles" {
	session_begin
	local i=0 body want
	while IFS='|' read -r body want; do
		i=$((i + 1))
		rm -rf "$NOTES"
		note pi/session/own/t.md 2026-01-01 "$body"
		is "$body" "$want" "$(field '.notes.shelves[0].recent[0].title' | jq -r .)"
	done <<'END'
# One|One
first\n\n## The heading \t\nlast|The heading
first\r\n###### six\r\n|six
first\n####### seven|first
first\n#none|first
#\n# \n\n  second  |#
 # not at the start|# not at the start
\n \t \n  text  \n|text
|
\n\n|
#\ttab|tab
1234567890123456789012345678901234567890|1234567890123456789012345678901234567890
12345678901234567890123456789012345678901|1234567890123456789012345678901234567890…
# éééééééééééééééééééééééééééééééééééééééééé|éééééééééééééééééééééééééééééééééééééééé…
END
	[ $i -eq 14 ]
	# A note that is not text, and one without front matter.
	printf 'a\xffb\n' >"$NOTES/pi/session/own/t.md"
	touch -d 2026-02-03T04:05:06.789Z "$NOTES/pi/session/own/t.md"
	is bytes '{"address":"t.md","title":"a�b","updated_at":"2026-02-03T04:05:06.789Z"}' \
		"$(field '.notes.shelves[0].recent[0]')"
	note pi/session/own/t.md 2026-01-01 'a\033[2Jb'
	boot | grep -qxF -- '- t.md | a\u001b[2Jb | updated 2026-01-01T00:00:00.000Z'
	is raw '"a\u001b[2Jb"' "$(field '.notes.shelves[0].recent[0].title')"
}

@test "7.2: a map is given up to 4,096 characters" {
	session_begin
	note pi/session/own/MAP.md 2026-01-01 "$(printf 'é%.0s' {1..4096})"
	is whole '[4096,4096]' "$(field '.notes.shelves[0] | [(.map | length), .map_total_chars]')"
	boot | grep -q truncated && fail 'it is whole'
	printf 'x' >>"$NOTES/pi/session/own/MAP.md"
	is cut '[4096,4097,[],0]' "$(field '.notes.shelves[0] | [(.map | length), .map_total_chars, .recent, .more]')"
	boot | grep -qxF '[truncated; notes_read {"address":"MAP.md","offset_chars":4096}]'
	note project/x-ed66d30a/MAP.md 2026-01-01 "$(printf 'x\\n%.0s' {1..5000})"
	boot --cwd /data/x | grep -qxF '[truncated; notes_read {"address":"@project/MAP.md","offset_chars":4096}]'
	# An empty one is one, too; a crumpled one is none.
	note pi/session/own/MAP.md 2026-01-01 ''
	is empty '["",0]' "$(field '.notes.shelves[0] | [.map, .map_total_chars]')"
	boot | block notes_index | diff -u - <(printf 'session:\nMAP.md:\n')
	sed -i '2i crumpledAt: 2026-01-10' "$NOTES/pi/session/own/MAP.md"
	is crumpled '[]' "$(field .notes.shelves)"
}

@test "7.3: what could not be read ends the result, in this order" {
	session_begin
	user a
	sed -n 2p "$CTX_SESSION_FILE" >again
	printf 'torn\nworn\n' >>"$CTX_SESSION_FILE"
	cat again >>"$CTX_SESSION_FILE"
	is json '["lines_skipped","records_repeated",2,1]' "$(field '(keys_unsorted | .[-2:]) + [.lines_skipped, .records_repeated]')"
	boot -t | block history_windows | tail -n 2 | diff -u - <(printf '2 malformed lines skipped\n1 repeated record skipped\n')
}

@test "7.2: the session shelf is that of the session described" {
	example_session
	session_begin
	user a
	note "pi/session/$EXAMPLE/a.md" 2026-01-01 'theirs'
	note pi/session/own/a.md 2026-01-01 'ours'
	is own '"ours"' "$(field '.notes.shelves[0].recent[0].title')"
	is other '"theirs"' "$(field '.notes.shelves[0].recent[0].title' 4f2a)"
	# An id outside the grammar gives way to the file's name.
	printf '{"type":"session","version":3,"id":"../human"}\n' >"$CTX_SESSION_FILE"
	note human/h.md 2026-01-01 'h'
	is claimed '["pi:session",["@human"]]' "$(field '[.session, [.notes.shelves[].home]]')"
}

@test "7.2: a shelf that cannot be read is named, the others are served" {
	session_begin
	note human/h.md 2026-01-01 'h'
	mkdir "$NOTES/agents" "$NOTES/elsewhere"
	ln -s ../elsewhere "$NOTES/agents/anonymous"
	is link '[["@human"],["@self"]]' "$(field '[[.notes.shelves[].home], .notes.homes_unavailable]')"
	boot | block notes_index | diff -u - <(cat <<'END'
@human:
- @human/h.md | h | updated 2026-01-01T00:00:00.000Z
@self could not be read; notes_list {"glob":"@self/**"}
END
	)
	rm -r "$NOTES"
	: >"$NOTES"
	is root '[[],["session","@project","@self","@model","@human"]]' \
		"$(field '[.notes.shelves, .notes.homes_unavailable]')"
	boot | block notes_index | head -n 1 | diff -u - <(
		echo 'session could not be read; notes_list {"glob":"**"}')
}

# sizes <arguments>: map characters, notes named and windows given.
sizes() {
	context-boot -j "$@" </dev/null >json
	context-boot -t "$@" </dev/null >text
	[ "$(wc -c <json)" -le 32769 ] || fail "$(wc -c <json) bytes of JSON"
	[ "$(wc -c <text)" -le 32769 ] || fail "$(wc -c <text) bytes of text"
	jq -r '[([.notes.shelves[].map // empty | length] | max), ([.notes.shelves[].recent | length] | max),
		(.windows | length), .windows_omitted // 0] | join(" ")' json
}

@test "7.3: fitting: maps shrink, then notes go, then windows" {
	local home i
	session_begin
	export CTX_CWD=/data/x
	# bytes that take six characters in both surfaces
	for home in pi/session/own project/x-ed66d30a agents/anonymous models/default human; do
		note $home/MAP.md 2026-01-01 "$(printf '\\001%.0s' {1..1500})"
	done
	is 'maps of 1,024' '1024 0 1 0' "$(sizes)"
	grep -qxF '[truncated; notes_read {"address":"@model/MAP.md","offset_chars":1024}]' text
	for home in pi/session/own project/x-ed66d30a agents/anonymous models/default human; do
		note $home/MAP.md 2026-01-01 "$(printf '\\001%.0s' {1..900})"
	done
	is 'maps of 900' '900 0 1 0' "$(sizes)"
	for home in pi/session/own project/x-ed66d30a agents/anonymous models/default human; do
		note $home/MAP.md 2026-01-01 "$(printf '\\001%.0s' {1..5000})"
		for i in {10..59}; do
			note "$home/$(printf 'n%.0s' {1..100})$i.md" 2026-01-01 'x'
		done
	done
	is 'maps first' '512 3 1 0' "$(sizes --max-notes 3)"
	read -r map notes rest <<<"$(sizes --max-notes 50)"
	is 'then notes' '0 1 0' "$map $rest"
	[ "$notes" -gt 9 ] && [ "$notes" -lt 50 ]
	is 'all the same number' "[$notes,$((50 - notes))]" \
		"$(jq -c '[.notes.shelves[] | [(.recent | length), .more]] | unique[]' json)"
	# With one more on each shelf it would be too large.
	row=$(jq -c '.notes.shelves[0].recent[0]' json | wc -c)
	[ $(($(wc -c <json) + 5 * row)) -gt 32769 ]
	grep -qxF '[truncated; notes_read {"address":"MAP.md","offset_chars":0}]' text
	for i in {1..70}; do
		marker "$(printf '\\u0001%.0s' {1..120})$i"
	done
	is 'then windows' '0 0' "$(sizes | cut -d' ' -f1,2)"
	is 'the first and the last stay' '["pcw:own:root","70",true]' \
		"$(jq -c '[.windows[0].window_id, (.windows[-1] | .window_id[-2:], .current)]' json)"
	is 'and all are counted' 71 "$(jq '(.windows | length) + .windows_omitted' json)"
	# One more window would not fit.
	jq -r '.windows[-1]' json | wc -c >one
	[ "$(($(wc -c <json) + 2 * $(<one)))" -gt 32769 ]
}

@test "--hook claude: stdin is the host's object, stdout is its context" {
	export CTX_SESSION=pi:other CTX_CWD=/data/x
	note pi/session/s-1/a.md 2026-01-01 'of the session'
	note project/y-c0ffee/p.md 2026-01-01 'p'
	mkdir y
	CTX_CWD=$PWD/y notes-write @project/p --content 'of y' >/dev/null
	hook="{\"session_id\":\"s-1\",\"transcript_path\":\"$PWD/late.jsonl\",\"cwd\":\"$PWD/y\",\"source\":\"startup\",\"x\":{\"session_id\":\"z\"}}"
	cat >want <<'END'
Agent name: anonymous (brain: default)
First context window id: claude:s-1:0
Current context window id: claude:s-1:0
END
	context-boot --hook claude <<<"$hook" >got
	block context_window <got | diff -u want -
	grep -qxF -- '- a.md | of the session | updated 2026-01-01T00:00:00.000Z' got
	grep -q -- '^- @project/p.md | of y | ' got
	# Only the text, whatever is asked for; parameters by flags.
	context-boot --json --hook=claude <<<"$hook" | cmp - got
	context-boot --hook claude --max-notes 0 <<<"$hook" | grep -qxF '1 more note; notes_list {"glob":"@project/**"}'
	# An option stands before the object, the object before the environment.
	context-boot --hook claude --cwd /data/x <<<"$hook" >elsewhere
	grep -q @project elsewhere && fail 'another project'
	context-boot --hook claude <<<'{}' | grep -qxF 'First context window id: pcw:other:root'
	for bad in '{"session_id":17,"cwd":null,"transcript_path":[]}' '{"session_id":""}' \
		'{"session_id":"a\u0000b"}'; do
		context-boot --hook claude <<<"$bad" | grep -qxF 'First context window id: pcw:other:root'
	done
	context-boot --hook claude <<<'{"session_id":"a","session_id":"b"}' |
		grep -qxF 'First context window id: claude:b:0'
}

@test "--hook claude: CLAUDE_PROJECT_DIR is the project, wherever the model has gone" {
	mkdir a b
	hook="{\"session_id\":\"s-1\",\"cwd\":\"$PWD/b\"}"
	CTX_CWD=$PWD/a notes-write @project/n --content 'of a' >/dev/null
	CLAUDE_PROJECT_DIR=$PWD/a context-boot --hook claude <<<"$hook" | grep -q '@project/n.md | of a'
	context-boot --hook claude <<<"$hook" >got
	! grep -q 'of a' got || fail 'another project'
	CLAUDE_PROJECT_DIR='' context-boot --hook claude <<<"$hook" | diff got -
	# What a person says goes before it.
	CLAUDE_PROJECT_DIR=$PWD/b context-boot --hook claude --cwd "$PWD/a" <<<"$hook" | grep -q 'of a'
}

@test "--hook claude: after a compaction the window that begins is counted already" {
	local i source
	export CTX_NOW_MS=1785571200000
	CTX_SESSION_FILE=$PWD/9f3.jsonl
	hook() {
		context-boot --hook claude <<<"{\"session_id\":\"9f3\",\"transcript_path\":\"$CTX_SESSION_FILE\",\"source\":\"$1\"}"
	}
	claude u1 null user '"message":{"role":"user","content":"hi"}'
	claude a1 '"u1"' assistant '"message":{"role":"assistant","content":[{"type":"text","text":"ho"}]}'
	for source in startup resume clear; do
		hook $source | block history_windows | diff - <(
			echo 'window claude:9f3:0 | seqs 1-2 | 2 events | from start | current'
		)
	done
	hook compact >got
	block history_windows <got | diff - <(
		echo 'window claude:9f3:0 | seqs 1-2 | 2 events | from start'
		echo 'window claude:9f3:1 | no events | from 2026-08-01T08:00:00.000Z | current'
	)
	grep -qxF 'Current context window id: claude:9f3:1' got
	grep -qxF 'Previous context window id: claude:9f3:0' got
	# Once the boundary is there, it is counted once.
	claude b1 '"a1"' system '"subtype":"compact_boundary","content":"Conversation compacted"'
	hook compact | block history_windows | tail -n 1 |
		diff - <(echo 'window claude:9f3:1 | seqs 3-3 | 1 event | from b1-time | current')
	claude s1 '"b1"' user '"isCompactSummary":true,"message":{"role":"user","content":"it was so"}'
	hook compact | block history_windows | tail -n 1 | grep -q '^window claude:9f3:1 .* from b1-time | current$'
	# And when more was said, the next one begins.
	claude u2 '"s1"' user '"message":{"role":"user","content":"on"}'
	hook compact | block history_windows | tail -n 1 |
		diff - <(echo 'window claude:9f3:2 | no events | from 2026-08-01T08:00:00.000Z | current')
	hook startup | grep -qxF 'Current context window id: claude:9f3:1'
	# At the most that are shown, the first and the newest stay.
	for ((i = 3; i < 80; i++)); do
		claude "b$i" "\"u$((i - 1))\"" system '"subtype":"compact_boundary","content":"c"'
		claude "u$i" "\"b$i\"" user '"message":{"role":"user","content":"on"}'
	done
	hook compact | block history_windows >got
	[ "$(head -n 1 got)" = 'window claude:9f3:0 | seqs 1-2 | 2 events | from start' ]
	[ "$(tail -n 2 got)" = 'window claude:9f3:79 | no events | from 2026-08-01T08:00:00.000Z | current
16 earlier windows omitted' ] || fail "$(tail -n 3 got)"
}

@test "7.4: after a compaction the hook comes before the boundary is written" {
	local row='"sessionId":"c1","timestamp":"2026-03-05T09:00:00Z"'
	mkdir -p "$HOME/.claude/projects/p"
	cd "$HOME/.claude/projects/p"
	windows() {
		CTX_NOW_MS=1785571200000 context-boot --hook claude "${@:2}" <<<"{\"session_id\":\"c1\",\"source\":\"$1\"}" |
			block history_windows
	}
	printf '{"type":"user","uuid":"u1","parentUuid":null,%s,"message":{"content":"a"}}\n' "$row" >c1.jsonl
	[ "$(windows resume)" = 'window claude:c1:0 | seqs 1-1 | 1 event | from start | current' ]
	windows compact | diff -u - <(cat <<-'END'
		window claude:c1:0 | seqs 1-1 | 1 event | from start
		window claude:c1:1 | no events | from 2026-08-01T08:00:00.000Z | current
	END
	)
	# Then it is there, with its summary, and nobody has said anything yet.
	printf '{"type":"system","subtype":"compact_boundary","uuid":"b","parentUuid":null,"logicalParentUuid":"u1",%s,"content":"C"}\n' "$row" >>c1.jsonl
	printf '{"type":"user","uuid":"s","parentUuid":"b","isCompactSummary":true,%s,"message":{"content":"sum"}}\n' "$row" >>c1.jsonl
	windows compact | diff -u - <(windows resume)
	printf '{"type":"assistant","uuid":"a","parentUuid":"s",%s,"message":{"id":"m","content":[{"type":"text","text":"b"}]}}\n' "$row" >>c1.jsonl
	windows compact | diff -u - <(cat <<-'END'
		window claude:c1:0 | seqs 1-1 | 1 event | from start
		window claude:c1:1 | seqs 2-4 | 3 events | from 2026-03-05T09:00:00Z
		window claude:c1:2 | no events | from 2026-08-01T08:00:00.000Z | current
	END
	)
	# Another session is not about to begin one.
	cp c1.jsonl c2.jsonl
	windows compact --session c2 | diff -u - <(windows resume --session c2)
	# There are 64 at most.
	: >c1.jsonl
	for ((i = 0; i < 70; i++)); do
		printf '{"type":"system","subtype":"compact_boundary","uuid":"b%d","parentUuid":null,"logicalParentUuid":"u%d",%s,"content":"C"}\n' $i $((i - 1)) "$row"
		printf '{"type":"user","uuid":"u%d","parentUuid":"b%d",%s,"message":{"content":"a"}}\n' $i $i "$row"
	done >c1.jsonl
	windows compact >got
	[ "$(grep -c ^window got)" -eq 64 ]
	head -n 2 got | cut -d ' ' -f 2 | paste -sd ' ' | grep -qx 'claude:c1:0 claude:c1:9'
	grep -qxF '8 earlier windows omitted' got
	grep -qxF 'window claude:c1:71 | no events | from 2026-08-01T08:00:00.000Z | current' got
}

@test "--hook codex: session, transcript, directory and model" {
	mkdir y
	CTX_CWD=$PWD/y notes-write @project/p --content 'of y' >/dev/null
	hook="{\"session_id\":\"0199-t\",\"transcript_path\":\"$PWD/late.jsonl\",\"cwd\":\"$PWD/y\",\"source\":\"startup\",\"model\":\"vendor/GPT-X\"}"
	CLAUDE_PROJECT_DIR=/elsewhere context-boot --hook codex --agent codex <<<"$hook" >got
	grep -qxF 'Agent name: codex (brain: gpt-x)' got
	grep -qxF 'Current context window id: codex:0199-t:0' got
	grep -q '@project/p.md | of y' got
	# Compactions of Codex are in its transcript; only Claude Code is late.
	context-boot --hook codex <<<'{"session_id":"0199-t","source":"compact"}' | grep -c '^window' | grep -qx 1
	run -0 --separate-stderr context-boot --hook codex <<<'nonsense'
	[ -z "$output$stderr" ]
}

@test "--hook copilot and gemini: the text in the JSON that each takes" {
	mkdir y
	CTX_CWD=$PWD/y notes-write @project/p --content 'of "y"' >/dev/null
	context-boot --hook copilot --agent copilot >got \
		<<<"{\"sessionId\":\"c-1\",\"cwd\":\"$PWD/y\",\"source\":\"new\",\"timestamp\":1}"
	[ "$(wc -l <got)" -eq 1 ]
	jq -r .additionalContext got >text
	grep -qxF 'Agent name: copilot (brain: default)' text
	grep -qxF 'Current context window id: copilot:c-1:0' text
	grep -qF '@project/p.md | of "y"' text
	printf '%s\n' '{"sessionId":"g-1","projectHash":"h"}' '{"id":"a","type":"user","content":"hi"}' >g.jsonl
	CLAUDE_PROJECT_DIR=$PWD/y context-boot --hook gemini >got \
		<<<"{\"session_id\":\"g-1\",\"transcript_path\":\"$PWD/g.jsonl\",\"cwd\":\"/\",\"source\":\"resume\"}"
	[ "$(jq -r .hookSpecificOutput.hookEventName got)" = SessionStart ]
	jq -r .hookSpecificOutput.additionalContext got >text
	grep -qxF 'Current context window id: gemini:g-1:0' text
	grep -qF '@project/p.md | of "y"' text
	grep -q '^window gemini:g-1:0 | seqs 1-1 | 1 event' text
	for host in copilot gemini; do
		run -0 --separate-stderr context-boot --hook $host <<<'nonsense'
		[ -z "$output$stderr" ]
	done
	# Fitted before it is quoted.
	CTX_CWD=$PWD/y notes-write @project/MAP --content "$(head -c 60000 /dev/zero | tr '\0' '"')" >/dev/null
	context-boot --hook copilot <<<"{\"sessionId\":\"c-1\",\"cwd\":\"$PWD/y\"}" | jq '.additionalContext | length' >n
	[ "$(cat n)" -le 10000 ] && [ "$(cat n)" -gt 1000 ]
	run -2 context-boot --hook qwen
}

@test "--hook claude: whatever fails, nothing is printed and the status is 0" {
	local input
	for input in '' '[]' '{' 'x' '"s"' '{"session_id":"a b"}' '{"session_id":"../x"}' \
		'{"session_id":"*"}' '{}'; do
		run -0 --separate-stderr context-boot --hook claude <<<"$input"
		[ -z "$output$stderr" ] || fail "$input: $output$stderr"
	done
	input='{"session_id":"s"}'
	for options in '--hook claude --bogus' '--bogus --hook=claude' '--hook claude --max-notes 99' \
		'--hook claude --session *' '--hook claude a b'; do
		# shellcheck disable=SC2086
		run -0 --separate-stderr context-boot $options <<<"$input"
		[ -z "$output$stderr" ] || fail "$options: $output$stderr"
	done
	CTX_NOW_MS=x run -0 --separate-stderr context-boot --hook claude <<<"$input"
	[ -z "$output$stderr" ] || fail "$output$stderr"
	context-boot --hook claude <<<"$input" >/dev/full 2>err
	[ ! -s err ]
	run -0 --separate-stderr context-boot --hook claude <<<"$input"
	[ -n "$output" ]
}

@test "--hook claude: at most 10,000 characters" {
	local home
	export CTX_CWD=/data/x
	for home in pi/session/s project/x-ed66d30a agents/anonymous models/default human; do
		note $home/MAP.md 2026-01-01 "$(printf 'é%.0s' {1..4000})"
	done
	context-boot --hook claude <<<'{"session_id":"s"}' >got
	[ "$(wc -m <got)" -le 10000 ]
	is 'next smaller' 5 "$(grep -c '"offset_chars":1024}]$' got)"
	CTX_SESSION=pi:s context-boot -t </dev/null >text
	is 'more than for others' 5 "$(grep -c '"offset_chars":2048}]$' text)"
}

# claude <uuid> <parent, JSON> <type> <members>
claude() {
	printf '{"type":"%s","uuid":"%s","parentUuid":%s,"timestamp":"%s-time",%s}\n' \
		"$3" "$1" "$2" "$1" "$4" >>"$CTX_SESSION_FILE"
}

# codex <type> <members of the payload>
codex() {
	AT=$((AT + 1))
	printf '{"timestamp":"t%d","type":"%s","payload":{%s}}\n' \
		$AT "$1" "$2" >>"$CTX_SESSION_FILE"
}

@test "7.1: windows of Claude Code are counted" {
	local said='"message":{"role":"user","content":"x"}'
	export CTX_SESSION_FILE=$PWD/c-1.jsonl
	claude a null user "$said"                                             # 1
	claude off '"a"' system '"subtype":"compact_boundary","content":"C"'   # 2
	claude b '"a"' user "$said"                                            # 3
	claude c null system '"subtype":"compact_boundary","content":"C","logicalParentUuid":"b"' # 4
	claude side '"c"' system '"subtype":"compact_boundary","isSidechain":true'
	claude d '"c"' user "$said"                                            # 5
	claude e '"d"' system '"subtype":"other"'
	boot -t | block history_windows | diff -u - <(cat <<'END'
window claude:c-1:0 | seqs 1-3 | 2 events | from start
window claude:c-1:1 | seqs 4-5 | 2 events | from c-time | current
END
	)
	is 'the file names the session' '"claude:c-1"' "$(field .session)"
	is 'so does the host' '["claude:x","claude:x:1"]' \
		"$(CTX_SESSION=claude:x field '[.session, .windows[-1].window_id]')"
	is 'whose it is the file says' '["claude:x","claude:x:1"]' \
		"$(CTX_SESSION=x field '[.session, .windows[-1].window_id]')"
}

@test "7.1: windows of Codex are counted, retired compactions are none" {
	local said='"type":"message","role":"user","content":"x"'
	export CTX_SESSION_FILE=$PWD/rollout.jsonl AT=0
	codex session_meta '"id":"x-1"'
	codex event_msg '"type":"user_message","message":"x"'
	codex compacted '"message":"sum"'                        # 1
	codex response_item "$said"                              # 2
	codex response_item "$said"                              # 3
	codex compacted '"message":"sum"'                        # 4
	codex event_msg '"type":"thread_rolled_back","num_turns":1'
	codex response_item "$said"                              # 5
	codex compacted '"message":"sum"'                        # 6
	boot -t | block history_windows | diff -u - <(cat <<'END'
window codex:x-1:0 | no events | from start
window codex:x-1:1 | seqs 1-5 | 3 events | from t3
window codex:x-1:2 | seqs 6-6 | 1 event | from t9 | current
END
	)
}
