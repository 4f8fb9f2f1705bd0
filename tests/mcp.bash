# For the tests of mcp-serve: sessions from files, and one that is talked to
# line by line; stub programs in a folder of the test.
# shellcheck shell=bash
# The variables are for the tests that load this.
# shellcheck disable=SC2034

INIT='{"jsonrpc":"2.0","id":"init","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{}}}'
MODERN='"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}'

# serve <line>...: a whole session after initialize; fills out, err, rc.
serve() {
	printf '%s\n' "$INIT" "$@" | bare
	sed -i 1d out
}

# bare: the same with stdin as it is, and OPTIONS.
OPTIONS=()
bare() {
	rc=0
	"$BIN/mcp-serve" "${OPTIONS[@]}" >out 2>err || rc=$?
}

# call <id> <tool> [arguments]: a tools/call.
call() {
	printf '{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":"%s","arguments":%s}}\n' \
		"$1" "$2" "${3:-{\}}"
}

cancel() {
	printf '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%s}}\n' "$1"
}

# only_talk: takes the lines about programs that are not in the folder away.
only_talk() {
	sed -i '/: not installed in .*; left out$/d' err
}

# answers <jq filter> <want>: what the filter gives of each line of out.
answers() {
	local got
	got=$(jq -c "$1" out) || fail "not JSON: $(<out)"
	[ "$got" = "$2" ] || {
		diff -u <(echo "$2") <(echo "$got") >&2 || :
		fail "$1, of: $(head -c 2000 out), stderr: $(head -c 500 err)"
	}
}

# A server to talk to: begin [option]...; say <line>; hear (fills REPLY).
begin() {
	coproc SERVER { exec "$BIN/mcp-serve" "$@" 2>>err; }
	PID=$SERVER_PID
	# Of our own: bash closes those of a coprocess as soon as it ends.
	exec {IN}>&"${SERVER[1]}" {OUT}<&"${SERVER[0]}"
	local in=${SERVER[1]} out=${SERVER[0]}
	exec {in}>&- {out}<&-
	say "$INIT"
	hear
}
say() {
	printf '%s\n' "$@" >&"$IN"
}
hear() {
	IFS= read -r -t 20 REPLY <&"$OUT" || fail "no answer; stderr: $(<err)"
}
# hang_up: end of input; fills rc, and out with what was still said.
hang_up() {
	exec {IN}>&-
	cat <&"$OUT" >out
	exec {OUT}<&-
	rc=0
	wait "$PID" || rc=$?
}

# stub <program> <shell commands>: a program in the folder `bin` that has the
# schema of the real one, and does that when it is called.
stub() {
	mkdir -p bin
	cat >"bin/$1" <<END
#!/bin/bash
[ "\${1-}" != --schema ] || exec "$BIN/$1" --schema
$2
END
	chmod +x "bin/$1"
}

# gone <file with a pid>: waits until that process is gone.
gone() {
	local i pid
	pid=$(<"$1")
	for ((i = 0; i < 200; i++)); do
		kill -0 "$pid" 2>/dev/null || return 0
		# A zombie has ended; whoever inherits it collects it.
		[ "$(sed 's/.*) //; s/ .*//' "/proc/$pid/stat" 2>/dev/null)" != Z ] || return 0
		sleep 0.02
	done
	fail "process $pid of $1 still runs"
}

# until_there <file>...
until_there() {
	local i file
	for file; do
		for ((i = 0; i < 500; i++)); do
			[ ! -s "$file" ] || break
			sleep 0.02
		done
		[ -s "$file" ] || fail "$file does not come"
	done
}
