#!/usr/bin/env bats
# output-run: spec/output.md sections 6.3 and 6.4.

load output

setup() {
	common_setup
	export CTX_STATE_DIR=$BATS_TEST_TMPDIR/state
}

# result <jq> <arguments>: of the JSON line.
result() {
	output-run -j <<<"$2" 2>err | jq -c "$1"
}
spills() {
	find "$CTX_STATE_DIR/.output" -type f 2>/dev/null
}

# started <file>: waits until the child has said so.
started() {
	until [ -e "$1" ]; do sleep 0.02; done
}

@test "the result: both outputs in the order of arrival, status, numbers" {
	row_without_time '{"argv":["sh","-c","echo one; echo two >&2; printf three"]}' \
		'{"text":"one\ntwo\nthree","truncation":{"truncated":false,"truncatedBy":null,"totalLines":3,"totalBytes":13,"outputLines":3,"outputBytes":13,"lastLinePartial":false,"firstLineExceedsLimit":false,"maxLines":2000,"maxBytes":51200},"exitCode":0,"signal":null,"reason":"exit","isError":false,"note":null,"rawBytes":13}'
	row_without_time '{"argv":["sh","-c","exit 3"]}' \
		'{"text":"","truncation":{"truncated":false,"truncatedBy":null,"totalLines":0,"totalBytes":0,"outputLines":0,"outputBytes":0,"lastLinePartial":false,"firstLineExceedsLimit":false,"maxLines":2000,"maxBytes":51200},"exitCode":3,"signal":null,"reason":"exit","isError":true,"note":"Command exited with code 3","rawBytes":0}'
	all_right
	[ "$(result '.durationMs >= 0' '{"argv":["true"]}')" = true ]
	# The child's status is data.
	run -0 output-run <<<'{"argv":["sh","-c","echo x; exit 3"]}'
	assert_line --index 1 x
	assert_line --index 2 'Command exited with code 3'
}
row_without_time() {
	local got
	got=$(output-run -j <<<"$1" | jq -c 'del(.durationMs)')
	ROWS=$((ROWS + 1))
	[ "$got" = "$2" ] && return 0
	WRONG=$((WRONG + 1))
	printf '%s\n  want %s\n  got  %s\n' "$1" "$2" "$got"
}

@test "how it ended: signals, timeout, a child that ignores SIGTERM" {
	[ "$(result '[.exitCode,.signal,.reason,.isError,.note]' '{"argv":["sh","-c","kill -KILL $$"]}')" = \
		'[null,"KILL","signal",true,"Command was killed by signal KILL"]' ]
	[ "$(result '[.text,.signal,.reason,.note]' '{"argv":["sh","-c","echo a; sleep 9"],"timeout_ms":150}')" = \
		'["a\n","TERM","timeout","Command timed out after 0.15 seconds"]' ]
	[ "$(result '[.signal,.reason,.note]' '{"argv":["sh","-c","trap : TERM; while :; do sleep 0.05; done"],"timeout_ms":1500,"grace_ms":100}')" = \
		'["KILL","timeout","Command timed out after 1.5 seconds"]' ]
	[ "$(result '[.exitCode,.reason]' '{"argv":["sh","-c","trap \"exit 7\" TERM; while :; do sleep 0.05; done"],"timeout_ms":100}')" = \
		'[7,"timeout"]' ]
	# Its whole group is stopped, and what has closed its output is waited for.
	[ "$(result '[.text,.reason]' '{"argv":["sh","-c","sleep 30 & echo $! >pid; echo x; exec >&- 2>&-; wait"],"timeout_ms":200}')" = '["x\n","timeout"]' ]
	[[ $(ps -o stat= -p "$(<pid)") =~ ^(Z.*|)$ ]]
}

