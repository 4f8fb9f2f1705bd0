#!/usr/bin/env bats
# notes-write: spec/notes.md sections 4.1 to 4.4 and 5.1.

load common
load notes

setup() {
	notes_setup
	rc=0 # of the last call
}

# ---- what it answers and stores --------------------------------------------

@test "notes section 9: the worked examples, both surfaces and the disk" {
	succeed notes-write '{"address":"@project/retry","content":"# Retry\nfive tries\nFIVE at most"}'
	cat >want <<-END
		{"address":"@project/retry.md","project_key":"$KEY","outcome":"created"}
		created @project/retry.md (project $KEY)
	END
	diff -u want out
	cat >want <<-END
		---
		origin: self
		createdAt: 2026-08-01T08:00:00.000+00:00
		updatedAt: 2026-08-01T08:00:00.000+00:00
		lastAccessed: 2026-08-01T08:00:00.000+00:00
		accessCount: 0
		---

		# Retry
		five tries
	END
	printf 'FIVE at most' >>want
	cmp want "$NOTES/project/$KEY/retry.md"

	succeed notes-write '{"address":"plan","content":"step 1\nstep 2\n"}'
	cat >want <<-END
		{"address":"plan.md","outcome":"created"}
		created plan.md
	END
	diff -u want out
	cat >want <<-END
		---
		origin: self
		createdAt: 2026-08-01T08:00:00.000+00:00
		updatedAt: 2026-08-01T08:00:00.000+00:00
		lastAccessed: 2026-08-01T08:00:00.000+00:00
		accessCount: 0
		project: $KEY
		---

		step 1
		step 2
	END
	cmp want "$SESSION/plan.md"
}

@test "notes section 2: every form of an address has its file" {
	local address rendered file
	export CTX_MODEL=vendor/m.1
	while IFS='|' read -r address rendered file; do
		succeed notes-write "{\"address\":\"$address\",\"content\":\"x\"}" -j
		[ "$(jq -r .address out)" = "$rendered" ] || fail "$address: $(<out)"
		[ -f "$NOTES/$file" ] || fail "$address: no $file"
		[ "$(jq -r '.project_key // "-"' out)" = \
			"$([[ $address == @project/* ]] && echo "$KEY" || echo -)" ] ||
			fail "$address: $(<out)"
		rm "$NOTES/$file"
	done <<-END
		a/b|a/b.md|pi/session/s-1/a/b.md
		a.MD|a.MD.md|pi/session/s-1/a.MD.md
		.x/ Ü y|.x/ Ü y.md|pi/session/s-1/.x/ Ü y.md
		@project/a.md|@project/a.md|project/$KEY/a.md
		@human/a|@human/a.md|human/a.md
		@self/a|@self/a.md|agents/ana-bot/a.md
		@agents/ana-bot/a|@self/a.md|agents/ana-bot/a.md
		@model/a|@model/a.md|models/m-1/a.md
		@models/m-1/a|@model/a.md|models/m-1/a.md
	END
}

@test "notes section 1: the root, the session and the project come from the host, or from options" {
	unset CTX_NOTES_HOME
	PI_NOTES_HOME=$PWD/pi notes-write @human/x --content 1
	[ -f pi/human/x.md ]
	PI_NOTES_HOME=$PWD/pi CTX_NOTES_HOME=rel/ctx notes-write @human/x --content 1
	[ -f rel/ctx/human/x.md ]
	PI_NOTES_HOME='' CTX_NOTES_HOME='' notes-write @human/x --content 1
	[ -f "$NOTES/human/x.md" ]
	notes-write --notes-home opt --session pi:7f3 plan --content 1
	[ -f opt/pi/session/7f3/plan.md ]
	CTX_SESSION=7f3 notes-write --notes-home opt plan2 --content 1
	[ -f opt/pi/session/7f3/plan2.md ]
	notes-write --notes-home opt --agent 'Bob  2' @self/x --content 1
	[ -f opt/agents/bob-2/x.md ]
	(
		unset CTX_AGENT
		PI_NOTES_AGENT='Bob  3' notes-write --notes-home opt @self/x --content 1
		PI_NOTES_AGENT='' notes-write --notes-home opt @self/x --content 1
		CTX_AGENT='@@@' PI_NOTES_AGENT=bob notes-write --notes-home opt @self/y --content 1
		CTX_MODEL=a/B.c notes-write --notes-home opt @model/x --content 1
		CTX_MODEL=a/b/ notes-write --notes-home opt @model/x --content 1
	)
	[ -f opt/agents/bob-3/x.md ] && [ -f opt/agents/anonymous/x.md ] &&
		[ -f opt/agents/anonymous/y.md ] && [ -f opt/models/b-c/x.md ] &&
		[ -f opt/models/default/x.md ]
	# `~` is not expanded.
	# shellcheck disable=SC2088
	CTX_NOTES_HOME='~/x' notes-write @human/x --content 1
	[ -f ./~/x/human/x.md ]
	# Options are not parameters: stdin is read all the same.
	echo '{"address":"@human/in","content":"1"}' | notes-write --notes-home opt
	[ -f opt/human/in.md ]
	ln -s opt/human link
	CTX_NOTES_HOME=link notes-write @human/x --content 1
	[ -f opt/human/human/x.md ]
}

