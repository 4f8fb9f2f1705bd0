#!/usr/bin/env bats
# System calls that fail, and kills between any two of them: a note is the old
# one or the new one, whole, at one address, and what is said of it is true.

load common

setup() {
	common_setup
	SHIM=${CTX_BUILD:-$ROOT/build}/fault/inject.so
	[ -e "$SHIM" ] || fail "no $SHIM: make check builds it"
	export CTX_NOW_MS=1785571200000 CTX_SESSION=pi:s-1 CTX_CWD=/srv/shop
	NOTES=$HOME/.agents/notes
	FOLDER=$NOTES/pi/session/s-1
}

# prepare: one note, with all that a rewrite must keep.
prepare() {
	chmod -R u+w "$NOTES" 2>/dev/null || :
	rm -rf "$NOTES"
	mkdir -p "$FOLDER"
	printf '%s\n' --- '# by hand' 'origin: user' \
		'createdAt: 2026-01-01T00:00:00.000+00:00' \
		'updatedAt: 2026-01-02T00:00:00.000+00:00 # kept' \
		'lastAccessed: 2026-01-02T00:00:00.000+00:00' \
		'accessCount: 3' 'tags:' '  - a' 'project: shop-1' --- '' \
		'first line' 'second line' >"$FOLDER/x.md"
}

# Every note under the root, with its bytes.
state() {
	(cd "$NOTES" && find . -name '*.md' -type f -print0 | sort -z |
		xargs -0 -r tail -v -n +1)
}

# attempt <fault> <program> <json>: runs it with the fault; true if it struck.
attempt() {
	rm -f hit
	rc=0
	{
		FAULT=$1 FAULT_HIT=$PWD/hit LD_PRELOAD=$SHIM "$2" -j <<<"$3" >out 2>err ||
			rc=$?
	} 2>/dev/null # the shell's word on who was killed
	[ -e hit ]
}

OPERATIONS=(
	'notes-write|{"address":"x","content":"another text\n"}'
	'notes-write|{"address":"y","content":"a new note\n"}'
	'notes-write|{"address":"@project/a/b/c","content":"in new folders\n"}'
	'notes-update|{"address":"x","edits":[{"oldText":"first","newText":"1st"}]}'
	'notes-update|{"address":"x","crumpled":true,"origin":"self"}'
	'notes-update|{"address":"x","rename_to":"a/y"}'
	'notes-update|{"address":"x","rename_to":"@self/y"}'
	'notes-read|{"address":"x"}'
)

# expect <operation>: what may be there afterwards.  Fills old, new and moved
# (a rename's note at its new address, before its metadata).
expect() {
	local target=
	prepare
	state >old
	"${1%%|*}" -j <<<"${1#*|}" >said 2>err
	state >new
	cp old moved
	case $1 in
	*'"rename_to":"a/y"'*) target=$FOLDER/a/y.md ;;
	*'"rename_to":"@self/y"'*) target=$NOTES/agents/anonymous/y.md ;;
	esac
	[ -n "$target" ] || return 0
	prepare
	mkdir -p "${target%/*}"
	mv "$FOLDER/x.md" "$target"
	state >moved
}

@test "the operations of this file do change the store when nothing fails" {
	for operation in "${OPERATIONS[@]}"; do
		expect "$operation"
		! cmp -s old new || fail "$operation changes nothing"
	done
}

@test "a kill at any call leaves the old note or the new one, and no lock" {
	local n struck=0
	for operation in "${OPERATIONS[@]}"; do
		expect "$operation"
		for ((n = 1; n < 200; n++)); do
			prepare
			attempt any:$n:kill "${operation%%|*}" "${operation#*|}" || break
			struck=$((struck + 1))
			[ $rc -eq 137 ] || fail "$operation, call $n: exit $rc"
			state >got
			cmp -s got old || cmp -s got new || cmp -s got moved || {
				diff -u old got || :
				fail "$operation, killed at call $n: neither old nor new"
			}
			# What is left behind is in nobody's way.
			notes-write -j <<<'{"address":"x","content":"next"}' >out 2>err ||
				fail "$operation, after a kill at call $n: $(<err)"
			[ ! -e "$FOLDER/.ctx@tmp" ] ||
				fail "$operation, call $n: a temporary file stays"
			[ "$(tail -n 1 "$FOLDER/x.md")" = next ] || fail 'not written'
		done
		[ $n -gt 3 ] && [ $n -lt 200 ] || fail "$operation: $n calls seen"
	done
	[ $struck -gt 50 ] || fail "only $struck kills"
}

