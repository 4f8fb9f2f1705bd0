#!/usr/bin/env bats
# What every program does with JSON that is not an object it takes.

load common
load contract

setup() {
	contract_setup
	rc=0
}

@test "bad JSON is exit 2, nothing on stdout, one line on stderr" {
	local input
	local -a inputs=('{' '{"x":' '{"x":1' '{"x"}' '{x:1}' "{'x':1}" '{"x":01}'
		'{"x":1.}' '{"x":+1}' '{"x":.5}' '{"x":0x10}' '{"x":NaN}'
		'{"x":Infinity}' '{"x":nul}' '{"x":"a' '{"x":"\x41"}' '{"x":"\u12G4"}'
		'{"x":1,}' '{,}' '[1,]' '{"x":1}/**/' '{} x' '{}{}' '{}]' '}'
		$'{"x":"\n"}' $'{"x":"\t"}' $'{\v}' $'{"x":"\x01"}'
		'null' 'true' '17' '"x"' '[]' '[{}]'
		$'\xef\xbb\xbf{}' '{"x":"\u0000"}' '{"\u0000":1}'
		'{"x":"\ud800"}' '{"x":"\udc00"}' '{"x":"\ud800\u0041"}'
		'{"\udfff":1}' $'{"x":"\xff"}' $'{"x":"\xc0\xaf"}'
		$'{"x":"\xed\xa0\x80"}' $'{"x":"\xf4\x90\x80\x80"}' $'{"x":"\xe2\x82"}'
		$'{"\xff":1}' $'\xff')
	for program in "${PROGRAMS[@]}"; do
		for input in "${inputs[@]}"; do
			call "$input"
			is_usage_error "$input"
		done
		printf '{"x":"a\0b"}' | "$program" >out 2>err && rc=0 || rc=$?
		is_usage_error 'a NUL byte in a string'
		printf '{}\0' | "$program" >out 2>err && rc=0 || rc=$?
		is_usage_error 'a NUL byte after the object'
	done
	clean
}

@test "a key given twice is refused, even when it is spelled otherwise" {
	local key value
	for program in "${PROGRAMS[@]}"; do
		while IFS=$'\t' read -r key value; do
			call "{\"$key\":$value,\"$key\":$value}"
			is_usage_error "$key twice" "$key"
			call "{\"$key\":$value,\"\\u00$(printf %02x "'$key")${key:1}\":$value}"
			is_usage_error "$key twice, once escaped" "$key"
		done < <("$program" --schema | jq -r -L "$ROOT/tests/jq" 'include "cases";
			.inputSchema.properties | to_entries[] | "\(.key)\t\(.key as $k | .value | sample($k) | tojson)"')
	done
	clean
}

@test "nesting over 64 levels and input over 4 MiB are refused" {
	local n input
	run_of() {
		head -c "$1" /dev/zero | tr '\0' "$2"
	}
	for n in 65 2000 100000; do
		{ printf '{"no_such_field":' && run_of $n '[' && run_of $n ']' && printf '}'; } \
			>"$n closed brackets"
		run_of $n '[' >"$n open brackets"
		{ run_of $n A && printf 1 && run_of $n '}'; } | sed 's/A/{"a":/g' >"$n braces"
	done
	# A string may hold nearly 4 MiB; what is refused then is the field.
	{ printf '{"no_such_field":"' && run_of 4100000 a && printf '"}'; } >large
	{ printf '{"no_such_field":"' && run_of 4300000 a && printf '"}'; } >huge
	run_of 4300000 ' ' >blank
	# Proposals may be as large as 64 MiB.
	{ printf '{"no_such_field":"' && run_of 67200000 a && printf '"}'; } >'memory huge'
	run_of 67200000 ' ' >'memory blank'
	for program in "${PROGRAMS[@]}"; do
		local of=
		case $program in memory*) of='memory ' ;; esac
		for input in *' closed brackets' *' open brackets' *' braces' "${of}huge" "${of}blank"; do
			rc=0
			"$program" <"$input" >out 2>err || rc=$?
			is_usage_error "$input"
			! grep -q no_such_field err || fault "$input: judged by the field"
		done
		is_open && continue
		rc=0
		"$program" <large >out 2>err || rc=$?
		is_usage_error 'nearly 4 MiB' no_such_field
	done
	clean
}

