#!/usr/bin/env bats
# notes-write-file: spec/context.md sections 3.1, 3.3, 3.4, 3.9, 7.6, 8 and 9.
#
# KILLS=1000 in the environment: how often a writer is killed at a random moment
# (60).

load common
load context

setup() {
	context_setup
}

@test "12: the worked example, both surfaces and the disk" {
	call notes-write-file '{"path":"plan.md","text":"goal\n"}'
	cat >want <<-'END'
		{"path":"/root/notes/plan.md","bytes":5,"created":true,"created_at":"2030-03-17T17:46:40.000Z","updated_at":"2030-03-17T17:46:40.000Z"}
		Wrote 5 bytes to /root/notes/plan.md.
	END
	diff -u want out
	printf 'goal\n' | cmp - "$NOTES/plan.md"
	[ "$(<"$STATE/agents/root/notes.meta")" = '1900000000000 1900000000000 plan.md' ]
}

@test "3.1: paths, and the rule that a bad one breaks; nothing is created" {
	local path long
	printf -v long '%0300d' 0
	for path in ./a a/../b a//b a/ / /root/a /etc/passwd /rootx/notes/a /root/notes \
		/root/notes/ ../x . .. a/./b a/b/../../x /root/../notes/a /root/Child/notes/a \
		/root/notes/notes/../x "$long" .ctx-tmp-1/a a/.ctx-tmp-x $'a\nb' $'a\x7fb'; do
		refuses bad_path notes-write-file \
			"$(jq -nc --arg p "$path" '{path:$p,text:"x"}')"
		says 'is not a note path'
	done
	long=$(printf 'a/%.0s' {1..64})
	refuses bad_path notes-write-file "{\"path\":\"${long}a\",\"text\":\"x\"}"
	says '64 components'
	long=$(printf '%0200d/' 0 0)
	refuses bad_path notes-write-file "{\"path\":\"$long$(printf %0111d 0)\",\"text\":\"x\"}"
	says '512 bytes'
	[ ! -e "$HOME/.local" ] || fail 'state was made'
	does notes-write-file "{\"path\":\"$long$(printf %0110d 0)\",\"text\":\"x\"}"
}

@test "3.1: what is a path: ~, backslash, a folder called notes, other agents" {
	local path
	for path in '~' 'a\b' 'child/notes/f' 'é/ü' 'a b' '...'; do
		note "$path" x
		gives .path "$(jq -nc --arg p "/root/notes/$path" '$p')"
	done
	note /root/notes/notes/x y
	[ "$(<"$NOTES/notes/x")" = y ]
	refuses unknown_agent notes-write-file '{"path":"/root/worker/notes/f","text":"x"}'
	says /root/worker
	does context-agent '{"action":"register","agent_name":"worker","session":"pi:s2"}'
	note /root/worker/notes/f theirs
	gives .path '"/root/worker/notes/f"'
	[ "$(<"$STATE/agents/root.worker/notes/f")" = theirs ]
	# From there, a relative path is in their own notes.
	CTX_CONTEXT_AGENT=/root/worker does notes-read-file '{"path":"f"}'
	gives .content '"theirs"'
}

@test "1.2: bad input is exit 2, unknown fields are not" {
	local input
	for input in '[1]' '"x"' '{"path":1,"text":""}' '{"path":"a"' \
		'{"path":"a","path":"b","text":""}' '{"path":"a","text":"\u0000"}' \
		'{"path":"a","text":"\ud800"}' $'{"path":"a","text":"\xff"}' \
		'{"path":"a"}' '{"text":""}' '{"path":"","text":""}' \
		'{"path":null,"text":""}' '{"path":"a","text":null}'; do
		invalid '' notes-write-file "$input"
	done
	[ ! -e "$HOME/.local" ]
	invalid text notes-write-file ' '
	does notes-write-file '{"path":"a","text":"","force":true,"recursive":1}'
	gives .bytes 0
}