@test "notes section 1: without HOME it is the home that the system knows, or exit 4" {
	local script='mount -t tmpfs none /root && notes-write @human/x --content 1 >&2 && find /root -name x.md'
	need_name_space
	[[ $BIN$PWD != *"/root/"* ]] || skip 'these tests are in the home that would be hidden'
	unset CTX_NOTES_HOME HOME
	unshare -rm bash -c "$script" >out
	echo /root/.agents/notes/human/x.md | diff -u - out
	HOME='' unshare -rm bash -c "$script" >out
	echo /root/.agents/notes/human/x.md | diff -u - out
	[ "$(id -u)" -eq 0 ] || return 0
	# Somebody of whom the system knows nothing.
	cp "$BIN/notes-write" "$BIN/notes-list" .
	chmod 755 "$BATS_TEST_TMPDIR" notes-write notes-list
	rc=0
	setpriv --reuid 54321 --clear-groups ./notes-list <<<'{}' >out 2>err || rc=$?
	[ $rc -eq 4 ] && [ ! -s out ] && grep -q CTX_NOTES_HOME err || fail "$rc: $(<out)$(<err)"
}

@test "notes section 1.1: cwd drives the project of this call, and the owner of a new session note" {
	local other
	mkdir -p other/sub other/.git shop-api/inner
	other=$(project_key "$PWD/other")
	succeed notes-write "{\"address\":\"@project/x\",\"content\":\"1\",\"cwd\":\"$PWD/other/sub\"}"
	grep -qF "(project $other)" out
	[ -f "$NOTES/project/$other/x.md" ]
	succeed notes-write '{"address":"@project/x","content":"1","cwd":"../other/sub/.."}'
	grep -qF "(project $other)" out
	succeed notes-write '{"address":"s","content":"1","cwd":"../other"}'
	grep -qxF "project: $other" "$SESSION/s.md"
	succeed notes-write '{"address":"@project/x","content":"1","cwd":""}'
	grep -qF "(project $KEY)" out
	# By text: a link is a directory of its own, and .. is what the text says.
	mkdir plain
	ln -s ../other/sub plain/link
	succeed notes-write "{\"address\":\"@project/x\",\"content\":\"1\",\"cwd\":\"$PWD/plain/link\"}"
	grep -qF "(project $(project_key "$PWD/plain/link"))" out
	succeed notes-write "{\"address\":\"@project/x\",\"content\":\"1\",\"cwd\":\"$PWD/plain/link/..\"}"
	grep -qF "(project $(project_key "$PWD/plain"))" out
	cd shop-api/inner
	CTX_CWD='' notes-write @project/y --content 1 >out
	grep -qF "(project $KEY)" out
	notes-write --cwd ../other @project/y --content 1 >out
	grep -qF "(project $other)" out
}

@test "content comes from flags or stdin, and is stored byte for byte" {
	printf -- '--flag\r\n\ttext \n\n' >content
	notes-write log --content - <content >out
	echo 'created log.md' | diff -u - out
	tail -c "$(wc -c <content)" "$SESSION/log.md" | cmp - content
	notes-write empty --content ''
	[ "$(tail -c 6 "$SESSION/empty.md" | od -c | head -n 1)" = \
		"$(printf '\n---\n\n' | od -c | head -n 1)" ]
	notes-write log --content x --origin user -j >out
	echo '{"address":"log.md","outcome":"overwrote"}' | diff -u - out
}

@test "notes section 4.4: outcomes, and what an overwrite keeps" {
	put "$SESSION/n.md" --- '# ours' 'origin: user   # said on Monday' \
		'__proto__: {a: [1, "x"]}' 'createdAt: 2020-01-01' \
		"crumpledAt: 2026-01-01 # away" 'accessCount: 7' 'project: other-1' \
		'nested:' '  - when: 10:30' '...or not: yes' --- 'old'
	succeed notes-write '{"address":"n","content":"new"}'
	cat >want <<-END
		{"address":"n.md","outcome":"uncrumpled"}
		uncrumpled n.md
	END
	diff -u want out
	cat >want <<-END
		---
		# ours
		origin: self   # said on Monday
		__proto__: {a: [1, "x"]}
		createdAt: 2020-01-01
		accessCount: 7
		project: other-1
		nested:
		  - when: 10:30
		...or not: yes
		updatedAt: 2026-08-01T08:00:00.000+00:00
		---
	END
	printf new >>want
	diff -u want "$SESSION/n.md"
	succeed notes-write '{"address":"n","content":"newer","origin":"external"}'
	sed -n 2p out | diff -u <(echo 'overwrote n.md') -
	grep -q '^origin: external ' "$SESSION/n.md"
}