@test "a limit is crossed: the window, the footer, the spill file with every byte" {
	seq 3000 >want
	run -0 output-run -j -- seq 3000
	local path
	path=$(jq -r .spillPath <<<"$output")
	[[ $path == "$CTX_STATE_DIR"/.output/run-????????????????.log ]]
	cmp want "$path"
	[ "$(stat -c %a "$path" "${path%/*}")" = $'600\n700' ]
	[ "$(jq -r '.note' <<<"$output")" = "[Showing lines 1001-3000 of 3000. Full output: $path]" ]
	[ "$(jq -r '.text' <<<"$output")" = "$(seq 1001 3000)" ]
	# Raw: before decoding and sanitising.
	run -0 output-run -j --max-bytes 4 --spill-dir spilled -- printf 'a\377\033[31mb\r\n'
	[ "$(od -An -c <"$(jq -r .spillPath <<<"$output")" | tr -d ' ')" = 'a377033[31mb\r\n' ]
	[ -d spilled ]
}

@test "spill: always, never, a directory that cannot be" {
	[ "$(result '.spillPath | length > 0' '{"argv":["true"],"spill":"always"}')" = true ]
	[ "$(spills | wc -l)" -eq 1 ]
	[ "$(result '[.spillPath,.note]' '{"argv":["seq","9"],"spill":"never","max_lines":2}')" = '[null,"[Showing lines 8-9 of 9]"]' ]
	[ "$(spills | wc -l)" -eq 1 ]
	touch file
	code output-run '{"argv":["touch","ran"],"spill":"always","spill_dir":"file/x"}' spill_failed
	[ ! -e ran ]
	# Later: the group is killed, and it is not a success.
	[ "$(result '[.reason,.isError,.signal]' '{"argv":["sh","-c","seq 9999; sleep 20"],"spill_dir":"file/x"}')" = '["spill",true,"KILL"]' ]
	result .note '{"argv":["seq","9999"],"spill_dir":"file/x"}' | grep -qF 'Command stopped: the output file could not be written: '
	run -4 output-run --spill-dir file/x -- seq 9999
	all_right
}

@test "a disk that is full: reason spill, what was kept is shown" {
	run -4 bash -c 'ulimit -f 100; output-run -- sh -c "seq 100000; sleep 20"'
	assert_output --partial 'Command stopped: the output file could not be written: '
	assert_output --partial 'File too large'
}

@test "head: what was shown stays; the footers of a start" {
	[ "$(result '[.text,.note,.lastLineBytes]' '{"argv":["printf","abcd\\nefgh\\nijkl"],"head":true,"max_bytes":7,"spill":"never"}')" = \
		'["abcd\nef","[Showing lines 1-2 of 3, line 2 cut (7B limit)]",4]' ]
	[ "$(result '[.text,.note,.truncation.firstLineExceedsLimit]' '{"argv":["printf","abcdef\\nx"],"retain":"head","max_bytes":5,"spill":"never"}')" = \
		'["abcde","[Showing first 5B of line 1 of 2 (line is 6B)]",true]' ]
	usage head output-run --head --retain tail --argv true
	all_right
}

@test "sanitised, unless it is not to be; binary output" {
	[ "$(result .text '{"argv":["printf","10%%\\r20%%\\r\\n\\033[31mred\\033[0m"]}')" = '"10%\n20%\nred"' ]
	[ "$(result .text '{"argv":["printf","\\033[31mred\\r\\n"],"sanitize":false}')" = '"\u001b[31mred\r\n"' ]
	[ "$(result '[.text,.rawBytes]' '{"argv":["printf","a\\377\\342\\202b"]}')" = '["a��b",5]' ]
	[ "$(result '.truncation | [.totalBytes,.lastLinePartial]' '{"argv":["head","-c","3000000","/dev/zero"]}')" = '[3000000,true]' ]
	all=$(result '[.text, .lastLineBytes]' '{"argv":["sh","-c","tr \"\\\\0\" \"\\\\033\" </dev/zero | head -c 3000000"]}')
	[ "$all" = '["",3000000]' ]
}

@test "a process in the background that holds the pipe does not hold the result" {
	run -0 timeout 10 output-run -- sh -c 'sleep 40 & echo $! >pid; echo started'
	kill "$(<pid)"
	assert_output 'started

A background process still holds the output pipe; what it writes from now on is not kept'
	[ "$(timeout 10 output-run -j -- sh -c 'sleep 40 & echo $! >pid; echo started' | jq -c '[.pipeHeld,.reason,.isError]')" = '[true,"exit",false]' ]
	kill "$(<pid)"
	# What it says within a moment still belongs to it.
	[ "$(result '[.text,.pipeHeld]' '{"argv":["sh","-c","(sleep 0.05; echo late) & echo x"]}')" = '["x\nlate\n",null]' ]
}

@test "not run for a while: what had ended meanwhile had not timed out, and is whole" {
	output-run -j --timeout-ms 900 -- sh -c '>up; while [ ! -e on ]; do sleep 0.02; done; seq 3000; >over' >out &
	local pid=$!
	started up
	kill -STOP $pid
	touch on
	started over
	sleep 1
	kill -CONT $pid
	wait $pid
	[ "$(jq -c '[.reason, .exitCode, .pipeHeld, .truncation.totalLines]' out)" = '["exit",0,null,3000]' ]
	# One that holds the pipe, and fills it for ever, is left at the timeout.
	run -0 timeout 20 output-run -j --spill never --timeout-ms 400 -- sh -c 'yes & echo $! >pid'
	[ "$(jq -c '[.reason, .pipeHeld]' <<<"$output")" = '["exit",true]' ]
	kill "$(<pid)" || true
}

@test "cwd, env, input, argv as they are" {
	mkdir -p at/b
	[ "$(CTX_CWD=$PWD/at result .text '{"argv":["pwd"],"cwd":"b"}')" = "\"$PWD/at/b\\n\"" ]
	[ "$(CTX_CWD=$PWD/at result .text '{"argv":["pwd"]}')" = "\"$PWD/at\\n\"" ]
	[ "$(KEEP=1 GONE=1 result .text '{"argv":["sh","-c","echo $KEEP-$GONE-$NEW"],"env":{"GONE":null,"NEW":"a b"}}')" = '"1--a b\n"' ]
	[ "$(result .text '{"argv":["cat"],"input":"a\u0000b"}')" = '"ab"' ]
	[ "$(result .rawBytes '{"argv":["cat"],"input":"a\u0000b"}')" = 3 ]
	[ "$(result .text '{"argv":["cat"]}')" = '""' ]
	[ "$(result .text '{"argv":["printf","%s|","a b","","*","$x"]}')" = '"a b||*|$x|"' ]
	# A child that does not read its input is not a failure.
	[ "$(jq -n '{argv:["true"],input:("x"*3000000)}' | output-run -j | jq .exitCode)" = 0 ]
	code output-run '{"argv":["true"],"cwd":"none"}' not_found
	touch file
	code output-run '{"argv":["true"],"cwd":"file"}' not_file
	code output-run '{"argv":["no-such-command"]}' spawn_failed
	code output-run '{"argv":["/etc"]}' spawn_failed
	all_right
}

@test "the child: a session of its own, no terminal, default signals, no descriptors" {
	run -0 bash -c 'trap "" PIPE INT; exec 9</dev/null; output-run -- bash -c "
		ps -o sid= -p \$\$ | tr -d \" \"; echo \$\$; (: </dev/tty) 2>/dev/null || echo no terminal
		trap -p; ls /proc/self/fd | tr \"\n\" \" \""'
	[ "${lines[0]}" = "${lines[1]}" ]
	[ "${lines[2]}" = 'no terminal' ]
	[ "${lines[3]}" = '0 1 2 3 ' ]
}

@test "a person: the text alone, and the exit status of the command" {
	run -7 output-run -- sh -c 'echo x; exit 7'
	assert_output $'x\n\nCommand exited with code 7'
	run -143 output-run -- sh -c 'kill -TERM $$'
	run -124 output-run --timeout-ms 100 -- sleep 9
	run -0 output-run -- true
	assert_output '(no output)'
	run -127 --separate-stderr output-run -- no-such-command
	# shellcheck disable=SC2154
	[ -z "$output" ] && [ "$stderr" = 'output-run: "no-such-command": No such file or directory' ]
	run -126 --separate-stderr output-run -- /etc
	[ -z "$output" ] && [ "$stderr" = 'output-run: "/etc": Permission denied' ]
	printf 'x\n' >want
	output-run -- echo x >got
	cmp want got
	output-run -- printf x >got
	cmp want got
	[ "$(output-run -j -- sh -c 'exit 2' | jq .exitCode)" = 2 ]
	[ "$(echo from stdin | output-run -- cat)" = 'from stdin' ]
	run -0 output-run --argv sh --argv -c --argv 'exit 4'
	run -4 bash -c 'output-run -- echo x >/dev/full'
	assert_output 'output-run: standard output: No space left on device'
}

@test "signals reach its group: what it has printed is shown, and 128 + number" {
	local name pid rc
	for name in INT TERM HUP; do
		rc=0
		rm -f up
		output-run --grace-ms 60000 -- bash -c "trap 'echo got $name; exit 0' $name; echo a; >up; while :; do sleep 0.02; done" >out &
		pid=$!
		started up
		kill -$name $pid
		wait $pid || rc=$?
		[ $rc -eq $((128 + $(kill -l $name))) ]
		# bash itself may say that the sleep in its group was ended.
		[ "$(grep -vE 'Terminated|Hangup' out)" = "a
got $name

Command aborted" ]
	done
	# A second one kills at once.
	rm -f up
	output-run --grace-ms 60000 -- bash -c 'trap "" INT; >up; while :; do sleep 0.02; done' >out &
	pid=$! rc=0
	started up
	kill -INT $pid
	sleep 0.2
	kill -INT $pid
	wait $pid || rc=$?
	[ $rc -eq 130 ]
}

@test "a terminal: shown as it comes, all of it, escaped" {
	script -qefc "output-run -- sh -c 'printf \"a\\033[31mb\\177\\n\"; sleep 0.4; seq 3000; exit 5'" live >/dev/null || [ $? -eq 5 ]
	tr -d '\r' <live | sed '1d;$d' >shown
	[ "$(head -n 1 shown)" = 'ab\u007f' ]
	[ "$(sed -n '2,3001p' shown)" = "$(seq 3000)" ]
	[ "$(sed -n 3003p shown)" = "[Showing lines 1002-3001 of 3001. Full output: $(spills)]" ]
	[ "$(sed -n 3005p shown)" = 'Command exited with code 5' ]
	run -0 script -qec 'output-run -- true' /dev/null
	[ "${output//$'\r'/}" = '(no output)' ]
	run -0 script -qec 'output-run -- printf x' /dev/null
	[ "${output//$'\r'/}" = x ]
}

# at_shell <steps>: what an interactive shell shows; see terminal.pl.
at_shell() {
	PS1='ready> ' run perl "${BATS_TEST_DIRNAME:?}/terminal.pl" --script "$1" bash --norc --noprofile --noediting -i
	output=${output//$'\r'/}
	printf '%s\n' "$output"
	[ "$status" -eq 0 ]
}

@test "a job at a terminal: what is typed is its input, Ctrl-Z and fg are as with any" {
	at_shell "= 24 80
< ready>
> output-run -- sh -c 'stty size; read -r a; echo got \$a; read -r b; echo and \$b; exit 3'\\n
< 24 80
> one\\n
< got one
> \\x1a
< Stopped
< ready>
> jobs\\n
< Stopped
> fg\\n
> two\\n
< and two
< Command exited with code 3
< ready>
> echo status \$?\\n
< status 3
> sh -c 'output-run -- cat; echo it was \$?'\\n
> three\\n
< three
< three
> \\x1a
< Stopped
> fg\\n
< sh -c
> four\\n
< four
< four
> \\x04
< it was 0
< ready>
> exit\\n"
}

@test "a job at a terminal: Ctrl-C is the child's, its status ours; SIGWINCH reaches it" {
	at_shell "= 24 80
< ready>
> output-run -- perl -E '\$SIG{WINCH} = sub { print qx(stty size) }; \$| = 1; say \"up\"; sleep 9 while 1'\\n
< while 1'
< up
= 30 99
< 30 99
> \\x03
< Command aborted
< ready>
> echo status \$?\\n
< status 130
> output-run -- bash -c 'trap \"echo caught; exit 7\" INT; echo \"up\"; while :; do sleep 0.02; done'\\n
< done'
< up
> \\x03
< caught
< Command exited with code 7
< ready>
> output-run -- sh -c 'stty -echo raw; kill -KILL \$\$'\\n
< was killed by signal KILL
< ready>
> stty -a\\n
< isig icanon
< echo echoe
< ready>
> exit\\n"
}

@test "a job at a terminal: Ctrl-Z stops a leader that waits in vfork for a child that stopped first" {
	# CLONE_VFORK | SIGCHLD; the child goes to its exec once it has been stopped.
	cat >leader <<'END'
#!/usr/bin/perl
use POSIX ();
$| = 1;
my $clone = {x86_64 => 56, aarch64 => 220}->{(POSIX::uname())[4]} // die "which call is clone?";
$SIG{CONT} = sub { $on = 1 };
my $pid = syscall $clone, 0x4000 | 17, 0, 0, 0, 0;
if ($pid == 0) {
	print "in\n";
	select undef, undef, undef, 0.01 until $on;
	exec 'sh', '-c', 'until [ -e on ]; do sleep 0.01; done' or die;
}
waitpid $pid, 0;
print "went on\n";
exit 3;
END
	chmod +x leader
	at_shell "< ready>
> output-run -- ./leader\\n
< in
> \\x1a
< Stopped
< ready>
> touch on; fg\\n
< went on
< Command exited with code 3
< ready>
> exit 0\\n"
}

@test "a job at a terminal: bg lets it go on, and stops it again where it reads" {
	at_shell "< ready>
> output-run -- perl -E '\$| = 1; say 6 * 6; select undef, undef, undef, .05 until -e \"on\"; say 6 * 7'\\n
< 36
> \\x1a
< Stopped
< ready>
> bg\\n
< &
< ready>
> jobs\\n
< Running
< ready>
> touch on\\n
< 42
> wait\\n
> output-run -- perl -E '\$| = 1; say 6 * 6; \$a = <STDIN>; print \"got \$a\"; exit 3'\\n
< 36
> \\x1a
< Stopped
< ready>
> bg\\n
< &
< ready>
> wait; jobs\\n
< Stopped
< ready>
> fg\\n
< output-run
> line\\n
< got line
< Command exited with code 3
< ready>
> exit 0\\n"
}

@test "no job: in the background, with -j and behind a pipe there is no terminal" {
	at_shell "< ready>
> output-run -- cat &\\n
< (no output)
> wait\\n
< ready>
> output-run -j -- cat\\n
< \"text\":\"\"
< ready>
> output-run -- sh -c ': </dev/tty' | cat\\n
< Command exited with code
< ready>
> output-run -- no-such-command\\n
< No such file
< ready>
> echo status \$?\\n
< status 127
> exit\\n"
}

@test "stopped at the keyboard, the child stops too, and goes on" {
	bash -c 'exec output-run -- bash -c ">up; while [ ! -e over ]; do echo . >>dots; sleep 0.02; done; echo done"' >out &
	local pid=$! before
	started dots
	kill -TSTP $pid
	until [[ $(ps -o stat= -p $pid) == T* ]]; do sleep 0.02; done
	sleep 0.1
	before=$(wc -l <dots)
	sleep 0.2
	[ "$(wc -l <dots)" = "$before" ]
	kill -CONT $pid
	until [ "$(wc -l <dots)" -gt "$before" ]; do sleep 0.02; done
	touch over
	wait $pid
	[ "$(<out)" = 'done' ]
}

@test "stream: start, batches over the state, end; the fold is the result" {
	output-run --stream --id r1 --max-lines 3 -- sh -c 'echo one; sleep 0.2; seq 5; exit 2' >events
	[ "$(head -n 1 events | jq -c '[.event,.id,(.pid | type)]')" = '["start","r1","number"]' ]
	jq -s -c '.[-1]' events | jq -e '.event == "end" and .isError and .exitCode == 2 and .signal == null
		and .reason == "exit" and .rawBytes == 14 and (keys | length) == 8'
	sed '1d;$d' events >batches
	[ "$(tail -n 1 events | jq -c '[.batches,.bytes]')" = "[$(wc -l <batches),$(jq -c .ops batches | awk '{ n += length($0) } END { print n }')]" ]
	head -n 1 batches | jq -e '.seq == 0 and .base and .ops[0][1].content[0].text == "" and .ops[0][1].details == {}'
	ops-fold --stream <batches | jq -c .state >folded
	local path
	path=$(spills)
	[ "$(jq -r '.content[0].text' folded)" = "3
4
5

[Showing lines 4-6 of 6. Full output: $path]

Command exited with code 2" ]
	[ "$(jq -r '.spillPath' folded)" = "$path" ]
}

@test "what is refused has made no file for the output" {
	code output-run '{"argv":["no-such"],"spill":"always"}' spawn_failed
	run -127 output-run --spill always -- no-such
	output-sink --journal j --events '[{"end":{"error":null}}]' >/dev/null
	code output-run '{"argv":["true"],"spill":"always","journal":"j"}' settled
	mkdir dir
	code output-run '{"argv":["true"],"spill":"always","journal":"dir"}' not_file
	[ -z "$(spills)" ]
	# Nor a journal, where that file cannot be made.
	touch file
	code output-run '{"argv":["true"],"spill":"always","spill_dir":"file/x","journal":"k"}' spill_failed
	[ ! -e k ]
	all_right
}

@test "stream: refusals are lines" {
	stream 1 '{"error":"\"no-such\": No such file or directory","code":"spawn_failed"}' output-run --argv no-such --journal j
	[ ! -e j ]
	stream 1 "{\"error\":\"cwd: there is no directory \\\"$PWD/none\\\"\",\"code\":\"not_found\"}" output-run --argv true --cwd none
	usage '-t' output-run --stream -t --argv true
	all_right
}

@test "P7: each view of a stream of pieces is the window of what has come; slides are short" {
	local text
	text='for i in $(seq 400); do printf "line %d of an ordinary build\n" $i; [ $((i % 40)) -ne 0 ] || sleep 0.03; done'
	output-run --stream --min-ms 0 --bytes-per-s 1000000000 --max-bytes 600 --max-lines 30 -- bash -c "$text" >events
	sed '1d;$d' events | ops-fold --stream --every --path '["content",0,"text"]' >views
	jq -s -e 'all(.[:-1][]; .value | (utf8bytelength <= 600) and ((split("\n") | length) <= 31))' views
	bash -c "$text" >whole
	[ "$(sed '$d' views | tail -n 1 | jq -r .value)" = "$(output-truncate --text - --max-bytes 600 --max-lines 30 -j <whole | jq -r .text)" ] ||
		[ "$(tail -n 1 views | jq -r .value | head -n -2)" = "$(output-truncate --text - --max-bytes 600 --max-lines 30 -j <whole | jq -r .text)" ]
	# After the window is full a batch slides, and sets no whole text.
	sed '1d;$d' events | tail -n +4 | jq -e '[.ops[] | select(.[0] == "s" and .[1] == ["content",0,"text"])] == []'
}

@test "journal: the state with its notes, settled; killed, it is there up to the last line" {
	output-run --journal j --id r2 -- sh -c 'echo a; exit 1' >/dev/null || [ $? -eq 1 ]
	[ "$(output-journal recover --file j -j | jq -c '[.state.content[0].text,.settled,.isError]')" = '["a\n\nCommand exited with code 1",true,true]' ]
	[ "$(output-journal stat --file j -j | jq -r '.id + " " + .kind')" = 'r2 tool_output' ]
	code output-run '{"argv":["touch","ran"],"journal":"j"}' settled
	[ ! -e ran ]
	output-run --journal k --min-ms 10 -- bash -c 'echo one; sleep 0.3; echo two; echo $$ >pid; >up; exec sleep 60' >/dev/null &
	local pid=$!
	started up
	until output-journal recover --file k -j | grep -q two; do sleep 0.05; done
	kill -KILL $pid
	wait $pid || true
	kill "$(<pid)"
	[ "$(output-journal recover --file k -j | jq -c '[.state.content[0].text,.settled]')" = '["one\ntwo\n",false]' ]
	output-journal interrupt --file k -j | jq -e '.state.content[0].text | startswith("one\ntwo\n\n[The tool was")'
	# It cannot be written: the child is killed, exit 4.
	run -4 bash -c 'ulimit -f 2; output-run --spill never --journal l --min-ms 1 -- bash -c "while :; do seq 200; sleep 0.01; done"'
	mkdir dir
	code output-run '{"argv":["true"],"journal":"dir"}' not_file
	all_right
}

@test "busy: a journal held by another process, waited for and then refused; nothing is run" {
	local how said rc pid
	output-journal append --file j --ops '[["r",{"n":1}]]' >/dev/null
	cp j before
	said="\"$PWD/j\": another process holds it; waited for 10000 ms"
	for how in -x -s; do # a reader's lock keeps writers out, too
		hold j "$how"
		row 'hurry output-run' '{"argv":["touch","ran"],"journal":"j","spill":"always"}' 1 \
			"{\"error\":$(jq -Rc . <<<"$said"),\"code\":\"busy\"}"
		stream 1 "{\"error\":$(jq -Rc . <<<"$said"),\"code\":\"busy\"}" \
			hurry output-run --journal j --spill always --argv touch --argv ran
		run -1 hurry output-run --journal j --spill always -- touch ran
		assert_output "error: busy: $said"
		let_go
	done
	cmp before j
	[ ! -e ran ]
	[ ! -e "$CTX_STATE_DIR/.output" ] # nor was a file made for the output
	# While it runs: the group is killed, exit 4, the lines before stand.
	rm held
	hurry output-run --journal k --min-ms 1 --env '{"LD_PRELOAD":null}' -- \
		sh -c 'echo one; until [ -e held ]; do sleep 0.02; done; echo two; echo $$ >pid; exec sleep 600' >out 2>err &
	pid=$!
	until output-journal recover --file k -j 2>/dev/null | grep -q one; do sleep 0.02; done
	hold k
	rc=0
	wait $pid || rc=$?
	let_go
	[ "$rc" -eq 4 ]
	grep -qF 'another process holds it' err
	[ ! -s out ]
	[ ! -e pid ] || [[ $(ps -o stat= -p "$(<pid)") =~ ^(Z.*|)$ ]]
	[ "$(output-journal recover --file k -j | jq -c '[.state.content[0].text,.settled]')" = '["one\n",false]' ]
	# One that lets go in time is waited for.
	flock k sh -c 'touch holds; sleep 0.3; touch released' 3>&- &
	until [ -e holds ]; do sleep 0.01; done
	output-run --journal k -- echo three >/dev/null
	[ -e released ]
	[ "$(output-journal recover --file k -j | jq -c '[.state.content[0].text,.settled]')" = '["three\n",true]' ]
	wait
	all_right
}

@test "arguments that are none" {
	usage argv output-run --stream
	run -2 output-run <<<'{"argv":[]}'
	run -2 output-run <<<'{"argv":[""]}'
	run -2 output-run <<<'{"argv":["a\u0000b"]}'
	run -2 output-run <<<'{"argv":["true"],"env":{"A":1}}'
	run -2 output-run <<<'{"argv":["true"],"env":{"A=B":"x"}}'
	run -2 output-run <<<'{"argv":["true"],"stream":true}'
	usage --timeout-ms output-run --timeout-ms 86400001 --argv true
	usage --grace-ms output-run --grace-ms 60001 --argv true
	usage --max-bytes output-run --max-bytes 0 --argv true
	usage spill output-run --spill sometimes --argv true
	usage id output-run --id '' --argv true
	usage --retain output-run --retain both --argv true
	usage --max-lines output-run --max-lines 1000001 --argv true
	usage --rebase-every output-run --rebase-every 1000001 --argv true
	usage --min-ms output-run --min-ms 60001 --argv true
	usage --bytes-per-s output-run --bytes-per-s 0 --argv true
	usage --fsync output-run --fsync sometimes --argv true
	run -2 output-run <<<'{"argv":["true"],"cwd":"a\u0000"}'
	run -2 output-run <<<'{"argv":["true"],"env":{"A":"\u0000"}}'
	run -2 output-run < <(jq -nc '{argv: [range(4097) | "x"]}')
	all_right
}

@test "100 MB go by in bounded memory" {
	run -0 bash -c "ulimit -v $(memory output-run 60000)"'; output-run -j -- bash -c "yes some output | head -c 100000000"'
	[ "$(jq -c '[.rawBytes, .truncation.totalLines]' <<<"$output")" = '[100000000,8333334]' ]
	[ "$(stat -c %s "$(jq -r .spillPath <<<"$output")")" = 100000000 ]
}
