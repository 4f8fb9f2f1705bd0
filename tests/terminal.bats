#!/usr/bin/env bats
# What a person at a terminal sees; script(1) gives the programs one.

load common

setup() {
	common_setup
	need_terminal
}

@test "a terminal as stdin means {}, and text only" {
	run on_terminal notes-list
	assert_output '0 notes'
}

@test "-j at a terminal prints the JSON line only" {
	run on_terminal 'notes-list -j'
	assert_output '{"files":[],"more":0,"crumpled_excluded":0,"homes_unavailable":[]}'
}

@test "stdin that is not a terminal gives both surfaces" {
	run notes-list </dev/null
	assert_line -n 0 '{"files":[],"more":0,"crumpled_excluded":0,"homes_unavailable":[]}'
	assert_line -n 1 '0 notes'
}

@test "times are local at a terminal, and nowhere else" {
	export TZ=Europe/Berlin CTX_NOW_MS=1785571200000 # 2026-08-01 10:00 there
	note() {
		mkdir -p "$HOME/.agents/notes/human"
		printf -- '---\nupdatedAt: %s\n---\n\nx\n' "$2" >"$HOME/.agents/notes/human/$1.md"
	}
	note a 2026-07-31T22:30:00.000Z
	note b 2026-07-31T21:30:00.000Z
	note c 2026-07-29T21:30:00.000Z
	run on_terminal 'notes-list --color never'
	assert_output '3 notes
- @human/a.md | updated today 00:30
- @human/b.md | updated yesterday 23:30
- @human/c.md | updated 2026-07-29 23:30'
	run on_terminal 'notes-read --color never @human/a'
	assert_line -n 1 -p ' | updated 2026-08-01 00:30:00'
	run on_terminal 'notes-list --color never | cat'
	assert_line -n 1 '- @human/a.md | updated 2026-07-31T22:30:00.000Z'
	export CTX_SESSION_FILE=$ROOT/samples/shop.jsonl
	run on_terminal 'history-list --color never --limit 1'
	assert_line -n 0 -e '^seq [0-9]+ \| [a-z]+ \| 2026-[0-9-]+ [0-9:]{8}$'
	run on_terminal 'history-list --color never --limit 1 | cat'
	assert_line -n 0 -e '^seq [0-9]+ \| [a-z]+$'
}

