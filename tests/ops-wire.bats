#!/usr/bin/env bats
# ops-wire: spec/output.md section 5.2; the grammar is tested by test_wire.

load output

P='["content",0,"text"]'
LOGICAL="[[[\"r\",{}]],[[\"a\",$P,\"1\"]],[[\"a\",$P,\"2\"]],[[\"t\",$P,4096],[\"a\",$P,\"x\"],[\"s\",[\"n\"],7]]]"
WIRE="[[[\"r\",{}]],[[\"a\",$P,\"1\"]],[[\"#\",0,$P],[\"a\",0,\"2\"]],[[\"t\",0,4096],[\"a\",\"x\"],[\"s\",[\"n\"],7]]]"

@test "the vector, there and back" {
	row ops-wire "{\"action\":\"encode\",\"batches\":$LOGICAL}" 0 \
		"{\"batches\":$WIRE,\"bytesIn\":152,\"bytesOut\":122,\"ids\":1}"
	row ops-wire "{\"action\":\"decode\",\"batches\":$WIRE}" 0 \
		"{\"batches\":$LOGICAL,\"bytesIn\":122,\"bytesOut\":152,\"ids\":1}"
	run -0 ops-wire encode --batches "$LOGICAL"
	assert_output '4 batches, 152 B -> 122 B, ids 1'
	row ops-wire '{"action":"encode","batches":[]}' 0 '{"batches":[],"bytesIn":0,"bytesOut":0,"ids":0}'
	row ops-wire '{"action":"encode","batches":[{"seq":3,"ops":[["r",1]]},[]]}' 0 \
		'{"batches":[[["r",1]],[]],"bytesIn":11,"bytesOut":11,"ids":0}'
	all_right
}

@test "decode: from the last base" {
	row ops-wire '{"action":"decode","batches":[[["a",9,"x"]],[["r",1]],[["r",2]],[["d",["a"]]]],"from_base":true}' 0 \
		'{"batches":[[["r",2]],[["d",["a"]]]],"bytesIn":22,"bytesOut":22,"ids":0}'
	row ops-wire '{"action":"decode","batches":[[["d",["a"]]]],"from_base":true}' 1 \
		'{"error":"no batch begins with \"r\"; legal: at least one for from_base","code":"no_base"}'
	all_right
}

@test "faults say where" {
	row ops-wire '{"action":"decode","batches":[[["r",1]],[["d",["a"]],["a",5,"x"]]]}' 1 \
		'{"error":"batch 1, op 1: id 5 is not defined","code":"bad_ref","batch":1,"op":1}'
	row ops-wire '{"action":"decode","batches":[[["t",1]]]}' 1 \
		'{"error":"batch 0, op 0: \"t\": no previous path","code":"bad_ref","batch":0,"op":0}'
	row ops-wire '{"action":"encode","batches":[[["s",["a"]]]]}' 1 \
		'{"error":"batch 0, op 0: \"s\" with 2 members; legal: [\"s\",path,value]","code":"bad_op","batch":0,"op":0}'
	row ops-wire '{"action":"encode","batches":[{"seq":1,"ops":[]},{"seq":3,"ops":[]}]}' 1 \
		'{"error":"batch 1: expected seq 2, given 3","code":"gap","batch":1}'
	code ops-wire '{"action":"encode","batches":[[["#",0,["a"]]]]}' bad_op
	code ops-wire '{"action":"decode","batches":[[["s",["prototype"],1]]]}' unsafe_path
	code ops-wire '{"action":"decode","batches":[7]}' bad_op
	code ops-wire '{"action":"decode","batches":[{"op":[]}]}' bad_line
	all_right
}

