#!/usr/bin/env bats
# What every program does with its options, beside the same as JSON.

load common
load contract

setup() {
	contract_setup
	rc=0
}

@test "unknown options, missing values and stray words are usage errors" {
	local name
	for program in "${PROGRAMS[@]}"; do
		for name in --no-such-option -Z --no-such=1 --no-no-such --; do
			[ "$name" = -- ] || {
				call '{}' "$name"
				is_usage_error "$name" "$name"
			}
		done
		while read -r name; do
			call '' "--$name"
			is_usage_error "--$name without a value" "--$name"
		done < <("$program" --schema | jq -r '.inputSchema.properties | to_entries[]
			| select(.value.type != "boolean") | .key | gsub("_"; "-")')
		while read -r name; do
			call '' "--$name=maybe"
			is_usage_error "--$name=maybe" "$program: --$name: "
		done < <("$program" --schema | jq -r '.inputSchema.properties | to_entries[]
			| select(.value.type == "boolean") | .key | gsub("_"; "-")')
		while read -r name; do
			call '' "--$name" 1x
			is_usage_error "--$name 1x" "$program: --$name"
			call '' "--$name" ''
			is_usage_error "--$name ''" "$program: --$name"
		done < <("$program" --schema | jq -r '.inputSchema.properties | to_entries[]
			| select(.value.type == "integer") | .key | gsub("_"; "-")')
		call '' one two three
		is_usage_error 'three operands'
	done
	clean
}

@test "an option given twice, and -j beside -t, are usage errors" {
	local fact option
	for program in "${PROGRAMS[@]}"; do
		for option in '-j -t' '--json -t' '-t -j' '-j -j' '-t -t' '-j --json'; do
			# shellcheck disable=SC2086
			call '' $option
			is_usage_error "$option"
		done
		for fact in $("$program" --help | sed -n '/^Host facts/,$s/^  --\([a-z-]*\) .*/\1/p'); do
			call '' "--$fact" a "--$fact" b
			is_usage_error "--$fact twice" "$program: --$fact: given twice"
		done
		for option in $("$program" --schema | jq -r '.inputSchema.properties | to_entries[]
			| select(.value.type == "string") | .key | gsub("_"; "-")'); do
			call '' "--$option" a "--$option" b
			is_usage_error "--$option twice" "$program: --$option: given twice"
		done
	done
	clean
}

@test "a parameter that is to come from a stdin that is closed is exit 4" {
	local name
	for program in "${PROGRAMS[@]}"; do
		name=$("$program" --schema | jq -r 'first(.inputSchema.properties | to_entries[]
			| select(.value.type == "string" and (.value | has("enum") | not)) | .key) // ""')
		[ -n "$name" ] || continue
		rc=0
		"$program" "--${name//_/-}" - >out 2>err <&- || rc=$?
		is_environment_error "--$name - <&-"
		[ ! -s out ] || fault "stdout is not empty"
		rc=0
		"$program" "--${name//_/-}" - >out 2>err </ || rc=$?
		is_environment_error "--$name - </"
	done
	clean
}

@test "flags and JSON are the same call" {
	local object
	local -a words
	for program in "${PROGRAMS[@]}"; do
		while read -r object; do
			mapfile -t words < <(jq -r -L "$ROOT/tests/jq" 'include "cases"; flags' \
				<<<"$object")
			# Without a parameter stdin is read: no call to compare.
			[ "${#words[@]}" -gt 0 ] || continue
			fresh
			call "$object" -j
			rm -rf a
			cp -a work a
			mv out want
			mv err want.err
			local want=$rc
			fresh
			call '{"no_such_field":1}' -j "${words[@]}"
			[ $rc -eq "$want" ] && diff want out && diff want.err err ||
				fault "$object: exit $want, and ${words[*]}: exit $rc"
			diff -r -x .lessons a work || fault "$object: did other things to the disk"
		done < <(cases right)
		stale
	done
	clean
}
