#!/usr/bin/env bats
# mcp-serve: programs that run, their order, their end, and the facts that they
# get (spec/hosts.md sections 2.1, 5 and 7).
# shellcheck disable=SC2034 # OPTIONS is for serve

load common
load mcp

setup() {
	common_setup
	unset CLAUDECODE
	export CTX_SESSION=pi:s-1 CTX_NOW_MS=1785571200000 CTX_CWD=$PWD
	rc=0
	OPTIONS=(--bin-dir bin)
	OK='printf "{\"ok\":true}\nfine\n"'
}

teardown() {
	[ -z "${PID:-}" ] || kill -9 "$PID" 2>/dev/null || :
}

# outcome <shell commands>: what a program that does that is answered with.
outcome() {
	stub notes-list "$1"
	serve "$(call 1 notes_list)"
	[ $rc -eq 0 ] || fail "exit $rc"
	only_talk
}

@test "each row of section 5.2: exit status to answer" {
	outcome "$OK"
	answers '.result | [.isError, .structuredContent, .content[0].text]' '[false,{"ok":true},"fine"]'
	outcome 'printf "{\"error\":\"no\",\"code\":\"not_found\"}\nerror: not_found: no\n"; exit 1'
	answers '.result | [.isError, .structuredContent, .content[0].text]' \
		'[true,{"error":"no","code":"not_found"},"error: not_found: no"]'
	outcome 'echo "notes-list: glob: 5 given" >&2; exit 2'
	answers '.result | [.isError, .structuredContent, .content[0].text]' \
		'[true,{"error":"glob: 5 given","code":"invalid_arguments"},"error: invalid_arguments: glob: 5 given"]'
	[ "$(<err)" = 'mcp-serve: notes_list: notes-list: glob: 5 given' ]
	outcome 'printf "{\"error\":\"wait\",\"code\":\"review\"}\nerror: review: wait\n"; exit 3'
	answers '.result | [.isError, .structuredContent.code]' '[true,"review"]'
	outcome 'echo "notes-list: a fence" >&2; exit 3'
	answers '.result | [.isError, .structuredContent, .content[0].text]' \
		'[true,{"error":"a fence","code":"blocked"},"error: blocked: a fence"]'
	outcome 'echo "notes-list: no home" >&2; exit 4'
	answers '.error' '{"code":-32603,"message":"notes-list: no home","data":{"tool":"notes_list","exit":4}}'
	outcome 'exit 7'
	answers '[.error.code, .error.data]' '[-32603,{"tool":"notes_list","exit":7}]'
	outcome 'kill -SEGV $$'
	answers '[.error.code, .error.data]' '[-32603,{"tool":"notes_list","signal":11}]'
}

@test "section 5.2: output that is not a result" {
	local body
	for body in 'echo garbage' 'echo "[1]"; echo x' ':' 'printf "{\"a\":1} {}\nx\n"' \
		'printf "{\"a\":\"\xff\"}\nx\n"' 'printf "{}\n\xff\n"' 'echo "{\"a\":1"'; do
		outcome "$body"
		answers '[.error.code, .error.data]' '[-32603,{"tool":"notes_list","exit":0}]'
	done
	outcome 'exec head -c 1048576 /dev/zero'
	answers '[.error.code, .error.data.tool, (.error.message | contains("too much"))]' \
		'[-32603,"notes_list",true]'
	# The largest that is taken.
	outcome 'printf "{\"a\":\"%262132s\"}\n\n\n" ""'
	answers '.result.structuredContent.a | length' 262132
	# A program that is gone since the start, or cannot be executed.
	stub notes-list 'exit 0'
	begin --bin-dir bin
	rm bin/notes-list
	say "$(call 1 notes_list)"
	hear
	[ "$(jq -c '[.id, .error.code, .error.data]' <<<"$REPLY")" = '[1,-32603,{"tool":"notes_list","exit":127}]' ]
	hang_up
}

