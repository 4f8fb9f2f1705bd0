#!/usr/bin/env bats
# history-sessions: spec/people.md section 1.

load common
load history

setup() {
	common_setup
	export TZ=UTC CTX_NOW_MS=1785571200000 # 2026-08-01T08:00Z
	unset CTX_SESSION CTX_SESSION_FILE
	mkdir -p "$HOME/.pi/agent/sessions/a"
}

# pi <id> <cwd> <minute> <text>: a session of Pi of that minute.
pi() {
	printf '{"type":"session","version":3,"id":"%s","timestamp":"2026-07-30T09:%s:00.000Z","cwd":"%s"}\n' "$1" "$3" "$2"
	printf '{"type":"message","id":"m1","parentId":null,"timestamp":"2026-07-30T09:%s:30.000Z","message":{"role":"user","content":"%s"}}\n' "$3" "$4"
} >"$HOME/.pi/agent/sessions/a/2026-07-30T09-00-00-000Z_$1.jsonl"
more_pi() {
	printf '%s\n' "$2" >>"$HOME/.pi/agent/sessions/a/2026-07-30T09-00-00-000Z_$1.jsonl"
}
claude() { # <id> <line>...
	local id=$1
	shift
	mkdir -p "$HOME/.claude/projects/w"
	printf '%s\n' "$@" >"$HOME/.claude/projects/w/$id.jsonl"
}
# titles [argument]...: the titles, as a JSON array.
titles() {
	history-sessions -j "$@" | jq -c '[.sessions[].title]'
}

@test "the newest first, with where it ran, when it began and what goes on with it" {
	pi aaaaaaaa-1 /w 10 'Why does checkout retry?'
	pi bbbbbbbb-1 "/it's a/b" 20 'second'
	run -0 history-sessions -j
	jq -cn --arg odd "cd '/it'\\''s a/b' && pi --session bbbbbbbb-1" '{sessions: [
		{session: "pi:bbbbbbbb-1", cwd: "/it\u0027s a/b", title: "second",
		 started_at: "2026-07-30T09:20:00.000Z", updated_at: "2026-07-30T09:20:30.000Z",
		 bytes: 235, resume: $odd},
		{session: "pi:aaaaaaaa-1", cwd: "/w", title: "Why does checkout retry?",
		 started_at: "2026-07-30T09:10:00.000Z", updated_at: "2026-07-30T09:10:30.000Z",
		 bytes: 246, resume: "cd /w && pi --session aaaaaaaa-1"}], more: 0}' |
		diff - <(echo "$output")
	bash -n <<<"$(jq -r '.sessions[0].resume' <<<"$output")"
}

@test "text: columns, short ids, ~ for home, one more session, resume of one" {
	pi 4b0c19aa-0000-1 "$HOME/src/shop" 10 'Untangle the retry'
	pi 4b0c19aa-0000-2 /srv/api 20 'Why?'
	run -0 history-sessions </dev/null
	assert_line -n 1 '2026-07-30 09:20Z  pi:4b0c19aa-0000-2  /srv/api    Why?'
	assert_line -n 2 '2026-07-30 09:10Z  pi:4b0c19aa-0000-1  ~/src/shop  Untangle the retry'
	run -0 history-sessions --limit 1
	assert_output '2026-07-30 09:20Z  pi:4b0c19aa-0000-2  /srv/api  Why?
1 more session; raise limit, or narrow by cwd, title, since or until'
	pi ffae836b-1b2c /nodir 30 'x'
	run -0 history-sessions ffae
	assert_output '2026-07-30 09:30Z  pi:ffae836b…  /nodir  x
resume: cd /nodir && pi --session ffae836b-1b2c'
	# The short form selects it.
	run -0 history-sessions pi:ffae836b -t
	assert_line -n 0 -p 'pi:ffae836b…'
	run -0 history-sessions --title nothing
	assert_output 'no sessions match this selection'
	run -0 history-sessions -j --title nothing
	assert_output '{"sessions":[],"more":0}'
}

