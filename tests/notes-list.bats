#!/usr/bin/env bats
# notes-list: spec/notes.md sections 2.2, 5.4, 6 to 11.

load common

setup() {
	common_setup
	export CTX_NOW_MS=1785571200000 CTX_SESSION=pi:s-1 CTX_AGENT='ana bot'
	export CTX_CWD=/srv/shop-api CTX_NOTES_HOME=$PWD/root
	S=$CTX_NOTES_HOME/pi/session/s-1
	P=$CTX_NOTES_HOME/project/shop-api-17b5613d
	H=$CTX_NOTES_HOME/human
	A=$CTX_NOTES_HOME/agents
	M=$CTX_NOTES_HOME/models
}

# note <file> [front matter line]...: a note with those lines, or a bare one.
note() {
	local file=$1
	shift
	mkdir -p "${file%/*}"
	{
		[ $# -eq 0 ] || printf -- '---\n'
		[ $# -eq 0 ] || printf '%s\n' "$@"
		[ $# -eq 0 ] || printf -- '---\n\n'
		printf 'body\n'
	} >"$file"
}
at() { # at <file> <minute> [line]...
	local file=$1 minute=$2
	shift 2
	note "$file" "updatedAt: 2026-08-01T07:$(printf %02d "$minute"):00Z" "$@"
}
list() { notes-list "$@" >out 2>err; }
addresses() { # of a call with this JSON
	notes-list -j <<<"$1" | jq -r '.files[].address'
}
links() { # links <format> <number>...: links to nowhere, as homes of agents
	local format=$1 name
	shift
	for i in "$@"; do
		# shellcheck disable=SC2059 # it is one
		printf -v name "$A/$format" 0 "$i"
		echo "$name"
	done | xargs -n 1 ln -s nowhere
}
is() { # is <name> <want> <got>
	[ "$2" = "$3" ] && return
	printf '%s\n--- want\n%s\n--- got\n%s\n' "$1" "$2" "$3" >&2
	return 1
}

@test "section 9: the worked example, byte for byte" {
	notes-write <<<'{"address":"@project/retry","content":"# Retry"}' >out
	notes-write <<<'{"address":"plan","content":"step 1\n"}' >out
	cat >want <<'END'
{"files":[{"address":"@project/retry.md","project_key":"shop-api-17b5613d","updated_at":"2026-08-01T08:00:00.000Z"},{"address":"plan.md","updated_at":"2026-08-01T08:00:00.000Z"}],"more":0,"crumpled_excluded":0,"homes_unavailable":[]}
2 notes
- @project/retry.md (project shop-api-17b5613d) | updated 2026-08-01T08:00:00.000Z
- plan.md | updated 2026-08-01T08:00:00.000Z
END
	list <<<'{}'
	diff -u want out
}

@test "section 5.4: without a root there is nothing, and none is made" {
	printf '%s\n0 notes\n' '{"files":[],"more":0,"crumpled_excluded":0,"homes_unavailable":[]}' >want
	list <<<'{}'
	diff -u want out
	[ ! -e "$CTX_NOTES_HOME" ]
	ln -s nowhere "$CTX_NOTES_HOME"
	list <<<'{}'
	diff -u want out
}

@test "order: newest first, then the bytes of the address, over all homes" {
	at "$S/b.md" 10; at "$S/B.md" 10; at "$S/é.md" 10; at "$S/z.md" 20
	at "$P/a.md" 10; at "$H/x/y.md" 30; at "$A/ana-bot/a.md" 10
	at "$M/default/a.md" 10; at "$S/a b.md" 10
	want=$(printf '%s\n' @human/x/y.md z.md @model/a.md @project/a.md \
		@self/a.md B.md 'a b.md' b.md é.md)
	is order "$want" "$(addresses '{}')"
	for locale in C en_US.UTF-8 tr_TR.UTF-8; do
		is "trap 8: $locale" "$want" "$(LC_ALL=$locale addresses '{}')"
	done
}

@test "section 5.4: one and many, all trailers" {
	at "$S/a.md" 10
	list --text
	is one "1 note" "$(head -n 1 out)"
	at "$S/b.md" 11
	at "$S/c.md" 12 'crumpledAt: 2026-08-01T07:30:00.000+00:00'
	ln -s a.md "$S/l.md"
	: >"$H"
	cat >want <<'END'
1 note
- b.md | updated 2026-08-01T07:11:00.000Z
1 more matching note omitted; narrow with glob
1 crumpled note hidden; pass wastebasket to include
@human could not be read completely
1 entry skipped: not readable as notes
END
	list --limit 1
	diff -u want out
	ln -s a.md "$S/m.md"
	at "$S/d.md" 9
	at "$S/e.md" 9 'crumpledAt:'
	sed -e 's/^1 more matching note/2 more matching notes/' \
		-e 's/^1 crumpled note/2 crumpled notes/' \
		-e 's/^1 entry/2 entries/' want >want2
	list --limit 1
	diff -u want2 out
}

@test "wastebasket: crumpled notes beside live ones (trap 12)" {
	at "$S/live.md" 10
	at "$S/c1.md" 20 'crumpledAt: 2026-08-01T07:30:00.000+00:00'
	at "$S/c2.md" 5 'crumpledAt: null'
	at "$S/c3.md" 4 'crumpledAt: []'
	at "$S/c4.md" 3 'crumpledAt: when I was young'
	is hidden '{"n":1,"x":4}' "$(notes-list -j </dev/null |
		jq -c '{n:(.files|length),x:.crumpled_excluded}')"
	is 'only matching ones count' 1 "$(notes-list -j c2 |
		jq .crumpled_excluded)"
	cat >want <<'END'
5 notes
- c1.md | updated 2026-08-01T07:20:00.000Z | crumpled 2026-08-01T07:30:00.000Z
- live.md | updated 2026-08-01T07:10:00.000Z
- c2.md | updated 2026-08-01T07:05:00.000Z | crumpled 2026-08-01T07:05:00.000Z
- c3.md | updated 2026-08-01T07:04:00.000Z | crumpled 2026-08-01T07:04:00.000Z
- c4.md | updated 2026-08-01T07:03:00.000Z | crumpled 2026-08-01T07:03:00.000Z
END
	list --wastebasket
	diff -u want out
	is json '["c1.md","2026-08-01T07:20:00.000Z","2026-08-01T07:30:00.000Z"]' \
		"$(notes-list -j <<<'{"wastebasket":true}' |
			jq -c '.files[0]|[.address,.updated_at,.crumpled_at]')"
	is 'nothing hidden' 0 "$(notes-list -j --wastebasket | jq .crumpled_excluded)"
}

