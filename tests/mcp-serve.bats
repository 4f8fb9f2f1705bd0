#!/usr/bin/env bats
# mcp-serve: frames, messages, eras, batches, tools (spec/hosts.md).
# What needs a conversation is in mcp-serve-calls.bats.
# shellcheck disable=SC2034 # OPTIONS is for serve

load common
load mcp

setup() {
	common_setup
	unset CLAUDECODE
	export CTX_SESSION=pi:s-1 CTX_NOW_MS=1785571200000 CTX_CWD=$PWD
	rc=0
}

@test "options out of range and unknown names are exit 2, before anything is read" {
	local options
	for options in --schema -j -t --json '--jobs 0' '--jobs 65' '--jobs x' '--timeout 0' \
		'--timeout 3601' '--families x' '--families notes,x' '--tools x' \
		'--tools memory' '--surface xml' '--no-such' 'operand' '--bin-dir'; do
		rc=0
		# shellcheck disable=SC2086
		"$BIN/mcp-serve" $options <<<"$INIT" >out 2>err || rc=$?
		[ $rc -eq 2 ] || fail "$options: exit $rc"
		[ ! -s out ] && [ "$(wc -l <err)" -eq 1 ] || fail "$options: $(<out)$(<err)"
		[[ $(<err) == 'mcp-serve: '* ]] || fail "$options: $(<err)"
	done
}

@test "--help, --version and completions are those of every program" {
	run -0 mcp-serve --version
	[[ $output == 'mcp-serve (ctxtools) '* ]]
	run -0 mcp-serve --help
	for option in families tools surface jobs timeout no-roots bin-dir session cwd agent model; do
		[[ $output == *"--$option"* ]] || fail "no --$option"
	done
	[ -z "$(grep -nE '.{81}' <<<"$output")" ]
	[[ $output != *--schema* && $output != *--json* ]]
	for shell in bash zsh fish; do
		run -0 mcp-serve --completion $shell
		[[ $output == *families* && $output != *schema* ]] || fail "$shell: $output"
	done
	bash -n <(mcp-serve --completion bash)
	[ "$(mcp-serve --version >/dev/full 2>err || echo $?)" = 4 ]
}

@test "no tool to serve is exit 4, a missing program is left out with a line" {
	mkdir bin
	OPTIONS=(--bin-dir bin)
	serve
	[ $rc -eq 4 ] && [ ! -s out ]
	[[ $(<err) == 'mcp-serve: no tool can be served from '*/bin ]]
	cp "$BIN/notes-list" "$BIN/notes-search" bin/
	serve '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'
	answers '.result.tools | map(.name) | join(" ")' '"notes_list notes_search"'
	# Of a family that was not named and is not there nothing is said.
	grep -qx "mcp-serve: notes-read: not installed in $PWD/bin; left out" err
	! grep -q history err || fail "$(<err)"
	OPTIONS+=(--families 'notes,history')
	serve
	grep -qx "mcp-serve: history-read: not installed in $PWD/bin; left out" err
}

@test "a program that closes its stdout and stays is left out, and gone" {
	mkdir bin
	cp "$BIN/notes-list" bin/
	printf '#!/bin/bash\necho $$ >pid\nexec >&- 2>&- sleep 100\n' >bin/notes-read
	chmod +x bin/notes-read
	OPTIONS=(--bin-dir bin --tools 'notes_list,notes_read')
	serve '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'
	answers '.result.tools | map(.name) | join(" ")' '"notes_list"'
	[ "$(<err)" = 'mcp-serve: notes-read: cannot be asked for its schema; left out' ]
	gone pid
}

@test "end of input: nothing, only blanks, a last line without LF" {
	bare </dev/null
	[ $rc -eq 0 ] && [ ! -s out ] && [ ! -s err ]
	printf ' \n\t\r\n\n' | bare
	[ $rc -eq 0 ] && [ ! -s out ]
	printf %s '{"jsonrpc":"2.0","id":1,"method":"ping"}' | bare
	[ $rc -eq 0 ] && [ "$(<out)" = '{"jsonrpc":"2.0","id":1,"result":{}}' ]
	rc=0
	"$BIN/mcp-serve" <&- >out 2>err || rc=$?
	[ $rc -eq 0 ] && [ ! -s out ]
	bare </
	[ $rc -eq 4 ] && [[ $(<err) == 'mcp-serve: standard input: '* ]]
}

