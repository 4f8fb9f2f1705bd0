# For the contract-*.bats: what every program promises (DESIGN section 2), asked
# of each one there is.  The cases are made from what it says of itself with
# --schema.
# shellcheck shell=bash
# The variables are for the tests that load this.
# shellcheck disable=SC2034

contract_setup() {
	common_setup
	export CTX_NOW_MS=1785571200000 CTX_SESSION=pi:s-1 CTX_CWD=$PWD
	export EDITOR=true VISUAL=
	export CTX_SESSION_FILE=$ROOT/samples/shop.jsonl
	# A note under the name that the sample objects use.
	mkdir -p "$HOME/.agents/notes/pi/session/s-1"
	printf 'one\ntwo\n' >"$HOME/.agents/notes/pi/session/s-1/x.md"
	# And a lesson, so that a store is there.
	lessons-add --global 'Run the tests.' >/dev/null 2>&1
	BAD=0 program=''
	tool_programs
}

# A fault is noted, and the loop goes on; the test ends with `clean`.
fault() {
	printf '%s: %s\n' "$program" "$1" >&2
	BAD=$((BAD + 1))
}
clean() {
	[ "$BAD" -eq 0 ] || fail "$BAD faults"
}

# call <input> [argument]...: runs $program on the input; fills out, err, rc.
call() {
	local input=$1
	shift
	rc=0
	"$program" "$@" >out 2>err <<<"$input" || rc=$?
	plain_ids
}
# plain_ids: the audits of lessons-audit have random ids.
plain_ids() {
	[ "$program" != lessons-audit ] ||
		sed -i -E 's/[0-9a-f]{8}-[0-9a-f-]{27}/ID/g' out
}
# largest <program>: bytes of a surface; one is a generator (spec/hosts.md 8).
largest() {
	[ "$1" = tool-schemas ] && echo 262144 || echo 32768
}

# Whether a program prints a document, and no result line.
prints_document() {
	[ "$program" = history-export ]
}

# jq on a program's schema, with tests/jq/cases.jq.
cases() {
	"$program" --schema | jq -c -L "$ROOT/tests/jq" "include \"cases\"; $1"
}
writes() {
	[ "$("$program" --schema | jq .annotations.readOnlyHint)" = false ]
}

# Whether $program ignores what it does not know, as its schema then says.
is_open() {
	[ "$("$program" --schema | jq '.inputSchema | has("additionalProperties")')" = false ]
}

# is_usage_error <what> [field]: exit 2, nothing on stdout, one clean line.
is_usage_error() {
	[ $rc -eq 2 ] || fault "$1: exit $rc, not 2"
	[ ! -s out ] || fault "$1: stdout is not empty"
	one_line_of_talk "$1"
	[[ $said == *"${2:-}"* ]] || fault "$1: the message does not name $2: $said"
}
one_line_of_talk() {
	IFS= read -r -d '' said <err || :
	[[ $said == "$program: "?*$'\n' ]] || fault "$1: stderr is: $said"
	said=${said%$'\n'}
	[[ $said != *[[:cntrl:]]* ]] || fault "$1: control characters, or lines"
	[ ${#said} -le 2100 ] || fault "$1: ${#said} characters on stderr"
	[[ $said != *[![:ascii:]]* ]] || iconv -f UTF-8 -t UTF-8 err >/dev/null ||
		fault "$1: stderr is not UTF-8"
}
is_environment_error() {
	[ $rc -eq 4 ] || fault "$1: exit $rc, not 4"
	one_line_of_talk "$1"
}

# fresh: the same start for each of two calls that may write, at the same place.
fresh() {
	rm -rf work
	cp -a home work
	HOME=$PWD/work
	CTX_CWD=$PWD/work
}
stale() {
	HOME=$PWD/home
	CTX_CWD=$PWD
}
