#!/usr/bin/env bats
# history-list over many sessions: spec/history.md sections 2, 5.4 and 10.
# shellcheck disable=SC2034,SC2154

load common
load history

setup() {
	common_setup
	PI=$HOME/.pi/agent/sessions/a
	CLAUDE=$HOME/.claude/projects/a
	mkdir -p "$PI" "$CLAUDE"
}

# pi_session <id> then user, assistant, ... as in history.bash; a Pi session
# under its root that is not the current one.
pi_session() {
	session_begin
	unset CTX_SESSION_FILE
	CTX_SESSION_FILE=$PI/2026-03-05T09-00-00-000Z_$1.jsonl
	printf '{"type":"session","version":3,"id":"%s"}\n' "$1" >"$CTX_SESSION_FILE"
	export -n CTX_SESSION_FILE
}

# claude_session <id> <time> <text>
claude_session() {
	printf '{"type":"user","uuid":"u1","parentUuid":null,"timestamp":"%s","message":{"role":"user","content":"%s"}}\n' \
		"$2" "$3" >"$CLAUDE/$1.jsonl"
}

# found <expected> <arguments>: `<session> <seq>` of each row, in order.
found() {
	local want=$1 got
	shift
	got=$(history-list -j "$@" </dev/null | jq -r '[.events[] | "\(.session) \(.seq)"] | join(", ")') || return 1
	[ "$got" = "$want" ] || {
		echo "history-list $*: $got, not $want"
		return 1
	}
}

three() {
	AT=2026-03-05T10:00:00Z
	pi_session old
	user 'the kestrel is old'
	assistant 'a kestrel'
	user 'no bird'
	AT=2026-03-05T12:00:00Z
	pi_session new
	user 'a new kestrel'
	AT=2026-03-05T11:00:00Z
	pi_session middle
	user none
	AT=
}

@test "without a query each session gives one event, newest session first" {
	three
	found 'pi:new 1, pi:middle 1, pi:old 3' --session '*'
	found 'pi:new 1, pi:middle 1, pi:old 3' --session 'pi:*'
	found 'pi:new 1, pi:middle 1' --session '*' --limit 2
	found '' --session 'claude:*'
	prints history-list --session '*' -j <<-'END'
		{"events":[{"session":"pi:new","seq":1,"role":"user","created_at":"2026-03-05T12:00:00Z","truncated":false,"total_chars":13,"content":"a new kestrel"},{"session":"pi:middle","seq":1,"role":"user","created_at":"2026-03-05T11:00:00Z","truncated":false,"total_chars":4,"content":"none"},{"session":"pi:old","seq":3,"role":"user","created_at":"2026-03-05T10:00:00Z","truncated":false,"total_chars":7,"content":"no bird"}],"page_older":null,"page_newer":null}
	END
	prints history-list --session '*' -t --max-chars-per-item 5 <<-'END'
		session pi:new | seq 1 | user
		[chars 0-5 of 13; read this seq for the rest]
		a new

		session pi:middle | seq 1 | user
		none

		session pi:old | seq 3 | user
		[chars 0-5 of 7; read this seq for the rest]
		no bi
	END
	prints history-list --session 'codex:*' -t <<<'no events match this selection'
}

@test "which event stands for a session: user, then assistant, then any" {
	AT=2026-03-05T10:00:00Z
	pi_session s
	bash_entry '"command":"ls","output":"x","exitCode":0'
	found 'pi:s 1' --session '*'
	assistant ''
	found 'pi:s 2' --session '*'
	assistant words
	assistant '' "$(call c1 read)"
	found 'pi:s 3' --session '*'
	user asked
	user ''
	assistant more
	found 'pi:s 6' --session '*'
	found 'pi:s 8' --session '*' --roles assistant
	found 'pi:s 5' --session '*' --roles tool
	found 'pi:s 8' --session '*' --roles tool --roles assistant
	found '' --session '*' --roles context
	found '' --session '*' --until 2026-03-05T10:00:00Z
	AT=2026-03-06T10:00:00Z
	user later
	found 'pi:s 6' --session '*' --until 2026-03-06
	found 'pi:s 9' --session '*' --since 2026-03-06
}

@test "with a query each session gives its hits, newest first, up to limit" {
	three
	found 'pi:new 1, pi:old 2, pi:old 1' --session '*' --query KESTREL
	found 'pi:new 1, pi:old 2' --session '*' --query kestrel --limit 2
	found 'pi:old 2' --session '*' --query kestrel --roles assistant
	found 'pi:old 2, pi:old 1' --session '*' --query kestrel --until 2026-03-05T11:00:00Z
	found 'pi:middle 1, pi:old 3' --session '*' --query none --query bird
	found '' --session '*' --query nowhere
	prints history-list -j --session '*' --query kestrel --limit 1 --max-chars-per-item 3 <<-'END'
		{"events":[{"session":"pi:new","seq":1,"role":"user","created_at":"2026-03-05T12:00:00Z","truncated":true,"total_chars":13,"content":"kes","offset_chars":6}],"page_older":null,"page_newer":null,"sessions_left":2}
	END
}

# left <expected> <arguments>: sessions_left of the JSON, and what the text says.
left() {
	local want=$1 n
	shift
	n=$(history-list -j --session '*' "$@" </dev/null | jq -c '.sessions_left // 0')
	[ "$n" = "$want" ] || {
		echo "history-list $*: $n left, not $want"
		return 1
	}
	history-list -t --session '*' "$@" </dev/null >text
	case $want in
	0) ! grep -q 'not searched' text ;;
	1) grep -qxF '1 session not searched to the end: narrow by cwd, since, until or query, or raise limit' text ;;
	*) grep -qxF "$want sessions not searched to the end: narrow by cwd, since, until or query, or raise limit" text ;;
	esac
}

