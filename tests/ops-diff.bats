#!/usr/bin/env bats
# ops-diff: spec/output.md section 3.  Its algorithm is tested by test_delta.

load output

@test "the vectors: ops, whether they are a base, their bytes" {
	row ops-diff '{"before":{"v":"hello world"},"after":{"v":"world"}}' 0 \
		'{"ops":[["t",["v"],6]],"base":false,"bytes":15}'
	row ops-diff '{"before":{"v":"😀😁😂"},"after":{"v":"😁😂😀"}}' 0 \
		'{"ops":[["t",["v"],2],["a",["v"],"😀"]],"base":false,"bytes":34}'
	row ops-diff '{"before":{"v":[3,1,2]},"after":{"v":[1,2,3]},"verbs":7}' 0 \
		'{"ops":[["m",["v"],[1,2,0]]],"base":false,"bytes":21}'
	row ops-diff '{"after":{"n":1}}' 0 '{"ops":[["r",{"n":1}]],"base":true,"bytes":15}'
	row ops-diff '{"before":null,"after":null}' 0 '{"ops":[],"base":false,"bytes":2}'
	row ops-diff '{"before":null,"after":1}' 0 '{"ops":[["r",1]],"base":true,"bytes":9}'
	row ops-diff '{"before":["0123456789"],"after":["6789x"],"scan":3}' 0 \
		'{"ops":[["s",[0],"6789x"]],"base":false,"bytes":19}'
	all_right
}

@test "values keep what they are made of" {
	row ops-diff '{"after":[1.0,1e400,12345678901234567890,-0,"\u0000/\u007f\b","é\ud83d\ude00"]}' 0 \
		$'{"ops":[["r",[1.0,1e400,12345678901234567890,-0,"\\u0000/\x7f\\b","é😀"]]],"base":true,"bytes":65}'
	row ops-diff '{"before":{"n":1.0},"after":{"n":1}}' 0 '{"ops":[["s",["n"],1]],"base":false,"bytes":15}'
	all_right
}

@test "text: an op a line, or that there is none" {
	run -0 ops-diff --before '{"v":"abcdefgh","n":1}' '{"v":"defghxyz","n":1}'
	assert_output $'["t",["v"],3]\n["a",["v"],"xyz"]'
	run -0 ops-diff --before '[1]' --after '[1]'
	assert_output '(no change)'
	run -0 ops-diff -t <<<'{"after":"\u001b[31m"}'
	assert_output '["r","\u001b[31m"]'
}

@test "a value that is too deep" {
	local deep
	deep=$(printf '[%.0s' {1..56})$(printf ']%.0s' {1..56})
	row ops-diff "{\"after\":$deep}" 0 "{\"ops\":[[\"r\",$deep]],\"base\":true,\"bytes\":120}"
	stream 0 "{\"seq\":0,\"base\":true,\"ops\":[[\"r\",$deep]]}" ops-diff <<<"{\"state\":$deep}"
	stream 1 '{"error":"a value 63 levels deep; legal: at most 56","code":"too_large","line":1}' ops-diff \
		<<<"{\"state\":[[[[[[[$deep]]]]]]]}"
	deep=$(printf '[%.0s' {1..57})$(printf ']%.0s' {1..57})
	row ops-diff "{\"after\":$deep}" 1 \
		'{"error":"a value 57 levels deep; legal: at most 56","code":"too_large"}'
	deep=$(printf '[%.0s' {1..65})$(printf ']%.0s' {1..65})
	usage 'deeper' ops-diff "$deep"
	run -2 ops-diff <<<"{\"after\":$deep}"
	assert_output --partial deeper
	all_right
}