@test "an error at any call is told truthfully, and leaves nothing half done" {
	local n fault operation
	for fault in any:EIO write:ENOSPC pwrite:short; do
		for operation in "${OPERATIONS[@]}"; do
			expect "$operation"
			for ((n = 1; n < 200; n++)); do
				prepare
				attempt "${fault%:*}:$n:${fault#*:}" "${operation%%|*}" "${operation#*|}" || break
				state >got
				truthful "$operation, $fault at call $n"
				[ -z "$(find "$NOTES" -name '.ctx@tmp*')" ] ||
					fail "$operation, call $n: a temporary file stays"
			done
		done
	done
}

# The exit status and message fit the state.
truthful() {
	case $rc in
	0) cmp -s got new || [[ $1 == notes-read* ]] && { cmp -s got old || cmp -s got new; } ||
		fail "$1: success, but $(diff new got)" ;;
	1)
		[[ $(<out) == *'"code":"io_error"}' ]] || fail "$1: $(<out)"
		! grep -qF "$HOME" out || fail "$1: a path in $(<out)"
		cmp -s got old ||
			{ grep -q 'has moved' out && { cmp -s got moved || cmp -s got new; }; } ||
			{ grep -q 'has been' out && cmp -s got new; } ||
			fail "$1: refused with $(<out), but $(diff old got)"
		;;
	4)
		# stdout failed, or a host's fact could not be looked up.
		if grep -q stored err; then
			cmp -s got new || fail "$1: $(<err), but $(diff new got)"
		else
			cmp -s got old || [[ $1 == notes-read* ]] ||
				fail "$1: $(<err), but $(diff old got)"
		fi
		;;
	*) fail "$1: exit $rc: $(<err)" ;;
	esac
}

@test "short and interrupted writes make no difference" {
	local n fault operation
	for operation in "${OPERATIONS[@]}"; do
		expect "$operation"
		for fault in write:0:short write:1:EINTR write:2:EINTR; do
			prepare
			attempt $fault "${operation%%|*}" "${operation#*|}" || :
			[ $rc -eq 0 ] || fail "$operation, $fault: exit $rc: $(<err)"
			cmp -s out said || fail "$operation, $fault: $(diff said out)"
			state >got
			diff -u new got || fail "$operation, $fault"
		done
	done
}

# meanwhile <call>:<n> <program> <json> <command>: the command runs before the
# call; what the program says is in out, err and rc.
meanwhile() {
	export FAULT_RUN=$4
	attempt "$1:run" "$2" "$3" || fail "$2 $3: no $1"
}

# Saves of a person's editor, which takes no lock: in place, and by rename.
SAVES=(
	'printf "%s\n" saved >"$FOLDER/x.md"'
	'printf "%s\n" saved >"$FOLDER/new" && mv "$FOLDER/new" "$FOLDER/x.md"'
)

@test "notes section 4.1, trap: a save right before the rename or the pwrite is never undone by a read" {
	export FOLDER
	local at save
	for at in fsync:1 rename:1; do
		for save in "${SAVES[@]}" 'rm "$FOLDER/x.md"'; do
			# Ten reads: the new count is longer, so that the note is replaced.
			prepare
			sed -i 's/^accessCount: .*/accessCount: 9/' "$FOLDER/x.md"
			meanwhile $at notes-read '{"address":"x"}' "$save"
			[ $rc -eq 0 ] && grep -q 'first line' out || fail "$at, $save: $(<out)$(<err)"
			case $save in
			rm*) [ ! -e "$FOLDER/x.md" ] || fail "$at: what was deleted is back" ;;
			*) [ "$(<"$FOLDER/x.md")" = saved ] || fail "$at, $save: $(<"$FOLDER/x.md")" ;;
			esac
			[ -z "$(find "$FOLDER" -name '.ctx@tmp*')" ]
		done
	done
	# In place: a save by rename, which the descriptor that is open is not of.
	prepare
	meanwhile pwrite:1 notes-read '{"address":"x"}' "${SAVES[1]}"
	[ "$(<"$FOLDER/x.md")" = saved ]
	# And one right before the last look.
	prepare
	meanwhile flock:1 notes-read '{"address":"x"}' "${SAVES[0]}"
	[ "$(<"$FOLDER/x.md")" = saved ]
}

