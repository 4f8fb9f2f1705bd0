#!/usr/bin/env bats
# history-list and history-read on rollouts of Codex: spec/history.md.

load common
load history

setup() {
	common_setup
	ROOT_FOLDER=$HOME/.codex
	N=0
}

# rollout <id> [<folder>]: begins one under the root; what follows adds to it.
rollout() {
	local folder=$ROOT_FOLDER/${2:-sessions/2026/03/05}
	mkdir -p "$folder"
	FILE=$folder/rollout-2026-03-05T09-00-00-$1.jsonl
	: >"$FILE"
	record session_meta "\"id\":\"$1\",\"cwd\":\"/srv/shop\""
}

# record <type> <members of the payload>: its time counts up.
record() {
	local time
	N=$((N + 1))
	printf -v time '2026-03-05T09:%02d:%02d.000Z' $((N / 60 % 60)) $((N % 60))
	printf '{"timestamp":"%s","type":"%s","payload":{%s}}\n' \
		"$time" "$1" "$2" >>"$FILE"
}

item() {
	record response_item "$1"
}

# says <role> <text>
says() {
	local type=input_text
	[ "$1" != assistant ] || type=output_text
	item "\"type\":\"message\",\"role\":\"$1\",\"content\":[{\"type\":\"$type\",\"text\":\"$2\"}]"
}

# calls <id> <name> <arguments>, as JSON in a string
calls() {
	item "\"type\":\"function_call\",\"name\":\"$2\",\"call_id\":\"$1\",\"arguments\":$(jq -cn --arg a "$3" '$a')"
}

# returns <id> <output, JSON>
returns() {
	item "\"type\":\"function_call_output\",\"call_id\":\"$1\",\"output\":$2"
}

rolls_back() {
	record event_msg "\"type\":\"thread_rolled_back\",\"num_turns\":$1"
}

# A turn with a call that failed, and what mirrors it.
example() {
	rollout 0198c1f7-aaaa
	record event_msg '"type":"user_message","message":"Why does it fail?"'
	record turn_context '"cwd":"/srv/shop"'
	says user '<environment_context>x</environment_context>'
	says user 'Why does it fail?'
	item '"type":"reasoning","summary":[],"encrypted_content":"x"'
	calls c1 shell '{"command":["make"],"n":1.0}'
	returns c1 '"{\"output\":\"no rule\\n\",\"metadata\":{\"exit_code\":2}}"'
	says assistant 'No rule.'
	record event_msg '"type":"agent_message","message":"No rule."'
}

# ---- both programs ---------------------------------------------------------

@test "a rollout is listed, its tools folded, events mirrored only once" {
	example
	prints history-list --session codex:0198 -t <<'END'
session codex:0198c1f7-aaaa | seqs 1-1 | folded 1 event
	→ expand: {"after_seq":0,"before_seq":2,"roles":["tool","context"],"session":"codex:0198c1f7-aaaa"}

session codex:0198c1f7-aaaa | seq 2 | user
Why does it fail?

session codex:0198c1f7-aaaa | seqs 3-3 | folded 1 event | shell 1
	→ expand: {"after_seq":2,"before_seq":4,"roles":["tool","context"],"session":"codex:0198c1f7-aaaa"}

session codex:0198c1f7-aaaa | seq 5 | assistant
No rule.
END
}

@test "a call with its result is one event, on both surfaces" {
	example
	export CTX_SESSION=codex:0198c1f7-aaaa
	echo '{"seq":3}' >call
	prints bash -c 'history-read <call' <<'END'
{"seq":3,"role":"tool","created_at":"2026-03-05T09:00:07.000Z","tool":"shell","tool_status":"error","text":"shell {\"command\":[\"make\"],\"n\":1.0}\n--- output ---\nno rule\n","total_chars":58,"next_offset_chars":null}
seq 3 | tool
tool shell | status error
neighborhood → history_list({"after_seq":0,"before_seq":13})

shell {"command":["make"],"n":1.0}
--- output ---
no rule

END
	refuses not_an_event 'seq 4 is the result of the call at seq 3; read seq 3' \
		history-read --seq 4
	refuses unknown_seq "unknown seq 6: this session's seqs run 1..5" \
		history-read --seq 6
}

