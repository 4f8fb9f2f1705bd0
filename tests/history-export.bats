#!/usr/bin/env bats
# history-export: spec/people.md section 2.

load common
load history

setup() {
	common_setup
	export TZ=Europe/Berlin CTX_NOW_MS=1785571200000
	unset CTX_SESSION
}

# A session with everything in it; what is hostile comes as data.
example() {
	session_begin
	sed -i '1s|"id"|"cwd":"/w","id"|' "$CTX_SESSION_FILE"
	user "$1"
	assistant "$2" "$(call c1 bash '{"command":"make"}')"
	result c1 "$3"
}

@test "Markdown: title, facts, events with local times, tools in fences, windows, context" {
	example 'Why does it retry?' 'Reading.' 'ok\n```\nx'
	entry compaction '"summary":"so far","firstKeptEntryId":"e1","tokensBefore":9'
	user 'And now?'
	run -0 history-export
	sed "s/BYTES/$(wc -c <"$CTX_SESSION_FILE")/" <<-'END' | diff - <(echo "$output")
		# Why does it retry?

		- session: pi:own
		- directory: /w
		- began: 2026-03-05 10:00:01 +0100
		- last recorded to: 2026-03-05 10:00:05 +0100
		- bytes: BYTES
		- resume: cd /w &amp;&amp; pi --session own

		## user · 2026-03-05 10:00:01 +0100

		Why does it retry?

		## assistant · 2026-03-05 10:00:02 +0100

		Reading.

		### bash · ok · 2026-03-05 10:00:02 +0100

		```
		{"command":"make"}
		```

		````
		ok
		```
		x
		````

		---

		<details><summary>context · 2026-03-05 10:00:04 +0100</summary>

		```
		so far
		```

		</details>

		## user · 2026-03-05 10:00:05 +0100

		And now?
	END
}

# body <text as JSON has it>: what Markdown makes of a user's text.
body() {
	session_begin
	user "$1"
	history-export | sed -n '/^## user/,$p' | tail -n +3
}

@test "Markdown: no HTML passes, code stays, an open fence is closed" {
	body 'a <b> <!-- <?x </p> < 1 <3 `<i>` x' | diff - <(echo 'a &lt;b> &lt;!-- &lt;?x &lt;/p> < 1 <3 `<i>` x')
	body '```c\n<b>\n```\n<b>' | diff - <(printf '```c\n<b>\n```\n&lt;b>\n')
	body 'x\n~~~\n<b>' | diff - <(printf 'x\n~~~\n<b>\n~~~\n')
	body '````\n```\n<b>' | diff - <(printf '````\n```\n<b>\n````\n')
	# Code that a line does not close is not code; nor is what follows it.
	body 'a ` b\n`<b>` c\n\n`<i>`' | diff - <(printf 'a ` b\n`&lt;b>` c\n\n`<i>`\n')
	body 'a \\`<b>` c' | diff - <(printf 'a \\`&lt;b>` c\n')
	body '```c <b>\nx' | diff - <(printf '```c &lt;b>\nx\n```\n')
	# A fence that is not at the margin: all of it is shown as code.
	body '- ```\n  ```\n<b>' | diff - <(printf '````\n- ```\n  ```\n<b>\n````\n')
	body '> ~~~\n<b>' | diff - <(printf '```\n> ~~~\n<b>\n```\n')
	body 'esc \u001b[31m \u202e' | diff - <(printf 'esc \\u001b[31m \\u202e\n')
	# The title cannot break out of its line either.
	session_begin
	user '<script> *x* [a](b)'
	history-export | head -n 1 | diff - <(printf '# &lt;script> \\*x\\* \\[a\\](b)\n')
}

@test "JSON lines: one object an event, with all that a read tells" {
	example 'Why?' 'Reading.' 'out'
	run -0 history-export --format jsonl
	diff - <(echo "$output") <<-'END'
		{"session":"pi:own","cwd":"/w","seq":1,"role":"user","created_at":"2026-03-05T09:00:01.000Z","window_id":"pcw:own:root","text":"Why?","total_chars":4}
		{"session":"pi:own","cwd":"/w","seq":2,"role":"assistant","created_at":"2026-03-05T09:00:02.000Z","window_id":"pcw:own:root","text":"Reading.","total_chars":8}
		{"session":"pi:own","cwd":"/w","seq":3,"role":"tool","created_at":"2026-03-05T09:00:02.000Z","tool":"bash","tool_status":"ok","window_id":"pcw:own:root","text":"bash {\"command\":\"make\"}\n--- output ---\nout","total_chars":42}
	END
	history-export --format jsonl --max-chars-per-item 3 | jq -sc 'map([.text, .truncated])' |
		diff - <(echo '[["Why",true],["Rea",true],["bas",true]]')
	history-export --format jsonl --roles tool --roles user | jq -sc 'map(.role)' | diff - <(echo '["user","tool"]')
	history-export --format jsonl --since 2026-03-05T09:00:02Z | jq -sc 'map(.seq)' | diff - <(echo '[2,3]')
	history-export --format jsonl --until 2026-03-05T09:00:02Z | jq -sc 'map(.seq)' | diff - <(echo '[1]')
	echo '{"format":"jsonl"}' | history-export | jq -sc length | diff - <(echo 3)
}

