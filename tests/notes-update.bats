#!/usr/bin/env bats
# notes-update: spec/notes.md sections 3.2, 4.5 and 5.2.

load common
load notes

setup() {
	notes_setup
	rc=0 # of the last call
}

# body <address>: the note's text, as it is stored.
body() {
	notes-read "$1" -j --notes-home "$NOTES" | jq -j .text
}

# text_is <address> <want>: that text, byte for byte.
text_is() {
	body "$1" | diff -u <(printf %s "$2") - || fail "$1 holds something else"
}

# ---- what it answers and stores --------------------------------------------

@test "notes section 9: the worked examples, both surfaces and the disk" {
	notes-write plan --content $'step 1\nstep 2\n'
	call notes-update '{"address":"plan","edits":[{"oldText":"step","newText":"task"}]}'
	[ $rc -eq 1 ]
	cat >want <<-'END'
		{"error":"edits[0].oldText matches 2 times, at lines 1, 2; make it longer so that it matches once, or pass replace_all","code":"ambiguous_edit"}
		error: ambiguous_edit: edits[0].oldText matches 2 times, at lines 1, 2; make it longer so that it matches once, or pass replace_all
	END
	diff -u want out

	succeed notes-update '{"address":"plan","edits":[{"oldText":"step","newText":"task"}],"replace_all":true}' --diff
	cat >want <<-'END'
		{"address":"plan.md","applied":1,"change_kind":"body"}
		updated plan.md: 1 edit
		diff:
		--- plan.md
		+++ plan.md
		@@ -1,2 +1,2 @@
		-step 1
		-step 2
		+task 1
		+task 2
	END
	diff -u want out
	grep -qx 'updatedAt: 2026-08-01T08:00:00.001+00:00' "$SESSION/plan.md"

	succeed notes-update '{"address":"plan","rename_to":"@self/plan"}'
	cat >want <<-'END'
		{"address":"@self/plan.md","rename_from":"plan.md","applied":0,"change_kind":"file"}
		moved plan.md -> @self/plan.md
	END
	diff -u want out
	[ ! -e "$SESSION/plan.md" ]
	cat >want <<-'END'
		---
		origin: self
		createdAt: 2026-08-01T08:00:00.000+00:00
		updatedAt: 2026-08-01T08:00:00.000+00:00
		lastAccessed: 2026-08-01T08:00:00.000+00:00
		accessCount: 0
		---

		task 1
		task 2
	END
	diff -u want "$NOTES/agents/ana-bot/plan.md"
}

@test "notes section 10: the vectors of edits" {
	local text edits applied kind want all
	while IFS='|' read -r text edits all want applied kind; do
		printf -v text %b "$text"
		notes-write v --content "$text" >/dev/null
		succeed notes-update "{\"address\":\"v\",\"edits\":[$edits]$all}" -j
		[ "$(jq -c '[.applied,.change_kind]' out)" = "[$applied,\"$kind\"]" ] ||
			fail "$text $edits: $(<out)"
		text_is v "$(printf %b "$want")"
	done <<-'END'
		aaa|{"oldText":"aa","newText":"b"}||ba|1|body
		x|{"oldText":"x","newText":"y"},{"oldText":"y","newText":"z"}||z|2|body
		x|{"oldText":"x","newText":"y"},{"oldText":"y","newText":"x"}||x|2|none
		x|{"oldText":"x","newText":"x"}||x|0|none
		a.a|{"oldText":"a","newText":"$&"}|,"replace_all":true|$&.$&|1|body
		a\r\nb|{"oldText":"\r\n","newText":"\n"}||a\nb|1|body
		abc|{"oldText":"abc","newText":""}|||1|body
		a\tb|{"oldText":"\t","newText":"\u0001"}||a\001b|1|body
	END
	notes-write v --content $'a\r\nb'
	unchanged refuse no_match notes-update '{"address":"v","edits":[{"oldText":"a\nb","newText":"c"}]}' 'edits[0]' CRLF
}

@test "cases 15: a replacement with dollar sequences is stored as it is" {
	notes-write n --content 'x OLD y'
	notes-update n --edits '{"oldText":"OLD","newText":"$& $1 $$ $'"'"' \\1 %s &"}' ||
		notes-update n --edits '[{"oldText":"OLD","newText":"$& $1 $$ $'"'"' \\1 %s &"}]'
	text_is n 'x $& $1 $$ $'"'"' \1 %s & y'
}

