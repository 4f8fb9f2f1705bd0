#!/usr/bin/env bats
# The model tools are listed in one place, their declarations: whatever else
# names them is made from these, or is compared with them here.

load common
load tree

setup() {
	common_setup
}

# names [option]...: of the tools, in order, in one line.
names() {
	tool-schemas -j "$@" | jq -r '[.tools[].name] | join(" ")'
}

@test "the table of section 6.1: order, modes and hints of what is installed" {
	tool-schemas -j | jq -r '.tools[] | [.family, .name, .executionMode,
		(.annotations | .readOnlyHint, .destructiveHint)] | join(" ")' >got
	while read -r family name more; do
		[ ! -x "$BIN/${name//_/-}" ] || echo "$family $name $more"
	done >want <<'END'
notes notes_list parallel true false
notes notes_read parallel true false
notes notes_search parallel true false
notes notes_write sequential false true
notes notes_update sequential false true
history history_list parallel true false
history history_read parallel true false
context new_context sequential false false
context get_context_remaining parallel true false
context history_list_windows parallel true false
context history_list_items parallel true false
context history_read_item parallel true false
context history_search_contents parallel true false
context notes_list_files_by_prefix parallel true false
context notes_read_file parallel true false
context notes_search_contents parallel true false
context notes_append_to_file sequential false false
context notes_write_file sequential false true
lessons memory sequential false false
lessons memory_evaluate sequential false false
lessons memory_audit sequential false true
END
	[ -s want ]
	diff -u want got
}

@test "README's snippets name the tools there are" {
	[ "$(sed -n 's/^enabled_tools = \[\(.*\)\]$/\1/p' "$ROOT/README.md" | tr -d '",')" = \
		"$(names --families notes,history)" ]
}

@test "help and completions speak of the families and tools there are, and of no other" {
	local families tools
	families=$(tool-schemas -j | jq -r '[.tools[].family] | unique_by(.) | .[]' | sort)
	tools=$(names | tr ' ' '\n' | sort)
	for program in mcp-serve tool-schemas; do
		# What is between --families and the next option of its usage.
		"$program" --help | grep -oE -- '--families [a-z|]+' | sed 's/.* //' |
			tr '|' '\n' | grep -vx all | sort | diff <(echo "$families") -
		"$program" --completion fish | sed -n "s/.* -l tools .* -a '\([^']*\)'.*/\1/p" |
			tr ' ' '\n' | sort | diff <(echo "$tools") -
		"$program" --completion fish | sed -n "s/.* -l families .* -a '\([^']*\)'.*/\1/p" |
			tr ' ' '\n' | grep -vx all | sort | diff <(echo "$families") -
	done
}

@test "a program that is added to cmd/ is a tool everywhere, and nothing else is edited" {
	copy_tree
	# A second notes-list, by another name, listed after notes_read.
	sed 's/"notes_list"/"notes_peek"/; s/"List notes"/"Peek"/; s/\.place = 1,/.place = 2,/' \
		tree/cmd/notes-list.c >tree/cmd/notes-peek.c
	build bin/notes-peek bin/notes-list bin/mcp-serve bin/tool-schemas \
		completions/bash/mcp-serve completions/bash/notes-peek
	cp "$BIN"/* "tree/$FOLDER/bin/" -n
	BIN=$PWD/tree/$FOLDER/bin
	PATH=$BIN:$PATH
	run -0 names --families notes
	[[ $output == 'notes_list notes_peek notes_read '* || $output == *' notes_read notes_peek '* ]] ||
		fail "$output"
	printf '%s\n' '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}' \
		'{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"notes_peek","arguments":{}}}' |
		mcp-serve >out 2>err
	[ ! -s err ] || fail "$(<err)"
	jq -se '.[0].result.instructions | contains("notes_peek")' out
	jq -se '.[1].result | .isError == false and .content[0].text == "0 notes"' out
	grep -q 'notes_list.*notes_peek' "tree/$FOLDER/completions/bash/mcp-serve"
	bash -n "tree/$FOLDER/completions/bash/notes-peek"
	tool_programs
	[[ " ${PROGRAMS[*]} " == *' notes-peek '* ]]
	# The lint asks for the rest of what a program is.
	run -1 tree/tests/lint/house
	[[ $output == *'notes-peek has no man/man1/notes-peek.1'* &&
		$output == *'notes-peek has no tests/notes-peek.bats'* ]] || fail "$output"
	# And when it goes, it goes everywhere.
	rm tree/cmd/notes-peek.c
	build bin/tool-schemas
	run -0 names --families notes
	[[ $output != *notes_peek* ]] || fail "$output"
}

@test "a declaration that cannot be listed stops the build, and says why" {
	local -a table=(awk -f "$ROOT/common/mcp/families.awk" "$ROOT/common/mcp/families.txt")
	sed 's/\.family = "notes"/.family = "nots"/' "$ROOT/cmd/notes-list.c" >nots.c
	run -1 "${table[@]}" nots.c
	[[ $output == *'nots.c: the family nots is not in families.txt'* ]] || fail "$output"
	echo 'int main(void) { return 0; }' >bare.c
	run -1 "${table[@]}" bare.c "$ROOT/cmd/notes-list.c"
	[[ $output == *'bare.c: no `static const struct tool tool = {`'* ]] || fail "$output"
	run -1 "${table[@]}" bare.c
	# One that sets another limit has it in the table.
	sed 's/\.place = 1,/&\n\t.input_max = (size_t)64 << 20,/' "$ROOT/cmd/notes-list.c" >large.c
	run -0 "${table[@]}" large.c
	[[ $output == *'{ 0, (size_t)64 << 20 },'* ]] || fail "$output"
}