@test "notes trap 13: a content that looks like front matter, or starts with a blank line, reads back" {
	local content text
	for content in $'---\norigin: user\n---\nx' $'\nx' $'\r\n\r\nx' $'---\n' \
		$'---' '' $'\n' $'\xef\xbb\xbfx' $'---\ncrumpledAt: x\n---\n\n---\n'; do
		for address in a b; do
			notes-write $address --content "$content" >out
			text=$(notes-read -j $address | jq .text)
			[ "$text" = "$(printf %s "$content" | jq -Rs .)" ] ||
				fail "$(json_string "$content") reads back as $text"
		done
		# Over a note whose block had no separator.
		put "$SESSION/a.md" --- 'origin: user' --- x
	done
}

@test "notes section 3.2: a bare note keeps its derived created_at" {
	put "$SESSION/bare.md" '# by hand' text
	succeed notes-write '{"address":"bare","content":"new"}'
	grep -q overwrote out
	notes-read bare -j | jq -c '[.metadata | .created_at, .updated_at]' >got
	echo '["2026-01-02T03:04:05.678Z","2026-08-01T08:00:00.000Z"]' | diff -u - got
	run ! grep -q 'project' "$SESSION/bare.md"
}

@test "cases 13: overwriting a note with a broken block replaces block and body, and never makes two" {
	put "$SESSION/x.md" --- 'title: [open' 'crumpledAt: 2026-01-01' --- body
	succeed notes-write '{"address":"x","content":"new"}'
	echo 'overwrote x.md' | diff -u - <(sed -n 2p out)
	cat >want <<-END
		---
		origin: self
		createdAt: 2026-01-02T03:04:05.678+00:00
		updatedAt: 2026-08-01T08:00:00.000+00:00
		lastAccessed: 2026-01-02T03:04:05.678+00:00
		accessCount: 0
		---

	END
	printf new >>want
	diff -u want "$SESSION/x.md"
}

@test "notes section 3.3: what is not text is replaced, its block kept" {
	mkdir -p "$SESSION"
	printf -- '---\nk: v\n---\na\0b' >"$SESSION/nul.md"
	printf 'a\377b' >"$SESSION/bad.md"
	succeed notes-write '{"address":"nul","content":"t"}'
	grep -qx 'k: v' "$SESSION/nul.md"
	succeed notes-write '{"address":"bad","content":"t"}'
	[ "$(notes-read bad -j | jq -r .text)" = t ]
	truncate -s 17000000 "$SESSION/huge.md"
	succeed notes-write '{"address":"huge","content":"t"}'
	[ "$(notes-read huge -j | jq -r .text)" = t ]
}

@test "notes section 3: times on disk are local, with an offset and never Z" {
	TZ=Europe/Vienna notes-write plan --content x
	grep -qx 'createdAt: 2026-08-01T10:00:00.000+02:00' "$SESSION/plan.md"
	TZ=America/St_Johns notes-write plan --content x
	grep -qx 'updatedAt: 2026-08-01T05:30:00.001-02:30' "$SESSION/plan.md"
}

@test "notes section 4.3: stamps increase within a home, even when the clock stands still" {
	local i now
	for i in 1 2 3 4 5; do
		notes-write n$((i % 2)) --content $i
		now=$(sed -n 's/^updatedAt: .*\.\([0-9]*\)+.*/\1/p' "$SESSION/n$((i % 2)).md")
		[ "$((10#$now))" -eq $((i - 1)) ] || fail "stamp $i ends in $now"
	done
	printf '%020d\n' 1785571200004 | cmp - "$SESSION/.ctx@stamp"
	# A new note's three times are the same stamp; other homes have their own.
	notes-write new --content x
	[ "$(grep -c '2026-08-01T08:00:00.005+00:00' "$SESSION/new.md")" -eq 3 ]
	notes-write @human/new --content x
	grep -q '08:00:00.000' "$NOTES/human/new.md"
	# Far ahead of the clock, it was wrong then.
	printf '%020d\n' 1785571260001 >"$SESSION/.ctx@stamp"
	notes-write new --content x
	grep -q '^updatedAt: 2026-08-01T08:00:00.000' "$SESSION/new.md"
	printf '%020d\n' 1785571260000 >"$SESSION/.ctx@stamp"
	notes-write new --content x
	grep -q '^updatedAt: 2026-08-01T08:01:00.001' "$SESSION/new.md"
}

