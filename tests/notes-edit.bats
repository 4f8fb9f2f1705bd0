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

@test "the editor gets a fresh block with no text, by one absolute path" {
	mkdir seen
	edit 'cp -t seen'
	[ "$(<out)" = 'discarded @human/n.md' ]
	diff - seen/n.md <<-'END'
		---
		origin: user
		createdAt: 2026-08-01T08:00:00.000+00:00
		updatedAt: 2026-08-01T08:00:00.000+00:00
		lastAccessed: 2026-08-01T08:00:00.000+00:00
		accessCount: 0
		---

	END
	edit 'printf "%s\n" >>args'
	[ "$(<args)" = "$F" ]
}

@test "without VISUAL and EDITOR, or where they are empty, it is vi" {
	need_terminal
	mkdir bin
	printf '#!/bin/sh\necho "by vi" >>"$1"\n' >bin/vi
	chmod +x bin/vi
	PATH=$PWD/bin:$PATH
	run on_terminal 'notes-edit @human/n'
	assert_output 'created @human/n.md'
	run on_terminal 'VISUAL= EDITOR= notes-edit @human/n'
	assert_output 'changed @human/n.md'
	[ "$(grep -cx 'by vi' "$F")" -eq 2 ]
	cp "$F" before
	run on_terminal 'notes-edit @human/n >printed; echo $?'
	assert_output $'notes-edit: no terminal to edit at; legal: VISUAL or EDITOR set to a program\n2'
	[ ! -s printed ]
	run on_terminal 'notes-edit @human/n </dev/null; echo $?'
	assert_line 2
	VISUAL='' run -2 notes-edit @human/n
	cmp before "$F"
}

@test "the home is free while the editor runs; what others write then counts" {
	notes-write @human/n --content 'one' >/dev/null
	cat >meanwhile <<-'END'
		notes-write @human/other --content more >written &&
			notes-update @human/n --edits '{"oldText":"one","newText":"two"}' >>written
	END
	edit 'sh ./meanwhile'
	[ "$(<out)" = 'changed @human/n.md' ] && [ ! -s err ]
	[ "$(wc -l <written)" -eq 2 ]
	grep -qx two "$F"
	grep -qx more "${F%/*}/other.md"
}

@test "an editor that fails leaves an old note byte for byte, without a stamp" {
	notes-write @human/n --content 'one' >/dev/null
	sed s/one/two/ "$F" >want
	export CTX_NOW_MS=1785657600000
	rc=0
	edit 'sh -c "sed -i s/one/two/ \"\$1\"; exit 3" x' || rc=$?
	[ $rc -eq 4 ] && [ ! -s out ]
	cmp want "$F"
}

@test "text and block changed at once is stamped; a new note may have a broken block" {
	notes-write @human/n --content 'one' >/dev/null
	export CTX_NOW_MS=1785657600000
	edit 'sed -i "s/one/two/;s/^accessCount.*/&\nmine: yes/"'
	grep -qx 'updatedAt: 2026-08-02T08:00:00.000+00:00' "$F"
	grep -qx 'mine: yes' "$F"
	grep -qx two "$F"
	rm "$F"
	edit 'sed -i "2s/.*/a: [/"'
	[ "$(<out)" = 'created @human/n.md' ]
	grep -qx 'a: \[' "$F"
	grep -q ': line ' err
}

@test "a note of a project is told with its key; cwd says which" {
	mkdir -p other/.git
	local key
	key=$(notes-path @project/x --cwd other -j | jq -r .project_key)
	EDITOR='echo text >>' run -0 notes-edit @project/x --cwd other
	assert_output "created @project/x.md (project $key)"
	EDITOR=true run -0 notes-edit @project/x --cwd other -j
	assert_output "{\"address\":\"@project/x.md\",\"project_key\":\"$key\",\"outcome\":\"unchanged\"}"
	grep -qx text "$(notes-path @project/x --cwd other)"
	[ ! -e "$(notes-path @project/x)" ]
	EDITOR=rm run -0 notes-edit @project/x --cwd other -j
	[ "$(jq -r .outcome <<<"$output")" = gone ]
}

@test "every address that notes-update refuses is refused alike, and no editor runs" {
	local a code edits='{"oldText":"a","newText":"b"}'
	export EDITOR='touch ran #'
	for a in ../x @human/../x 'a//b' '@nobody/x' '/etc/passwd' @human @agents/bob/x "@human/$(printf '%0600d' 0)"; do
		code=$(notes-update "$a" --edits "$edits" -j | jq -r .code)
		[ "$(notes-edit "$a" -j </dev/null | jq -r .code)" = "$code" ] || fail "$a: not $code"
	done
	run -1 env -u CTX_SESSION notes-edit x
	assert_output -p 'no_session'
	run -1 notes-edit @project/x --cwd nowhere
	assert_output -p 'invalid_cwd'
	run -2 notes-edit
	assert_output -p 'address'
	[ ! -e ran ]
}
