#!/usr/bin/env bats
# output-truncate: spec/output.md sections 6.1 and 6.2; the tables are tested
# by test_truncate.

load output

@test "the example" {
	run -0 output-truncate <<<'{"text":"one\ntwo\nthree\n","max_lines":2}'
	assert_output '{"text":"two\nthree","truncation":{"truncated":true,"truncatedBy":"lines","totalLines":3,"totalBytes":14,"outputLines":2,"outputBytes":9,"lastLinePartial":false,"firstLineExceedsLimit":false,"maxLines":2,"maxBytes":51200},"footer":"[Showing lines 2-3 of 3]"}
two
three

[Showing lines 2-3 of 3]'
}

@test "nothing cut, nothing at all, one long line" {
	row output-truncate '{"text":"a\u0000\n"}' 0 '{"text":"a\u0000\n","truncation":{"truncated":false,"truncatedBy":null,"totalLines":1,"totalBytes":3,"outputLines":1,"outputBytes":3,"lastLinePartial":false,"firstLineExceedsLimit":false,"maxLines":2000,"maxBytes":51200},"footer":null}'
	row output-truncate '{"text":"longlonglong","max_bytes":5}' 0 '{"text":"glong","truncation":{"truncated":true,"truncatedBy":"bytes","totalLines":1,"totalBytes":12,"outputLines":1,"outputBytes":5,"lastLinePartial":true,"firstLineExceedsLimit":false,"maxLines":2000,"maxBytes":5},"lastLineBytes":12,"footer":"[Showing last 5B of line 1 (line is 12B)]"}'
	row output-truncate '{"text":"longlonglong","max_bytes":5,"retain":"head"}' 0 '{"text":"","truncation":{"truncated":true,"truncatedBy":"bytes","totalLines":1,"totalBytes":12,"outputLines":0,"outputBytes":0,"lastLinePartial":false,"firstLineExceedsLimit":true,"maxLines":2000,"maxBytes":5},"footer":"[Line 1 is 12B, exceeds 5B limit.]"}'
	all_right
	run -0 output-truncate --text ''
	assert_output '(no output)'
	printf 'a\n\n' >want
	output-truncate --text $'a\n' >got
	cmp want got
}

@test "a file: paths start in CTX_CWD, and the footer names them as given" {
	mkdir -p at 'a b'
	seq 5 >at/f
	seq 5 >'a b/g'
	CTX_CWD=$PWD/at run -0 output-truncate f --max-lines 1
	assert_output $'5\n\n[Showing lines 5-5 of 5. Full output: f]'
	run -0 output-truncate 'a b/g' --max-bytes 1 --retain head
	assert_output $'1\n\n[Showing lines 1-1 of 5 (1B limit). Use offset=2 to continue.]'
	printf 'longer than it may be\n' >'a b/g'
	run -0 output-truncate 'a b/g' --max-bytes 5 --retain head
	assert_output "[Line 1 is 21B, exceeds 5B limit. Use bash: sed -n '1p' 'a b/g' | head -c 5]"
	[ "$(eval "$(sed "s/.*bash: //; s/]$//" <<<"$output")")" = longe ]
	# What is not UTF-8, in a file: U+FFFD for each subsequence.
	printf 'a\xe2\x82\xff' >f
	[ "$(output-truncate f -j | jq -r .text)" = $'a\xef\xbf\xbd\xef\xbf\xbd' ]
}

@test "sanitize: as it reads, counted as it was" {
	run -0 output-truncate --sanitize -j --text $'10%\r20%\r\n\x1b[31mred\x1b[0m\x07'
	[ "$(jq -c '[.text, .truncation.totalBytes]' <<<"$output")" = '["10%\n20%\nred",22]' ]
}

@test "--text -: stdin of any size, in bounded memory" {
	{
		seq 2000000
		printf 'end'
	} >big
	run -0 bash -c "ulimit -v $(memory output-truncate 60000)"'; output-truncate --max-lines 2 --text - <big'
	assert_output $'2000000\nend\n\n[Showing lines 2000000-2000001 of 2000001]'
	run -0 bash -c "ulimit -v $(memory output-truncate 60000)"'; output-truncate --max-lines 2 --retain head big'
	assert_output $'1\n2\n\n[Showing lines 1-2 of 2000001. Use offset=3 to continue.]'
}

@test "case 18: the last bytes of a long line, with its LF and without" {
	local end
	for end in '' '\n'; do
		{
			head -c 300000 /dev/zero | tr '\0' X
			# shellcheck disable=SC2059
			printf "$end"
		} | output-truncate --text - --max-bytes 1024 --max-lines 100 -j >out
		jq -e '(.text | length == 1024 and test("^X*$")) and .truncation.lastLinePartial
			and .lastLineBytes == 300000 and (.footer | test("last 1.0KB of line 1"))' out
	done
}

@test "refusals: what is not a regular file" {
	mkfifo fifo
	mkdir dir
	local what
	for what in dir fifo /dev/null; do
		code output-truncate "{\"path\":\"$what\"}" not_file
	done
	code output-truncate '{"path":"none"}' not_found
	code output-truncate '{"path":"none/x"}' not_found
	run -1 output-truncate none
	assert_output "error: not_found: there is no file \"$PWD/none\""
	all_right
}

@test "a terminal is shown control characters, and not sent them" {
	printf 'a\033[31m\r\n\tb\177\302\233' >text
	# shellcheck disable=SC2016 # the shell that script starts expands it
	run -0 script -qec 'output-truncate --text "$(cat text)"' /dev/null
	[ "${output//$'\r'/}" = $'a\\u001b[31m\\u000d\n\tb\\u007f\\u009b' ]
}

@test "arguments that are none" {
	usage 'path, text: neither' output-truncate --max-lines 3
	usage 'path, text: both' output-truncate x --text y
	usage --max-bytes output-truncate x --max-bytes 0
	usage --max-bytes output-truncate x --max-bytes 1048577
	usage --max-lines output-truncate x --max-lines 1000001
	usage retain output-truncate x --retain both
	run -2 output-truncate <<<'{"path":"a\u0000b"}'
	all_right
}