@test "notes section 5.2: the text of every kind of change" {
	local json want
	notes-write @project/n --content 'a b'
	while IFS='|' read -r json want; do
		succeed notes-update "{\"address\":\"@project/n\",$json}"
		diff -u <(echo "$want") <(sed 1d out)
		[ "$(sed -n 1p out | jq -r .project_key)" = "$KEY" ]
	done <<-END
		"edits":[{"oldText":"a","newText":"c"}]|updated @project/n.md (project $KEY): 1 edit
		"edits":[{"oldText":"c","newText":"d"},{"oldText":"b","newText":"e"}]|updated @project/n.md (project $KEY): 2 edits
		"origin":"user"|updated @project/n.md (project $KEY): origin user
		"crumpled":true|put @project/n.md (project $KEY) into the wastebasket
		"crumpled":true|unchanged @project/n.md (project $KEY)
		"crumpled":false,"origin":"user"|took @project/n.md (project $KEY) out of the wastebasket
		"crumpled":true,"origin":"external"|updated @project/n.md (project $KEY): origin external, and wastebasket
		"crumpled":false,"origin":"user"|updated @project/n.md (project $KEY): origin user, and wastebasket
		"crumpled":true,"edits":[{"oldText":"d","newText":"x"}]|updated @project/n.md (project $KEY): 1 edit and metadata
		"crumpled":false,"edits":[{"oldText":"x","newText":"f"}]|updated @project/n.md (project $KEY): 1 edit and metadata
		"origin":"user","edits":[{"oldText":"f","newText":"f"}]|unchanged @project/n.md (project $KEY)
		"rename_to":"@project/m"|moved @project/n.md -> @project/m.md
	END
}

@test "notes section 4.5: edits see the text before them, and apply together or not at all" {
	notes-write n --content 'one two'
	unchanged refuse no_match notes-update '{"address":"n","edits":[{"oldText":"one","newText":"1"},{"oldText":"two","newText":"2"},{"oldText":"one","newText":"x"}],"origin":"user","crumpled":true}' 'edits[2].oldText'
	unchanged refuse ambiguous_edit notes-update '{"address":"n","edits":[{"oldText":"one","newText":"two"},{"oldText":"two","newText":"two"}]}' \
		'edits[1].oldText matches 2 times, at lines 1, 1;'
	unchanged refuse no_match notes-update '{"address":"n","edits":[{"oldText":"ONE","newText":"x"}],"replace_all":true}' 'edits[0]'
	# Front matter is not text.
	unchanged refuse no_match notes-update '{"address":"n","edits":[{"oldText":"origin: self","newText":"x"}]}'
}

@test "notes section 6, trap 15: ambiguous_edit shows 20 lines, and no message echoes the text" {
	local big
	printf 'a\n%.0s' {1..23} >body
	notes-write n --content - <body
	refuse ambiguous_edit notes-update '{"address":"n","edits":[{"oldText":"a\n","newText":"b"}]}' \
		'edits[0].oldText matches 23 times, at lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20 and 3 more; make it longer'
	head -c 3000000 /dev/zero | tr '\0' z >body
	big=$(jq -Rsc '{address:"n",edits:[{oldText:.,newText:"b"}]}' body)
	printf %s "$big" >json
	rc=0
	notes-update <json >out 2>err || rc=$?
	[ $rc -eq 1 ]
	[ "$(wc -c <out)" -lt 500 ]
	grep -q no_match out
}

@test "notes section 4.5: crumpling keeps its first time and touches no updatedAt (trap 12)" {
	notes-write n --content x
	cp "$SESSION/n.md" first
	CTX_NOW_MS=1785571300000 notes-update n --crumpled
	sed 's/^updatedAt.*/&/; /^---$/{x;s/^/x/;/^xx$/{x;s/^/crumpledAt: 2026-08-01T08:01:40.000+00:00\n/;b};x}' first |
		diff -u - "$SESSION/n.md"
	unchanged succeed notes-update '{"address":"n","crumpled":true}'
	grep -q '"change_kind":"none"' out
	succeed notes-update '{"address":"n","crumpled":false}'
	cmp first "$SESSION/n.md"
	unchanged succeed notes-update '{"address":"n","crumpled":false}'
	put "$SESSION/null.md" --- 'crumpledAt: null' 'updatedAt: 2026-01-01' --- x
	unchanged succeed notes-update '{"address":"null","crumpled":true}'
	succeed notes-update '{"address":"null","crumpled":false}'
	run ! grep -q crumpledAt "$SESSION/null.md"
	# An edit leaves a crumpled note where it is.
	notes-update n --crumpled
	succeed notes-update '{"address":"n","edits":[{"oldText":"x","newText":"y"}]}'
	grep -q crumpledAt "$SESSION/n.md"
}

@test "notes section 4.5: a stamp iff text or origin changed; nothing is written when nothing did" {
	put "$SESSION/n.md" --- 'updatedAt: 2026-01-01T00:00:00.000+00:00' 'accessCount: 1' --- x
	succeed notes-update '{"address":"n","crumpled":true}'
	grep -qx 'updatedAt: 2026-01-01T00:00:00.000+00:00' "$SESSION/n.md"
	[ ! -e "$SESSION/.ctx@stamp" ]
	succeed notes-update '{"address":"n","origin":"user"}'
	grep -qx 'updatedAt: 2026-08-01T08:00:00.000+00:00' "$SESSION/n.md"
	unchanged succeed notes-update '{"address":"n","origin":"user"}'
	unchanged succeed notes-update '{"address":"n","edits":[{"oldText":"x","newText":"x"}]}'
	# An updatedAt that cannot be read stays, and so does the time that counts for it.
	put "$SESSION/m.md" --- 'updatedAt: yesterday' --- x
	succeed notes-update '{"address":"m","crumpled":true}'
	grep -qx 'updatedAt: yesterday' "$SESSION/m.md"
	[ "$(notes-read m -j | jq -r .metadata.updated_at)" = 2026-01-02T03:04:05.678Z ]
	succeed notes-update '{"address":"m","edits":[{"oldText":"x","newText":"y"}]}'
	[ "$(notes-read m -j | jq -r .metadata.updated_at)" = 2026-08-01T08:00:00.001Z ]
}

