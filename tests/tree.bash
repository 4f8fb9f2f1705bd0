# A copy of the sources, for tests that change them.
# shellcheck shell=bash disable=SC2154

# copy_tree: the sources in `tree`, and what is built of them where that can be
# told from it, so that only what changes is built again.
copy_tree() {
	local built=${CTX_BUILD:-$ROOT/build} folder
	mkdir tree
	(cd "$ROOT" && tar -c --exclude=./build --exclude=./.git .) | tar -x -C tree
	FOLDER=build
	if [[ $built == "$ROOT"/* && -e $built/flags ]]; then
		FOLDER=${built#"$ROOT"/}
		mkdir -p "tree/$FOLDER"
		for folder in flags cmd common generated lib; do
			cp -a "$built/$folder" "tree/$FOLDER/"
		done
	fi
}

# build <target>...: in the copy, as those under test were built.
build() {
	(cd tree && MAKELEVEL='' make -s -j2 B="$FOLDER" "${@/#/$FOLDER/}") >log 2>&1 ||
		fail "$(tail -n 20 log)"
}
