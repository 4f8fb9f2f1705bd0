#!/usr/bin/env bats
# ops-pace: spec/output.md section 5.3.

load output

@test "the example: a base at once, and the rest at the deadline or the end" {
	local three='{"atMs":0,"ops":[["r","a"]]},{"atMs":0,"ops":[["r","ab"]]},{"atMs":0,"ops":[["r","abc"]]}'
	row ops-pace "{\"lines\":[$three]}" 0 \
		'{"lines":[{"seq":0,"base":true,"atMs":0,"ops":[["r","a"]]},{"seq":1,"base":true,"atMs":0,"ops":[["r","abc"]]}],"in":3,"out":2,"bytes":24,"maxHoldMs":0}'
	row ops-pace "{\"lines\":[$three,{\"atMs\":150,\"ops\":[]}]}" 0 \
		'{"lines":[{"seq":0,"base":true,"atMs":0,"ops":[["r","a"]]},{"seq":1,"base":true,"atMs":100,"ops":[["r","abc"]]}],"in":4,"out":2,"bytes":24,"maxHoldMs":100}'
	run -0 ops-pace "[$three]"
	assert_output '{"seq":0,"base":true,"atMs":0,"ops":[["r","a"]]}
{"seq":1,"base":true,"atMs":0,"ops":[["r","abc"]]}
in 3, out 2, 24 B, held at most 0 ms'
	all_right
}

@test "what is held is folded together; a deadline does not move" {
	row ops-pace '{"lines":[{"atMs":0,"ops":[["r",{"n":0}]]},{"atMs":40,"ops":[["s",["n"],1]]},{"atMs":60,"ops":[["s",["n"],2]]},{"atMs":99,"ops":[["s",["n"],3]]},{"atMs":101,"ops":[["s",["n"],4]]},{"atMs":500,"ops":[]}]}' 0 \
		'{"lines":[{"seq":0,"base":true,"atMs":0,"ops":[["r",{"n":0}]]},{"seq":1,"base":false,"atMs":100,"ops":[["s",["n"],3]]},{"seq":2,"base":false,"atMs":200,"ops":[["s",["n"],4]]}],"in":6,"out":3,"bytes":45,"maxHoldMs":99}'
	# What changes nothing is not held: from the first change on.
	row ops-pace '{"lines":[{"atMs":0,"ops":[["r",{"n":0}]]},{"atMs":10,"ops":[]},{"atMs":20,"ops":[["s",["n"],0],["d",["x"]]]},{"atMs":60,"ops":[["s",["n"],2]]},{"atMs":80,"ops":[["s",["n"],3]]},{"atMs":500,"ops":[]}]}' 0 \
		'{"lines":[{"seq":0,"base":true,"atMs":0,"ops":[["r",{"n":0}]]},{"seq":1,"base":false,"atMs":100,"ops":[["s",["n"],3]]}],"in":6,"out":2,"bytes":30,"maxHoldMs":40}'
	# A member that is gone does not move those behind it.
	row ops-pace '{"min_ms":0,"bytes_per_s":1073741824,"lines":[{"atMs":0,"ops":[["r",{"a":0,"b":{"x":1},"c":{"x":1}}]]},{"atMs":1,"ops":[["d",["a"]]]},{"atMs":2,"ops":[["s",["b","x"],2]]},{"atMs":3,"ops":[["s",["c","x"],3]]}]}' 0 \
		'{"lines":[{"seq":0,"base":true,"atMs":0,"ops":[["r",{"a":0,"b":{"x":1},"c":{"x":1}}]]},{"seq":1,"base":false,"atMs":1,"ops":[["d",["a"]]]},{"seq":2,"base":false,"atMs":2,"ops":[["s",["b","x"],2]]},{"seq":3,"base":false,"atMs":3,"ops":[["s",["c","x"],3]]}],"in":4,"out":4,"bytes":90,"maxHoldMs":0}'
	# What is taken back in time is never said.
	row ops-pace '{"lines":[{"atMs":0,"ops":[["r",{"n":0}]]},{"atMs":10,"ops":[["s",["n"],1]]},{"atMs":20,"ops":[["s",["n"],0]]},{"atMs":150,"ops":[["s",["n"],2]]}]}' 0 \
		'{"lines":[{"seq":0,"base":true,"atMs":0,"ops":[["r",{"n":0}]]},{"seq":1,"base":false,"atMs":150,"ops":[["s",["n"],2]]}],"in":4,"out":2,"bytes":30,"maxHoldMs":0}'
	all_right
}

