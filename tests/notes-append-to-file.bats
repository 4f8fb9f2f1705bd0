#!/usr/bin/env bats
# notes-append-to-file: spec/context.md section 3.8.

load common
load context

setup() {
	context_setup
}

@test "12: the worked example; no newline is added" {
	note plan.md $'goal\n'
	call notes-append-to-file '{"path":"plan.md","text":"- é"}'
	cat >want <<-'END'
		{"path":"/root/notes/plan.md","bytes":9,"appended_bytes":4,"created":false,"updated_at":"2030-03-17T17:46:40.001Z"}
		Appended 4 bytes to /root/notes/plan.md (9 bytes now).
	END
	diff -u want out
	printf 'goal\n- é' | cmp - "$NOTES/plan.md"
	does notes-append-to-file '{"path":"plan.md","text":"x\r\n"}'
	printf 'goal\n- éx\r\n' | cmp - "$NOTES/plan.md"
}

@test "3.8: it makes the file and its folders; text may be empty" {
	does notes-append-to-file '{"path":"a/b/c","text":""}'
	gives '[.bytes,.appended_bytes,.created]' '[0,0,true]'
	[ -f "$NOTES/a/b/c" ]
}

@test "3.9: above the cap nothing changes, and the room that is left is told" {
	mkdir -p "$HOME/.config/ctxtools"
	echo 'context: {notesMaxFileBytes: 10}' >"$HOME/.config/ctxtools/config.yaml"
	note a 12345678
	refuses too_large notes-append-to-file '{"path":"a","text":"éx"}'
	says 'would have 11 bytes; the limit is 10 bytes; 2 bytes are left'
	does notes-append-to-file '{"path":"a","text":"é"}'
	gives .bytes 10
}

@test "3.3: what is not text is not appended to, but may be replaced" {
	mkdir -p "$NOTES"
	printf 'ab\xff' >"$NOTES/a"
	refuses not_text notes-append-to-file '{"path":"a","text":"x"}'
	says 'offset 2'
	truncate -s 16777217 "$NOTES/b"
	refuses too_large notes-append-to-file '{"path":"b","text":"x"}'
	note a x
	note b x
}

@test "3.8: two processes, 500 appends each, lose nothing and keep the cap" {
	adds() {
		local i
		for i in {1..500}; do
			notes-append-to-file -j <<<"{\"path\":\"log\",\"text\":\"$1 $i\\n\"}" >>"$1.out" 2>&1 || :
		done
	}
	mkdir -p "$HOME/.config/ctxtools"
	echo 'context: {notesMaxFileBytes: 5000}' >"$HOME/.config/ctxtools/config.yaml"
	adds a &
	adds b &
	wait
	local stored said
	stored=$(wc -l <"$NOTES/log")
	said=$(cat a.out b.out | grep -c '"appended_bytes"')
	[ "$stored" -eq "$said" ] || fail "$said appends, $stored lines"
	[ "$(wc -c <"$NOTES/log")" -le 5000 ]
	[ "$(cat a.out b.out | grep -vc '"appended_bytes"\|"code":"too_large"')" -eq 0 ]
	diff <(grep '^a' "$NOTES/log") <(grep '^a' "$NOTES/log" | sort -k2n)
	[ "$(cat a.out b.out | jq -r 'select(.updated_at) | .updated_at' | sort -u | wc -l)" -eq "$said" ]
	# Without the cap all thousand are there.
	rm -r "$HOME/.config" "$STATE" a.out b.out
	adds a &
	adds b &
	wait
	[ "$(sort -u "$NOTES/log" | wc -l)" -eq 1000 ]
}
