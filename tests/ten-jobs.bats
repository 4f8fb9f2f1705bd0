#!/usr/bin/env bats
# What a person wants at a prompt, each with one command: those of "A DAY WITH
# IT" in ctxtools(7), on a real terminal, in the order of the page.  What the
# page shows is what the terminal shows.

load common

NAMES=(yesterday error about project last page resume notes editor tool)

setup() {
	common_setup
	need_terminal
	export CTX_CWD=/srv/shop-api CTX_AGENT=ana CTX_NOW_MS=1785484800000 # 2026-07-31 08:00
	export NO_COLOR=1 EDITOR='sed -i s/Retry/Retries/'
	local pi=$HOME/.pi/agent/sessions/shop claude=$HOME/.claude/projects/shop
	mkdir -p "$pi" "$claude" jobs
	cp "$ROOT/samples/shop.jsonl" "$pi/2026-07-30T09-00-00-000Z_019859c4-8a10-7c52-b1de-5a0c8e3f2d17.jsonl"
	migration >"$claude/4b0c19aa-2d1e-4f60-8a77-1c5e9b3d0f42.jsonl"
	echo 'Staging first.' | notes-write @project/deploy --content -
	printf '# Retry\n\nOne key for each payment, not for each cart.\n' | notes-write @project/plan --content -
	perl "$ROOT/tests/man.pl" "$ROOT/man/man7/ctxtools.7" jobs 'A DAY WITH IT'
}

# A session of Claude Code that met an error.
migration() {
	local at='"sessionId":"4b0c19aa-2d1e-4f60-8a77-1c5e9b3d0f42","cwd":"/srv/shop-api/db","timestamp":"2026-07-28T15:1'
	cat <<-END
		{"type":"user","uuid":"u1","parentUuid":null,${at}0:00.000Z","message":{"role":"user","content":"Why does the migration fail?"}}
		{"type":"assistant","uuid":"a1","parentUuid":"u1",${at}0:20.000Z","message":{"id":"m1","role":"assistant","content":[{"type":"text","text":"I run it."},{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"bin/migrate --dry-run"}}]}}
		{"type":"user","uuid":"u2","parentUuid":"a1",${at}0:24.000Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","is_error":true,"content":"Error: no such column: orders.key"}]}}
		{"type":"assistant","uuid":"a2","parentUuid":"u2",${at}1:02.000Z","message":{"id":"m2","role":"assistant","content":[{"type":"text","text":"Migration 41 adds it, and has not run."}]}}
	END
}

# job <name> <program>: the page's command of that place is one command of that
# program, and the terminal shows what the page does.
job() {
	local i file
	for i in "${!NAMES[@]}"; do
		[ "${NAMES[i]}" != "$1" ] || file=$(printf 'jobs/%03d' $((i + 1)))
	done
	[[ $(<"$file.command") == "$2 "* ]]
	script -qec "$(<"$file.command")" /dev/null </dev/null | tr -d '\r' >shown
	diff -u --label 'the page' --label 'the terminal' "$file.want" shown
}

@test "what did I do yesterday" {
	job yesterday history-sessions
}

@test "where did I see this error" {
	job error history-list
	# It is marked where there are colours.
	NO_COLOR='' TERM=xterm script -qec "history-list --session '*' 'no such column'" /dev/null </dev/null |
		grep -qF $'\033[33mno such column\033[0m: orders.key'
}

@test "which session was the one about that" {
	job about history-sessions
}

@test "which sessions are of this project" {
	job project history-sessions
	mkdir "$HOME/elsewhere"
	[ "$(CTX_CWD=$HOME/elsewhere history-sessions --cwd .)" = 'no sessions match this selection' ]
}

@test "how did the last one end" {
	job last history-list
}

@test "show me that session as a page" {
	job page history-export
	[ "$(grep -c '<section' page.html)" -eq 26 ]
	grep -q '<h1>double charge in Zürich</h1>' page.html
}

@test "how do I go on with it" {
	job resume history-sessions
}

@test "what do my agents know of this project" {
	job notes notes-list
}

@test "open that note in my editor" {
	job editor notes-edit
	[ "$(notes-read -j @project/plan | jq -r .text | head -n 1)" = '# Retries' ]
}

@test "hand the note to another tool" {
	job tool grep
}

@test "the whole day in one shell on one terminal" {
	local i typed='' want=''
	for i in jobs/*.command; do
		typed+=$(<"$i")$'\n'
		want+="\$: $(<"$i")"$'\n'$(<"${i%command}want")
		[ ! -s "${i%command}want" ] || want+=$'\n'
	done
	[ "$(wc -l <<<"${typed%$'\n'}")" -eq "${#NAMES[@]}" ]
	PS1='$: ' TERM=dumb perl "$ROOT/tests/terminal.pl" "$typed"$'exit\n' bash --norc --noprofile -i |
		tr -d '\r' | sed '/^\$: exit/,$d' >shown
	diff -u --label 'the page' --label 'the terminal' <(printf '%s' "$want") shown
}
