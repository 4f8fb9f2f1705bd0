# From a program's --schema: argument objects that fit it, and such that do not.

# A value that fits a parameter's schema.
def sample:
	if has("enum") then .enum[0]
	elif has("anyOf") then .anyOf[0] | sample
	elif has("oneOf") then .oneOf[0] | sample
	else ([.type] | flatten | .[0]) as $t
	| if $t == "string" then "x"
	  elif $t == "integer" or $t == "number" then [.minimum // 1, 1] | max
	  elif $t == "boolean" then true
	  elif $t == "array" then if has("items") then [.items | sample] else [] end
	  elif $t == "object" then .required as $r | .properties // {}
		| with_entries(select(.key as $k | ($r // []) | index($k)) | .value |= sample)
	  else null end
	end;

# The same for the parameter of a name: some texts have a form of their own.
def sample($name): if $name | . == "since" or . == "until" then "2026-03-01"
	elif $name == "expect_sha256" then "0" * 64
	# An action that wants nothing else.
	elif $name == "action" and (.enum | index("stat")) then "stat" else sample end;

# What some programs require besides, since it depends on another value.
def needs: {memory: {text: "x", evidence: "x", basis: "user_request"}, lessons_move: {id: 1},
	output_truncate: {text: "x"}}[.name] // {};

# Only what is required.
def base: . as $tool | .inputSchema | .required as $r | .properties
	| with_entries(select(.key as $k | ($r // []) | index($k)) | .key as $k | .value |= sample($k))
	| . + ($tool | needs);

def types: if has("anyOf") then [.anyOf[] | types[]] elif has("oneOf") then [.oneOf[] | types[]]
	else [.type] | flatten end;

# Values that do not fit a parameter's schema.
def misfits:
	select(types != [null]) # any value fits
	| types as $t | . as $p
	| ({string: "x", integer: 3, boolean: true, array: [], object: {}} | to_entries[]
		| select(.key as $k | ($t | index($k)) == null)
		| select((.key == "integer" and ($t | index("number"))) | not)
		| .value),
	(select($t | index("null") | not) | null), (select($t | index("integer")) | 1.5),
	(select(has("minimum")) | .minimum - 1),
	(select(has("maximum")) | .maximum + 1),
	(select(has("enum")) | "no such value"),
	(select(.minLength // 0 > 0) | ""),
	(select(has("maxLength")) | .maxLength as $n | "x" * ($n + 1)),
	(select(($t | index("array")) and has("items")) | [null], [[]], [17.5]),
	(select(has("maxItems")) | .maxItems as $n | .items | sample as $v | [range($n + 1) | $v]),
	(select(has("items")) | .items | misfits | [.]),
	(select($t == ["object"] and has("properties")) | sample as $v
		| $v + {no_such_key: 1}, (.required // [] | .[] | . as $k | $v | del(.[$k])),
		(.properties | to_entries[] | .key as $k | .value | misfits | $v + {($k): .}));

# One line a case: the parameter and the object.
def wrong: base as $b | .inputSchema
	| (.properties | to_entries[] | .key as $k | .value | misfits | [$k, $b + {($k): .}]),
	  (.required // [] | .[] | . as $k | [$k, ($b | del(.[$k]))]);

# What some parameters are legal beside only.
def beside($name): if .name == "history_list" and ($name == "cwd" or $name == "agents")
	then {session: "*"}
	elif .name == "history_export" and ($name == "cwd" or $name == "agents")
	then {session: "*", format: "jsonl"}
	elif .name == "lessons_review" and ($name == "approve" or $name == "edits")
	then {decision: "finish"}
	elif .name == "lessons_session" and ($name == "fork_of" or $name == "ephemeral")
	then {action: "start"}
	elif .name == "output_journal" and $name == "ops" then {action: "append"}
	elif .name == "output_journal" and $name == "state" then {action: "rebase", if_seq: -1}
	elif .name == "output_journal" and $name == "if_seq" then {action: "rebase", state: null}
	else {} end;

# Objects that fit: the required parameters with one other each.  That a program
# is to stream is said on the command line only.
def right: base as $b | . as $tool | $b, (.inputSchema.properties | to_entries[]
	| select(.key != "stream")
	| select(.key as $k | $b | has($k) | not)
	| .key as $k | $b + ($tool | beside($k)) + {($k): (.value | sample($k))}
	| if $tool.name == "lessons_move" and $k == "from" then del(.id) | .from = "/x"
	  elif $tool.name == "output_truncate" and $k == "path" then del(.text) else . end);

# The same object, as a person types it, one word a line.
def flags: to_entries[] | .key as $k | ("--" + ($k | gsub("_"; "-"))) as $f
	| .value
	| if . == true then $f
	  elif . == false then "--no-" + $f[2:]
	  elif . == [] then $f, "[]" # of values that are JSON
	  elif type == "array" then .[] | $f, (if type == "string" then . else tojson end)
	  else $f, (if type == "string" then . else tojson end) end;