@test "the rate: a long batch puts off the next one; nothing to say costs nothing" {
	row ops-pace '{"bytes_per_s":100,"min_ms":0,"lines":[{"atMs":0,"ops":[["r","0123456789012345678"]]},{"atMs":1,"ops":[["r","x"]]},{"atMs":400,"ops":[]}]}' 0 \
		'{"lines":[{"seq":0,"base":true,"atMs":0,"ops":[["r","0123456789012345678"]]},{"seq":1,"base":true,"atMs":290,"ops":[["r","x"]]}],"in":3,"out":2,"bytes":40,"maxHoldMs":289}'
	row ops-pace '{"lines":[{"atMs":0,"ops":[["r",{"n":1}]]},{"atMs":200,"ops":[["s",["n"],1]]},{"atMs":201,"ops":[["s",["n"],2]]}]}' 0 \
		'{"lines":[{"seq":0,"base":true,"atMs":0,"ops":[["r",{"n":1}]]},{"seq":1,"base":false,"atMs":201,"ops":[["s",["n"],2]]}],"in":3,"out":2,"bytes":30,"maxHoldMs":0}'
	# 15 bytes at 7 a second are 2142.86 ms: rounded up.
	row ops-pace '{"bytes_per_s":7,"min_ms":0,"lines":[{"atMs":0,"ops":[["r",{"n":1}]]},{"atMs":1,"ops":[["s",["n"],2]]},{"atMs":2143,"ops":[]}]}' 0 \
		'{"lines":[{"seq":0,"base":true,"atMs":0,"ops":[["r",{"n":1}]]},{"seq":1,"base":false,"atMs":2143,"ops":[["s",["n"],2]]}],"in":3,"out":2,"bytes":30,"maxHoldMs":2142}'
	# min_ms 0 and a rate that takes no time: each batch goes out.
	row ops-pace '{"bytes_per_s":1073741824,"min_ms":1,"lines":[{"atMs":0,"ops":[["r",1]]},{"atMs":1,"ops":[["r",2]]},{"atMs":2,"ops":[["r",3]]}]}' 0 \
		'{"lines":[{"seq":0,"base":true,"atMs":0,"ops":[["r",1]]},{"seq":1,"base":true,"atMs":1,"ops":[["r",2]]},{"seq":2,"base":true,"atMs":2,"ops":[["r",3]]}],"in":3,"out":3,"bytes":27,"maxHoldMs":0}'
	all_right
}

@test "force: at once, and charged; after a deadline that is due" {
	row ops-pace '{"lines":[{"atMs":0,"ops":[["r",{"n":0}]]},{"atMs":1,"ops":[["s",["n"],1]]},{"atMs":2,"force":true},{"atMs":3,"ops":[["s",["n"],2]]},{"atMs":102,"ops":[["s",["n"],3]]}]}' 0 \
		'{"lines":[{"seq":0,"base":true,"atMs":0,"ops":[["r",{"n":0}]]},{"seq":1,"base":false,"atMs":2,"ops":[["s",["n"],1]]},{"seq":2,"base":false,"atMs":102,"ops":[["s",["n"],2]]},{"seq":3,"base":false,"atMs":102,"ops":[["s",["n"],3]]}],"in":4,"out":4,"bytes":60,"maxHoldMs":99}'
	# At the same time: the deadline first, and then what force finds.
	row ops-pace '{"lines":[{"atMs":0,"ops":[["r",{"n":0}]]},{"atMs":1,"ops":[["s",["n"],1]]},{"atMs":150,"force":true},{"atMs":199,"ops":[["s",["n"],2]]},{"atMs":200,"ops":[["s",["n"],3]]}]}' 0 \
		'{"lines":[{"seq":0,"base":true,"atMs":0,"ops":[["r",{"n":0}]]},{"seq":1,"base":false,"atMs":100,"ops":[["s",["n"],1]]},{"seq":2,"base":false,"atMs":200,"ops":[["s",["n"],2]]},{"seq":3,"base":false,"atMs":200,"ops":[["s",["n"],3]]}],"in":4,"out":4,"bytes":60,"maxHoldMs":99}'
	row ops-pace '{"lines":[{"atMs":5,"force":true}]}' 0 '{"lines":[],"in":0,"out":0,"bytes":0,"maxHoldMs":0}'
	all_right
}