@test "3.4: updated_at strictly increases for an agent, created_at is kept" {
	note a 1
	note b 2
	gives '[.created_at,.updated_at]' '["2030-03-17T17:46:40.001Z","2030-03-17T17:46:40.001Z"]'
	note a 3
	gives '[.created,.created_at,.updated_at]' '[false,"2030-03-17T17:46:40.000Z","2030-03-17T17:46:40.002Z"]'
	[ "$(stat -c %.3Y "$NOTES/a")" = 1900000000.002 ]
	CTX_NOW_MS=1900000060000 note a 4
	gives .updated_at '"2030-03-17T17:47:40.000Z"'
	# Another agent has a time of its own.
	does context-agent '{"action":"register","agent_name":"w","session":"pi:s2"}'
	note /root/w/notes/a x
	gives .updated_at '"2030-03-17T17:46:40.000Z"'
}

@test "3.4: a note that somebody else changed or made by hand" {
	note a 1
	touch -d '2029-01-01T00:00:00Z' "$NOTES/a"
	does notes-read-file '{"path":"a"}'
	gives '[.created_at,.updated_at]' '["2029-01-01T00:00:00.000Z","2029-01-01T00:00:00.000Z"]'
	touch -d '2031-01-01T00:00:00Z' "$NOTES/a"
	does notes-read-file '{"path":"a"}'
	gives '[.created_at,.updated_at]' '["2030-03-17T17:46:40.000Z","2031-01-01T00:00:00.000Z"]'
	printf hand >"$NOTES/hand.md"
	touch -d '2028-01-01T00:00:00Z' "$NOTES/hand.md"
	note hand.md more
	gives '[.created,.created_at]' '[false,"2028-01-01T00:00:00.000Z"]'
}

@test "3.9: the cap is bytes, inclusive, and a write above it changes nothing" {
	mkdir -p "$HOME/.config/ctxtools"
	echo 'context: {notesMaxFileBytes: 10}' >"$HOME/.config/ctxtools/config.yaml"
	note a 'ééééé'
	gives .bytes 10
	refuses too_large notes-write-file '{"path":"a","text":"éééééx"}'
	says 'would have 11 bytes; the limit is 10 bytes'
	[ "$(<"$NOTES/a")" = 'ééééé' ]
	! jq -r .error json | grep -q largest || fail 'one note is not a list'
	note b 123
	note c 12345
	note d 1
	refuses too_large notes-write-file '{"path":"e","text":"12345678901"}'
	says '/root/notes/a (10 bytes), /root/notes/c (5 bytes), /root/notes/b (3 bytes)'
	[ ! -e "$NOTES/e" ]
}

@test "3.9: a file where a folder is needed, and the reverse" {
	note a x
	refuses path_conflict notes-write-file '{"path":"a/b","text":"x"}'
	says '/root/notes/a is there'
	note d/e/f x
	refuses path_conflict notes-write-file '{"path":"d/e","text":"x"}'
	says '/root/notes/d/e is there'
	[ "$(find "$NOTES" -type f | wc -l)" -eq 2 ]
}

@test "9: links and special files are never written to or through" {
	mkdir -p elsewhere "$NOTES"
	printf safe >elsewhere/x
	ln -s "$PWD/elsewhere" "$NOTES/out"
	ln -s "$PWD/elsewhere/x" "$NOTES/link"
	mkfifo "$NOTES/pipe"
	refuses path_conflict notes-write-file '{"path":"out/new","text":"x"}'
	says /root/notes/out
	refuses path_conflict notes-write-file '{"path":"link","text":"x"}'
	refuses path_conflict notes-write-file '{"path":"pipe","text":"x"}'
	refuses not_found notes-read-file '{"path":"link"}'
	refuses not_found notes-read-file '{"path":"out/x"}'
	refuses not_found notes-read-file '{"path":"pipe"}'
	[ "$(<elsewhere/x)" = safe ] && [ ! -e elsewhere/new ]
	rm -r "$NOTES"
	ln -s "$PWD/elsewhere" "$NOTES"
	refuses path_conflict notes-write-file '{"path":"new","text":"x"}'
	refuses not_found notes-read-file '{"path":"x"}'
	[ ! -e elsewhere/new ]
}

