# What the tests of history share: transcripts, and comparing bytes.
# shellcheck shell=bash

# The session of the specification's examples, where Pi puts it.
EXAMPLE=4f2a90c1-7b1e-7d20-9a11-c0de00000001

example_session() {
	local folder=$HOME/.pi/agent/sessions/--srv-shop--
	mkdir -p "$folder"
	cat >"$folder/2026-03-05T09-00-00-000Z_$EXAMPLE.jsonl" <<'END'
{"type":"session","version":3,"id":"4f2a90c1-7b1e-7d20-9a11-c0de00000001","timestamp":"2026-03-05T09:00:00.000Z","cwd":"/srv/shop"}
{"type":"message","id":"a1","parentId":null,"timestamp":"2026-03-05T09:00:01.000Z","message":{"role":"user","content":"Why does checkout retry?"}}
{"type":"message","id":"a2","parentId":"a1","timestamp":"2026-03-05T09:00:04.000Z","message":{"role":"assistant","content":[{"type":"thinking","thinking":"…"},{"type":"text","text":"Reading."},{"type":"toolCall","id":"c1","name":"read","arguments":{"path":"src/pay.c","max":1.0}},{"type":"toolCall","id":"c2","name":"bash","arguments":{"command":"make"}}]}}
{"type":"message","id":"a3","parentId":"a2","timestamp":"2026-03-05T09:00:05.000Z","message":{"role":"toolResult","toolCallId":"c1","toolName":"read","content":[{"type":"text","text":"retry = 5;"}],"isError":false}}
{"type":"custom","id":"a4","parentId":"a3","timestamp":"2026-03-05T09:00:06.000Z","customType":"notesoup/reset-marker","data":{"windowId":"pcw:4f2a90c1:5d3e0b77"}}
{"type":"message","id":"a5","parentId":"a4","timestamp":"2026-03-05T09:00:09.000Z","message":{"role":"assistant","content":[{"type":"text","text":"The cap is 5 😀."}]}}
END
}

# session_begin [file]: a new transcript of version 3, the current session.
# What follows adds an entry each, whose parent is the one before.
session_begin() {
	export CTX_SESSION_FILE=$PWD/${1:-session.jsonl}
	ENTRY=0 AT=${AT:-}
	echo '{"type":"session","version":3,"id":"own"}' >"$CTX_SESSION_FILE"
}

# entry <type> <members>; AT: its timestamp, else seconds that count up.
entry() {
	local parent=null time
	[ $ENTRY -eq 0 ] || parent="\"e$ENTRY\""
	ENTRY=$((ENTRY + 1))
	printf -v time '2026-03-05T09:%02d:%02d.000Z' \
		$((ENTRY / 60 % 60)) $((ENTRY % 60))
	printf '{"type":"%s","id":"e%d","parentId":%s,"timestamp":"%s",%s}\n' \
		"$1" $ENTRY "$parent" "${AT:-$time}" "$2" >>"$CTX_SESSION_FILE"
}

message() {
	entry message "\"message\":{$1}"
}

# user <text>, assistant <text> [<call>...]: texts as JSON has them, without
# quotes; call <id> <name> [<arguments>] prints one.
user() {
	message "\"role\":\"user\",\"content\":\"$1\""
}

call() {
	printf '{"type":"toolCall","id":"%s","name":"%s","arguments":%s}' \
		"$1" "$2" "${3:-{\}}"
}

assistant() {
	local blocks="{\"type\":\"text\",\"text\":\"$1\"}"
	shift
	while [ $# -gt 0 ]; do
		blocks+=",$1"
		shift
	done
	message "\"role\":\"assistant\",\"content\":[$blocks]"
}

# result <call id> <text> [<more members>]
result() {
	message "\"role\":\"toolResult\",\"toolCallId\":\"$1\",\"content\":[{\"type\":\"text\",\"text\":\"$2\"}]${3-}"
}

# bash_entry <members>
bash_entry() {
	message "\"role\":\"bashExecution\",$1"
}

# prints <command>...: its stdout must be the bytes of stdin.
prints() {
	cat >want
	"$@" >got </dev/null || {
		echo "exit $? of $*"
		return 1
	}
	diff -u --label expected --label "$*" want got
}

# seqs <arguments>: the seqs of the rows of a list.
seqs() {
	history-list -j "$@" </dev/null |
		jq -r '[.events[] | select(.seq) | .seq] | join(" ")'
}

# rows <expected> <arguments>
rows() {
	local want=$1 got
	shift
	got=$(seqs "$@") || return 1
	[ "$got" = "$want" ] || {
		echo "history-list $*: rows $got, not $want"
		return 1
	}
}

# refuses <code> <message> <command>...: exit 1, both surfaces.
refuses() {
	local code=$1 message=$2 rc=0
	shift 2
	"$@" -j >json </dev/null 2>err || rc=$?
	"$@" -t >text </dev/null 2>>err || :
	[ $rc -eq 1 ] || {
		echo "$*: exit $rc, not 1"
		cat json err
		return 1
	}
	jq -cn --arg e "$message" --arg c "$code" '{error: $e, code: $c}' |
		diff -u --label expected --label "$*" - json || return 1
	printf 'error: %s: %s\n' "$code" "$message" |
		diff -u --label expected --label "$*" - text || return 1
	[ ! -s err ]
}

# invalid <word> <command>...: exit 2, nothing on stdout, one line on stderr
# that has the word.
invalid() {
	local word=$1 rc=0
	shift
	"$@" >got 2>err </dev/null || rc=$?
	if [ $rc -ne 2 ] || [ -s got ] || [ "$(wc -l <err)" -ne 1 ] ||
		! grep -qF -- "$word" err; then
		echo "$*: exit $rc"
		cat got err
		return 1
	fi
}

# in_bounds: both surfaces of the last command's input, given on stdin.
in_bounds() {
	local input program=$1 size
	input=$(cat)
	for surface in -j -t; do
		size=$("$program" $surface <<<"$input" | wc -c)
		[ "$size" -le 32769 ] || {
			echo "$program $surface: $size bytes for $input"
			return 1
		}
	done
}
