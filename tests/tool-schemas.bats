#!/usr/bin/env bats
# tool-schemas: the definitions of all model tools (spec/hosts.md section 8).
# shellcheck disable=SC2154 # run fills stderr

load common

setup() {
	common_setup
	# What there is, by family; tool-list.bats says what that has to be.
	mapfile -t NOTES < <(tool-schemas -j --families notes | jq -r '.tools[].name')
	mapfile -t HISTORY < <(tool-schemas -j --families history | jq -r '.tools[].name')
}

@test "each tool is what its own program says it is" {
	local name program
	tool-schemas -j >all 2>err
	[ "$(wc -l <all)" -eq 1 ] && [ "$(wc -c <all)" -le 262145 ]
	jq -e '.tools | length > 0' all
	for name in $(jq -r '.tools[].name' all); do
		program=${name//_/-}
		"$program" --schema | jq -cS . >want
		jq -cS --arg n "$name" '.tools[] | select(.name == $n)
			| del(.family, .program)' all | diff -u want -
		[ "$(jq -r --arg n "$name" '.tools[] | select(.name == $n).program' all)" = "$program" ]
	done
}

@test "families and tools choose, in the order of the table" {
	run -0 --separate-stderr tool-schemas -j --families notes
	[ "$(jq -r '[.tools[].name] | join(" ")' <<<"$output")" = "${NOTES[*]}" ]
	[ "$(jq -r '[.tools[].family] | unique | join(" ")' <<<"$output")" = notes ]
	run -0 --separate-stderr tool-schemas -j --families history,notes
	[ "$(jq -r '[.tools[].name] | join(" ")' <<<"$output")" = "${NOTES[*]} ${HISTORY[*]}" ]
	run -0 --separate-stderr tool-schemas -j --tools history_read,notes_read
	[ "$(jq -r '[.tools[].name] | join(" ")' <<<"$output")" = 'notes_read history_read' ]
	run -0 --separate-stderr tool-schemas -j --families history --families notes --tools notes_read
	[ "$(jq -r '[.tools[].name] | join(" ")' <<<"$output")" = notes_read ]
}

@test "a tool of another family, and unknown names, are exit 2" {
	local options
	for options in '--families nots' '--families notes,,history' '--families ' \
		'--tools notes-read' '--tools x' '--protocol 2025-01-01' '--surface xml' \
		'--families history --tools notes_read'; do
		# shellcheck disable=SC2086
		run --separate-stderr tool-schemas $options
		[ "$status" -eq 2 ] && [ -z "$output" ] || fail "$options: exit $status"
	done
	run -2 --separate-stderr tool-schemas --families history --tools notes_read
	[[ $stderr == *'tools: notes_read given, of the family notes;'* ]]
}

@test "what is not installed is left out of all, and exit 4 when it was named" {
	mkdir bin
	(cd "$BIN" && cp tool-schemas "${NOTES[@]//_/-}" "$OLDPWD/bin/")
	run -0 --separate-stderr bin/tool-schemas -j
	[ "$(jq -r '[.tools[].name] | join(" ")' <<<"$output")" = "${NOTES[*]}" ]
	[ -z "$stderr" ] || fail "$stderr"
	run -4 --separate-stderr bin/tool-schemas -j --families history
	[ -z "$output" ] && [[ $stderr == *'history-list: not installed in '* ]]
	run -4 --separate-stderr bin/tool-schemas -j --tools history_read
	[[ $stderr == 'tool-schemas: history-read: not installed in '* ]]
	rm bin/notes-read
	run -0 --separate-stderr bin/tool-schemas -j
	[[ $output != *'"notes_read"'* && $output == *'"notes_list"'* && -z $stderr ]]
	run -4 --separate-stderr bin/tool-schemas -j --families notes
	[[ $stderr == 'tool-schemas: notes-read: not installed in '* ]]
	rm bin/notes-*
	run -4 --separate-stderr bin/tool-schemas -j
}

@test "a program that does not say what it is is exit 4" {
	local body
	mkdir bin
	cp "$BIN/tool-schemas" bin/
	for body in 'echo {}' 'echo nonsense' 'exit 3' 'kill -9 $$' 'echo "{\"name\":\"notes_read\"}"' \
		"exec $BIN/notes-list --schema" 'head -c 300000 /dev/zero'; do
		printf '#!/bin/sh\n%s\n' "$body" >bin/notes-read
		chmod +x bin/notes-read
		run --separate-stderr bin/tool-schemas --tools notes_read
		[ "$status" -eq 4 ] && [ -z "$output" ] || fail "$body: exit $status, $output"
		[[ $stderr == 'tool-schemas: notes-read: '* ]] || fail "$body: $stderr"
	done
}

@test "text is name, mode and first sentence, with tabs" {
	tool-schemas -t --families notes >out 2>err
	[ ! -s err ]
	[ "$(cut -f 1 out | paste -sd' ')" = "${NOTES[*]}" ]
	[ "$(cut -f 2 out | paste -sd' ')" = "$(tool-schemas -j --families notes |
		jq -r '[.tools[].executionMode] | join(" ")')" ]
	[ "$(grep ^notes_write out | cut -f 3)" = 'Create a note, or replace the whole text of one, at an address.' ]
	[ "$(awk -F '\t' '{ print NF }' out | sort -u)" = 3 ]
}

@test "--mcp is what mcp-serve lists, in every version and surface" {
	local version surface line
	for version in 2024-11-05 2025-03-26 2025-06-18 2025-11-25 2026-07-28; do
		for surface in both text json; do
			tool-schemas -j --families notes,history --mcp --protocol $version \
				--surface $surface >got
			if [ $version = 2026-07-28 ]; then
				line='{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}'
			else
				line='{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"'$version'"}}
{"jsonrpc":"2.0","id":1,"method":"tools/list"}'
			fi
			mcp-serve --surface $surface <<<"$line" |
				jq -c 'select(.id == 1).result | {tools}' >want
			cmp got want || fail "$version $surface"
		done
	done
}

@test "schemas are plain objects, and longest names fit a host's prefix" {
	tool-schemas -j 2>/dev/null >all
	jq -e '[.tools[] | .inputSchema, .outputSchema
		| .type == "object" and ([has("$schema", "$ref", "oneOf", "anyOf", "allOf")] | any | not)]
		| all' all
	jq -e '[.tools[].name | test("^[a-z][a-z0-9_]{0,39}$")] | all' all
	jq -e '[.tools[].description | utf8bytelength <= 2048] | all' all
	jq -e '[.tools[].annotations | keys == ["destructiveHint", "idempotentHint",
		"openWorldHint", "readOnlyHint"] and all(type == "boolean") and (.openWorldHint | not)] | all' all
}
