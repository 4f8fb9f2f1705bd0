#!/usr/bin/env bats
# make install: into a DESTDIR, run from there, and gone again.

load common

setup() {
	common_setup
	# The flavour that is under test is what is installed.
	case $BIN in
	"$ROOT"/*/bin | "$ROOT"/*/under/bin) ;;
	*) skip 'the programs under test are not in this tree' ;;
	esac
	# Nothing of the make that runs the tests, nor of its flags.
	unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES
	run -0 make -s -C "$ROOT" B=build install DESTDIR="$PWD/root" PREFIX=/opt/ctx
}

programs() {
	local source
	for source in "$ROOT"/cmd/*.c; do
		basename "$source" .c
	done
}

@test "every program, page and completion is installed, and nothing else" {
	local name
	for name in $(programs); do
		echo "bin/$name"
		echo "share/man/man1/$name.1"
		echo "share/bash-completion/completions/$name"
		echo "share/zsh/site-functions/_$name"
		echo "share/fish/vendor_completions.d/$name.fish"
	done >want
	for name in "$ROOT"/man/man7/*.7; do
		echo "share/man/man7/${name##*/}"
	done >>want
	sort -o want want
	(cd root/opt/ctx && find . -type f -printf '%P\n' | sort) >got
	diff -u want got
	[ -z "$(find root -type f -path '*/bin/*' ! -perm 755)" ]
	[ -z "$(find root -type f -path '*/share/*' ! -perm 644)" ]
	[ "$(ls root)" = opt ]
}

@test "installing says what it puts into each folder, in a line" {
	run -0 make -s -C "$ROOT" B=build install DESTDIR="$PWD/other" PREFIX=/opt/ctx
	[ "${#lines[@]}" -eq 6 ] || fail "$output"
	[ "${lines[0]}" = "$(programs | wc -l) files in $PWD/other/opt/ctx/bin" ] || fail "$output"
	run -0 make -s -C "$ROOT" B=build uninstall DESTDIR="$PWD/other" PREFIX=/opt/ctx
	[[ $output == *' files removed from '*/other/opt/ctx ]] && [ "${#lines[@]}" -eq 1 ]
}

@test "an installed program runs, wherever it stands" {
	local name
	for name in $(programs); do
		(cd / && env -i PATH=/usr/bin:/bin HOME="$HOME" \
			"$OLDPWD/root/opt/ctx/bin/$name" --version) >out
		grep -qF "$name" out
	done
}

@test "uninstall takes every file away, and leaves other people's" {
	touch root/opt/ctx/bin/other
	run -0 make -s -C "$ROOT" B=build uninstall DESTDIR="$PWD/root" PREFIX=/opt/ctx
	[ "$(find root -type f)" = root/opt/ctx/bin/other ]
}

@test "folders with a blank in their name are no trouble" {
	run -0 make -s -C "$ROOT" B=build install DESTDIR="$PWD/a root" PREFIX='/usr'
	[ -x "a root/usr/bin/$(programs | head -n 1)" ]
}
