#!/usr/bin/env bats
# lessons-list: spec/lessons.md section 9.1.

load common
load lessons

setup() {
	lessons_setup
}

several() {
	local i
	for i in "$@"; do
		CTX_NOW_MS=$((1785571200000 + i)) good lessons-add "Lesson $i."
	done
}

@test "nothing: an empty list, and no store is made" {
	good lessons-list -j
	[ "$(<out)" = '{"lessons":[],"total":0,"next_offset":null}' ]
	good lessons-list -t
	[ "$(<out)" = 'no lessons' ]
	[ ! -e "$HOME/.local" ]
}

@test "order, pages and texts" {
	several 1 2 3
	good lessons-add --global $'Every\n  where.'
	good lessons-list -t
	diff -u - out <<END
#3 2026-08-01 [$APP] Lesson 3.
#2 2026-08-01 [$APP] Lesson 2.
#1 2026-08-01 [$APP] Lesson 1.
#4 2026-08-01 [global] Every where.
END
	good lessons-list -t --limit 2 --offset 1 --scope project
	[ "$(<out)" = '#2 2026-08-01 Lesson 2.'$'\n''#1 2026-08-01 Lesson 1.' ]
	good lessons-list -t --limit 3
	[ "$(tail -n 1 out)" = '[4 lessons; continue at offset 3]' ]
	good lessons-list -j --limit 3
	[ "$(jq -c '[.lessons[].id], .total, .next_offset' out)" = $'[3,2,1]\n4\n3' ]
	good lessons-list -j --offset 3
	[ "$(jq -c '[.lessons[].id], .next_offset' out)" = $'[4]\nnull' ]
	good lessons-list -j --offset 99
	[ "$(jq -c '.lessons, .total' out)" = $'[]\n4' ]
	jq -e 'true' out
}

@test "a lesson has its keys in order" {
	several 1
	good lessons-list -j
	jq -e '.lessons[0] | keys_unsorted == ["id","scope","text","evidence","basis","source_harness","source_session",
		"created_at","updated_at","revision","archived","archived_at","supersedes_id"]
		and .archived == false and .archived_at == null and .supersedes_id == null' out
}

@test "all: scopes by their bytes, a project before global; state archived" {
	mkdir b a
	here=$(pwd -P)
	CTX_CWD=$PWD/b good lessons-add 'B.'
	CTX_CWD=$PWD/a good lessons-add 'A.'
	good lessons-add --global 'G.'
	good lessons-list -t --scope all
	[ "$(sed 's/.*\[//; s/\].*//' out)" = "$here/a"$'\n'"$here/b"$'\n'global ]
	good lessons-list -j --scope all --offset 1 --limit 1
	[ "$(jq -c '[.lessons[].id], .total, .next_offset' out)" = $'[1]\n3\n2' ]
	good lessons-archive 1 --anywhere
	good lessons-list -j --scope all --state archived
	[ "$(jq -c '[.lessons[].id]' out)" = '[1]' ]
	good lessons-list -j --scope global
	[ "$(jq -c '[.lessons[].id]' out)" = '[3]' ]
}

@test "a query is a literal, of text and evidence, in ASCII whatever the case" {
	good lessons-add '100% of Linters_x.' --evidence 'Ünder CI'
	good lessons-add 'Other.'
	for q in 'linters' 'LINTERS_X' '100%' 'nder ci' 'Ünder'; do
		good lessons-list -j "$q"
		[ "$(jq .total out)" = 1 ] || fail "$q"
	done
	for q in 'linters%x' '1_0' 'ünder'; do
		good lessons-list -j "$q"
		[ "$(jq .total out)" = 0 ] || fail "$q"
	done
	usage query lessons-list "$(printf 'x%.0s' {1..201})"
	usage query lessons-list ' '
}

@test "both surfaces are bounded; the rest follows at next_offset" {
	local i next=0 all=''
	for i in $(seq 40); do
		good lessons-add "$i $(printf 'x%.0s' {1..1100})"
	done
	while [ "$next" != null ]; do
		good lessons-list --limit 1000 --offset "$next" -j
		[ "$(wc -c <out)" -le 32769 ]
		all+=" $(jq -r '[.lessons[].id] | join(" ")' out)"
		next=$(jq .next_offset out)
	done
	[ "$(tr ' ' '\n' <<<"$all" | grep -c .)" = 40 ]
	[ "$(tr ' ' '\n' <<<"$all" | grep . | sort -u | wc -l)" = 40 ]
}

@test "hostile wording is shown, not obeyed" {
	good lessons-add $'a \u202e b\u2028c \u200d\U000e0061 d\te'
	good lessons-list -t --scope project
	[ "$(<out)" = '#1 2026-08-01 a \u202e b c \u200d\U000e0061 d e' ]
}

@test "a store that is only read gets no log beside it" {
	several 1
	good lessons-list
	[ "$(find "$(dirname "$DB")" -type f | wc -l)" = 1 ]
}
