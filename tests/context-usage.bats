#!/usr/bin/env bats
# context-usage: spec/context.md sections 7.4, 7.5 and 10.

load common
load context

setup() {
	context_setup
	rc=0
}

use() {
	does context-usage "{\"used_tokens\":$1,\"context_window\":$2${3:+,$3}}"
}
settings() {
	mkdir -p "$HOME/.config/ctxtools"
	cat >"$HOME/.config/ctxtools/config.yaml"
}

@test "12: the worked example" {
	use 151000 200000
	gives '[.window_id,.remaining_tokens,.reminder_level,.hard_level,.phase,.reason]' '["w1",49000,50000,null,"ready",null]'
	gives '.messages[0] | [.message_id,.deliver]' '["w1:reminder:1","steer"]'
	head -n 1 text | grep -qx 'agent /root | window w1 | phase ready | remaining 49000'
}

@test "7.4: levels by window" {
	local window level
	while read -r window level; do
		use 0 "$window"
		gives .reminder_level "$level"
	done <<-'END'
		1000000 60000
		200000 50000
		128000 32000
		80000 21384
		32000 16000
		16000 8000
	END
}

@test "7.5: reasons" {
	use 1 100 '"window_id":"w2"'
	gives '[.reason,.remaining_tokens]' '["stale",null]'
	use 1 100 '"window_id":"1"'
	gives .reason '"stale"'
	use 1 100 '"window_id":"w1"'
	gives '[.reason,.remaining_tokens]' '[null,99]'
	use 2 100 '"aborted":true'
	gives '[.reason,.remaining_tokens]' '["aborted",99]'
	use null 100
	gives '[.reason,.remaining_tokens,.reminder_level]' '["unknown",null,null]'
	[[ $(head -n 1 text) == *'remaining unknown' ]]
	use 5 null
	gives .reason '"unknown"'
	CTX_CONTEXT_DISABLED=1 use 99 100
	gives '[.reason,.phase,.messages]' '["disabled","disabled",[]]'
	does new-context '{}'
	use 99 100
	gives '[.reason,.remaining_tokens,.messages]' '["pending",1,[]]'
}

@test "U6: nothing more is sent while a checkpoint is due" {
	armed
	use 99 100
	gives '[.reason,.messages]' '["checkpoint",[]]'
}

@test "U7: the hard level, its latch, and the rollover that keeps it" {
	export CTX_CONTEXT_HARD_ROLLOVER_TOKENS=100
	use 99 1000000
	gives '[.hard_level,.messages]' '[100,[]]'
	use 100 1000000
	gives '[.messages[].kind]' '["fallback"]'
	gives .phase '"checkpoint_required"'
	does context-delivered '{"message_id":"w1:fallback:1"}'
	note a x
	does context-compact '{"reason":"rollover"}'
	does context-commit '{"outcome":"committed","window_id":"w2"}'
	use 100 1000000
	gives .messages '[]'
	use 89 1000000
	use 100 1000000
	gives '[.messages[].kind]' '["fallback"]'
}

@test "10: settings, and what stands before what" {
	settings <<-'END'
		other: [1, {x: y}]
		context:
		  reminderRemainingFloorTokens: 0
		  reminderRemainingPercent: 0.5
		  defaults: {reminderRemainingPercent: 0.4}
		  models:
		    "*": {reminderRemainingPercent: 0.1}
		    claude*: {reminderRemainingPercent: 0.2}
		    Anthropic/*: {reminderRemainingPercent: 0.3, hardRolloverUsedTokens: 77}
		    "anthropic/claude-x": {reminderRemainingCeilingTokens: 10}
	END
	use 0 10000
	gives .reminder_level 1000
	use 0 10000 '"model":"anthropic/CLAUDE-y"'
	gives '[.reminder_level,.hard_level]' '[3000,77]'
	# It counts until another is given.
	use 0 10000
	gives .reminder_level 3000
	use 0 10000 '"model":"claude-z"'
	gives .reminder_level 2000
	CTX_MODEL=anthropic/claude-x use 0 10000
	gives '[.reminder_level,.hard_level]' '[10,null]'
	CTX_CONTEXT_REMINDER_PERCENT=0.45 use 0 100000 '"model":"x"'
	gives .reminder_level 45000
}

@test "10: a bad value or an unknown key keeps the default, and warns in one line" {
	local line
	while IFS= read -r line; do
		printf 'context:\n  %s\n' "$line" | settings
		call context-usage '{"used_tokens":0,"context_window":200000}'
		[ "$rc" -eq 0 ] && [ "$(wc -l <err)" -eq 1 ] || fail "$line: $rc $(<err)"
		grep -q "context.${line%%:*}" err || fail "$line: $(<err)"
		gives '[.reminder_level,.hard_level]' '[50000,null]'
	done <<-'END'
		reminderRemainingPercent: 0
		reminderRemainingPercent: 1
		reminderRemainingPercent: "0.5"
		reminderRemainingPercent: half
		reminderRemainingFloorTokens: -1
		reminderRemainingCeilingTokens: 1.5
		hardRolloverUsedTokens: [1]
		maxToolOutputChars: 999
		notesMaxFileBytes: 4000001
		historyItemPreviewChars: 0
		enabled: 1
		prompts_dir: ''
		defaults: 3
		models: [a]
		unknown: 1
		defaults: {nothing: 1}
	END
	printf 'context: 5\n' | settings
	call context-usage '{"used_tokens":0,"context_window":200000}'
	[ "$(wc -l <err)" -eq 1 ]
	printf 'context:\n' | settings
	use 0 200000
	CTX_CONTEXT_REMINDER_PERCENT=2 CTX_CONTEXT_HARD_ROLLOVER_TOKENS=x call context-usage '{"used_tokens":0,"context_window":200000}'
	[ "$(wc -l <err)" -eq 1 ] && grep -q PERCENT err && grep -q HARD err
	gives .reminder_level 50000
}

@test "9: settings that are not YAML, or cannot be read, are exit 4 naming the file" {
	printf 'context: {\n' | settings
	call context-usage '{"used_tokens":0,"context_window":1}'
	[ "$rc" -eq 4 ] && grep -q config.yaml err
	mkdir x.yaml
	CTX_CONFIG=$PWD/x.yaml call context-usage '{"used_tokens":0,"context_window":1}'
	[ "$rc" -eq 4 ] && grep -q x.yaml err
	CTX_CONFIG=$PWD/none.yaml use 0 1
	printf "$(printf '[%.0s' {1..500})" >deep.yaml
	CTX_CONFIG=$PWD/deep.yaml call context-usage '{"used_tokens":0,"context_window":1}'
	[ "$rc" -eq 4 ]
}

@test "7.3: a foreign compaction resets the window, and tells the model once" {
	begin
	say u1 user a
	use 99 100
	compacted k1 'somebody else'
	use 1 100
	gives '[.window_id,.messages[].kind]' '["w2","identity"]'
	gives '.messages[0].text | test("Previous context window id: w1")' true
	deliver c1
	use 99 100
	gives '[.messages[].message_id]' '["w2:reminder:2"]'
}

@test "1.2: bounds" {
	invalid used_tokens context-usage '{"context_window":1}'
	invalid context_window context-usage '{"used_tokens":1}'
	invalid used_tokens context-usage '{"used_tokens":-1,"context_window":1}'
	invalid x context-usage '{"used_tokens":1,"context_window":1,"x":1}'
}