@test "8.1: modes, whatever the umask; a replaced file keeps its mode" {
	(umask 0 && note a/b x)
	[ "$(stat -c %a "$STATE" "$NOTES" "$NOTES/a" "$NOTES/a/b" "$STATE/lock" |
		tr '\n' ' ')" = '700 700 700 600 600 ' ]
	(umask 0777 && note c/d x)
	[ "$(stat -c %a "$NOTES/c" "$NOTES/c/d" | tr '\n' ' ')" = '700 600 ' ]
	chmod 640 "$NOTES/a/b"
	note a/b y
	[ "$(stat -c %a "$NOTES/a/b")" = 640 ]
}

@test "8.1: the folder of a root session, whatever its id" {
	CTX_SESSION='claude:a b/.x' note n x
	[ -e "$HOME/.local/state/ctxtools/a%20b%2F.x/agents/root/notes/n" ]
	CTX_SESSION=..hidden note n x
	[ -e "$HOME/.local/state/ctxtools/%2E.hidden/agents/root/notes/n" ]
	CTX_SESSION=other CTX_CONTEXT_ROOT=pi:s9 note n x
	[ -e "$HOME/.local/state/ctxtools/s9/agents/root/notes/n" ]
	unset CTX_SESSION
	refuses no_session notes-write-file '{"path":"a","text":""}'
	says CTX_SESSION
	says CTX_CONTEXT_ROOT
}

@test "3.9: at most 10,000 note files of an agent" {
	note a x
	(cd "$NOTES" && seq -f 'n%g' 9999 | xargs touch)
	refuses limit_reached notes-write-file '{"path":"b","text":"x"}'
	says 10000
	note a y
}

@test "7.6: the fence: one own text passes, and nothing afterwards" {
	armed
	does context-agent '{"action":"register","agent_name":"w","session":"pi:s2"}'
	refuses fenced notes-write-file '{"path":"/root/w/notes/a","text":"x"}'
	says '/root/notes/'
	refuses fenced notes-write-file '{"path":"a","text":" \n\t"}'
	refuses bad_path notes-write-file '{"path":"../a","text":"x"}'
	invalid text notes-write-file '{"path":"a"}'
	[ ! -e "$NOTES/a" ]
	call notes-write-file '{"path":"a","text":"done: 1"}'
	gives .rollover_requested true
	[ "$(sed -n 2p text)" = 'Checkpoint saved. A new context window has been requested; stop here.' ]
	refuses rollover_pending notes-write-file '{"path":"a","text":"again"}'
	refuses rollover_pending notes-read-file '{"path":"a"}'
	[ "$(<"$NOTES/a")" = 'done: 1' ]
}

@test "W3: a fenced write that fails ends no window, and may be tried again" {
	armed
	mkdir -p "$HOME/.config/ctxtools"
	echo 'context: {notesMaxFileBytes: 4}' >"$HOME/.config/ctxtools/config.yaml"
	refuses too_large notes-write-file '{"path":"a","text":"12345"}'
	does context-settle '{}'
	gives '[.action,.phase]' '["none","checkpoint_required"]'
	does notes-write-file '{"path":"a","text":"1234"}'
	gives .rollover_requested true
}

@test "7.6: of two checkpoints at once exactly one is admitted" {
	local i n=0
	for i in {1..12}; do
		rm -rf "$STATE"
		armed
		notes-write-file -j <<<'{"path":"a","text":"first"}' >one 2>&1 &
		notes-append-to-file -j <<<'{"path":"b","text":"second"}' >two 2>&1 &
		wait
		[ "$(cat one two | grep -c '"rollover_requested":true')" -eq 1 ] ||
			fail "$(cat one two)"
		[ "$(cat one two | grep -c '"code":"rollover_pending"')" -eq 1 ] ||
			fail "$(cat one two)"
		[ "$(find "$NOTES" -type f | wc -l)" -eq 1 ]
		n=$((n + 1))
	done
	[ $n -eq 12 ]
}