@test "notes section 4.1: a change begins again from what was saved in between" {
	export FOLDER
	local at save
	for at in fsync:1 rename:1; do
		for save in "${SAVES[@]}"; do
			prepare
			meanwhile $at notes-update \
				'{"address":"x","edits":[{"oldText":"line","newText":"LINE"}],"replace_all":true}' "$save"
			[ $rc -eq 1 ] && grep -q '"code":"no_match"' out || fail "$at, $save: $(<out)"
			[ "$(<"$FOLDER/x.md")" = saved ]
			prepare
			meanwhile $at notes-update '{"address":"x","origin":"external"}' "$save"
			[ $rc -eq 0 ] || fail "$at, $save: $(<out)"
			grep -q '^origin: external' "$FOLDER/x.md" && [ "$(tail -n 1 "$FOLDER/x.md")" = saved ]
			prepare
			meanwhile $at notes-write '{"address":"x","content":"mine\n"}' "$save"
			[ $rc -eq 0 ] && [ "$(tail -n 1 "$FOLDER/x.md")" = mine ] && ! grep -q saved "$FOLDER/x.md"
			# The saved note was bare: it got a fresh block, without a project.
			! grep -q '^project' "$FOLDER/x.md" || fail "$at, $save: composed over the old note"
		done
		# What was deleted is not brought back by a change ...
		prepare
		meanwhile $at notes-update '{"address":"x","origin":"external"}' 'rm "$FOLDER/x.md"'
		[ $rc -eq 1 ] && grep -q '"code":"not_found"' out && [ ! -e "$FOLDER/x.md" ]
		# ... and a write that finds none makes a new one, and says so.
		prepare
		meanwhile $at notes-write '{"address":"x","content":"mine\n"}' 'rm "$FOLDER/x.md"'
		[ "$(<out)" = "$(jq -cn '{address:"x.md",outcome:"created"}')" ] || fail "$(<out)"
	done
}

@test "notes section 4.2: a note that appears under a first write is overwrote, not created" {
	export FOLDER
	prepare
	meanwhile rename:1 notes-write '{"address":"y","content":"mine\n"}' \
		'printf "%s\n" --- "tags: kept" --- "" theirs >"$FOLDER/y.md"'
	[ "$(<out)" = '{"address":"y.md","outcome":"overwrote"}' ] || fail "$(<out)"
	grep -q '^tags: kept' "$FOLDER/y.md" && [ "$(tail -n 1 "$FOLDER/y.md")" = mine ]
}

@test "notes section 6: busy names the note when it changes under each of four attempts" {
	export FOLDER
	local json
	for json in 'notes-write {"address":"x","content":"mine"}' \
		'notes-update {"address":"x","crumpled":true}'; do
		prepare
		meanwhile fsync:0 "${json%% *}" "${json#* }" \
			'echo "save $(wc -l <"$FOLDER/count")" >"$FOLDER/x.md"; echo >>"$FOLDER/count"'
		[ $rc -eq 1 ] && jq -e '.code == "busy" and (.error | startswith("x.md: "))' out >/dev/null ||
			fail "$json: $(<out)"
		[ "$(wc -l <"$FOLDER/count")" -eq 4 ] || fail "$(wc -l <"$FOLDER/count") attempts"
		[ "$(<"$FOLDER/x.md")" = 'save 3' ] && rm "$FOLDER/count"
		[ -z "$(find "$FOLDER" -name '.ctx@tmp*')" ]
	done
}

