#!/usr/bin/env bats
# output-sink: spec/output.md section 7.

load output

setup() {
	common_setup
	export CTX_STATE_DIR=$BATS_TEST_TMPDIR/state
}

# state <jq> <events> [option]...: of the state that a call gives.
state() {
	local filter=$1 events=$2
	shift 2
	output-sink -j --events "$events" "$@" 2>err | jq -c ".state | $filter"
}
# is <want> <jq> <events> [option]...
is() {
	local want=$1 got
	shift
	got=$(state "$@")
	ROWS=$((ROWS + 1))
	[ "$got" = "$want" ] && return 0
	WRONG=$((WRONG + 1))
	printf '%s\n  want %s\n  got  %s %s\n' "$*" "$want" "$got" "$(<err)"
}

@test "one call: every event, and what becomes of the state" {
	run -0 output-sink <<<'{"events":[{"write":"hello\n"},{"image":{"data":"AAAA","mimeType":"image/png"}},{"image":{"type":"image","data":"B","mimeType":"image/gif"}},{"details":[["s",["n"],1]]},{"usage":{"in":1}},{"addTools":["a","b"]},{"terminate":true},{"end":{"error":"boom"}}]}'
	assert_output '{"state":{"content":[{"type":"text","text":"hello\n\nboom"},{"type":"image","data":"AAAA","mimeType":"image/png"},{"type":"image","data":"B","mimeType":"image/gif"}],"details":{"n":1},"usage":{"in":1},"addedTools":["a","b"],"terminate":true,"truncation":{"truncated":false,"truncatedBy":null,"totalLines":1,"totalBytes":6,"outputLines":1,"outputBytes":6,"lastLinePartial":false,"firstLineExceedsLimit":false,"maxLines":2000,"maxBytes":51200}},"isError":true,"batches":0}
hello

boom

[image: image/png, 4 base64 bytes]
[image: image/gif, 1 base64 bytes]'
	run -0 output-sink '[]'
	assert_output '(no output)'
	[ "$(output-sink -j --events '[{"end":{"error":"x","isError":false}}]' | jq .isError)" = false ]
	[ "$(output-sink -j --events '[{"end":{"error":null,"isError":true}}]' | jq .isError)" = true ]
}

@test "the window: tail rolls, head stops, replace begins anew" {
	is '["2\n3",2,3,"lines"]' '[.content[0].text, .truncation.outputLines, .truncation.totalLines, .truncation.truncatedBy]' \
		'[{"write":"1\n2"},{"write":"\n3\n"}]' --max-lines 2 --spill never
	is '["abcd\nef",4]' '[.content[0].text, .lastLineBytes]' '[{"write":"abcd\nefgh\nijkl"}]' --retain head --max-bytes 7 --spill never
	is '["ab",2,1,false]' '[.content[0].text, .truncation.totalBytes, .truncation.totalLines, .truncation.truncated]' \
		'[{"write":"long long long"},{"replace":"ab"}]' --max-bytes 5 --spill never
	is '["a\u0000é😀"]' '[.content[0].text]' '[{"write":"a\u0000é"},{"write":"\ud83d\ude00"}]'
	# The text is data: it is not sanitised.
	is '["\u001b[1m\r\n"]' '[.content[0].text]' '[{"write":"\u001b[1m\r\n"}]'
	all_right
}

@test "usage adds up: integers exactly, doubles in their shortest form" {
	is '{"in":9007199254740992,"c":{"x":0.30000000000000004,"y":"b"},"n":[2]}' .usage \
		'[{"usage":{"in":9007199254740991,"c":{"x":0.1,"y":1},"n":[1]}},{"usage":{"in":1,"c":{"x":0.2,"y":"b"},"n":[2]}}]'
	is '{"a":3,"b":2.5,"c":{"d":1}}' .usage '[{"usage":{"a":1,"b":1}},{"usage":{"a":2,"b":1.5,"c":{"d":1}}}]'
	run -0 output-sink -j --events '[{"usage":{"a":1.0,"b":1e300}},{"usage":{"b":1e300}}]'
	assert_output --partial '"usage":{"a":1.0,"b":2e+300}'
	all_right
}