@test "cases 12: metadata of a CRLF note changes without mixing line ends" {
	mkdir -p "$SESSION"
	printf -- '---\r\ntags:\r\n  - a\r\n---\r\n\r\nbody\r\n' >"$SESSION/n.md"
	touch -d 2026-01-02T03:04:05Z "$SESSION/n.md"
	succeed notes-update '{"address":"n","origin":"user"}'
	printf -- '---\r\ntags:\r\n  - a\r\norigin: user\r\ncreatedAt: 2026-01-02T03:04:05.000+00:00\r\nupdatedAt: 2026-08-01T08:00:00.000+00:00\r\n---\r\n\r\nbody\r\n' >want
	# The order of added keys is theirs; every line has its CR.
	[ "$(grep -c $'\r$' "$SESSION/n.md")" -eq "$(wc -l <"$SESSION/n.md")" ]
	diff -u <(sort want) <(sort "$SESSION/n.md")
	[ "$(notes-read n -j | jq -c .metadata.extra)" = '{"tags":["a"]}' ]
	succeed notes-update '{"address":"n","edits":[{"oldText":"body\r\n","newText":"text\r\n"}]}'
	[ "$(grep -c $'\r$' "$SESSION/n.md")" -eq "$(wc -l <"$SESSION/n.md")" ]
}

@test "cases 13: a broken block is never doubled; metadata is refused, the text can be edited" {
	printf -- '---\ntitle: [open\n---\nbody' >want
	put "$SESSION/x.md"
	cp want "$SESSION/x.md"
	unchanged refuse bad_front_matter notes-update '{"address":"x","origin":"user"}' 'line 2' "did not find expected ',' or ']'"
	unchanged refuse bad_front_matter notes-update '{"address":"x","crumpled":true,"edits":[{"oldText":"body","newText":"x"}]}' 'line'
	unchanged refuse bad_front_matter notes-update '{"address":"x","crumpled":false}'
	# A broken block comes before the edits.
	unchanged refuse bad_front_matter notes-update '{"address":"x","origin":"user","edits":[{"oldText":"none","newText":"x"}]}'
	succeed notes-update '{"address":"x","edits":[{"oldText":"body","newText":"text"}]}'
	sed 's/body/text/' want | cmp - "$SESSION/x.md"
	succeed notes-update '{"address":"x","rename_to":"@human/x"}'
	sed 's/body/text/' want | cmp - "$NOTES/human/x.md"
	# An edit may mend it, and it is a block then.
	succeed notes-update '{"address":"@human/x","edits":[{"oldText":"[open","newText":"open"}]}'
	[ "$(notes-read @human/x -j | jq -c '[.text,.metadata.extra]')" = '["text",{"title":"open"}]' ]
	succeed notes-update '{"address":"@human/x","origin":"user"}'
}

@test "cases 14: values of fields that nobody touched keep every byte" {
	cat >rest <<-'END'
		when: 10:30
		day: 2026-03-01
		ver: 1.10
		# a comment
		ok: no
		id: 007
	END
	put "$SESSION/n.md" --- "$(<rest)" 'origin: self' 'updatedAt: 2026-01-01' \
		'createdAt: 2026-01-01' --- x
	succeed notes-update '{"address":"n","origin":"external"}'
	sed -n 2,7p "$SESSION/n.md" | cmp rest -
	grep -qx 'origin: external' "$SESSION/n.md"
	notes-read n -j >out
	grep -qF '"extra":{"when":"10:30","day":"2026-03-01","ver":1.10,"ok":"no","id":"007"}' out || fail "$(<out)"
}

@test "notes section 3.2: a bare note gets its block at its first change" {
	put "$SESSION/n.md" '# title' '' text
	succeed notes-update '{"address":"n","edits":[{"oldText":"text","newText":"more"}]}'
	cat >want <<-END
		---
		origin: self
		createdAt: 2026-01-02T03:04:05.678+00:00
		updatedAt: 2026-08-01T08:00:00.000+00:00
		lastAccessed: 2026-01-02T03:04:05.678+00:00
		accessCount: 0
		---

		# title

		more
	END
	diff -u want "$SESSION/n.md"
	put "$SESSION/m.md" '' '' text
	succeed notes-update '{"address":"m","crumpled":true}'
	text_is m $'\n\ntext\n'
	[ "$(notes-read m -j | jq -c '[.metadata|.updated_at,.crumpled_at]')" = \
		'["2026-01-02T03:04:05.678Z","2026-08-01T08:00:00.000Z"]' ]
}

# ---- rename ----------------------------------------------------------------