@test "section 10: glob vectors, end to end" {
	local bad=0 glob yes no
	for f in x a/x ax a/b a/b/c a az a/b/z note nöte 'n?te' n/te nte \
		'[ab]' plan a/plan; do
		note "$S/$f.md"
	done
	note "$P/a/x.md"
	while IFS='|' read -r glob yes no; do
		got=$(notes-list -j "$glob" | jq -r '.files[].address')
		for f in $yes; do
			grep -qxF -- "$f" <<<"$got" || { echo "$glob misses $f"; bad=1; }
		done
		for f in $no; do
			! grep -qxF -- "$f" <<<"$got" || { echo "$glob has $f"; bad=1; }
		done
	done <<-'END'
		**/x.md|x.md a/x.md @project/a/x.md|ax.md
		a/**|a/b.md a/b/c.md|a.md
		a**z.md|az.md a/b/z.md|a/b.md
		n?te.md|note.md nöte.md n?te.md|n/te.md nte.md
		[ab].md|[ab].md|a.md
		plan|plan.md|a/plan.md
		pl*|plan.md|a/plan.md
		*.md|x.md plan.md|a/x.md @project/a/x.md
		a/*|a/b.md|a/b/c.md
		a/b|a/b.md|a/b/c.md
		**|x.md a/b/c.md @project/a/x.md|
		@project/**|@project/a/x.md|x.md
		@project/*||@project/a/x.md
		|x.md @project/a/x.md|
		A.md||a.md
		p.an.md||plan.md
	END
	[ $bad -eq 0 ]
	is 'the whole of plan' plan.md "$(addresses '{"glob":"plan"}')"
}

@test "section 2.2: which homes a glob reads" {
	local bad=0 glob want got
	note "$S/x.md"; note "$P/x.md"; note "$H/x.md"
	note "$A/ana-bot/x.md"; note "$A/bob/x.md"; note "$A/bo-2/d/x.md"
	note "$A/Not A Slug/x.md"; note "$A/a--b/x.md"
	note "$M/default/x.md"; note "$M/gpt-5/x.md"
	note "$CTX_NOTES_HOME/project/other-12345678/x.md"
	note "$CTX_NOTES_HOME/pi/session/s-2/x.md"
	: >"$A/readme"
	while IFS='|' read -r glob want; do
		got=$(notes-list -j "$glob" | jq -r '.files[].address' | sort)
		got=${got//$'\n'/ }
		[ "$got" = "$want" ] ||
			{ printf '%s: want %s, got %s\n' "$glob" "$want" "$got"; bad=1; }
	done <<-'END'
		**|@human/x.md @model/x.md @project/x.md @self/x.md x.md
		*|x.md
		x|x.md
		@self/**|@self/x.md
		@agents/ana-bot/**|@self/x.md
		@agents/ana-bot/x|@self/x.md
		@agents/*/x.md|@agents/bob/x.md @self/x.md
		@agents/**|@agents/bo-2/d/x.md @agents/bob/x.md @self/x.md
		@agents/**/x|@agents/bo-2/d/x.md @agents/bob/x.md @self/x.md
		@agents/b*/**|@agents/bo-2/d/x.md @agents/bob/x.md
		@agents/b**|@agents/bo-2/d/x.md @agents/bob/x.md
		@agents/b*|
		@agents/bo?/*|@agents/bob/x.md
		@agents/bob/**|@agents/bob/x.md
		@agents/nobody/**|
		@agents/a*/x.md|@self/x.md
		@model/*|@model/x.md
		@models/default/*|@model/x.md
		@models/*/x.md|@model/x.md @models/gpt-5/x.md
		@models/gpt-5/x|@models/gpt-5/x.md
		@project/|
		@human/y/**|
	END
	[ $bad -eq 0 ]
	is 'a slug that no directory can be called is not a home' '[]' \
		"$(notes-list -j "@agents/$(printf 'a%.0s' {1..256})/**" | jq -c .homes_unavailable)"
	is 'a file in the namespace is not a home' '[]' \
		"$(notes-list -j '@agents/**' | jq -c .homes_unavailable)"
}

@test "section 6: invalid_glob" {
	local bad=0 glob says
	while IFS='|' read -r glob says; do
		rc=0
		notes-list <<<"{\"glob\":\"$glob\"}" >out || rc=$?
		[ $rc -eq 1 ] && [ "$(jq -r 'select(.code).code' out 2>/dev/null)" = invalid_glob ] &&
			head -n 1 out | jq -r .error | grep -qF -- "$says" &&
			[ "$(tail -n +2 out)" = "error: invalid_glob: $(head -n 1 out | jq -r .error)" ] ||
			{ printf '%s: exit %s: %s\n' "$glob" $rc "$(<out)"; bad=1; }
	done <<-'END'
		@typo/**|@project/, @human/, @self/, @model/, @agents/<slug>/, @models/<slug>/
		@project|"@project"
		@*/x|"@*/x"
		@|"@"
		@human|@human/
		@agents|legal:
		@agents/bob|slash
		@agents/|slash
		@agents//x|not a slug
		@agents/Bob/x|not a slug
		@agents/a--b/x|not a slug
		@models/-a/x|not a slug
		a\\b|backslash
		a\tb|control
		a\u0085b|control
		@human/\u001b[0m|\u001b
	END
	[ $bad -eq 0 ]
}

@test "section 7: arguments that are invalid are exit 2 and name the field" {
	local bad=0 args field
	long=$(printf '%01025d' 0)
	while IFS='|' read -r field args; do
		rc=0
		notes-list <<<"$args" >out 2>err || rc=$?
		[ $rc -eq 2 ] && [ ! -s out ] && grep -qF -- "$field" err &&
			[ "$(wc -l <err)" -eq 1 ] ||
			{ printf '%s: exit %s: %s\n' "$args" $rc "$(<err)"; bad=1; }
	done <<-END
		limit|{"limit":0}
		limit|{"limit":10001}
		limit|{"limit":1.5}
		limit|{"limit":"1"}
		limit|{"limit":null}
		wastebasket|{"wastebasket":1}
		glob|{"glob":null}
		glob|{"glob":["*"]}
		glob|{"glob":"$long"}
		cwd|{"cwd":7}
		query|{"query":"x"}
	END
	[ $bad -eq 0 ]
	notes-list <<<"{\"glob\":\"${long#0}\"}" >out
}

@test "section 1: host facts" {
	note "$S/x.md"
	for bad in pi:../x a:b:c .. 'a/b'; do
		rc=0
		CTX_SESSION=$bad notes-list </dev/null >out 2>err || rc=$?
		[ $rc -eq 4 ] && grep -q CTX_SESSION err || fail "$bad: $rc $(<err)"
	done
	rc=0
	CTX_NOW_MS=soon notes-list </dev/null >out 2>err || rc=$?
	is 'the clock' 4 $rc
	is 'another host, the same notebook' x.md \
		"$(CTX_SESSION=s-1 addresses '{}')"
	is 'no session, no session home' '' \
		"$(CTX_SESSION='' addresses '{}')"
	is 'options beside stdin' x.md \
		"$(CTX_SESSION='' notes-list -j --session pi:s-1 <<<'{"glob":"x"}' |
			jq -r '.files[].address')"
	note "$CTX_NOTES_HOME/agents/bob/x.md"
	is 'another agent' @self/x.md \
		"$(notes-list -j --agent Bob '@self/*' | jq -r '.files[].address')"
	note other/human/y.md
	is 'PI_NOTES_HOME' @human/y.md "$(CTX_NOTES_HOME='' PI_NOTES_HOME=other addresses '{}')"
}

