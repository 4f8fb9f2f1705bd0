#!/usr/bin/env bats
# history-list on one session of Pi: spec/history.md.

load common
load history

setup() {
	common_setup
}

# ---- examples --------------------------------------------------------------

@test "section 11: the conversation, with its tools folded" {
	example_session
	export CTX_SESSION=pi:$EXAMPLE
	cat >want <<'END'
{"events":[{"seq":1,"role":"user","created_at":"2026-03-05T09:00:01.000Z","truncated":false,"total_chars":24,"content":"Why does checkout retry?"},{"seq":2,"role":"assistant","created_at":"2026-03-05T09:00:04.000Z","truncated":false,"total_chars":8,"content":"Reading."},{"folded":true,"first_seq":3,"last_seq":4,"count":2,"tools":{"read":1,"bash":1}},{"seq":6,"role":"assistant","created_at":"2026-03-05T09:00:09.000Z","truncated":false,"total_chars":15,"content":"The cap is 5 😀."}],"page_older":null,"page_newer":null}
seq 1 | user
Why does checkout retry?

seq 2 | assistant
Reading.

seqs 3-4 | folded 2 events | read 1, bash 1
	→ expand: {"after_seq":2,"before_seq":5,"roles":["tool","context"]}

seq 6 | assistant
The cap is 5 😀.
END
	echo '{}' | history-list | diff -u want -
}

@test "section 11: a query, a limit, a preview and a selector" {
	example_session
	export CTX_SESSION=pi:$EXAMPLE
	cat >want <<'END'
{"events":[{"session":"pi:4f2a90c1-7b1e-7d20-9a11-c0de00000001","seq":3,"role":"tool","created_at":"2026-03-05T09:00:04.000Z","tool":"read","tool_status":"ok","truncated":true,"total_chars":61,"content":"retry","offset_chars":51}],"page_older":{"before_seq":3,"from":"newest","session":"pi:4f2a90c1-7b1e-7d20-9a11-c0de00000001"},"page_newer":null}
session pi:4f2a90c1-7b1e-7d20-9a11-c0de00000001 | seq 3 | tool
tool read | status ok
[chars 51-56 of 61; read this seq for the rest]
retry

→ older: {"before_seq":3,"from":"newest","session":"pi:4f2a90c1-7b1e-7d20-9a11-c0de00000001"}
END
	echo '{"query":["RETRY"],"limit":1,"max_chars_per_item":5,"session":"4f2a"}' |
		history-list | diff -u want -
}

# ---- arguments -------------------------------------------------------------

@test "section 9: invalid arguments are exit 2 and name the field" {
	session_begin
	user a
	invalid limit history-list --limit 0
	invalid limit history-list --limit 501
	invalid roles history-list --roles tool_call
	invalid from history-list --from latest
	invalid --before-seq history-list --before-seq -1
	invalid --after-seq history-list --after-seq 9007199254740992
	invalid --max-chars-per-item history-list --max-chars-per-item 50001
	echo '{"window_id":"w"}' >window
	invalid window_id bash -c 'history-list <window'
	echo '{"query":["a",1]}' >query
	invalid query bash -c 'history-list <query'
	jq -cn '{query: [range(65) | "x"]}' >many
	invalid query bash -c 'history-list <many'
	jq -cn '{query: ("x" * 4097)}' >long
	invalid query bash -c 'history-list <long'
	for time in tomorrow 2026-02-29 10min 2026-01-01T00:00:00 '' ' '; do
		[ -n "$time" ] || continue
		invalid since history-list --since "$time"
		invalid until history-list --until "$time"
	done
	grep -qF '"2026-01-01T00:00:00" given' <(history-list --since 2026-01-01T00:00:00 2>&1)
}

@test "blank parameters, an empty list and empty query entries are as omitted" {
	session_begin
	user a
	assistant b "$(call c f)"
	history-list -j <<<'{}' >want
	for input in '{"query":""}' '{"query":[]}' '{"query":["",""]}' \
		'{"roles":[]}' '{"since":"","until":"","session":"","from":""}'; do
		history-list -j <<<"$input" | diff -u --label '{}' --label "$input" want -
	done
	rows "1 2" --query '' --query B --query a
}

@test "times: since is inclusive, until exclusive, to the nanosecond" {
	session_begin
	AT=2026-03-05T09:00:00.000000001Z user a
	AT=2026-03-05T10:00:00.000000002+01:00 user b
	AT='2026-03-05 09:00:00Z' user c
	AT=2026-03-05 user d
	AT=2026-03-05T09:00:01z user e
	rows "1 2 3 4 5"
	rows "2 5" --since 2026-03-05T09:00:00.000000002Z
	rows "1" --until 2026-03-05T09:00:00.000000002Z
	rows "1 2" --until 2026-03-05T08:59:60.5Z
	rows "1 2 5" --since 2026-03-05
	rows "" --since 2026-03-06
	export CTX_NOW_MS=1772701202000
	rows "5" --since 1s
	rows "" --since 0s
	rows "1 2" --until 1s --since 1w
	CTX_NOW_MS=soon run -4 history-list --since 1s
}

# ---- what is listed --------------------------------------------------------