@test "notes section 4.5: what a rename keeps, and whose project the note is" {
	local from to
	put "$SESSION/n.md" --- 'origin: user' 'createdAt: 2026-01-01T00:00:00.000+00:00' \
		'crumpledAt: 2026-01-02' 'accessCount: 5' 'project: other-1' 'k: v # kept' --- text
	chmod 640 "$SESSION/n.md"
	while read -r from to project; do
		succeed notes-update "{\"address\":\"$from\",\"rename_to\":\"$to\"}" -j
		[ "$(jq -r '[.address,.rename_from,.change_kind]|join(" ")' out)" = "$to.md $from.md file" ]
		call notes-read "{\"address\":\"$to\"}" -j
		[ "$(jq -c '[.metadata|.origin,.created_at,.crumpled_at,.project,.extra]' out)" = \
			"[\"user\",\"2026-01-01T00:00:00.000Z\",\"2026-01-02T00:00:00.000Z\",$project,{\"k\":\"v\"}]" ] ||
			fail "$to: $(<out)"
		call notes-read "{\"address\":\"$from\"}" -j
		[ "$(jq -r .code out)" = not_found ]
	done <<-END
		n sub/deep/n "other-1"
		sub/deep/n @human/n null
		@human/n @project/n null
		@project/n @self/a/n null
		@self/a/n n "$KEY"
	END
	[ -d "$SESSION/sub/deep" ]
	[ "$(stat -c %a "$SESSION/n.md")" = 640 ]
	grep -qx 'accessCount: 10' "$SESSION/n.md"
	# The key of the new address.
	succeed notes-update '{"address":"n","rename_to":"@project/n"}' -j
	[ "$(jq -c . out)" = "{\"address\":\"@project/n.md\",\"project_key\":\"$KEY\",\"rename_from\":\"n.md\",\"applied\":0,\"change_kind\":\"file\"}" ]
}

@test "notes section 4.5: the stamp of a rename is that of the home it ends in" {
	local i
	for i in 1 2 3; do notes-write @human/x --content $i; done
	notes-write n --content x
	notes-update n --rename-to @human/n
	grep -qx 'updatedAt: 2026-08-01T08:00:00.003+00:00' "$NOTES/human/n.md"
	printf '%020d\n' 1785571200000 | cmp - "$SESSION/.ctx@stamp"
}

@test "notes section 4.5: bare notes and files that are not text move too" {
	put "$SESSION/bare.md" text
	succeed notes-update '{"address":"bare","rename_to":"@human/bare"}'
	[ "$(notes-read @human/bare -j | jq -c '[.text,.metadata.created_at]')" = \
		'["text\n","2026-01-02T03:04:05.678Z"]' ]
	printf 'a\0b\377' >"$SESSION/bin.md"
	cp -p "$SESSION/bin.md" bin
	succeed notes-update '{"address":"bin","rename_to":"@human/bin"}'
	cmp bin "$NOTES/human/bin.md"
	[ "$(stat -c %y bin)" = "$(stat -c %y "$NOTES/human/bin.md")" ]
	printf -- '---\norigin: user\nproject: p-1\n---\na\0b\377' >"$SESSION/bin.md"
	succeed notes-update '{"address":"bin","rename_to":"@human/bin2"}'
	grep -qxa 'origin: user' "$NOTES/human/bin2.md"
	run ! grep -qa project "$NOTES/human/bin2.md"
	tail -c 4 "$NOTES/human/bin2.md" | cmp - <(printf 'a\0b\377')
}

@test "notes section 6: already_exists, live or crumpled; nothing is destroyed" {
	notes-write a --content a
	notes-write @human/b --content b
	unchanged refuse already_exists notes-update '{"address":"a","rename_to":"@human/b"}' a.md @human/b.md
	run ! grep -q wastebasket out
	notes-update @human/b --crumpled
	unchanged refuse already_exists notes-update '{"address":"a","rename_to":"@human/b"}' a.md @human/b.md 'wastebasket' 'writing to it' 'renaming it away'
	printf '\0' >"$NOTES/human/c.md"
	unchanged refuse already_exists notes-update '{"address":"a","rename_to":"@human/c"}'
}

@test "notes section 6: nothing_to_do, when nothing is asked or the name stays" {
	local json
	notes-write a --content a
	notes-write @self/x --content a
	for json in '' ',"edits":[]' ',"replace_all":true' ',"rename_to":""' \
		',"edits":[],"rename_to":"","replace_all":false'; do
		unchanged refuse nothing_to_do notes-update "{\"address\":\"a\"$json}" edits origin crumpled rename_to
	done
	unchanged refuse nothing_to_do notes-update '{"address":"a","rename_to":"a.md"}'
	unchanged refuse nothing_to_do notes-update '{"address":"@self/x","rename_to":"@agents/ana-bot/x"}'
	# Filler beside a rename is ignored.
	succeed notes-update '{"address":"a","rename_to":"b","edits":[],"replace_all":false}'
	# Before the note is looked for.
	refuse nothing_to_do notes-update '{"address":"no/such"}'
}