@test "notes section 4.2: files are 0600 and directories 0700, a replaced file keeps its mode" {
	umask 0
	notes-write a/b/c --content x
	[ "$(stat -c %a "$HOME/.agents" "$NOTES" "$SESSION" "$SESSION/a" \
		"$SESSION/a/b" | sort -u)" = 700 ]
	[ "$(stat -c %a "$SESSION/a/b/c.md" "$SESSION/.ctx@stamp" | sort -u)" = 600 ]
	chmod 640 "$SESSION/a/b/c.md"
	umask 077
	notes-write a/b/c --content y
	[ "$(stat -c %a "$SESSION/a/b/c.md")" = 640 ]
	echo leftover >"$SESSION/a/b/.ctx@tmp"
	notes-write a/b/c --content z
	no_leftover
}

@test "notes section 4.2: with any umask directories are 0700 and usable, and files 0600" {
	local mask
	for mask in 0177 0777 0000; do
		rm -rf "$HOME/.agents"
		(umask $mask && notes-write @human/a/b --content x)
		[ "$(stat -c %a "$HOME/.agents" "$NOTES" "$NOTES/human" "$NOTES/human/a" | sort -u)" = 700 ]
		[ "$(stat -c %a "$NOTES/human/a/b.md")" = 600 ]
		[ "$(notes-read @human/a/b | tail -n 1)" = x ]
	done
}

@test "notes section 4.2: without its group a replaced file has no bits for one" {
	[ "$(id -u)" -eq 0 ] || skip 'only root can give a file away'
	notes-write n --content x
	chown 4242:4243 "$SESSION/n.md"
	chmod 664 "$SESSION/n.md"
	# Root without the power to give files away.
	setpriv --bounding-set -chown --inh-caps -chown \
		"$BIN/notes-write" n --content y || fail 'not written'
	[ "$(stat -c '%u %g %a' "$SESSION/n.md")" = '0 0 604' ] ||
		fail "$(stat -c '%u %g %a' "$SESSION/n.md")"
}

@test "notes section 4.2: every address can be written, even where directories have our names" {
	local i
	# What was once the temporary name is a legal address.
	notes-write .ctx-tmp/x --content 1
	notes-write y --content 2
	notes-read .ctx-tmp/x
	refuse invalid_address notes-write '{"address":".ctx@tmp/x","content":"1"}' 'at sign'
	# Directories made there by hand are passed by, up to nine of them.
	mkdir "$SESSION/.ctx@tmp"
	for ((i = 1; i < 9; i++)); do
		mkdir "$SESSION/.ctx@tmp$i"
	done
	notes-write z --content 3
	[ "$(notes-list -j | jq '.skipped')" = 9 ]
	mkdir "$SESSION/.ctx@tmp9"
	refuse io_error notes-write '{"address":"z","content":"4"}' z.md
	[ "$(notes-read z | tail -n 1)" = 3 ]
	rm -r "$SESSION/.ctx@tmp"*
	# The stamp is replaced, whatever stands there.
	rm -f "$SESSION/.ctx@stamp" && ln -s "$PWD/outside" "$SESSION/.ctx@stamp"
	notes-write z --content 5
	[ ! -e outside ] && [ ! -L "$SESSION/.ctx@stamp" ]
}

@test "notes section 1.2: a .git that is a symbolic link is not a file, and its directory the root" {
	mkdir -p main/.git/worktrees/w linked
	echo 'gitdir: ../main/.git/worktrees/w' >elsewhere
	ln -s ../elsewhere linked/.git
	[ "$(notes-write @project/n --content x --cwd "$PWD/linked" -j | jq -r .project_key)" = "$(project_key "$PWD/linked")" ]
	rm linked/.git
	cp elsewhere linked/.git
	[ "$(notes-write @project/n --content x --cwd "$PWD/linked" -j | jq -r .project_key)" = "$(project_key "$PWD/main")" ]
}

# ---- refusals (section 6) --------------------------------------------------

@test "notes section 6: invalid_cwd says which of the three" {
	echo >file
	refuse invalid_cwd notes-write '{"address":"@human/x","content":"x","cwd":"/no/such"}' '"/no/such"' 'not exist'
	refuse invalid_cwd notes-write "{\"address\":\"@human/x\",\"content\":\"x\",\"cwd\":\"$PWD/file\"}" 'not a directory'
	refuse invalid_cwd notes-write "{\"address\":\"../x\",\"content\":\"x\",\"cwd\":\"/$(printf 'a%.0s' {1..4096})\"}" 'too long' '…'
	succeed notes-write "{\"address\":\"@human/x\",\"content\":\"x\",\"cwd\":\"$(printf '/%.0s' {1..4096})\"}"
}