@test "section 5.4: sessions_left counts the sessions that may give more rows" {
	three
	left 0
	left 1 --limit 2
	left 2 --limit 1
	left 0 --query kestrel
	left 2 --query kestrel --limit 1
	# The last one visited has another hit, or has none.
	left 1 --query kestrel --limit 2
	left 0 --query kestrel --limit 3
	left 0 --query none --query bird
	# Hits of it that other parameters exclude do not count.
	left 0 --query kestrel --limit 2 --roles assistant
}

@test "section 5.4: sessions whose rows do not fit the page are left" {
	local minute=10
	for id in a b c d; do
		AT=2026-03-05T10:$((minute++)):00Z
		pi_session $id
		user "$(printf '%012000d' 0) kestrel"
		user 'a kestrel'
	done
	# Two rows of 12,000 characters fit, a third does not.
	history-list -j --session '*' --query 0 --max-chars-per-item 50000 </dev/null >got
	[ "$(jq -c '[(.events | length), .cut_by_size, .sessions_left]' got)" = '[2,true,2]' ]
	in_bounds history-list <<<'{"session":"*","query":"0","max_chars_per_item":50000}'
}

@test "a directory that cannot be listed is named, with its host" {
	powerless
	three
	mkdir -p "$HOME/.codex/sessions/2026"
	chmod 0 "$HOME/.codex/sessions/2026" "$CLAUDE"
	"${AS[@]}" history-list -j --session '*' </dev/null | jq -c .hosts_unavailable >got
	"${AS[@]}" history-list -t --session '*' </dev/null | tail -n 2 >text
	run -1 "${AS[@]}" history-list -t --session nowhere
	chmod 0700 "$HOME/.codex/sessions/2026" "$CLAUDE"
	[ "$(<got)" = '["claude","codex"]' ]
	diff -u - text <<-'END'
		claude transcripts could not be listed completely
		codex transcripts could not be listed completely
	END
	[[ $output = *'lists sessions; claude transcripts could not be listed completely; codex transcripts could not be listed completely' ]]
}

# at <cwd>: the header of the session that was begun last records it.
at() {
	sed -i "1s|\"id\"|\"cwd\":\"$1\",\"id\"|" "$CTX_SESSION_FILE"
}

@test "section 2.4: cwd, only sessions of a directory and below" {
	local d minute=10
	for d in /srv/shop /srv/shop/api /srv/shopping / srv/shop '/srv/x/../shop//'; do
		AT=2026-03-05T10:$((minute++)):00Z
		pi_session "$(tr -c 'a-z\n' _ <<<"s$d")"
		at "$d"
		user "a kestrel at $d"
	done
	pi_session none
	user 'a kestrel nowhere'
	in_directory() {
		history-list -j --session '*' --cwd "$1" --query kestrel </dev/null |
			jq -r '[.events[].session] | sort | join(" ")'
	}
	[ "$(in_directory /srv/shop)" = 'pi:s_srv_shop pi:s_srv_shop_api pi:s_srv_x____shop__' ]
	[ "$(in_directory /srv/./shop/api/)" = 'pi:s_srv_shop_api' ]
	[ "$(in_directory /srv/shop/api/v2)" = '' ]
	[ "$(in_directory /)" = 'pi:s_ pi:s_srv_shop pi:s_srv_shop_api pi:s_srv_shopping pi:s_srv_x____shop__' ]
	# A relative one is below CTX_CWD.
	[ "$(CTX_CWD=/srv in_directory shop/api)" = 'pi:s_srv_shop_api' ]
	# What lies elsewhere is not in the scope: neither skipped nor left.
	: >"$PI/2026-03-05T09-00-00-000Z_broken.jsonl"
	history-list -j --session '*' --cwd /srv/shop/api --limit 1 </dev/null | jq -e 'has("sessions_left") or has("sessions_skipped") | not'
	# Claude: the first record that has one; codex: the first record's.
	claude_session c1 2026-03-05T10:00:00Z 'a kestrel of claude'
	printf '{"type":"user","uuid":"u2","parentUuid":"u1","cwd":"/srv/c","message":{"content":"x"}}\n' >>"$CLAUDE/c1.jsonl"
	printf '{"type":"user","uuid":"u3","parentUuid":"u2","cwd":"/srv/later","message":{"content":"x"}}\n' >>"$CLAUDE/c1.jsonl"
	mkdir -p "$HOME/.codex/sessions"
	printf '{"type":"session_meta","timestamp":"2026-03-05T10:00:00Z","payload":{"id":"x1","cwd":"/srv/x1"}}\n{"type":"response_item","timestamp":"2026-03-05T10:00:00Z","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"a kestrel of codex"}]}}\n' \
		>"$HOME/.codex/sessions/rollout-2026-03-05T10-00-00-x1.jsonl"
	[ "$(in_directory /srv/c)" = claude:c1 ]
	[ "$(in_directory /srv/later)" = '' ]
	[ "$(in_directory /srv/x1)" = codex:x1 ]
}

