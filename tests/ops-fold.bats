#!/usr/bin/env bats
# ops-fold: spec/output.md section 4; what ops mean is tested by test_apply.

load output

@test "the example, and the refusal that a third batch makes of it" {
	local two='[["r",{"log":"","n":0}]],[["a",["log"],"ok\n"],["s",["n"],1]]'
	run -0 ops-fold <<<"{\"batches\":[$two]}"
	assert_output '{"state":{"log":"ok\n","n":1},"applied":2}
{"log":"ok\n","n":1}'
	run -1 ops-fold <<<"{\"batches\":[$two,[[\"a\",[\"log\"],\"x\"],[\"s\",[\"n\",\"deep\"],1]]]}"
	assert_output '{"error":"batch 2, op 1: path [\"n\",\"deep\"] does not resolve","code":"bad_path","batch":2,"op":1,"applied":2,"state":{"log":"ok\n","n":1},"needBase":true}
error: bad_path: batch 2, op 1: path ["n","deep"] does not resolve'
}

@test "state, at, path, wire, verbs, batch lines and their seq" {
	row ops-fold '{"batches":[[["s",["a"],2]]],"state":{"a":1}}' 0 '{"state":{"a":2},"applied":1}'
	row ops-fold '{"batches":[],"state":null}' 0 '{"state":null,"applied":0}'
	row ops-fold '{"batches":[[["r",1]],[["r",2]],[["r",3]]],"at":2}' 0 '{"state":2,"applied":2}'
	row ops-fold '{"batches":[[["r",1]]],"at":7}' 0 '{"state":1,"applied":1}'
	row ops-fold '{"batches":[[["q"]]],"state":5,"at":0}' 0 '{"state":5,"applied":0}'
	row ops-fold '{"batches":[[["r",{"a":[7,"x"]}]]],"path":["a",1]}' 0 '{"value":"x","applied":1}'
	row ops-fold '{"batches":[[["r",{"5":6}]]],"path":[5]}' 0 '{"value":6,"applied":1}'
	row ops-fold '{"batches":[[["r",[3,1,2]],["m",[],[1,2,0]]]],"verbs":7}' 0 '{"state":[1,2,3],"applied":1}'
	row ops-fold '{"batches":[[["r",{"a":""}]],[["a",["a"],"1"]],[["#",0,["a"]],["a",0,"2"],["a","3"]]],"wire":true}' 0 \
		'{"state":{"a":"123"},"applied":3}'
	row ops-fold '{"batches":[[["r",{"a":""}]],{"wire":true,"ops":[["#",0,["a"]],["a",0,"2"]]}]}' 0 \
		'{"state":{"a":"2"},"applied":2}'
	row ops-fold '{"batches":[{"ops":[["r",1]],"wire":false}],"wire":true}' 0 '{"state":1,"applied":1}'
	row ops-fold '{"batches":[{"seq":7,"base":true,"ops":[["r",1]]},{"seq":8,"base":false,"ops":[]}]}' 0 \
		'{"state":1,"applied":2,"seq":8}'
	row ops-fold '{"batches":[{"seq":7,"ops":[["r",1]]},{"seq":3,"ops":[["r",2]]}]}' 0 \
		'{"state":2,"applied":2,"seq":3}'
	row ops-fold '{"batches":[[["r",{"a":"\u0000"}]],[]],"state":1}' 0 '{"state":{"a":"\u0000"},"applied":2}'
	all_right
}

@test "text: a string as it is, anything else as JSON" {
	printf 'two\nlines\n\n' >want
	ops-fold --batches '[[["r",["two\nlines\n"]]]]' --path '[0]' >got
	cmp want got
	run -0 ops-fold '[[["r",["x"]]]]'
	assert_output '["x"]'
}