@test "arguments that are none" {
	usage verbs ops-diff --verbs 5 1
	usage scan ops-diff --scan -1 1
	usage scan ops-diff --scan 67108865 1
	row ops-diff '{"before":{"v":"ab"},"after":{"v":"bc"},"scan":67108864}' 0 \
		'{"ops":[["t",["v"],1],["a",["v"],"c"]],"base":false,"bytes":31}'
	usage after ops-diff '{"x":[{"a":1,"\u0061":2}]}'
	usage after ops-diff --before 1
	usage after ops-diff '{"a":1,"\u0061":2}'
	usage after ops-diff '"\ud800"'
	usage after ops-diff '[1,'
	usage '-t' ops-diff --stream -t
	usage after ops-diff --stream --after 1
	usage before ops-diff --stream --before 1
	usage --rebase-every ops-diff --stream --rebase-every 1000001
	run -2 ops-diff <<<'{"after":1,"stream":true}'
	assert_output --partial stream
	run -2 ops-diff <<<$'{"after":"\xff"}'
	assert_output --partial UTF-8
	all_right
}

@test "stream: states in, batch lines out" {
	printf '%s\n' '{"state":{"log":""}}' '' '{"state":{"log":""}}' '{"state":{"log":"x"}}' \
		'{"rebase":true}' '{"state":{"log":"x"}}' '{"state":{"log":"xy"}}' |
		stream 0 '{"seq":0,"base":true,"ops":[["r",{"log":""}]]}
{"seq":1,"base":false,"ops":[["a",["log"],"x"]]}
{"seq":2,"base":true,"ops":[["r",{"log":"x"}]]}
{"seq":3,"base":false,"ops":[["a",["log"],"y"]]}' ops-diff
	printf '{"state":[%s]}\n' 1 2 2 3 4 | stream 0 '{"seq":0,"base":true,"ops":[["r",[1]]]}
{"seq":1,"base":false,"ops":[["s",[0],2]]}
{"seq":2,"base":true,"ops":[["r",[3]]]}
{"seq":3,"base":false,"ops":[["s",[0],4]]}' ops-diff --rebase-every 2
	# A change at the root is a base by itself, from which it is counted anew.
	printf '{"state":%s}\n' '[1]' '[2]' '{}' '{"a":1}' '{"a":2}' '{"a":3}' | stream 0 '{"seq":0,"base":true,"ops":[["r",[1]]]}
{"seq":1,"base":false,"ops":[["s",[0],2]]}
{"seq":2,"base":true,"ops":[["r",{}]]}
{"seq":3,"base":false,"ops":[["s",["a"],1]]}
{"seq":4,"base":false,"ops":[["s",["a"],2]]}
{"seq":5,"base":true,"ops":[["r",{"a":3}]]}' ops-diff --rebase-every 3
	# A base that was asked for is counted from, too, and waits for a state.
	printf '%s\n' '{"state":[1]}' '{"state":[2]}' '{"rebase":true}' '{"state":[2]}' '{"state":[3]}' '{"rebase":true}' |
		stream 0 '{"seq":0,"base":true,"ops":[["r",[1]]]}
{"seq":1,"base":false,"ops":[["s",[0],2]]}
{"seq":2,"base":true,"ops":[["r",[2]]]}
{"seq":3,"base":false,"ops":[["s",[0],3]]}' ops-diff --rebase-every 3
	printf '{"state":%s}\n' '[1]' '[2]' '[2]' | stream 0 '{"seq":0,"base":true,"ops":[["r",[1]]]}
{"seq":1,"base":true,"ops":[["r",[2]]]}' ops-diff --rebase-every 1
	# null is a state; the order of members is none.
	printf '{"state":%s}\n' null null '{"a":1,"b":2}' '{"b":2,"a":1}' | stream 0 '{"seq":0,"base":true,"ops":[["r",null]]}
{"seq":1,"base":true,"ops":[["r",{"a":1,"b":2}]]}' ops-diff
	printf '{"state":[%s]}\n' '3,1,2' '1,2,3' | stream 0 '{"seq":0,"base":true,"ops":[["r",[3,1,2]]]}
{"seq":1,"base":false,"ops":[["m",[],[1,2,0]]]}' ops-diff --verbs 7
	printf '{"state":["%s"]}\n' abc bcd | stream 0 '{"seq":0,"base":true,"ops":[["r",["abc"]]]}
{"seq":1,"base":false,"ops":[["s",[0],"bcd"]]}' ops-diff --scan 1
	printf '' | stream 0 '' ops-diff
	printf '{"state":1}' | stream 0 '{"seq":0,"base":true,"ops":[["r",1]]}' ops-diff
}