@test "section 1.1: cwd and agents are legal with a wildcard only" {
	three
	invalid cwd history-list --cwd /srv
	invalid cwd history-list --cwd /srv --session old
	invalid cwd history-list --cwd /srv --session .
	invalid cwd history-list --cwd /srv --session 'a b'
	invalid agents history-list --agents --session old
	history-list --no-agents --session old --cwd '' </dev/null
}

@test "section 2.2: sub-agents are in a wildcard only when they are asked for" {
	three
	claude_session c1 2026-03-05T10:00:00Z 'a kestrel'
	claude_session agent-1 2026-03-05T10:01:00Z 'a kestrel beside'
	mkdir -p "$CLAUDE/c1/subagents" "$CLAUDE/c1/other" "$HOME/.codex/sessions"
	sed -i s/u1/a1/ "$CLAUDE/agent-1.jsonl"
	sed s/a1/a2/ "$CLAUDE/agent-1.jsonl" >"$CLAUDE/c1/subagents/agent-2.jsonl"
	cp "$CLAUDE/agent-1.jsonl" "$CLAUDE/c1/subagents/c3.jsonl"
	cp "$CLAUDE/agent-1.jsonl" "$CLAUDE/c1/other/agent-4.jsonl"
	rollout() {
		printf '{"type":"session_meta","timestamp":"2026-03-05T10:00:00Z","payload":{"id":"%s",%s}}\n{"type":"response_item","timestamp":"2026-03-05T10:0%d:00Z","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"a kestrel"}]}}\n' \
			"$1" "$2" "$3" >"$HOME/.codex/sessions/rollout-2026-03-05T10-00-00-$1.jsonl"
	}
	rollout main1 '"source":"cli"' 1
	rollout child1 '"source":{"subagent":"review"}' 2
	rollout child2 '"thread_source":"subagent"' 3
	[ "$(history-list -j --session '*' --query kestrel </dev/null | jq -r '[.events[].session] | sort | unique | join(" ")')" = \
		'claude:c1 codex:main1 pi:new pi:old' ]
	[ "$(history-list -j --session '*' --agents --query kestrel </dev/null | jq -r '[.events[].session] | sort | unique | join(" ")')" = \
		'claude:agent-1 claude:agent-2 claude:c1 codex:child1 codex:child2 codex:main1 pi:new pi:old' ]
	# By its full id, byte for byte; never by less.
	rows 1 --session codex:child1
	rows 1 --session agent-2
	for id in codex:chil Child1 agent- Agent-2 agent-4; do
		run -1 history-list -j --session "$id"
		[ "$(jq -r .code <<<"$output")" = unknown_session ] || fail "$id: $output"
	done
	# A prefix that a session and a sub-agent have means the session.
	rollout chilling '"source":"cli"' 4
	[ "$(history-list -j --session chil </dev/null | jq -r '.events[0].session')" = codex:chilling ]
	# A tool call inside of one has it as its own session.
	[ "$(CTX_SESSION=codex:child2 seqs)" = 1 ]
}

@test "section 5.1: match_all, every one of several texts" {
	AT=2026-03-05T10:00:00Z
	pi_session s
	user 'the kestrel hovers'
	user 'it hovers'
	user 'hovers the KESTREL'
	user kestrel
	found 'pi:s 4, pi:s 3, pi:s 2, pi:s 1' --session '*' --query kestrel --query hovers
	found 'pi:s 3, pi:s 1' --session '*' --query kestrel --query hovers --match-all
	found 'pi:s 3, pi:s 1' --session '*' --query kestrel --query hovers --query '' --match-all
	found '' --session '*' --query kestrel --query hovers --query plunges --match-all
	found 'pi:s 4, pi:s 3, pi:s 1' --session '*' --query kestrel --match-all
	# The hit is the first of all entries.
	[ "$(history-list -j --session s --query hovers --query kestrel --match-all </dev/null | jq -c '[.events[].offset_chars]')" = '[4,0]' ]
	found 'pi:s 4' --session '*' --match-all
	for off in '' 1; do
		CTX_NO_PREFILTER=$off history-list -j --session '*' --query kestrel --query hovers --match-all </dev/null
	done | uniq | wc -l | grep -qx 1
}

@test "section 2.1: . is the latest session of the directory" {
	AT=2026-03-05T10:00:00Z
	pi_session here1
	at "$PWD/work"
	user first
	AT=2026-03-05T11:00:00Z
	pi_session below2
	at "$PWD/work/api"
	user second
	AT=2026-03-05T12:00:00Z
	pi_session elsewhere3
	at /srv
	user third
	mkdir -p work/api/v1
	cd work
	[ "$(history-list -j --session . </dev/null | jq -r '.events[0] | "\(.session) \(.content)"')" = 'pi:below2 second' ]
	[ "$(CTX_CWD=/srv history-list -j --session . </dev/null | jq -r '.events[0].session')" = pi:elsewhere3 ]
	[ "$(CTX_CWD=/srv history-read -j --session . --seq 1 </dev/null | jq -r .text)" = third ]
	[ "$(context-boot -j . </dev/null | jq -r .session)" = pi:below2 ]
	cd api/v1
	refuses unknown_session "no session was recorded in \"$PWD\" or below it; history_list with session \"*\" lists sessions" \
		history-list --session .
	# Where it is the current session, CTX_LEAF is about it.
	cd ../..
	run -1 env CTX_SESSION=pi:below2 CTX_LEAF=nowhere history-list -j --session .
	[ "$(jq -r .code <<<"$output")" = invalid_session ]
	run -0 env CTX_SESSION=pi:here1 CTX_LEAF=nowhere history-list -j --session .
}

