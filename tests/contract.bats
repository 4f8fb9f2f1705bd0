#!/usr/bin/env bats
# What every program promises (DESIGN section 2), asked of each one there is.
# The cases are made from what the program says of itself with --schema.

load common

setup() {
	common_setup
	export CTX_NOW_MS=1785571200000 CTX_SESSION=pi:s-1 CTX_CWD=$PWD
	export EDITOR=true VISUAL=
	export CTX_SESSION_FILE=$ROOT/samples/shop.jsonl
	# A note under the name that the sample objects use.
	mkdir -p "$HOME/.agents/notes/pi/session/s-1"
	printf 'one\ntwo\n' >"$HOME/.agents/notes/pi/session/s-1/x.md"
	# And a lesson, so that a store is there.
	lessons-add --global 'Run the tests.' >/dev/null 2>&1
	BAD=0
	rc=0
	tool_programs
}

# A fault is noted, and the loop goes on; the test ends with `clean`.
fault() {
	printf '%s: %s\n' "$program" "$1" >&2
	BAD=$((BAD + 1))
}
clean() {
	[ "$BAD" -eq 0 ] || fail "$BAD faults"
}

# call <input> [argument]...: runs $program on the input; fills out, err, rc.
call() {
	local input=$1
	shift
	rc=0
	"$program" "$@" >out 2>err <<<"$input" || rc=$?
	plain_ids
}
# plain_ids: the audits of lessons-audit have random ids.
plain_ids() {
	[ "$program" != lessons-audit ] ||
		sed -i -E 's/[0-9a-f]{8}-[0-9a-f-]{27}/ID/g' out
}
# largest <program>: bytes of a surface; one is a generator (spec/hosts.md 8).
largest() {
	[ "$1" = tool-schemas ] && echo 262144 || echo 32768
}

# Whether a program prints a document, and no result line.
prints_document() {
	[ "$program" = history-export ]
}

# jq on a program's schema, with tests/jq/cases.jq.
cases() {
	"$program" --schema | jq -c -L "$ROOT/tests/jq" "include \"cases\"; $1"
}
writes() {
	[ "$("$program" --schema | jq .annotations.readOnlyHint)" = false ]
}

# Whether $program ignores what it does not know, as its schema then says.
is_open() {
	[ "$("$program" --schema | jq '.inputSchema | has("additionalProperties")')" = false ]
}

# is_usage_error <what> [field]: exit 2, nothing on stdout, one clean line.
is_usage_error() {
	[ $rc -eq 2 ] || fault "$1: exit $rc, not 2"
	[ ! -s out ] || fault "$1: stdout is not empty"
	one_line_of_talk "$1"
	[ -z "${2:-}" ] || grep -qF -- "$2" err ||
		fault "$1: the message does not name $2: $(<err)"
}
one_line_of_talk() {
	local said
	IFS= read -r -d '' said <err || :
	[[ $said == "$program: "?*$'\n' ]] || fault "$1: stderr is: $said"
	said=${said%$'\n'}
	[[ $said != *[[:cntrl:]]* ]] || fault "$1: control characters, or lines"
	[ ${#said} -le 2100 ] || fault "$1: ${#said} characters on stderr"
	[[ $said != *[![:ascii:]]* ]] || iconv -f UTF-8 -t UTF-8 err >/dev/null ||
		fault "$1: stderr is not UTF-8"
}
is_environment_error() {
	[ $rc -eq 4 ] || fault "$1: exit $rc, not 4"
	one_line_of_talk "$1"
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

@test "a key given twice is refused, also when it is spelled otherwise" {
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

# fresh: the same start for each of two calls that may write, at the same place.
fresh() {
	rm -rf work
	cp -a home work
	HOME=$PWD/work
	CTX_CWD=$PWD/work
}
stale() {
	HOME=$PWD/home
	CTX_CWD=$PWD
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
				fault "$object: line 1 is no object"
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
