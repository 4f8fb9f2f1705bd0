#!/usr/bin/env bats
# The root of a project, rule by rule: spec/lessons.md section 2.2.  The git
# directories are made by hand, so that each holds what its rule asks for and
# nothing else; those that git itself makes are in lessons-move.

load common
load lessons

setup() {
	lessons_setup
	HERE=$(pwd -P)
}

# git_directory <path> [line of its config]...: what counts as one.
git_directory() {
	local path=$1
	shift
	mkdir -p "$path"
	echo 'ref: refs/heads/main' >"$path/HEAD"
	[ $# -eq 0 ] || printf '%s\n' "$@" >"$path/config"
}

# linked <checkout> <its git directory> <commondir>: a linked worktree.
linked() {
	git_directory "$2"
	echo "$3" >"$2/commondir"
	mkdir -p "$1"
	echo "gitdir: $2" >"$1/.git"
}

# root_is <directory> <want>: both below this test's folder.
root_is() {
	CTX_CWD=$HERE/$1 good lessons-status -j
	[ "$(jq -r .project out)" = "$HERE/$2" ] || fail "$1: $(jq -r .project out), not $HERE/$2"
}

# no_root <directory> <.git path>: refused, naming it; the program that asks
# writes nothing.
no_root() {
	CTX_CWD=$HERE/$1 refused bad_project lessons-add 'Lost.'
	grep -qF "$HERE/$2: " out || fail "$1: $(<out)"
	[ ! -e "$DB" ] || fail "$1: a store was made"
}

@test "rule 1: the real path of the directory; anything else is invalid_cwd, which names it" {
	mkdir -p real/sub
	ln -s real link
	root_is link/sub real/sub
	: >file
	ln -s nowhere dangling
	local cwd
	for cwd in nowhere file file/x dangling; do
		CTX_CWD=$HERE/$cwd refused invalid_cwd lessons-add 'Lost.'
		grep -qF "$HERE/$cwd" out || fail "$cwd: $(<out)"
	done
	[ ! -e "$DB" ]
}

@test "rule 2: the nearest .git up from there; without one the directory itself" {
	mkdir -p plain/deep
	root_is plain/deep plain/deep
	git_directory outer/.git
	mkdir -p outer/a/b
	root_is outer/a/b outer
	git_directory outer/a/.git
	root_is outer/a/b outer/a
	# Inside a git directory, which is in no checkout of its own, the outer one counts.
	mkdir -p outer/a/.git/hooks
	root_is outer/a/.git/hooks outer/a
}

@test "rule 3: a directory .git with a HEAD; the checkout holds it" {
	git_directory a/.git
	root_is a a
	# By a link, too: what it holds lies elsewhere, the checkout does not.
	git_directory elsewhere
	mkdir b
	ln -s ../elsewhere b/.git
	root_is b b
	mkdir -p c/.git/refs
	no_root c c/.git
}

@test "rule 4: a file .git names the git directory, from where it lies" {
	git_directory g
	mkdir -p a/deep b
	echo 'gitdir: ../g' >a/.git
	root_is a/deep a
	printf 'gitdir:   %s/g  \r\n' "$HERE" >b/.git
	root_is b b
	# Neither a file nor a directory without a HEAD will do.
	: >file
	mkdir empty
	local bad
	for bad in 'gitdir: ../file' 'gitdir: ../empty' 'gitdir: ../nowhere' 'gitdir:' 'gitdir' \
		' gitdir: ../g' 'GITDIR: ../g' '' $'\ngitdir: ../g'; do
		echo "$bad" >a/.git
		no_root a a/.git
	done
}

@test "rule 5: core.worktree, from the git directory, has to be the checkout" {
	git_directory a/.git '[core]' '	worktree = ..'
	root_is a a
	git_directory b/.git '[core]' "worktree = \"$HERE/b\" ; here"
	root_is b b
	git_directory c/.git '[core]' 'worktree = ../../b'
	no_root c c/.git
	git_directory c/.git '[core]' 'worktree = ../nowhere'
	no_root c c/.git
	git_directory c/.git '[core]' 'worktree ='
	no_root c c/.git
	# A bare one that has a checkout is its checkout.
	git_directory d/.git '[core]' 'bare = true'
	root_is d d
	ln -s a link
	git_directory a/.git '[core]' "WorkTree = $HERE/link"
	root_is a a
}

@test "rule 5: only the section core says it" {
	local config
	for config in '[other]' '[core "x"]' '# [core]' '[core.x]' '[corex]' '[branch "[core]"]'; do
		git_directory a/.git "$config" 'worktree = /nowhere'
		root_is a a
	done
	git_directory a/.git '[CORE] # section' 'x = y' '# worktree = /' '; worktree = /' 'xworktree = /' 'worktree = ..'
	root_is a a
	# The last one counts.
	git_directory a/.git '[core]' 'worktree = /' '[other]' '[core]' 'worktree = ..'
	root_is a a
	git_directory a/.git '[core]' 'worktree = ..' 'worktree = /'
	no_root a a/.git
	# On the line of its section.
	git_directory a/.git '[core] worktree = /'
	no_root a a/.git
}

@test "rule 6: a linked worktree is where its common directory says" {
	git_directory main/.git
	linked tree main/.git/worktrees/tree ../..
	mkdir tree/deep
	echo "gitdir: $HERE/main/.git/worktrees/tree" >tree/.git
	root_is tree/deep main
	# An absolute one.
	echo "$HERE/main/.git" >main/.git/worktrees/tree/commondir
	root_is tree main
	# core.worktree of the common directory, from there.
	mkdir -p moved
	printf '[core]\n\tworktree = ../../moved\n' >main/.git/config
	root_is tree moved
	# core.bare: the common directory itself, whatever it is called.
	local yes
	for yes in 'bare = true' 'bare=YES' 'bare = on' 'bare = 1' 'bare' 'BARE = "true" # so'; do
		printf '[core]\n\t%s\n' "$yes" >main/.git/config
		root_is tree main/.git
	done
	for yes in 'bare = false' 'bare = no' 'bare = 0' 'xbare = true'; do
		printf '[core]\n\t%s\n' "$yes" >main/.git/config
		root_is tree main
	done
	# Not bare, and not called .git: itself.
	git_directory store.git
	linked other store.git/worktrees/other ../..
	echo "gitdir: $HERE/store.git/worktrees/other" >other/.git
	root_is other store.git
	# The result is a real path.
	ln -s main alias
	rm main/.git/config
	echo "$HERE/alias/.git" >main/.git/worktrees/tree/commondir
	root_is tree main
}

@test "rule 6: what cannot be resolved is refused" {
	git_directory main/.git
	linked tree main/.git/worktrees/tree ../..
	echo "gitdir: $HERE/main/.git/worktrees/tree" >tree/.git
	root_is tree main
	local bad
	for bad in ../../../nowhere '' ../../HEAD ..; do
		echo "$bad" >main/.git/worktrees/tree/commondir
		no_root tree tree/.git
	done
	echo ../.. >main/.git/worktrees/tree/commondir
	printf '[core]\nworktree = ../../nowhere\n' >main/.git/config
	no_root tree tree/.git
	rm main/.git/config
	mkdir main/.git/config
	no_root tree tree/.git
	rmdir main/.git/config
	rm main/.git/HEAD
	no_root tree tree/.git
}

@test "the variables of git are not read, and git is not run" {
	git_directory a/.git
	mkdir -p tools b
	printf '#!/bin/sh\ntouch %s/ran\n' "$HERE" >tools/git
	chmod +x tools/git
	export GIT_DIR=$HERE/b GIT_WORK_TREE=$HERE/b GIT_COMMON_DIR=$HERE/b GIT_CEILING_DIRECTORIES=$HERE
	PATH=$HERE/tools:$PATH root_is a a
	[ ! -e ran ]
}

@test "two worktrees share their lessons, a clone and a submodule have their own" {
	git_directory main/.git
	linked one main/.git/worktrees/one ../..
	linked two main/.git/worktrees/two ../..
	echo "gitdir: $HERE/main/.git/worktrees/one" >one/.git
	echo "gitdir: $HERE/main/.git/worktrees/two" >two/.git
	git_directory main/.git/modules/sub '[core]' 'worktree = ../../../sub'
	mkdir main/sub
	echo 'gitdir: ../.git/modules/sub' >main/sub/.git
	git_directory clone/.git
	CTX_CWD=$HERE/one good lessons-add 'Shared.'
	local where
	for where in main one two; do
		CTX_CWD=$HERE/$where good lessons-recall -t
		grep -qx -- '- Shared. #1' out
	done
	root_is main/sub main/sub
	for where in clone main/sub; do
		CTX_CWD=$HERE/$where good lessons-recall -t
		[ "$(<out)" = 'PROJECT LESSONS' ]
	done
}