@test "a program's stderr is passed on with control characters escaped, cut at 8 KiB" {
	outcome 'printf "one\nt\033[31mwo\nb\xffd\nlast" >&2; '"$OK"
	answers .result.isError false
	cat >want <<'END'
mcp-serve: notes_list: one
mcp-serve: notes_list: t\u001b[31mwo
mcp-serve: notes_list: b�d
mcp-serve: notes_list: last
END
	diff -u want err
	outcome 'head -c 100000 /dev/zero | tr "\0" x >&2; '"$OK"
	answers .result.isError false
	[ "$(wc -c <err)" -eq $((8192 + 24)) ]
}

@test "what a child gets: name only, its own group, default signals, three descriptors" {
	cat >probe.c <<'END'
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <unistd.h>
int
main(int argc, char *argv[])
{
	int death = 0, ignored = 0, i;
	sigset_t set;
	struct sigaction a;

	sigprocmask(SIG_BLOCK, NULL, &set);
	for (i = 1; i < 32; i++)
		if (sigaction(i, NULL, &a) == 0 && a.sa_handler != SIG_DFL)
			ignored++;
	prctl(PR_GET_PDEATHSIG, &death);
	printf("{\"argc\":%d,\"name\":\"%s\",\"leader\":%d,\"masked\":%d,"
	       "\"ignored\":%d,\"death\":%d,\"extra\":%d}\n\n",
	       argc, argv[0], getpgrp() == getpid(), sigismember(&set, SIGTERM),
	       ignored, death, dup(0));
	return 0;
}
END
	cc -o probe probe.c
	stub notes-list "exec -a notes-list $PWD/probe"
	# bash resets nothing that was ignored when it started.
	(
		trap '' PIPE INT
		exec 7</dev/null
		serve "$(call 1 notes_list)"
	)
	answers '.result.structuredContent' \
		'{"argc":1,"name":"notes-list","leader":1,"masked":0,"ignored":0,"death":9,"extra":3}'
}

@test "256 interleaved calls are answered once each; one more is too many" {
	local i lines=()
	# None is over before the last one has come.
	stub notes-list 'read -r line; until [ -e go ]; do sleep 0.02; done
		sleep 0.0$((RANDOM % 3)); printf "{\"got\":%s}\nx\n" "$line"'
	stub notes-write 'read -r line; until [ -e go ]; do sleep 0.02; done
		printf "{\"got\":%s}\nx\n" "$line"'
	OPTIONS+=(--jobs 64)
	for ((i = 0; i < 256; i++)); do
		[ $((i % 5)) -gt 0 ] && lines+=("$(call $i notes_list "{\"n\":$i}")") ||
			lines+=("$(call "\"$i\"" notes_write "{\"n\":$i}")")
	done
	begin --bin-dir bin --jobs 64
	printf '%s\n' "${lines[@]}" "$(call 999 notes_list)" '{"jsonrpc":"2.0","id":"p","method":"ping"}' >&"$IN"
	for ((i = 0; i < 258; i++)); do
		[ $i -ne 2 ] || : >go
		hear
		printf '%s\n' "$REPLY"
	done >all
	jq -c 'select(.error) | [.id, .error.code, .error.message]' all >got
	[ "$(<got)" = '[999,-32603,"too many calls in flight"]' ]
	jq -e -s '[.[] | select(.id != "p" and .id != 999)]
		| length == 256 and (map(.id | tostring) | unique | length == 256)
		and all((.id | tonumber) == .result.structuredContent.got.n)' all
	# Calls that write are answered in the order of their arrival.
	jq -s -e '[.[] | select(.id != "p") | select(.id | type == "string") | .id | tonumber]
		| . == sort and length == 52' all
	hang_up
	[ $rc -eq 0 ] && [ ! -s out ]
}

@test "calls in flight have 64 MiB of arguments at most, however few they are" {
	local i filler
	stub notes-list 'until [ -e go ]; do sleep 0.02; done; cat >/dev/null; '"$OK"
	filler=$(head -c 4194290 /dev/zero | tr '\0' x)
	begin --bin-dir bin
	for ((i = 0; i < 17; i++)); do
		say "$(call $i notes_list "{\"x\":\"$filler\"}")"
	done
	hear && [ "$(jq -c '[.id, .error.code, .error.message]' <<<"$REPLY")" = \
		'[16,-32603,"too many calls in flight"]' ] || fail "${REPLY:0:300}"
	# What needs little is taken as long as it fits, and all of it when they end.
	say '{"jsonrpc":"2.0","id":"p","method":"ping"}'
	hear && [ "$(jq -c .id <<<"$REPLY")" = '"p"' ]
	: >go
	for ((i = 0; i < 16; i++)); do
		hear
		[[ $REPLY == *'"isError":false'* ]] || fail "${REPLY:0:300}"
	done
	say "$(call 17 notes_list "{\"x\":\"$filler\"}")"
	hear && [ "$(jq -c '[.id, .result.isError]' <<<"$REPLY")" = '[17,false]' ]
	hang_up
	[ $rc -eq 0 ] && [ ! -s out ]
}

@test "writers run one at a time and in order, readers beside them" {
	stub notes-write 'echo "+" >>log; sleep 0.05; echo "-" >>log; '"$OK"
	stub notes-update 'echo "+" >>log; sleep 0.05; echo "-" >>log; '"$OK"
	stub notes-list 'until [ -s log ]; do sleep 0.01; done; '"$OK"
	serve "$(call 1 notes_list)" "$(call 2 notes_write)" "$(call 3 notes_update)" \
		"$(call 4 notes_write)" "$(call 5 notes_list)"
	[ "$(paste -sd '' log)" = '+-+-+-' ]
	[ "$(jq -c 'select(.id == 2 or .id == 3 or .id == 4).id' out | paste -sd' ')" = '2 3 4' ]
	[ "$(wc -l <out)" -eq 5 ]
	rm log
	# With one job at a time nothing overlaps at all.
	stub notes-list 'echo "+" >>log; sleep 0.05; echo "-" >>log; '"$OK"
	OPTIONS+=(--jobs 1)
	serve "$(call 1 notes_list)" "$(call 2 notes_write)" "$(call 3 notes_list)"
	[ "$(paste -sd '' log)" = '+-+-+-' ]
	[ "$(jq -c .id out | paste -sd' ')" = '1 2 3' ]
}

@test "while a call runs: ping, an id in use, an unknown method" {
	stub notes-list 'until [ -e go ]; do sleep 0.02; done; '"$OK"
	begin --bin-dir bin
	say "$(call 1 notes_list)" '{"jsonrpc":"2.0","id":"1","method":"ping"}' \
		'{"jsonrpc":"2.0","id":1,"method":"ping"}' "$(call 1 notes_list)" \
		'{"jsonrpc":"2.0","id":2,"method":"resources/list"}'
	hear && [ "$REPLY" = '{"jsonrpc":"2.0","id":"1","result":{}}' ]
	hear && [ "$(jq -c '[.id, .error.code, .error.message]' <<<"$REPLY")" = '[1,-32600,"id is in use"]' ]
	hear && [ "$(jq -c '[.id, .error.code, .error.message]' <<<"$REPLY")" = '[1,-32600,"id is in use"]' ]
	hear && [ "$(jq -c '[.id, .error.code]' <<<"$REPLY")" = '[2,-32601]' ]
	touch go
	hear && [ "$(jq -c '[.id, .result.isError]' <<<"$REPLY")" = '[1,false]' ]
	say '{"jsonrpc":"2.0","id":1,"method":"ping"}'
	hear && [ "$REPLY" = '{"jsonrpc":"2.0","id":1,"result":{}}' ]
	hang_up
	[ $rc -eq 0 ] && [ ! -s out ]
}

@test "cancellation before, during and after; ids that mean nothing are ignored" {
	local line
	stub notes-write 'echo $$ >"$$.pid"; cp $$.pid pid; exec sleep 60'
	begin --bin-dir bin
	# A cancellation that comes first cancels nothing.
	say "$(cancel 7)" "$(call 7 notes_write)" "$(call 8 notes_write)"
	until_there pid
	# The waiting one is removed, the running one is killed.
	say "$(cancel 8)" "$(cancel 99)" "$(cancel '"7"')" "$(cancel null)" "$(cancel 1.5)" \
		"$(cancel '[]')" "$(cancel '"init"')" \
		'{"jsonrpc":"2.0","method":"notifications/cancelled"}' \
		'{"jsonrpc":"2.0","id":"p","method":"ping"}'
	hear && [ "$REPLY" = '{"jsonrpc":"2.0","id":"p","result":{}}' ]
	kill -0 "$(<pid)"
	say '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7,"reason":"no\u001b[1m longer"}}'
	gone pid
	stub notes-write "$OK"
	# Its id is free again, and no answer was sent.
	say "$(call 7 notes_write)"
	hear && [ "$(jq -c '[.id, .result.isError]' <<<"$REPLY")" = '[7,false]' ]
	say "$(cancel 7)"
	hang_up
	[ $rc -eq 0 ] && [ ! -s out ]
	grep -qxF 'mcp-serve: notes_write: cancelled: no\u001b[1m longer' err
	[ "$(find . -maxdepth 1 -name '*.pid' | wc -l)" -eq 1 ]
}

@test "a batch goes out without the calls that were cancelled" {
	INIT='{"jsonrpc":"2.0","id":"init","method":"initialize","params":{"protocolVersion":"2025-03-26"}}'
	stub notes-list 'until [ -e go ]; do sleep 0.02; done; '"$OK"
	stub notes-write "$OK"
	begin --bin-dir bin
	say "[$(call 1 notes_list),$(call 2 notes_list),{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"ping\"},$(call 4 notes_write)]" \
		"$(cancel 1)"
	touch go
	hear && [ "$(jq -c 'map(.id)' <<<"$REPLY")" = '[2,3,4]' ]
	rm go
	say "[$(call 1 notes_list)]" "$(cancel 1)" '{"jsonrpc":"2.0","id":9,"method":"ping"}'
	hear && [ "$(jq -c .id <<<"$REPLY")" = 9 ]
	hang_up
	[ ! -s out ]
}

@test "a program that ignores SIGTERM is killed, with all that it started" {
	stub notes-list 'trap "" TERM; (trap "" TERM; echo $BASHPID >child; while :; do sleep 1; done) &
		echo $$ >pid; while :; do sleep 1; done'
	begin --bin-dir bin
	say "$(call 1 notes_list)"
	until_there pid child
	say "$(cancel 1)"
	gone pid
	gone child
	say '{"jsonrpc":"2.0","id":1,"method":"ping"}'
	hear && [ "$(jq -c .result <<<"$REPLY")" = '{}' ]
	hang_up
	[ ! -s out ]
}

@test "programs that never stop printing keep nothing else from its answer" {
	local i
	stub notes-list 'trap "" TERM; exec cat /dev/zero'
	stub notes-read 'exec cat /dev/zero >&2'
	begin --bin-dir bin --timeout 1
	say "$(call 1 notes_list)" "$(call 2 notes_read)" '{"jsonrpc":"2.0","id":3,"method":"ping"}'
	for i in 1 2 3; do
		hear
		echo "$REPLY" >>heard
	done
	[ "$(jq -cs 'map(.id) | sort' heard)" = '[1,2,3]' ] || fail "$(<heard)"
	hang_up
	[ $rc -eq 0 ]
}

@test "a timeout is a result, and the program is gone" {
	stub notes-list 'trap "" TERM; echo $$ >pid; while :; do sleep 0.1; done'
	OPTIONS+=(--timeout 1)
	begin "${OPTIONS[@]}"
	say "$(call 1 notes_list)"
	hear
	[ "$(jq -c '.result | [.isError, .structuredContent]' <<<"$REPLY")" = \
		'[true,{"error":"timed out after 1 s; the call may or may not have taken effect","code":"timeout"}]' ]
	gone pid
	hang_up
}

@test "a grandchild that holds the pipe does not hold the answer" {
	stub notes-list 'sleep 30 & echo $! >pid; '"$OK"
	begin --bin-dir bin
	say "$(call 1 notes_list)"
	hear && [ "$(jq -c '.result.content[0].text' <<<"$REPLY")" = '"fine"' ]
	kill -0 "$(<pid)"
	kill "$(<pid)"
	hang_up
}

@test "end of input: running calls have their grace, then are killed" {
	stub notes-list 'sleep 0.3; '"$OK"
	serve "$(call 1 notes_list)"
	answers '[.id, .result.isError]' '[1,false]'
	stub notes-list 'echo $$ >pid; exec sleep 60'
	serve "$(call 1 notes_list)" "$(call 2 notes_list)"
	[ $rc -eq 0 ] && [ ! -s out ]
	gone pid
}

@test "SIGTERM, SIGINT and SIGHUP kill the programs and end the server" {
	local signal
	stub notes-list 'trap "" TERM INT HUP; echo $$ >pid; while :; do sleep 1; done'
	for signal in TERM INT HUP; do
		rm -f pid
		begin --bin-dir bin
		say "$(call 1 notes_list)"
		until_there pid
		kill -$signal "$PID"
		rc=0
		wait "$PID" || rc=$?
		[ $rc -eq $((128 + $(kill -l $signal))) ] || fail "$signal: exit $rc"
		gone pid
	done
}

@test "a server that is killed takes its programs with it" {
	stub notes-list 'echo $$ >pid; exec sleep 60'
	begin --bin-dir bin
	say "$(call 1 notes_list)"
	until_there pid
	kill -KILL "$PID"
	gone pid
}

@test "stdout closed while input is open is exit 4; after it, it is ignored" {
	stub notes-list "$OK"
	# The reader goes, and the input stays open until the server ends.
	mkfifo in
	{ "$BIN/mcp-serve" --bin-dir bin <in 2>err || echo $? >status; } | head -n 1 >out &
	exec {IN}>in
	say "$INIT"
	until_there out
	trap '' PIPE
	for _ in {1..100}; do
		say '{"jsonrpc":"2.0","id":1,"method":"ping"}' 2>/dev/null || break
		[ ! -s status ] || break
		sleep 0.02
	done
	until_there status
	exec {IN}>&-
	[ "$(<status)" = 4 ]
	grep -q 'mcp-serve: standard output: ' err
	rc=0
	"$BIN/mcp-serve" --bin-dir bin >/dev/full 2>err <<<"$INIT" || rc=$?
	[ $rc -eq 4 ] || [ $rc -eq 0 ]
}

@test "a client that does not read stops the reading, and loses nothing" {
	local i n=3000
	stub notes-list "$OK"
	mkfifo in
	"$BIN/mcp-serve" --bin-dir bin <in >slow 2>err &
	{
		printf '%s\n' "$INIT"
		for ((i = 0; i < n; i++)); do
			printf '{"jsonrpc":"2.0","id":%d,"method":"tools/list"}\n' $i
		done
	} >in &
	until_there slow
	wait
	[ "$(wc -l <slow)" -eq $((n + 1)) ]
	# The same into a pipe that nobody empties for a while.
	{
		printf '%s\n' "$INIT"
		for ((i = 0; i < n; i++)); do
			printf '{"jsonrpc":"2.0","id":%d,"method":"tools/list"}\n' $i
		done
		touch fed
		sleep 1
	} | "$BIN/mcp-serve" 2>err | {
		sleep 0.5
		[ ! -e fed ] || echo 'all was read' >faults
		cat
	} >out
	[ ! -e faults ] || fail "$(<faults)"
	jq -e -s --argjson n $n 'length == $n + 1 and (map(.id) | unique | length == $n + 1)' out
}

@test "fed byte by byte, cut inside a character, it is the same session" {
	local line i
	stub notes-list 'read -r line; printf "{\"got\":%s}\nx\n" "$line"'
	line=$(call 1 notes_list '{"q":"é😀"}')
	begin --bin-dir bin
	(
		LC_ALL=C
		for ((i = 0; i < ${#line}; i++)); do
			printf %s "${line:i:1}"
			[ $((i % 10)) -ne 0 ] || sleep 0.005
		done
		echo
	) >&"$IN"
	hear && [ "$(jq -c .result.structuredContent <<<"$REPLY")" = '{"got":{"q":"é😀"}}' ]
	hang_up
}

@test "no zombie and no descriptor is left after 1,000 calls" {
	local i before after
	cat >true.c <<'END'
#include <stdio.h>
int main(void) { puts("{}\nx"); return 0; }
END
	cc -O1 -o real true.c
	stub notes-list ''
	begin --bin-dir bin
	cp real bin/notes-list
	before=$(find "/proc/$PID/fd" | wc -l)
	for ((i = 0; i < 1000; i++)); do
		say "$(printf '{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"notes_list"}}' $i)"
		hear
		[[ $REPLY == *'"isError":false'* ]] || fail "$REPLY"
	done
	after=$(find "/proc/$PID/fd" | wc -l)
	[ "$after" -eq "$before" ] || fail "$before descriptors, then $after"
	[ -z "$(cat "/proc/$PID/task/$PID/children")" ]
	hang_up
	[ $rc -eq 0 ]
}

# facts <params members> [environment]...: what the program gets.
FACTS='printf "{\"cwd\":\"%s\",\"session\":\"%s\",\"agent\":\"%s\",\"model\":\"%s\"}\nx\n" "$CTX_CWD" "$CTX_SESSION" "$CTX_AGENT" "$CTX_MODEL"'
facts() {
	local members=$1
	shift
	printf '%s\n' "$INIT" '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"notes_list","_meta":{'"$members"'}}}' |
		env "$@" "$BIN/mcp-serve" --bin-dir bin "${GIVEN[@]}" >out 2>err
	only_talk
	sed -i 1d out
}

@test "facts: the first of section 7's sources that has one" {
	local GIVEN=() codex='"x-codex-turn-metadata":{"thread_id":"t-1","session_id":"s-9","model":"gpt-5"}'
	local claude=(-u CTX_SESSION -u CTX_CWD CLAUDECODE=1 CLAUDE_CODE_SESSION_ID=c-1 "CLAUDE_PROJECT_DIR=$PWD/bin")
	local what='.result.structuredContent | [.cwd, .session, .agent, .model]'
	stub notes-list "$FACTS"
	facts '' -u CTX_SESSION -u CTX_CWD
	answers "$what" '["","","",""]'
	facts '' "${claude[@]}"
	answers "$what" "[\"$PWD/bin\",\"claude:c-1\",\"\",\"\"]"
	facts '' "${claude[@]}" CLAUDECODE=
	answers "$what" "[\"$PWD/bin\",\"\",\"\",\"\"]"
	facts '' "${claude[@]}" CLAUDE_PROJECT_DIR=/no/such
	answers "$what" '["","claude:c-1","",""]'
	facts "$codex" "${claude[@]}"
	answers "$what" "[\"$PWD/bin\",\"codex:t-1\",\"\",\"gpt-5\"]"
	facts '"x-codex-turn-metadata":{"session_id":"s-9"},"threadId":"t-2"' "${claude[@]}"
	answers "$what" "[\"$PWD/bin\",\"codex:s-9\",\"\",\"\"]"
	facts '"threadId":"t-2"' "${claude[@]}"
	answers "$what" "[\"$PWD/bin\",\"codex:t-2\",\"\",\"\"]"
	facts "$codex" CTX_SESSION=pi:x CTX_MODEL=m CTX_CWD=/a PI_NOTES_AGENT=old
	answers "$what" '["/a","pi:x","old","m"]'
	GIVEN=(--session pi:y --agent ann)
	facts "$codex" CTX_SESSION=pi:x CTX_CWD=/a
	answers "$what" '["/a","pi:y","ann","gpt-5"]'
	facts "$codex"',"ctxtools/facts":{"session":"pi:z","cwd":"/b","model":"big","agent":"bob"}' CTX_SESSION=pi:x
	answers "$what" '["/b","pi:z","bob","big"]'
}

@test "facts: session, its file and its leaf are one group" {
	local GIVEN=() what='.result.structuredContent | [.session, .file, .leaf]'
	local one='"ctxtools/facts":{"session":"pi:z"}' all
	stub notes-list 'printf "{\"session\":\"%s\",\"file\":\"%s\",\"leaf\":\"%s\"}\nx\n" "$CTX_SESSION" "$CTX_SESSION_FILE" "$CTX_LEAF"'
	all=(CTX_SESSION=pi:x CTX_SESSION_FILE=/x.jsonl CTX_LEAF=l)
	facts '' "${all[@]}"
	answers "$what" '["pi:x","/x.jsonl","l"]'
	# The file and the leaf of another session are none of this one's.
	facts "$one" "${all[@]}"
	answers "$what" '["pi:z","",""]'
	facts '"ctxtools/facts":{"session_file":"/z.jsonl"}' "${all[@]}"
	answers "$what" '["","/z.jsonl",""]'
	facts '"ctxtools/facts":{"leaf":"m"}' "${all[@]}" CLAUDECODE=1 CLAUDE_CODE_SESSION_ID=c
	answers "$what" '["","","m"]'
	facts '"ctxtools/facts":{"session":"pi:z","leaf":"m","agent":"bob"}' "${all[@]}"
	answers "$what" '["pi:z","","m"]'
	# What the host is known to say is of lower rank than any of them.
	facts '"threadId":"t"' -u CTX_SESSION CTX_SESSION_FILE=/x.jsonl
	answers "$what" '["","/x.jsonl",""]'
	facts '"threadId":"t"' -u CTX_SESSION CTX_LEAF=l CLAUDECODE=1 CLAUDE_CODE_SESSION_ID=c
	answers "$what" '["","","l"]'
	# Another member is no reason to drop them, nor is an empty one.
	facts '"ctxtools/facts":{"agent":"bob","session":""}' "${all[@]}"
	answers "$what" '["pi:x","/x.jsonl","l"]'
}

# said <project> <session> <tool use> [members]: a reply of Claude Code's with it.
said() {
	mkdir -p "$HOME/.claude/projects/$1"
	printf '{"type":"assistant","uuid":"u-%s"%s,"message":{"role":"assistant","content":[{"type":"text","text":"x"},{"type":"tool_use","id":"%s","name":"mcp__ctx__notes_list","input":{}}]}}\n' \
		"$3" "${4:-}" "$3" >>"$HOME/.claude/projects/$1/$2.jsonl"
}
# live <tool use> [environment]...: the session that a call with it is of.
live() {
	local GIVEN=() id=$1
	shift
	facts '"claudecode/toolUseId":"'"$id"'"' -u CTX_SESSION CLAUDECODE=1 CLAUDE_CODE_SESSION_ID=old env "$@"
	jq -r .result.structuredContent.session out
}

@test "a live session: the transcript that holds the call, after /clear and /resume" {
	local GIVEN=() id
	stub notes-list "$FACTS"
	# None there yet: the variable.
	[ "$(live toolu_1)" = claude:old ]
	# Of a session that has no transcript itself, anywhere below the roots.
	said -srv-a new toolu_1
	[ "$(live toolu_1)" = claude:new ]
	[ "$(live toolu_2)" = claude:old ]
	# Beside the transcript of the variable, and nowhere else.
	said -srv-b old toolu_0
	[ "$(live toolu_1)" = claude:old ]
	said -srv-b cleared toolu_3
	[ "$(live toolu_3)" = claude:cleared ]
	[ "$(live toolu_0)" = claude:old ]
	[ "$(live toolu_3 HOME=/nowhere)" = claude:old ]
	[ "$(live toolu_3 HOME=/nowhere CLAUDE_CONFIG_DIR="$HOME/.claude")" = claude:cleared ]
	# What else could be meant goes before it.
	[ "$(live toolu_3 CTX_SESSION=pi:x)" = pi:x ]
	[ "$(live toolu_3 CTX_LEAF=l)" = '' ]
	[ "$(live toolu_3 CLAUDECODE=)" = '' ]
	[ "$(live toolu_3 -u CLAUDE_CODE_SESSION_ID)" = claude:cleared ]
	facts '"claudecode/toolUseId":"toolu_3","threadId":"t"' -u CTX_SESSION CLAUDECODE=1
	answers .result.structuredContent.session '"codex:t"'
	for id in 5 '""' '{}'; do
		facts '"claudecode/toolUseId":'"$id" -u CTX_SESSION CLAUDECODE=1 CLAUDE_CODE_SESSION_ID=old
		answers .result.structuredContent.session '"claude:old"'
	done
}

@test "a live session: only a tool use of a reply counts, in the last 256 KiB of 8 files" {
	local i
	stub notes-list "$FACTS"
	said p old toolu_0
	# On a sidechain, in a text, as a result, of another id, in a torn record.
	said p side toolu_a ',"isSidechain":true'
	[ "$(live toolu_a)" = claude:old ]
	echo '{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"toolu_b"}]}}' \
		>"$HOME/.claude/projects/p/result.jsonl"
	[ "$(live toolu_b)" = claude:old ]
	echo '{"type":"user","message":{"content":[{"type":"tool_use","id":"toolu_c"}]}}' \
		>"$HOME/.claude/projects/p/user.jsonl"
	[ "$(live toolu_c)" = claude:old ]
	said p longer toolu_dd
	[ "$(live toolu_d)" = claude:old ]
	printf '{"type":"assistant","message":{"content":[{"type":"tool_use","id":"toolu_e"' \
		>"$HOME/.claude/projects/p/torn.jsonl"
	[ "$(live toolu_e)" = claude:old ]
	# Escapes are the same id.
	echo '{"type":"assistant","isSidechain":false,"message":{"content":[{"type":"tool_use","id":"toolu_f"}]}}' \
		>"$HOME/.claude/projects/p/plain.jsonl"
	[ "$(live toolu_f)" = claude:plain ]
	# A FIFO and a directory of such a name keep nobody waiting.
	mkfifo "$HOME/.claude/projects/p/pipe.jsonl"
	mkdir "$HOME/.claude/projects/p/folder.jsonl"
	[ "$(live toolu_f)" = claude:plain ]
	# The last 262,144 bytes: one just inside, and one that is cut.
	said p far toolu_g
	head -c 262143 /dev/zero | tr '\0' ' ' >pad
	{ cat pad && echo; } >>"$HOME/.claude/projects/p/far.jsonl"
	[ "$(live toolu_g)" = claude:old ]
	said p near toolu_h
	head -c $((262143 - $(wc -c <"$HOME/.claude/projects/p/near.jsonl"))) pad >>"$HOME/.claude/projects/p/near.jsonl"
	[ "$(live toolu_h)" = claude:near ]
	# Eight files, newest modification first.
	said p nine toolu_i
	touch -d '2020-01-01' "$HOME/.claude/projects/p/nine.jsonl"
	[ "$(live toolu_i)" = claude:old ]
	find "$HOME/.claude/projects/p" -name '*.jsonl' -type f ! -name nine.jsonl ! -name old.jsonl | sort |
		tail -n +7 | xargs -r rm
	[ "$(find "$HOME/.claude/projects/p" -name '*.jsonl' -type f | wc -l)" -eq 8 ]
	[ "$(live toolu_i)" = claude:nine ]
}

@test "a live session: a call that comes before its record waits a little, and only it" {
	export CLAUDECODE=1 CLAUDE_CODE_SESSION_ID=old
	unset CTX_SESSION
	stub notes-list "$FACTS"
	said p old toolu_0
	begin --bin-dir bin
	say '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"notes_list","_meta":{"claudecode/toolUseId":"toolu_1"}}}' \
		"$(call 2 notes_list)"
	said p cleared toolu_1
	# In either order.
	for i in 1 2; do
		hear
		echo "$REPLY"
	done | jq -cs 'sort_by(.id) | map(.result.structuredContent.session)' >got
	[ "$(<got)" = '["claude:cleared","claude:old"]' ] || fail "$(<got)"
	# The file last found is looked at first: here it is the only one that could be.
	rm "$HOME/.claude/projects/p/old.jsonl"
	for ((i = 0; i < 9; i++)); do
		said q "other$i" toolu_x
	done
	said p cleared toolu_2
	touch -d '2020-01-01' "$HOME/.claude/projects/p/cleared.jsonl"
	say '{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"notes_list","_meta":{"claudecode/toolUseId":"toolu_2"}}}'
	hear && [ "$(jq -c '[.id, .result.structuredContent.session]' <<<"$REPLY")" = '[3,"claude:cleared"]' ] || fail "$REPLY"
	# One that never comes is answered all the same; cancelled meanwhile, it is not.
	say '{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"notes_list","_meta":{"claudecode/toolUseId":"toolu_9"}}}'
	hear && [ "$(jq -c '[.id, .result.structuredContent.session]' <<<"$REPLY")" = '[4,"claude:old"]' ] || fail "$REPLY"
	say '{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"notes_list","_meta":{"claudecode/toolUseId":"toolu_9"}}}' \
		"$(cancel 5)" '{"jsonrpc":"2.0","id":"p","method":"ping"}'
	hear && [ "$(jq -c .id <<<"$REPLY")" = '"p"' ] || fail "$REPLY"
	hang_up
	[ $rc -eq 0 ] && [ ! -s out ]
}

# greeting <client>: initialize by that name.
greeting() {
	printf '{"jsonrpc":"2.0","id":"init","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"%s","version":"1"}}}' "$1"
}

@test "facts: of several hosts in one environment the client's name decides" {
	local GIVEN=() client want what=.result.structuredContent.session
	local both=(-u CTX_SESSION CLAUDECODE=1 CLAUDE_CODE_SESSION_ID=c COPILOT_AGENT_SESSION_ID=p)
	stub notes-list "$FACTS"
	facts '' "${both[@]}"
	answers "$what" '"copilot:p"'
	facts '' "${both[@]}" COPILOT_AGENT_SESSION_ID=
	answers "$what" '"claude:c"'
	facts '' "${both[@]}" CTX_SESSION=pi:x
	answers "$what" '"pi:x"'
	while read -r client want; do
		INIT=$(greeting "$client")
		facts '' "${both[@]}"
		answers "$what" "\"$want\""
	done <<'END'
copilot-cli copilot:p
claude-code claude:c
another claude:c
qwen-cli-mcp-client-ctx
gemini-cli-mcp-client
END
	INIT=$(greeting copilot-cli)
	facts '' "${both[@]}" COPILOT_AGENT_SESSION_ID=
	answers "$what" '""'
	# A modern request says it itself.
	facts '"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"claude-code"}' "${both[@]}"
	answers "$what" '"claude:c"'
}

# answered <session> <members of functionCall>...: an answer of Qwen Code's, with these calls.
answered() {
	local dir=qwen/projects/${PROJECT--srv-shop-A---}/chats call calls=
	mkdir -p "$dir"
	for call in "${@:2}"; do
		calls+=",{\"functionCall\":{$call}}"
	done
	printf '{"uuid":"u","parentUuid":null,"sessionId":"x","type":"assistant"%s,"message":{"role":"model","parts":[{"text":"x"}%s]}}\n' \
		"${MEMBERS-}" "$calls" >>"$dir/$1.jsonl"
}
# returned <session> <call id>: what came back of a call.
returned() {
	printf '{"uuid":"r","type":"tool_result","message":{"role":"user","parts":[{"functionResponse":{"id":"%s","name":"x","response":{"output":"y"}}}]}}\n' \
		"$2" >>"qwen/projects/-srv-shop-A---/chats/$1.jsonl"
}
# at <cwd> <arguments> [environment]...: the session that a call there is of.
at() {
	printf '%s\n' "$INIT" '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"notes_list","arguments":'"$2"'}}' |
		env -u CTX_SESSION CTX_CWD="$1" "${@:3}" "$BIN/mcp-serve" --bin-dir bin >out 2>err
	only_talk
	jq -r 'select(.id == 1).result.structuredContent.session' out
}

@test "more-hosts.md: Qwen's session is the one whose last answer has the call, unanswered" {
	local one='"id":"c1","name":"mcp__ctx__notes_list","args":{"prefix":"@self"}' cwd=/srv/shop_A/é𝄞
	INIT=$(greeting qwen-cli-mcp-client-ctx)
	export QWEN_HOME=$PWD/qwen
	stub notes-list "$FACTS"
	# A unit of UTF-16 is a dash: one of é, two of the clef.
	local PROJECT=-srv-shop-A----
	[ "$(at $cwd '{"prefix":"@self"}')" = '' ]
	answered s1 "$one"
	[ "$(at $cwd '{"prefix":"@self"}')" = qwen:s1 ]
	PROJECT=-srv-shop-A---
	cwd=/srv/shop_A/éé
	[ "$(at $cwd '{"prefix":"@self"}')" = '' ]
	# The arguments are compared as canonical JSON, the name by its end.
	answered s1 "$one"
	[ "$(at $cwd '{ "prefix" : "\u0040self" }')" = qwen:s1 ]
	[ "$(at $cwd '{"prefix":"@self/"}')" = '' ]
	[ "$(at $cwd '{}')" = '' ]
	answered s2 '"id":"c1","name":"mcp__ctx__my_notes_list","args":{}'
	[ "$(at $cwd '{}')" = '' ]
	answered s2 '"id":"c1","name":"notes_list","args":{}'
	[ "$(at $cwd '{}')" = '' ]
	answered s2 '"id":"c1","name":"__notes_list","args":{}'
	[ "$(at $cwd '{}')" = qwen:s2 ]
	# Another directory, another client, and what goes before it.
	[ "$(at /srv '{}')" = '' ]
	INIT=$(greeting another)
	[ "$(at $cwd '{}')" = '' ]
	INIT=$(greeting qwen-cli-mcp-client-ctx)
	[ "$(at $cwd '{}' CTX_SESSION=pi:x)" = pi:x ]
	[ "$(at $cwd '{}' CLAUDECODE=1 CLAUDE_CODE_SESSION_ID=c COPILOT_AGENT_SESSION_ID=p)" = qwen:s2 ]
	[ "$(at $cwd '{}' QWEN_RUNTIME_DIR=/nowhere)" = '' ]
	[ "$(at $cwd '{}' QWEN_RUNTIME_DIR="$PWD/qwen" QWEN_HOME=/nowhere)" = qwen:s2 ]
	# It was answered.
	returned s2 c2
	[ "$(at $cwd '{}')" = qwen:s2 ]
	returned s2 c1
	[ "$(at $cwd '{}')" = '' ]
	# Of two equal calls of one answer one is left.
	answered s2 '"id":"c1","name":"mcp__ctx__notes_list","args":{}' '"id":"c2","name":"mcp__ctx__notes_list","args":{}'
	returned s2 c1
	[ "$(at $cwd '{}')" = qwen:s2 ]
	# Only the last answer counts, and no sidechain.
	answered s2
	[ "$(at $cwd '{}')" = '' ]
	MEMBERS=',"isSidechain":true' answered s2 '"id":"c1","name":"mcp__ctx__notes_list","args":{}'
	[ "$(at $cwd '{}')" = '' ]
	# A call without an id, or whose arguments are not recorded, is none.
	answered s2 '"name":"mcp__ctx__notes_list","args":{}' '"id":"c1","name":"mcp__ctx__notes_list"'
	[ "$(at $cwd '{}')" = '' ]
	# Two sessions that wait for the same: no fact is better than a wrong one.
	answered s2 "$one"
	[ "$(at $cwd '{"prefix":"@self"}')" = '' ]
	returned s1 c1
	[ "$(at $cwd '{"prefix":"@self"}')" = qwen:s2 ]
}

@test "more-hosts.md: of Qwen's files the last 256 KiB of eight are looked at, and once more later" {
	local i one='"id":"c1","name":"mcp__ctx__notes_list","args":{}' cwd=/srv/shop_A/éé dir=qwen/projects/-srv-shop-A---/chats
	local INIT
	INIT=$(greeting qwen-cli-mcp-client-ctx)
	export QWEN_HOME=$PWD/qwen
	stub notes-list "$FACTS"
	answered far "$one"
	head -c 262143 /dev/zero | tr '\0' ' ' >pad
	head -c $((262144 - $(wc -c <$dir/far.jsonl))) pad >>$dir/far.jsonl
	[ "$(at $cwd '{}')" = qwen:far ]
	echo >>$dir/far.jsonl
	[ "$(at $cwd '{}')" = '' ]
	answered near "$one"
	touch -d 2020-01-01 $dir/near.jsonl
	for ((i = 0; i < 7; i++)); do
		answered "other$i"
	done
	rm $dir/far.jsonl
	mkfifo $dir/pipe.jsonl
	mkdir $dir/folder.jsonl
	[ "$(at $cwd '{}')" = qwen:near ]
	answered other7
	[ "$(at $cwd '{}')" = '' ]
	# One that is not written yet, with the directory known by the roots alone.
	# The looks are 100 ms apart at most: a machine under load may be late.
	unset CTX_SESSION CTX_CWD
	mkdir -p root
	PROJECT=$(printf %s "$PWD/root" | tr -c 'A-Za-z0-9' -)
	for ((i = 0; i < 20; i++)); do
		answered late "$one"
		mv "qwen/projects/$PROJECT/chats/late.jsonl" late
		begin --bin-dir bin
		say "$(sed 's/"capabilities":{}/"capabilities":{"roots":{}}/' <<<"$INIT")" \
			'{"jsonrpc":"2.0","method":"notifications/initialized"}'
		hear
		hear && [ "$(jq -r .method <<<"$REPLY")" = roots/list ] || fail "$REPLY"
		say "$(call 1 notes_list)"
		say '{"jsonrpc":"2.0","id":"ctx-roots-1","result":{"roots":[{"uri":"file://'"$PWD"'/root"}]}}'
		mv late "qwen/projects/$PROJECT/chats/late.jsonl"
		hear || fail "$REPLY"
		hang_up
		[ $rc -eq 0 ]
		[ "$(jq -c '[.id, .result.structuredContent.session]' <<<"$REPLY")" != '[1,"qwen:late"]' ] || return 0
	done
	fail "$REPLY"
}

# chat <file> <id> <startTime> [<kind>]: a session of Gemini CLI's.
chat() {
	mkdir -p "gemini/.gemini/tmp/${PROJECT-shop}/chats"
	printf '{"sessionId":"%s","projectHash":"h","startTime":"%s","lastUpdated":"%s","kind":"%s"}\n' "$2" "$3" "$3" "${4-main}" \
		>"gemini/.gemini/tmp/${PROJECT-shop}/chats/session-$1.jsonl"
}

@test "more-hosts.md: Gemini's session is the one of the directory written last, when no other can be" {
	local now day=2026-03-05T09 dir=gemini/.gemini/tmp/shop/chats INIT
	INIT=$(greeting gemini-cli-mcp-client)
	export GEMINI_CLI_HOME=$PWD/gemini
	stub notes-list "$FACTS"
	now=$(date -ud '-1 second' +%Y-%m-%dT%H:%M:%S.000Z)
	[ "$(at /srv/shop '{}')" = '' ]
	chat $day-00-11111111 11111111-a "$now"
	printf /srv/shop >$dir/../.project_root
	# Written before the server was started.
	touch -d '-1 minute' $dir/*
	[ "$(at /srv/shop '{}')" = '' ]
	touch -d '+1 minute' $dir/*
	[ "$(at /srv/shop '{}')" = gemini:11111111-a ]
	# Another directory, another client, and what goes before it.
	[ "$(at /srv '{}')" = '' ]
	[ "$(at /srv/shop/x '{}')" = '' ]
	[ "$(at /srv/shop '{}' CTX_SESSION=pi:x)" = pi:x ]
	[ "$(at /srv/shop '{}' CLAUDECODE=1 CLAUDE_CODE_SESSION_ID=c COPILOT_AGENT_SESSION_ID=p)" = gemini:11111111-a ]
	[ "$(at /srv/shop '{}' GEMINI_CLI_HOME=/nowhere)" = '' ]
	INIT=$(greeting another)
	[ "$(at /srv/shop '{}')" = '' ]
	INIT=$(greeting gemini-cli-mcp-client)
	# The stub that a resume leaves is none, though younger.
	chat $day-10-11111111 11111111-a "$now"
	sed -i 2q $dir/session-$day-10-11111111.jsonl
	echo '{"id":"m","type":"user","content":"hi"}' >>$dir/session-$day-00-11111111.jsonl
	touch -d '+1 minute' $dir/session-$day-00-11111111.jsonl
	touch -d '+2 minutes' $dir/session-$day-10-11111111.jsonl
	[ "$(at /srv/shop '{}')" = gemini:11111111-a ]
	# Nor is a sub-agent, under whatever name.
	chat $day-20-22222222 22222222-b "$now" subagent
	mkdir $dir/11111111-a
	cp $dir/session-$day-20-22222222.jsonl $dir/11111111-a/22222222-b.jsonl
	touch -d '+3 minutes' $dir/session-$day-20-22222222.jsonl $dir/11111111-a/*
	[ "$(at /srv/shop '{}')" = gemini:11111111-a ]
	# What is not a transcript, or of another directory, does not count.
	echo nonsense >$dir/session-$day-30-33333333.jsonl
	mkfifo $dir/session-$day-31-33333333.jsonl
	PROJECT=other chat $day-20-44444444 44444444-d "$now"
	touch -d '+3 minutes' $dir/session-$day-30-33333333.jsonl gemini/.gemini/tmp/other/chats/*
	[ "$(at /srv/shop '{}')" = gemini:11111111-a ]
	# Another session that was written since this one began: two clients.
	chat $day-40-55555555 55555555-e 2026-03-05T09:00:00Z
	touch -d '-1 minute' $dir/session-$day-40-55555555.jsonl
	[ "$(at /srv/shop '{}')" = gemini:11111111-a ]
	touch $dir/session-$day-40-55555555.jsonl
	[ "$(at /srv/shop '{}')" = '' ]
	# And which was written last, but began long ago, while the first went on.
	touch -d '+5 minutes' $dir/session-$day-40-55555555.jsonl
	[ "$(at /srv/shop '{}')" = '' ]
	rm $dir/session-$day-40-55555555.jsonl
	# When it began has to be known.
	sed -i 's/"startTime":"[^"]*"/"startTime":7/' $dir/*1111.jsonl
	[ "$(at /srv/shop '{}')" = '' ]
}

@test "Qwen Code gets as a result what would make it repeat the call" {
	local body
	INIT=$(greeting qwen-cli-mcp-client-ctx)
	for body in 'echo "notes-list: no home" >&2; exit 4' 'kill -9 $$' 'echo nonsense'; do
		stub notes-list "$body"
		serve "$(call 1 notes_list)"
		answers '[.result.isError, .result.structuredContent.code, .error]' '[true,"environment",null]'
	done
	stub notes-list 'echo "notes-list: no home" >&2; exit 4'
	serve "$(call 1 notes_list)"
	answers '.result.content[0].text' '"error: environment: notes-list: no home"'
	INIT=$(greeting another)
	serve "$(call 1 notes_list)"
	answers .error.code -32603
}

@test "facts: what is wrong with them" {
	local GIVEN=() members long
	stub notes-list "$FACTS"
	for members in '"ctxtools/facts":5' '"ctxtools/facts":{"session":5}' '"ctxtools/facts":{"no":"x"}' \
		'"ctxtools/facts":{"cwd":"a\u0000b"}'; do
		facts "$members"
		answers .error.code -32602
	done
	long=$(printf 'x%.0s' {1..257})
	for members in '""' '"a\nb"' "\"$long\""; do
		facts "\"threadId\":$members" -u CTX_SESSION
		answers .result.structuredContent.session '""'
		[ "$(wc -l <err)" -eq 1 ] && grep -q 'threadId of _meta' err || fail "$members: $(<err)"
	done
	facts '' -u CTX_SESSION CLAUDECODE=1 CLAUDE_CODE_SESSION_ID="$long"
	answers .result.structuredContent.session '""'
	grep -q '^mcp-serve: CLAUDE_CODE_SESSION_ID is too long' err
	# 256 bytes are those of the fact: with the host before the id.
	long=${long:0:250}
	facts "\"threadId\":\"$long\"" -u CTX_SESSION
	answers .result.structuredContent.session "\"codex:$long\""
	facts "\"threadId\":\"${long}y\"" -u CTX_SESSION
	answers .result.structuredContent.session '""'
	facts '' -u CTX_SESSION CLAUDECODE=1 CLAUDE_CODE_SESSION_ID="${long:1}"
	answers .result.structuredContent.session "\"claude:${long:1}\""
	facts '' -u CTX_SESSION CLAUDECODE=1 CLAUDE_CODE_SESSION_ID="$long"
	answers .result.structuredContent.session '""'
}

@test "roots: asked for once, waited for, and asked again when they change" {
	unset CTX_CWD
	stub notes-list "$FACTS"
	mkdir 'a dir' other
	INIT=${INIT/'"capabilities":{}'/'"capabilities":{"roots":{"listChanged":true}}'}
	begin --bin-dir bin
	say '{"jsonrpc":"2.0","method":"notifications/initialized"}' "$(call 1 notes_list)"
	hear && [ "$REPLY" = '{"jsonrpc":"2.0","id":"ctx-roots-1","method":"roots/list"}' ]
	say '{"jsonrpc":"2.0","id":2,"method":"ping"}' '{"jsonrpc":"2.0","id":"ctx-roots-7","result":{"roots":[]}}'
	hear && [ "$(jq -c .id <<<"$REPLY")" = 2 ]
	say '{"jsonrpc":"2.0","id":"ctx-roots-1","result":{"roots":[{"uri":"http://x/y"},{"uri":"file://elsewhere/tmp"},{"uri":"file:///tmp%00"},{"uri":"file:tmp"},{"uri":"file:///no/such"},{"uri":7},5,{"uri":"file://LOCALHOST'"$PWD"'/a%20dir"},{"uri":"file:///"}]}}'
	hear && [ "$(jq -c '[.id, .result.structuredContent.cwd]' <<<"$REPLY")" = "[1,\"$PWD/a dir\"]" ]
	say '{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}'
	hear && [ "$REPLY" = '{"jsonrpc":"2.0","id":"ctx-roots-2","method":"roots/list"}' ]
	say '{"jsonrpc":"2.0","id":"ctx-roots-2","result":{"roots":[{"uri":"file://'"$PWD"'/other"}]}}' "$(call 1 notes_list)"
	hear && [ "$(jq -c .result.structuredContent.cwd <<<"$REPLY")" = "\"$PWD/other\"" ]
	# A call that names its directory does not wait; nor does one for an answer
	# that does not come.
	say '{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}' "$(call 3 notes_list)" \
		'{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"notes_list","_meta":{"ctxtools/facts":{"cwd":"/b"}}}}'
	hear && [ "$(jq -r .id <<<"$REPLY")" = ctx-roots-3 ]
	hear && [ "$(jq -c '[.id, .result.structuredContent.cwd]' <<<"$REPLY")" = '[4,"/b"]' ]
	hear && [ "$(jq -c '[.id, .result.structuredContent.cwd]' <<<"$REPLY")" = "[3,\"$PWD/other\"]" ]
	say '{"jsonrpc":"2.0","id":"ctx-roots-3","error":{"code":-32601,"message":"no"}}' "$(call 1 notes_list)"
	hear && [ "$(jq -c .result.structuredContent.cwd <<<"$REPLY")" = '""' ]
	hang_up
	[ $rc -eq 0 ] && [ ! -s out ]
}

@test "roots are not asked for where something says the directory" {
	local given
	INIT=${INIT/'"capabilities":{}'/'"capabilities":{"roots":{}}'}
	serve '{"jsonrpc":"2.0","method":"notifications/initialized"}'
	[ ! -s out ]
	unset CTX_CWD
	OPTIONS=(--no-roots)
	serve '{"jsonrpc":"2.0","method":"notifications/initialized"}'
	[ ! -s out ]
	OPTIONS=()
	CLAUDE_PROJECT_DIR=$PWD serve '{"jsonrpc":"2.0","method":"notifications/initialized"}'
	[ ! -s out ]
	INIT=${INIT/'"roots":{}'/}
	serve '{"jsonrpc":"2.0","method":"notifications/initialized"}'
	[ ! -s out ]
}

@test "the real programs: a note is written, changed, found, read and refused" {
	OPTIONS=()
	serve "$(call 1 notes_write '{"address":"@project/plan","content":"one\ntwo"}')" \
		"$(call 2 notes_update '{"address":"@project/plan","edits":[{"oldText":"two","newText":"three"}]}')"
	answers '[.id, .result.isError]' $'[1,false]\n[2,false]'
	serve "$(call 1 notes_search '{"query":"THREE"}')" "$(call 2 notes_read '{"address":"@project/plan"}')" \
		"$(call 3 notes_read '{"address":"@project/none"}')" "$(call 4 history_list)"
	jq -se 'sort_by(.id) | .[0].result.structuredContent.files[0].matches_total == 1
		and .[1].result.structuredContent.text == "one\nthree"
		and .[2].result.isError and .[2].result.structuredContent.code == "not_found"
		and (.[3] | has("result"))' out
}

@test "--families context: the eleven, and the fence holds through the server" {
	OPTIONS=(--families context)
	serve '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'
	answers '[.result.tools[].name]' '["new_context","get_context_remaining","history_list_windows","history_list_items","history_read_item","history_search_contents","notes_list_files_by_prefix","notes_read_file","notes_search_contents","notes_append_to_file","notes_write_file"]'
	context-compact threshold -j >/dev/null
	context-delivered w1:reminder:1 -j >/dev/null
	context-compact threshold -j >/dev/null
	context-delivered w1:fallback:2 -j >/dev/null
	serve "$(call 1 notes_read_file '{"path":"a"}')"
	answers '.result | [.isError, .structuredContent.code]' '[true,"fenced"]'
	serve "$(call 1 notes_append_to_file '{"path":"a","text":"saved"}')"
	answers '.result | [.isError, .structuredContent.rollover_requested]' '[false,true]'
}