@test "nothing, blanks and {} are one and the same" {
	local input
	for program in "${PROGRAMS[@]}"; do
		call '{}'
		cp out want.out
		cp err want.err
		local want=$rc
		for input in '' ' ' $'\n' $' \t\r\n \n' ' {} ' $'\n{\n}\n'; do
			call "$input"
			[ $rc -eq "$want" ] && cmp -s out want.out && cmp -s err want.err ||
				fault "$(printf %q "$input"): exit $rc, $(<err)"
		done
		rc=0
		"$program" </dev/null >out 2>err || rc=$?
		plain_ids
		[ $rc -eq "$want" ] && cmp -s out want.out || fault '/dev/null'
	done
	clean
}

@test "a terminal on stdin is not waited for" {
	need_terminal
	# One terminal for all; what is typed would be exit 2 for its field.
	for program in "${PROGRAMS[@]}"; do
		echo "$program -j >$program.out 2>$program.err"
	done >commands
	printf '{"no_such_field":1}\n\4' |
		timeout 60 script -qec 'bash commands' /dev/null >/dev/null || rc=$?
	[ "$rc" -ne 124 ] || fail 'waited for the terminal'
	for program in "${PROGRAMS[@]}"; do
		! grep -q no_such_field "$program.err" || fault 'read from the terminal'
		[ -s "$program.out" ] || [ -s "$program.err" ] || fault 'said nothing'
	done
	clean
}

@test "an unknown field is refused by name, whatever its name" {
	for program in "${PROGRAMS[@]}"; do
		base=$(cases base)
		if is_open; then
			fresh a
			call "$base" -j
			mv out want
			fresh a
			call "$(jq -c '. + {no_such_field: 1, "": {}}' <<<"$base")" -j
			cmp out want || fault 'an unknown field is not ignored'
			HOME=$PWD/home
			continue
		fi
		for field in no_such_field __proto__ '' Address 'a b' 'é'; do
			call "$(jq -c --arg f "$field" '. + {($f): 1}' <<<"$base")"
			is_usage_error "field '$field'" "$field"
		done
		call "$(jq -c '. + {"a\u001b[31m\u009b\u007fb\n": 1}' <<<"$base")"
		is_usage_error 'a field with control characters'
		call "$(jq -c '. + {("x" * 100000): 1}' <<<"$base")"
		is_usage_error 'a long field'
	done
	clean
}

@test "every parameter of the wrong type or out of range is refused by name" {
	local field object n
	for program in "${PROGRAMS[@]}"; do
		n=0
		while IFS=$'\t' read -r field object; do
			call "$object"
			is_usage_error "${object:0:300}" "$field"
			n=$((n + 1))
		done < <("$program" --schema | jq -r -L "$ROOT/tests/jq" \
			'include "cases"; wrong | "\(.[0])\t\(.[1] | tojson)"')
		[ $n -gt 0 ] || [ "$("$program" --schema |
			jq '.inputSchema.properties | length')" -eq 0 ] || fault 'no case'
	done
	clean
}

@test "values with control characters are not echoed raw" {
	local field object
	for program in "${PROGRAMS[@]}"; do
		while IFS=$'\t' read -r field object; do
			call "$object"
			[ $rc -le 2 ] || fault "$field: exit $rc"
			[ $rc -ne 2 ] || is_usage_error "$field" "$field"
			[ $rc -eq 2 ] || [ ! -s err ] || fault "$field: $(<err)"
			tail -n +2 out | LC_ALL=C tr -d '\n\t' >text
			# What the output family is given it gives back as it is, unless
			# a terminal shows it (spec/output.md section 1).
			case $program in ops-* | output-*) continue ;; esac
			! LC_ALL=C grep -q $'[\x01-\x1f\x7f]' text || fault "$field: raw in text"
		done < <("$program" --schema | jq -r -L "$ROOT/tests/jq" 'include "cases";
			base as $b | .inputSchema.properties | keys[]
			| "\(.)\t\($b + {(.): "a\u001b[31m\u009b\u007f\rb\n"} | tojson)"')
	done
	clean
}
