#!/usr/bin/env bats
# The context family, killed or failing at any call: spec/context.md section 8.
# A note is the old one or the new one, the state fits it, and what is said is
# true.

load common
load context

setup() {
	context_setup
	SHIM=${CTX_BUILD:-$ROOT/build}/fault/inject.so
	[ -e "$SHIM" ] || fail "no $SHIM: make check builds it"
}

# attempt <fault> <program> <json>: runs it with the fault; true if it struck.
attempt() {
	rm -f hit
	rc=0
	{
		FAULT=$1 FAULT_HIT=$PWD/hit LD_PRELOAD=$SHIM "$2" -j <<<"$3" >out 2>err || rc=$?
	} 2>/dev/null
	[ -e hit ]
}

# prepare: a checkpoint is due, and there is a note from before.
prepare() {
	rm -rf "$STATE"
	cp -a saved "$STATE"
}

save_prepared() {
	note plan.md old
	armed
	refuses fenced get-context-remaining '{}'
	cp -a "$STATE" saved
}

WRITES=(
	'notes-append-to-file|{"path":"plan.md","text":" and new"}|plan.md|old and new'
	'notes-write-file|{"path":"plan.md","text":"new"}|plan.md|new'
	'notes-write-file|{"path":"a/b/c","text":"new"}|a/b/c|new'
)

# look: the note's text, or nothing.
look() {
	[ ! -e "$NOTES/$1" ] || cat "$NOTES/$1"
}

# fits <what>: whether the state is that of the note; `$new` is its new text.
fits() {
	local text
	text=$(look "$path")
	does context-settle '{}'
	if [ "$text" = "$new" ]; then
		gives '[.action,.phase]' '["roll","rollover_pending"]'
		refuses rollover_pending notes-write-file '{"path":"x","text":"x"}'
	else
		[ "$text" = "$was" ] || fail "$1: neither old nor new: $text"
		gives '[.action,.phase]' '["none","checkpoint_required"]'
		does notes-write-file '{"path":"x","text":"again"}'
		gives .rollover_requested true
	fi
	[ "$(jq .claim "$STATE/agents/root/window.json")" = null ] || fail "$1: a claim stays"
}

@test "8.3: a checkpoint killed at any call is saved, or may be written again" {
	local write program json path new was n struck=0 seen=0
	save_prepared
	for write in "${WRITES[@]}"; do
		IFS='|' read -r program json path new <<<"$write"
		prepare
		was=$(look "$path")
		for ((n = 1; n < 200; n++)); do
			prepare
			attempt any:$n:kill "$program" "$json" || break
			[ "$rc" -eq 137 ] || fail "$json, call $n: exit $rc"
			struck=$((struck + 1))
			[ "$(look "$path")" != "$new" ] || seen=$((seen + 1))
			fits "$json, killed at call $n"
		done
		[ $n -lt 200 ]
	done
	[ $struck -gt 30 ] && [ $seen -gt 3 ] || fail "$struck kills, $seen after the rename"
}

@test "8.2: an error at any call changes nothing, or says what it did change" {
	local write program json path new was n fault text
	save_prepared
	for fault in any:EIO write:ENOSPC write:EDQUOT rename:EACCES; do
		for write in "${WRITES[@]}"; do
			IFS='|' read -r program json path new <<<"$write"
			prepare
			was=$(look "$path")
			for ((n = 1; n < 200; n++)); do
				prepare
				attempt "${fault%:*}:$n:${fault#*:}" "$program" "$json" || break
				text=$(look "$path")
				case $rc in
				0) [ "$text" = "$new" ] || fail "$json, $fault $n: success, and $text" ;;
				1 | 4) [ "$text" = "$was" ] || grep -q stored err ||
					grep -q 'cannot store window.json\|standard output' err ||
					fail "$json, $fault $n: $(cat out err), but $text" ;;
				*) fail "$json, $fault $n: exit $rc: $(cat out err)" ;;
				esac
				[ -z "$(find "$STATE" -name '.ctx-tmp-*')" ] ||
					fail "$json, $fault $n: a temporary file stays"
				fits "$json, $fault at call $n"
			done
			[ $n -lt 200 ]
		done
	done
}

@test "7.3: a rollover killed at any call is handed out, committed, or neither" {
	local n struck=0
	begin
	say u1 user 'do it'
	note a x
	does new-context '{}'
	cp -a "$STATE" saved
	for ((n = 1; n < 200; n++)); do
		prepare
		attempt any:$n:kill context-compact '{"reason":"rollover"}' || break
		struck=$((struck + 1))
		does context-compact '{"reason":"rollover"}'
		gives '[.action,.window_id]' '["rollover","w2"]'
	done
	does context-compact '{"reason":"rollover"}'
	cp -a "$STATE/." saved
	for ((n = 1; n < 200; n++)); do
		prepare
		attempt any:$n:kill context-commit '{"outcome":"committed","window_id":"w2"}' || break
		struck=$((struck + 1))
		does context-commit '{"outcome":"committed","window_id":"w2"}'
		gives '[.status,.window_id,.messages[].message_id]' '["committed","w2","w2:continuation:1"]'
	done
	[ $struck -gt 10 ] || fail "$struck kills"
}

@test "8.2: a person's save in between is never undone; an append takes it in" {
	note plan.md old
	export FAULT_RUN="printf 'old, by hand' >'$NOTES/plan.md'"
	attempt rename:1:run notes-append-to-file '{"path":"plan.md","text":" and new"}' || fail 'no rename'
	[ "$rc" -eq 0 ] || fail "$(cat out err)"
	[ "$(<"$NOTES/plan.md")" = 'old, by hand and new' ] || fail "$(<"$NOTES/plan.md")"
	export FAULT_RUN="printf 'made by hand' >'$NOTES/fresh.md'"
	attempt rename:1:run notes-append-to-file '{"path":"fresh.md","text":" and new"}' || fail 'no rename'
	[ "$(<"$NOTES/fresh.md")" = 'made by hand and new' ] || fail "$(<"$NOTES/fresh.md")"
}

@test "8.2: a lock that nobody gives back is exit 4 after ten seconds" {
	note a x
	flock "$STATE/lock" sleep 15 &
	until ! flock -n "$STATE/lock" true; do :; done
	call notes-append-to-file '{"path":"a","text":"y"}'
	[ "$rc" -eq 4 ] && grep -q lock err || fail "exit $rc: $(cat out err)"
	kill %% 2>/dev/null || :
	[ "$(<"$NOTES/a")" = x ]
}