@test "refusals say where, and what a host needs to go on" {
	row ops-fold '{"batches":[]}' 1 \
		'{"error":"batch 0: neither a state nor a batch; legal: a batch that begins with \"r\"","code":"no_base","batch":0,"applied":0,"needBase":true}'
	row ops-fold '{"batches":[[["s",["a"],1]]]}' 1 \
		'{"error":"batch 0: no value to apply ops to; legal: a batch that begins with \"r\"","code":"no_base","batch":0,"applied":0,"needBase":true}'
	row ops-fold '{"batches":[{"seq":7,"ops":[["r",1]]},{"seq":9,"ops":[]}]}' 1 \
		'{"error":"batch 1: expected seq 8, given 9","code":"gap","batch":1,"applied":1,"state":1,"needBase":true}'
	row ops-fold '{"batches":[[["r",1]]],"path":["a"]}' 1 \
		'{"error":"path [\"a\"] does not resolve","code":"bad_path"}'
	row ops-fold '{"batches":[[["a",["v"],"x"],["a",["v","w"],1]]],"state":{"v":"a"}}' 1 \
		'{"error":"batch 0, op 1: 1 is not text; legal: [\"a\",path,text]","code":"bad_op","batch":0,"op":1,"applied":0,"state":{"v":"a"},"needBase":true}'
	code ops-fold '{"batches":[5]}' bad_op
	code ops-fold '{"batches":[[7]],"state":1}' bad_op
	code ops-fold '{"batches":[[["m",[],[]]]],"state":[]}' bad_op
	code ops-fold '{"batches":[[["s",["__proto__"],1]]],"state":{}}' unsafe_path
	code ops-fold '{"batches":[[["t",["v"],1]]],"state":{"v":"😀"}}' split_pair
	code ops-fold '{"batches":[[["s",0,1]]],"state":{},"wire":true}' bad_ref
	code ops-fold '{"batches":[{"ops":[],"x":1}],"state":1}' bad_line
	code ops-fold '{"batches":[{"ops":[],"base":true}],"state":1}' bad_line
	code ops-fold '{"batches":[{"ops":{}}],"state":1}' bad_line
	code ops-fold '{"batches":[{}],"state":1}' bad_line
	code ops-fold '{"batches":[{"ops":[],"seq":1.0}],"state":1}' bad_line
	code ops-fold '{"batches":[{"ops":[],"wire":1}],"state":1}' bad_line
	code ops-fold '{"batches":[],"state":1,"path":[1.5]}' unsafe_path
	code ops-fold '{"batches":[],"state":{"a":1},"path":["constructor"]}' unsafe_path
	code ops-fold '{"batches":[],"state":[7],"path":["0"]}' bad_path
	row ops-fold '{"batches":[],"state":{"a":null},"path":["a"]}' 0 '{"value":null,"applied":0}'
	row ops-fold '{"batches":[],"state":[1],"path":[]}' 0 '{"value":[1],"applied":0}'
	code ops-fold "{\"batches\":[],\"state\":[],\"path\":[$(seq -s , 56)]}" bad_path
	local deep
	deep=$(printf '[%.0s' {1..56})$(printf ']%.0s' {1..56})
	row ops-fold "{\"batches\":[[[\"r\",$deep]]],\"state\":$deep}" 0 "{\"state\":$deep,\"applied\":1}"
	code ops-fold "{\"batches\":[[[\"r\",[$deep]]]]}" too_large
	code ops-fold "{\"batches\":[],\"state\":[$deep]}" too_large
	row ops-fold "{\"batches\":[[[\"r\",[]],[\"s\",[0],$deep]]],\"state\":0}" 1 \
		'{"error":"batch 0, op 1: a value 57 levels deep; legal: at most 56","code":"too_large","batch":0,"op":1,"applied":0,"state":0,"needBase":true}'
	all_right
}

@test "batch lines: what they may have, and what they may not" {
	local base='{"ops":[["r",{"s":""}]],' what key got
	row ops-fold "{\"batches\":[$base\"seq\":0,\"base\":true,\"wire\":false,\"atMs\":7}]}" 0 '{"state":{"s":""},"applied":1,"seq":0}'
	row ops-fold "{\"batches\":[$base\"seq\":9007199254740991}]}" 0 '{"state":{"s":""},"applied":1,"seq":9007199254740991}'
	# The first op decides, and only that; of wire ops, too.
	row ops-fold '{"batches":[{"base":false,"ops":[["s",["a"],1],["r",2]]}],"state":{}}' 0 '{"state":2,"applied":1}'
	row ops-fold '{"batches":[{"base":false,"wire":true,"ops":[["#",0,["a"]],["r",2]]}],"state":{}}' 0 '{"state":2,"applied":1}'
	code ops-fold '{"batches":[{"wire":true,"ops":[["#",0,["a"]],["r",2]]}]}' no_base
	code ops-fold '{"batches":[[]]}' no_base
	code ops-fold '{"batches":[[["s",["a"],1],["r",2]]]}' no_base
	for what in '"base":false' '"base":1' '"base":null' '"seq":-1' '"seq":"1"' '"seq":9007199254740992' '"seq":1e0' \
		'"atMs":-0' '"atMs":null' '"wire":null' '"OPS":1'; do
		code ops-fold "{\"batches\":[$base$what}]}" bad_line
		key=${what%%:*}:
		got=$(ops-fold --stream <<<"$base$what}" | jq -r .error)
		[[ $got == "batch 0: byte $((${#base} + ${#key})): "* ]] || fail "$what: $got"
	done
	stream 1 '{"error":"batch 0: byte 2: ops: missing; legal: an array of ops","code":"bad_line","batch":0,"applied":0,"needBase":true,"line":1}' \
		ops-fold <<<'  {"seq":1}'
	# What follows what: only two lines that both say so, and no base.
	row ops-fold '{"batches":[{"seq":3,"ops":[["r",1]]},[],{"seq":9,"ops":[]}]}' 0 '{"state":1,"applied":3,"seq":9}'
	row ops-fold '{"batches":[{"seq":9,"ops":[["r",1]]},{"seq":2,"ops":[["r",2]]},{"seq":3,"ops":[]}]}' 0 '{"state":2,"applied":3,"seq":3}'
	code ops-fold '{"batches":[{"seq":3,"ops":[["r",1]]},{"seq":3,"ops":[]}]}' gap
	code ops-fold '{"batches":[{"seq":3,"ops":[["r",1]]},{"seq":2,"ops":[]}]}' gap
	all_right
}

