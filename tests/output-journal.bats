#!/usr/bin/env bats
# output-journal: spec/output.md section 8; the file itself is tested by
# test_journal.

load output

B='[["r",{"content":[{"type":"text","text":"a"}],"n":1}]]'

@test "the file is that of the specification" {
	output-journal append --file j --id call-9 --ops '[["r",{"log":""}]]'
	output-journal append --file j --ops '[["a",["log"],"x"]]'
	cat >want <<'END'
{"v":1,"kind":"tool_output","id":"call-9","units":"utf16"}
B 11a2494a 00000044 [["l",0,[["r",{"log":""}]],"base"],["k",{}]]
D 568e4f3b 00000029 [["l",1,[["a",["log"],"x"]]]]
END
	cmp want j
	[ "$(stat -c %a j)" = 600 ]
}

@test "append, memo, rebase, recover, seed, settle, retire: what each says" {
	row output-journal '{"action":"append","file":"j","ops":[["r",{"s":"a"}]]}' 0 '{"seq":0,"base":true,"bytes":64,"tornBytes":0}'
	row output-journal '{"action":"append","file":"j","ops":[["a",["s"],"b"]]}' 0 '{"seq":1,"base":false,"bytes":48,"tornBytes":0}'
	row output-journal '{"action":"append","file":"j","ops":[]}' 0 '{"seq":1,"base":false,"bytes":0,"tornBytes":0}'
	row output-journal '{"action":"memo","file":"j","name":"one","value":{"x":1.0}}' 0 '{"seq":2,"bytes":80,"memos":1,"tornBytes":0}'
	row output-journal '{"action":"memo","file":"j","name":"two","value":null,"ops":[["a",["s"],"c"]]}' 0 '{"seq":3,"bytes":92,"memos":2,"tornBytes":0}'
	row output-journal '{"action":"memo","file":"j","name":"one"}' 0 '{"seq":4,"bytes":76,"memos":1,"tornBytes":0}'
	row output-journal '{"action":"append","file":"j","ops":[["a",["s"],"d"]]}' 0 '{"seq":5,"base":false,"bytes":48,"tornBytes":0}'
	run -0 output-journal recover --file j -j
	[ "$(jq -c 'del(.bytesRead)' <<<"$output")" = '{"state":{"s":"abcd"},"memos":{"two":null},"seq":5,"batchesReplayed":1,"tornBytes":0,"settled":false}' ]
	row output-journal '{"action":"seed","file":"j"}' 0 '{"seed":{"seq":0,"base":true,"ops":[["r",{"s":"abcd"}]]},"memos":{"two":null},"seq":5}'
	row output-journal '{"action":"check","file":"j"}' 0 '{"ok":true,"lines":6,"batches":6,"bases":4,"memos":1,"tornBytes":0,"settled":false,"retired":false}'
	row output-journal '{"action":"rebase","file":"j"}' 0 '{"seq":6,"base":true,"bytes":77,"tornBytes":0}'
	row output-journal '{"action":"rebase","file":"j","state":[1],"if_seq":6}' 0 '{"seq":7,"base":true,"bytes":68,"tornBytes":0}'
	row output-journal '{"action":"stat","file":"j"}' 0 "{\"id\":\"journal\",\"kind\":\"tool_output\",\"size\":$(stat -c %s j),\"seq\":7,\"batchesSinceBase\":0,\"tornBytes\":0,\"settled\":false,\"retired\":false}"
	row output-journal '{"action":"settle","file":"j","is_error":true}' 0 '{"seq":8,"isError":true}'
	row output-journal '{"action":"recover","file":"j"}' 0 "$(output-journal recover --file j -j)"
	[ "$(output-journal recover --file j -j | jq -c '[.state, .settled, .isError]')" = '[[1],true,true]' ]
	row output-journal '{"action":"retire","file":"j"}' 0 '{"seq":9}'
	row output-journal '{"action":"stat","file":"j"}' 0 "{\"id\":\"journal\",\"kind\":\"tool_output\",\"size\":$(stat -c %s j),\"seq\":9,\"batchesSinceBase\":0,\"tornBytes\":0,\"settled\":true,\"retired\":true}"
	run -0 output-journal check --file j
	assert_line 'retired: true'
	all_right
}