@test "section 2.1: a person without a session means .; a host does not" {
	AT=2026-03-05T10:00:00Z
	pi_session here1
	at "$PWD"
	user first
	unset CTX_SESSION CTX_SESSION_FILE
	prints history-list --limit 5 <<-'END'
		session pi:here1 | seq 1 | user
		first
	END
	history-read 1 </dev/null >got
	head -n 1 got | grep -qxF 'session pi:here1 | seq 1 | user'
	context-boot --max-notes 0 </dev/null | grep -qxF 'First context window id: pcw:here1:root'
	history-read -j --cwd /nowhere --seq 1 </dev/null >got || :
	[ "$(jq -r .code got)" = unknown_session ]
	# Arguments as JSON are a host's.
	run -1 history-read -j <<<'{"seq":1}'
	[ "$(jq -r .code <<<"$output")" = no_session ]
	run -1 history-list -j <<<'{"limit":5}'
	[ "$(jq -r .code <<<"$output")" = no_session ]
	run -1 context-boot -j <<<'{}'
	[ "$(jq -r .code <<<"$output")" = no_session ]
	# A current session is meant before that.
	AT=2026-03-05T09:00:00Z
	pi_session other2
	user second
	[ "$(CTX_SESSION=pi:other2 history-list --limit 5 </dev/null | tail -n 1)" = second ]
}

@test "section 1.4: days are a person's own, or a host's in UTC" {
	AT=2026-07-31T23:30:00Z
	pi_session s
	user late
	export TZ=LOC-2 CTX_NOW_MS=1785571200000
	found 'pi:s 1' --session '*' --since 2026-08-01
	found 'pi:s 1' --session '*' --since today
	found '' --session '*' --until today
	[ "$(history-list -j <<<'{"session":"*","since":"2026-08-01"}' | jq -c .events)" = '[]' ]
	[ "$(history-list -j <<<'{"session":"*","since":"today"}' | jq -c .events)" = '[]' ]
	[ "$(history-list -j <<<'{"session":"*","since":"yesterday"}' | jq '.events | length')" = 1 ]
	invalid since history-list --session '*' --since tomorrow
}

@test "section 10: a session recorded to before since is not visited" {
	three
	found 'pi:new 1, pi:middle 1' --session '*' --since 2026-03-05T11:00:00Z
	left 0 --since 2026-03-05T11:00:00Z
	left 1 --since 2026-03-05T11:00:00Z --limit 1
	# Not even where an event further up claims a later time.
	AT=2026-03-05T13:00:00Z
	pi_session odd
	user 'from the future'
	AT=2026-03-05T10:30:00Z
	for ((i = 0; i < 700; i++)); do entry label '"label":"0123456789012345678901234567890123456789"'; done
	found 'pi:new 1, pi:middle 1' --session '*' --since 2026-03-05T11:00:00Z
	found 'pi:odd 1' --session 'pi:*' --query future
	# One that is ranked by its file's time is visited, however old that is.
	pi_session untimed
	sed -n 1p "$CTX_SESSION_FILE" >one
	cat one >"$CTX_SESSION_FILE"
	left 0 --since 2026-03-05T11:00:00Z
}

@test "section 2.1: CTX_LEAF is checked wherever the scope has the session" {
	three
	bad_leaf() {
		run -1 env CTX_SESSION=pi:old CTX_LEAF=nowhere history-list -j "$@"
		[ "$(jq -r .code <<<"$output")" = invalid_session ] || fail "$*: $output"
	}
	bad_leaf --session '*'
	bad_leaf --session '*' --limit 1
	bad_leaf --session '*' --query nothing
	bad_leaf --session 'pi:*' --since 2026-03-05T11:00:00Z
	run -0 env CTX_SESSION=pi:old CTX_LEAF=nowhere history-list -j --session 'claude:*'
	run -0 env CTX_SESSION=pi:old CTX_LEAF=nowhere history-list -j --session '*' --cwd /elsewhere
}

@test "section 2.2: without a home directory there is nowhere to look" {
	three
	run env -u HOME history-list --session '*'
	# The password file has a home for whoever runs the tests, or not.
	if getent passwd "$(id -u)" | grep -q ':/[^:]*:[^:]*$'; then
		unshare -r true 2>/dev/null || skip 'no user name space'
		run -4 --separate-stderr unshare --user --map-user=12345 env -u HOME history-list --session '*'
	fi
	[ "$status" -eq 4 ]
	[ -z "$output" ]
	[ "$stderr" = 'history-list: there is no home directory to look for sessions in: set HOME, or one of PI_CODING_AGENT_SESSION_DIR, PI_CODING_AGENT_DIR, CLAUDE_CONFIG_DIR, CODEX_HOME, COPILOT_HOME, QWEN_RUNTIME_DIR, QWEN_HOME, GEMINI_CLI_HOME' ]
	run -0 unshare --user --map-user=12345 env -u HOME PI_CODING_AGENT_SESSION_DIR="$PI" history-list --session '*'
	[ -n "$output" ]
	run -0 unshare --user --map-user=12345 env -u HOME CTX_SESSION_FILE="$CTX_SESSION_FILE" history-list
}

