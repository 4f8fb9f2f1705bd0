#!/usr/bin/env bats
# lessons-session: spec/lessons.md section 8.

load common
load lessons

setup() {
	lessons_setup
	rc=0
}

@test "start, and what is told" {
	good lessons-session start -j
	[ "$(<out)" = '{"session":"s1","root":"s1","ephemeral":false,"epoch":1,"barrier":false,"dropped":null}' ]
	good lessons-session start --ephemeral
	[ "$(<out)" = 'session s1: root s1, epoch 2, ephemeral' ]
	good lessons-session start
	[ "$(<out)" = 'session s1: root s1, epoch 3' ]
	for action in compact branch end; do
		good lessons-session $action
	done
	[ "$(<out)" = 'session s1: root s1, epoch 6' ]
	good lessons-session prompt
	[ "$(<out)" = 'session s1: root s1, epoch 6' ]
}

@test "show registers nothing; the other actions do" {
	good lessons-session show -j
	[ "$(<out)" = '{"session":"s1","root":"s1","ephemeral":false,"epoch":0,"barrier":false,"dropped":null}' ]
	[ ! -e "$HOME/.local" ]
	good lessons-session prompt
	[ -e "$HOME/.local/state/ctxtools/.lessons" ]
	[ "$(stat -c %a "$HOME"/.local/state/ctxtools/.lessons/*.sqlite3)" = 600 ]
}

@test "forks have the root of what they come from, and keep it" {
	CTX_SESSION=pi:f1 good lessons-session start --fork-of pi:base
	CTX_SESSION=pi:f2 good lessons-session start --fork-of f1 -j
	[ "$(jq -r .root out)" = base ]
	CTX_SESSION=pi:base good lessons-session show -j
	[ "$(jq -r .root out)" = base ]
	CTX_SESSION=pi:f2 good lessons-session start -j
	[ "$(jq -r .root out)" = base ]
	CTX_SESSION=pi:f2 good lessons-session start --fork-of base
	CTX_SESSION=pi:f2 refused lineage_fixed lessons-session start --fork-of other
	grep -q base out && grep -q other out
}

@test "epochs close an open review; prompt clears the barrier only without one" {
	good lessons-add 'One.'
	start_audit
	good lessons-session show
	[ "$(<out)" = 'session s1: root s1, epoch 0, writes blocked until the next prompt' ]
	good lessons-session prompt
	grep -q blocked out
	good lessons-session compact
	[ "$(<out)" = "session s1: root s1, epoch 1, writes blocked until the next prompt, review $ID dropped" ]
	good lessons-session prompt
	run ! grep -q blocked out
}

@test "refusals and bad input" {
	CTX_SESSION='' refused no_session lessons-session start
	grep -q CTX_SESSION out
	usage --fork-of lessons-session prompt --fork-of x
	usage ephemeral lessons-session end --ephemeral
	usage --fork-of lessons-session start --fork-of ' '
	usage action lessons-session
	CTX_SESSION=$(printf 'x%.0s' {1..161}) run_ lessons-session start </dev/null
	[ $rc -eq 4 ] && grep -q CTX_SESSION err
	run_ lessons-session start --session $'a\tb' </dev/null
	[ $rc -eq 2 ] && grep -q -- --session err
}