@test "cwd: whose project a listing covers" {
	mkdir -p site/sub
	rc=0
	notes-list -j --cwd site/sub >out || rc=$?
	is 'relative to the base directory' '1 invalid_cwd' "$rc $(jq -r .code out)"
	is 'which may be given' 0 "$(CTX_CWD=$PWD notes-list -j --cwd site/sub | jq .more)"
	key=$(notes-write -j '@project/x' --cwd "$PWD/site/sub" --content x | jq -r .project_key)
	is key "$key" "$(notes-list -j --cwd "$PWD/site//sub/." | jq -r '.files[].project_key')"
	is 'the base directory' '' "$(addresses '{}')"
	is 'empty is omitted' '' "$(addresses '{"cwd":""}')"
	for cwd in "$PWD/none" "$PWD/site/x" /dev/null; do
		rc=0
		notes-list -j --cwd "$cwd" >out || rc=$?
		is "$cwd" '1 invalid_cwd' "$rc $(jq -r .code out)"
	done
	rc=0
	notes-list -j --cwd "$PWD/none" '@typo/x' >out || rc=$?
	is 'cwd is checked before the glob' invalid_cwd "$(jq -r .code out)"
}

@test "section 3: times, and notes without any" {
	export TZ=Europe/Berlin
	note "$S/local.md" 'updatedAt: 2026-08-01 10:00'
	note "$S/date.md" 'updatedAt: 2026-08-01'
	note "$S/epoch.md" 'updatedAt: 1785571200123'
	note "$S/zulu.md" 'updatedAt: "2026-08-01T08:00:00.9999Z"'
	note "$S/last.md" 'updatedAt: 2026-08-01' 'updatedAt: 2026-08-02'
	note "$S/bare.md"
	note "$S/bad.md" 'updatedAt: yesterday'
	printf -- '---\nupdatedAt: 2026-08-01\n' >"$S/unclosed.md"
	note "$S/broken.md" 'updatedAt: 2026-08-01' 'title: [open'
	for f in bare bad unclosed broken; do
		touch -d 2020-01-02T03:04:05.678999Z "$S/$f.md"
	done
	cat >want <<'END'
last.md 2026-08-02T00:00:00.000Z
zulu.md 2026-08-01T08:00:00.999Z
epoch.md 2026-08-01T08:00:00.123Z
local.md 2026-08-01T08:00:00.000Z
date.md 2026-08-01T00:00:00.000Z
bad.md 2020-01-02T03:04:05.678Z
bare.md 2020-01-02T03:04:05.678Z
broken.md 2020-01-02T03:04:05.678Z
unclosed.md 2020-01-02T03:04:05.678Z
END
	notes-list -j </dev/null | jq -r '.files[]|"\(.address) \(.updated_at)"' >out
	diff -u want out
}

