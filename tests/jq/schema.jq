# The part of JSON Schema that the programs' definitions use.  errors(schema)
# gives one line for each place of the input that is not as the schema says.
# A keyword it does not know is an error, so that none is passed over.

def known: ["type", "title", "description", "default", "properties", "required",
	"additionalProperties", "items", "enum", "const", "minimum", "maximum",
	"minLength", "maxLength", "minItems", "maxItems", "anyOf", "oneOf"];

def is_type($t):
	if $t == "integer" then type == "number" and floor == .
	else type == $t end;

def errors($s; $at):
	. as $v
	| ($s | keys_unsorted - known | .[] | "\($at): unknown keyword \(.)"),
	(if $s.type == null then empty
	 elif [$s.type] | flatten | any(. as $t | $v | is_type($t)) then empty
	 else "\($at): is \(type), not \($s.type | tojson)" end),
	(if $s.enum == null or ($s.enum | index([$v])) != null then empty
	 else "\($at): \(tojson) is not one of \($s.enum | tojson)" end),
	(if ($s | has("const") | not) or $s.const == $v then empty
	 else "\($at): \(tojson) is not \($s.const | tojson)" end),
	(if $s.anyOf == null or ($s.anyOf | any(. as $o | [$v | errors($o; $at)] == [])) then empty
	 else "\($at): fits none of anyOf" end),
	(if $s.oneOf == null or ([$s.oneOf[] | . as $o | select([$v | errors($o; $at)] == [])] | length) == 1
	 then empty else "\($at): does not fit exactly one of oneOf" end),
	(if type == "number" then
		(select($s.minimum != null and . < $s.minimum) | "\($at): \(.) is below \($s.minimum)"),
		(select($s.maximum != null and . > $s.maximum) | "\($at): \(.) is above \($s.maximum)")
	 elif type == "string" then
		(select($s.minLength != null and length < $s.minLength) | "\($at): too short"),
		(select($s.maxLength != null and length > $s.maxLength) | "\($at): too long")
	 elif type == "array" then
		(select($s.minItems != null and length < $s.minItems) | "\($at): too few items"),
		(select($s.maxItems != null and length > $s.maxItems) | "\($at): too many items"),
		(select($s.items != null) | to_entries[] | .key as $i
			| .value | errors($s.items; "\($at)[\($i)]"))
	 elif type == "object" then
		(($s.required // [])[] | select(. as $k | $v | has($k) | not) | "\($at): lacks \(.)"),
		(to_entries[] | .key as $k | .value
			| if ($s.properties // {}) | has($k) then errors($s.properties[$k]; "\($at).\($k)")
			  elif $s.additionalProperties == false then "\($at): has \($k)"
			  elif ($s.additionalProperties | type) == "object"
			  then errors($s.additionalProperties; "\($at).\($k)")
			  else empty end)
	 else empty end);
def errors($s): errors($s; "$");