@test "CR before LF is white space" {
	printf '%s\r\n' "$INIT" '{"jsonrpc":"2.0","id":1,"method":"ping"}' | bare
	[ "$(tail -n 1 out)" = '{"jsonrpc":"2.0","id":1,"result":{}}' ]
}

@test "each row of section 2.3" {
	local message want bad=0
	while IFS='|' read -r message want; do
		[ -n "$message" ] || continue
		serve "$message"
		[ "$(jq -c '[.id, .error.code]' out)" = "$want" ] && [ $rc -eq 0 ] || {
			echo "$message: $(<out), not $want" >&2
			bad=1
		}
	done <<'END'
{"id":1,"method":"ping"}|[1,-32600]
{"jsonrpc":"1.0","id":1,"method":"ping"}|[1,-32600]
{"jsonrpc":2.0,"id":1,"method":"ping"}|[1,-32600]
{"jsonrpc":"2.0","id":1,"method":5}|[1,-32600]
{"jsonrpc":"2.0","id":1}|[1,-32600]
{"jsonrpc":"2.0","id":1,"method":null}|[1,-32600]
{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}|[1,-32600]
{"jsonrpc":"2.0","id":1,"method":"ping","params":null}|[1,-32600]
{"jsonrpc":"2.0","id":null,"method":"ping"}|[null,-32600]
{"jsonrpc":"2.0","id":1.5,"method":"ping"}|[null,-32600]
{"jsonrpc":"2.0","id":1e0,"method":"ping"}|[null,-32600]
{"jsonrpc":"2.0","id":true,"method":"ping"}|[null,-32600]
{"jsonrpc":"2.0","id":[1],"method":"ping"}|[null,-32600]
{"jsonrpc":"2.0","id":{},"method":"ping"}|[null,-32600]
{"jsonrpc":"2.0","id":1,"method":"notifications/cancelled"}|[1,-32601]
{"jsonrpc":"2.0","id":1,"method":"notifications/initialized"}|[1,-32601]
{"jsonrpc":"2.0","id":9,"result":{}}|
{"jsonrpc":"2.0","id":9,"error":{"code":1,"message":"x"}}|
{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"x"}}|
{"jsonrpc":"2.0","method":"ping"}|
{"jsonrpc":"2.0","method":"no/such"}|
{"method":"ping"}|
{"jsonrpc":"2.0","method":7}|
{}|
[{"jsonrpc":"2.0","id":1,"method":"ping"}]|[null,-32600]
[]|[null,-32600]
5|[null,-32600]
"x"|[null,-32600]
null|[null,-32600]
true|[null,-32600]
END
	[ $bad -eq 0 ]
}