@test "capture: the source accounts, the window keeps its own limits" {
	local t='{"truncated":true,"truncatedBy":"lines","totalLines":900,"totalBytes":9000,"outputLines":2,"outputBytes":4,"lastLinePartial":false,"firstLineExceedsLimit":false,"maxLines":2,"maxBytes":100}'
	is '[900,"/x",7,"a\nb"]' '[.truncation.totalLines, .spillPath, .lastLineBytes, .content[0].text]' \
		"[{\"write\":\"a\nb\"},{\"capture\":{\"truncation\":$t,\"spillPath\":\"/x\",\"lastLineBytes\":7}}]"
	is '[900,null]' '[.truncation.totalLines, .spillPath]' \
		"[{\"capture\":{\"truncation\":$t,\"spillPath\":\"/x\"}},{\"write\":\"more\"},{\"capture\":{\"truncation\":$t}}]"
	local bad
	for bad in "{\"truncation\":$t,\"other\":1}" "{\"truncation\":{}}" '{}' 5 "{\"truncation\":$t,\"spillPath\":1}" \
		"{\"truncation\":${t/true/1}}" "{\"truncation\":${t/900/1.5}}" "{\"truncation\":${t/lines\",/words\",}}"; do
		code output-sink "{\"events\":[{\"capture\":$bad}]}" bad_event
	done
	all_right
}

@test "spill: the writes in order, once a limit is crossed" {
	is '[true,"b\nc"]' '[(.spillPath | test("/.output/sink-[0-9a-f]{16}[.]log$")), .content[0].text]' \
		'[{"write":"a\n"},{"write":"b\n"},{"write":"c\n"}]' --max-lines 2
	[ "$(cat "$CTX_STATE_DIR"/.output/*)" = $'a\nb\nc' ]
	is 'null' .spillPath '[{"write":"a\nb\nc\n"},{"replace":"x"}]' --max-lines 2
	touch file
	# A write that cannot be spilled is refused, and changes nothing.
	printf '%s\n' '{"write":"a\n"}' '{"write":"b\nc\n"}' '{"write":"b\n"}' '{"replace":"1\n2\n3\n"}' '{"end":{"error":null}}' >events
	run -1 output-sink --stream --max-lines 2 --spill-dir file/x <events
	[ "$(grep -c '"code":"spill_failed"' <<<"$output")" -eq 2 ]
	[ "$(grep '"seq"' <<<"$output" | ops-fold --stream | jq -c '.state.content[0].text')" = '"a\nb\n"' ]
	code output-sink '{"events":[],"spill":"always","spill_dir":"file/x"}' spill_failed
	all_right
}