# ---- the corpus (2.2) ------------------------------------------------------

# sessions: the canonical identities of all of Codex, as a wildcard lists them.
sessions() {
	history-list -j --session 'codex:*' </dev/null |
		jq -r '[.events[].session] | join(" ")'
}

# lists <session>... in any order
lists() {
	local got want
	got=$(sessions | tr ' ' '\n' | sort)
	want=$(printf 'codex:%s\n' "$@" | sort)
	[ "$got" = "$want" ] || {
		printf 'sessions: %s\nexpected: %s\n' "$got" "$want"
		return 1
	}
}

# short <id> [<folder>]: a session that says its id.
short() {
	rollout "$@"
	says user "this is $1"
}

# pack <file>...: as Codex does with old ones.
pack() {
	zstd -q --rm "$@"
}

@test "2.2: rollouts lie in sessions, at most 4 directories down, and in archived_sessions" {
	short id-0 sessions
	short id-1 sessions/a
	short id-4 sessions/a/b/c/d
	short no-5 sessions/a/b/c/d/e
	short id-a archived_sessions
	short no-a archived_sessions/2026
	short no-r .
	short no-o other
	lists id-0 id-1 id-4 id-a
	refuses unknown_session 'no session matches "codex:no-5"; history_list with session "*" lists sessions' \
		history-list --session codex:no-5
}

@test "2.2: the id is in the name, else in the first record; other names are not rollouts" {
	local name folder=$ROOT_FOLDER/sessions/2026/03/05
	short within
	for name in rollout-mine.jsonl rollout-2026-03-05-x.jsonl \
		rollout-2026-03-05T09-00-00-named.jsonl \
		rollout-2026-03-05T09-00-00-.jsonl \
		'rollout-2026-03-05T09-00-00-a b.jsonl' \
		rollout-2026-03-05T09-00-00-txt.txt \
		rollout-2026-03-05T09-00-00-json.json my-rollout.jsonl rollout.jsonl \
		rollout-2026-03-05T09-00-00-gz.jsonl.gz; do
		sed "s/\"within\"/\"id of ${name:8:4}\"/; s/id of mine/own/" "$FILE" \
			>"$folder/$name"
	done
	rm "$FILE"
	lists named own
	rows 1 --session codex:own
}

@test "2.2: CODEX_HOME is another root; links below a root are not followed, a root may be one" {
	short elsewhere
	mkdir -p real/sessions
	mv "$FILE" real/sessions
	ln -s "$PWD/real" home2
	export CODEX_HOME=$PWD/home2
	lists elsewhere
	ln -s "$PWD/real/sessions" real/archived_sessions
	mkdir real/sessions/a
	ln -s "$PWD/real/sessions" real/sessions/b
	ln -s "../$(basename "$FILE")" \
		real/sessions/a/rollout-2026-03-05T09-00-00-linked.jsonl
	lists elsewhere
	unset CODEX_HOME
	rm -r "$ROOT_FOLDER"
	ln -s "$PWD/real" "$ROOT_FOLDER"
	lists elsewhere
	rm "$ROOT_FOLDER"
	mkdir "$ROOT_FOLDER"
	ln -s "$PWD/real/sessions" "$ROOT_FOLDER/sessions"
	prints history-list --session 'codex:*' -j <<<'{"events":[],"page_older":null,"page_newer":null}'
}

@test "cases.md row 6: a compressed rollout is listed, searched and read like a plain one" {
	example
	for surface in -j -t; do
		history-list $surface --session 0198 >plain-list
		history-list $surface --session 0198 --query 'no rule' >plain-query
		history-read $surface --session 0198 --seq 3 >plain-read
		history-list $surface --session '*' --query rule >plain-all
		pack "$FILE"
		history-list $surface --session 0198 | cmp - plain-list
		history-list $surface --session 0198 --query 'no rule' | cmp - plain-query
		history-read $surface --session 0198 --seq 3 | cmp - plain-read
		history-list $surface --session '*' --query rule | cmp - plain-all
		zstd -q -d --rm "$FILE.zst"
	done
}