@test "8.3: killed between the note and the state, the checkpoint is saved" {
	armed
	does context-settle '{}'
	# What the claimant leaves that died after its note's rename.
	CTX_CONTEXT_DISABLED=1 does notes-write-file '{"path":"a","text":"saved"}'
	jq -c '.claim = {pid: 1, at_ms: 1, path: "/root/notes/a", bytes: 5, updated_ms: 1900000000000}' \
		"$STATE/agents/root/window.json" >w && cp w "$STATE/agents/root/window.json"
	does context-settle '{}'
	gives '[.action,.phase]' '["roll","rollover_pending"]'
	# And one that died before it.
	rm -rf "$STATE"
	armed
	does context-settle '{}'
	jq -c '.claim = {pid: 1, at_ms: 1, path: "/root/notes/a", bytes: 5, updated_ms: 1900000000000}' \
		"$STATE/agents/root/window.json" >w && cp w "$STATE/agents/root/window.json"
	refuses fenced notes-read-file '{"path":"a"}'
	[ "$(jq .claim "$STATE/agents/root/window.json")" = null ]
	does notes-write-file '{"path":"a","text":"now"}'
	gives .rollover_requested true
}

@test "8.2: a file that may not grow leaves the old note, and is exit 4" {
	note a old
	cp "$STATE/agents/root/notes.meta" meta
	rc=0
	jq -nc '{path:"a",text:("x" * 100000)}' >big
	(ulimit -f 8 && notes-write-file <big) >out 2>err || rc=$?
	[ $rc -eq 4 ] && [ ! -s out ] && grep -q 'notes/a' err || fail "exit $rc: $(cat out err)"
	[ "$(<"$NOTES/a")" = old ]
	cmp meta "$STATE/agents/root/notes.meta"
	[ -z "$(find "$STATE" -name '.ctx-tmp-*')" ]
	rc=0
	jq -nc '{path:"d/e/f",text:("x" * 100000)}' >big
	(ulimit -f 8 && notes-write-file <big) >out 2>err || rc=$?
	[ $rc -eq 4 ] && [ ! -e "$NOTES/d" ] || fail 'folders remain'
}

# full <program> <json> <file>: exit 4 for want of space that names the file;
# everything of the agent stays as it is.
full() {
	local rc=0
	(cd "$STATE/agents/root" && find . -type f -exec cksum {} + | sort) >before
	"$1" <<<"$2" >out 2>err || rc=$?
	[ $rc -eq 4 ] && [ ! -s out ] && [ "$(wc -l <err)" -eq 1 ] &&
		grep -q "$3.*No space left on device" err || fail "$*: exit $rc: $(cat out err)"
	(cd "$STATE/agents/root" && find . -type f -exec cksum {} + | sort) | diff before -
}

@test "8.2: a disk that is full leaves the old state, and is exit 4 until there is room" {
	need_name_space
	armed
	does context-settle '{}'
	CTX_CONTEXT_DISABLED=1 does notes-append-to-file '{"path":"a","text":"old"}'
	cat >script <<-END
		$(declare -f full call does gives refuses fail)
		STATE=$STATE NOTES=$NOTES
		set -e
		cp -a "\$STATE" kept
		mount -t tmpfs -o size=64k none "\$STATE"
		cp -a kept/. "\$STATE"
		head -c 100000 /dev/zero | tr '\0' x >text
		full notes-write-file "{\"path\":\"a\",\"text\":\"\$(<text)\"}" notes/a
		full notes-append-to-file "{\"path\":\"a\",\"text\":\"\$(<text)\"}" notes/a
		full notes-write-file "{\"path\":\"d/e\",\"text\":\"\$(<text)\"}" notes/d/e
		[ ! -e "\$NOTES/d" ]
		# To the last block: a claim cannot be stored either.
		cat /dev/zero >"\$STATE/filler" 2>/dev/null || :
		full notes-write-file '{"path":"a","text":"new"}' window.json
		CTX_CONTEXT_DISABLED=1 full notes-write-file '{"path":"a","text":"new"}' notes/a
		full context-usage '{"used_tokens":1,"context_window":2}' window.json
		refuses fenced notes-read-file '{"path":"a"}'
		rm "\$STATE/filler"
		does notes-append-to-file '{"path":"a","text":" and new"}'
		gives .rollover_requested true
		[ "\$(<"\$NOTES/a")" = 'old and new' ]
		[ -z "\$(find "\$STATE" -name '.ctx-tmp-*')" ]
		echo done
	END
	unshare -rm bash script >log 2>&1 || fail "$(<log)"
	[ "$(tail -n 1 log)" = 'done' ] || fail "$(<log)"
}

