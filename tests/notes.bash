# For the tests of notes-read, -write and -update: the setting of the worked
# examples (spec/notes.md section 9), calls, and what a refusal has to be.
# shellcheck shell=bash
# The variables are for the tests that load this.
# shellcheck disable=SC2034

notes_setup() {
	common_setup
	export CTX_NOW_MS=1785571200000 CTX_SESSION=pi:s-1 CTX_AGENT='ana bot'
	mkdir -p shop-api/.git
	export CTX_CWD=$PWD/shop-api
	KEY=$(project_key "$CTX_CWD")
	NOTES=$HOME/.agents/notes
	SESSION=$NOTES/pi/session/s-1
}

# project_key <root>: by the rule of section 1.2, without our code.
project_key() {
	printf '%s-%.8s' "${1##*/}" "$(printf %s "$1" | sha1sum)"
}

# call <program> <json> [option]...: fills out, err and rc.
call() {
	local program=$1 json=$2
	shift 2
	rc=0
	printf %s "$json" | "${AS[@]}" "$program" "$@" >out 2>err || rc=$?
}

# succeed <program> <json> [option]...
succeed() {
	call "$@"
	[ $rc -eq 0 ] || fail "$1 $2: exit $rc: $(<out)$(<err)"
}

# refuse <code> <program> <json> [fragment]...: the refusal, on both surfaces;
# the message has the fragments, one line, and no path of ours.
refuse() {
	local code=$1 program=$2 json=$3 part message lines
	shift 3
	call "$program" "$json"
	[ $rc -eq 1 ] || fail "$program ${json:0:200}: exit $rc: $(<out)$(<err)"
	mapfile -t lines < <(sed 1q out | jq -r '.code, (keys | tojson), .error')
	[ "${#lines[@]}" -eq 3 ] || fail "not one line: $(<out)"
	message=${lines[2]}
	[ "${lines[0]} ${lines[1]}" = "$code [\"code\",\"error\"]" ] ||
		fail "$program ${json:0:200}: not $code: $(<out)"
	mapfile -t lines <out
	[ "${#lines[@]}" -eq 2 ] || fail "not two lines: $(<out)"
	[ "${lines[1]}" = "error: $code: $message" ] || fail "$(<out)"
	[ ${#message} -le 2000 ] || fail "a message of ${#message} characters"
	[ ! -s err ] || fail "talk: $(<err)"
	case $message in
	*"$BATS_TEST_TMPDIR"* | *.agents*)
		[ "$code" = invalid_cwd ] || fail "a path of ours: $message"
		;;
	esac
	for part; do
		[[ $message == *"$part"* ]] ||
			fail "$program ${json:0:200}: no '$part' in: $message"
	done
}

# usage <program> <json> <field>: exit 2, nothing on stdout, one line.
usage() {
	call "$1" "$2"
	[ $rc -eq 2 ] || fail "$1 ${2:0:200}: exit $rc: $(<out)$(<err)"
	[ ! -s out ] || fail "$1 ${2:0:200}: $(<out)"
	[ "$(wc -l <err)" -eq 1 ] || fail "$(<err)"
	grep -qF -- "$3" err || fail "$1 ${2:0:200}: no '$3' in: $(<err)"
}

# snapshot: every file under the root with its bytes, mode and time.
snapshot() {
	[ -e "$NOTES" ] || return 0
	(cd "$NOTES" && find . -printf '%p %y %m %s %T@ %l\n' | sort &&
		find . -type f -exec md5sum {} + | sort)
}

# unchanged <command>...: it leaves every byte under the root as it is.
unchanged() {
	snapshot >before
	"$@"
	snapshot >after
	diff -u before after || fail "the store has changed: $*"
}

# no_leftover: no temporary file anywhere.
no_leftover() {
	[ -z "$(find "$NOTES" -name '.ctx@tmp')" ] || fail 'a temporary file stays'
}

# put <file> [line]...: a note written by hand, with an old time.
put() {
	mkdir -p "${1%/*}"
	printf '%s\n' "${@:2}" >"$1"
	touch -d '2026-01-02T03:04:05.678Z' "$1"
}

# json_string <text>
json_string() {
	jq -Rs . <<<"$1" | sed 's/\\n"$/"/'
}

# pause <seconds>: without a process of its own.
pause() {
	[ -n "${IDLE:-}" ] || exec {IDLE}<> <(:)
	read -r -t "$1" -u "$IDLE" || :
}
