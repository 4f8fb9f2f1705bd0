#!/usr/bin/env bats
# What every program says of itself, and whether its results keep to it.

load common
load contract

setup() {
	contract_setup
	rc=0
}

@test "--schema is one JSON object with all that a host registers" {
	for program in "${PROGRAMS[@]}"; do
		call '' --schema
		[ $rc -eq 0 ] && [ ! -s err ] || fault "exit $rc, stderr: $(<err)"
		jq -e --arg program "$program" '
			(.name | gsub("_"; "-")) == $program
			and ([.title, .description] | all(type == "string" and length > 0))
			and (.description | utf8bytelength) <= 2048
			and (.executionMode | . == "parallel" or . == "sequential")
			and (.annotations | [.readOnlyHint, .destructiveHint, .idempotentHint,
				.openWorldHint] | all(type == "boolean"))
			and ([.inputSchema, .outputSchema] | all(type == "object"))' out >/dev/null ||
			fault "the definition is incomplete: $(<out)"
		[ "$(jq -s length out)" = 1 ] || fault 'more than one value'
	done
	clean
}

@test "inputSchema is one that every host takes, outputSchema an object" {
	for program in "${PROGRAMS[@]}"; do
		"$program" --schema >out
		jq -e '.inputSchema
			| .type == "object" and ((has("additionalProperties") | not) or .additionalProperties == false)
			and (.properties | type) == "object"
			and ((.required // []) - (.properties | keys) == [])
			and ([has("$schema", "oneOf", "anyOf", "allOf")] | any | not)
			and ([.. | objects | has("$ref")] | any | not)
			and (.properties | all(.description | type == "string" and length > 0))
			' out >/dev/null || fault 'inputSchema'
		jq -e '.outputSchema | .type == "object" and (.properties | length) > 0
			and ([.. | objects | has("$ref")] | any | not)' out >/dev/null ||
			fault 'outputSchema'
	done
	clean
}

@test "the argument objects that the tests make fit the schemas they come from" {
	for program in "${PROGRAMS[@]}"; do
		cases 'include "schema"; .inputSchema as $s | right | errors($s)' >faults
		[ ! -s faults ] || fault "$(<faults)"
		cases 'include "schema"; .inputSchema as $s | wrong
			| select([.[1] | errors($s)] == [])' >faults
		[ ! -s faults ] || fault "these do fit: $(<faults)"
	done
	clean
}

@test "--help names every parameter, on stdout, in 80 columns" {
	local name
	for program in "${PROGRAMS[@]}"; do
		call '' --help
		[ $rc -eq 0 ] && [ ! -s err ] || fault "exit $rc, stderr: $(<err)"
		for name in $("$program" --schema |
			jq -r '.inputSchema.properties | keys[] | gsub("_"; "-")'); do
			grep -qE -- "--(\[no-\])?$name\b" out || fault "--$name is not named"
		done
		grep -q -- "$program" out || fault 'does not say its name'
		! grep -nE '.{81}' out || fault 'a line over 80 columns'
		! grep -nE '[[:blank:]]$' out || fault 'trailing blanks'
	done
	clean
}

@test "--version says name and version in one line" {
	local version
	version=$(sed -n 's/.*CTXTOOLS_VERSION "\(.*\)"/\1/p' "$ROOT/common/tool/version.h")
	for program in "${PROGRAMS[@]}"; do
		call '' --version
		[ $rc -eq 0 ] && [ ! -s err ] || fault "exit $rc, stderr: $(<err)"
		[ "$(wc -l <out)" -eq 1 ] && grep -qF "$version" out ||
			fault "says: $(<out)"
	done
	clean
}

@test "completions are scripts that their shells take" {
	for program in "${PROGRAMS[@]}"; do
		for shell in bash zsh fish; do
			call '' --completion $shell
			[ $rc -eq 0 ] && [ -s out ] || fault "no completion for $shell"
		done
		call '' --completion tcsh
		is_usage_error '--completion tcsh'
	done
	clean
}

@test "results and refusals are what outputSchema says" {
	local object
	for program in "${PROGRAMS[@]}"; do
		"$program" --schema | jq .outputSchema >schema
		while read -r object; do
			fresh
			# Of a document each line of JSON is one.
			prints_document && object=$(jq -c '.format = "jsonl"' <<<"$object")
			call "$object" -j
			[ $rc -eq 0 ] || continue
			jq -r -L "$ROOT/tests/jq" --slurpfile s schema \
				'include "schema"; errors($s[0])' out >faults
			[ ! -s faults ] || fault "$object: $(<faults)"
		done < <(cases right)
		stale
	done
	clean
}