@test "conversation: messages with text; roles: empty ones too" {
	session_begin
	user a
	user ''
	assistant '' "$(call c f)"
	assistant b
	entry compaction '"summary":"c"'
	rows "1 5"
	rows "1 2" --roles user
	rows "3 5" --roles assistant
	rows "4 6" --roles tool --roles context --roles tool
	rows "1 2 3 4 5 6" --roles user --roles assistant --roles tool --roles context
	rows "1" --query A
	rows "6" --query c --roles context
	rows "4 6" --query C --query f
}

@test "a query finds any role, at the first of its entries, by simple folding" {
	session_begin
	user 'Straße'
	user 'ſ'
	user '\u212a'
	user 'İ'
	user 'ẞ'
	user 'σς'
	user 'ab'
	user 'e\u0301'
	user '1\n2'
	rows "" --query ss
	rows "2" --query S --query nothing --since 2026-03-05T09:00:02Z --until 2026-03-05T09:00:03Z
	rows "3" --query k
	rows "" --query i
	rows "4" --query İ
	rows "1 5" --query ß
	rows "1 5" --query ẞ
	rows "6" --query Σ
	rows "" --query é
	rows "9" --query $'1\n2'
	rows "" --query '.' --query '*' --query '['
	[ "$(history-list -j '' --query b </dev/null | jq -c '.events[] | [.seq, .offset_chars, .content]')" = '[7,1,"b"]' ]
}

@test "cases.md row 19: a hit is a position in the text as it is stored" {
	session_begin
	user 'İİ ẞ ﬁn error here'
	prints history-list --query ERROR -j <<'END'
{"events":[{"seq":1,"role":"user","created_at":"2026-03-05T09:00:01.000Z","truncated":true,"total_chars":18,"content":"error here","offset_chars":8}],"page_older":null,"page_newer":null}
END
	[ "$(history-list -j ﬁn </dev/null | jq .events[0].offset_chars)" = 5 ]
	rows "" fin
}

@test "section 5.2: which end, and what leads on" {
	local n
	session_begin
	for n in 1 2 3 4 5 6; do user "m$n"; done
	rows "5 6" --limit 2
	rows "1 2" --limit 2 --from oldest
	rows "3 4" --limit 2 --after-seq 2
	rows "4 5" --limit 2 --after-seq 2 --before-seq 6 --from newest
	rows "3 4" --limit 2 --after-seq 2 --before-seq 6
	rows "3 4" --limit 2 --before-seq 5
	rows "5 6" --limit 2 --since 2026-03-05T09:00:02Z
	pages() {
		local want=$1
		shift
		[ "$(history-list -j "$@" </dev/null | jq -c '[.page_older, .page_newer]')" = "$want" ] || {
			echo "history-list $*"
			return 1
		}
	}
	pages '[{"before_seq":5,"from":"newest"},null]' --limit 2
	pages '[null,{"after_seq":2,"from":"oldest"}]' --limit 2 --from oldest
	# A page never leaves the caller's bounds.
	pages '[{"before_seq":3,"from":"newest"},null]' --limit 2 --before-seq 5
	pages '[null,null]' --limit 2 --before-seq 5 --after-seq 2
	pages '[null,null]' --before-seq 1
	pages '[null,null]' --after-seq 6
	pages '[null,null]' --after-seq 4 --before-seq 3
	pages '[{"before_seq":6,"from":"newest"},null]' --limit 1 --query m
	pages '[null,null]' --limit 1 --query m6
	rows "" --after-seq 6
	rows "1" --after-seq 0 --before-seq 2
	rows "6" --after-seq 5 --before-seq 9007199254740991
}

@test "section 5.3: each run is folded on one page, and once" {
	session_begin
	entry compaction '"summary":"s"'       # 1
	user a                                 # 2
	assistant '' "$(call c f)" "$(call d g)" # 3 4 5
	user ''                                # 6
	assistant b "$(call e f)"              # 7 8
	result e x                             # 9
	folds() {
		history-list -j "$@" </dev/null |
			jq -c '[.events[] | select(.folded) | [.first_seq, .last_seq, .count, .tools]]'
	}
	[ "$(folds)" = '[[1,1,1,{}],[4,5,2,{"f":1,"g":1}],[8,8,1,{"f":1}]]' ]
	[ "$(folds --limit 1)" = '[[8,8,1,{"f":1}]]' ]
	[ "$(folds --before-seq 7)" = '[[1,1,1,{}],[4,5,2,{"f":1,"g":1}]]' ]
	[ "$(folds --limit 1 --from oldest)" = '[[1,1,1,{}]]' ]
	[ "$(folds --after-seq 2)" = '[[4,5,2,{"f":1,"g":1}],[8,8,1,{"f":1}]]' ]
	# A range that has only tools is one run, and no hidden message counts.
	[ "$(folds --after-seq 2 --before-seq 7)" = '[[4,5,2,{"f":1,"g":1}]]' ]
	[ "$(folds --roles tool)" = '[]' ]
	[ "$(folds --query b)" = '[]' ]
	prints history-list -t --after-seq 2 --before-seq 7 <<'END'
seqs 4-5 | folded 2 events | f 1, g 1
	→ expand: {"after_seq":3,"before_seq":6,"roles":["tool","context"]}
END
}