@test "notes section 6: invalid_address has the input as JSON, and the legal forms in order" {
	local address
	for address in '' / a/ a//b ../a a/.. . 'a\\b' a@b 'a\u0007b' 'a\u0085b' \
		@ @typo/x @project @self/ @agents/x @agents/X/y @agents/a--b/c @models/../x; do
		unchanged refuse invalid_address notes-write \
			"{\"address\":\"$address\",\"content\":\"x\"}" 'a path with no @'
		sed -n 1p out | jq -r .error |
			grep -q 'no @ for this session, @project/.*@human/.*@self/.*@model/' ||
			fail "$(<out)"
	done
	refuse invalid_address notes-write '{"address":"a\"\u0001\\b","content":"x"}' '"a\"\u0001\\b"'
	refuse invalid_address notes-write "{\"address\":\"@$(printf 'é%.0s' {1..300})\",\"content\":\"x\"}" "é…\""
	[ ! -e "$NOTES" ]
}

@test "notes section 6: no_session, and no other home is written instead" {
	unset CTX_SESSION
	refuse no_session notes-write '{"address":"plan","content":"x"}' CTX_SESSION '@project/plan.md'
	[ ! -e "$NOTES" ]
	succeed notes-write '{"address":"@human/plan","content":"x"}'
}

@test "notes section 6: invalid_scope names the address and the own head" {
	put "$NOTES/agents/bob/x.md" theirs
	unchanged refuse invalid_scope notes-write '{"address":"@agents/bob/x","content":"x"}' \
		@agents/bob/x.md 'not your home' @self/
	refuse invalid_scope notes-write '{"address":"@models/m/x","content":"x"}' \
		@models/m/x.md 'not your home' @model/
	[ ! -e "$NOTES/models" ]
}

@test "notes section 6: too_large has actual and legal size, of path, name and note" {
	local name
	name=$(printf 'n%.0s' {1..253})
	refuse too_large notes-write "{\"address\":\"$name\",\"content\":\"x\"}" 256 255
	refuse too_large notes-write "{\"address\":\"$name/$name/aaaaaa\",\"content\":\"x\"}" 514 512
	refuse too_large notes-write "{\"address\":\"@self/${name}nnn/x\",\"content\":\"x\"}" 256 255
	refuse too_large notes-write "{\"address\":\"@agents/${name}nnn/x\",\"content\":\"x\"}" 256 255
	succeed notes-write "{\"address\":\"${name%n}\",\"content\":\"x\"}"
	succeed notes-write "{\"address\":\"$name/${name}/aaaa\",\"content\":\"x\"}"

	head -c 1000000 /dev/zero | tr '\0' a >content
	rm -rf "$NOTES"
	call notes-write "$(jq -Rsc '{address:"big",content:.}' content)"
	[ $rc -eq 1 ] && grep -q '"code":"too_large"' out && grep -q 1000000 out &&
		grep -qE '1000[12][0-9]{2}' out || fail "$(<out)"
	[ ! -e "$NOTES" ] || fail 'a refused write has made a home'
	# A file that was larger may shrink, and need not shrink all the way.
	put "$SESSION/big.md" ''
	head -c 1500000 /dev/zero | tr '\0' b >"$SESSION/big.md"
	call notes-write "$(jq -Rsc '{address:"big",content:.}' content)"
	[ $rc -eq 0 ] || fail "$(<out)"
	head -c 1600000 /dev/zero | tr '\0' a >content
	call notes-write "$(jq -Rsc '{address:"big",content:.}' content)"
	[ $rc -eq 1 ] || fail "$(<out)"
}

