#!/usr/bin/env bats
# lessons-move: spec/lessons.md sections 2.2 and 9.2.

load common
load lessons

setup() {
	lessons_setup
	good lessons-add 'One.'
	mkdir other
	OTHER=$(cd other && pwd -P)
}

@test "a lesson takes its chain along, archived members too; ids stay" {
	good lessons-add --supersedes 1 'One, better.'
	good lessons-move 2 --to global -j
	[ "$(<out)" = "{\"id\":2,\"status\":\"moved\",\"records\":2,\"from\":\"$APP\",\"to\":\"global\"}" ]
	good lessons-move 1 --to project --reason back
	[ "$(<out)" = "#1 moved from global to $APP (2 records)" ]
	good lessons-move 1 --to "$OTHER"
	[ "$(sql 'SELECT id, scope FROM lessons ORDER BY id')" = "1|$OTHER"$'\n'"2|$OTHER" ]
	[ "$(sql "SELECT lesson_id, reason, details FROM activity WHERE action = 'move' AND reason IS NOT NULL ORDER BY id")" = "1|back|{\"before\":\"global\",\"after\":\"$APP\"}"$'\n'"2|back|{\"before\":\"global\",\"after\":\"$APP\"}" ]
	good lessons-check
	run sqlite3 "$DB" "UPDATE lessons SET text = 'x'"
	[ "$status" -ne 0 ]
}

@test "a whole scope, whose directory may be gone" {
	good lessons-add 'Two.'
	good lessons-archive 2
	mv app renamed
	export CTX_CWD=$PWD/renamed
	good lessons-move --from "$APP" --to project -j
	[ "$(<out)" = "{\"status\":\"moved\",\"records\":2,\"from\":\"$APP\",\"to\":\"${APP%app}renamed\"}" ]
	good lessons-move --from "${APP%app}renamed" --to "$OTHER"
	[ "$(<out)" = "${APP%app}renamed moved to $OTHER (2 records)" ]
}

@test "the refusals, and nothing moves" {
	refused same_scope lessons-move 1 --to project
	refused bad_destination lessons-move 1 --to nowhere
	refused not_found lessons-move 9 --to global
	refused not_found lessons-move --from /nowhere --to "$OTHER"
	good lessons-add --global 'One.'
	refused duplicate lessons-move 1 --to global
	grep -q '#1.*#2' out
	CTX_CWD=$OTHER good lessons-add 'There.'
	good lessons-archive 3 --anywhere
	refused occupied lessons-move --from "$APP" --to "$OTHER"
	refused same_scope lessons-move --from "$APP" --to project
	CTX_CWD=$OTHER refused out_of_scope lessons-move 1 --to global
	usage id lessons-move --to global
	usage id lessons-move 1 --from /x --to global
	usage from lessons-move --from global --to "$OTHER"
	usage from lessons-move --from x --to "$OTHER"
	usage to lessons-move --from /x --to global
	[ "$(sql "SELECT count(*) FROM activity WHERE action = 'move'")" = 0 ]
	run sqlite3 "$DB" "UPDATE lessons SET text = 'x'"
	[ "$status" -ne 0 ]
}

# root <directory>: the scope that a lesson gets there.
root() {
	CTX_CWD=$1 lessons-status -j </dev/null | jq -r '.project // .code'
}

@test "section 2.2: checkouts, worktrees, submodules, bare repositories" {
	local git
	command -v git >/dev/null || skip 'no git'
	export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
	git=(git -c user.name=a -c user.email=a@b -c init.defaultBranch=main -c protocol.file.allow=always)
	"${git[@]}" init -q main
	"${git[@]}" -C main commit -q --allow-empty -m x
	mkdir -p main/deep/er
	here=$(pwd -P)
	[ "$(root "$PWD/main/deep/er")" = "$here/main" ]
	"${git[@]}" -C main worktree add -q ../linked 2>/dev/null
	[ "$(root "$PWD/linked")" = "$here/main" ]
	"${git[@]}" clone -q main clone
	[ "$(root "$PWD/clone")" = "$here/clone" ]
	"${git[@]}" -C main submodule --quiet add "$here/clone" sub 2>/dev/null
	[ "$(root "$PWD/main/sub")" = "$here/main/sub" ]
	"${git[@]}" clone -q --bare main bare.git
	"${git[@]}" -C bare.git worktree add -q ../from-bare 2>/dev/null
	[ "$(root "$PWD/from-bare")" = "$here/bare.git" ]
	"${git[@]}" clone -q --separate-git-dir="$here/elsewhere" main separate
	[ "$(root "$PWD/separate")" = "$here/separate" ]
	ln -s main/deep link
	[ "$(root "$PWD/link")" = "$here/main" ]
	# The variables of git are not read.
	[ "$(GIT_DIR=$PWD/clone/.git root "$PWD/main")" = "$here/main" ]
}

@test "section 2.2: what cannot be followed is refused, and never another scope" {
	mkdir -p broken/deep
	refused_root() {
		[ "$(root "$PWD/broken/deep")" = bad_project ] || fail "$1: $(root "$PWD/broken/deep")"
		CTX_CWD=$PWD/broken/deep lessons-status -j </dev/null | grep -q "broken/.git"
		rm -rf broken/.git
	}
	mkdir broken/.git
	refused_root 'a directory without HEAD'
	echo nonsense >broken/.git
	refused_root 'no gitdir line'
	echo 'gitdir: /nowhere' >broken/.git
	refused_root 'a gitdir that is not there'
	ln -s nowhere broken/.git
	refused_root 'a dangling link'
	mkfifo broken/.git
	refused_root 'a FIFO'
	mkdir broken/.git
	: >broken/.git/HEAD
	printf '[core]\n\tworktree = /\n' >broken/.git/config
	refused_root 'another worktree'
	mkdir broken/.git
	: >broken/.git/HEAD
	echo ../nowhere >broken/.git/commondir
	refused_root 'a commondir that is not there'
	[ "$(root "$PWD/nowhere")" = invalid_cwd ]
}