@test "P12: bytes stay under the rate, updates under the number; the last is final" {
	local i
	for i in $(seq 0 7 6000); do
		printf '{"atMs":%d,"ops":[["%s",%s]]}\n' "$i" \
			"$([ "$i" -eq 0 ] && echo r || echo s)" \
			"$([ "$i" -eq 0 ] && echo '{}' || echo "[\"k$((i % 40))\"],\"$(printf '%*s' $((i % 300)) x)\"")"
	done >lines
	ops-pace --stream --virtual --bytes-per-s 5000 <lines >out
	jq -s -e '.[-1] as $report | .[:-1] as $l
		| ($l | length) <= 6000 / 100 + 2
		and ([$l[].ops | tojson | utf8bytelength] | add) <= 5000 * 6 + 30000
		and $report.event == "pace" and $report.out == ($l | length)' out
	# No update is sooner than what the one before has cost.
	jq -s -e '.[:-1] | [range(1; length - 1) as $i | .[$i].atMs - .[$i - 1].atMs
		- ([100, (.[$i - 1].ops | tojson | utf8bytelength / 5 | ceil)] | max)] | all(. >= 0)' out
	[ "$(sed '$d' out | ops-fold --stream | jq -c .state)" = "$(ops-fold --stream <lines | jq -c .state)" ]
}

@test "wire in, logical out; a base that was taken is one that goes out" {
	stream 0 '{"seq":0,"base":true,"atMs":0,"ops":[["r",{"a":"x"}]]}
{"seq":1,"base":true,"atMs":100,"ops":[["r",{"a":"xyz"}]]}
{"event":"pace","in":3,"out":2,"bytes":36,"maxHoldMs":99}' ops-pace --virtual --wire \
		<<<$'{"atMs":0,"ops":[["r",{"a":"x"}]]}\n{"atMs":1,"ops":[["r",{"a":"x"}],["a",["a"],"y"],["a","z"]]}\n{"atMs":300,"ops":[]}'
}

@test "refusals: what was good goes out first" {
	stream 1 '{"seq":0,"base":true,"atMs":0,"ops":[["r",{"n":0}]]}
{"seq":1,"base":false,"atMs":7,"ops":[["s",["n"],1]]}
{"error":"batch 2, op 0: path [\"x\",1] does not resolve","code":"bad_path","batch":2,"op":0,"line":3}' \
		ops-pace --virtual <<<$'{"atMs":0,"ops":[["r",{"n":0}]]}\n{"atMs":7,"ops":[["s",["n"],1]]}\n{"atMs":9,"ops":[["s",["x",1],1]]}\n{"atMs":11,"ops":[]}'
	# One that is refused late comes after the deadline.
	stream 1 '{"seq":0,"base":true,"atMs":0,"ops":[["r",{"n":0}]]}
{"seq":1,"base":false,"atMs":100,"ops":[["s",["n"],1]]}
{"error":"batch 2, op 0: path [\"x\",1] does not resolve","code":"bad_path","batch":2,"op":0,"line":3}' \
		ops-pace --virtual <<<$'{"atMs":0,"ops":[["r",{"n":0}]]}\n{"atMs":7,"ops":[["s",["n"],1]]}\n{"atMs":900,"ops":[["s",["x",1],1]]}'
	# What is no line at all has no time.
	stream 1 '{"seq":0,"base":true,"atMs":0,"ops":[["r",{"n":0}]]}
{"seq":1,"base":false,"atMs":7,"ops":[["s",["n"],1]]}
{"error":"byte 0: expected a value; legal: JSON","code":"bad_line","line":3}' \
		ops-pace --virtual <<<$'{"atMs":0,"ops":[["r",{"n":0}]]}\n{"atMs":7,"ops":[["s",["n"],1]]}\n}'
	stream 1 '{"seq":0,"base":true,"atMs":5,"ops":[["r",1]]}
{"error":"byte 8: atMs: 4 given; legal: at least 5, that of the line before","code":"bad_line","line":2}' \
		ops-pace --virtual <<<$'{"atMs":5,"ops":[["r",1]]}\n{"atMs":4,"ops":[]}'
	stream 1 '{"error":"byte 0: atMs: missing; legal: an integer in virtual time","code":"bad_line","line":1}' ops-pace --virtual <<<'[["r",1]]'
	stream 1 '{"error":"byte 8: atMs: given in real time; legal: with virtual","code":"bad_line","line":1}' ops-pace <<<'{"atMs":1,"ops":[["r",1]]}'
	stream 1 '{"error":"batch 0: no value to apply ops to; legal: a batch that begins with \"r\"","code":"no_base","batch":0,"line":1}' ops-pace <<<'[]'
	stream 1 '{"error":"byte 9: \"force\": false given; legal: the members seq, base, wire, atMs, ops","code":"bad_line","line":1}' ops-pace <<<'{"force":false}'
	stream 1 '{"error":"byte 23: atMs: no integer given; legal: an integer from 0","code":"bad_line","line":1}' ops-pace --virtual <<<'{"force":true,  "atMs":1.0}'
	code ops-pace '{"lines":[[["r",1]]]}' bad_line
	code ops-pace '{"lines":[{"force":true}]}' bad_line
	code ops-pace '{"lines":[{"force":true,"atMs":1,"ops":[]}]}' bad_line
	code ops-pace '{"lines":[{"force":true,"atMs":2},{"atMs":1,"ops":[["r",1]]}]}' bad_line
	code ops-pace '{"lines":[7]}' bad_line
	local base='{"atMs":0,"ops":[["r",{"s":"😀"}]]}'
	code ops-pace "{\"lines\":[$base,{\"atMs\":1,\"ops\":[[\"q\"]]}]}" bad_op
	code ops-pace "{\"lines\":[$base,{\"atMs\":1,\"ops\":[[\"s\",[\"__proto__\"],1]]}]}" unsafe_path
	code ops-pace "{\"lines\":[$base,{\"atMs\":1,\"ops\":[[\"t\",[\"s\"],1]]}]}" split_pair
	code ops-pace "{\"lines\":[$base,{\"atMs\":1,\"ops\":[[\"d\"]]}],\"wire\":true}" bad_ref
	code ops-pace '{"lines":[{"atMs":1.5,"ops":[]}]}' bad_line
	code ops-pace '{"lines":[{"atMs":0,"seq":1,"ops":[["r",1]]},{"atMs":0,"seq":3,"ops":[]}]}' gap
	all_right
}

