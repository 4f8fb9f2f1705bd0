#!/usr/bin/env bats
# new-context: spec/context.md section 5 and rows N1 to N3.

load common
load context

setup() {
	context_setup
}

@test "5: the receipt, with and without a checkpoint" {
	call new-context '{}'
	echo '{"status":"requested","window_id":"w1","checkpoint_saved":false}' | diff - json
	[ "$(grep -c . text)" -eq 2 ]
	head -n 1 text | grep -q '^A new context window has been requested.'
	tail -n 1 text | grep -q '^No checkpoint has been saved'
	note a ' '
	does new-context '{}'
	gives .checkpoint_saved false
	note a x
	does new-context '{}'
	gives .checkpoint_saved true
	[ "$(wc -l <text)" -eq 1 ]
}

@test "13: two requests are one rollover, also at once" {
	local i
	for i in {1..8}; do
		new-context -j </dev/null >"$i.out" &
	done
	wait
	[ "$(cat ./*.out | sort -u | wc -l)" -eq 1 ]
	does context-compact '{"reason":"rollover"}'
	gives .window_id '"w2"'
	does new-context '{}'
	does context-commit '{"outcome":"committed","window_id":"w2"}'
	does context-settle '{}'
	gives .action '"resend"'
	does context-delivered '{"message_id":"w2:continuation:1"}'
	does context-settle '{}'
	gives .action '"none"'
}

@test "N1: disabled is refused, and says how to enable it" {
	CTX_CONTEXT_DISABLED=1 refuses disabled new-context '{}'
	says CTX_CONTEXT_DISABLED
	CTX_CONTEXT_DISABLED=0 does new-context '{}'
	mkdir -p "$HOME/.config/ctxtools"
	echo 'context: {enabled: false}' >"$HOME/.config/ctxtools/config.yaml"
	refuses disabled new-context '{}'
}

@test "N1: fenced while a checkpoint is due, and not when it is only sent" {
	begin
	say u1 user 'do it'
	does context-compact '{"reason":"manual"}'
	does new-context '{}'
	rm -rf "$STATE"
	armed
	refuses fenced new-context '{}'
	says new_context
	note a saved
	does new-context '{}'
	gives '[.status,.checkpoint_saved]' '["requested",true]'
}

@test "9: no parameters: anything else is exit 2" {
	invalid force new-context '{"force":true}'
	invalid operand new-context '' operand
}