@test "refusals of one call: which event, nothing but the journal lines before it" {
	row output-sink '{"events":[{"write":"a"},{"bogus":1}]}' 1 \
		'{"error":"event 1: \"bogus\" is not an event; legal: write, replace, image, capture, details, usage, addTools, terminate, memo, rebase, flush, end","code":"bad_event","event":1}'
	row output-sink '{"events":[{"write":"a"},{"flush":true},{"write":1}],"journal":"j"}' 1 \
		'{"error":"event 2: write: another type given; legal: a text; 2 journal lines were written before it","code":"bad_event","event":2}'
	[ "$(output-journal recover --file j -j | jq -c '[.state.content[0].text,.settled]')" = '["a",false]' ]
	local bad
	for bad in 5 null '{}' '[]' '{"write":"a","flush":true}' '{"image":{"data":"","mimeType":"x"}}' '{"image":{"data":"x"}}' \
		'{"image":{"data":"x","mimeType":"x","type":"text"}}' '{"details":{}}' '{"usage":[]}' '{"addTools":"x"}' \
		'{"addTools":[1]}' '{"terminate":1}' '{"memo":"x"}' '{"memo":[]}' '{"memo":["a",1,2]}' '{"memo":[""]}' '{"memo":[1]}' \
		'{"rebase":false}' '{"flush":1}' '{"end":{}}' '{"end":{"error":1}}' '{"end":{"error":null,"x":1}}' '{"end":null}'; do
		code output-sink "{\"events\":[$bad]}" bad_event
	done
	code output-sink '{"events":[{"end":{"error":null}},{"write":"x"}]}' ended
	code output-sink '{"events":[{"memo":["a",1]}]}' no_journal
	code output-sink '{"events":[{"memo":["a"]}],"journal":"k"}' unknown_memo
	code output-sink '{"events":[{"details":[["q"]]}]}' bad_op
	row output-sink '{"events":[{"details":[["s",["a"],1],["s",["a","b"],1]]}]}' 1 \
		'{"error":"event 0: op 1: path [\"a\",\"b\"] does not resolve","code":"bad_path","event":0,"op":1}'
	code output-sink '{"events":[{"details":[["t",["a"],1]]}]}' bad_path
	code output-sink '{"events":[{"details":[["r",{"a":"😀"}],["t",["a"],1]]}]}' split_pair
	code output-sink '{"events":[{"details":[["s",["__proto__"],1]]}]}' unsafe_path
	code output-sink '{"events":[{"details":[["r",{"a":"0123456789"}]]}],"details_max_bytes":17}' details_too_large
	is '{"a":"0123456789"}' .details '[{"details":[["r",{"a":"0123456789"}]]}]' --details-max-bytes 18
	code output-sink '{"events":[{"image":{"data":"x","mimeType":"y"}},{"image":{"data":"x","mimeType":"y"}}],"images_max":1}' too_many_images
	code output-sink '{"events":[],"seed":"none"}' not_found
	output-journal append --file other --ops '[["r",{"content":[]}]]'
	code output-sink '{"events":[],"seed":"other"}' bad_path
	: >empty
	code output-sink '{"events":[],"seed":"empty"}' no_base
	output-journal retire --file other
	code output-sink '{"events":[],"seed":"other"}' retired
	output-sink --events '[{"end":{"error":null}}]' --journal 'done'
	code output-sink '{"events":[],"journal":"done"}' settled
	all_right
}

@test "one call with a journal: the base, a batch at each memo, rebase and flush, and one at the end" {
	row output-sink '{"events":[{"write":"a"},{"memo":["m",{"x":1}]},{"write":"b"},{"flush":true},{"flush":true},{"write":"c"},{"end":{"error":null}}],"journal":"j","id":"c1"}' 0 \
		"$(output-sink -j --events '[{"write":"abc"},{"end":{"error":null}}]' | jq -c '.batches = 4')"
	[ "$(cut -c 1 j | tail -n +2 | tr -d '\n')" = BMDDZ ]
	[ "$(output-journal recover --file j -j | jq -c '[.state.content[0].text,.memos,.settled,.isError]')" = '["abc",{"m":{"x":1}},true,false]' ]
	[ "$(output-journal stat --file j -j | jq -r .id)" = c1 ]
	all_right
}

# What of the stream matters: texts and acks.
short() {
	jq -c 'if .ops then [.seq, .base, .atMs, (.ops | map(if .[0] == "r" then .[1].content[0].text
		elif .[1] == ["content",0,"text"] then [.[0], .[2]] else empty end))]
		elif .ack then [.ack, .name, .seq] elif .event then [.event, .isError, .batches] else [.code, .line] end'
}