@test "a large session is the same by one thread and by several" {
	session_begin
	{
		sed -n 1p "$CTX_SESSION_FILE"
		# Calls by twos, whose results come the other way round; large ones among them.
		awk 'BEGIN {
			for (big = "z"; length(big) < 2000000; big = big big)
				;
			for (i = 1; i <= 2500; i++) {
				time = sprintf("2026-03-05T09:%02d:%02d.000Z", i / 60 % 60, i % 60)
				head = "{\"type\":\"message\",\"id\":\"e%d\",\"parentId\":%s,\"timestamp\":\"%s\",\"message\":"
				printf head, 3 * i, i == 1 ? "null" : "\"e" 3 * i - 1 "\"", time
				printf "{\"role\":\"assistant\",\"content\":[{\"type\":\"text\",\"text\":\"say %d\"}", i
				for (k = 1; k <= 2; k++)
					printf ",{\"type\":\"toolCall\",\"id\":\"c%d-%d\",\"name\":\"bash\",\"arguments\":{\"n\":%d}}", i, k, k
				print "]}}"
				for (k = 2; k >= 1; k--) {
					printf head, 3 * i + 3 - k, "\"e" (k == 2 ? 3 * i : 3 * i + 1) "\"", time
					printf "{\"role\":\"toolResult\",\"toolCallId\":\"c%d-%d\",\"content\":\"out %d.%d%s\"}}\n", i, k, i, k, i % 700 == 1 ? big : ""
				}
			}
		}'
	} >large
	mv large "$CTX_SESSION_FILE"
	history-export --format jsonl >several
	taskset -c "$(taskset -cp $$ | sed 's/.*: //; s/[-,].*//')" history-export --format jsonl >one
	cmp one several
	jq -c '[.seq, .text[0:20], .total_chars]' several | sed -n '1,3p;7498,$p' | diff - <(
		printf '%s\n' '[1,"say 1",5]' '[2,"bash {\"n\":1}\n--- out",2097187]' '[3,"bash {\"n\":2}\n--- out",2097187]' \
			'[12496,"say 2500",8]' '[12497,"bash {\"n\":1}\n--- out",38]' '[12498,"bash {\"n\":2}\n--- out",38]'
	)
	rc=0
	history-export --format jsonl >/dev/full 2>err || rc=$?
	[ $rc -eq 4 ] && grep -q 'standard output: No space left on device; [0-9]* events were written' err
}