@test "values keep what they are made of, and a root can be spliced" {
	row ops-fold '{"batches":[[["r",{"b":[1.0,1e400,12345678901234567890,-0],"a":"\u0000/\u007f\u001f"}],["s",["c"],1.50]]]}' 0 \
		$'{"state":{"b":[1.0,1e400,12345678901234567890,-0],"a":"\\u0000/\x7f\\u001f","c":1.50},"applied":1}'
	row ops-fold '{"batches":[[["p",[],1,1,[7,8]]]],"state":[1,2,3]}' 0 '{"state":[1,7,8,3],"applied":1}'
	usage batches ops-fold '[[["r",{"a":[{"b":1,"\u0062":2}]}]]]'
	usage batches ops-fold '[[["r","\udc00"]]]'
	all_right
}

@test "arguments that are none" {
	usage batches ops-fold
	usage batches ops-fold '{}'
	usage batches ops-fold --stream --batches '[]'
	usage at ops-fold '[]' --at -1
	usage path ops-fold '[]' --path 7
	usage path ops-fold '[]' --state 1 --path "[$(seq -s , 57)]"
	usage verbs ops-fold '[]' --verbs 8
	all_right
}

@test "stream: one result at the end, or a value a batch" {
	local three='{"seq":4,"base":true,"ops":[["r",{"a":[1]}]]}

[["s",["a",1],2]]
'
	stream 0 '{"state":{"a":[1,2]},"applied":2}' ops-fold <<<"$three"
	stream 0 '{"seq":4,"state":{"a":[1]}}
{"seq":1,"state":{"a":[1,2]}}' ops-fold --every <<<"$three"
	stream 0 '{"seq":4,"value":1}
{"seq":1,"value":1}' ops-fold --every --path '["a",0]' <<<"$three"
	stream 0 '{"state":{"a":[1]},"applied":1,"seq":4}' ops-fold --at 1 <<<"$three"
	stream 0 '{"state":[1],"applied":0}' ops-fold --state '[1]' <<<''
	all_right
}

@test "stream: the first refusal ends it" {
	stream 1 '{"seq":0,"state":1}
{"error":"batch 1, op 0: path [\"x\"] does not resolve","code":"bad_path","batch":1,"op":0,"applied":1,"state":1,"needBase":true,"line":3}' \
		ops-fold --every <<<$'[["r",1]]\n\n[["d",["x"]]]\n[["r",2]]'
	stream 1 '{"error":"batch 0: neither a state nor a batch; legal: a batch that begins with \"r\"","code":"no_base","batch":0,"applied":0,"needBase":true,"line":0}' ops-fold </dev/null
	stream 1 '{"error":"batch 0: byte 4: unexpected end; legal: JSON","code":"bad_line","batch":0,"applied":0,"needBase":true,"line":1}' ops-fold <<<'[["r'
	stream 1 '{"error":"batch 1: byte 0: no batch; legal: an array of ops, or an object with the member ops","code":"bad_line","batch":1,"applied":1,"state":1,"needBase":true,"line":2}' ops-fold <<<$'[["r",1]]\n5'
	stream 1 '{"error":"path [\"a\"] does not resolve","code":"bad_path","line":1}' ops-fold --path '["a"]' <<<'[["r",1]]'
	stream 1 '{"error":"batch 1: expected seq 3, given 4","code":"gap","batch":1,"applied":1,"state":1,"needBase":true,"line":2}' \
		ops-fold <<<$'{"seq":2,"ops":[["r",1]]}\n{"seq":4,"ops":[]}'
	all_right
}

@test "case: a million numbers for paths of a megabyte are too large, in bounded memory" {
	perl -e '$k = "k" x 1000000; print "[[\"r\",{}]]\n"; print "[[\"#\",$_,[\"$k$_\"]]]\n" for 1 .. 80' >lines
	run bash -c "ulimit -v $(memory ops-fold 600000)"'; ops-fold --stream --wire <lines | jq -r .code'
	assert_output too_large
}
