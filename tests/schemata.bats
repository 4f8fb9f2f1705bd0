#!/usr/bin/env bats
# SCHEMATA.md, NEWS.md and the package say what the programs say.

load common

setup() {
	common_setup
}

# section <program>: the code lines of its section, without their remarks, and
# those of the program whose shape it extends.
section() {
	local text other
	text=$(awk -v title="## $1" '$0 == title { on = 1; next } /^## / { on = 0 } on' \
		"$ROOT/SCHEMATA.md")
	grep '^    ' <<<"$text" | sed 's/^    //; s/{string:/{/; s/,   .*/,/; s/}   .*/}/; s/\([a-z"]\)   .*/\1/'
	other=$(sed -n 's/^As \([a-z-]*\),.*/\1/p' <<<"$text")
	[ -z "$other" ] || section "$other"
}

@test "SCHEMATA.md has every member of every result, and no other" {
	local program bad=0 count=0
	tool_programs
	for program in "${PROGRAMS[@]}"; do
		# A member that may be absent somewhere is written with a mark.
		"$program" --schema | jq -r '.outputSchema | [.. | objects
			| select(.properties | type == "object") | (.required // []) as $r
			| .properties | keys[] | . + (if . as $k | $r | index($k) then ":" else "?:" end)]
			| unique[]' | sort -u >schema
		section "$program" | grep -oE '\b[A-Za-z_][A-Za-z0-9_]*\??:' | sort -u >page
		[ -s page ] || {
			echo "$program has no shape in SCHEMATA.md"
			bad=1
		}
		diff -u --label "$program --schema" --label SCHEMATA.md schema page || bad=1
		count=$((count + 1))
	done
	[ $count -gt 0 ] && [ $bad -eq 0 ]
}

@test "NEWS.md and debian/changelog start with the version of the programs" {
	local version
	version=$(sed -n 's/.*CTXTOOLS_VERSION "\(.*\)"/\1/p' "$ROOT/common/tool/version.h")
	grep -m 1 '^## ' "$ROOT/NEWS.md" | grep -qF "## $version"
	head -n 1 "$ROOT/debian/changelog" | grep -qF "($version)"
}

@test "the build dependencies of the package are those of make deps" {
	# libc6-dev is of build-essential, which a package need not name.
	make -s -C "$ROOT" -f - print-need <<'END' | tr ' ' '\n' | grep -vx libc6-dev | sort >want
include Makefile
print-need: ; @echo $(NEED_BUILD)
END
	sed -n '/^Build-Depends:/,/^[A-Z]/p' "$ROOT/debian/control" |
		sed 's/^Build-Depends://; /^[A-Z]/d; s/(.*)//; s/[ ,]//g' |
		grep -v '^debhelper-compat' | sort >got
	diff -u want got
}
