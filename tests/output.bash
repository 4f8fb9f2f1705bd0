# What the tests of the output family share.
# shellcheck shell=bash

load common

setup() {
	common_setup
}

# row <program> <arguments> <status> <output>: one call with JSON arguments; the
# output is its JSON line.  The program may be of several words.
ROWS=0 WRONG=0
row() {
	local rc=0 got
	got=$($1 -j <<<"$2" 2>err) || rc=$?
	ROWS=$((ROWS + 1))
	[ "$rc" -eq "$3" ] && [ "$got" = "$4" ] && return 0
	WRONG=$((WRONG + 1))
	printf '%s %s\n  want %s: %s\n  got  %s: %s\n  said %s\n' "$1" "$2" "$3" "$4" \
		"$rc" "$got" "$(<err)"
}

# code <program> <arguments> <code>: one call that is refused with this code.
code() {
	local rc=0 got
	got=$("$1" -j <<<"$2" 2>err | jq -r '.code + "/" + (.error | type)') || rc=$?
	ROWS=$((ROWS + 1))
	[ "$got" = "$3/string" ] && return 0
	WRONG=$((WRONG + 1))
	printf '%s %s\n  want %s\n  got  %s %s\n' "$1" "$2" "$3" "$got" "$(<err)"
}

# usage <words> <command>...: exit 2, nothing on stdout, one line that has the
# words.
usage() {
	local words=$1 rc=0
	shift
	"$@" >out 2>err </dev/null || rc=$?
	ROWS=$((ROWS + 1))
	[ "$rc" -eq 2 ] && [ ! -s out ] && [ "$(wc -l <err)" -eq 1 ] && grep -qF -- "$words" err &&
		return 0
	WRONG=$((WRONG + 1))
	printf '%s\n  status %s, stdout %s, stderr %s\n' "$*" "$rc" "$(<out)" "$(<err)"
}

# stream <status> <output> <program> [option]...: stdin is the input, the
# output its lines.  It fails at once: at the end of a pipe nobody sees what
# it counts.
stream() {
	local rc=0 want=$2 status=$1 got
	shift 2
	got=$("$@" --stream 2>err) || rc=$?
	ROWS=$((ROWS + 1))
	[ "$rc" -eq "$status" ] && [ "$got" = "$want" ] && return 0
	WRONG=$((WRONG + 1))
	printf '%s --stream\n  want %s:\n%s\n  got  %s:\n%s\n  said %s\n' "$*" "$status" \
		"$want" "$rc" "$got" "$(<err)"
	return 1
}

all_right() {
	[ "$ROWS" -gt 0 ] && [ "$WRONG" -eq 0 ]
}

# memory <program> <KiB>: a limit for ulimit -v; a sanitizer's shadow needs more
# than any.
memory() {
	if grep -qa __asan_init "$BIN/$1"; then
		echo unlimited
	else
		echo "$2"
	fi
}

# hurry <command>...: where it would sleep, its clock is moved on instead.
hurry() {
	env FAULT_HURRY=1 LD_PRELOAD="${CTX_BUILD:-$ROOT/build}/fault/inject.so" "$@"
}

# hold <file> [option]...: another process that holds the lock, until let_go.
hold() {
	local file=$1
	shift
	rm -f held
	flock "$@" "$file" sh -c 'touch held; exec sleep 600' 3>&- &
	HOLDER=$!
	until [ -e held ]; do sleep 0.01; done
}
let_go() {
	kill "$(ps -o pid= --ppid "$HOLDER")"
	wait "$HOLDER" || :
}