@test "a fold names 20 tools, none of over 120 characters, and counts the rest" {
	local n calls=()
	session_begin
	for n in $(seq 1 22); do calls+=("$(call "c$n" "tool$n")"); done
	calls+=("$(call d "$(printf 'x%.0s' {1..121})")")
	calls+=("$(call e "$(printf 'y%.0s' {1..120})")" "$(call f tool1)")
	assistant a "${calls[@]}"
	history-list -j </dev/null >got
	[ "$(jq -c '.events[1] | [.count, (.tools | length), .tools.tool1, .omitted_tools]' got)" = '[25,20,2,4]' ]
	[ "$(jq -r '.events[1].tools | keys_unsorted | join(" ")' got)" = "tool1 tool2 tool3 tool4 tool5 tool6 tool7 tool8 tool9 tool10 tool11 tool12 tool13 tool14 tool15 tool16 tool17 tool18 tool19 tool20" ]
	history-list -t </dev/null | grep -qF ', tool20 1 | 4 distinct tool names omitted'
}

@test "tool rows tell their status, truncation and where the full text is" {
	session_begin
	echo full >spill.txt
	assistant a "$(call c f '{"n":1.0}')" "$(call d g)"
	result c out ",\"isError\":true,\"details\":{\"truncation\":{\"truncated\":true},\"fullOutputPath\":\"$PWD/spill.txt\"}"
	bash_entry '"command":"ls","exitCode":0,"truncated":true,"fullOutputPath":"spill.txt"'
	bash_entry "\"command\":\"ls\",\"exitCode\":0,\"fullOutputPath\":\"$PWD/spill.txt\""
	bash_entry '"command":"ls","exitCode":0,"truncated":true,"fullOutputPath":"/nowhere/spill.txt"'
	history-list -j --roles tool </dev/null >json
	jq -c --arg path "$PWD/spill.txt" '[.events[] | [.seq, .tool, .tool_status, .output_truncated, .full_output_path == $path]]' json >got
	diff -u <(echo '[[2,"f","error",true,true],[3,"g","unfinished",null,false],[5,"bash","ok",true,false],[6,"bash","ok",null,false],[7,"bash","ok",true,false]]') got
	history-list -t --roles tool </dev/null >text
	grep -qxF "tool f | status error | output truncated, full text at $PWD/spill.txt" text
	grep -qxF 'tool g | status unfinished' text
	grep -qxF 'tool bash | status ok | output truncated' text
	# A spill file that is gone is not named.
	rm spill.txt
	history-list -t --roles tool </dev/null >text
	grep -qxF 'tool f | status error | output truncated' text
}

@test "previews: characters, not bytes, units or graphemes" {
	session_begin
	user 'e\u0301😀x'
	user 'a\u0000b'
	local e=$'e\xcc\x81' # no \u: it needs a UTF-8 locale when bash starts
	prints history-list -j --max-chars-per-item 3 <<END
{"events":[{"seq":1,"role":"user","created_at":"2026-03-05T09:00:01.000Z","truncated":true,"total_chars":4,"content":"${e}😀"},{"seq":2,"role":"user","created_at":"2026-03-05T09:00:02.000Z","truncated":false,"total_chars":3,"content":"a\u0000b"}],"page_older":null,"page_newer":null}
END
	prints history-list -t --max-chars-per-item 3 <<END
seq 1 | user
[chars 0-3 of 4; read this seq for the rest]
${e}😀

seq 2 | user
a\u0000b
END
}

@test "created_at is verbatim, or null when it is not a string or too long" {
	session_begin
	AT=whenever user a
	AT=$(printf 't%.0s' {1..64}) user b
	AT=$(printf 't%.0s' {1..65}) user c
	echo '{"type":"message","id":"x","parentId":"e3","timestamp":5,"message":{"role":"user","content":"d"}}' >>"$CTX_SESSION_FILE"
	[ "$(history-list -j </dev/null | jq -c '[.events[].created_at | if . then length else . end]')" = '[8,64,null,null]' ]
}