@test "section 7: hostile notes are listed, and fast" {
	mkdir -p "$S"
	{ printf -- '---\na: '; printf '[%.0s' {1..50000}; printf '\n---\n'; } >"$S/deep.md"
	{ printf -- '---\na: &a [x]\n'; printf 'b%d: [*a,*a]\n' {1..99}; printf -- '---\n'; } >"$S/bomb.md"
	{ printf -- '---\nk: '; head -c 300000 /dev/zero | tr '\0' x; printf '\n---\n'; } >"$S/large.md"
	{ printf -- '---\nupdatedAt: 2020-01-01\n---\n'; head -c 17000000 /dev/zero; } >"$S/huge.md"
	printf -- '---\nupdatedAt: 2020-01-02\n---\n\377' >"$S/bytes.md"
	note "$S/owner.md" "project: $(head -c 40000 /dev/zero | tr '\0' p)" 'updatedAt: 2020-01-03'
	{ printf -- '---\n'; yes '# line' | head -n 30000; printf 'updatedAt: 2020-01-04\n---\n'; } >"$S/late.md"
	timeout 5 notes-list -j </dev/null >out
	is all 7 "$(jq '.files|length' out)"
	is 'blocks of large and odd files are read' 'late.md owner.md bytes.md huge.md' \
		"$(jq -r '[.files[]|select(.updated_at<"2021")|.address]|join(" ")' out)"
}