@test "cases.md row 6: a plain file stands for both, even when it is older" {
	short both
	cp "$FILE" plain
	says user 'only here'
	pack "$FILE"
	cp plain "$FILE"
	touch -d 2020-01-01 "$FILE"
	lists both
	rows 1 --session codex:both
	rows '' --session '*' --query 'only here'
	mkdir -p "$ROOT_FOLDER/archived_sessions"
	mv "$FILE" "$ROOT_FOLDER/archived_sessions"
	rows 1 --session codex:both
	rm "$ROOT_FOLDER/archived_sessions/"*
	rows '1 2' --session codex:both
}

@test "cases.md row 6, section 9: a torn compressed file yields what decodes of it" {
	local i
	RANDOM=1 # the same bytes each time: none of the cuts is at a line's end
	rollout torn
	says user first
	for ((i = 2; i <= 2000; i++)); do
		says user "$i $RANDOM$RANDOM$RANDOM$RANDOM$RANDOM"
	done
	pack "$FILE"
	truncate -s $(($(stat -c %s "$FILE.zst") / 2)) "$FILE.zst"
	history-list -j --session codex:torn --from oldest --limit 1 >got
	jq -e '.events[0].content == "first"' got
	jq -e '.lines_skipped == 1' got
	history-list -j --session '*' --query first >got
	jq -e '[.events[].seq] == [1]' got
	jq -e 'has("sessions_skipped") | not' got
	: >"$FILE.zst"
	refuses unreadable_session 'codex:torn cannot be read: not a codex transcript' \
		history-list --session codex:torn
}

@test "8: corrupt zstd data is refused by name, and skipped by a wildcard" {
	short good
	short bad
	pack "$FILE"
	local packed=$FILE.zst
	cp "$packed" whole
	corrupt() {
		refuses unreadable_session 'codex:bad cannot be read: corrupt zstd data' \
			history-list --session codex:bad &&
			refuses unreadable_session 'codex:bad cannot be read: corrupt zstd data' \
				history-read --session codex:bad --seq 1 &&
			history-list -j --session 'codex:*' | jq -ce \
				'.sessions_skipped == 1 and (.events | length == 1)'
	}
	echo 'no zstd data' >"$packed"
	corrupt
	{
		cat whole
		echo garbage
	} >"$packed"
	corrupt
	printf '\x28\xb5\x2f\xfd\x00\x89\x19\x00\x00{}\n' >"$packed" # over 128 MiB
	corrupt
	CTX_SESSION_FILE=$packed refuses unreadable_session \
		'CTX_SESSION_FILE cannot be read: corrupt zstd data' history-list
	CTX_SESSION_FILE=$packed CTX_SESSION=codex:x refuses unreadable_session \
		'codex:x cannot be read: corrupt zstd data' history-list
	cat whole whole >"$packed"
	rows '1 2' --session codex:bad
}