@test "notes section 2.1, cases 17, trap 14: nothing is created through a link, at any level" {
	local address component
	mkdir -p outside/deep
	echo secret >outside/s.md
	mkdir -p "$SESSION/d/e" "$NOTES/project" "$NOTES/agents" "$NOTES/models"
	ln -s "$PWD/outside" "$SESSION/out"
	ln -s ../../../../../../outside "$SESSION/d/e/rel"
	ln -s e "$SESSION/d/within"
	ln -s "$PWD/outside/s.md" "$SESSION/link.md"
	ln -s "$PWD/outside/none.md" "$SESSION/dangling.md"
	ln -s "$PWD/outside" "$NOTES/human"
	ln -s "$PWD/outside" "$NOTES/project/$KEY"
	ln -s "$PWD/outside" "$NOTES/agents/ana-bot"
	rmdir "$NOTES/models"
	ln -s "$PWD/outside" "$NOTES/models"
	find outside | sort >before
	while read -r address component; do
		refuse unsafe_path notes-write "{\"address\":\"$address\",\"content\":\"x\"}" \
			"$address.md" "\"$component\"" 'a symbolic link'
		[[ $address == @models/* ]] ||
			refuse unsafe_path notes-update "{\"address\":\"$address\",\"crumpled\":true}" \
				"$address.md" "\"$component\"" 'a symbolic link'
		refuse unsafe_path notes-read "{\"address\":\"$address\"}" "\"$component\""
	done <<-END
		out/new out
		out/deep/new out
		d/e/rel/new rel
		d/within/new within
		link link.md
		dangling dangling.md
		@human/new human
		@project/new $KEY
		@self/new ana-bot
		@model/new models
	END
	find outside | sort | diff -u before -
	# Two levels up: pi itself.
	mv "$NOTES/pi" elsewhere
	ln -s "$PWD/elsewhere" "$NOTES/pi"
	refuse unsafe_path notes-write '{"address":"new","content":"x"}' '"pi"'
	[ -z "$(find elsewhere -name 'new*')" ]
}

@test "notes section 2.1 and 7, trap 17: a directory, a FIFO, and a file for a directory" {
	put "$SESSION/f.md" text
	mkdir "$SESSION/dir.md"
	mkfifo "$SESSION/fifo.md"
	unchanged refuse unsafe_path notes-write '{"address":"dir","content":"x"}' dir.md 'not a regular file'
	unchanged refuse unsafe_path notes-write '{"address":"fifo","content":"x"}' fifo.md 'not a regular file'
	unchanged refuse unsafe_path notes-write '{"address":"f.md/x","content":"x"}' f.md/x.md '"f.md"' 'not a directory'
	unchanged refuse unsafe_path notes-write '{"address":"f.md/x/y/z","content":"x"}' '"f.md"'
	echo >"$NOTES/human"
	unchanged refuse unsafe_path notes-write '{"address":"@human/x","content":"x"}' '"human"' 'not a directory'
}

@test "notes section 6: bad_front_matter when a known key cannot be edited safely" {
	put "$SESSION/x.md" --- '{origin: user}' --- body
	call notes-write '{"address":"x","content":"new"}'
	# A flow mapping is not a block of ours: it is broken, and replaced whole.
	[ $rc -eq 0 ] || fail "$(<out)"
	put "$SESSION/y.md" --- 'origin: user' '"updatedAt":' '  2026-01-01' 'k: v' --- body
	succeed notes-write '{"address":"y","content":"new"}'
	grep -qx 'k: v' "$SESSION/y.md"
	[ "$(notes-read y -j | jq -r .text)" = new ]
	# Of a key in this form the value has no place that is safe to say.
	put "$SESSION/z.md" --- 'k: v' '? updatedAt' ': 2026-01-01' 'crumpledAt:' --- body
	unchanged refuse bad_front_matter notes-write '{"address":"z","content":"new"}' updatedAt 'line 3'
	unchanged refuse bad_front_matter notes-update '{"address":"z","edits":[{"oldText":"body","newText":"x"}]}' updatedAt 'line 3'
	unchanged refuse bad_front_matter notes-update '{"address":"z","rename_to":"@human/z"}' updatedAt 'line 3'
	[ ! -e "$NOTES/human" ]
	# Nothing of that is in the way of the other keys.
	succeed notes-update '{"address":"z","crumpled":false}'
	printf '%s\n' --- 'k: v' '? updatedAt' ': 2026-01-01' \
		'createdAt: 2026-01-01T00:00:00.000+00:00' --- body | diff -u - "$SESSION/z.md"
}

@test "notes section 6: busy names the home, after 5 s of somebody else's lock" {
	notes-write plan --content old
	notes-write @human/plan --content old
	snapshot >before
	flock "$SESSION" -c 'touch locked; sleep 30' &
	holder=$!
	while [ ! -e locked ]; do sleep 0.01; done
	call notes-write '{"address":"plan","content":"new"}'
	# Other homes have locks of their own.
	notes-write @human/other --content x
	rm "$NOTES/human/other.md"
	pkill -P $holder sleep || :
	kill $holder 2>/dev/null || :
	[ $rc -eq 1 ] && grep -q '"code":"busy"' out && grep -q session out || fail "$(<out)"
	[ "$(notes-read plan -j | jq -r .text)" = old ]
}

@test "notes section 7: a disk that is full leaves the old note, an io_error, and no temporary file" {
	local text
	notes-write plan --content old
	cp "$SESSION/plan.md" want
	text=$(printf 'x%.0s' {1..8000})
	rc=0
	(
		ulimit -f 4
		notes-write plan --content "$text" -j >out 2>err
	) || rc=$?
	[ $rc -eq 1 ] || fail "exit $rc: $(<out)$(<err)"
	[ "$(jq -r .code out)" = io_error ]
	jq -r .error out | grep -q '^plan.md: '
	run ! grep -qF "$HOME" out
	cmp want "$SESSION/plan.md"
	no_leftover
}

# denied <address> <program> <json>: io_error with the address and the reason,
# exactly; every note as it was.
denied() {
	local address=$1
	shift
	find "$NOTES" -name '*.md' -exec md5sum {} + | sort >before
	call "$@"
	[ $rc -eq 1 ] || fail "$*: exit $rc: $(<out)$(<err)"
	diff -u - out <<-END || fail "$*"
		{"error":"$address: $REASON","code":"io_error"}
		error: io_error: $address: $REASON
	END
	find "$NOTES" -name '*.md' -exec md5sum {} + | sort | diff -u before -
	no_leftover
}

# all_denied: whatever would change the home of the session.
all_denied() {
	denied plan.md notes-write '{"address":"plan","content":"new"}'
	denied other.md notes-write '{"address":"other","content":"new"}'
	denied a/b.md notes-write '{"address":"a/b","content":"new"}'
	denied plan.md notes-update '{"address":"plan","crumpled":true}'
	denied b.md notes-update '{"address":"plan","rename_to":"b"}'
	denied b.md notes-update '{"address":"@human/x","rename_to":"b"}'
	denied @human/b.md notes-update '{"address":"plan","rename_to":"@human/b"}'
	call notes-read '{"address":"plan"}' -j
	jq -e '.text == "old"' out >/dev/null
}

@test "notes section 6: io_error where the system says no, and no path in it" {
	powerless
	notes-write plan --content old
	notes-write d/plan --content old
	chmod 500 "$SESSION/d"
	cp "$SESSION/d/plan.md" want
	refuse io_error notes-write '{"address":"d/plan","content":"new"}' d/plan.md 'Permission denied'
	refuse io_error notes-write '{"address":"d/new","content":"new"}' d/new.md
	cmp want "$SESSION/d/plan.md"
	[ "$(ls -A "$SESSION/d")" = plan.md ]
	chmod 700 "$SESSION/d" # bats must be able to remove it
	notes-write @human/x --content old
	chmod 500 "$SESSION"
	REASON='Permission denied' all_denied
	chmod 700 "$SESSION"
	chmod 0 "$SESSION/plan.md"
	unchanged refuse io_error notes-write '{"address":"plan","content":"new"}' plan.md
	unchanged refuse io_error notes-read '{"address":"plan"}' plan.md
	unchanged refuse io_error notes-update '{"address":"plan","crumpled":true}' plan.md
	chmod 0 "$SESSION"
	refuse io_error notes-write '{"address":"plan","content":"new"}' plan.md
	chmod 700 "$SESSION"
	mkdir closed
	chmod 500 closed
	CTX_NOTES_HOME=closed/notes refuse io_error notes-write '{"address":"plan","content":"new"}' plan.md
	echo >file
	CTX_NOTES_HOME=file refuse io_error notes-write '{"address":"plan","content":"new"}' plan.md
	CTX_NOTES_HOME=file refuse io_error notes-read '{"address":"plan"}' plan.md
}

@test "notes section 6: io_error on a file system that is read-only; reads and lists go on" {
	need_name_space
	cat >script <<-END
		$(declare -f call denied all_denied no_leftover fail)
		NOTES=$NOTES AS=() REASON='Read-only file system'
		set -e
		mount -t tmpfs none "$NOTES"
		notes-write plan --content old
		notes-write @human/x --content old
		mount -o remount,ro "$NOTES"
		all_denied
		denied @self/new.md notes-write '{"address":"@self/new","content":"x"}'
		[ "\$(notes-list -j | jq -c '[.files[].address]')" = '["@human/x.md","plan.md"]' ]
		echo done
	END
	mkdir -p "$NOTES"
	unshare -rm bash script >log 2>&1 || fail "$(<log)"
	grep -qx 'done' log || fail "$(<log)"
}

# ---- bad input (section 7) -------------------------------------------------

@test "notes section 7: what is not an argument is exit 2, and the disk is untouched" {
	notes-write plan --content old
	while IFS='|' read -r json field; do
		unchanged usage notes-write "$json" "$field"
	done <<-'END'
		{"address":"plan"}|content
		{"content":"x"}|address
		{"address":"plan","content":"x","extra":1}|extra
		{"address":"plan","content":"x","Origin":"user"}|Origin
		{"address":1,"content":"x"}|address
		{"address":"plan","content":["x"]}|content
		{"address":"plan","content":null}|content
		{"address":"plan","content":"x","origin":null}|origin
		{"address":"plan","content":"x","origin":"me"}|origin
		{"address":"plan","content":"x","origin":"Self"}|origin
		{"address":"plan","content":"x","cwd":1}|cwd
		[]|object
		"x"|object
		{"address":"plan","content":"x"|arguments
		{"address":"plan","content":"x",}|arguments
		{"address":"plan","content":"x"} x|arguments
		{"address":"plan","address":"b","content":"x"}|address
		{"address":"plan","addres\u0073":"b","content":"x"}|address
		{"address":"plan","content":"a\u0000b"}|arguments
		{"address":"plan","content":"a\ud83d b"}|arguments
		{"address":"pl\udc00an","content":"x"}|arguments
	END
	unchanged usage notes-write $'{"address":"plan","content":"a\xff"}' arguments
	unchanged usage notes-write $'{"address":"plan","content":"a\tb"}' arguments
	unchanged usage notes-write "$(printf '[%.0s' {1..70})" arguments
	head -c 4194304 /dev/zero | tr '\0' x >content
	{ printf '{"address":"plan","content":"' && cat content && printf '"}'; } >json
	rc=0
	notes-write <json >out 2>err || rc=$?
	[ $rc -eq 2 ] && [ ! -s out ] && [ "$(wc -l <err)" -eq 1 ] || fail "over 4 MiB: $rc"
}

@test "notes section 7: a host fact that is invalid is exit 4, and is named" {
	local session
	while IFS= read -r session; do
		CTX_SESSION=$session call notes-write '{"address":"@human/x","content":"x"}'
		[ $rc -eq 4 ] && [ ! -s out ] && grep -q CTX_SESSION err || fail "$session: $rc: $(<err)"
	done <<-'END'
		../x
		a:b:c
		pi:
		pi:..
		a/b
		a\b
	END
	CTX_SESSION=$'a\nb' call notes-write '{"address":"x","content":"x"}'
	[ $rc -eq 4 ]
	[ "$(wc -l <err)" -eq 1 ]
	CTX_NOW_MS=soon call notes-write '{"address":"x","content":"x"}'
	[ $rc -eq 4 ]
	grep -q CTX_NOW_MS err
	CTX_AGENT=$(printf 'a%.0s' {1..129}) call notes-write '{"address":"x","content":"x"}'
	[ $rc -eq 4 ]
	grep -q CTX_AGENT err
	[ ! -e "$NOTES" ]
}

@test "notes section 7: a receipt that cannot be written is exit 4, and says that the note is stored" {
	rc=0
	notes-write plan --content x >/dev/full 2>err || rc=$?
	[ $rc -eq 4 ]
	grep -q 'stored; the receipt could not be written' err
	[ "$(notes-read plan -j | jq -r .text)" = x ]
}

# ---- at the same time ------------------------------------------------------

@test "notes section 4: kills at random moments leave only whole notes" {
	local i pid
	RANDOM=7
	printf 'v%04d\n' {1..2000} >long
	for ((i = 0; i < 100; i++)); do
		notes-write a/n --content "$i $(<long)" >/dev/null 2>&1 &
		pid=$!
		pause 0.00$((RANDOM % 10))
		kill -9 $pid 2>/dev/null || :
		wait $pid 2>/dev/null || :
		[ -e "$SESSION/a/n.md" ] || continue
		[ "$(tail -n 1 "$SESSION/a/n.md")" = v2000 ] || fail "torn at $i"
		[ "$(head -n 1 "$SESSION/a/n.md")" = --- ] || fail "torn at $i"
	done
	notes-write a/n --content "last $(<long)"
	[ "$(notes-read -j a/n --limit-chars 6 | jq -r .text)" = 'last v' ]
	no_leftover
	notes-write a/m --content x
}

@test "two writers at once: one of the two texts, whole, and both are told" {
	local i
	for i in 1 2 3 4 5 6 7 8; do
		notes-write n --content "$(printf "$i%.0s" {1..5000})" >out.$i &
	done
	wait
	[ "$(cat out.* | grep -c '^created')" -eq 1 ]
	[ "$(cat out.* | grep -c '^overwrote')" -eq 7 ]
	[ "$(tail -n 1 "$SESSION/n.md" | fold -w 1 | sort -u | wc -l)" -eq 1 ]
	[ "$(tail -n 1 "$SESSION/n.md" | wc -c)" -eq 5000 ]
	# Their stamps are all different.
	printf '%020d\n' 1785571200007 | cmp - "$SESSION/.ctx@stamp"
}

@test "cases 17: a link planted between check and open changes nothing" {
	local i pid
	mkdir -p outside "$SESSION/d"
	(
		cd "$SESSION" || exit
		ln -s "$BATS_TEST_TMPDIR/outside" planted
		while [ ! -e "$BATS_TEST_TMPDIR/stop" ]; do
			mv d real && mv planted d && mv d planted && mv real d
		done
	) &
	pid=$!
	for ((i = 0; i < 40; i++)); do
		call notes-write "{\"address\":\"d/n$((i % 9))\",\"content\":\"$i\"}" -j
		[ $rc -eq 0 ] || grep -qE '"(unsafe_path|io_error)"' out || fail "$rc: $(<out)$(<err)"
	done
	touch stop
	wait $pid
	[ -z "$(ls -A outside)" ] || fail 'written outside'
}