@test "stream in virtual time: paced, forced by memo, rebase, flush and end" {
	printf '%s\n' '{"atMs":0,"write":"a"}' '{"atMs":10,"write":"b"}' '{"atMs":60,"write":"c"}' '{"atMs":130,"write":"d"}' \
		'{"atMs":140,"flush":true}' '{"atMs":141,"flush":true}' '{"atMs":150,"memo":["one",1]}' '{"atMs":151,"rebase":true}' \
		'{"atMs":160,"write":"e"}' '{"atMs":170,"end":{"error":"no"}}' '{"atMs":171,"write":"f"}' |
		output-sink --stream --virtual --journal j --bytes-per-s 1000000000 >out || [ $? -eq 1 ]
	[ "$(short <out)" = '[0,true,0,[""]]
[1,false,100,[["a","abc"]]]
[2,false,140,[["a","d"]]]
[3,true,150,["abcd"]]
["memo","one",3]
[4,true,151,["abcd"]]
[5,false,170,[["a","e\n\nno"]]]
["end",true,6]
["ended",11]' ]
	[ "$(cut -c 1 j | tail -n +2 | tr -d '\n')" = BDDMBDZ ]
	grep '"seq"' out | grep -v ack | ops-fold --stream | jq -c .state.content[0].text | grep -qx '"abcde\\n\\nno"'
}

@test "stream: what is refused is said, skipped, and the status is 1; no end" {
	printf '%s\n' '{"write":"a"}' 'no json' '' '{"write":1}' '{"details":[["s",["n"],1],["t",["n"],1]]}' '{"atMs":1,"write":"x"}' '{"write":"b"}' '{"end":{"error":null}}' |
		output-sink --stream >out || [ $? -eq 1 ]
	[ "$(grep -v '"seq"' out | short)" = '["bad_line",2]
["bad_event",4]
["bad_path",5]
["bad_event",6]
["end",false,'"$(grep -c '"seq"' out)]" ]
	grep -qF '{"error":"op 1: path [\"n\"] does not lead to a string","code":"bad_path","op":1,"line":5}' out
	[ "$(grep '"seq"' out | ops-fold --stream | jq -c '[.state.content[0].text, .state.details]')" = '["ab",{}]' ]
	printf '{"write":"a"}\n' | output-sink --stream --journal j >out || [ $? -eq 1 ]
	[ "$(tail -n 1 out | jq -c '[.code,.line]')" = '["no_end",1]' ]
	[ "$(output-journal recover --file j -j | jq -c '[.state.content[0].text,.settled]')" = '["a",false]' ]
	printf '{"end":{"error":null}}\n' | output-sink --stream >out
	stream 1 "{\"error\":\"there is no journal \\\"$PWD/none\\\"\",\"code\":\"not_found\",\"line\":0}" output-sink --seed none </dev/null
}

@test "a window that slides is a t and an a; one that is replaced anew keeps what overlaps" {
	{
		for i in $(seq 1 40); do printf '{"atMs":%d,"write":"line %d\\n"}\n' $((i * 200)) "$i"; done
		echo '{"atMs":9000,"replace":"line 39\nline 40\nline 41\n"}'
		echo '{"atMs":9999,"end":{"error":null}}'
	} | output-sink --stream --virtual --max-lines 3 --spill never >out
	[ "$(jq -c 'select(.atMs == 8000) | [.ops[] | select(.[1] == ["content",0,"text"])]' out)" = '[["t",["content",0,"text"],8],["a",["content",0,"text"],"\nline 40"]]' ]
	[ "$(jq -c 'select(.atMs == 9000) | [.ops[] | select(.[1] == ["content",0,"text"])]' out)" = '[["t",["content",0,"text"],8],["a",["content",0,"text"],"\nline 41\n"]]' ]
}

@test "seeding: where new output begins, by the rules in their order" {
	local name events opt want got
	local -a o
	while IFS='|' read -r name opt events want; do
		rm -rf j "$CTX_STATE_DIR"
		read -ra o <<<"$opt"
		output-sink "${o[@]}" --journal j --events "[$events]" >/dev/null
		got=$(output-sink -j "${o[@]}" --seed j --events '[{"write":""},{"write":"new\n"}]' |
			jq -c '[.state.content[0].text, .state.truncation.totalLines, .state.truncation.totalBytes]')
		[ "$got" = "$want" ] || {
			echo "$name: $got, not $want"
			WRONG=1
		}
		# Without new output the state is what it was.  (The file has had
		# output since.)
		[[ $name == 1* ]] && continue
		got=$(output-sink -j "${o[@]}" --seed j --events '[]' | jq -c .state)
		[ "$got" = "$(output-journal recover --file j -j | jq -c .state)" ] || {
			echo "$name: the state has changed: $got"
			WRONG=1
		}
	done <<'END'
not truncated|--max-lines 9|{"write":"a\nb"}|["a\nbnew\n",2,7]
1 spill file, complete|--max-lines 2|{"write":"a\nb\nc\n"}|["c\nnew",4,10]
1 spill file, not complete|--max-lines 2|{"write":"a\nb\nc"}|["c\nnew",4,10]
2 only the LF did not fit|--max-bytes 3 --spill never|{"write":"a\nb\n"}|["new",3,8]
3 one line, complete|--max-bytes 3 --spill never|{"write":"abcdef\n"}|["new",2,11]
3 one line, not complete|--max-bytes 3 --spill never|{"write":"abcdef"}|["new",2,11]
4 not known|--max-lines 2 --spill never|{"write":"a\nb\nc"}|["c\nnew",4,9]
head|--retain head --max-lines 2 --spill never|{"write":"a\nb\nc"}|["a\nb\n",4,9]
head, cut|--retain head --max-bytes 3 --spill never|{"write":"abcdef"}|["abc",2,11]
END
	[ "$WRONG" -eq 0 ]
	# The spill file goes on, cut back to what the state knows of.
	rm -rf j "$CTX_STATE_DIR"
	output-sink --max-lines 2 --journal j --events '[{"write":"a\nb\nc"}]' >/dev/null
	printf 'more that was never published' >>"$CTX_STATE_DIR"/.output/*
	output-sink --max-lines 2 --seed j --events '[{"write":"d\n"}]' >/dev/null
	[ "$(cat "$CTX_STATE_DIR"/.output/*)" = $'a\nb\nc\nd' ]
}

@test "seeding: details, usage, tools, images and memos go on" {
	output-sink --journal j --events '[{"write":"a\n"},{"details":[["r",{"n":1}]]},{"usage":{"in":1}},{"addTools":["t"]},{"image":{"data":"x","mimeType":"y"}},{"memo":["m",7]}]' >/dev/null
	printf '%s\n' '{"details":[["s",["n"],2]]}' '{"usage":{"in":2}}' '{"write":"b\n"}' '{"memo":["k",8]}' '{"end":{"error":null}}' |
		output-sink --stream --seed j --journal j >out
	[ "$(head -n 1 out)" = '{"event":"seed","seq":1,"memos":{"m":7}}' ]
	[ "$(output-journal recover --file j -j | jq -c '[.state.content, .state.details, .state.usage, .state.addedTools, .memos]')" = \
		'[[{"type":"text","text":"a\nb\n"},{"type":"image","data":"x","mimeType":"y"}],{"n":2},{"in":3},["t"],{"m":7,"k":8}]' ]
	# Without seed a journal that exists goes on with an empty state.
	output-sink --journal k --events '[{"write":"old"},{"memo":["m",7]}]' >/dev/null
	output-sink --journal k --events '[{"write":"new"}]' >/dev/null
	[ "$(output-journal recover --file k -j | jq -c '[.state.content[0].text, .memos]')" = '["new",{}]' ]
}

# tool <lines>: a tool of six steps, of which a run skips those that have a
# memo, up to so many events; then it is gone.
steps() {
	local most=$1 seed=$2 i n=0
	for i in 1 2 3 4 5 6; do
		jq -e --arg m "s$i" '.[$m]' <<<"$seed" >/dev/null && continue
		[ $((n++)) -lt "$most" ] && echo "{\"atMs\":0,\"write\":\"<$i>\\n\"}"
		[ $((n++)) -lt "$most" ] && echo "{\"atMs\":0,\"memo\":[\"s$i\",true]}"
	done
	[ "$most" -lt 99 ] || echo '{"atMs":0,"end":{"error":null}}'
}

@test "P14: killed at every step and run again, it is as if it had never been" {
	local k memos want
	want=$(printf '<%d>\n' 1 2 3 4 5 6)
	for k in $(seq 0 12); do
		rm -rf j in
		mkfifo in
		output-sink --stream --virtual --journal j <in >out 2>err &
		local pid=$!
		exec 7>in
		steps "$k" '{}' >&7
		until [ "$(grep -c ack out)" -ge $((k / 2)) ] && [ -s out ]; do sleep 0.01; done
		kill -KILL $pid
		wait $pid || true
		exec 7>&-
		memos=$(output-journal seed --file j -j | jq -c .memos)
		[ "$(jq length <<<"$memos")" = $((k / 2)) ]
		steps 99 "$memos" | output-sink --stream --virtual --seed j --journal j >again
		[ "$(output-journal recover --file j -j | jq -r '.state.content[0].text')" = "$want" ]
		output-journal check --file j >/dev/null
	done
}

@test "killed at any moment: what has a memo is there once" {
	local k memos text i
	for k in 1 2 3 4 5 6 7 8; do
		rm -f j
		{
			for i in 1 2 3 4 5 6 7 8 9; do
				echo "{\"write\":\"<$i>\\n\"}"
				sleep 0.01
				echo "{\"memo\":[\"s$i\",true]}"
			done
			sleep 5
		} | output-sink --stream --journal j --min-ms 1 --fsync none >out &
		local pid=$!
		until grep -q '"ack"' out; do sleep 0.01; done
		sleep "0.0$k"
		kill -KILL $pid
		wait $pid || true
		memos=$(output-journal seed --file j -j | jq -c .memos)
		text=$(output-journal recover --file j -j | jq -r '.state.content[0].text')
		for i in $(jq -r 'keys[] | ltrimstr("s")' <<<"$memos"); do
			[ "$(grep -c "<$i>" <<<"$text")" -eq 1 ]
		done
		# What was acknowledged is there.
		[ "$(jq length <<<"$memos")" -ge "$(grep -c '"ack"' out)" ]
	done
}

@test "killed at every system call, and run again: nothing is lost, nothing is there twice" {
	local shim=${CTX_BUILD:-$ROOT/build}/fault/inject.so n i seed spill acks
	local -a from
	[ -e "$shim" ] || fail "no $shim: make check builds it"
	# three <what has a memo>: the steps that are left.
	three() {
		for i in 1 2 3; do
			[[ $1 == *"\"s$i\""* ]] || printf '{"atMs":0,"write":"<%d>\\n"}\n{"atMs":0,"memo":["s%d",true]}\n' "$i" "$i"
		done
		echo '{"atMs":0,"end":{"error":null}}'
	}
	for ((n = 1; ; n++)); do
		rm -rf j hit "$CTX_STATE_DIR"
		{
			three '' | FAULT=any:$n:kill FAULT_HIT=$PWD/hit LD_PRELOAD=$shim \
				output-sink --stream --virtual --journal j --max-lines 1 >out || :
		} 2>/dev/null # the shell's word on who was killed
		[ -e hit ] || break
		# A journal without a base cannot be gone on from, and nothing has been put out.
		from=(--seed j)
		seed=$(output-journal seed --file j -j 2>/dev/null) || from=() seed=
		[ -n "$seed" ] || [ ! -s out ] || fail "call $n: put out before it was kept"
		acks=$(grep -c '"ack"' out) || :
		for ((i = 1; i <= acks; i++)); do
			[[ $seed == *"\"s$i\":true"* ]] || fail "call $n: memo s$i is lost"
		done
		# Once it is settled there is nothing more to do.
		grep -q '^Z ' j 2>/dev/null || {
			three "$seed" | output-sink --stream --virtual "${from[@]}" --journal j --max-lines 1 >again
		}
		[ "$(output-journal recover --file j -j | jq -c '[.state.content[0].text, .state.truncation.totalLines, (.memos | length), .settled]')" = \
			'["<3>",3,3,true]' ] || fail "call $n: $(output-journal recover --file j)"
		spill=$(grep -o '"spillPath":"[^"]*' j | tail -n 1)
		[ "$(<"${spill#*:\"}")" = $'<1>\n<2>\n<3>' ] || fail "call $n: $(<"${spill#*:\"}")"
		output-journal check --file j >/dev/null
	done
	# Opened, locked, written and flushed, for each of five lines, and the spill file.
	[ "$n" -gt 30 ] || fail "only $n calls"
}

@test "killed at every system call of the second run, too: what was torn is cut off once" {
	local shim=${CTX_BUILD:-$ROOT/build}/fault/inject.so n seed retain want spill
	local -a options
	[ -e "$shim" ] || fail "no $shim: make check builds it"
	# left <what has a memo>: the steps that are left.
	left() {
		[[ $1 == *'"s3"'* ]] || printf '%s\n' '{"atMs":0,"write":"<3>\n"}' '{"atMs":0,"memo":["s3",true]}'
		echo '{"atMs":0,"end":{"error":null}}'
	}
	while read -r retain want; do
		rm -rf j "$CTX_STATE_DIR"
		options=(--stream --virtual --journal j --max-lines 1 --retain "$retain")
		# The first run ended within a line of either file.
		printf '%s\n' '{"atMs":0,"write":"<1>\n"}' '{"atMs":0,"write":"<2>\n"}' '{"atMs":0,"memo":["s2",true]}' |
			output-sink "${options[@]}" >out || [ $? -eq 1 ]
		spill=$(echo "$CTX_STATE_DIR"/.output/*)
		printf 'D 0000' >>j
		printf '<3' >>"$spill"
		cp j torn.j
		cp "$spill" torn.spill
		for ((n = 1; ; n++)); do
			rm -f hit
			cp torn.j j
			cp torn.spill "$spill"
			{
				left '' | FAULT=any:$n:kill FAULT_HIT=$PWD/hit LD_PRELOAD=$shim \
					output-sink --seed j "${options[@]}" >out || :
			} 2>/dev/null # the shell's word on who was killed
			[ -e hit ] || break
			grep -q '^Z ' j || {
				seed=$(output-journal seed --file j -j)
				left "$seed" | output-sink --seed j "${options[@]}" >out
			}
			[ "$(output-journal recover --file j -j | jq -c '[.state.content[0].text, .state.truncation.totalLines, (.memos | keys), .settled]')" = \
				"$want" ] || fail "call $n: $(output-journal recover --file j)"
			[ "$(<"$spill")" = $'<1>\n<2>\n<3>' ] || fail "call $n: $(<"$spill")"
			[ "$(output-journal check --file j -j | jq .tornBytes)" = 0 ]
		done
		[ "$n" -gt 20 ] || fail "only $n calls"
	done <<'END'
tail ["<3>",3,["s2","s3"],true]
head ["<1>\n",3,["s2","s3"],true]
END
}

@test "bounds: the least, the most, and what lies beyond; what 0 means" {
	local name least most rest
	while read -r name least most; do
		run -0 output-sink '[]' "--$name" "$least"
		run -0 output-sink '[]' "--$name" "$most"
		usage "--$name" output-sink '[]' "--$name" $((least - 1))
		usage "--$name" output-sink '[]' "--$name" $((most + 1))
	done <<-'END'
		max-bytes 1 1048576
		max-lines 1 1000000
		details-max-bytes 0 67108864
		images-max 0 10000
		rebase-every 0 1000000
	END
	run -0 output-sink '[]' --id "$(printf '%200s' '' | tr ' ' i)"
	usage --id output-sink '[]' --id "$(printf '%201s' '' | tr ' ' i)"
	for rest in 'retain middle' 'spill sometimes' 'fsync maybe' 'verbs 8'; do
		usage "--${rest% *}" output-sink '[]' "--${rest% *}" "${rest#* }"
	done
	# 0: details and images without a limit.
	is '[12000,2]' '[(.details.a | length), ([.content[] | select(.type == "image")] | length)]' \
		"[{\"details\":[[\"r\",{\"a\":\"$(printf '%12000s' '')\"}]]},{\"image\":{\"data\":\"x\",\"mimeType\":\"y\"}},{\"image\":{\"data\":\"x\",\"mimeType\":\"y\"}}]" \
		--details-max-bytes 0 --images-max 0
	# A base after so many batches; 0: only when it is asked for.
	local every want
	while read -r every want; do
		rm -f j
		output-sink --journal j --rebase-every "$every" --events \
			'[{"write":"a"},{"flush":true},{"write":"b"},{"flush":true},{"write":"c"},{"flush":true},{"write":"d"},{"flush":true},{"end":{"error":null}}]' >/dev/null
		[ "$(cut -c 1 j | tail -n +2 | tr -d '\n')" = "$want" ] || fail "$every: $(cut -c 1 j | tr -d '\n')"
	done <<-'END'
		0 BDDDDZ
		1 BBBBBZ
		2 BDBDBZ
		3 BDDBDZ
		50 BDDDDZ
	END
	all_right
}

@test "a journal that cannot be written stops it with exit 4" {
	printf '{"write":"%3000s"}\n{"flush":true}\n{"end":{"error":null}}\n' x >events
	run -4 bash -c 'ulimit -f 2; output-sink --stream --journal j <events'
	assert_output --partial 'File too large'
	refute_output --partial '"event":"end"'
	[ "$(output-journal recover --file j -j | jq -c '.state.content[0].text')" = '""' ]
	run -4 bash -c 'output-sink --stream <events >/dev/full'
}

@test "busy: journal or seed held by another process, waited for and then refused" {
	local how said rc
	output-sink --journal j --events '[{"write":"old\n"},{"memo":["m",1]}]' >/dev/null
	cp j before
	said="\"$PWD/j\": another process holds it; waited for 10000 ms"
	said="{\"error\":$(jq -Rc . <<<"$said"),\"code\":\"busy\""
	for how in -x -s; do # a reader's lock keeps writers out, not readers
		hold j "$how"
		row 'hurry output-sink' '{"events":[{"write":"a"}],"journal":"j","spill":"always"}' 1 "$said}"
		stream 1 "$said,\"line\":0}" hurry output-sink --journal j --spill always <<<'{"write":"a"}'
		if [ "$how" = -x ]; then
			row 'hurry output-sink' '{"events":[{"write":"a"}],"seed":"j","spill":"always"}' 1 "$said}"
			stream 1 "$said,\"line\":0}" hurry output-sink --seed j --spill always <<<'{"write":"a"}'
		else
			is '["old\na"]' '[.content[0].text]' '[{"write":"a"}]' --seed j
		fi
		let_go
	done
	cmp before j
	[ ! -e "$CTX_STATE_DIR/.output" ] # nor was a file made for the output
	# It comes too late for a stream that is under way: exit 4, the lines before stand.
	mkfifo in
	hurry output-sink --stream --journal k <in >out 2>err &
	local pid=$!
	exec 7>in
	echo '{"write":"a"}' >&7
	echo '{"memo":["m",1]}' >&7
	until grep -q ack out; do sleep 0.01; done
	hold k
	echo '{"write":"b"}' >&7
	echo '{"end":{"error":null}}' >&7
	rc=0
	wait $pid || rc=$?
	exec 7>&-
	let_go
	[ "$rc" -eq 4 ]
	cat out err | grep -qF 'another process holds it'
	[ "$(output-journal recover --file k -j | jq -c '[.state.content[0].text,.memos,.settled]')" = '["a",{"m":1},false]' ]
	# One that lets go in time is waited for.
	flock k sh -c 'touch holds; sleep 0.3; touch released' 3>&- &
	until [ -e holds ]; do sleep 0.01; done
	output-sink --journal k --seed k --events '[{"write":"c"}]' >/dev/null
	[ -e released ]
	[ "$(output-journal recover --file k -j | jq -c '[.state.content[0].text,.memos]')" = '["ac",{"m":1}]' ]
	wait
	all_right
}

@test "arguments that are none" {
	usage events output-sink --journal j
	usage events output-sink --stream --events '[]'
	usage --max-bytes output-sink '[]' --max-bytes 1048577
	usage --images-max output-sink '[]' --images-max 10001
	usage verbs output-sink '[]' --verbs 5
	usage id output-sink '[]' --id ''
	usage '-t' output-sink --stream -t
	all_right
}