@test "section 2.5: what forks share is found once, in the most recent one" {
	local id
	AT=2026-03-05T10:00:00Z
	pi_session first
	user 'a kestrel'
	assistant 'looking' "$(call c1 bash '{"command":"kestrel"}')"
	result c1 'no kestrel'
	cp "$CTX_SESSION_FILE" shared
	user 'first kestrel'
	AT=2026-03-05T11:00:00Z
	pi_session second
	sed '1s/first/second/' shared >"$CTX_SESSION_FILE"
	ENTRY=3
	user 'second kestrel'
	found 'pi:second 5, pi:second 3, pi:second 1, pi:first 5' --session '*' --query kestrel
	# Also where the page ends between them, and nothing more is left then.
	found 'pi:second 5, pi:second 3, pi:second 1' --session '*' --query kestrel --limit 3
	left 1 --query kestrel --limit 3
	left 0 --query kestrel --limit 4
	# Each session gives its row without a query, and all of itself by name.
	found 'pi:second 5, pi:first 5' --session '*'
	rows '1 3 5' --session first --query kestrel
	# A result that only one of them has makes it another event.
	sed -i '/toolResult/d' "$PI/2026-03-05T09-00-00-000Z_first.jsonl"
	found 'pi:second 5, pi:second 3, pi:second 1, pi:first 4, pi:first 3' --session '*' --query kestrel
	rm "$PI"/*

	for id in one two; do
		printf '{"type":"user","uuid":"u1","parentUuid":null,"sessionId":"%s","timestamp":"2026-03-05T10:00:00Z","message":{"content":"a kestrel"}}\n' $id
		printf '{"type":"user","uuid":"%s","parentUuid":"u1","timestamp":"2026-03-05T1%d:00:00Z","message":{"content":"%s kestrel"}}\n' $id ${#CLAUDE} $id |
			sed "s/T1[0-9]*:/T1$([ $id = one ] && echo 1 || echo 2):/"
	done >both
	head -n 2 both >"$CLAUDE/one.jsonl"
	tail -n 2 both >"$CLAUDE/two.jsonl"
	found 'claude:two 2, claude:two 1, claude:one 2' --session '*' --query kestrel
	rm "$CLAUDE"/*

	local T1=0198c1f7-0000-7000-8000-000000000001 T2=0198c1f7-0000-7000-8000-000000000002
	mkdir -p "$HOME/.codex/sessions"
	cd "$HOME/.codex/sessions"
	said() {
		printf '{"type":"response_item","timestamp":"2026-03-05T1%d:00:00Z","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"%s"}]}}\n' "$1" "$2"
	}
	{
		printf '{"type":"session_meta","payload":{"id":"%s"}}\n' $T1
		said 0 'a kestrel'
	} >"rollout-2026-03-05T10-00-00-$T1.jsonl"
	{
		printf '{"type":"session_meta","payload":{"id":"%s","history_base":{"thread_id":"%s","end_byte_offset":%d}}}\n' \
			$T2 $T1 "$(wc -c <"rollout-2026-03-05T10-00-00-$T1.jsonl")"
		said 2 'forked kestrel'
	} >"rollout-2026-03-05T12-00-00-$T2.jsonl"
	said 1 'another kestrel' >>"rollout-2026-03-05T10-00-00-$T1.jsonl"
	found "codex:$T2 2, codex:$T2 1, codex:$T1 2" --session '*' --query kestrel
	CTX_NO_PREFILTER=1 found "codex:$T2 2, codex:$T2 1, codex:$T1 2" --session '*' --query kestrel
}

@test "section 5.4: bounds by seq are refused, newest is not one" {
	three
	for bound in '--before-seq 5' '--after-seq 0' '--from oldest'; do
		# shellcheck disable=SC2086
		run -1 history-list -j --session '*' $bound
		[ "$(jq -r .code <<<"$output")" = wildcard_bounds ]
	done
	found 'pi:new 1, pi:middle 1, pi:old 3' --session '*' --from newest
	run -1 history-read -j --session '*' --seq 1
	[ "$(jq -r .code <<<"$output")" = wildcard_read ]
}

@test "section 9: unreadable sessions are skipped and counted, visited or not" {
	three
	skipped() {
		[ "$(history-list -j "$@" </dev/null | jq -c .sessions_skipped)" = "$n" ] || {
			echo "$*: $(history-list -j "$@" </dev/null)"
			return 1
		}
	}
	n=null skipped --session '*'
	: >"$PI/2026-03-05T09-00-00-000Z_empty.jsonl"
	n=1 skipped --session '*'
	echo '<html>' >"$PI/html.jsonl"
	mkfifo "$PI/fifo.jsonl"
	mkdir "$PI/2026-03-05T09-00-00-000Z_folder.jsonl"
	printf '{"type":"session"}\n' >"$PI/2026-03-05T09-00-00-000Z_noid.jsonl"
	n=5 skipped --session '*'
	n=5 skipped --session 'pi:*' --limit 1
	n=5 skipped --session '*' --query kestrel --limit 1
	n=5 skipped --session '*' --query nowhere
	n=null skipped --session 'claude:*'
	# Neither links nor ids outside the grammar are sessions at all.
	ln -s nowhere "$PI/2026-03-05T09-00-00-000Z_link.jsonl"
	printf '{"type":"session","id":"a b"}\n' >"$PI/bad id.jsonl"
	n=5 skipped --session '*'
	history-list -t --session '*' --query nowhere </dev/null >got
	printf 'no events match this selection\n\n5 unreadable sessions skipped\n' | diff -u - got
	rm "$PI/fifo.jsonl" "$PI/html.jsonl"
	rmdir "$PI"/*_folder.jsonl
	rm "$PI"/*_noid.jsonl
	history-list -t --session '*' --limit 1 </dev/null | grep -qxF '1 unreadable session skipped'
	# Malformed lines are of no session in particular.
	echo '{' >>"$PI/2026-03-05T09-00-00-000Z_new.jsonl"
	[ "$(history-list -j --session '*' --query kestrel </dev/null | jq .lines_skipped)" = null ]
}

@test "an unreadable file is skipped under a wildcard, refused by its name" {
	three
	powerless
	chmod 000 "$PI/2026-03-05T09-00-00-000Z_middle.jsonl"
	"${AS[@]}" history-list -j --session '*' </dev/null | jq -c '[[.events[].session], .sessions_skipped]' >got
	[ "$(cat got)" = '[["pi:new","pi:old"],1]' ]
	run -1 "${AS[@]}" history-list -j --session middle
	[ "$(jq -r .code <<<"$output")" = unreadable_session ]
}

@test "cases.md row 10, trap 20: visits go by what is recorded, ties by id" {
	local A=$PI/2026-03-05T09-00-00-000Z_aaaa.jsonl
	AT=2026-03-05T10:00:00Z
	pi_session aaaa
	user a
	printf '{"type":"label","id":"t","parentId":"e1","label":"a title"}\n' >>"$A"
	AT=2026-03-05T11:00:00Z
	pi_session bbbb
	user b
	touch -d 2026-03-05T10:00:00Z "$PI/2026-03-05T09-00-00-000Z_bbbb.jsonl"
	found 'pi:bbbb 1, pi:aaaa 1' --session '*'
	pi_session abba
	user c
	found 'pi:abba 1, pi:bbbb 1, pi:aaaa 1' --session '*'
	# An escaped key is the key; the last of two members counts.
	printf '{"type":"label","id":"u","parentId":"e1","time\\u0073tamp":"2026-03-05T12:00:00Z"}\n' >>"$A"
	found 'pi:aaaa 1, pi:abba 1, pi:bbbb 1' --session '*'
	sed -i '$d' "$A"
	printf '{"type":"label","id":"u","parentId":"e1","timestamp":"2026-03-05T\\u00312:00:00Z"}\n' >>"$A"
	found 'pi:aaaa 1, pi:abba 1, pi:bbbb 1' --session '*'
	sed -i '$d' "$A"
	printf '{"type":"label","id":"u","parentId":"e1","timestamp":"2026-03-05T12:00:00Z","timestamp":"2026-03-05T09:00:00Z"}\n' >>"$A"
	printf '{"type":"label","id":"v","parentId":"e1","x":{"timestamp":"2026-03-05T12:00:00Z"}}\n' >>"$A"
	printf '{"type":"label","id":"w","parentId":"e1","timestamp":"2026-03-05T12:00:00Z",}\n' >>"$A"
	found 'pi:abba 1, pi:bbbb 1, pi:aaaa 1' --session '*'
}

@test "the size limit cuts a page, says so, and leaves room for saying it" {
	local long n
	long=$(head -c 1000 /dev/zero | tr '\0' x)
	for n in $(seq 10 49); do
		AT=2026-03-05T10:$n:00Z
		pi_session "s$n"
		user "$long"
	done
	for surface in -j -t; do
		size=$(history-list $surface --session '*' --limit 40 </dev/null | wc -c)
		[ "$size" -le 32769 ] && [ "$size" -gt 28000 ]
	done
	history-list -j --session '*' --limit 40 </dev/null >got
	[ "$(jq .cut_by_size got)" = true ]
	[ "$(jq '.events | length' got)" -lt 30 ]
	[ "$(jq -r '.events[0].session' got)" = pi:s49 ]
	history-list -t --session '*' --query xxx --limit 40 </dev/null | tail -n 1 |
		grep -qxF 'page cut at the size limit; narrow it to see more'
	# The limit, and not the size, ends this one.
	[ "$(history-list -j --session '*' --limit 20 </dev/null | jq .cut_by_size)" = null ]
	# A row too large alone is shortened.
	AT=2026-03-05T11:00:00Z
	pi_session huge
	user "$(head -c 40000 /dev/zero | tr '\0' y)"
	history-list -j --session '*' --limit 1 --max-chars-per-item 50000 </dev/null >got
	[ "$(jq -c '[.cut_by_size, .events[0].truncated, .events[0].total_chars, (.events | length)]' got)" = '[true,true,40000,1]' ]
	[ "$(wc -c <got)" -ge 32700 ] && [ "$(wc -c <got)" -le 32769 ]
}

@test "CTX_SESSION_FILE belongs to the corpus, outside the roots too" {
	three
	session_begin
	AT=2026-03-05T13:00:00Z user 'the current kestrel'
	unset AT
	found 'pi:own 1, pi:new 1, pi:middle 1, pi:old 3' --session '*'
	found 'pi:own 1, pi:new 1, pi:old 2, pi:old 1' --session 'pi:*' --query kestrel
	found '' --session 'claude:*'
	CTX_SESSION=pi:mine found 'pi:mine 1, pi:new 1' --session '*' --limit 2
	# Under a root, under any id, it is there once.
	export CTX_SESSION_FILE=$PI/2026-03-05T09-00-00-000Z_new.jsonl
	found 'pi:new 1, pi:middle 1, pi:old 3' --session '*'
	CTX_SESSION=pi:mine found 'pi:mine 1, pi:middle 1, pi:old 3' --session '*'
	ln -s "$CTX_SESSION_FILE" link.jsonl
	CTX_SESSION=mine CTX_SESSION_FILE=$PWD/link.jsonl found 'pi:mine 1, pi:middle 1, pi:old 3' --session '*'
	# Hosts create it late.
	CTX_SESSION=pi:mine CTX_SESSION_FILE=$PWD/absent found 'pi:new 1, pi:middle 1, pi:old 3' --session '*'
	[ "$(CTX_SESSION=pi:mine CTX_SESSION_FILE=$PWD/absent history-list -j --session '*' </dev/null | jq .sessions_skipped)" = null ]
	# A CTX_SESSION outside the grammar only means that none is current.
	CTX_SESSION='a b' found 'pi:new 1, pi:middle 1, pi:old 3' --session '*'
	CTX_SESSION_FILE='' CTX_SESSION=nobody found 'pi:new 1, pi:middle 1, pi:old 3' --session '*'
}

@test "trap 21: CTX_LEAF counts for the current session alone, under a wildcard too" {
	three
	export CTX_LEAF=e1
	found 'pi:new 1, pi:middle 1, pi:old 3' --session '*'
	CTX_SESSION=old found 'pi:new 1, pi:middle 1, pi:old 1' --session '*'
	CTX_SESSION=old found 'pi:new 1, pi:middle 1, pi:old 1' --session 'pi:*'
	CTX_SESSION=pi:old found 'pi:new 1, pi:old 1' --session '*' --query kestrel
	CTX_SESSION_FILE=$PI/2026-03-05T09-00-00-000Z_old.jsonl found 'pi:new 1, pi:old 1' --session '*' --query kestrel
	# An id that two hosts have is nobody's.
	claude_session old 2026-03-05T09:00:00Z claude
	CTX_SESSION=old found 'pi:new 1, pi:middle 1, pi:old 3' --session 'pi:*'
	CTX_SESSION=pi:old CTX_LEAF=x9 refuses invalid_session 'CTX_LEAF "x9" names no record of the session: give the id of one, or leave it unset for the last' \
		history-list --session '*' --query nowhere
	CTX_SESSION=pi:old CTX_LEAF=x9 CTX_NO_PREFILTER=1 refuses invalid_session 'CTX_LEAF "x9" names no record of the session: give the id of one, or leave it unset for the last' \
		history-list --session '*' --query nowhere
}

@test "sessions of all hosts: by recency, by id, by prefix" {
	three
	claude_session new 2026-03-05T13:00:00Z 'claude kestrel'
	claude_session other 2026-03-05T10:30:00Z 'claude'
	claude_session agent-1 2026-03-05T14:00:00Z 'no session'
	found 'claude:new 1, pi:new 1, pi:middle 1, claude:other 1, pi:old 3' --session '*'
	found 'claude:new 1, claude:other 1' --session 'claude:*'
	found 'claude:new 1, pi:new 1, pi:old 2, pi:old 1' --session '*' --query kestrel
	found 'claude:new 1' --session claude:new
	found 'pi:middle 1' --session MIDD
	found 'claude:other 1' --session othe
	refuses ambiguous_session '"new" matches 2 sessions: claude:new, pi:new' history-list --session new
	refuses unknown_session 'no session matches "codex:new" (a prefix needs 4 characters or more); history_list with session "*" lists sessions' history-list --session codex:new
}

@test "of two files with one id one is visited, the one modified last" {
	mkdir -p "$HOME/.pi/agent/sessions/b"
	AT=2026-03-05T10:00:00Z
	pi_session twin
	user first
	mv "$PI"/*_twin.jsonl "$HOME/.pi/agent/sessions/b"
	pi_session twin
	user second
	touch -d 2026-03-04 "$PI"/*_twin.jsonl
	[ "$(history-list -j --session '*' </dev/null | jq -c '[.events[].content]')" = '["first"]' ]
	touch "$PI"/*_twin.jsonl -d 2099-01-01
	[ "$(history-list -j --session '*' </dev/null | jq -c '[.events[].content]')" = '["second"]' ]
}

@test "section 10, trap 16: the prefilter changes no byte" {
	local query surface
	pi_session odd
	AT=2026-03-05T10:00:00Z
	user 'check\u006fut \u006Bestrel'
	assistant 'a \u212aestrel, K\u017f, \u017fum' "$(call c1 nametool '{"a":"x\u000anext","b":"\/slash"}')"
	result c1 'the result holds falcon'
	bash_entry '"command":"echo hobby","output":"","exitCode":0'
	assistant ' ' "$(call c2 empty)"
	for query in checkout kestrel KESTREL sum ks nnext next slash falcon hobby output bash command 'arguments' \
		12ms unknown '"a":"x\n' x not- nametool eagle '--- output' 'a' 'nametool {"a'; do
		for surface in -j -t; do
			history-list $surface --session '*' --query "$query" </dev/null >with
			CTX_NO_PREFILTER=1 history-list $surface --session '*' --query "$query" </dev/null | diff -u with -
			history-list $surface --session odd --query "$query" </dev/null >with
			CTX_NO_PREFILTER=1 history-list $surface --session odd --query "$query" </dev/null | diff -u with -
		done
	done
	found 'pi:odd 1' --session '*' --query checkout
	found 'pi:odd 2, pi:odd 1' --session '*' --query kestrel
	found 'pi:odd 3' --session '*' --query nnext
	found 'pi:odd 3' --session '*' --query falcon
	found 'pi:odd 5, pi:odd 3' --session '*' --query falcon --query hobby
}

@test "many sessions, by many threads: the same as one by one" {
	local n
	for n in $(seq 100 250); do
		printf '{"type":"session","version":3,"id":"m%d"}\n{"type":"message","id":"1","parentId":null,"timestamp":"2026-03-05T%02d:%02d:00Z","message":{"role":"user","content":"word %d"}}\n' \
			"$n" $((n / 60)) $((n % 60)) $((n % 7)) >"$PI/2026-03-05T09-00-00-000Z_m$n.jsonl"
	done
	seq 250 -1 100 | sed 's/.*/pi:m&/' >want
	history-list -j --session '*' --limit 500 </dev/null | jq -r '.events[].session' | diff -u want -
	history-list -j --session '*' --limit 500 --query word </dev/null | jq -r '.events[].session' | diff -u want -
	seq 250 -1 100 | awk '$1 % 7 == 3 { print "pi:m" $1 }' >want
	history-list -j --session '*' --limit 500 --query 'word 3' </dev/null | jq -r '.events[].session' | diff -u want -
	taskset -c 0 history-list -j --session '*' --limit 500 --query 'word 3' </dev/null | jq -r '.events[].session' | diff -u want -
}

