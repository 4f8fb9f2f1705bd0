# For the tests of the lessons programs: a project, a session, a store of the
# test's own.  Loaded after common.
# shellcheck shell=bash

lessons_setup() {
	common_setup
	mkdir -p app
	APP=$(cd app && pwd -P)
	export CTX_NOW_MS=1785571200000 CTX_SESSION=pi:s1 CTX_CWD=$APP
	DB=$HOME/.local/share/ctxtools/memory-v9.sqlite3
	# A test has no terminal to be asked on.
	export NO_TTY=--no-tty
	rc=0
}

# run_ <program> [argument]... <<<JSON: out, err and rc.
run_() {
	rc=0
	"$@" >out 2>err || rc=$?
}

# good <program> [argument]...: it succeeds.
good() {
	run_ "$@" </dev/null
	[ "$rc" -eq 0 ] || fail "$*: exit $rc: $(<out)$(<err)"
}

# json <status> <program> <JSON> [argument]...: its JSON line is in out.
json() {
	local want=$1 program=$2 object=$3
	shift 3
	run_ "$program" -j "$@" <<<"$object"
	[ "$rc" -eq "$want" ] || fail "$program $object $*: exit $rc, not $want: $(<out)$(<err)"
}

# refused <code> <program> [argument]...: exit 1 with that code.
refused() {
	local code=$1
	shift
	run_ "$@" -j </dev/null
	[ "$rc" -eq 1 ] || fail "$*: exit $rc, not 1: $(<out)$(<err)"
	[ "$(jq -r .code out)" = "$code" ] || fail "$*: $(<out)"
}

# usage <what is named> <program> [argument]...: exit 2, one line on stderr.
usage() {
	local named=$1
	shift
	run_ "$@" </dev/null
	[ "$rc" -eq 2 ] && [ ! -s out ] && [ "$(wc -l <err)" -eq 1 ] ||
		fail "$*: exit $rc, not 2: $(<out)$(<err)"
	grep -qF -- "$named" err || fail "$*: does not name $named: $(<err)"
}

# sql <statement>: what the store says.
sql() {
	sqlite3 "$DB" "$1"
}

# learn <session> <text> [basis]: a submission, in this project.
learn() {
	CTX_SESSION=$1 memory -j <<<"$(jq -nc --arg t "$2" --arg b "${3:-validated_fix}" \
		'{action: "add", text: $t, evidence: "Seen in CI.", basis: $b}')" >/dev/null ||
		fail "learn $*: $?"
}

# start_audit, start_evaluation [option]...: ID is its id, document its text.
start_audit() {
	lessons-audit -t "$@" >document </dev/null
	ID=$(sed -n 's/.*auditId `\(.*\)`.*/\1/p' document)
	[ -n "$ID" ]
}
start_evaluation() {
	lessons-evaluate -t "$@" >document </dev/null
	ID=$(sed -n 's/.*evaluationId `\(.*\)`.*/\1/p' document)
	[ -n "$ID" ]
}
# The JSON of a document.
document() {
	sed -n '/^```json$/{n;p}' document
}

# group <ids> <scope> <text> [recommend]: one of evaluation groups, as JSON.
group() {
	jq -nc --argjson ids "$1" --arg s "$2" --arg t "$3" --argjson r "${4:-true}" \
		'{candidateIds: $ids, text: $t, evidence: "Seen in CI.", scope: $s, reason: "Same advice.", recommend: $r}'
}

# propose_audit <changes>, propose_groups <groups>: submitted, and left for
# lessons-review.
propose_audit() {
	jq -nc --arg id "$ID" --argjson c "$1" '{auditId: $id, changes: $c}' >proposal
	propose memory-audit
}
propose_groups() {
	jq -nc --arg id "$ID" --argjson g "$1" '{evaluationId: $id, groups: $g}' >proposal
	propose memory-evaluate
}
propose() {
	rc=0
	"$1" -j --no-tty --wait 1 <proposal >out 2>err || rc=$?
	[ $rc -eq 3 ] || fail "$1: exit $rc, not 3: $(<out)$(<err)"
}

# by_lines <answers> <program> [argument]... <input: the dialog of --ui-fd; the
# questions are in asked.
by_lines() {
	local answers=$1
	shift
	rc=0
	"$@" -j --ui-fd 8,9 8< <(printf "%b" "$answers") 9>asked >out 2>err || rc=$?
}