@test "colour: on a terminal, unless NO_COLOR or TERM says otherwise; --color is obeyed" {
	local esc=$'\033'
	mkdir -p "$HOME/.agents/notes/human"
	printf 'a retry, and a Retry\n' >"$HOME/.agents/notes/human/n.md"
	run on_terminal 'TERM=xterm notes-search retry'
	assert_output -p "a ${esc}[33mretry${esc}[0m, and a ${esc}[33mRetry${esc}[0m"
	assert_output -p "- ${esc}[36m@human/n.md${esc}[0m | updated"
	for how in 'NO_COLOR=1 notes-search retry' 'TERM=dumb notes-search retry' \
		'notes-search retry --color never' 'notes-search retry | cat' \
		'NO_COLOR= TERM=xterm notes-search retry --color auto >out; cat out'; do
		run on_terminal "$how"
		refute_output -p "$esc"
		assert_output -p 'a retry, and a Retry'
	done
	for how in 'NO_COLOR=1 notes-search retry --color always | cat' \
		'TERM=dumb notes-search --color=always retry' 'NO_COLOR= TERM=xterm notes-search retry'; do
		run on_terminal "$how"
		assert_output -p "${esc}[33mretry${esc}[0m"
	done
	# Only the eight colours, and each of them is ended.
	run on_terminal 'TERM=xterm notes-search retry'
	[ -z "$(sed -E "s/$esc\[(3[0-7]|0)m//g" <<<"$output" | grep "$esc")" ]
	run on_terminal 'TERM=xterm notes-read @human/none'
	assert_output -p "${esc}[31merror: not_found:${esc}[0m there is no note"
	run on_terminal 'TERM=xterm history-list nowhere --color alway'
	assert_output 'history-list: --color: "alway" given; legal: auto, always, never; did you mean always?'
	run on_terminal 'notes-list --color never --color never'
	assert_output 'notes-list: --color: given twice; legal: once'
}

@test "a session is named once above its rows in a page of many" {
	export PI_CODING_AGENT_SESSION_DIR=$PWD/pi
	mkdir pi
	for id in s-a s-b; do
		{
			printf '{"type":"session","version":3,"id":"%s","cwd":"/w"}\n' $id
			printf '{"type":"message","id":"%s1","parentId":null,"timestamp":"2026-07-01T10:00:00.000Z","message":{"role":"user","content":"find me 1"}}\n' $id
			printf '{"type":"message","id":"%s2","parentId":"%s1","timestamp":"2026-07-02T10:00:00.000Z","message":{"role":"user","content":"find me 2"}}\n' $id $id
		} >pi/2026-01-01T00-00-00-000Z_$id.jsonl
	done
	run on_terminal "TZ=UTC history-list --color never 'find me' --session '*' --limit 4"
	assert_line -n 0 -e '^session pi:s-[ab]$'
	assert_line -n 1 -e '^seq 2 \| user \| 2026-07-02 10:00:00$'
	[ "$(grep -c '^session ' <<<"$output")" -eq 2 ]
	run on_terminal "history-list --color never 'find me' --session '*' --limit 4 | cat"
	[ "$(grep -c '^session pi:s-. | seq ' <<<"$output")" -eq 4 ]
}

@test "a host is told of parameters, a person of options" {
	run history-read <<<'{"seq":1}'
	assert_line -n 1 -p 'name one with the session parameter'
	run context-boot --max-notes 1
	refute_output -p 'session parameter'
	run -2 history-read 1 --limit-chars 0
	assert_output 'history-read: --limit-chars: 0 given; legal: integer from 1 to 50000'
	run -2 history-read <<<'{"seq":1,"limit_chars":0}'
	assert_output 'history-read: limit_chars: 0 given; legal: integer from 1 to 50000'
	run -2 history-list --roles usr
	assert_output 'history-list: --roles[0]: string "usr" given; legal: one of user, assistant, tool, context; did you mean user?'
	run -2 history-list --limit 1 --limit 2
	assert_output 'history-list: --limit: given twice; legal: once'
	run -2 history-list --since never
	assert_output -p 'history-list: --since: "never" given'
}

@test "a long export tells its progress where stderr is a terminal and stdout is not" {
	long() { # <bytes>
		printf '{"type":"session","version":3,"id":"long"}\n'
		printf '{"type":"message","id":"e1","parentId":null,"timestamp":"2026-07-01T10:00:00.000Z","message":{"role":"user","content":"%s"}}\n' \
			"$(head -c "$1" /dev/zero | tr '\0' x)"
	} >long.jsonl
	export CTX_SESSION_FILE=$PWD/long.jsonl
	long 9000000
	run tr '\r' '\n' < <(script -qec 'history-export --format jsonl >out; echo over' /dev/null </dev/null)
	assert_line 'history-export: 1 events'
	assert_line over
	[ "$(jq .total_chars out)" -eq 9000000 ]
	run -0 --separate-stderr bash -c 'history-export --format jsonl >out'
	[ -z "${stderr-}" ]
	run on_terminal 'history-export --format jsonl 2>err | wc -l; wc -c <err'
	assert_output $'1\n0'
	long 4000000
	run on_terminal 'history-export --format jsonl >out; echo over'
	assert_output over
}

@test "what leads on is options for a person, and each of them works" {
	export CTX_SESSION_FILE=$ROOT/samples/shop.jsonl
	run on_terminal 'history-list --color never --limit 3 --session 0198'
	local older expand option session='--session pi:019859c4-8a10-7c52-b1de-5a0c8e3f2d17'
	expand=$(sed -n 's/^\t→ expand: //p' <<<"$output" | tail -n 1)
	older=$(sed -n 's/^→ older: //p' <<<"$output")
	[ "$expand" = "--after-seq 33 --before-seq 42 --roles tool --roles context $session" ]
	[ "$older" = "--before-seq 32 --from newest $session" ]
	for option in "$expand" "$older"; do
		on_terminal "history-list --color never --limit 1 $option" >page
		grep -q '^session pi:019859c4.* | seq' page
	done
	grep -qxF "→ older: --before-seq 30 --from newest $session" page || fail "$(<page)"
	run on_terminal "history-list --color never --limit 1 --from oldest --session 0198"
	assert_line "→ newer: --after-seq 1 --from oldest $session"
	run on_terminal 'history-list --limit 1 --session 0198 | tail -n 1'
	assert_output -p '→ older: {"before_seq":'
	mkdir -p "$HOME/.pi/agent/sessions/a"
	cp "$ROOT/samples/shop.jsonl" "$HOME/.pi/agent/sessions/a/a.jsonl"
	sed '1s/019859c4/119859c4/' "$ROOT/samples/shop.jsonl" >"$HOME/.pi/agent/sessions/a/b.jsonl"
	unset CTX_SESSION_FILE
	run on_terminal 'history-sessions --limit 1'
	assert_line '1 more session; raise --limit, or narrow by --cwd, --title, --since or --until'
}

@test "so is what leads on from a part, from nothing found and from a refusal" {
	export CTX_SESSION_FILE=$ROOT/samples/shop.jsonl
	local rest session='--session pi:019859c4-8a10-7c52-b1de-5a0c8e3f2d17'
	run on_terminal 'history-read --color never --limit-chars 5 20'
	assert_line 'neighborhood → history-list --after-seq 10 --before-seq 30'
	assert_line '[truncated; continue at --offset-chars 5]'
	run on_terminal "history-read --color never $session --limit-chars 5 20"
	assert_line "neighborhood → history-list --after-seq 10 --before-seq 30 $session"
	run on_terminal "$(sed -n 's/^neighborhood → //p' <<<"$output")"
	assert_output -p 'seqs 17-21 | folded 3 events'
	run on_terminal 'history-read --limit-chars 5 20 | cat'
	assert_line 'neighborhood → history_list({"after_seq":10,"before_seq":30})'
	assert_line '[truncated; continue at offset_chars=5]'

	notes-write @human/n --content 'one two' >/dev/null
	run on_terminal 'notes-read @human/n --limit-chars 3'
	assert_line '[truncated; continue at --offset-chars 3]'
	run on_terminal 'notes-read --color never @human/n --offset-chars 3'
	assert_line ' two'
	run on_terminal 'notes-read @human/n --limit-chars 3 | cat'
	assert_line '[truncated; continue at offset_chars=3]'

	run on_terminal "history-list \"kestrel it's charge\""
	rest=$(sed -n "s/^no event holds it as one text; to find any of its words: //p" <<<"$output")
	[ "$rest" = "--query kestrel --query 'it'\\''s' --query charge" ] || fail "$output"
	run on_terminal "history-list --color never --limit 1 $rest"
	assert_output -p 'charge'
	run on_terminal 'history-list "kestrel hovers" | cat'
	assert_output -p 'any of its words: {"query":["kestrel","hovers"]}'

	local bound
	for bound in '--before-seq 5' '--after-seq 5' '--from oldest'; do
		run on_terminal "history-list --color never --session '*' $bound"
		[[ $bound == --from* ]] || bound=${bound% *}
		assert_output "error: wildcard_bounds: $bound cannot be given with --session \"*\": narrow it by --since, --until, --cwd, --roles, --query or --limit, or name one session"
	done
	run on_terminal "history-list --session '*' --after-seq 5 | cat"
	assert_output -p 'error: wildcard_bounds: after_seq cannot be given with session "*": narrow it by since,'
	run on_terminal "history-list -j --session '*' --after-seq 5"
	assert_output -p '"error":"after_seq cannot be given with session \"*\"'

	mkdir -p "$HOME/.pi/agent/sessions/a"
	cp "$CTX_SESSION_FILE" "$HOME/.pi/agent/sessions/a/a.jsonl"
	sed '1s/019859c4/119859c4/' "$CTX_SESSION_FILE" >"$HOME/.pi/agent/sessions/a/b.jsonl"
	sed '1s/019859c4/219859c4/' "$CTX_SESSION_FILE" >"$HOME/.pi/agent/sessions/a/c.jsonl"
	unset CTX_SESSION_FILE
	run on_terminal "history-list --session '*' --query charge --limit 1"
	assert_line -e '^[23] sessions not searched to the end: narrow by --cwd, --since, --until or --query, or raise --limit$'
	run on_terminal "history-list --session '*' --query charge --limit 1 | cat"
	assert_line -e '^[23] sessions not searched to the end: narrow by cwd, since, until or query, or raise limit$'
}
