#!/usr/bin/env bats
# The examples of the manual pages and of README.md are run: what a page says is
# what happens.

load common

setup() {
	common_setup
	export CTX_NOW_MS=1785571200000 CTX_SESSION=pi:s-1 CTX_AGENT='ana bot'
	export CTX_CWD=/srv/shop-api CTX_SAMPLES=$ROOT/samples
}

# run_examples <page>: every example, in order, in one empty home.
run_examples() {
	local page=$1 name command bad=0
	name=$(basename "$page")
	mkdir -p "examples/$name" "work/$name"
	HOME=$PWD/work/$name
	perl "$ROOT/tests/man.pl" "$page" "examples/$name" || return 1
	for command in "examples/$name"/*.command; do
		if [ ! -e "$command" ]; then
			echo "$page has no example" >&2
			return 1
		fi
		(cd "$HOME" && bash -c "$(<"$OLDPWD/$command")") \
			>"${command%command}got" 2>&1 </dev/null || :
		diff -u --label "$name says" --label 'it prints' \
			"${command%command}want" "${command%command}got" && continue
		echo "after: $ $(<"$command")"
		bad=1
	done >&2
	return $bad
}

@test "every program's manual page has examples, and they print what it says" {
	local page bad=0
	for page in "$ROOT"/man/man1/*.1; do
		run_examples "$page" || bad=1
	done
	[ $bad -eq 0 ]
}

@test "the examples of the pages in section 7 print what they say" {
	local page bad=0
	for page in "$ROOT"/man/man7/*.7; do
		grep -q '^\.Sh EXAMPLES' "$page" || continue
		run_examples "$page" || bad=1
	done
	[ $bad -eq 0 ]
}

@test "the examples of README.md print what they say" {
	# The sample is a session that Pi keeps.
	export PI_CODING_AGENT_SESSION_DIR=$ROOT/samples
	run_examples "$ROOT/README.md"
}