@test "section 7 and trap 17: links, pipes and odd names are counted" {
	note "$S/real.md"
	note "$S/z.md/in.md"
	note "$S/.hidden/.md"
	mkdir -p outside "$S/d"
	note outside/secret.md
	ln -s "$PWD/outside" "$S/dir"                # 1
	ln -s real.md "$S/link.md"                   # 2
	ln -s nowhere "$S/dangling"                  # 3
	mkfifo "$S/fifo.md" "$S/fifo"                # 4
	: >"$S/a@b.md"; : >"$S/a@b.txt"              # 5
	: >"$S/back\\slash.md"                       # 6
	: >"$S/d/"$'tab\there.md'                    # 7
	: >"$S/"$'bad\377.md'                        # 8
	: >"$S/"$'c1\302\205.md'                     # 9
	mkdir "$S/@dir" "$S/"$'bad\377dir'           # 10, 11
	note "$S/@dir/inside.md"
	: >"$S/readme.txt"; : >"$S/x.MD"; : >"$S/.ctx@tmp"
	timeout 5 notes-list -j </dev/null >out
	is addresses '.hidden/.md real.md z.md/in.md' \
		"$(jq -r '[.files[].address]|sort|join(" ")' out)"
	is skipped 11 "$(jq .skipped out)"
	is 'whatever the glob' 11 "$(notes-list -j real | jq .skipped)"
	is 'in the homes covered' null "$(notes-list -j '@human/**' | jq .skipped)"
}