@test "control characters do not reach the terminal; JSON has them" {
	session_begin
	user 'a\u001b[31m\u0007\u007f\u0085\r\n\tb\r'
	assistant x "$(call c 'f\n\tg\u001b')"
	sed 's,<CR>,\r,' >text <<'END'
seq 1 | user
a\u001b[31m\u0007\u007f\u0085<CR>
	b\u000d

seq 3 | tool
tool f\u000a\u0009g\u001b | status unfinished
f
	g\u001b {}
END
	prints history-list -t --roles user --roles tool <text
	history-list -j --roles tool </dev/null | jq -r .events[0].tool | cmp - <(printf 'f\n\tg\033\n')
	history-list -t </dev/null | grep -qF '| f\u000a\u0009g\u001b 1'
}

# ---- fitting ---------------------------------------------------------------

@test "both surfaces fit, the wrapper included, and pages lead on" {
	local n
	session_begin
	for n in 1 2 3 4 5 6 7 8; do user "$(printf "\\\\u007f%.0s" {1..900}) $n"; done
	echo '{"limit":500,"max_chars_per_item":50000}' >input
	in_bounds history-list <input
	history-list -j <input | jq -e '.page_older.before_seq == .events[0].seq and (.events | length) > 1' >/dev/null
	n=$(history-list -j <input | jq '.events | length')
	CTX_TEXT_PREFIX=$(printf '<%.0s' {1..5000}) CTX_TEXT_SUFFIX='>'
	export CTX_TEXT_PREFIX CTX_TEXT_SUFFIX
	in_bounds history-list <input
	[ "$(history-list -j <input | jq '.events | length')" -lt "$n" ]
	history-list -t <input >got
	grep -q '^<<<<' got
	[ "$(tail -c 3 got)" = '8>' ] || [ "$(tail -c 3 got)" = '}>' ]
	# Never around a refusal.
	history-list -t --session nosuch </dev/null >got || :
	grep -q '^error: unknown_session: ' got
	CTX_TEXT_PREFIX=$(printf '<%.0s' {1..8192}) run -4 history-list
	CTX_TEXT_PREFIX=$(printf '\377') CTX_TEXT_SUFFIX='' run -4 history-list
}

@test "a row too large for any page is shortened, and ends the page" {
	session_begin
	user small
	user "$(printf "\\\\u0001%.0s" {1..9000})"
	history-list -j --max-chars-per-item 50000 </dev/null >got
	[ "$(wc -c <got)" -le 32769 ]
	jq -e '(.events | length) == 1 and .events[0].truncated and .events[0].seq == 2 and .events[0].total_chars == 9000 and (.events[0].content | length) > 5000 and .page_older == {before_seq: 2, from: "newest"}' got >/dev/null
	# The longest prefix: one more character is six bytes in both.
	[ "$(wc -c <got)" -gt 32763 ]
	# Trap 13: what comes after it does not take its place.
	user tail
	rows "3" --max-chars-per-item 50000
	rows "1" --max-chars-per-item 50000 --from oldest
	rows "1 2 3"
}

@test "a page of 32,768 bytes is whole; with one byte more it is not" {
	local n
	session_begin
	n=$(printf '{"events":[{"seq":1,"role":"user","created_at":"2026-03-05T09:00:01.000Z","truncated":false,"total_chars":32000,"content":""}],"page_older":null,"page_newer":null}' | wc -c)
	n=$((32768 - n))
	user "$(head -c $n /dev/zero | tr '\0' x)"
	history-list -j --max-chars-per-item 50000 </dev/null >got
	[ "$(wc -c <got)" = 32769 ]
	[ "$(jq -c '.events[0] | [.truncated, (.content | length)]' got)" = "[false,$n]" ]
	sed -i 's/xx"/xxx"/' "$CTX_SESSION_FILE"
	history-list -j --max-chars-per-item 50000 </dev/null >got
	# `true` is shorter than `false` by the byte that is missing.
	[ "$(wc -c <got)" = 32768 ]
	[ "$(jq -c '.events[0] | [.truncated, (.content | length), .total_chars]' got)" = "[true,$n,$((n + 1))]" ]
}

@test "section 9: a tool name of 40,000 characters is left out" {
	session_begin
	assistant a "$(call c "$(printf 'n%.0s' {1..40000})" '{"a":1}')"
	history-list -j --roles tool </dev/null >got
	[ "$(jq -c '.events[0] | [.tool, .tool_name_omitted, .truncated, .total_chars, (.content | length)]' got)" = '[null,true,true,40008,1200]' ]
	history-list -t --roles tool </dev/null | sed -n 2p | grep -qxF 'tool name omitted | status unfinished'
	[ "$(history-list -j </dev/null | jq -c '.events[1] | [.tools, .omitted_tools]')" = '[{},1]' ]
}

@test "page_too_large, when folds leave no room for a row" {
	local n calls=() name
	session_begin
	for n in $(seq 1 20); do
		name=$(printf '\\u0001%.0s' {1..118})
		calls+=("$(call "c$n" "$name$n")")
	done
	assistant '' "${calls[@]}"
	user x
	assistant '' "${calls[@]}"
	CTX_TEXT_PREFIX=$(printf '<%.0s' {1..8000}) refuses page_too_large \
		'not one event fits the page: narrow it by roles, by a range of seqs or times, or read one event with history_read' \
		history-list
}

# ---- input that is not as it should be -------------------------------------

@test "cases.md row 1: a malformed line stops nothing and is counted" {
	session_begin
	user one
	echo '{"type":"message","id":"x","message":{"role":"us' >>"$CTX_SESSION_FILE"
	user two
	printf '{"type":"message","id":"torn","mess' >>"$CTX_SESSION_FILE"
	prints history-list -t <<'END'
seq 1 | user
one

seq 2 | user
two

2 malformed lines skipped
END
	[ "$(history-list -j </dev/null | jq -c '[.lines_skipped, keys_unsorted[-1]]')" = '[2,"lines_skipped"]' ]
	sed -i '$d' "$CTX_SESSION_FILE"
	history-list -t </dev/null | tail -n 1 | grep -qx '1 malformed line skipped'
	rows "" --query nothing
	prints history-list -t --query nothing <<'END'
no events match this selection

1 malformed line skipped
END
}

@test "cases.md row 8: a line of 12 MiB hides nothing and costs its own size" {
	session_begin
	user small
	assistant x "$(call c f)"
	{
		printf '{"type":"message","id":"big","parentId":"e2","message":{"role":"toolResult","toolCallId":"c","content":[{"type":"text","text":"'
		head -c 12582912 /dev/zero | tr '\0' y
		printf '"}]}}\n'
	} >>"$CTX_SESSION_FILE"
	echo '{"type":"message","id":"last","parentId":"big","message":{"role":"user","content":"a kestrel"}}' >>"$CTX_SESSION_FILE"
	rows "5" kestrel
	limit=65536
	# A sanitizer alone needs more than any limit.
	(ulimit -v $limit && history-list --version) >/dev/null 2>&1 || limit=unlimited
	[ "$(ulimit -v $limit && history-list -j --roles tool </dev/null | jq .events[0].total_chars)" = 12582932 ]
}

@test "trap 17: no question about one of many calls walks the whole record" {
	session_begin
	{
		printf '{"type":"message","id":"e1","parentId":null,"message":{"role":"assistant","content":["x"'
		seq 0 59999 | sed 's/.*/,{"type":"toolCall","id":"c&","name":"f","arguments":{"n":&}}/' | tr -d '\n'
		printf ']}}\n'
	} >>"$CTX_SESSION_FILE"
	rows 60001 --query '"n":59999}'
	rows "" --query nowhere
}

@test "cases.md row 9: a lone surrogate spoils one character" {
	session_begin
	user x
	user 'a\ud83d b'
	user y
	history-list -j </dev/null | jq -r '.events[].content' | diff - <(printf 'x\na\357\277\275 b\ny\n')
}

@test "an empty session is a success" {
	session_begin
	prints history-list -t <<<'no events match this selection'
	[ "$(history-list -j </dev/null)" = '{"events":[],"page_older":null,"page_newer":null}' ]
}

# ---- sessions --------------------------------------------------------------

# pi_file <folder> <time> <id>: a session file with one message that tells it.
pi_file() {
	local root=${PI_CODING_AGENT_SESSION_DIR:-$HOME/.pi/agent/sessions}
	mkdir -p "$root/$1"
	printf '{"type":"session","version":3,"id":"%s"}\n{"type":"message","id":"1","parentId":null,"timestamp":"%s","message":{"role":"user","content":"%s"}}\n' \
		"$3" "$2" "${4:-$3}" >"$root/$1/2026-03-05T09-00-00-000Z_$3.jsonl"
}

@test "section 12: which id a selector means" {
	pi_file a 2026-03-05T09:00:00Z abcd1
	pi_file b 2026-03-05T10:00:00Z ABCD1
	pi_file b 2026-03-05T08:00:00Z abcd12
	says() {
		[ "$(history-list -j --session "$1" </dev/null | jq -r .events[0].session)" = "pi:$2" ]
	}
	says abcd1 abcd1
	says pi:ABCD1 ABCD1
	says ABCD12 abcd12
	refuses ambiguous_session '"Abcd1" matches 2 sessions: pi:ABCD1, pi:abcd1' \
		history-list --session Abcd1
	refuses ambiguous_session '"abcd" matches 3 sessions: pi:ABCD1, pi:abcd1, pi:abcd12' \
		history-list --session abcd
	refuses unknown_session 'no session matches "abcd12x"; history_list with session "*" lists sessions' \
		history-list --session abcd12x
	refuses unknown_session 'no session matches "claude:abcd1"; history_list with session "*" lists sessions' \
		history-list --session claude:abcd1
	refuses unknown_session 'no session matches "abc" (a prefix needs 4 characters or more); history_list with session "*" lists sessions' \
		history-list --session abc
	for n in 1 2 3 4; do pi_file c "2026-03-0${n}T00:00:00Z" "abcde$n"; done
	refuses ambiguous_session '"ABCD" matches 7 sessions: pi:ABCD1, pi:abcd1, pi:abcd12, pi:abcde4, pi:abcde3 and 2 more' \
		history-list --session ABCD
}

@test "cases.md row 10, trap 20: recency is what is recorded last, not the file's time" {
	local root=$HOME/.pi/agent/sessions/a pad
	mkdir -p "$root"
	pad=$(head -c 70000 /dev/zero | tr '\0' y)
	# at <id> <time or other members>...: a file of records with these.
	at() {
		local file=$root/2026-03-05T09-00-00-000Z_$1.jsonl n=0 members
		printf '{"type":"session","version":3,"id":"%s"}\n' "$1" >"$file"
		shift
		for members in "$@"; do
			n=$((n + 1))
			[[ $members != [0-9]* ]] || members="\"timestamp\":\"2026-03-05T$members"Z\"
			printf '{"type":"label","id":"%d",%s}\n' $n "$members" >>"$file"
		done
		touch -d "${TOUCHED:-2026-03-06}" "$file"
	}
	at time-A 10:00:00 '"label":"a title, written today"'
	TOUCHED=2026-03-05 at time-B 11:00:00
	# Beyond the last 65,536 bytes nothing counts, unless they tell no time.
	at time-C "\"label\":\"$pad\",\"timestamp\":\"2026-03-05T12:00:00Z\"" 08:00:00
	at time-D 10:30:00 "\"label\":\"$pad\""
	# No record tells a time: the file does.
	TOUCHED='2026-03-05 09:00' at time-E '"timestamp":"soon","label":{"timestamp":"2026-03-05T23:00:00Z"}'
	at time-F 09:30:00 09:20:00
	printf '{"type":"label","id":"torn","timestamp":"2026-03-05T23:00:00Z"' >>"$root/2026-03-05T09-00-00-000Z_time-F.jsonl"
	refuses ambiguous_session '"time" matches 6 sessions: pi:time-B, pi:time-D, pi:time-A, pi:time-F, pi:time-E and 1 more' \
		history-list --session time
	# In milliseconds; ties by id.
	at tied-b 09:00:00.0009
	at tied-a 09:00:00.0001
	at tied-c 09:00:00.0010
	refuses ambiguous_session '"tied" matches 3 sessions: pi:tied-c, pi:tied-a, pi:tied-b' \
		history-list --session tied
}

@test "selectors outside the grammar, and no session at all" {
	local forms='give <host>:<id>, an id, or the first characters of one, with pi, claude, codex, copilot, qwen or gemini for the host; "." for the latest of this directory; in history_list also "*" or "<host>:*"'
	refuses no_session 'no current session: set CTX_SESSION, or name one with the session parameter' history-list
	for s in pi: :x Pi:x cursor:x .x a/b pi:a:b 'a b' "$PWD/x.jsonl" 'a*'; do
		refuses invalid_session "session \"$s\" names no session: $forms" history-list --session "$s"
	done
	CTX_SESSION='a b' refuses invalid_session "CTX_SESSION \"a b\" names no session: $forms" history-list
	CTX_SESSION=cursor:x refuses invalid_session "CTX_SESSION \"cursor:x\" names no session: $forms" history-list
	CTX_SESSION='pi:*' refuses invalid_session "CTX_SESSION \"pi:*\" names no session: $forms" history-list
	# With a session named, they only mean that there is no current one.
	pi_file a 2026-03-05T09:00:00Z abcd1
	CTX_SESSION='a b' rows 1 --session abcd1
	CTX_SESSION=nobody rows 1 --session abcd1
	CTX_SESSION=nobody refuses unknown_session \
		'no session matches CTX_SESSION "nobody"; history_list with session "*" lists sessions' history-list
	# What is not a session id is an error of the environment, everywhere.
	for s in pi:a/b 'pi:' .. "$(printf 'a\001')" pi:a:b "$(printf 'x\302\205')" "$(printf '\377')"; do
		CTX_SESSION=$s run -4 history-list --session abcd1
		assert_output --partial CTX_SESSION
	done
}

@test "where Pi's sessions are" {
	pi_file a 2026-03-05T09:00:00Z abcd1
	mkdir -p other/x deep/sessions/a/b
	cp "$HOME/.pi/agent/sessions/a/"* other/2026-03-05T09-00-00-000Z_root1.jsonl
	cp "$HOME/.pi/agent/sessions/a/"* other/x/named-otherwise.jsonl
	PI_CODING_AGENT_SESSION_DIR=other rows 1 --session root1
	# A name of another form: the id is the header's.
	PI_CODING_AGENT_SESSION_DIR=other rows 1 --session abcd1
	cp other/x/named-otherwise.jsonl deep/sessions/a/2026-03-05T09-00-00-000Z_one-1.jsonl
	cp other/x/named-otherwise.jsonl deep/sessions/a/b/2026-03-05T09-00-00-000Z_two-2.jsonl
	export PI_CODING_AGENT_DIR=deep
	rows 1 --session one-1
	run -1 history-list --session two-2
	PI_CODING_AGENT_SESSION_DIR=other run -1 history-list --session one-1
	# Links below the root are neither followed nor listed; the root may be one.
	ln -s "$PWD/other" deep/sessions/linked
	ln -s "$PWD/other/2026-03-05T09-00-00-000Z_root1.jsonl" deep/sessions/a/2026-03-05T09-00-00-000Z_link1.jsonl
	run -1 history-list --session root1
	run -1 history-list --session link1
	ln -s deep/sessions root
	PI_CODING_AGENT_SESSION_DIR=root rows 1 --session one-1
	PI_CODING_AGENT_SESSION_DIR=nowhere run -1 history-list --session one-1
}

@test "of two files with one id the one modified last stands" {
	pi_file a 2026-03-05T09:00:00Z same1 older
	pi_file b 2026-03-05T09:00:00Z same1 newer
	touch -d 2026-01-01 "$HOME/.pi/agent/sessions/a/"*
	touch -d 2026-01-02 "$HOME/.pi/agent/sessions/b/"*
	[ "$(history-list -j --session same1 </dev/null | jq -r .events[0].content)" = newer ]
	touch -d 2026-01-03 "$HOME/.pi/agent/sessions/a/"*
	[ "$(history-list -j --session same1 </dev/null | jq -r .events[0].content)" = older ]
	# Nanoseconds since 1970 would overflow.
	touch -d 2300-01-01 "$HOME/.pi/agent/sessions/b/"*
	[ "$(history-list -j --session same1 </dev/null | jq -r .events[0].content)" = newer ]
}

@test "the current session by CTX_SESSION: id, prefix, any case, host or none" {
	example_session
	for s in "pi:$EXAMPLE" "$EXAMPLE" "${EXAMPLE^^}" 4f2a pi:4F2A90; do
		CTX_SESSION=$s rows "1 2 6"
	done
	export CTX_SESSION=4f2a
	history-list -j </dev/null | grep -vq '"session"'
	# Named, the current session is the same file, and carries its name.
	[ "$(history-list -j --session "$EXAMPLE" --limit 1 </dev/null | jq -r '[.events[0].session, .page_older.session] | unique | join(" ")')" = "pi:$EXAMPLE" ]
	history-list -t --session pi:4f2a </dev/null | grep -qxF "session pi:$EXAMPLE | seqs 3-4 | folded 2 events | read 1, bash 1"
	history-list -t --session pi:4f2a </dev/null | grep -qF "\"roles\":[\"tool\",\"context\"],\"session\":\"pi:$EXAMPLE\"}"
}

@test "CTX_LEAF: of the current session only, even when it is named in full" {
	example_session
	pi_file a 2026-03-05T09:00:00Z other1
	export CTX_SESSION=pi:$EXAMPLE CTX_LEAF=a1
	rows "1"
	rows "1" --session "$EXAMPLE"
	rows "1" --session pi:4f2a
	rows "1" --session other1
	CTX_SESSION=other1 CTX_LEAF=1 rows "1 2 6" --session 4f2a
	unset CTX_SESSION
	rows "1 2 6" --session 4f2a
	export CTX_SESSION=4f2a CTX_LEAF=zz
	refuses invalid_session 'CTX_LEAF "zz" names no record of the session: give the id of one, or leave it unset for the last' history-list
	unset CTX_LEAF
	rows "1 2" --leaf a2
}

@test "CTX_SESSION_FILE is the current session, outside the roots too" {
	session_begin
	user mine
	user more
	[ "$(history-list -j </dev/null | jq -c '[.events[].session]')" = '[null,null]' ]
	# Its identity is the header's id, or CTX_SESSION as it is given.
	[ "$(history-list -j --session own </dev/null | jq -r .events[0].session)" = pi:own ]
	CTX_LEAF=e1 rows 1 --session pi:own
	export CTX_SESSION=pi:4f2a
	[ "$(history-list -j --session 4f2a </dev/null | jq -r .events[0].session)" = pi:4f2a ]
	run -1 history-list --session own
	[ "$(CTX_SESSION=given history-list -j --session GIVEN </dev/null | jq -r .events[0].session)" = pi:given ]
	# By option, for people.
	file=$CTX_SESSION_FILE
	unset CTX_SESSION_FILE CTX_SESSION
	rows "1 2" --session-file "$file"
	# It stands for its id before a file under the roots.
	pi_file a 2026-03-05T09:00:00Z own
	CTX_SESSION_FILE=$file rows "1 2" --session own
	rows 1 --session own
}

@test "trap 21: CTX_SESSION_FILE under a root is current by the id in its name, too" {
	example_session
	CTX_SESSION_FILE=$(echo "$HOME"/.pi/agent/sessions/*/*.jsonl)
	export CTX_SESSION_FILE CTX_SESSION=pi:4f2a CTX_LEAF=a1
	rows "1"
	rows "1" --session 4f2a
	rows "1" --session "$EXAMPLE"
	rows "1" --session pi:4f2a90
	# Not when CTX_SESSION says that there is no current session.
	CTX_SESSION='a b' rows "1 2 6" --session "$EXAMPLE"
	# Nor is a copy the same session.
	cp "$CTX_SESSION_FILE" copy.jsonl
	CTX_SESSION_FILE=copy.jsonl rows "1 2 6" --session "$EXAMPLE"
	CTX_SESSION_FILE=copy.jsonl rows "1" --session 4f2a
	unset CTX_SESSION
	CTX_SESSION_FILE=copy.jsonl rows "1" --session "$EXAMPLE"
}

@test "unreadable sessions are refused at once, with the reason" {
	mkdir folder
	mkfifo fifo
	: >empty
	session_begin good.jsonl
	echo '<html>' >html
	session_begin secret.jsonl
	user x
	chmod 0 secret.jsonl
	reads_as() {
		CTX_SESSION_FILE=$1 refuses unreadable_session \
			"CTX_SESSION_FILE cannot be read: $2" history-list
		CTX_SESSION_FILE=$1 CTX_SESSION=pi:x refuses unreadable_session \
			"pi:x cannot be read: ${3:-$2}" history-list
	}
	reads_as folder 'not a regular file'
	reads_as fifo 'not a regular file'
	reads_as /dev/null 'not a regular file'
	reads_as empty 'not a pi, claude, codex, copilot, qwen or gemini transcript' 'not a pi transcript'
	reads_as html 'not a pi, claude, codex, copilot, qwen or gemini transcript' 'not a pi transcript'
	CTX_SESSION_FILE=$PWD/good.jsonl CTX_SESSION=claude:x refuses unreadable_session \
		'claude:x cannot be read: not a claude transcript' history-list
	[ "$(id -u)" -eq 0 ] || reads_as secret.jsonl 'permission denied'
	CTX_SESSION_FILE=nowhere refuses unknown_session \
		'the transcript that CTX_SESSION_FILE names does not exist (yet); history_list with session "*" lists sessions' history-list
	CTX_SESSION=pi:late CTX_SESSION_FILE=nowhere refuses unknown_session \
		'the transcript of CTX_SESSION "pi:late" that CTX_SESSION_FILE names does not exist (yet); history_list with session "*" lists sessions' history-list
	unset CTX_SESSION_FILE
	mkdir -p "$HOME/.pi/agent/sessions/a"
	cp html "$HOME/.pi/agent/sessions/a/2026-03-05T09-00-00-000Z_html1.jsonl"
	mkfifo "$HOME/.pi/agent/sessions/a/2026-03-05T09-00-00-000Z_fifo1.jsonl"
	refuses unreadable_session 'pi:html1 cannot be read: not a pi transcript' history-list --session html1
	refuses unreadable_session 'pi:fifo1 cannot be read: not a regular file' history-list --session fifo1
}

@test "wildcards take no bounds" {
	for bound in '--before-seq 5' '--after-seq 5' '--from oldest'; do
		# shellcheck disable=SC2086
		run -1 history-list -j --session '*' $bound
		[ "$(jq -r .code <<<"$output")" = wildcard_bounds ]
		name=${bound%% *}
		name=${name#--}
		[[ $output == *"${name/-/_}"* ]]
	done
	history-list --session 'pi:*' --after-seq 0 </dev/null | grep -qxF 'error: wildcard_bounds: after_seq cannot be given with session "pi:*": narrow it by since, until, cwd, roles, query or limit, or name one session'
}

# ---- promises --------------------------------------------------------------

@test "nothing is written: no file, no time, not even beside the transcript" {
	example_session
	export CTX_SESSION=$EXAMPLE
	find . -printf '%p %s %T@ %i\n' | sort >before
	find . -type f -exec sha1sum {} + | sort >sums
	history-list </dev/null >/dev/null
	history-list --query retry </dev/null >/dev/null
	history-list --session nobody </dev/null >/dev/null || :
	find . -printf '%p %s %T@ %i\n' | grep -v -e ' ./sums ' -e '^\./sums' -e '^\. ' | sort >after
	grep -v -e '^\./sums' -e '^\. ' before | sed '/^\.\/before /d' >b
	sed -e '/^\.\/before /d' -e '/^\.\/after /d' after >a
	diff -u b a
}

@test "a transcript that grows while it is read gives whole pages" {
	local n
	session_begin
	user first
	(for n in $(seq 1 300); do user "line $n"; done) &
	for n in $(seq 1 30); do
		history-list -j --limit 500 --max-chars-per-item 5 </dev/null |
			jq -e '[.events[].seq] as $s | $s == ([range(1; ($s | length) + 1)]) or .page_older != null' >/dev/null
	done
	wait
	[ "$(history-list -j --limit 1 </dev/null | jq .events[0].seq)" = 301 ]
}

@test "section 2.1: an id outside the grammar gives way to the file's name" {
	printf '{"type":"session","version":3,"id":"a/b"}\n' >good-name.jsonl
	printf '{"type":"message","id":"a","parentId":null,"message":{"role":"user","content":"x"}}\n' >>good-name.jsonl
	cp good-name.jsonl 'bad name.jsonl'
	export CTX_SESSION_FILE=$PWD/good-name.jsonl
	[ "$(history-list -j --session good-name </dev/null | jq -r '.events[0].session')" = pi:good-name ]
	[ "$(history-list -j --session '*' </dev/null | jq -r '.events[0].session')" = pi:good-name ]
	rows 1
	[ "$(context-boot -j </dev/null | jq -r .session)" = pi:good-name ]
	CTX_SESSION_FILE="$PWD/bad name.jsonl"
	refuses unreadable_session 'CTX_SESSION_FILE cannot be read: neither the id that it records nor its name is a session id' history-list
	history-list -j --session '*' </dev/null | jq -e '.events == [] and (has("sessions_skipped") | not)'
	[ "$(context-boot -j </dev/null | jq -r .transcript)" = unreadable ]
	# CTX_SESSION names it all the same.
	[ "$(CTX_SESSION=pi:s history-list -j --session s </dev/null | jq -r '.events[0].session')" = pi:s ]
}

@test "section 5.7: a query of a few words that nothing holds is offered as words" {
	session_begin
	user 'a kestrel hovers'
	prints history-list -t --query 'hovers kestrel' <<-'END'
		no events match this selection
		no event holds it as one text; to find any of its words: {"query":["hovers","kestrel"]}
	END
	prints history-list -t --query $'  a "b"\t\n c\xc2\x85d ' <<-'END'
		no events match this selection
		no event holds it as one text; to find any of its words: {"query":["a","\"b\"","c\u0085d"]}
	END
	for query in plunges 'a b c d e f g h i'; do
		prints history-list -t --query "$query" <<<'no events match this selection'
	done
	prints history-list -t --query 'x y' --query z <<<'no events match this selection'
	history-list -t --query 'x y' --query '' </dev/null | grep -q 'any of its words: {"query":\["x","y"\]}'
	history-list -t --session pi:own --query 'x y' </dev/null | grep -q 'any of its words'
}
