# What the tests of the context family load besides common: a root session, and
# calls whose outcome is said with them.
# shellcheck shell=bash
# The variables are for the tests that load this.
# shellcheck disable=SC2034

context_setup() {
	common_setup
	export CTX_SESSION=pi:s1 CTX_NOW_MS=1900000000000
	STATE=$HOME/.local/state/ctxtools/s1
	NOTES=$STATE/agents/root/notes
	LINES=session.jsonl
	rc=0
}

# call <program> [json] [option]...: fills rc, out (both surfaces), json, text, err.
call() {
	local program=$1 input=${2:-}
	shift
	[ $# -eq 0 ] || shift
	rc=0
	"$program" "$@" <<<"$input" >out 2>err || rc=$?
	head -n 1 out >json
	tail -n +2 out >text
}

# does <program> [json] [option]...: it must succeed, and say nothing else.
does() {
	call "$@"
	[ "$rc" -eq 0 ] && [ ! -s err ] || fail "$*: exit $rc: $(cat out err)"
}

# gives <filter> <value>: what jq makes of the last JSON line.
gives() {
	local got
	got=$(jq -c "$1" json)
	[ "$got" = "$2" ] || fail "$1: $got, not $2"
}

# refuses <code> <program> [json] [option]...: status 1, or 3 where it is blocked.
refuses() {
	local code=$1 want=1
	shift
	case $code in fenced | rollover_pending) want=3 ;; esac
	call "$@"
	[ "$rc" -eq $want ] || fail "$*: exit $rc, not $want: $(cat out err)"
	gives .code "\"$code\""
	[ "$(cat text)" = "error: $code: $(jq -r .error json)" ] || fail "$(cat out)"
}

# says <text>: the last refusal's message has it.
says() {
	jq -r .error json | grep -qF -- "$1" || fail "the message lacks $1: $(<json)"
}

# invalid <field> <program> [json] [option]...: exit 2, one line on stderr.
invalid() {
	local field=$1
	shift
	call "$@"
	[ "$rc" -eq 2 ] && [ ! -s out ] && [ "$(wc -l <err)" -eq 1 ] &&
		grep -qF -- "$field" err || fail "$*: exit $rc: $(cat out err)"
}

# note <path> <text>: written through the program.
note() {
	does notes-write-file "$(jq -nc --arg p "$1" --arg t "$2" '{path:$p,text:$t}')"
}

# ---- a transcript of Pi ------------------------------------------------------

# begin: a transcript without entries; the session that is current.
begin() {
	export CTX_SESSION_FILE=$PWD/$LINES
	LAST=
	echo '{"type":"session","version":3,"id":"s1","cwd":"/srv"}' >"$LINES"
}

# entry <id> <json>: one more, child of the last.
entry() {
	jq -c --arg id "$1" --arg parent "$LAST" \
		'{type: "message", id: $id, parentId: (if $parent == "" then null else $parent end)} + .' \
		<<<"$2" >>"$LINES"
	LAST=$1
}

# say <id> <role> <text>
say() {
	entry "$1" "$(jq -nc --arg r "$2" --arg t "$3" '{message:{role:$r,content:$t}}')"
}

# compacted <id> <summary>
compacted() {
	entry "$1" "$(jq -nc --arg s "$2" --arg id "$1" '{type:"compaction",summary:$s,firstKeptEntryId:$id}')"
}

# deliver <id>: the first message of the last result, as Pi records it.
deliver() {
	entry "$1" "$(jq -c '.messages[0] | {type:"custom_message",customType:.custom_type,details,display,content:.text}' json)"
}

# armed: a fallback of the first window stands in the transcript.
armed() {
	begin
	say u1 user 'do it'
	does context-compact '{"reason":"threshold"}'
	deliver c1
	does context-compact '{"reason":"threshold"}'
	gives '.messages[0].kind' '"fallback"'
	deliver c2
}