@test "real time: held until the deadline, not until the next line" {
	{
		printf '[["r",{"n":0}]]\n[["s",["n"],1]]\n'
		sleep 0.6
		printf '[["s",["n"],2]]\n'
	} | ops-pace --stream >out
	[ "$(head -n 3 out)" = '{"seq":0,"base":true,"ops":[["r",{"n":0}]]}
{"seq":1,"base":false,"ops":[["s",["n"],1]]}
{"seq":2,"base":false,"ops":[["s",["n"],2]]}' ]
	jq -e 'select(.event) | .in == 3 and .out == 3 and .maxHoldMs >= 90' out
}

@test "a signal: what is held goes out, and the status says which" {
	local pid rc name
	mkfifo in
	for name in TERM/143 INT/130; do
		# A shell lets what it puts into the background ignore SIGINT.
		perl -e '$SIG{INT} = "DEFAULT"; exec @ARGV' ops-pace --stream --min-ms 60000 <in >out &
		pid=$! rc=0
		exec 7>in
		printf '[["r",1]]\n[["r",2]]\n' >&7
		until [ -s out ]; do sleep 0.05; done
		sleep 0.2
		kill -"${name%/*}" $pid
		wait $pid || rc=$?
		exec 7>&-
		[ $rc -eq "${name#*/}" ]
		[ "$(<out)" = '{"seq":0,"base":true,"ops":[["r",1]]}
{"seq":1,"base":true,"ops":[["r",2]]}' ]
		rm out
	done
}

@test "a terminal is shown control characters as they are spelled" {
	local esc=$'\x1b'
	echo '{"lines":[{"atMs":0,"ops":[["r","a\u007f\u009bb"]]}]}' >pace
	echo '{"after":"a\u007f\u009bb"}' >diff
	echo '{"batches":[[["r","a\u001b\u007f\u009b\rb"]]]}' >fold
	on_terminal 'for p in pace diff fold; do ops-$p -t <$p; done' >got
	grep -qF '"ops":[["r","a\u007f\u009bb"]]' got
	grep -qxF '["r","a\u007f\u009bb"]' got
	grep -qxF 'a\u001b\u007f\u009b\u000db' got
	run ! grep -q "$esc" got
	# A pipe is given what it is.
	ops-fold -t <<<'{"batches":[[["r","a\u001b\u007f"]]]}' | cat >got
	[ "$(<got)" = "a$esc"$'\x7f' ]
}

@test "arguments that are none" {
	usage --min-ms ops-pace --min-ms 60001 '[]'
	usage --bytes-per-s ops-pace --bytes-per-s 0 '[]'
	usage lines ops-pace
	usage lines ops-pace --lines '{}'
	usage lines ops-pace --stream --lines '[]'
	all_right
}