@test "notes section 4.1: a rename takes what was saved in between along, and never loses it" {
	export FOLDER
	local to target
	for to in a/y @self/y; do
		target=$FOLDER/a/y.md
		[ $to = a/y ] || target=$NOTES/agents/anonymous/y.md
		prepare
		# Before the move, and before the metadata after it.
		meanwhile rename:1 notes-update '{"address":"x","rename_to":"'$to'"}' "${SAVES[0]}"
		[ $rc -eq 0 ] && [ "$(tail -n 1 "$target")" = saved ] || fail "$to: $(<out) $(<"$target")"
		prepare
		export target
		meanwhile rename:2 notes-update '{"address":"x","rename_to":"'$to'"}' 'echo saved >"$target"'
		[ $rc -eq 0 ] && [ "$(tail -n 1 "$target")" = saved ] && grep -q '^updatedAt: 2026-08-01' "$target" ||
			fail "$to: $(<out) $(<"$target")"
		prepare
		meanwhile rename:1 notes-update '{"address":"x","rename_to":"'$to'"}' \
			'mkdir -p "${target%/*}"; echo theirs >"$target"'
		[ $rc -eq 1 ] && grep -q '"code":"already_exists"' out && [ "$(<"$target")" = theirs ]
		[ -e "$FOLDER/x.md" ]
	done
	# Across file systems what was copied is not the note any more, so the copy
	# goes, and the next attempt takes what was saved.
	prepare
	meanwhile rename:1:EXDEV,rename:3:EXDEV,fsync:1 notes-update '{"address":"x","rename_to":"a/y"}' "${SAVES[0]}"
	[ $rc -eq 0 ] && [ "$(tail -n 1 "$FOLDER/a/y.md")" = saved ] && [ ! -e "$FOLDER/x.md" ] ||
		fail "$rc $(<out) $(<err)"
}

# battery: notes of all homes, links and special files, by every program.
battery() {
	local call
	prepare
	mkdir -p outside "$FOLDER/d" "$NOTES/human"
	echo secret >outside/s.md
	ln -s "$PWD/outside" "$FOLDER/out"
	ln -s "$PWD/outside/s.md" "$FOLDER/link.md"
	mkfifo "$FOLDER/fifo.md"
	mkdir "$FOLDER/dir.md"
	for call in 'notes-read {"address":"x"}' 'notes-read {"address":"out/s"}' \
		'notes-read {"address":"link"}' 'notes-read {"address":"fifo"}' \
		'notes-read {"address":"dir"}' 'notes-read {"address":"x.md/y"}' \
		'notes-read {"address":"no"}' 'notes-read {"address":"no/no"}' \
		'notes-write {"address":"out/new","content":"x"}' \
		'notes-write {"address":"link","content":"x"}' \
		'notes-write {"address":"d/e/f","content":"x"}' \
		'notes-write {"address":"x.md/y","content":"x"}' \
		'notes-update {"address":"x","rename_to":"out/y"}' \
		'notes-update {"address":"out/s","rename_to":"s"}' \
		'notes-update {"address":"x","rename_to":"@human/x"}' \
		'notes-list {}' 'notes-list {"glob":"**/*"}' \
		'notes-search {"query":"secret"}' 'notes-search {"query":"line"}' \
		'dream-begin {}'; do
		echo "$ $call"
		FAULT=$1 FAULT_HIT=$PWD/hit LD_PRELOAD=$SHIM "${call%% *}" <<<"${call#* }" 2>&1 || echo "exit $?"
	done
	state
	find outside
}

@test "a kernel without openat2, or that forbids it, makes no difference" {
	local what
	battery '' >want
	grep -q unsafe_path want
	grep -q 'created d/e/f.md' want
	! grep -v '^\$' want | grep -q secret || fail 'followed a link'
	for what in ENOSYS EPERM; do
		rm -rf hit outside
		battery openat2:0:$what >got
		[ -e hit ] || fail 'openat2 is not called at all'
		diff -u want got
	done
}