@test "notes section 6: invalid_rename names the other parameter, before anything else of the rename" {
	local json name
	notes-write a --content a
	while read -r name json; do
		unchanged refuse invalid_rename notes-update "{\"address\":\"a\",\"rename_to\":\"../b\",$json}" \
			'rename_to is used alone' "$name"
	done <<-'END'
		edits "edits":[{"oldText":"a","newText":"b"}]
		origin "origin":"user"
		crumpled "crumpled":true
		crumpled "crumpled":false
		replace_all "replace_all":true
	END
	refuse invalid_address notes-update '{"address":"a","rename_to":"../b"}' '../b'
	refuse invalid_address notes-update '{"address":"../a","rename_to":"../b","crumpled":true}' '../a'
	refuse invalid_scope notes-update '{"address":"a","rename_to":"@agents/bob/a"}' 'not your home' @self/
	refuse invalid_scope notes-update '{"address":"@models/m/a","rename_to":"a"}' 'not your home' @model/
	refuse too_large notes-update "{\"address\":\"a\",\"rename_to\":\"$(printf 'n%.0s' {1..253})\"}" 256 255
	(
		unset CTX_SESSION
		refuse no_session notes-update '{"address":"@human/a","rename_to":"a"}' CTX_SESSION
	)
	[ ! -e "$NOTES/human" ]
}

@test "notes section 6: not_found has the address, and no home is made for it" {
	refuse not_found notes-update '{"address":"@human/a","crumpled":true}' @human/a.md
	refuse not_found notes-update '{"address":"a","rename_to":"@human/a"}' a.md
	[ ! -e "$NOTES" ]
	notes-write a --content x
	refuse not_found notes-update '{"address":"b/c","origin":"user"}' b/c.md
	refuse not_found notes-update '{"address":"b/c","rename_to":"@human/c"}' b/c.md
	[ ! -e "$NOTES/human" ]
}

@test "cases 17: no rename out of a home or into a link, and the target is checked like any address" {
	mkdir -p outside "$SESSION"
	ln -s "$PWD/outside" "$SESSION/out"
	ln -s "$PWD/outside" "$NOTES/human"
	notes-write a --content a
	notes-write d/b --content b
	mkdir "$SESSION/dir.md"
	unchanged refuse unsafe_path notes-update '{"address":"a","rename_to":"out/a"}' out/a.md '"out"' 'a symbolic link'
	unchanged refuse unsafe_path notes-update '{"address":"a","rename_to":"@human/a"}' @human/a.md '"human"'
	unchanged refuse unsafe_path notes-update '{"address":"a","rename_to":"dir"}' dir.md
	unchanged refuse unsafe_path notes-update '{"address":"a","rename_to":"a.md/b"}' a.md/b.md '"a.md"' 'not a directory'
	unchanged refuse unsafe_path notes-update '{"address":"dir","rename_to":"b"}' dir.md
	[ -z "$(ls outside)" ]
}

@test "a rename across file systems copies, syncs and removes the source" {
	need_name_space
	notes-write a --content 'over there'
	put "$SESSION/bin.md"
	printf 'a\0b' >"$SESSION/bin.md"
	touch -d 2026-01-02T03:04:05Z "$SESSION/bin.md"
	mkdir -p "$NOTES/human"
	cat >script <<-'END'
		set -e
		mount -t tmpfs none "$NOTES/human"
		notes-update a --rename-to @human/sub/a
		notes-update bin --rename-to @human/bin
		notes-write b --content b
		notes-update b --rename-to @human/sub/a -j && exit 1
		tail -n 1 "$NOTES/human/sub/a.md" && echo
		stat -c %Y "$NOTES/human/bin.md"
		ls -A "$NOTES/human/sub"
	END
	NOTES=$NOTES unshare -rm bash script >out 2>err || fail "$(<out) $(<err)"
	grep -qx 'over there' out
	grep -qx 1767323045 out
	grep -q already_exists out
	tail -n 1 out | diff - <(echo a.md)
	[ ! -e "$SESSION/a.md" ]
	[ ! -e "$SESSION/bin.md" ]
	[ -e "$SESSION/b.md" ]
}