@test "9: what is not a transcript is refused by name at once, and skipped by a wildcard" {
	short good
	local folder=${FILE%/*}/rollout-2026-03-05T09-00-00
	mkdir "$folder-folder.jsonl"
	mkfifo "$folder-fifo.jsonl" "$folder-pipe.jsonl.zst"
	echo '<html>' >"$folder-html.jsonl"
	: >"$folder-empty.jsonl"
	echo '{"type":"session","id":"x"}' >"$folder-pi.jsonl"
	echo '{"type":"session_meta","payload":[]}' >"$folder-meta.jsonl"
	refused() {
		refuses unreadable_session "codex:$1 cannot be read: $2" \
			history-list --session "codex:$1"
	}
	refused folder 'not a regular file'
	refused fifo 'not a regular file'
	refused pipe 'not a regular file'
	for name in html empty pi meta; do
		refused $name 'not a codex transcript'
	done
	history-list -j --session 'codex:*' >got
	jq -e '.sessions_skipped == 7 and (.events | length == 1)' got
}

@test "cases.md row 10: recency is the records' time; that of a compressed file its own" {
	N=600
	short newer
	touch -d '2026-03-05T08:00:00Z' "$FILE"
	N=60
	short older
	touch -d '2026-03-05T12:00:00Z' "$FILE"
	N=0
	short packed
	pack "$FILE"
	touch -d '2026-03-05T09:05:00Z' "$FILE.zst"
	[ "$(sessions)" = 'codex:newer codex:packed codex:older' ]
}

# ---- what a session is -----------------------------------------------------

@test "cases.md row 5: a fork keeps its own identity, and has its parent's turns" {
	rollout fork-1
	sed -i 's/"cwd"/"forked_from_id":"parent-1","cwd"/' "$FILE"
	record session_meta '"id":"parent-1"'
	says user 'turn one'
	says assistant 'one'
	says user 'turn two'
	says assistant 'two'
	says user 'turn three'
	lists fork-1
	rows '1 2 3 4 5' --session codex:fork-1
	rows '' --session 'codex:*' --query parent-1
	refuses unknown_session 'no session matches "parent-1"; history_list with session "*" lists sessions' \
		history-list --session parent-1
	mv "$FILE" "${FILE%/*}/rollout-x.jsonl"
	lists fork-1
	CTX_SESSION_FILE=${FILE%/*}/rollout-x.jsonl rows '1 2 3 4 5'
	CTX_SESSION_FILE=${FILE%/*}/rollout-x.jsonl history-list -j --session fork |
		jq -e 'all(.events[]; .session == "codex:fork-1")'
}

@test "2.1: CTX_SESSION_FILE may be a rollout, compressed too; CTX_LEAF is ignored" {
	example
	mv "$FILE" mine.jsonl
	export CTX_SESSION_FILE=$PWD/mine.jsonl
	rows '2 5'
	CTX_LEAF=nowhere rows '2 5'
	CTX_SESSION=codex:own CTX_LEAF=nowhere rows '2 5' --session codex:own
	CTX_SESSION=own rows '2 5' --session codex:own
	rows '2 5' --session codex:0198c1f7-aaaa
	pack mine.jsonl
	export CTX_SESSION_FILE=$PWD/mine.jsonl.zst
	rows '2 5'
	rows '2 5' --session 0198c1f7-aaaa
	CTX_SESSION=pi:own refuses unreadable_session \
		'pi:own cannot be read: not a pi transcript' history-list
}

@test "2.3, 3.2: a flat rollout of the beginnings, its times unknown" {
	local folder=$ROOT_FOLDER/sessions/2025/05/07
	mkdir -p "$folder"
	cat >"$folder/rollout-2025-05-07T17-24-21-5973b6c0.jsonl" <<'END'
{"id":"5973b6c0","timestamp":"2025-05-07T17:24:21.500Z","instructions":null}
{"record_type":"state"}
{"type":"message","role":"user","content":[{"type":"input_text","text":"<environment_context>x"}]}
{"type":"message","role":"user","content":[{"type":"input_text","text":"hello"}]}
{"record_type":"state"}
{"type":"reasoning","id":"rs_1","summary":[]}
{"type":"function_call","id":"fc_1","name":"shell","arguments":"{\"command\":[\"ls\"]}","call_id":"c1"}
{"type":"function_call_output","call_id":"c1","output":"{\"output\":\"a\\nb\\n\",\"metadata\":{\"exit_code\":0,\"duration_seconds\":0.0}}"}
{"type":"message","id":"m1","role":"assistant","content":[{"type":"output_text","text":"two"}]}
END
	cp "$folder"/*.jsonl "$folder/rollout-other.jsonl"
	sed -i '1s/5973b6c0/told-1/' "$folder/rollout-other.jsonl"
	lists 5973b6c0 told-1
	prints history-list --session codex:5973 --query 'ls' --query hello -j <<'END'
{"events":[{"session":"codex:5973b6c0","seq":2,"role":"user","created_at":null,"truncated":false,"total_chars":5,"content":"hello","offset_chars":0},{"session":"codex:5973b6c0","seq":3,"role":"tool","created_at":null,"tool":"shell","tool_status":"ok","truncated":true,"total_chars":44,"content":"ls\"]}\n--- output ---\na\nb\n","offset_chars":19}],"page_older":null,"page_newer":null}
END
	rows '' --session codex:5973 --since 2020-01-01
}

@test "cases.md row 4: a rollout of completed items alone; one of unknown records is empty" {
	rollout items
	record event_msg '"type":"item_completed","item":{"type":"UserMessage","content":[{"type":"text","text":"hi"}]}'
	record event_msg '"type":"item_completed","item":{"type":"AgentMessage","content":[{"type":"Text","text":"ho"}]}'
	prints history-list --session codex:items -j <<'END'
{"events":[{"session":"codex:items","seq":1,"role":"user","created_at":"2026-03-05T09:00:02.000Z","truncated":false,"total_chars":2,"content":"hi"},{"session":"codex:items","seq":2,"role":"assistant","created_at":"2026-03-05T09:00:03.000Z","truncated":false,"total_chars":2,"content":"ho"}],"page_older":null,"page_newer":null}
END
	record event_msg '"type":"user_message","message":"an event"'
	prints history-read --session codex:items --seq 1 -t <<'END'
session codex:items | seq 1 | user
neighborhood → history_list({"after_seq":0,"before_seq":11,"session":"codex:items"})

an event
END
	rollout unknown
	record event_msg '"type":"of_tomorrow","message":"x"'
	record of_tomorrow '"type":"message","role":"user","content":"x"'
	prints history-list --session codex:unknown -t <<<'no events match this selection'
	refuses unknown_seq 'unknown seq 1: this session has no seqs' \
		history-read --session codex:unknown --seq 1
}

@test "cases.md row 3: an event and its item are one; a genuine repeat is not" {
	rollout twice
	says user 'Do it.'
	record event_msg '"type":"agent_message","message":"Done."'
	says assistant 'Done.'
	says user 'Again.'
	record event_msg '"type":"agent_message","message":"Done."'
	says assistant 'Done.'
	rows '1 2 3 4' --session codex:twice
	rows '2 4' --session codex:twice --query 'done'
}

# ---- rollbacks (3.3) -------------------------------------------------------

@test "section 12: 3 user turns, rollback 2, then a turn: 1 and 4; nothing leaks" {
	local seq
	rollout rolled
	export CTX_SESSION=codex:rolled
	for n in 1 2 3; do
		says user "turn $n"
		calls c$n tool$n '{}'
		returns c$n "\"result $n\""
		says assistant "answer $n"
	done
	rolls_back 2
	record compacted '"message":"so far","replacement_history":[{"type":"message","role":"user","content":"turn 2"}]'
	says user 'turn 4'
	says assistant 'answer 4'
	prints history-list -t <<'END'
seq 1 | user
turn 1

seqs 2-2 | folded 1 event | tool1 1
	→ expand: {"after_seq":1,"before_seq":3,"roles":["tool","context"]}

seq 4 | assistant
answer 1

seqs 13-13 | folded 1 event
	→ expand: {"after_seq":12,"before_seq":14,"roles":["tool","context"]}

seq 14 | user
turn 4

seq 15 | assistant
answer 4
END
	for seq in 5 6 7 8 9 10 11 12; do
		refuses not_on_branch "seq $seq is on another branch and is not readable here" \
			history-read --seq $seq
	done
	rows '' --query 'turn 2' --query 'answer 3' --query tool2 --query 'result 3'
	for query in 'turn 2' 'answer 3' tool2; do
		history-list -j --session '*' --query "$query" | jq -e '.events == []'
	done
	rows '1 14' --roles user
	rolls_back 100
	rows '' --roles user --roles assistant --roles tool --roles context
}

# ---- facts (3.4, 3.5) ------------------------------------------------------

@test "3.5: the status of each kind of call" {
	rollout status
	export CTX_SESSION=codex:status
	calls c1 unfinished '{}'
	calls c2 ok oops
	calls c3 head '[1]'
	calls c4 object '{"a":1}'
	calls c5 failed '{}'
	item '"type":"web_search_call","status":"completed","action":{"query":"q"}'
	item '"type":"web_search_call","status":"failed"'
	item '"type":"image_generation_call","status":"generating"'
	item '"type":"local_shell_call","call_id":"c9","status":"completed","action":{"command":["ls"]}'
	item '"type":"tool_search_call","call_id":"c10","arguments":"x"'
	returns c2 '"x"'
	returns c3 '"Exit code: 3\nWall time: 1s\nOutput:\nx"'
	returns c4 '{"content":[{"type":"input_text","text":"x"}],"success":false}'
	returns c5 '"{\"output\":\"x\",\"metadata\":{\"exit_code\":1}}"'
	returns c9 '"Process exited with code 0\nOutput:\n"'
	item '"type":"tool_search_output","call_id":"c10","tools":[]'
	returns nobody '"x"'
	# What Codex writes of a goal: a result that nobody asked for, with a name.
	item '"type":"function_call_output","name":"goal_objective","call_id":"goal-1","output":"y"'
	history-list -j --roles tool |
		jq -r '.events[] | "\(.seq) \(.tool) \(.tool_status) \(.content | @json)"' >got
	diff -u - got <<'END'
1 unfinished unfinished "unfinished {}"
2 ok ok "ok \"oops\"\n--- output ---\nx"
3 head error "head \"[1]\"\n--- output ---\nExit code: 3\nWall time: 1s\nOutput:\nx"
4 object error "object {\"a\":1}\n--- output ---\nx"
5 failed error "failed {}\n--- output ---\nx"
6 web_search ok "web_search {\"query\":\"q\"}"
7 web_search error "web_search (arguments not recorded)"
8 image_generation unfinished "image_generation (arguments not recorded)"
9 local_shell ok "local_shell {\"command\":[\"ls\"]}\n--- output ---\nProcess exited with code 0\nOutput:\n"
10 tool_search ok "tool_search \"x\""
17 unknown ok "unknown (arguments not recorded)\n--- output ---\nx"
18 goal_objective ok "goal_objective (arguments not recorded)\n--- output ---\ny"
END
	history-list -j --session '*' goal_objective | jq -e '.events | length == 1'
}

@test "trap 16: the prefilter finds what is encoded twice, and words of documents alone" {
	local query
	rollout encoded
	calls c1 shell '{"command":["\u0063at"]}'
	returns c1 '"{\"output\":\"ke\\u0073trel \\u00e9 \\ud83d\\ude00\",\"metadata\":{\"exit_code\":0}}"'
	item '"type":"local_shell_call","action":{}'
	item '"type":"image_generation_call"'
	item '"type":"tool_search_call","arguments":"\u006dore"'
	says assistant 'a\ud83d b\/c\u0000d'
	for query in kestrel 'kestrel é' '["cat"]' cat output --- local_shell \
		image_generation not recorded more 'search "more' b/c unknown 😀; do
		history-list -j --session 'codex:*' --query="$query" >filtered
		CTX_NO_PREFILTER=1 history-list -j --session 'codex:*' --query="$query" |
			cmp - filtered || {
			echo "$query"
			return 1
		}
		[ "$query" = unknown ] || jq -e '.events | length > 0' filtered || {
			echo "$query: no hit"
			return 1
		}
	done
}

@test "3.1: malformed lines take no seq, and are counted" {
	rollout broken
	says user one
	echo '{"timestamp":"2026-03-05T09:00:03.000Z","type":"response_item","payl' >>"$FILE"
	says assistant two
	printf '{"type":"response_item","payload":{"type":"message","role":"user","content":"torn' >>"$FILE"
	prints history-list --session codex:broken -j <<'END'
{"events":[{"session":"codex:broken","seq":1,"role":"user","created_at":"2026-03-05T09:00:02.000Z","truncated":false,"total_chars":3,"content":"one"},{"session":"codex:broken","seq":2,"role":"assistant","created_at":"2026-03-05T09:00:03.000Z","truncated":false,"total_chars":3,"content":"two"}],"page_older":null,"page_newer":null,"lines_skipped":2}
END
}

# ---- segments and bases (2.5) ----------------------------------------------

T=0199f0a0-0000-7000-8000-00000000000a # a thread
U=0199f0a0-0000-7000-8000-00000000000b # another one
S1=0199f0a0-0000-7000-8000-000000000001
S2=0199f0a0-0000-7000-8000-000000000002

# goes_on <name> <base> <bytes> [<folder>]: begins a rollout that goes on from
# a place in another; <name> is a thread's id, or <thread>_<segment>.
goes_on() {
	rollout "$1" "${4:-sessions/2026/03/06}"
	: >"$FILE"
	record session_meta "\"id\":\"${1%_*}\",\"cwd\":\"/srv/shop\",\"history_base\":{\"thread_id\":\"$2\",\"end_byte_offset\":$3}"
}

size() {
	stat -c %s "$FILE"
}

# messages: seq, role and text of every event, one a line.
messages() {
	history-list -j --roles user --roles assistant --roles context --limit 500 "$@" </dev/null |
		jq -r '.events[] | "\(.seq) \(.role) \(.content)"'
}

# A thread of two turns that is rewound to the first, and goes on.
rewound() {
	rollout $T
	says user one
	says assistant 'reply one'
	AT=$(size)
	says user two
	says assistant 'reply two'
	goes_on ${T}_$S1 $T "$AT"
	says user three
	says assistant 'reply three'
}

@test "2.5: a rewind shows what is newer, and not the turns that it retired" {
	rewound
	messages --session $T | diff - <(
		echo '1 user one'
		echo '2 assistant reply one'
		echo '5 user three'
		echo '6 assistant reply three'
	)
	refuses not_on_branch 'seq 3 is on another branch and is not readable here' \
		history-read 3 --session $T
	# It is one session, whatever segments it has.
	[ "$(history-list -j --session '*' | jq -c '[.events[] | [.session, .seq]]')" = "[[\"codex:$T\",5]]" ]
	[ "$(history-list -j --session "codex:${T:0:8}" --query reply | jq -c '[.events[].seq]')" = '[2,6]' ]
	[ "$(history-list -j --session '*' --query 'reply one' | jq -c '[.events[].seq]')" = '[2]' ]
	[ "$(history-list -j --session '*' --query 'reply two' | jq -c '.events')" = '[]' ]
	run -1 --separate-stderr history-list -j --session $S1
	[ "$(jq -r .code <<<"$output")" = unknown_session ]
}

@test "2.5: the seqs of a thread never change" {
	rewound
	CTX_SESSION=codex:$T
	export CTX_SESSION
	# Rewound again: the segment that is left keeps its seqs, off the branch.
	goes_on ${T}_$S2 $T "$AT"
	says user four
	messages >got
	diff got - <<'END'
1 user one
2 assistant reply one
7 user four
END
	refuses not_on_branch 'seq 5 is on another branch and is not readable here' history-read 5
	# Appended to.
	says assistant 'reply four'
	echo '8 assistant reply four' >>got
	messages | diff got -
	# Archived, compressed, both.
	mkdir -p "$ROOT_FOLDER/archived_sessions"
	mv "$ROOT_FOLDER"/sessions/2026/03/05/*-$T.jsonl "$ROOT_FOLDER/archived_sessions"
	messages | diff got -
	zstd -q --rm "$ROOT_FOLDER"/archived_sessions/*.jsonl "$ROOT_FOLDER"/sessions/2026/03/06/*_$S1.jsonl
	messages | diff got -
	[ "$(history-list -j --session '*' --query 'reply' | jq -c '[.events[].seq]')" = '[8,2]' ]
	# Rewound into the segment that was rewound to.
	local end
	end=$(zstd -dc "$ROOT_FOLDER"/sessions/2026/03/06/*_$S1.jsonl.zst | head -n 2 | wc -c)
	goes_on ${T}_0199f0a0-0000-7000-8000-000000000003 $S1 "$end"
	says user five
	messages | diff - <(
		echo '1 user one'
		echo '2 assistant reply one'
		echo '5 user three'
		echo '9 user five'
	)
}

@test "2.5: a fork has its past, which grows without it, and says when it is gone" {
	local past
	rollout $T
	says user one
	says assistant 'reply one'
	past=$FILE
	goes_on $U $T "$(size)"
	says user 'of the fork'
	messages --session $U >got
	diff got - <<'END'
1 user one
2 assistant reply one
3 user of the fork
END
	FILE=$past
	says user 'of the other'
	messages --session $U | diff got -
	[ "$(messages --session $T | tail -n 1)" = '3 user of the other' ]
	# A record that the offset cuts lies behind it.
	sed -i 's/"end_byte_offset":[0-9]*/"end_byte_offset":'"$(($(head -n 3 "$past" | wc -c) - 9))"'/' "$ROOT_FOLDER"/sessions/2026/03/06/*
	messages --session $U | diff - <(
		echo '1 user one'
		echo '2 user of the fork'
	)
	[ "$(history-list -j --session $U | jq 'has("lines_skipped") or has("base_missing")')" = false ]
	rm "$past"
	[ "$(messages --session $U)" = '1 user of the fork' ]
	[ "$(history-list -j --session $U | jq -c '[.base_missing, .lines_skipped]')" = '[true,null]' ]
	[ "$(history-read -j 1 --session $U | jq .base_missing)" = true ]
	run -0 --separate-stderr history-list -t --session $U
	assert_output --partial $'\nearlier history is missing: the file it continues is gone'
	run -0 --separate-stderr history-read 1 --session $U
	assert_output --partial $'\nearlier history is missing: the file it continues is gone\n'
	[ "$(history-list -j --session '*' | jq 'has("base_missing")')" = false ]
}

@test "2.5: CTX_SESSION_FILE that is a segment names its thread" {
	rewound
	local segment=$FILE
	for CTX_SESSION_FILE in "$segment" "$ROOT_FOLDER"/sessions/2026/03/05/*; do
		export CTX_SESSION_FILE
		[ "$(messages | tail -n 1)" = '6 assistant reply three' ] || fail "$CTX_SESSION_FILE"
		context-boot -j | jq -r .session | grep -qx "codex:$T"
	done
	# So it does outside the roots, where its base is looked for in them.
	mv "$segment" .
	CTX_SESSION_FILE=$PWD/${segment##*/}
	[ "$(messages | tail -n 1)" = '6 assistant reply three' ]
	[ "$(messages | head -n 1)" = '1 user one' ]
	# Another identity is the file by itself.
	cp "$ROOT_FOLDER"/sessions/2026/03/05/* mine.jsonl
	CTX_SESSION=codex:$T CTX_SESSION_FILE=$PWD/mine.jsonl messages | diff - <(
		printf '%s\n' '1 user one' '2 assistant reply one' '3 user two' '4 assistant reply two'
	)
}

@test "2.5: a cycle, a base of nobody's and more than 64 of them end the way back" {
	local i id last=
	goes_on ${T}_$S1 $S2 100000
	says user one
	goes_on ${T}_$S2 $S1 100000
	says user two
	messages --session $T | diff - <(printf '%s\n' '1 user one' '2 user two')
	[ "$(history-list -j --session $T | jq .base_missing)" = true ]
	# A file that is not a rollout is not a base.
	rm -r "$ROOT_FOLDER"
	goes_on $U $T 100
	says user three
	mkdir -p "$ROOT_FOLDER/archived_sessions"
	echo hello >"$ROOT_FOLDER/archived_sessions/rollout-2026-03-05T09-00-00-$T.jsonl"
	[ "$(history-list -j --session $U | jq -c '[.base_missing, (.events | length)]')" = '[true,1]' ]
	# 64 bases are read, and one more is not.
	rm -r "$ROOT_FOLDER"
	for ((i = 0; i < 66; i++)); do
		printf -v id '0199f0a0-0000-7000-8000-0000000001%02d' $i
		if [ -z "$last" ]; then
			rollout "$id"
		else
			goes_on "$id" "$last" 100000
		fi
		says user "turn $i"
		last=$id
	done
	history-list -j --session 0199f0a0-0000-7000-8000-000000000164 --limit 500 |
		jq -e '(.events | length) == 65 and (has("base_missing") | not)'
	history-list -j --session $last --limit 500 |
		jq -e '(.events | length) == 65 and .base_missing and .events[0].content == "turn 1"'
}