# kept: what a kill may leave of note a, which was `was` and was to be `new`.
kept() {
	local size at
	cmp -s "$NOTES/a" new && updated=$((updated + 1)) ||
		cmp "$NOTES/a" was || fail "$1: neither old nor new"
	size=$(stat -c %s "$NOTES/a")
	does notes-read-file '{"path":"a","limit_chars":1}'
	gives '[.bytes,.created_at]' "[$size,\"2030-03-17T17:46:40.000Z\"]"
	at=$(jq -r .updated_at json)
	[[ ! $at < $last ]] || fail "$1: updated at $at, after $last"
	last=$at
	! grep -vqxE '[0-9]+ [0-9]+ a' "$STATE/agents/root/notes.meta" ||
		fail "$1: $(<"$STATE/agents/root/notes.meta")"
	[ "$(wc -l <"$STATE/agents/root/notes.meta")" -eq 1 ]
	cp "$NOTES/a" was
}

# The moment is random within what a call takes, which is found as it goes.
@test "8.2: kill -9 at any moment leaves a whole note and a state that works" {
	local i span=4000 moment struck=0 updated=0 last kills=${KILLS:-60}
	note a "$(printf '%0100000d' 1)"
	last=$(jq -r .updated_at json)
	cp "$NOTES/a" was
	mkfifo never
	exec 9<>never
	for ((i = 1; i <= kills; i++)); do
		if [ $((i % 2)) -eq 1 ]; then
			jq -nc --arg i "$i," '{path:"a",text:($i * 30000)}' >call
			jq -j .text call >new
			notes-write-file <call >out 2>&1 9<&- &
		else
			jq -nc --arg i "$i," '{path:"a",text:($i * 3000)}' >call
			jq -j .text call | cat was - >new
			notes-append-to-file <call >out 2>&1 9<&- &
		fi
		printf -v moment '0.%06d' $((RANDOM * 32768 % span + RANDOM % span))
		read -rt "$moment" -u 9 || :
		kill -9 $! 2>/dev/null || :
		if wait $! 2>/dev/null; then
			span=$((span - span / 8))
		else
			struck=$((struck + 1))
			span=$((span + span / 8))
		fi
		kept "kill $i"
	done
	exec 9<&-
	[ $struck -ge $((kills / 4)) ] || fail "only $struck of $kills were killed"
	[ $updated -ge $((kills / 8)) ] || fail "only $updated of $kills wrote"
	echo "# $kills times: $struck killed, $updated written" >&3
	note a end
	does notes-list-files-by-prefix '{}'
	gives '[(.files | length), .skipped]' '[1,null]'
	CTX_NOW_MS=1900007200000 does context-init '{}'
	[ -z "$(find "$STATE" -name '.ctx-tmp-*')" ] || fail 'leftovers stay'
}

@test "9: a registry that is unreadable is never replaced" {
	note a x
	for text in '' '{' '[]' '{"version":2,"agents":[]}' '{"version":1,"agents":[]}'; do
		printf %s "$text" >"$STATE/agents.json"
		call notes-write-file '{"path":"a","text":"y"}'
		[ $rc -eq 4 ] && grep -q agents.json err || fail "exit $rc: $(<err)"
		[ "$(<"$STATE/agents.json")" = "$text" ]
	done
}

@test "9: a record of times that is torn counts as far as it parses" {
	note a x
	note b y
	printf '1 x b\n17 1900000000001 b\n99 99 ../c\n\n1800000000000 1900000000000 a\n5 5 torn' \
		>"$STATE/agents/root/notes.meta"
	does notes-list-files-by-prefix '{}'
	gives '[.files[].created_at]' '["2027-01-15T08:00:00.000Z","1970-01-01T00:00:00.017Z"]'
	rm "$STATE/agents/root/notes.meta"
	does notes-list-files-by-prefix '{}'
	gives '[.files[].created_at]' '["2030-03-17T17:46:40.000Z","2030-03-17T17:46:40.001Z"]'
}