@test "notes sections 4.5 and 5: the order of the checks, by calls with many faults" {
	local long longer code session json
	long=$(printf 'n%.0s' {1..300})
	longer=$(printf 'n%.0s' {1..100000})
	put "$SESSION/bin.md" --- 'a: [open' --- x
	printf '\0' >>"$SESSION/bin.md"
	put "$SESSION/broken.md" --- 'a: [open' --- x x
	put "$SESSION/n.md" x x
	while IFS='|' read -r code session json; do
		CTX_SESSION=$session unchanged refuse "$code" notes-update "$json"
		[[ $json != *edits* && $json != *rename_to* ]] || continue
		json=${json%\}}',"content":"x"}'
		CTX_SESSION=$session unchanged refuse "$code" notes-write "$json"
	done <<-END
		invalid_cwd||{"address":"../x","cwd":"no/such"}
		invalid_address||{"address":"../$long"}
		no_session||{"address":"$long"}
		too_large|s-1|{"address":"@agents/bob/$long"}
		invalid_scope|s-1|{"address":"@agents/bob/x"}
		invalid_scope|s-1|{"address":"@agents/bob/x","rename_to":"../b","edits":[{"oldText":"a","newText":"b"}]}
		invalid_rename|s-1|{"address":"none","rename_to":"../b","edits":[{"oldText":"a","newText":"b"}]}
		invalid_address|s-1|{"address":"none","rename_to":"../b"}
		no_session||{"address":"@human/none","rename_to":"$long"}
		too_large|s-1|{"address":"none","rename_to":"@agents/bob/$long"}
		invalid_scope|s-1|{"address":"none","rename_to":"@agents/bob/x"}
		nothing_to_do|s-1|{"address":"none","rename_to":"none.md"}
		nothing_to_do|s-1|{"address":"none","edits":[]}
		not_found|s-1|{"address":"none","rename_to":"n"}
		not_text|s-1|{"address":"bin","origin":"user","edits":[{"oldText":"none","newText":"b"}]}
		bad_front_matter|s-1|{"address":"broken","origin":"user","edits":[{"oldText":"none","newText":"b"}]}
		ambiguous_edit|s-1|{"address":"n","edits":[{"oldText":"x","newText":"b"},{"oldText":"none","newText":"b"}]}
		no_match|s-1|{"address":"n","replace_all":true,"edits":[{"oldText":"none","newText":"b"},{"oldText":"x","newText":"$longer"}]}
	END
}

# ---- refusals of the file --------------------------------------------------

@test "notes section 3.3: not_text has the offset of the first bad byte; a huge file is too_large" {
	mkdir -p "$SESSION"
	printf 'a\0b' >"$SESSION/nul.md"
	printf -- '---\nk: v\n---\n\nab\xc3(' >"$SESSION/bad.md"
	truncate -s 16777217 "$SESSION/huge.md"
	unchanged refuse not_text notes-update '{"address":"nul","crumpled":true}' nul.md 'byte 1'
	unchanged refuse not_text notes-update '{"address":"bad","edits":[{"oldText":"a","newText":"b"}]}' bad.md 'byte 16'
	unchanged refuse too_large notes-update '{"address":"huge","crumpled":true}' 16777217 16777216
}

@test "notes section 3.3: an update may not grow a note over 1,000,000 bytes, one that was larger may shrink" {
	head -c 999000 /dev/zero | tr '\0' a >content
	notes-write n --content - <content
	{ printf '{"address":"n","edits":[{"oldText":"' && cat content && printf '","newText":"' &&
		cat content && head -c 900 content && printf '"}]}'; } >json
	call_file() {
		rc=0
		notes-update <json >out 2>err || rc=$?
	}
	unchanged call_file
	[ $rc -eq 1 ] && grep -q '"too_large"' out && grep -q 1000000 out || fail "$(<out)"
	refuse too_large notes-update '{"address":"n","replace_all":true,"edits":[{"oldText":"a","newText":"bb"}]}' 1998000 1000000
	{ echo x; cat content content; } >"$SESSION/big.md"
	succeed notes-update "{\"address\":\"big\",\"edits\":[{\"oldText\":\"x\\n$(head -c 500 content)\",\"newText\":\"y\"}]}"
	refuse too_large notes-update '{"address":"big","edits":[{"oldText":"y","newText":"yyyyyyyyyyyyy"}]}'
}

@test "notes section 6: busy names the home, for a rename either home" {
	local name
	notes-write a --content old
	notes-write @human/x --content old
	flock "$NOTES/human" -c 'touch locked; sleep 30' &
	holder=$!
	while [ ! -e locked ]; do sleep 0.01; done
	call notes-update '{"address":"a","rename_to":"@human/a"}'
	pkill -P $holder sleep || :
	kill $holder 2>/dev/null || :
	[ $rc -eq 1 ] && grep -q '"code":"busy"' out && grep -q '@human' out || fail "$(<out)"
	[ -e "$SESSION/a.md" ]
	[ ! -e "$NOTES/human/a.md" ]
}

@test "notes section 7: what does not fit on the disk leaves the old note" {
	local text
	notes-write n --content old
	cp "$SESSION/n.md" want
	text=$(printf 'x%.0s' {1..8000})
	rc=0
	(
		ulimit -f 4
		notes-update -j >out 2>err <<<"{\"address\":\"n\",\"edits\":[{\"oldText\":\"old\",\"newText\":\"$text\"}]}"
	) || rc=$?
	[ $rc -eq 1 ] || fail "exit $rc: $(<out)$(<err)"
	[ "$(jq -r .code out)" = io_error ]
	cmp want "$SESSION/n.md"
	no_leftover
}

# ---- bad input -------------------------------------------------------------

