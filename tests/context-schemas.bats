#!/usr/bin/env bats
# The eleven model tools of the context family: what a host registers, field by
# field (spec/context.md section 1).  Types, nullability, minimums, enums, what is
# required and the order of it all are fixed; descriptions are not held here.

load common

setup() {
	common_setup
}

@test "1: the eleven schemas, in the order and the mode that hosts are given" {
	cat >schemas <<-'END'
		new_context sequential {"type":"object","properties":{},"additionalProperties":false}
		get_context_remaining parallel {"type":"object","properties":{},"additionalProperties":false}
		history_list_windows parallel {"type":"object","properties":{"limit":{"type":"integer","minimum":1},"agent_name":{"anyOf":[{"type":"string"},{"type":"null"}]},"recent_first":{"type":"boolean"}}}
		history_list_items parallel {"type":"object","properties":{"limit":{"type":"integer","minimum":1},"recent_first":{"type":"boolean"},"tool_namespace":{"anyOf":[{"type":"string"},{"type":"null"}]},"role":{"anyOf":[{"type":"string","enum":["user","assistant","tool","system","developer"]},{"type":"null"}]},"agent_name":{"anyOf":[{"type":"string"},{"type":"null"}]},"tool_name":{"anyOf":[{"type":"string"},{"type":"null"}]},"window_id":{"anyOf":[{"type":"string"},{"type":"null"}]},"max_chars_per_item":{"type":"integer","minimum":1}}}
		history_read_item parallel {"type":"object","properties":{"agent_name":{"anyOf":[{"type":"string"},{"type":"null"}]},"item_id":{"type":"string"},"offset_chars":{"type":"integer","minimum":0},"limit_chars":{"type":"integer","minimum":1},"window_id":{"type":"string"}},"required":["item_id","window_id"]}
		history_search_contents parallel {"type":"object","properties":{"limit":{"type":"integer","minimum":1},"query":{"type":"string"},"recent_first":{"type":"boolean"},"tool_namespace":{"anyOf":[{"type":"string"},{"type":"null"}]},"role":{"anyOf":[{"type":"string","enum":["user","assistant","tool","system","developer"]},{"type":"null"}]},"agent_name":{"anyOf":[{"type":"string"},{"type":"null"}]},"tool_name":{"anyOf":[{"type":"string"},{"type":"null"}]},"window_id":{"anyOf":[{"type":"string"},{"type":"null"}]}},"required":["query"]}
		notes_list_files_by_prefix parallel {"type":"object","properties":{"prefix":{"anyOf":[{"type":"string"},{"type":"null"}]},"max_results":{"type":"integer","minimum":1},"file_order_by":{"type":"string","enum":["name","created_at","updated_at"]},"file_order":{"type":"string","enum":["ascending","descending"]}}}
		notes_read_file parallel {"type":"object","properties":{"path":{"type":"string"},"start_line":{"anyOf":[{"type":"integer"},{"type":"null"}]},"stop_line":{"anyOf":[{"type":"integer"},{"type":"null"}]},"offset_chars":{"type":"integer","minimum":0},"limit_chars":{"type":"integer","minimum":1}},"required":["path"]}
		notes_search_contents parallel {"type":"object","properties":{"max_matches_per_file":{"type":"integer","minimum":1},"query":{"type":"string"},"recent_file_first":{"type":"boolean"},"max_files":{"type":"integer","minimum":1},"path_prefix":{"anyOf":[{"type":"string"},{"type":"null"}]}},"required":["query"]}
		notes_append_to_file sequential {"type":"object","properties":{"text":{"type":"string"},"path":{"type":"string"}},"required":["text","path"]}
		notes_write_file sequential {"type":"object","properties":{"text":{"type":"string"},"path":{"type":"string"}},"required":["text","path"]}
	END
	while read -r name mode schema; do
		"${name//_/-}" --schema | jq -c --arg name "$name" --arg mode "$mode" --argjson schema "$schema" '
			def bare: if type == "object" then with_entries(select((.key == "description" and (.value | type) == "string") | not) | .value |= bare)
				elif type == "array" then map(bare) else . end;
			[.name == $name, .executionMode == $mode, (.inputSchema | bare | tojson) == ($schema | tojson),
			(.inputSchema.properties | all(.[]; .description | type == "string"))]' >got
		[ "$(<got)" = '[true,true,true,true]' ] ||
			fail "$name: $(<got): $("${name//_/-}" --schema | jq -c .inputSchema)"
		echo "$name"
	done <schemas >names
	[ "$(wc -l <names)" -eq 11 ]
}
