#!/usr/bin/env bats
# notes-list-files-by-prefix: spec/context.md sections 3.2, 3.3, 3.5 and 3.10.

load common
load context

setup() {
	context_setup
}

# lists <json> <names>: the files, without their beginning.
lists() {
	does notes-list-files-by-prefix "$1"
	gives '[.files[].path | sub("/root/notes/"; "")] | join(" ")' "\"$2\""
}

@test "3.5: files in order of name, creation and update, and the whole reversed" {
	note b 1
	note a 2
	note c/d 3
	note b 4
	lists '{}' 'a b c/d'
	lists '{"file_order":"descending"}' 'c/d b a'
	lists '{"file_order_by":"created_at"}' 'b a c/d'
	lists '{"file_order_by":"updated_at"}' 'a c/d b'
	lists '{"file_order_by":"updated_at","file_order":"descending"}' 'b c/d a'
	touch -d 2029-01-01 "$NOTES"/a "$NOTES"/b "$NOTES"/c/d
	lists '{"file_order_by":"updated_at"}' 'a b c/d'
	lists '{"file_order_by":"updated_at","file_order":"descending"}' 'c/d b a'
	lists '{"max_results":2}' 'a b'
	gives .has_more true
	[ "$(tail -n 1 text)" = '[more files match; narrow the prefix or raise max_results]' ]
	lists '{"max_results":3}' 'a b c/d'
	gives .has_more false
}

@test "3.5: no files" {
	call notes-list-files-by-prefix '{}'
	printf '{"files":[],"has_more":false}\nNo note files.\n' | diff -u - out
	[ ! -e "$HOME/.local" ] || fail 'a reader made state'
}

@test "3.2: a prefix is a string prefix on the canonical path" {
	local p
	for p in checkpoint.md checks/x checks/y/z other; do
		note $p x
	done
	does context-agent '{"action":"register","agent_name":"notebook","session":"pi:s2"}'
	note /root/notebook/notes/n x
	lists '{"prefix":"check"}' 'checkpoint.md checks/x checks/y/z'
	lists '{"prefix":"checks/"}' 'checks/x checks/y/z'
	lists '{"prefix":"checks/y"}' 'checks/y/z'
	lists '{"prefix":"/root/notes"}' 'checkpoint.md checks/x checks/y/z other'
	lists '{"prefix":"/root/notes/"}' 'checkpoint.md checks/x checks/y/z other'
	lists '{"prefix":""}' 'checkpoint.md checks/x checks/y/z other'
	lists '{"prefix":null}' 'checkpoint.md checks/x checks/y/z other'
	lists '{"prefix":"nothing"}' ''
	lists '{"prefix":"checks/x/"}' ''
	does notes-list-files-by-prefix '{"prefix":"/root/notebook/notes"}'
	gives '[.files[].path]' '["/root/notebook/notes/n"]'
	for p in a// / /root /root/worker/no . .. a/.. a/. ./a /root/notes/../x /root/notes//; do
		refuses bad_path notes-list-files-by-prefix "{\"prefix\":\"$p\"}"
	done
	refuses unknown_agent notes-list-files-by-prefix '{"prefix":"/root/x/notes/"}'
	says '/root, /root/notebook'
}

@test "3.3: what is not a note file is told of, not listed" {
	note a x
	note d/b x
	mkdir -p elsewhere/deep
	printf x >elsewhere/deep/x
	ln -s "$PWD/elsewhere" "$NOTES/link"
	ln -s "$PWD/elsewhere/deep/x" "$NOTES/d/file"
	mkfifo "$NOTES/pipe"
	mkdir "$NOTES/$(printf 'bad\001dir')"
	touch "$NOTES/$(printf 'bad\001dir')/in" "$NOTES/$(printf '\xff')" \
		"$NOTES/.ctx-tmp-1-abc" "$NOTES/$(printf %0200d 0)"
	mkdir -p "$NOTES/$(printf %0200d 0).d/$(printf %0200d 0)/$(printf %0150d 0)"
	touch "$NOTES/$(printf %0200d 0).d/$(printf %0200d 0)/$(printf %0150d 0)/x"
	lists '{}' "$(printf %0200d 0) a d/b"
	gives .skipped 6
	[ "$(tail -n 1 text)" = '[6 entries skipped: not note files]' ]
	lists '{"prefix":"d/"}' d/b
	gives .skipped 1
	lists '{"prefix":"a"}' a
	gives .skipped null
}

@test "3.10: advice on size, strictly above the limits, largest first" {
	mkdir -p "$HOME/.config/ctxtools"
	echo 'context: {notesMaxFileBytes: 1600}' >"$HOME/.config/ctxtools/config.yaml"
	note a "$(printf %0100d 0)"
	does notes-list-files-by-prefix '{}'
	gives .warnings null
	note b "$(printf %0101d 0)"
	note c "$(printf %0150d 0)"
	lists '{"prefix":"a"}' a
	gives .warnings '["/root/notes/c has 150 bytes; consider splitting or trimming it (advised above 100 bytes).","/root/notes/b has 101 bytes; consider splitting or trimming it (advised above 100 bytes)."]'
	note d "$(printf %0049d 0)"
	does notes-list-files-by-prefix '{}'
	gives '.warnings | length' 2
	note d "$(printf %0050d 0)"
	does notes-list-files-by-prefix '{}'
	gives '.warnings[2]' '"Notes of /root hold 401 bytes in 4 files; consider trimming (advised above 400 bytes)."'
	does get-context-remaining '{}'
	gives '.warnings | length' 3
	tail -n 1 text | grep -q '^Notes of /root hold'
}

@test "3.10: five large files are named, of all notes and not of the page; ties by path" {
	mkdir -p "$HOME/.config/ctxtools"
	echo 'context: {notesMaxFileBytes: 1600}' >"$HOME/.config/ctxtools/config.yaml"
	for name in f e d/x c b a; do
		note $name "$(printf %0110d 0)"
	done
	note e "$(printf %0120d 0)"
	does notes-list-files-by-prefix '{"max_results":1}'
	gives '[.warnings[] | split(" ")[0]]' \
		'["/root/notes/e","/root/notes/a","/root/notes/b","/root/notes/c","/root/notes/d/x","Notes"]'
}

@test "1.3: a list is cut at its end to fit, and says so" {
	local i
	mkdir -p "$NOTES"
	for i in {1..300}; do
		touch "$NOTES/$(printf '%0100d' "$i")"
	done
	does notes-list-files-by-prefix '{"max_results":500}'
	gives .has_more true
	[ "$(wc -m <text)" -le 12001 ] && [ "$(wc -c <json)" -le 32769 ]
	gives '.files[0].path | ltrimstr("/root/notes/") | tonumber' 1
	gives '(.files | length) > 60' true
}

@test "1.2: bounds" {
	invalid max_results notes-list-files-by-prefix '{"max_results":0}'
	invalid file_order notes-list-files-by-prefix '{"file_order":"up"}'
	invalid file_order_by notes-list-files-by-prefix '{"file_order_by":null}'
	does notes-list-files-by-prefix '{"max_results":9007199254740991,"what":1}'
}
