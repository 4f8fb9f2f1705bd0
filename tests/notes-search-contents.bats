#!/usr/bin/env bats
# notes-search-contents: spec/context.md section 3.7.

load common
load context

setup() {
	context_setup
}

@test "3.7: one match a line, grouped by file, with line numbers" {
	note b $'x one one\ny\nz one'
	note a $'One\none\n'
	call notes-search-contents '{"query":"one"}'
	echo '{"files":[{"path":"/root/notes/a","matches":[{"line":2,"text":"one","truncated":false}],"match_count":1},{"path":"/root/notes/b","matches":[{"line":1,"text":"x one one","truncated":false},{"line":3,"text":"z one","truncated":false}],"match_count":2}],"has_more":false}' |
		diff -u - json
	printf '/root/notes/a:2: one\n/root/notes/b:1: x one one\n/root/notes/b:3: z one\n' |
		diff -u - text
}

@test "13: max_files counts files that match; order is by creation, not update" {
	note a none
	note b hit
	note c hit
	note d hit
	note b 'hit again'
	does notes-search-contents '{"query":"hit","max_files":2}'
	gives '[.files[].path[-1:]]' '["b","c"]'
	gives .has_more true
	[ "$(tail -n 1 text)" = '[more files match; raise max_files or narrow path_prefix]' ]
	does notes-search-contents '{"query":"hit","max_files":3}'
	gives .has_more false
	does notes-search-contents '{"query":"hit","recent_file_first":true}'
	gives '[.files[].path[-1:]]' '["d","c","b"]'
	touch -d 2029-01-01 "$NOTES"/[bcd]
	does notes-search-contents '{"query":"hit","recent_file_first":true}'
	gives '[.files[].path[-1:]]' '["b","c","d"]'
}

@test "3.7: what a limit in a file leaves out is counted" {
	note a $'x\nx\nx\nx\n'
	does notes-search-contents '{"query":"x","max_matches_per_file":3}'
	gives '[.files[0].matches | length]' '[3]'
	gives '[.files[0].match_count,.has_more]' '[4,false]'
	[ "$(tail -n 1 text)" = '/root/notes/a: 1 more matching lines' ]
	note a "$(printf 'x\n%.0s' {1..200})"
	does notes-search-contents '{"query":"x","max_matches_per_file":5000}'
	gives '[.files[0].matches | length]' '[100]'
	gives '.files[0].match_count' 200
}

@test "3.7: a long line is cut at 300 characters" {
	note a "$(printf 'é%.0s' {1..300})"$'\n'"$(printf 'é%.0s' {1..301})"
	does notes-search-contents '{"query":"é"}'
	gives '[.files[0].matches[] | [(.text | length), .truncated]]' '[[300,false],[300,true]]'
	tail -n 1 text | grep -q 'é \[truncated\]$'
}

@test "1.2: the query is literal, and of one line" {
	note a $'a.b\naxb\nA.B\n'
	does notes-search-contents '{"query":"a.b"}'
	gives '[.files[0].matches[].line]' '[1]'
	invalid query notes-search-contents '{"query":""}'
	invalid line notes-search-contents '{"query":"a\nb"}'
	invalid query notes-search-contents '{}'
	invalid max_files notes-search-contents '{"query":"a","max_files":0}'
	call notes-search-contents "{\"query\":\"$(printf 'é%.0s' {1..201})\"}"
	[ "$(<text)" = "No matches for \"$(printf 'é%.0s' {1..200})…\"." ]
}

@test "3.3: what is not text is skipped, and told" {
	note a hit
	printf 'hit\xff' >"$NOTES/b"
	ln -s a "$NOTES/c"
	does notes-search-contents '{"query":"hit"}'
	gives '[(.files | length),.skipped]' '[1,2]'
	does notes-search-contents '{"query":"hit","path_prefix":"a"}'
	gives .skipped null
	refuses bad_path notes-search-contents '{"query":"hit","path_prefix":"../"}'
}

@test "1.3: lines are dropped from the end until both surfaces fit" {
	local i
	for i in {1..60}; do
		mkdir -p "$NOTES"
		printf "$(printf '%0250d\\n' {1..10})" >"$NOTES/f$i"
	done
	does notes-search-contents '{"query":"0","max_files":500,"max_matches_per_file":100}'
	gives '[.has_more, (.files[-1].matches | length > 0)]' '[true,true]'
	[ "$(wc -m <text)" -le 12001 ] && [ "$(wc -c <json)" -le 32769 ]
}

@test "9: a line of 64 MB is told of, not read; one of 16 MiB is searched and paged" {
	mkdir -p "$NOTES"
	head -c 16777209 /dev/zero | tr '\0' y >"$NOTES/large"
	printf ' needle' >>"$NOTES/large"
	head -c 64000000 /dev/zero | tr '\0' y >"$NOTES/over"
	does notes-search-contents '{"query":"needle"}'
	gives '[.skipped, (.files[] | .path, .match_count, (.matches[] | .line, .truncated, (.text | length)))]' \
		'[1,"/root/notes/large",1,1,true,300]'
	does notes-read-file '{"path":"large","start_line":1,"stop_line":1,"offset_chars":16777206}'
	gives '[.content,.total_chars,.next_offset_chars]' '["yyy needle",16777216,null]'
	does notes-read-file '{"path":"large","limit_chars":3}'
	gives '[.content,.next_offset_chars]' '["yyy",3]'
	refuses too_large notes-read-file '{"path":"over"}'
	says 64000000
	refuses too_large notes-append-to-file '{"path":"over","text":"x"}'
	does notes-list-files-by-prefix '{}'
	gives '[.files[].bytes]' '[16777216,64000000]'
	does notes-write-file '{"path":"over","text":"needle"}'
	does notes-search-contents '{"query":"needle"}'
	gives '[.skipped, (.files | length)]' '[null,2]'
}
