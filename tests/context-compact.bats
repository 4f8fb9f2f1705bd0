#!/usr/bin/env bats
# context-compact: spec/context.md sections 4.5, 6, 6.1 and rows C1 to C12.

load common
load context

setup() {
	context_setup
	rc=0
}

compact() {
	does context-compact "{\"reason\":\"$1\"${2:+,$2}}"
}

@test "C1 to C12, as far as they need no transcript" {
	CTX_CONTEXT_DISABLED=1 compact rollover
	gives .action '"allow"'
	compact rollover
	gives '[.action,.note,.bootstrap,.messages]' '["cancel",null,null,[]]'
	compact threshold
	gives '[.action,.messages[].kind]' '["cancel","reminder"]'
	compact threshold
	gives '[.action,.messages[].message_id]' '["cancel","w1:reminder:1"]'
	does context-delivered '{"message_id":"w1:reminder:1"}'
	compact threshold
	gives '[.action,.phase,.messages[].kind]' '["cancel","checkpoint_required","fallback"]'
	compact manual
	gives '[.action,.messages[].message_id]' '["cancel","w1:fallback:2"]'
	does context-delivered '{"message_id":"w1:fallback:2"}'
	compact threshold
	gives '[.action,.messages]' '["cancel",[]]'
	compact overflow
	gives '[.action,.window_id,.phase]' '["rollover","w2","rolling_over"]'
	compact threshold
	gives '[.action,.window_id]' '["rollover","w2"]'
	invalid reason context-compact '{"reason":"because"}'
	invalid reason context-compact '{}'
}

@test "C6, C9: a fresh window is neither rolled over nor asked for a checkpoint" {
	begin
	compact manual
	gives '[.action,.note]' '["cancel","fresh window"]'
	does new-context '{}'
	compact rollover
	gives '[.action,.note,.phase]' '["cancel","fresh window","ready"]'
	does context-init '{}'
	deliver c1
	compact manual
	gives .note '"fresh window"'
	say u1 user hello
	compact manual
	gives '[.note,.messages[].kind,.messages[].deliver]' '[null,"checkpoint","turn"]'
	# Without a transcript a window is not fresh.
	rm -r "$STATE" session.jsonl
	compact manual
	gives '[.note,.messages[].kind]' '[null,"checkpoint"]'
}

@test "6.1: frames: fallback and checkpoint, with the index of recent items" {
	begin
	say u1 user $'  do\n\tit  now '
	compact manual
	jq -r '.messages[0].text' json >got
	head -n 1 got | grep -qx '<context_window_checkpoint source_context_window_id="w1" reason="manual">'
	tail -n 4 got >end
	cat >want <<-'END'
		</context_window_checkpoint>

		Recent items, oldest first (id — role — preview). Note the ids that still matter:
		u1 — user — do it now (window w1)
	END
	diff -u want end
	rm -r "$STATE"
	compact threshold
	deliver c1
	compact threshold
	jq -r '.messages[0].text' json >got
	head -n 1 got | grep -qx '<context_window_reminder source_context_window_id="w1">'
	grep -qx '</context_window_reminder>' got
}

@test "4.5: the index: the newest 25, previews, and its bounds" {
	local i
	begin
	for i in {10..50}; do
		say "u$i" user "$i$(printf 'é%.0s' {1..200})"
	done
	say last user $'\001a'
	compact manual
	jq -r '.messages[0].text' json | sed '1,/^Recent items/d' >index
	[ "$(wc -l <index)" -eq 25 ]
	head -n 1 index | grep -qx "u27 — user — 27$(printf 'é%.0s' {1..117})… (window w1)"
	tail -n 1 index | grep -qxF 'last — user — \u0001a (window w1)'
	begin
	for i in {10..50}; do
		say "u$i" user "$(printf '"%.0s' {1..300})"
	done
	for i in {1..30}; do
		say "$(printf "%0120d" "$i")" user "$(printf '\\%.0s' {1..300})"
	done
	rm -r "$STATE"
	compact manual
	jq -r '.messages[0].text' json | sed -n '/^Recent items/,$p' >index
	[ "$(wc -m <index)" -le 6001 ] || fail "$(wc -m <index)"
	tail -n 1 index | grep -q '^0*30 '
	[ "$(wc -c <json)" -le 32769 ]
}