@test "notes section 7: what is not an argument is exit 2 with the field, and the disk is untouched" {
	notes-write n --content 'a b'
	while IFS='|' read -r json field; do
		unchanged usage notes-update "$json" "$field"
	done <<-'END'
		{}|address
		{"address":"n","edits":{}}|edits
		{"address":"n","edits":[1]}|edits[0]
		{"address":"n","edits":[{"oldText":"a"}]}|edits[0].newText
		{"address":"n","edits":[{"newText":"a"}]}|edits[0].oldText
		{"address":"n","edits":[{"oldText":"","newText":"a"}]}|edits[0].oldText
		{"address":"n","edits":[{"oldText":"a","newText":"b"},{"oldText":"b","newText":1}]}|edits[1].newText
		{"address":"n","edits":[{"oldText":"a","newText":null}]}|edits[0].newText
		{"address":"n","edits":[{"oldText":"a","newText":"b","x":1}]}|edits[0]: "x"
		{"address":"n","edits":null}|edits
		{"address":"n","crumpled":null}|crumpled
		{"address":"n","crumpled":"true"}|crumpled
		{"address":"n","origin":"nobody"}|origin
		{"address":"n","replace_all":1}|replace_all
		{"address":"n","rename_to":null}|rename_to
		{"address":"n","diff":true}|diff
		{"address":"n","details_fd":3}|details_fd
		{"address":"n","edits":[{"oldText":"\ud83d","newText":"b"}]}|arguments
	END
	jq -nc '{address:"n",edits:[range(1001)|{oldText:"a",newText:"a"}]}' >json
	usage notes-update "$(<json)" edits
	jq -nc '{address:"n",edits:[range(1000)|{oldText:"a",newText:"a"}]}' >json
	succeed notes-update "$(<json)"
}

# ---- the diff --------------------------------------------------------------

@test "notes section 4.5: --details-fd has the whole diff as one line of JSON, before the result" {
	notes-write n --content $'a\nb'
	echo '{"address":"n","edits":[{"oldText":"a","newText":"c"}]}' >json
	notes-update --details-fd 3 <json 3>&1 >&1 | cat >both
	sed -n 1p both | jq -j .diff >got
	printf -- '--- n.md\n+++ n.md\n@@ -1,2 +1,2 @@\n-a\n+c\n b\n\\ No newline at end of file\n' |
		diff -u - got
	[ "$(sed -n 1p both | jq -c keys)" = '["diff"]' ]
	sed -n '2,$p' both | diff -u <(printf '%s\n' '{"address":"n.md","applied":1,"change_kind":"body"}' 'updated n.md: 1 edit') -
	# Nothing changed, and a rename: an empty one.
	echo '{"address":"n","edits":[{"oldText":"c","newText":"c"}]}' | notes-update --details-fd 3 3>fd >out
	echo '{"diff":""}' | diff -u - fd
	echo '{"address":"n","rename_to":"m"}' | notes-update --details-fd 3 3>fd >out
	echo '{"diff":""}' | diff -u - fd
	# A refusal has no details.
	echo '{"address":"n","crumpled":true}' | notes-update --details-fd 3 3>fd >out || :
	[ ! -s fd ]
}

@test "notes section 4.5: a --details-fd that cannot be written is exit 2, and nothing is touched" {
	local fd
	notes-write n --content a
	echo '{"address":"n","edits":[{"oldText":"a","newText":"c"}]}' >json
	echo >empty
	snapshot >before
	for fd in 9 3 1 0 -1 x; do
		rc=0
		notes-update --details-fd $fd <json >out 2>err 3<empty 9>&- || rc=$?
		[ $rc -eq 2 ] && [ ! -s out ] && grep -q 'details.fd' err || fail "$fd: $rc $(<err)"
	done
	snapshot | diff -u before -
	rc=0
	notes-update --details-fd 3 <json >out 2>err 3>/dev/full || rc=$?
	[ $rc -eq 4 ] && grep -q 'stored; the details' err || fail "$rc $(<err)"
	text_is n c
}

@test "notes section 4.5: patch applied to the old text gives the new one" {
	local edits
	seq 400 >old
	notes-write n --content - <old
	for edits in '{"oldText":"\n5\n","newText":"\n"}' '{"oldText":"\n200\n","newText":"\n200\nx\n\ny\n"}' \
		'{"oldText":"\n399\n400\n","newText":"\nend"}' '{"oldText":"\nend","newText":"\nend\n"}' \
		'{"oldText":"1\n2\n","newText":""},{"oldText":"\n77\n","newText":"\n-77\n"}'; do
		body n >old
		echo "{\"address\":\"n\",\"edits\":[$edits]}" | notes-update --details-fd 3 3>fd >/dev/null
		jq -j .diff fd >change
		patch -s -o new old change
		body n | cmp - new || fail "$edits: $(<change)"
	done
}

