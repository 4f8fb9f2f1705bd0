# families.awk - makes the table of mcp/families.h from the declarations.
#
#	awk -f families.awk families.txt cmd/*.c
#
# A declaration is laid out by clang-format: a member a line.  Of each model
# tool the table has its family, name and largest input; a family that has no
# tool is not in it.
function value(line) {
	sub(/^[^=]*= */, "", line)
	sub(/,$/, "", line)
	return line
}
function complain(why) {
	printf "families.awk: %s: %s\n", file, why >"/dev/stderr"
	failed = 1
	exit 1
}
# The declaration of a program has been read.
function enter(    at) {
	if (!model)
		return
	for (at = 1; at <= families && family[at] != of; at++)
		;
	if (at > families)
		complain("the family " of " is not in families.txt")
	# By place, where there is one, and then by name.
	key[++tools] = sprintf("%02d %03d %s", at, place ? place : 999, name)
	input[key[tools]] = max
	count[at]++
}
FNR == 1 {
	if (file != "" && file !~ /\.txt$/ && !declared)
		complain("no `static const struct tool tool = {`")
	file = FILENAME
	declared = inside = 0
}
file ~ /\.txt$/ && !/^#/ {
	split($0, column, "\t")
	family[++families] = column[1]
	unasked[families] = column[2] == "yes"
	purpose[families] = column[3]
}
/^static const struct tool tool = \{/ {
	declared = inside = 1
	model = place = 0
	max = "TOOL_INPUT_MAX"
	next
}
inside && /^\t\.name = / { name = value($0) }
inside && /^\t\.family = / { of = value($0); gsub(/"/, "", of) }
inside && /^\t\.model_tool = true/ { model = 1 }
inside && /^\t\.place = / { place = value($0) + 0 }
inside && /^\t\.input_max = / { max = value($0) }
inside && /^\};/ {
	inside = 0
	enter()
}
END {
	if (failed)
		exit 1
	if (!declared)
		complain("no `static const struct tool tool = {`")
	for (i = 2; i <= tools; i++) {
		this = key[i]
		for (j = i - 1; j > 0 && key[j] > this; j--)
			key[j + 1] = key[j]
		key[j + 1] = this
	}
	print "/* Made by common/mcp/families.awk. */"
	print "#include \"mcp/families.h\"\n"
	print "#include \"tool/declare.h\"\n"
	names = row = list = asked = ""
	for (i = 1; i <= families; i++) {
		if (!count[i])
			continue
		index_of[i] = shown++
		names = names "\t\"" family[i] "\",\n"
		row = row "\t{ \"" family[i] "\", \"" purpose[i] "\" },\n"
		if (unasked[i]) {
			list = list (list == "" ? "" : ",") family[i]
			asked = asked (asked == "" ? "" : " | ") \
				"UINT64_C(1) << " index_of[i]
		}
	}
	print "const struct family families[] = {\n" row "};"
	print "const size_t families_count = " shown ";"
	print "const uint64_t families_unasked = " (asked == "" ? 0 : asked) ";"
	print "const char families_unasked_names[] = \"" list "\";"
	print "const char *const families_names[] = {\n" names "\t\"all\", NULL\n};"
	names = row = ""
	for (i = 1; i <= tools; i++) {
		split(key[i], column, " ")
		names = names "\t" column[3] ",\n"
		row = row "\t{ " index_of[column[1] + 0] ", " input[key[i]] " },\n"
	}
	print "const char *const families_tools[] = {\n" names "\tNULL\n};"
	print "const struct family_tool families_facts[] = {\n" row "};"
	print "_Static_assert(" tools " <= FAMILIES_TOOLS_MAX, \"a set of tools is one word\");"
}
