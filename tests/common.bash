# What every bats file loads: the built programs on PATH, a home and an
# environment of the test's own, and nothing of the caller's.
# shellcheck shell=bash

bats_require_minimum_version 1.5.0
bats_load_library bats-support
bats_load_library bats-assert

ROOT=$(cd "${BASH_SOURCE[0]%/*}/.." && pwd)

# CTX_BIN: another folder of programs to test (sanitizers, valgrind, an
# installed tree).
common_setup() {
	local name
	BIN=${CTX_BIN:-$ROOT/build/bin}
	for name in $(compgen -e); do
		case $name in
		CTX_BIN | CTX_BUILD) ;;
		CTX_* | PI_* | CLAUDE* | CODEX_* | XDG_*) unset "$name" ;;
		esac
	done
	# script(1) hands its command to $SHELL, which may be any shell or unset.
	export PATH=$BIN:$PATH TZ=UTC LC_ALL=C.UTF-8 SHELL=/bin/sh
	export HOME=$BATS_TEST_TMPDIR/home
	mkdir -p "$HOME"
	cd "$BATS_TEST_TMPDIR" || return 1
}

# tool_programs: PROGRAMS is every program that takes arguments and gives a
# result.  A server does not, and has tests of its own.
tool_programs() {
	local program
	PROGRAMS=()
	for program in "$BIN"/*; do
		program=${program##*/}
		[ "$program" = mcp-serve ] || PROGRAMS+=("$program")
	done
	[ -x "$BIN/${PROGRAMS[0]}" ] || fail "no program in $BIN"
}

# What a bare machine or a container may lack: the test is skipped, and says so.
need_terminal() {
	script -qec true /dev/null </dev/null >/dev/null 2>&1 ||
		skip 'no pseudo-terminal here'
}

# on_terminal <command>: what it prints on a terminal, that script(1) gives it.
on_terminal() {
	script -qec "$1" /dev/null </dev/null | tr -d '\r'
}
need_name_space() {
	unshare -rm true 2>/dev/null || skip 'no name space to mount in'
}

# powerless: "${AS[@]}" before a command takes root's power over modes from it.
AS=()
powerless() {
	local caps=-dac_override,-dac_read_search
	[ "$(id -u)" -eq 0 ] || return 0
	AS=(setpriv --bounding-set "$caps" --inh-caps "$caps")
	"${AS[@]}" true 2>/dev/null || skip 'root, and no setpriv'
}
