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
session codex:0198c1f7-aaaa | seqs 1-1 | folded 1 events
	→ expand: {"after_seq":0,"before_seq":2,"roles":["tool","context"],"session":"codex:0198c1f7-aaaa"}

session codex:0198c1f7-aaaa | seq 2 | user
Why does it fail?

session codex:0198c1f7-aaaa | seqs 3-3 | folded 1 events | shell 1
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