@test "of many sessions: the latest first, each in order, shared events once" {
	local p=$HOME/.pi/agent/sessions
	example_session
	mkdir -p "$p/b"
	# A fork has the beginning of the other.
	sed '1s/4f2a90c1-7b1e-7d20-9a11-c0de00000001/fork-1/;3,$d' "$p"/*/*.jsonl >"$p/b/2026-03-06T09-00-00-000Z_fork-1.jsonl"
	printf '{"type":"message","id":"z9","parentId":"a1","timestamp":"2026-03-06T09:00:01.000Z","message":{"role":"user","content":"fork"}}\n' >>"$p/b/2026-03-06T09-00-00-000Z_fork-1.jsonl"
	echo nonsense >"$p/b/2026-03-06T09-00-00-000Z_bad-1.jsonl"
	run -0 --separate-stderr history-export '*' --format jsonl
	jq -c '[.session[0:7], .text[0:9]]' <<<"$output" | diff - <(
		printf '%s\n' '["pi:fork","Why does "]' '["pi:fork","fork"]' '["pi:4f2a","Reading."]' \
			'["pi:4f2a","read {\"pa"]' '["pi:4f2a","bash {\"co"]' '["pi:4f2a","The cap i"]'
	)
	[ "${stderr-}" = 'history-export: 1 unreadable session skipped' ]
	[ "$(history-export 'pi:*' --format jsonl --cwd /srv/shop | jq -s length)" = 6 ]
	run -0 history-export 'pi:*' --format jsonl --cwd /nowhere
	assert_output ''
}

@test "what is refused, before the first byte" {
	run -2 history-export '*'
	assert_output 'history-export: --session: a wildcard given with format markdown; legal: one session, or format jsonl'
	run -2 history-export pi:x --agents
	assert_output -p 'agents: legal only with a wildcard'
	run -2 history-export --format txt
	assert_output -p 'legal: one of markdown, html, jsonl'
	run -1 history-export pi:nonesuch
	assert_output -p 'error: unknown_session: '
	run -1 history-export <<<'{}'
	assert_output -p '"code":"no_session"'
	run -2 history-export <<<'{"max_chars_per_item":0}'
	assert_output -p 'max_chars_per_item: 0 given'
}

@test "without a session a person gets the latest of the directory" {
	example_session
	export CTX_CWD=/nowhere
	run -1 history-export --format markdown
	assert_output -p 'unknown_session'
	CTX_CWD=/srv/shop history-export --format markdown | grep -qx -- '- session: pi:4f2a90c1-7b1e-7d20-9a11-c0de00000001'
}

@test "what was skipped is said on stderr at the end; a stdout that fails is exit 4" {
	example 'Why?' 'Reading.' 'out'
	echo nonsense >>"$CTX_SESSION_FILE"
	run -0 --separate-stderr history-export --format jsonl
	[ "${stderr-}" = 'history-export: 1 malformed line skipped' ]
	rc=0
	history-export --format jsonl >/dev/full 2>err || rc=$?
	[ $rc -eq 4 ] && grep -qx 'history-export: standard output: No space left on device; 3 events were written' err
}

@test "HTML: one page, no script, no request, all of it escaped" {
	example '<script>alert(1)</script> & \"q\" \u0027 \u0000' '</pre><img src=x onerror=alert(1)>' '<b>\r\n'
	user '\nsecond question'
	history-export --format html >page
	run ! grep -qi '<script\|<img\|<link\|http://\|https://\|url(' page
	grep -qF "default-src 'none'; style-src 'unsafe-inline'" page
	grep -qF '<pre>&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;q&quot; &#39; \u0000</pre>' page
	grep -qF '<pre>&lt;/pre&gt;&lt;img src=x onerror=alert(1)&gt;</pre>' page
	grep -qF '<li><a href="#seq-5">second question</a></li>' page
	grep -qF '<section class="user" id="seq-5">' page
	grep -qF '<h2>bash · ok <time>2026-03-05 10:00:02 +0100</time></h2>' page
	[ "$(grep -c '<section' page)" -eq "$(grep -c '</section' page)" ]
}

@test "HTML in a real browser: every text as it was, no script run, no request made" {
	local browser text
	browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) ||
		skip 'no chromium'
	text='<script>document.title=\"owned\"</script><img src=\"http://127.0.0.1:9/x\" onerror=\"document.title=1\"> &amp; </pre></body> \u0027\"'
	example "$text" '<style>*{display:none}</style><iframe src=\"http://127.0.0.1:9/\"></iframe>' '</details><svg onload=alert(1)>'
	history-export --format html >page.html
	timeout 60 "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$PWD/profile" \
		--log-net-log="$PWD/net.json" --dump-dom "file://$PWD/page.html" >dom 2>browser.log ||
		skip "chromium does not run here: $(tail -n 1 browser.log)"
	# What the browser made of the page has the texts as text, and no element of theirs.
	perl -0777 -ne 'print join "\n", map { s/&lt;/</gr =~ s/&gt;/>/gr =~ s/&amp;/&/gr }
		m{<pre>(.*?)</pre>}gs' dom >texts
	grep -qF '<script>document.title="owned"</script><img src="http://127.0.0.1:9/x" onerror="document.title=1"> &amp; </pre></body> '"'"'"' texts
	grep -qF '<style>*{display:none}</style><iframe src="http://127.0.0.1:9/"></iframe>' texts
	grep -qF '</details><svg onload=alert(1)>' texts
	run ! grep -qiE '<(script|img|iframe|svg)' dom
	run ! grep -q 'owned</title>\|<title>1<' dom
	run ! grep -q '127.0.0.1:9' net.json
	# The log would have it.
	echo '<img src="http://127.0.0.1:9/x">' >control.html
	timeout 60 "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$PWD/profile" \
		--log-net-log="$PWD/control.json" --dump-dom "file://$PWD/control.html" >/dev/null 2>&1
	grep -q '127.0.0.1:9' control.json
}