@test "a note too deep for any address is counted, and so is a tree of 3,000 levels" {
	local long name
	printf -v long '%0250d' 0
	name=$long/$long/aaaaaaaaaa # 512 bytes, as it may be given
	note "$S/$name.md"
	note "$S/${name}a.md"       # 1
	note "$S/$long/$long/ddddddddd/x.md" # 2
	notes-list -j </dev/null >out
	is addresses "$name.md" "$(jq -r '.files[].address' out)"
	is skipped 2 "$(jq .skipped out)"
	notes-read "$name" >/dev/null
	refused=0
	notes-read "${name}a" >/dev/null || refused=$?
	is 'what is not listed is not read' 1 "$refused"

	mkdir -p "$H"
	perl -e 'chdir shift or die; for (1 .. 3000) { mkdir "d" and chdir "d" or die }
		open my $f, ">", "x.md" or die' "$H"
	notes-list -j --glob '@human/**' >out
	is 'the home was walked to its end' '{"files":[],"more":0,"crumpled_excluded":0,"homes_unavailable":[],"skipped":1}' "$(<out)"
}

@test "section 7: a home that is a file or a link is named, the others are read" {
	note "$S/x.md"
	note elsewhere/y.md
	: >"$CTX_NOTES_HOME/human"
	mkdir "$A" "$M"
	ln -s "$PWD/elsewhere" "$A/ana-bot"
	: >"$CTX_NOTES_HOME/project"
	list <<<'{}'
	is labels '["@project","@human","@self"]' "$(head -n 1 out | jq -c .homes_unavailable)"
	is rows '["x.md"]' "$(head -n 1 out | jq -c '[.files[].address]')"
	is 'one line each' 3 "$(grep -c ' could not be read completely$' out)"
	ln -s "$PWD/elsewhere" "$A/bob"
	mkdir "$A/carl"
	is 'its links' '["@self","@agents/bob"]' \
		"$(notes-list -j '@agents/**' | jq -c .homes_unavailable)"
	rmdir "$M"
	ln -s "$PWD" "$M"
	is 'a namespace that is a link' '["@models"]' \
		"$(notes-list -j '@models/*/x' | jq -c .homes_unavailable)"
	rm -r "$CTX_NOTES_HOME/pi"
	: >"$CTX_NOTES_HOME/pi"
	is 'a file above a home (trap 14)' '["session"]' \
		"$(notes-list -j x | jq -c '.homes_unavailable[:1]')"
}

@test "the root may be a link, and what is not a directory hides every home" {
	note real/human/x.md
	ln -s real "$CTX_NOTES_HOME"
	is link @human/x.md "$(addresses '{}')"
	rm "$CTX_NOTES_HOME"
	: >"$CTX_NOTES_HOME"
	is file '["session","@project","@human","@self","@model"]' \
		"$(notes-list -j </dev/null | jq -c .homes_unavailable)"
	is namespace '["@agents"]' "$(notes-list -j '@agents/**' | jq -c .homes_unavailable)"
}