@test "large sessions, searched by several threads: the same as by one" {
	local n arguments
	for n in $(seq 10 21); do
		awk -v n="$n" 'BEGIN {
			printf "{\"type\":\"session\",\"version\":3,\"id\":\"l%d\"}\n", n
			while (length(pad) < 600)
				pad = pad "kestrel "
			for (i = 1; i <= 400; i++)
				printf "{\"type\":\"message\",\"id\":\"%d\",\"parentId\":%s,\"timestamp\":\"2026-03-05T%d:00:00Z\",\"message\":{\"role\":\"user\",\"content\":\"word%d.%d %s\"}}\n", i, i == 1 ? "null" : "\"" i - 1 "\"", n, n, i, pad
		}' >"$PI/2026-03-05T09-00-00-000Z_l$n.jsonl"
	done
	# Less than two MiB are one thread's work anyway.
	[ "$(cat "$PI"/*.jsonl | wc -c)" -gt $((2 << 20)) ]
	found 'pi:l20 7, pi:l15 400' --session '*' --query 'word20.7 ' --query word15.400 --max-chars-per-item 8
	while read -r arguments; do
		# shellcheck disable=SC2086
		history-list --session '*' $arguments </dev/null >got
		# shellcheck disable=SC2086
		taskset -c 0 history-list --session '*' $arguments </dev/null | cmp - got
	done <<'END'