# answered <line> <answer> <program> [option]...: the answer to a line is there
# while the input is still open.
answered() {
	local line=$1 want=$2 got
	shift 2
	coproc "$@" --stream
	printf '%s\n' "$line" >&"${COPROC[1]}"
	IFS= read -r -t 30 got <&"${COPROC[0]}" || got="(none)"
	local to=${COPROC[1]}
	exec {to}>&-
	wait "$COPROC_PID" || :
	ROWS=$((ROWS + 1))
	[ "$got" = "$want" ] && return 0
	WRONG=$((WRONG + 1))
	printf '%s --stream\n  want %s\n  got  %s\n' "$*" "$want" "$got"
}

@test "stream: each line is written at once, by every program of the family" {
	local base='{"seq":0,"base":true,"ops":[["r",1]]}'
	answered '{"state":1}' "$base" ops-diff
	answered '[["r",1]]' '{"seq":0,"state":1}' ops-fold --every
	answered '[["r",1]]' '{"seq":0,"base":true,"wire":true,"ops":[["r",1]]}' ops-wire encode
	answered '[["r",1]]' "$base" ops-wire decode
	answered '[["q"]]' '{"line":1,"op":0,"code":"bad_op","detail":"\"q\" is not a verb; legal: r, s, d, a, t, p"}' \
		ops-wire check
	answered '[["r",1]]' "$base" ops-pace
	all_right
}

@test "stream: a line that is none ends it, and what was written stands" {
	local first='{"seq":0,"base":true,"ops":[["r",1]]}' none
	none='{"error":"byte 0: no state; legal: {\"state\":VALUE} or {\"rebase\":true}","code":"bad_line","line":3}'
	printf '{"state":1}\n\nx y' | stream 1 "$first"'
{"error":"byte 0: expected a value; legal: JSON","code":"bad_line","line":3}' ops-diff
	for line in 5 '{}' '[]' '{"state":1,"rebase":true}' '{"rebase":false}' '{"states":1}'; do
		printf '{"state":1}\n\n%s\n{"state":2}\n' "$line" | stream 1 "$first
$none" ops-diff
	done
	printf ' {"states":1}' | stream 1 '{"error":"byte 1: no state; legal: {\"state\":VALUE} or {\"rebase\":true}","code":"bad_line","line":1}' ops-diff
	printf '{"state":1}\n{"state":"\\ud800"}\n' | stream 1 "$first"'
{"error":"byte 10: lone surrogate in string; legal: JSON","code":"bad_line","line":2}' ops-diff
	printf '{"state":{"a":1,"\\u0061":2}}' | stream 1 '{"error":"byte 16: duplicate key \"a\"; legal: JSON","code":"bad_line","line":1}' ops-diff
	printf '{"state":"\xff"}' | stream 1 '{"error":"byte 10: invalid UTF-8; legal: JSON","code":"bad_line","line":1}' ops-diff
	printf '{"state":%064d' 0 | tr 0 '[' | stream 1 '{"error":"byte 72: nested deeper than 64; legal: JSON","code":"bad_line","line":1}' ops-diff
}

@test "stream: a line at the limit, and one over it" {
	{
		printf '{"state":"'
		head -c 67108852 /dev/zero | tr '\0' x
		printf '"}'
	} | ops-diff --stream | wc -c >got
	# {"seq":0,"base":true,"ops":[["r","..."]]} and LF
	[ "$(<got)" -eq $((67108852 + 39)) ]
	{
		printf '{"state":"'
		head -c 67108864 /dev/zero | tr '\0' x
		printf '"}\n'
	} | stream 1 '{"error":"a line of more than 67108864 bytes; legal: at most 67108864","code":"too_large","line":1}' ops-diff
}

@test "stream: a reader that is gone is exit 4" {
	run -4 bash -c 'printf "{\"state\":1}\n{\"state\":2}\n" | ops-diff --stream >/dev/full'
	assert_output 'ops-diff: standard output: No space left on device'
	run bash -c 'set -o pipefail; { sleep 0.2; printf "{\"state\":1}\n"; } | { ops-diff --stream; echo $? >status; } | true'
	[ "$(<status)" = 4 ]
}
