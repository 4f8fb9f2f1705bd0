#!/usr/bin/env bats
# What leads on in the context family: options for a person at a terminal
# (spec/people.md section 5), the parameters for all others.

load common
load context

setup() {
	context_setup
	need_terminal
	begin
	say u1 user 'one two'
	say a1 assistant 'two too'
	compacted k1 sum
	say u2 user 'two again'
}

# leads <command> <line for a person> <line for others>
leads() {
	run on_terminal "$1"
	assert_line "$2"
	run on_terminal "$1 | cat"
	assert_line "$3"
}

@test "at a terminal options lead on" {
	leads 'history-read-item --window-id w1 u1 --limit-chars 3' \
		'[truncated; continue at --offset-chars 3]' '[truncated; continue at offset_chars=3]'
	run on_terminal 'history-read-item --window-id w1 u1 --offset-chars 3'
	assert_line ' two'
	leads 'history-list-windows --limit 1' \
		'[more windows exist; raise --limit]' '[more windows exist; raise limit]'
	leads 'history-list-items --limit 1' \
		'[more items match; raise --limit or narrow the filters]' '[more items match; raise limit or narrow the filters]'
	leads 'history-search-contents two --limit 1' \
		'[more items match; raise --limit or narrow the filters]' '[more items match; raise limit or narrow the filters]'
	note a/b 'line one'
	note a/c 'line two'
	leads 'notes-read-file a/b --limit-chars 4' \
		'[truncated; continue at --offset-chars 4]' '[truncated; continue at offset_chars=4]'
	leads 'notes-search-contents line --max-files 1' \
		'[more files match; raise --max-files or narrow --path-prefix]' '[more files match; raise max_files or narrow path_prefix]'
	leads 'notes-list-files-by-prefix --max-results 1' \
		'[more files match; narrow the prefix or raise --max-results]' '[more files match; narrow the prefix or raise max_results]'
}