--query kestrel --limit 1
--query kestrel --limit 500 --max-chars-per-item 9
--query kestrel --limit 500 --max-chars-per-item 5000
--query .399 --limit 500 --max-chars-per-item 9
--query nowhere
--limit 500
END
}

# limited <KiB> <arguments>: history-list within so much memory.
limited() {
	local limit=$1
	shift
	# A sanitizer alone needs more than any limit.
	(ulimit -v "$limit" && history-list --version) >/dev/null 2>&1 || limit=unlimited
	(ulimit -s 512 && ulimit -v "$limit" && MALLOC_ARENA_MAX=1 exec history-list -j "$@" </dev/null)
}

@test "section 10: threads share one allowance for large lines" {
	local n
	for n in 1 2 3 4; do
		printf '{"type":"session","version":3,"id":"big%d"}\n' "$n"
		printf '{"type":"message","id":"a","parentId":null,"timestamp":"2026-03-05T10:00:0%dZ","message":{"role":"assistant","content":[{"type":"toolCall","id":"c","name":"bash","arguments":{"command":"' $((n / 2))
		head -c 16000000 /dev/zero | tr '\0' y
		printf ' kestrel"}}]}}\n'
		printf '{"type":"message","id":"b","parentId":"a","timestamp":"2026-03-05T10:00:00Z","message":{"role":"toolResult","toolCallId":"c","content":[{"type":"text","text":"'
		head -c 16000000 /dev/zero | tr '\0' z
		printf ' osprey"}]}}\n'
	done | awk -v folder="$PI" '/"session"/ { file = sprintf("%s/2026-03-05T09-00-00-000Z_big%d.jsonl", folder, ++n) } { print >file }'
	# Five times a line: once as read, twice in the document, and what grows.
	limited 100000 --session 'pi:*' --query kestrel --query osprey >got
	# What two of them share is one event, and is known by its large records.
	jq -c '.events[] | [.session, .total_chars]' got >rows
	printf '["pi:big%d",32000050]\n' 1 2 4 | diff -u - rows
	taskset -c 0 history-list -j --session 'pi:*' --query kestrel --query osprey </dev/null | cmp - got
}

@test "section 10: several large compressed files take little memory" {
	local n
	mkdir -p "$HOME/.codex/sessions"
	for n in 1 2 3; do
		{
			printf '{"timestamp":"2026-03-05T10:00:0%dZ","type":"session_meta","payload":{"id":"z%d"}}\n' "$n" "$n"
			yes '{"timestamp":"2026-03-05T10:00:00Z","type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"what is said again and again, of a kestrel that is not there"}]}}' | head -n 60000
		} | zstd -q >"$HOME/.codex/sessions/rollout-2026-03-05T09-00-00-z$n.jsonl.zst"
	done
	[ "$(limited 65536 --session 'codex:*' --query osprey | jq '.events | length')" = 0 ]
	[ "$(limited 98304 --session 'codex:*' --query kestrel --limit 3 | jq -c '[.events[].session]')" = '["codex:z3","codex:z3","codex:z3"]' ]
}
