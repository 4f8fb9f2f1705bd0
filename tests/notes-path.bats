#!/usr/bin/env bats
# notes-path: spec/people.md section 3.

load common

setup() {
	common_setup
	export CTX_SESSION=pi:s-1 CTX_CWD=$PWD
	N=$HOME/.agents/notes
}

@test "the absolute path, byte for byte, of a note that is there or not" {
	run -0 notes-path @human/a/b
	assert_output "$N/human/a/b.md"
	run -0 notes-path plan -j
	assert_output "{\"address\":\"plan.md\",\"path\":\"$N/pi/session/s-1/plan.md\",\"exists\":false}"
	notes-write @project/x --content y >/dev/null
	run -0 notes-path @project/x -j
	[ "$(jq -r .path <<<"$output")" = "$(find "$N/project" -name x.md)" ]
	[ "$(jq -c '[.exists, has("project_key")]' <<<"$output")" = '[true,true]' ]
	[ "$(notes-path @project/x | wc -l)" -eq 1 ]
	printf z >>"$(notes-path @project/x)"
	notes-read @project/x | grep -q yz
	[ ! -e "$N/human" ] || fail 'made a home'
}

@test "a relative home is taken from where we are; odd names stay" {
	run -0 notes-path --notes-home 'n ö' @human/x
	assert_output "$PWD/n ö/human/x.md"
	run -0 notes-path --notes-home $'n\e[31m' @human/x
	assert_output "$PWD/"$'n\e[31m/human/x.md'
	need_terminal
	run script -qec "notes-path --notes-home 'n"$'\e'"[31m' @human/x" /dev/null </dev/null
	assert_output -p 'n\u001b[31m/human/x.md'
}

@test "it refuses what notes-read refuses of an address" {
	local a
	for a in ../x @human/../x 'a//b' '@nobody/x' '/etc/passwd' @human; do
		[ "$(notes-path "$a" -j | jq -r .code)" = "$(notes-read "$a" -j | jq -r .code)" ] ||
			fail "$a: $(notes-path "$a" -j)"
	done
	run -1 env -u CTX_SESSION notes-path x
	assert_output -p 'no_session'
	mkdir -p "$N/human"
	ln -s /etc/passwd "$N/human/link.md"
	run -1 notes-path @human/link
	assert_output -p 'unsafe_path'
	run -1 notes-path "@human/$(printf '%0600d' 0)"
	assert_output -p 'too_large'
	run -1 notes-path @project/x --cwd nowhere
	assert_output -p 'invalid_cwd'
}

@test "an editor and git take the path; to be asked for it changes nothing" {
	notes-write @project/x --content one >/dev/null
	cp "$(notes-path @project/x)" before
	sh -c 'sed -i s/one/two/ "$1"' edit "$(notes-path @project/x)"
	sed s/one/two/ before | cmp - "$(notes-path @project/x)"
	git init -q "$N"
	git -C "$N" add .
	git -C "$N" -c user.name=a -c user.email=a@example.org commit -qm 'what was known'
	[ "$(git -C "$(dirname "$(notes-path @project/x)")" log --format=%s)" = 'what was known' ]
	notes-path @project/x -j >/dev/null
	[ -z "$(git -C "$N" status --porcelain)" ]
}

@test "cwd says which project; the key stands beside the address" {
	mkdir -p other/.git
	run -0 notes-path @project/x --cwd other -j
	[ "$(jq -c keys_unsorted <<<"$output")" = '["address","project_key","path","exists"]' ]
	[[ $(jq -r .project_key <<<"$output") == other-* ]]
	[ "$(jq -r .path <<<"$output")" = "$N/project/$(jq -r .project_key <<<"$output")/x.md" ]
	[ "$(jq -r .path <<<"$output")" != "$(notes-path @project/x)" ]
	run -2 notes-path
	assert_output -p 'address'
}
