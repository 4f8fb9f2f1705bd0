#!/usr/bin/env bats
# notes-edit: spec/people.md section 4.

load common

setup() {
	common_setup
	export CTX_SESSION=pi:s-1 CTX_CWD=$PWD CTX_NOW_MS=1785571200000 TZ=UTC
	unset VISUAL EDITOR
	F=$HOME/.agents/notes/human/n.md
	mkdir -p "${F%/*}"
}

# edit <shell words>: edits @human/n with them; out and err.
edit() {
	EDITOR=$1 notes-edit @human/n "${@:2}" >out 2>err </dev/null
}

@test "a new note has a fresh block of the person's, and what was written" {
	edit 'echo text >>'
	[ "$(<out)" = 'created @human/n.md' ] && [ ! -s err ]
	diff - "$F" <<-'END'
		---
		origin: user
		createdAt: 2026-08-01T08:00:00.000+00:00
		updatedAt: 2026-08-01T08:00:00.001+00:00
		lastAccessed: 2026-08-01T08:00:00.000+00:00
		accessCount: 0
		---

		text
	END
	[ "$(stat -c %a "$F")" = 600 ]
	edit true -j
	[ "$(<out)" = '{"address":"@human/n.md","outcome":"unchanged"}' ]
}

@test "one that is left empty goes again, or was removed" {
	edit true
	[ "$(<out)" = 'discarded @human/n.md' ] && [ ! -e "$F" ]
	edit rm
	[ "$(<out)" = 'discarded @human/n.md' ]
	printf 'bare' >"$F"
	edit rm
	[ "$(<out)" = 'gone @human/n.md' ] && [ ! -e "$F" ]
}

@test "a changed text is stamped; a changed block alone is the person's; bare stays bare" {
	notes-write @human/n --content 'one' >/dev/null
	export CTX_NOW_MS=1785657600000
	edit 'sed -i s/one/two/'
	[ "$(<out)" = 'changed @human/n.md' ]
	grep -qx 'updatedAt: 2026-08-02T08:00:00.000+00:00' "$F"
	grep -qx 'createdAt: 2026-08-01T08:00:00.000+00:00' "$F"
	cp "$F" before
	export CTX_NOW_MS=1785744000000
	edit 'sed -i "s/^accessCount.*/&\nmine: yes/"'
	[ "$(<out)" = 'changed @human/n.md' ]
	sed 's/^accessCount.*/&\nmine: yes/' before | cmp - "$F"
	printf 'bare\n' >"$F"
	edit 'echo more >>'
	[ "$(<out)" = 'changed @human/n.md' ]
	printf 'bare\nmore\n' | cmp - "$F"
}

@test "a block that no longer parses is left as it is, and reported" {
	notes-write @human/n --content 'one' >/dev/null
	edit 'sed -i "2s/.*/a: [/"' -j
	[ "$(jq -r .outcome out)" = changed ]
	[[ $(jq -r .block_error out) == 'line '[0-9]*': '* ]]
	grep -q '^notes-edit: the front matter is not as it should be: line ' err
	grep -qx 'a: \[' "$F"
	[ "$(wc -l <err)" -eq 1 ]
}

@test "VISUAL before EDITOR, with arguments and odd paths; its output is not ours" {
	export CTX_NOTES_HOME="$PWD/o'dd \$home"
	VISUAL='sh -c "echo noise; echo text >>\"\$1\"" x' EDITOR=false notes-edit @human/n >out 2>err </dev/null
	[ "$(<out)" = 'created @human/n.md' ] && [ "$(<err)" = noise ]
	tail -n 1 "$CTX_NOTES_HOME/human/n.md" | grep -qx text
}

@test "an editor that fails is exit 4; what it wrote stays, an empty new note does not" {
	rc=0
	edit false || rc=$?
	[ $rc -eq 4 ] && [ ! -s out ] && [ ! -e "$F" ]
	grep -qx 'notes-edit: the editor failed with status 1; the file is as it left it' err
	rc=0
	edit 'sh -c "echo text >>\"\$1\"; exit 3" x' || rc=$?
	[ $rc -eq 4 ] && grep -qx text "$F"
	rc=0
	edit 'kill -9 $$ #' || rc=$?
	[ $rc -eq 4 ] && grep -q 'killed by signal 9' err
	rc=0
	edit no-such-editor || rc=$?
	[ $rc -eq 4 ] && grep -q 'failed with status 127' err
}

@test "without a terminal an editor must be chosen; it refuses what notes-update refuses" {
	run -2 notes-edit @human/n </dev/null
	assert_output 'notes-edit: no terminal to edit at; legal: VISUAL or EDITOR set to a program'
	[ ! -e "$F" ]
	export EDITOR=true
	run -1 notes-edit ../x
	assert_output -p 'invalid_address'
	run -1 notes-edit @agents/bob/x
	assert_output -p 'invalid_scope'
	ln -s /etc/passwd "$F"
	run -1 notes-edit @human/n
	assert_output -p 'unsafe_path'
}

@test "at a terminal the editor has it" {
	need_terminal
	run script -qec 'EDITOR="sh -c \"test -t 0 && test -t 1 && echo text >>\\\"\\\$1\\\"\" x" notes-edit @human/n' /dev/null </dev/null
	assert_output -p 'created @human/n.md'
}