@test "notes section 5.8: the diff on the text surface is visible, and cut at a line end to fit" {
	notes-write n --content $'a\001\x7f\r\nb\r\n'
	succeed notes-update '{"address":"n","edits":[{"oldText":"b","newText":"\u001b[31m\u0085"}]}' --diff -t
	printf '%s\n' 'updated n.md: 1 edit' diff: '--- n.md' '+++ n.md' '@@ -1,2 +1,2 @@' \
		$' a\\u0001\\u007f\r' $'-b\r' $'+\\u001b[31m\\u0085\r' | diff -u - out

	seq -f 'line %g' 5000 >long
	notes-write n --content -  <long
	succeed notes-update '{"address":"n","edits":[{"oldText":"line","newText":"row"}],"replace_all":true}' --diff
	sed 1d out >text
	[ $(($(wc -c <text) - 1)) -le 32768 ] || fail "$(wc -c <text) bytes"
	[ "$(tail -n 1 text)" = '[diff shortened; the update was applied in full]' ]
	[ "$(tail -n 2 text | head -n 1 | grep -c '^-line [0-9]*$')" -eq 1 ]
	# As much as fits.
	[ $(($(wc -c <text) - 1)) -gt 32700 ]
	succeed notes-update '{"address":"n","crumpled":true}' --diff -t
	printf '%s\n' 'put n.md into the wastebasket' diff: | diff -u - out
}

@test "flags are the same as JSON: edits repeat, booleans have a no- form" {
	notes-write n --content 'a b'
	notes-update n --edits '{"oldText":"a","newText":"c"}' --edits '{"oldText":"b","newText":"d"}' \
		--origin user --crumpled >out
	echo 'updated n.md: 2 edits and metadata' | diff -u - out
	notes-update n --no-crumpled --replace-all --edits '{"oldText":" ","newText":"-"}' >out
	text_is n c-d
	notes-update --rename-to @self/n n -j >out
	[ "$(jq -r .address out)" = @self/n.md ]
}

# ---- at the same time ------------------------------------------------------

@test "cases 16, trap 5: two processes with 200 edits each lose none" {
	local worker
	printf '%s\n' a0000 b0000 >body
	notes-write n --content - <body
	worker() {
		local i
		for ((i = 0; i < 200; i++)); do
			printf '{"address":"n","edits":[{"oldText":"%s%04d","newText":"%s%04d"}]}' \
				"$1" $i "$1" $((i + 1)) | notes-update -j >/dev/null || return 1
		done
	}
	worker a &
	worker=$!
	worker b
	wait $worker
	text_is n $'a0200\nb0200\n'
	# 400 changes, 400 stamps.
	printf '%020d\n' 1785571200400 | cmp - "$SESSION/.ctx@stamp"
}

@test "cases 16: 50 appenders at once give 50 lines; a stale edit is refused, not lost" {
	local i
	notes-write n --content $'first\nEND\n'
	for ((i = 1; i <= 50; i++)); do
		echo "{\"address\":\"n\",\"edits\":[{\"oldText\":\"END\",\"newText\":\"line $i\\nEND\"}]}" |
			notes-update -j >out.$i 2>&1 &
	done
	wait
	{ echo first; for ((i = 1; i <= 50; i++)); do echo "line $i"; done; echo END; } | sort >want
	body n | sort | diff -u want -
	[ "$(cat out.* | grep -c '"applied":1')" -eq 50 ]
	refuse no_match notes-update '{"address":"n","edits":[{"oldText":"first\nEND","newText":"x"}]}' 'edits[0]'
}

@test "notes section 4.5: kills at random moments leave one whole note at one address" {
	local i pid from=@human/n to=deep/n
	RANDOM=11
	printf 'v%04d\n' {1..2000} >long
	notes-write @human/n --content - <long
	for ((i = 0; i < 100; i++)); do
		notes-update $from --rename-to $to >/dev/null 2>&1 &
		pid=$!
		pause 0.00$((RANDOM % 10))
		kill -9 $pid 2>/dev/null || :
		wait $pid 2>/dev/null || :
		find "$NOTES" -name n.md >found
		[ "$(wc -l <found)" -eq 1 ] || fail "at $i: $(<found)"
		[ "$(tail -n 1 "$(<found)")" = v2000 ] && [ "$(head -n 1 "$(<found)")" = --- ] || fail "torn at $i"
		if [[ $(<found) == */human/n.md ]]; then
			from=@human/n to=deep/n
		else
			from=deep/n to=@human/n
		fi
	done
	notes-update $from --rename-to $to
	notes-update $to --rename-to $from
	no_leftover
}

@test "renames in both directions at once do not wait for each other for ever" {
	local i
	for i in 1 2 3 4; do
		notes-write s$i --content $i
		notes-write @human/h$i --content $i
	done
	for i in 1 2 3 4; do
		notes-update s$i --rename-to @human/s$i >out.s$i &
		notes-update @human/h$i --rename-to h$i >out.h$i &
	done
	wait
	[ "$(cat out.* | grep -c '^moved')" -eq 8 ] || fail "$(cat out.*)"
	[ "$(find "$NOTES" -name '*.md' | wc -l)" -eq 8 ]
	# Two want the same name: one gets it.
	notes-write a --content a
	notes-write b --content b
	notes-update a --rename-to @human/c >out.a || : &
	notes-update b --rename-to @human/c >out.b || : &
	wait
	[ "$(cat out.a out.b | grep -c '^moved')" -eq 1 ]
	[ "$(cat out.a out.b | grep -c already_exists)" -eq 1 ]
	[ "$(find "$NOTES" -name '[abc].md' | wc -l)" -eq 2 ]
}