@test "6.1: the bootstrap, with notes by update and without bodies" {
	note a 'the body'
	note b x
	note c x
	note a again
	does new-context '{}'
	compact rollover
	jq -r .bootstrap json >got
	cat >want <<-'END'
		<context_window_reset/>
		The context window was reset. This is not a summary: the earlier conversation was dropped as a whole, and this window starts empty.

		<context_window>
		Agent name: /root
		First context window id: w1
		Current context window id: w2
		Previous context window id: w1
		</context_window>
	END
	head -n 9 got | diff -u want -
	tail -n 4 got >end
	cat >want <<-'END'
		Notes of /root at this reset, most recently updated first (notes_list_files_by_prefix refreshes the list):
		{"path":"/root/notes/a","bytes":5,"updated_at":"2030-03-17T17:46:40.003Z"}
		{"path":"/root/notes/c","bytes":1,"updated_at":"2030-03-17T17:46:40.002Z"}
		{"path":"/root/notes/b","bytes":1,"updated_at":"2030-03-17T17:46:40.001Z"}
	END
	diff -u want end
	# Built anew each time.
	does context-commit '{"outcome":"aborted","window_id":"w2"}'
	note d x
	compact rollover
	gives '.bootstrap | test("notes/d")' true
	rm -r "$STATE"
	does new-context '{}'
	compact rollover
	gives '.bootstrap | endswith("There are no notes of /root yet.")' true
}

@test "6.1: the notes section is at most 25 files, and tells of the rest" {
	local i
	mkdir -p "$NOTES"
	for i in {10..40}; do
		echo x >"$NOTES/f$i"
		touch -d "2029-01-01 00:00:$i" "$NOTES/f$i"
	done
	does new-context '{}'
	compact rollover
	jq -r .bootstrap json | sed '1,/^Notes of/d' >section
	[ "$(wc -l <section)" -eq 26 ]
	[ "$(tail -n 1 section)" = '[6 more note files; use notes_list_files_by_prefix]' ]
	head -n 1 section | grep -q f40
	for i in {10..40}; do
		mv "$NOTES/f$i" "$NOTES/$(printf '%0240d' "$i")"
	done
	compact rollover
	jq -r .bootstrap json | sed -n '/^Notes of/,$p' >section
	[ "$(wc -m <section)" -le 6001 ]
	tail -n 1 section | grep -q '^\[1[0-9] more note files'
}

@test "6: texts of prompts_dir, by name, placeholders in one pass" {
	mkdir -p "$HOME/.config/ctxtools/p"
	echo 'context: {prompts_dir: p}' >"$HOME/.config/ctxtools/config.yaml"
	cd "$HOME/.config/ctxtools/p"
	printf 'F {{window_id}} {{agent_name}} {{remaining_tokens}} {{{window_id}}} {{x}}\n\n' >fallback.txt
	printf 'R {{remaining_tokens}} {{cleanup_advice}} {{cleanup_advice}}' >reminder.txt
	printf 'C {{window_id}}' >cleanup-advice.txt
	printf 'N {{previous_window_id}} to {{window_id}}' >bootstrap-notice.txt
	cd - >/dev/null
	does context-compact '{"reason":"threshold"}'
	gives '.messages[0].text' '"<context_window_reminder source_context_window_id=\"w1\">\nR unknown C {{window_id}} {{cleanup_advice}}\n</context_window_reminder>"'
	does context-delivered '{"message_id":"w1:reminder:1"}'
	does context-compact '{"reason":"threshold"}'
	gives '.messages[0].text | split("\n")[1]' '"F w1 /root {{remaining_tokens}} {w1} {{x}}"'
	gives '.messages[0].text | split("\n")[2]' '""'
	does context-compact '{"reason":"overflow"}'
	gives '.bootstrap | split("\n")[1]' '"N w1 to w2"'
}

@test "6: a text that is invalid is ignored in one line; prose never stops the machine" {
	local p=$HOME/.config/ctxtools/p
	mkdir -p "$p"
	echo 'context: {prompts_dir: p}' >"$HOME/.config/ctxtools/config.yaml"
	bad() {
		rm -rf "$STATE"
		call context-compact '{"reason":"manual"}'
		[ "$rc" -eq 0 ] && [ "$(wc -l <err)" -eq 1 ] && grep -q checkpoint.txt err || fail "$1: $rc $(<err)"
		gives '.messages[0].text | test("The user asked for a fresh")' true
	}
	printf 'a\xff' >"$p/checkpoint.txt"
	bad 'no UTF-8'
	printf 'a\0' >"$p/checkpoint.txt"
	bad NUL
	printf '%04097d' 0 >"$p/checkpoint.txt"
	bad 'too large'
	printf '"%.0s' {1..2049} >"$p/checkpoint.txt"
	bad 'too large when escaped'
	printf '{{agent_name}}%.0s' {1..900} >"$p/checkpoint.txt"
	bad 'too large when filled in'
	rm "$p/checkpoint.txt"
	mkdir "$p/checkpoint.txt"
	bad 'a folder'
	rmdir "$p/checkpoint.txt"
	printf '%04096d' 0 >"$p/checkpoint.txt"
	rm -rf "$STATE"
	does context-compact '{"reason":"manual"}'
	gives '.messages[0].text | test("fresh")' false
}