@test "a session without a directory has none, and nothing that goes on with it" {
	pi aaaa-1 /w 10 x
	sed -i 's/,"cwd":"\/w"//' "$HOME"/.pi/agent/sessions/a/*aaaa-1.jsonl
	run -0 history-sessions -j
	[ "$(jq -c '.sessions[0] | [.cwd, .resume]' <<<"$output")" = '[null,null]' ]
	run -0 history-sessions -t
	assert_output '2026-07-30 09:10Z  pi:aaaa-1  -  x'
}

@test "titles of Pi: the last name given, else the first thing asked" {
	pi aaaa-1 /w 10 ' first  \n question '
	[ "$(titles)" = '["first question"]' ]
	more_pi aaaa-1 '{"type":"session_info","id":"n1","parentId":"m1","timestamp":"2026-07-30T09:11:00.000Z","name":"one"}'
	more_pi aaaa-1 '{"type":"session_info","id":"n2","parentId":"n1","timestamp":"2026-07-30T09:12:00.000Z","name":"two"}'
	more_pi aaaa-1 '{"type":"session_info","id":"n3","parentId":"n2","timestamp":"2026-07-30T09:13:00.000Z","name":""}'
	more_pi aaaa-1 '{"type":"session_info","id":"n4","parentId":"n3","timestamp":"2026-07-30T09:13:00.000Z","name":7}'
	[ "$(titles)" = '["two"]' ]
	# A name at the end of a long file is seen, one in its middle is not.
	pi bbbb-1 /w 20 question
	more_pi bbbb-1 "{\"type\":\"custom\",\"id\":\"x1\",\"data\":\"$(printf '%0300000d' 0)\"}"
	more_pi bbbb-1 '{"type":"session_info","id":"n1","name":"middle"}'
	more_pi bbbb-1 "{\"type\":\"custom\",\"id\":\"x2\",\"data\":\"$(printf '%0300000d' 0)\"}"
	[ "$(titles pi:bbbb-1)" = '["question"]' ]
	more_pi bbbb-1 '{"type":"session_info","id":"n2","name":"end"}'
	[ "$(titles pi:bbbb-1)" = '["end"]' ]
}

@test "titles of Claude Code: the user's, else the host's, else a summary; then the question" {
	local u='{"type":"user","uuid":"u1","parentUuid":null,"sessionId":"c1","timestamp":"2026-07-30T09:00:00.000Z","cwd":"/w","message":{"role":"user","content":"asked"}}'
	claude c1 "$u"
	[ "$(titles)" = '["asked"]' ]
	claude c1 "$u" '{"type":"summary","summary":"sum","leafUuid":"u1"}'
	[ "$(titles)" = '["sum"]' ]
	claude c1 "$u" '{"type":"ai-title","aiTitle":"ai","sessionId":"c1"}' '{"type":"summary","summary":"sum","leafUuid":"u1"}'
	[ "$(titles)" = '["ai"]' ]
	claude c1 "$u" '{"type":"custom-title","customTitle":"mine","sessionId":"c1"}' '{"type":"custom-title","customTitle":"later","sessionId":"c1"}' '{"type":"ai-title","aiTitle":"ai","sessionId":"c1"}'
	[ "$(titles)" = '["later"]' ]
	[ "$(history-sessions -j | jq -r '.sessions[0].resume')" = 'cd /w && claude --resume c1' ]
}

@test "a name in escaped letters, a question far in: neither is missed" {
	local far
	far=$(printf 'x%.0s' {1..20000})
	pi aaaaaaaa-1 /w 10 'question'
	more_pi aaaaaaaa-1 '{"type":"session\u005finfo","id":"i1","parentId":"m1","timestamp":"2026-07-30T09:10:40.000Z","name":"named"}'
	printf '{"type":"session","version":3,"id":"bbbbbbbb-1","cwd":"/w"}\n' >"$HOME/.pi/agent/sessions/a/2026-07-30T09-00-00-000Z_bbbbbbbb-1.jsonl"
	more_pi bbbbbbbb-1 '{"type":"message","id":"m1","parentId":null,"timestamp":"2026-07-30T09:09:00.000Z","message":{"role":"assistant","content":[{"type":"text","text":"'"$far"'"}]}}'
	more_pi bbbbbbbb-1 '{"type":"message","id":"m2","parentId":"m1","timestamp":"2026-07-30T09:09:10.000Z","message":{"role":"user","content":"far in"}}'
	[ "$(titles)" = '["named","far in"]' ]
	[ "$(titles --title NAMED)" = '["named"]' ]
}

@test "titles of Codex: of the index beside its transcripts" {
	local d=$HOME/.codex/sessions/2026/07/30 id=0199aaaa-bbbb-7ccc-8ddd-eeeeeeeeeeee
	mkdir -p "$d"
	printf '%s\n' '{"timestamp":"2026-07-30T09:00:00.000Z","type":"session_meta","payload":{"id":"'$id'","cwd":"/w"}}' \
		'{"timestamp":"2026-07-30T09:00:01.000Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"asked"}]}}' \
		>"$d/rollout-2026-07-30T09-00-00-$id.jsonl"
	[ "$(titles)" = '["asked"]' ]
	printf '{"id":"%s","thread_name":"%s"}\n' other x $id old $id new >"$HOME/.codex/session_index.jsonl"
	printf '{"id":"%s","thread_name":""}\n' $id >>"$HOME/.codex/session_index.jsonl"
	[ "$(titles)" = '["new"]' ]
	[ "$(history-sessions -j | jq -r '.sessions[0].resume')" = "cd /w && codex resume $id" ]
}

@test "a title is 80 characters at most, on one line, and no control acts" {
	pi aaaa-1 /w 10 "$(printf 'é%.0s' {1..81})"
	[ "$(titles)" = "[\"$(printf 'é%.0s' {1..79})…\"]" ]
	pi aaaa-1 /w 10 "$(printf 'é%.0s' {1..80})"
	[ "$(titles)" = "[\"$(printf 'é%.0s' {1..80})\"]" ]
	pi aaaa-1 /w 10 'a\u001b[31m\u202eb'
	run -0 history-sessions -t
	assert_line -n 0 -e 'a\\u001b\[31m\\u202eb$'
	pi aaaa-1 /w 10 ''
	[ "$(titles)" = '[""]' ]
}

@test "narrowed by directory, title, time and host; more counts all that match" {
	pi aaaa-1 /w/shop 10 'Checkout retry'
	pi bbbb-1 /w/shop/api 20 'Other'
	pi cccc-1 /w/shopping 30 'RETRY again'
	claude d1 '{"type":"user","uuid":"u1","parentUuid":null,"timestamp":"2026-07-30T09:40:00.000Z","cwd":"/w","message":{"role":"user","content":"of claude"}}'
	[ "$(titles --cwd /w/shop)" = '["Other","Checkout retry"]' ]
	[ "$(titles --title retry)" = '["RETRY again","Checkout retry"]' ]
	[ "$(titles --title retry --title claude)" = '["of claude","RETRY again","Checkout retry"]' ]
	[ "$(titles 'claude:*')" = '["of claude"]' ]
	[ "$(titles --since 2026-07-30T09:20:30Z --until 2026-07-30T09:40:00Z)" = '["RETRY again","Other"]' ]
	[ "$(titles --until 2d)" = '[]' ]
	[ "$(CTX_CWD=/w/shop titles .)" = '["Other"]' ]
	[ "$(history-sessions -j --limit 1 --title retry | jq -c '[.more, (.sessions | length)]')" = '[1,1]' ]
	[ "$(history-sessions -j --limit 1 | jq .more)" = 3 ]
	run -2 history-sessions pi:aaaa-1 --cwd /w
	assert_output -p 'cwd: legal only with a wildcard'
	run -2 history-sessions . --agents
	assert_output -p 'agents: legal only with a wildcard'
	run -1 history-sessions nonesuch
	assert_output -p 'unknown_session'
}

@test "sub-agents only when they are asked for; nothing goes on with one" {
	claude c1 '{"type":"user","uuid":"u1","parentUuid":null,"timestamp":"2026-07-30T09:40:00.000Z","cwd":"/w","message":{"role":"user","content":"main"}}'
	mkdir -p "$HOME/.claude/projects/w/c1/subagents"
	echo '{"type":"user","uuid":"s1","parentUuid":null,"isSidechain":true,"agentId":"a1","timestamp":"2026-07-30T09:41:00.000Z","cwd":"/w","message":{"role":"user","content":"sub"}}' \
		>"$HOME/.claude/projects/w/c1/subagents/agent-a1.jsonl"
	[ "$(titles)" = '["main"]' ]
	[ "$(titles --agents)" = '["sub","main"]' ]
	[ "$(history-sessions -j --agents | jq '.sessions[0].resume')" = null ]
}

@test "what cannot be read is counted, what cannot be listed is named" {
	pi aaaa-1 /w 10 x
	pi bbbb-1 /w 20 y
	echo 'no json' >"$HOME/.pi/agent/sessions/a/2026-07-30T09-00-00-000Z_cccc-1.jsonl"
	run -0 history-sessions
	assert_line '1 unreadable session skipped'
	[ "$(history-sessions -j | jq .sessions_skipped)" = 1 ]
	powerless
	mkdir -p "$HOME/.claude/projects"
	chmod 0 "$HOME/.claude/projects"
	run -0 "${AS[@]}" history-sessions -t
	assert_line 'claude transcripts could not be listed completely'
	run -0 "${AS[@]}" history-sessions -j
	chmod 0700 "$HOME/.claude/projects"
	[ "$(jq -c .hosts_unavailable <<<"$output")" = '["claude"]' ]
}

@test "a hundred sessions with long titles fit both surfaces" {
	local i
	for i in {100..220}; do
		pi aaaa-$i "/w/$(printf '%0200d' "$i")" 10 "$(printf 'é%.0s' {1..100})"
	done
	run -0 history-sessions -j --limit 10000
	[ ${#output} -le 32768 ]
	[ "$(jq '(.sessions | length) + .more' <<<"$output")" = 121 ]
	[ "$(history-sessions --limit 10000 | wc -c)" -le 32769 ]
}

@test "of a Codex thread in several files: bytes of all, when the first began, where the last ran" {
	local d=$HOME/.codex/sessions/2026/07/30 id=0199aaaa-bbbb-7ccc-8ddd-eeeeeeeeeeee seg=0199bbbb-bbbb-7ccc-8ddd-eeeeeeeeeeee
	mkdir -p "$d"
	printf '%s\n' '{"timestamp":"2026-07-30T09:00:00.000Z","type":"session_meta","payload":{"id":"'$id'","cwd":"/one"}}' \
		'{"timestamp":"2026-07-30T09:00:01.000Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"first"}]}}' \
		>"$d/rollout-2026-07-30T09-00-00-$id.jsonl"
	printf '%s\n' '{"timestamp":"2026-07-30T10:00:00.000Z","type":"session_meta","payload":{"id":"'$id'","cwd":"/two","history_base":{"thread_id":"'$id'","end_byte_offset":10}}}' \
		'{"timestamp":"2026-07-30T10:00:01.000Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"again"}]}}' \
		>"$d/rollout-2026-07-30T10-00-00-${id}_$seg.jsonl"
	run -0 history-sessions -j
	[ "$(jq -c '.sessions[] | [.title, .cwd, .started_at, .updated_at, .bytes]' <<<"$output")" = \
		"[\"first\",\"/two\",\"2026-07-30T09:00:00.000Z\",\"2026-07-30T10:00:01.000Z\",$(cat "$d"/* | wc -c)]" ]
}