@test "interrupt: a marker below the text, one write; compact: the last of it" {
	output-journal append --file j --id call-1 --ops "$B"
	output-journal append --file j --ops '[["a",["content",0,"text"],"b\n"]]'
	row output-journal '{"action":"interrupt","file":"j","marker":"stopped"}' 0 '{"state":{"content":[{"type":"text","text":"ab\n\nstopped"}],"n":1},"seq":3,"isError":true}'
	local before
	before=$(stat -c %s j)
	row output-journal '{"action":"compact","file":"j"}' 0 "{\"before\":$before,\"after\":207,\"seq\":3}"
	[ "$(stat -c %s j)" = 207 ] && [ "$(wc -l <j)" = 3 ] && [ ! -e j.new ]
	[ "$(output-journal stat --file j -j | jq -r '.id, .seq')" = $'call-1\n3' ]
	[ "$(output-journal recover --file j -j | jq -c '[.state.n, .seq, .settled, .isError]')" = '[1,3,true,true]' ]
	output-journal append --file k --ops "$B"
	run -0 output-journal interrupt --file k -j
	[ "$(jq -r '.state.content[0].text' <<<"$output")" = 'a

[The tool was interrupted before it finished. What it had produced until then is above.]' ]
	all_right
}

@test "refusals" {
	local action
	for action in recover seed settle interrupt retire compact check stat rebase; do
		code output-journal "{\"action\":\"$action\",\"file\":\"none\"}" not_found
	done
	[ ! -e none ]
	code output-journal '{"action":"append","file":"none","ops":[["a",["s"],"b"]]}' no_base
	code output-journal '{"action":"append","file":"none","ops":[]}' no_base
	code output-journal '{"action":"append","file":"none","ops":[["q"]]}' no_base
	code output-journal '{"action":"append","file":"none","ops":[["r",1],["q"]]}' bad_op
	code output-journal '{"action":"memo","file":"none","name":"m","value":1}' no_base
	[ ! -e none ]
	printf '{"v":1,"kind":"k","id":"i","units":"utf16"}\n' >head
	printf '{"v":1,"ki' >torn
	: >empty
	for action in recover seed settle interrupt retire compact rebase; do
		code output-journal "{\"action\":\"$action\",\"file\":\"head\"}" no_base
		code output-journal "{\"action\":\"$action\",\"file\":\"torn\"}" no_base
		code output-journal "{\"action\":\"$action\",\"file\":\"empty\"}" no_base
	done
	[ "$(output-journal check --file torn -j | jq -c '[.lines, .tornBytes]')" = '[0,10]' ]
	[ "$(output-journal stat --file head -j | jq -c '[.seq, .id]')" = '[-1,"i"]' ]
	output-journal append --file j --ops "$B"
	cp j copy
	code output-journal '{"action":"memo","file":"j","name":"m"}' unknown_memo
	code output-journal '{"action":"append","file":"j","ops":[["s",["n"],2],["t",["n"],1]]}' bad_path
	code output-journal '{"action":"append","file":"j","ops":[["s",["__proto__"],2]]}' unsafe_path
	row output-journal '{"action":"rebase","file":"j","state":1,"if_seq":7}' 1 \
		"{\"error\":\"\\\"$PWD/j\\\": its last line has seq 0, and not 7 as if_seq says\",\"code\":\"moved_on\"}"
	code output-journal '{"action":"memo","file":"j","name":"m","value":1,"state":1,"if_seq":-1}' moved_on
	cmp j copy
	output-journal append --file n --ops '[["r",1]]'
	code output-journal '{"action":"interrupt","file":"n"}' bad_path
	output-journal settle --file j
	for action in append,\"ops\":[] memo,\"name\":\"m\" rebase settle interrupt; do
		code output-journal "{\"action\":\"${action/,/\",}$([[ $action == *,* ]] || echo '"'),\"file\":\"j\"}" settled
	done
	output-journal retire --file j
	for action in append,\"ops\":[] memo,\"name\":\"m\" rebase settle interrupt recover seed retire compact; do
		code output-journal "{\"action\":\"${action/,/\",}$([[ $action == *,* ]] || echo '"'),\"file\":\"j\"}" retired
	done
	all_right
}

@test "what is not a journal: a link, a directory, a FIFO, another text" {
	output-journal append --file j --ops "$B"
	ln -s j link
	mkfifo fifo
	mkdir dir
	echo 'some text' >text
	local what action
	for what in link fifo dir; do
		for action in append,\"ops\":[] recover stat; do
			code output-journal "{\"action\":\"${action/,/\",}$([[ $action == *,* ]] || echo '"'),\"file\":\"$what\"}" not_file
		done
	done
	code output-journal '{"action":"recover","file":"text"}' not_text
	code output-journal '{"action":"append","file":"text","ops":[["r",1]]}' not_text
	[ "$(<text)" = 'some text' ]
	all_right
}

@test "what is not a journal, damaged or ended, is so for output-run and output-sink" {
	local what code
	output-journal append --file j --ops '[["r",{"s":"😀"}]]'
	ln -s j link
	mkfifo fifo
	mkdir dir
	echo 'some text' >text
	cp j damaged
	printf 'D 00000000 00000002 []\n' >>damaged
	cp j settled
	output-journal settle --file settled
	cp j retired
	output-journal retire --file retired
	while read -r what code; do
		code output-run "{\"argv\":[\"touch\",\"ran\"],\"journal\":\"$what\"}" "$code"
		code output-sink "{\"events\":[],\"journal\":\"$what\"}" "$code"
		[ "$what" = settled ] || code output-sink "{\"events\":[],\"seed\":\"$what\"}" "$code"
	done <<'END'
link not_file
fifo not_file
dir not_file
text not_text
damaged damaged
settled settled
retired retired
END
	[ ! -e ran ]
	code output-journal '{"action":"append","file":"j","ops":[["t",["s"],1]]}' split_pair
	code output-journal "{\"action\":\"append\",\"file\":\"j\",\"ops\":[[\"r\",$(printf '[%.0s' {1..57})$(printf ']%.0s' {1..57})]]}" too_large
	all_right
}

@test "a reader that is gone is exit 4; the line that was written stands" {
	output-journal append --file j --ops '[["r",{"s":"a"}]]'
	run -4 bash -c "output-journal append --stream --file j <<<'[[\"a\",[\"s\"],\"b\"]]' >/dev/full"
	[ "$(output-journal recover --file j -j | jq -c .state)" = '{"s":"ab"}' ]
}

@test "a torn tail is cut off by the next line, and said; damage is found" {
	output-journal append --file j --ops "$B"
	printf 'D 0000' >>j
	[ "$(output-journal recover --file j -j | jq .tornBytes)" = 6 ]
	row output-journal '{"action":"append","file":"j","ops":[["s",["n"],2]]}' 0 '{"seq":1,"base":false,"bytes":46,"tornBytes":6}'
	output-journal check --file j
	printf '{"v":1' >k
	row output-journal '{"action":"append","file":"k","ops":[["r",1]]}' 0 '{"seq":0,"base":true,"bytes":56,"tornBytes":6}'
	[ "$(head -c 8 k)" = '{"v":1,"' ]
	sed -i 's/"n"\],2/"n"],3/' j
	run -1 output-journal recover --file j
	assert_output "error: damaged: \"$PWD/j\": the line at byte $(head -n 2 j | wc -c) is damaged"
	all_right
}

@test "500 appends: at most 49 are replayed, whatever the size" {
	{
		echo '[["r",{"s":""}]]'
		for ((i = 1; i < 500; i++)); do echo '[["a",["s"],"x"]]'; done
	} | output-journal append --file j --stream >out
	[ "$(wc -l <out)" = 500 ] && [ "$(jq -s '[.[] | select(.base)] | length' out)" = 10 ]
	output-journal recover --file j -j >state
	jq -e '.batchesReplayed == 49 and (.state.s | length) == 499 and .bytesRead < 140000' state
	output-journal check --file j -j | jq -e '.batches == 500 and .bases == 10'
}

@test "stream: a line for each batch; the first refusal ends it" {
	stream 1 '{"seq":0,"base":true,"bytes":56,"tornBytes":0}
{"error":"batch 1, op 0: path [\"x\"] does not resolve","code":"bad_path","batch":1,"op":0,"line":2}' \
		output-journal append --file j <<<$'[["r",1]]\n[["d",["x"]]]\n[["r",2]]'
	stream 1 '{"error":"batch 1: expected seq 5, given 7","code":"gap","batch":1,"line":2}' \
		bash -c 'output-journal append --file k "$@" | tail -n 1; exit 1' - <<<$'{"seq":4,"ops":[["r",1]]}\n{"seq":7,"ops":[]}'
	[ "$(output-journal recover --file j -j | jq .state)" = 1 ]
	all_right
}

@test "at once: 20 writers lose nothing" {
	output-journal append --file j --ops '[["r",[]]]'
	local i
	for i in {1..20}; do
		output-journal append --file j --rebase-every $((i % 3 * 5)) --ops "[[\"p\",[],9999,0,[$i]]]" &
	done
	wait
	[ "$(output-journal recover --file j -j | jq -c '.state | sort')" = "[$(seq -s , 20)]" ]
	output-journal check --file j
}

@test "busy: a lock that is held" {
	output-journal append --file j --ops "$B"
	flock j sleep 5 &
	sleep 0.3
	run -1 output-journal append --file j --ops '[]' --lock-ms 100
	assert_output "error: busy: \"$PWD/j\": another process holds it; waited for 100 ms"
	kill $!
}

@test "a disk that is full: exit 4, and the file ends where it did" {
	output-journal append --file j --ops "$B"
	cp j copy
	run -4 bash -c 'ulimit -f 1; trap "" XFSZ; output-journal append --file j --ops "[[\"s\",[\"n\"],\"$(printf "%*s" 3000 x)\"]]"'
	cmp j copy
	row output-journal '{"action":"append","file":"j","ops":[["s",["n"],2]]}' 0 '{"seq":1,"base":false,"bytes":46,"tornBytes":0}'
	all_right
}

@test "arguments that are none" {
	usage state output-journal memo --file j --name m --state 1 --if-seq 0 --ops '[]'
	usage --if-seq output-journal rebase --file j --state 1
	usage --if-seq output-journal rebase --file j --if-seq 1
	usage ops output-journal append --file j
	usage ops output-journal rebase --file j --ops '[]'
	usage state output-journal settle --file j --state 1 --if-seq 1
	usage name output-journal memo --file j --value 1
	usage name output-journal memo --file j --name ''
	usage --name output-journal memo --file j --value 1 --name "$(printf '%0201d' 0)"
	usage --lock-ms output-journal append --file j --ops '[]' --lock-ms 60001
	usage --rebase-every output-journal append --file j --ops '[]' --rebase-every 1000001
	usage --if-seq output-journal rebase --file j --state 1 --if-seq -2
	usage --fsync output-journal append --file j --ops '[]' --fsync sometimes
	usage --id output-journal append --file j --ops '[]' --id ''
	usage stream output-journal memo --file j --name m --stream
	usage file output-journal recover
	usage action output-journal sing --file j
	usage verbs output-journal recover --file j --verbs 5
	run -2 output-journal <<<'{"action":"recover","file":"a\u0000b"}'
	all_right
}
