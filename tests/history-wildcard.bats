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
	AT=2026-03-05T10:00:00Z
	for id in a b c d; do
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
	chmod 0700 "$HOME/.codex/sessions/2026" "$CLAUDE"
	[ "$(<got)" = '["claude","codex"]' ]
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
