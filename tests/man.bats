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

# declared <page> <program>: holds the page against the program.
declared() {
	"$2" --schema >schema 2>/dev/null || : >schema
	"$2" --help >help
	perl "$ROOT/tests/declared.pl" "$1" schema help
}

@test "pages say of parameters, options and results what the programs declare" {
	local page bad=0
	for page in "$ROOT"/man/man1/*.1; do
		declared "$page" "$(basename "$page" .1)" || bad=1
	done
	[ $bad -eq 0 ]
}

@test "a page that says otherwise is found out" {
	local original=$ROOT/man/man1/notes-list.1 edit want
	while IFS='|' read -r edit want; do
		sed "$edit" "$original" >page.1
		! cmp -s "$original" page.1 || fail "nothing changed: $edit"
		run declared page.1 notes-list
		[ "$status" -eq 1 ] || fail "not found: $edit"
		[ "${#lines[@]}" -eq 1 ] && [[ $output == "page.1: $want" ]] || fail "$edit: $output"
	done <<-'EOF'
		s/^.It Cm cwd No/.It Cm dir No (string)\n&/|there is no parameter dir
		s/^.It Cm cwd No/&X/;s/^.It Cm cwd NoX.*//|the parameter cwd is missing
		s/from 1 to 10000/from 1 to 1000/|limit is (integer from 1 to 10000), not (integer from 1 to 1000)
		s/default false/default true/|wastebasket is (boolean, default false), not (boolean, default true)
		/^.It Cm cwd No/{p;s/.*/.It Cm cwd No (string)/}|cwd is there twice
		/^.Op Fl -limit/d|--limit is not in the SYNOPSIS
		s/^.Op Fl -limit.*/&\n.Op Fl -most Ar n/|there is no option --most
		/^.It Ev CTX_NOTES_HOME/d|the variable CTX_NOTES_HOME is not under ENVIRONMENT
		s/crumpled_excluded/excluded/|the member crumpled_excluded of the result is not named
	EOF
}