@test "what cannot be read is -32700, with the id where there is one" {
	local bad=0 message want
	while IFS='|' read -r message want; do
		serve "$(printf '%b' "$message")" '{"jsonrpc":"2.0","id":"next","method":"ping"}'
		[ "$(jq -c '[.id, .error.code]' out | paste -sd' ')" = "$want [\"next\",null]" ] || {
			echo "$message: $(<out), not $want" >&2
			bad=1
		}
	done <<'END'
{"jsonrpc":"2.0","id":7,"method":"ping"|[7,-32700]
{"jsonrpc":"2.0","id":7|[null,-32700]
{"jsonrpc":"2.0","id":"7"|["7",-32700]
{"jsonrpc":"2.0","id":7,"method":"p\\xffng"}|[7,-32700]
{"jsonrpc":"2.0","params":{"id":3},"id":7,"method":"ping",}|[7,-32700]
{"jsonrpc":"2.0","params":{"id":3},"method":"ping",}|[null,-32700]
{"jsonrpc":"2.0","id":7,"method":"ping","method":"ping"}|[7,-32700]
{"jsonrpc":"2.0","id":7,"method":"ping","\\u006dethod":"ping"}|[7,-32700]
{"jsonrpc":"2.0","id":7,"method":"ping","params":{"a":1,"a":1}}|[7,-32700]
{"jsonrpc":"2.0","id":"a\\\\","method":"ping" x|["a\\",-32700]
{"jsonrpc":"2.0","id":null,"method":|[null,-32700]
{"id":01,"method":"ping"}|[null,-32700]
\\xff|[null,-32700]
{|[null,-32700]
{"jsonrpc":"2.0","id":7,"x":"a\tb","method":"ping"}|[7,-32700]
END
	[ $bad -eq 0 ]
}

@test "nesting over 96 is -32700, and over 64 in arguments is the program's to refuse" {
	deep() { printf '[%.0s' $(seq "$1"); printf ']%.0s' $(seq "$1"); }
	serve "$(call 1 notes_list "{\"x\":$(deep 95)}")" "$(call 2 notes_list "{\"x\":$(deep 70)}")"
	answers '[.id, .error.code, .result.structuredContent.code]' \
		$'[1,-32700,null]\n[2,null,"invalid_arguments"]'
}

@test "ids are echoed byte for byte, and compared with their type" {
	local ids=(0 '""' '"1"' 1 9007199254740993 -1 '"a\u0062"' '"\ud800"' '"é"'
		'"a\/b"' 123456789012345678901234567890) id lines=()
	for id in "${ids[@]}"; do
		lines+=('{"jsonrpc":"2.0","id":'"$id"',"method":"ping"}' "$(call "$id" notes_list)")
	done
	serve "${lines[@]}"
	[ "$(wc -l <out)" -eq 22 ]
	for id in "${ids[@]}"; do
		[ "$(grep -cF "{\"jsonrpc\":\"2.0\",\"id\":$id,\"result\":" out)" -eq 2 ] ||
			fail "$id: $(<out)"
	done
}

@test "a line over 4 MiB + 64 KiB is discarded with its id, and the call after it works" {
	{
		printf '%s\n' "$INIT"
		printf '{"jsonrpc":"2.0","id":"big","method":"ping","params":{"x":"'
		head -c 5242880 /dev/zero | tr '\0' x
		printf '"}}\n'
		printf '{"jsonrpc":"2.0","x":"'
		head -c 5242880 /dev/zero | tr '\0' x
		printf '","id":4}\n'
		call 5 notes_list
	} | bare
	answers 'select(.id != "init") | [.id, .error.code, .error.message, .result.isError]' \
		'["big",-32600,"message exceeds 4259840 bytes",null]
[null,-32600,"message exceeds 4259840 bytes",null]
[5,null,null,false]'
}

@test "arguments of 4 MiB reach the program, byte for byte" {
	stub notes-list 'sum=$(md5sum); printf "{\"sum\":\"%s\"}\nx\n" "$sum"'
	OPTIONS=(--bin-dir bin --tools notes_list)
	{
		printf '{"a":9007199254740993,"a" : "\\u0061\\/","t":"'
		head -c 4100000 /dev/zero | tr '\0' x
		printf '"}'
	} >arguments
	{
		printf '%s\n' "$INIT"
		printf '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"notes_list","arguments": '
		cat arguments
		printf ' }}\n'
	} | bare
	answers 'select(.id == 1).result.structuredContent.sum' "\"$(md5sum <arguments)\""
}

@test "eras: every row of the table of section 3" {
	local method want_modern want_legacy bad=0
	while read -r method want_legacy want_modern; do
		serve '{"jsonrpc":"2.0","id":1,"method":"'"$method"'","params":{"protocolVersion":"2025-11-25","name":"notes_list"}}' \
			'{"jsonrpc":"2.0","id":2,"method":"'"$method"'","params":{"protocolVersion":"2025-11-25","name":"notes_list",'"$MODERN"'}}'
		[ "$(jq -sc 'sort_by(.id) | map(.error.code)' out)" = "[$want_legacy,$want_modern]" ] || {
			echo "$method: $(<out)" >&2
			bad=1
		}
	done <<'END'
server/discover -32601 null
initialize null -32601
ping null -32601
tools/list null null
tools/call null null
logging/setLevel -32601 -32601
resources/list -32601 -32601
prompts/list -32601 -32601
completion/complete -32601 -32601
tasks/get -32601 -32601
subscriptions/listen -32601 -32601
no/such -32601 -32601
END
	[ $bad -eq 0 ]
}

@test "before initialize only initialize and ping are served, and modern requests" {
	local method
	for method in tools/list tools/call server/discover no/such; do
		bare <<<'{"jsonrpc":"2.0","id":1,"method":"'$method'","params":{"name":"notes_list"}}'
		answers '[.error.code, (.error.message | contains("initialize")
			and contains("io.modelcontextprotocol/protocolVersion"))]' '[-32602,true]'
	done
	printf '%s\n' '{"jsonrpc":"2.0","id":1,"method":"ping"}' \
		'{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"notes_list",'"$MODERN"'}}' | bare
	answers '[.id, .result.isError]' $'[1,null]\n[2,false]'
}

@test "a modern request: version, capabilities, result members" {
	local meta
	for meta in '"io.modelcontextprotocol/protocolVersion":"2027-01-01"' \
		'"io.modelcontextprotocol/protocolVersion":"2025-06-18","io.modelcontextprotocol/clientCapabilities":{}'; do
		bare <<<'{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{'"$meta"'}}}'
		answers '[.error.code, .error.data.supported, (.error.data.requested | length)]' \
			'[-32022,["2026-07-28","2025-11-25","2025-06-18","2025-03-26","2024-11-05"],10]'
	done
	for meta in '{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}' \
		'{"io.modelcontextprotocol/protocolVersion":5}' 7 \
		'{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":[]}'; do
		bare <<<'{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":'"$meta"'}}'
		answers .error.code -32602
	done
	bare <<<'{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{'"$MODERN"'}}'
	answers '.result | keys_unsorted' \
		'["supportedVersions","capabilities","instructions","ttlMs","cacheScope","resultType","_meta"]'
	answers '.result | [.supportedVersions[0], .capabilities, .ttlMs, .cacheScope, .resultType,
		._meta["io.modelcontextprotocol/serverInfo"].name]' \
		'["2026-07-28",{"tools":{}},3600000,"private","complete","ctxtools"]'
	bare <<<'{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{'"$MODERN"'}}'
	answers '.result | keys_unsorted' '["tools","ttlMs","cacheScope","resultType","_meta"]'
}

@test "initialize: versions are echoed or answered with the newest legacy one" {
	local version want title
	while read -r version want title; do
		bare <<<'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"'"$version"'"}}'
		answers '.result | [.protocolVersion, .capabilities, .serverInfo.title]' \
			"[\"$want\",{\"tools\":{}},$title]"
		answers '.result.instructions | [length > 0, utf8bytelength <= 1024, contains("\n")]' \
			'[true,true,false]'
	done <<'END'
2024-11-05 2024-11-05 null
2025-03-26 2025-03-26 null
2025-06-18 2025-06-18 "ctxtools"
2025-11-25 2025-11-25 "ctxtools"
2026-07-28 2025-11-25 "ctxtools"
1999-01-01 2025-11-25 "ctxtools"
nonsense 2025-11-25 "ctxtools"
END
	for version in 5 null; do
		bare <<<'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":'"$version"'}}'
		answers .error.code -32602
	done
	bare <<<'{"jsonrpc":"2.0","id":1,"method":"initialize"}'
	answers .error.code -32602
	# A second one sets the version anew.
	serve '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2024-11-05"}}' \
		'{"jsonrpc":"2.0","id":2,"method":"tools/list"}'
	answers 'select(.id == 2).result.tools[0] | keys_unsorted' '["name","description","inputSchema"]'
}

@test "instructions are one line that names the tools on offer, of all families too" {
	local families name
	for families in notes history all; do
		"$BIN/mcp-serve" --families "$families" <<<"$INIT" | jq -r .result.instructions >line
		[ "$(wc -l <line)" -eq 1 ] && [ "$(wc -c <line)" -le 1025 ] || fail "$(<line)"
		for name in $(tool-schemas -j --families "$families" | jq -r '.tools[].name'); do
			grep -qw "$name" line || fail "$name is not in: $(<line)"
		done
		[[ $(<line) != *"$HOME"* && $(<line) != *s-1* ]]
	done
	# Only what is on offer.
	"$BIN/mcp-serve" --tools notes_read <<<"$INIT" | jq -r .result.instructions >line
	[[ $(<line) == *'(notes_read).' && $(<line) != *history* ]]
}

@test "programs are asked for their schemas at once, and listed in order" {
	local name names
	names=$(tool-schemas -j --families notes,history | jq -r '.tools[].name')
	for name in $names; do
		mkdir -p bin
		# Each waits until all of them have been asked.
		printf '#!/bin/bash\n: >%q\nuntil [ "$(ls %q | wc -l)" -eq %d ]; do sleep 0.02; done\nexec %q --schema\n' \
			"$PWD/asked/$name" "$PWD/asked" "$(wc -w <<<"$names")" "$BIN/${name//_/-}" >"bin/${name//_/-}"
		chmod +x "bin/${name//_/-}"
	done
	mkdir asked
	OPTIONS=(--bin-dir bin)
	serve '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'
	answers '.result.tools | map(.name) | join(" ")' "\"$(echo $names)\""
	[ ! -s err ]
}

@test "batches: where, how many, and one answer in order" {
	local version ping='{"jsonrpc":"2.0","id":1,"method":"ping"}' batch
	for version in 2024-11-05 2025-03-26; do
		INIT='{"jsonrpc":"2.0","id":"init","method":"initialize","params":{"protocolVersion":"'$version'"}}'
		serve "[$(call 1 notes_list),{\"jsonrpc\":\"2.0\",\"method\":\"x\"},{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"},5,$(call 3 notes_write '{"address":"a","content":"b"}'),$INIT]"
		answers 'map([.id, .error.code])' '[[1,null],[2,null],[null,-32600],[3,null],["init",-32600]]'
		serve '[]' '[{"jsonrpc":"2.0","method":"x"},{"jsonrpc":"2.0","method":"y"}]'
		answers '[.id, .error.code]' '[null,-32600]'
		batch=$(for ((i = 0; i < 64; i++)); do printf '%s,' "$ping"; done)
		serve "[${batch%,}]" "[$batch$ping]"
		answers 'if type == "array" then length else .error.code end' $'64\n-32600'
	done
	for version in 2025-06-18 2025-11-25; do
		INIT='{"jsonrpc":"2.0","id":"init","method":"initialize","params":{"protocolVersion":"'$version'"}}'
		serve "[$ping]"
		answers '[.id, .error.code]' '[null,-32600]'
	done
	bare <<<"[$ping]"
	answers '[.id, .error.code]' '[null,-32600]'
}

@test "tools/list: one page, the same bytes twice, members by version" {
	local version want
	serve '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' \
		'{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":null}}' \
		'{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"cursor":"x"}}'
	[ "$(sed -n 1p out)" = "$(sed -n 2p out)" ]
	[ "$(sed -n 3p out | jq -c '[.error.code, .error.message]')" = '[-32602,"invalid cursor"]' ]
	sed -i 1q out
	answers '.result | keys_unsorted' '["tools"]'
	answers '.result.tools | map(.name) | join(" ")' \
		"$(tool-schemas -j --families notes,history | jq '[.tools[].name] | join(" ")')"
	while read -r version want; do
		serve '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"'"$version"'"}}' \
			'{"jsonrpc":"2.0","id":2,"method":"tools/list"}'
		answers 'select(.id == 2).result.tools | map(keys_unsorted) | unique | map(join(" "))' "[\"$want\"]"
	done <<'END'
2024-11-05 name description inputSchema
2025-03-26 name description inputSchema annotations
2025-06-18 name title description inputSchema outputSchema annotations
2025-11-25 name title description inputSchema outputSchema annotations
END
	OPTIONS=(--surface text)
	serve '{"jsonrpc":"2.0","id":2,"method":"tools/list"}'
	answers '.result.tools | map(has("outputSchema")) | any' false
}

@test "outputSchema takes the success and the refusal" {
	"$BIN/notes-list" --schema >schema
	serve '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'
	jq -e --slurpfile s schema '.result.tools[0] | .inputSchema == $s[0].inputSchema
		and (.outputSchema | .type == "object" and .anyOf[0] == $s[0].outputSchema
		and .anyOf[1].required == ["error", "code"])' out
}

@test "tools/call: names and arguments that are wrong" {
	local long
	long=$(printf 'x%.0s' $(seq 300))
	serve "$(call 1 no_such)" "$(call 2 notes-list)" "$(call 3 "$long")" \
		'{"jsonrpc":"2.0","id":4,"method":"tools/call"}' \
		'{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":7}}' \
		"$(call 6 notes_list '[]')" "$(call 7 notes_list '"x"')" "$(call 8 memory)"
	answers '[.id, .error.code]' $'[1,-32602]\n[2,-32602]\n[3,-32602]\n[4,-32602]\n[5,-32602]\n[6,-32602]\n[7,-32602]\n[8,-32602]'
	[ "$(sed -n 1p out | jq -r .error.message)" = 'Unknown tool: no_such' ]
	[ "$(sed -n 3p out | jq -r .error.message)" = "Unknown tool: ${long:0:200}" ]
	serve "$(call 1 notes_list null)" \
		'{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"notes_list","_meta":{"progressToken":1}}}'
	answers '.result.isError' $'false\nfalse'
}

@test "cases.md row 20: a call as a notification is not executed, and not answered" {
	serve '{"jsonrpc":"2.0","method":"tools/call","params":{"name":"notes_write","arguments":{"address":"a","content":"b"}}}' \
		'{"jsonrpc":"2.0","id":1,"method":"ping"}'
	[ "$(<out)" = '{"jsonrpc":"2.0","id":1,"result":{}}' ]
	[ ! -e "$HOME/.agents" ]
	serve '{"jsonrpc":"2.0","id":null,"method":"tools/call","params":{"name":"notes_write","arguments":{"address":"a","content":"b"}}}'
	answers '[.id, .error.code]' '[null,-32600]'
	[ ! -e "$HOME/.agents" ]
}

@test "results by surface and version (section 6.3)" {
	local surface version structured
	notes-write -j plan --content $'one\ntwo\n' >/dev/null
	notes-read -j plan >json
	notes-read -t plan >text
	for surface in both text json; do
		OPTIONS=("--surface=$surface")
		for version in 2024-11-05 2025-03-26 2025-06-18 2025-11-25; do
			INIT='{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"'$version'"}}'
			serve "$(call 1 notes_read '{"address":"plan"}')" "$(call 2 notes_read '{"address":"no"}')"
			jq -s 'sort_by(.id)[]' -c out >sorted
			structured=1
			[[ $version < 2025-06-18 || $surface = text ]] && structured=0
			jq -se --argjson s $structured '.[0].result | .isError == false
				and has("structuredContent") == ($s == 1)
				and (.content | length == 1) and .content[0].type == "text"' sorted >/dev/null ||
				fail "$surface $version: $(<sorted)"
			jq -se --argjson s $structured '.[1].result | .isError
				and has("structuredContent") == ($s == 1)' sorted >/dev/null
			jq -rj 'select(.id == 1).result.content[0].text' sorted >got
			[ $surface = json ] && head -c -1 json >want || head -c -1 text >want
			cmp got want || fail "$surface $version"
			[ $structured = 0 ] || grep -qF "\"structuredContent\":$(<json),\"isError\":false" out ||
				fail "$surface $version: line 1 does not stand as it is"
		done
	done
}