@test "check: what is wrong, the first hundred of it" {
	row ops-wire "{\"action\":\"check\",\"batches\":$WIRE}" 0 '{"ok":true,"batches":4,"ops":7}'
	run -0 ops-wire check --batches "$WIRE"
	assert_output 'ok: 4 batches, 7 ops'
	row ops-wire "{\"action\":\"check\",\"batches\":$LOGICAL,\"grammar\":\"op\"}" 0 '{"ok":true,"batches":4,"ops":6}'
	row ops-wire '{"action":"check","batches":[[["r",1],["t",1]],[["s",["a"],1],["q"],["s",5]]]}' 1 \
		'{"error":"2 invalid ops in 2 batches","code":"invalid_ops","batches":2,"ops":5,"faults":[{"batch":0,"op":1,"code":"bad_ref","detail":"\"t\": no previous path"},{"batch":1,"op":1,"code":"bad_op","detail":"\"q\" is not a verb; legal: r, s, d, a, t, p"}]}'
	row ops-wire '{"action":"check","batches":[[["s",5]]],"grammar":"op"}' 1 \
		'{"error":"1 invalid ops in 1 batches","code":"invalid_ops","batches":1,"ops":1,"faults":[{"batch":0,"op":0,"code":"bad_op","detail":"\"s\" with 2 members; legal: [\"s\",path,value]"}]}'
	# A fault changes neither the table nor what a short form stands for.
	row ops-wire '{"action":"check","batches":[[["#",0,["a"]],["#",0,["b"]],["s",0,1],["s",["c"],1,2],["d",9],["t",2]],[["d",0]]]}' 1 \
		'{"error":"3 invalid ops in 2 batches","code":"invalid_ops","batches":2,"ops":7,"faults":[{"batch":0,"op":1,"code":"bad_ref","detail":"id 0 is defined again, as another path"},{"batch":0,"op":3,"code":"bad_op","detail":"\"s\" with 4 members; legal: [\"s\",path,value], an id for the path, or no path"},{"batch":0,"op":4,"code":"bad_ref","detail":"id 9 is not defined"}]}'
	# No value is looked at; a path is at most 56 segments.
	row ops-wire "{\"action\":\"check\",\"batches\":[[[\"t\",[$(seq -s , 56)],1]]]}" 0 '{"ok":true,"batches":1,"ops":1}'
	local grammar
	for grammar in op wire; do
		run -1 ops-wire check -j --grammar $grammar --batches "[[[\"t\",[$(seq -s , 57)],1],[\"t\",[$(seq -s , 57)],\"x\"],[\"s\",[\"prototype\"],1]]]"
		[ "$(jq -c '[.faults[].code]' <<<"$output")" = '["too_large","bad_op","unsafe_path"]' ]
	done
	code ops-wire "{\"action\":\"decode\",\"batches\":[[[\"#\",0,[$(seq -s , 57)]]]]}" too_large
	code ops-wire '{"action":"check","batches":[{"seq":1,"ops":[]},{"seq":3,"ops":[]}]}' gap
	run -1 ops-wire check -j --batches "[[$(printf '["q"]%.0s,' {1..149})1]]"
	[ "$(jq -r '.error, (.faults | length)' <<<"$output")" = $'150 invalid ops in 1 batches\n100' ]
	all_right
}

@test "stream: lines keep their seq and time, base and wire are made anew" {
	stream 0 '{"seq":5,"base":true,"atMs":3,"wire":true,"ops":[["r",{}]]}
{"seq":6,"base":false,"wire":true,"ops":[["d",["a"]],["d"]]}' ops-wire encode \
		<<<$'{"seq":5,"atMs":3,"ops":[["r",{}]]}\n{"seq":6,"base":false,"ops":[["d",["a"]],["d",["a"]]]}'
	stream 0 '{"seq":0,"base":true,"ops":[["r",{}]]}
{"seq":1,"base":false,"ops":[["d",["a"]],["d",["a"]]]}' ops-wire decode \
		<<<$'{"base":true,"wire":true,"ops":[["r",{}]]}\n\n[["d",["a"]],["d"]]'
	# What only defines a number in front of an r is no base; what comes of it is.
	stream 0 '{"seq":0,"base":true,"ops":[["r",1]]}
{"seq":1,"base":false,"ops":[]}' ops-wire decode <<<$'{"base":false,"ops":[["#",0,["a"]],["r",1]]}\n[["#",0,["a"]]]'
	stream 0 '{"seq":0,"base":false,"wire":true,"ops":[]}
{"seq":4,"base":false,"atMs":0,"wire":true,"ops":[["p",[],0,0,[1]],["p",1,0,[]]]}
{"seq":5,"base":false,"wire":true,"ops":[["#",0,[]],["m",0,[1,0]]]}' ops-wire encode --verbs 7 \
		<<<$'[]\n{"seq":4,"atMs":0,"ops":[["p",[],0,0,[1]],["p",[],1,0,[]]]}\n[["m",[],[1,0]]]'
	stream 1 '{"seq":0,"base":true,"ops":[["r",{}]]}
{"error":"batch 1, op 0: \"d\": no previous path","code":"bad_ref","batch":1,"op":0,"line":2}' ops-wire decode \
		<<<$'[["r",{}]]\n[["d"]]\n[["r",1]]'
	stream 1 '{"line":1,"op":1,"code":"bad_ref","detail":"\"t\": no previous path"}
{"line":3,"op":0,"code":"bad_op","detail":"\"q\" is not a verb; legal: r, s, d, a, t, p"}' ops-wire check \
		<<<$'[["r",1],["t",1]]\n[]\n[["q"]]'
	stream 0 '' ops-wire check <<<'[["r",1]]'
	stream 1 '{"error":"batch 1: expected seq 2, given 4","code":"gap","batch":1,"line":2}' ops-wire check \
		<<<$'{"seq":1,"ops":[]}\n{"seq":4,"ops":[]}'
	stream 1 '{"error":"byte 25: \"more\": 5 given; legal: the members seq, base, wire, atMs, ops","code":"bad_line","line":1}' \
		ops-wire decode <<<'{"ops":[["r",1]],"more": 5}'
	stream 1 '{"error":"byte 0: expected a value; legal: JSON","code":"bad_line","line":1}' ops-wire check <<<x
	all_right
}

@test "arguments that are none" {
	usage action ops-wire
	usage action ops-wire sing --batches '[]'
	usage batches ops-wire encode
	usage grammar ops-wire check --grammar logical --batches '[]'
	usage --from-base ops-wire decode --stream --from-base
	usage batches ops-wire encode --stream --batches '[]'
	all_right
}