@test "what may not be read is said, and a note that may not is bare" {
	powerless
	note "$S/a.md"; note "$S/d/b.md"
	at "$S/c.md" 10 'crumpledAt: 2026-08-01'
	touch -d 2020-01-01T00:00:00Z "$S/c.md"
	chmod 0 "$S/c.md"
	chmod 300 "$S/d"
	"${AS[@]}" "$BIN/notes-list" -j </dev/null >out
	chmod 700 "$S/d"
	is rows '["a.md","c.md"]' "$(jq -c '[.files[].address]' out)"
	is bare 2020-01-01T00:00:00.000Z "$(jq -r '.files[1].updated_at' out)"
	is home '["session"]' "$(jq -c .homes_unavailable out)"
}

@test "section 8: 10,000 notes, both surfaces within 32,768 bytes, little memory" {
	mkdir -p "$H"
	awk -v d="$H" 'BEGIN { for (i = 10000; i < 20000; i++) {
		f = d "/note-" i ".md"
		printf "---\nupdatedAt: 2026-08-01T%02d:%02d:00Z\n---\n\nx\n",
			i / 60 % 24, i % 60 >f
		close(f) } }'
	(
		[[ $BIN == *asan* ]] || ulimit -v 65536
		list <<<'{}'
	)
	head -n 1 out | head -c -1 >json
	tail -n +2 out | head -c -1 >text
	k=$(jq '.files|length' json)
	is 'more is against all' $((10000 - k)) "$(jq .more json)"
	[ "$(wc -c <json)" -le 32768 ] && [ "$(wc -c <text)" -le 32768 ]
	# One more row (all have one length), and the digits of its count.
	row=$(jq -c '.files[0]' json)
	[ $(($(wc -c <json) + ${#row} + 1)) -gt 32768 ]
	is text "$k notes" "$(head -n 1 text)"
	is 'the same rows' "$k" "$(grep -c '^- ' text)"
	grep -qx "$((10000 - k)) more matching notes omitted; narrow with glob" text
	list <<<'{"limit":10000}'
	is 'a limit that is too high' "$k" "$(head -n 1 out | jq '.files|length')"
	list --limit 3
	is 'limit cuts first' '9997 more matching notes omitted; narrow with glob' "$(tail -n 1 out)"
	timeout 20 notes-list -j "$(printf '**/%.0s' {1..300})x" >out
	is 'trap 7: a glob that would backtrack' 0 "$(jq '.files|length' out)"
}

@test "output_too_large: an envelope that cannot fit" {
	mkdir -p "$A"
	links '%0100d-%d' {100..400}
	rc=0
	notes-list -j '@agents/**' >out || rc=$?
	is refused '1 output_too_large' "$rc $(jq -r .code out)"
	grep -q 'narrow with glob' out
	rm "$A"/*
	# The text is 32,768 bytes with the trailer of the note, and 6 more with it.
	links '%097d-%d' {100..333}
	ln -s nowhere "$A/$(printf '%0150d' 0)"
	note "$A/zoe/x.md"
	notes-list -j '@agents/**' >out
	is 'no row, but counted' '0 1' "$(jq -r '"\(.files|length) \(.more)"' out)"
	is 'to the byte' 32768 "$(($(notes-list '@agents/**' | wc -c) - 1))"
}

@test "nothing changes on disk, and the same call prints the same" {
	note "$S/a.md" 'accessCount: 3' 'lastAccessed: 2026-08-01'
	note "$S/b/c.md"
	find "$CTX_NOTES_HOME" -printf '%p %m %s %T@ %C@\n' | sort >before
	list <<<'{}'
	cp out first
	list <<<'{}'
	cmp first out
	find "$CTX_NOTES_HOME" -printf '%p %m %s %T@ %C@\n' | sort | cmp before -
}

@test "cases 17: a link in the path leads nowhere" {
	note outside/new.md
	mkdir -p "$H"
	ln -s "$PWD/outside" "$H/out"
	is rows '' "$(addresses '{"glob":"@human/**"}')"
	is 'by name' '' "$(addresses '{"glob":"@human/out/new.md"}')"
	is counted 1 "$(notes-list -j '@human/out/new' | jq .skipped)"
}
