#!/usr/bin/env bats
# Both surfaces of every program, what calls change, and bad descriptors.

load common
load contract

setup() {
	contract_setup
	rc=0
}

# as_parameter <file>: the option that a person's refusal begins with, as the
# parameter that a host is told of (spec/people.md section 5).
as_parameter() {
	perl -pe 's/^(error: \w+: )--([a-z-]+): /$1 . ($2 =~ tr{-}{_}r) . ": "/e if $. == 1' "$1"
}

@test "JSON arguments give both surfaces, -j the first, -t the second; flags text" {
	local object
	local -a words
	for program in "${PROGRAMS[@]}"; do
		prints_document && continue
		while read -r object; do
			for mode in both -j -t; do
				fresh
				[ $mode = both ] && call "$object" || call "$object" $mode
				[ $rc -le 1 ] && [ ! -s err ] ||
					fault "$object $mode: exit $rc: $(<err)"
				mv out "$program$mode"
			done
			cat "$program-j" "$program-t" | cmp - "$program"both ||
				fault "$object: -j and -t are not both"
			[ "$(wc -l <"$program-j")" -eq 1 ] || fault "$object: -j is not a line"
			[ "$(wc -c <"$program-j")" -le $(($(largest "$program") + 1)) ] || fault "$object: large"
			[ "$(wc -c <"$program-t")" -le $(($(largest "$program") + 1)) ] || fault "$object: large"
			jq -e 'type == "object"' "$program-j" >/dev/null ||
				fault "$object: line 1 is not an object"
			if [ $rc -eq 1 ]; then
				jq -e '(keys_unsorted[:2] == ["error", "code"])
					and ([.error, .code] | all(type == "string"))' "$program-j" >/dev/null ||
					fault "$object: a refusal of another shape"
				jq -r '"error: \(.code): \(.error)"' "$program-j" |
					cmp - "$program-t" || fault "$object: another refusal in text"
			fi
			mapfile -t words < <(jq -r -L "$ROOT/tests/jq" 'include "cases"; flags' \
				<<<"$object")
			[ "${#words[@]}" -gt 0 ] || continue
			fresh
			call '' "${words[@]}"
			as_parameter out | cmp - "$program-t" ||
				fault "${words[*]}: flags do not give the text"
		done < <(cases right)
		stale
	done
	clean
}

@test "read-only programs change nothing, and say the same twice" {
	local object
	for program in "${PROGRAMS[@]}"; do
		writes && continue
		while read -r object; do
			# What it was told last is in that file.
			[[ $program != lessons-recall || $object != *since* ]] || continue
			fresh
			call "$object"
			mv out first
			call "$object"
			cmp first out || fault "$object: another answer the second time"
			# An access count is bookkeeping, in a note that has a block.
			diff -r home work || fault "$object: changed the home"
		done < <(cases right)
		stale
	done
	clean
}

@test "a stdout that cannot be written is exit 4" {
	local base
	for program in "${PROGRAMS[@]}"; do
		base=$(cases base)
		for option in --help --version --schema '--completion bash' -j -t; do
			rc=0
			# shellcheck disable=SC2086
			"$program" $option <<<"$base" >/dev/full 2>err || rc=$?
			is_environment_error "$option >/dev/full"
			rc=0
			# shellcheck disable=SC2086
			"$program" $option <<<"$base" >&- 2>err || rc=$?
			is_environment_error "$option >&-"
		done
	done
	clean
}

@test "a reader that is gone ends the program, quietly or with exit 4" {
	for program in "${PROGRAMS[@]}"; do
		exec 5> >(:)
		wait $! || :
		rc=0
		"$program" --schema >&5 2>err || rc=$?
		[ $rc -eq 141 ] || [ $rc -eq 4 ] || fault "exit $rc: $(<err)"
		rc=0
		(trap '' PIPE && exec "$program" --schema >&5 2>err) || rc=$?
		is_environment_error 'SIGPIPE ignored'
		exec 5>&-
	done
	clean
}

@test "a closed stdin or stderr does no harm" {
	for program in "${PROGRAMS[@]}"; do
		rc=0
		"$program" -j <&- >out 2>err || rc=$?
		case $rc in
		0 | 1) prints_document || jq -e 'type == "object"' out >/dev/null || fault 'no result' ;;
		2 | 4) one_line_of_talk 'stdin closed' ;;
		*) fault "stdin closed: exit $rc" ;;
		esac
		rc=0
		"$program" <<<'[]' >out 2>&- || rc=$?
		[ $rc -eq 2 ] && [ ! -s out ] || fault "stderr closed: exit $rc"
		# A directory cannot be read.
		rc=0
		"$program" </ >out 2>err || rc=$?
		is_environment_error 'a directory on stdin'
	done
	clean
}
