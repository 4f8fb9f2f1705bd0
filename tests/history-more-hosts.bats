#!/usr/bin/env bats
# Copilot CLI, Qwen Code and Gemini CLI through the programs
# (spec/more-hosts.md section 2).

# JSON of Gemini's has $set and $rewindTo in it.
# shellcheck disable=SC2016

load common
load history

setup() {
	common_setup
	unset CTX_SESSION CTX_SESSION_FILE
	export COPILOT_HOME=$PWD/copilot QWEN_HOME=$PWD/qwen GEMINI_CLI_HOME=$PWD/gemini
	GEMINI=$PWD/gemini/.gemini/tmp
}

# copilot_session <id> <text> [<time>]
copilot_session() {
	mkdir -p "copilot/session-state/$1"
	cat >"copilot/session-state/$1/events.jsonl" <<END
{"type":"session.start","id":"0","timestamp":"${3:-2026-03-01T09:00:00Z}","data":{"context":{"cwd":"/srv/copilot"}}}
{"type":"user.message","id":"1","parentId":"0","timestamp":"${3:-2026-03-01T09:00:00Z}","data":{"content":"$2"}}
END
}

# qwen_session <id> <text> [<time>]
qwen_session() {
	mkdir -p qwen/projects/-srv-qwen/chats
	cat >"qwen/projects/-srv-qwen/chats/$1.jsonl" <<END
{"uuid":"1","parentUuid":null,"sessionId":"x","timestamp":"${3:-2026-03-02T09:00:00Z}","type":"user","cwd":"/srv/qwen","message":{"role":"user","parts":[{"text":"$2"}]}}
END
}

# gemini_session <file> <id> <text> [<time>]
gemini_session() {
	mkdir -p "$GEMINI/p/chats"
	cat >"$GEMINI/p/chats/$1.jsonl" <<END
{"sessionId":"$2","projectHash":"h","startTime":"2026-03-03T09:00:00Z","lastUpdated":"2026-03-03T09:00:00Z","kind":"main"}
{"id":"a","timestamp":"2026-03-03T09:00:01Z","type":"user","content":[{"text":"$3"}]}
{"\$set":{"lastUpdated":"${4:-2026-03-03T09:00:00Z}"}}
END
}

# sessions <argument>...: those that a list names, in order.
sessions() {
	history-list -j --session "$@" | jq -r '.events[].session' | uniq | paste -sd' '
}

@test "2.1: each is selected by its name, all by the wildcard, in order of recency" {
	copilot_session 0a1b-2c one
	qwen_session 1a1b-2c two
	gemini_session session-2026-03-03T09-00-2a1b2c2d 2a1b2c2d-x three
	[ "$(sessions copilot:0a1b-2c)" = copilot:0a1b-2c ]
	[ "$(sessions qwen:1a1b)" = qwen:1a1b-2c ]
	[ "$(sessions 2a1b)" = gemini:2a1b2c2d-x ]
	[ "$(sessions '*')" = 'gemini:2a1b2c2d-x qwen:1a1b-2c copilot:0a1b-2c' ]
	[ "$(sessions 'qwen:*')" = qwen:1a1b-2c ]
	[ "$(sessions 'copilot:*')" = copilot:0a1b-2c ]
	[ "$(sessions 'gemini:*')" = gemini:2a1b2c2d-x ]
	[ "$(sessions '*' --query THREE)" = gemini:2a1b2c2d-x ]
}

@test "2.2: the roots, below the home directory and by variable" {
	copilot_session c1 one
	qwen_session q1 two
	gemini_session session-2026-03-03T09-00-g1 g1 three
	mkdir person
	mv copilot person/.copilot
	mv qwen person/.qwen
	mv gemini/.gemini person/.gemini
	unset COPILOT_HOME QWEN_HOME GEMINI_CLI_HOME
	[ "$(HOME=$PWD/person sessions '*')" = 'gemini:g1 qwen:q1 copilot:c1' ]
	mkdir other
	mv person/.qwen/projects other/projects
	[ "$(HOME=$PWD/person QWEN_RUNTIME_DIR=$PWD/other QWEN_HOME=/nowhere sessions 'qwen:*')" = qwen:q1 ]
}

@test "2.2: files of other names, and at other depths, are not sessions" {
	copilot_session c1 one
	mkdir -p copilot/session-state/c1/sub
	cp copilot/session-state/c1/events.jsonl copilot/session-state/c1/sub/events.jsonl
	cp copilot/session-state/c1/events.jsonl copilot/session-state/events.jsonl
	cp copilot/session-state/c1/events.jsonl copilot/session-state/c1/events.jsonl.unreadable-1
	qwen_session q1 two
	mkdir -p qwen/projects/-srv-qwen/subagents/q1
	cp qwen/projects/-srv-qwen/chats/q1.jsonl qwen/projects/-srv-qwen/subagents/q1/agent-x.jsonl
	cp qwen/projects/-srv-qwen/chats/q1.jsonl qwen/projects/-srv-qwen/top.jsonl
	gemini_session session-2026-03-03T09-00-g1 g1 three
	gemini_session other g2 four
	gemini_session session-2026-03-03T09-00-g3 g3 five
	mv "$GEMINI/p/chats/session-2026-03-03T09-00-g3.jsonl" "$GEMINI/p/chats/session-2026-03-03T09-00-g3.json"
	[ "$(sessions '*')" = 'gemini:g1 qwen:q1 copilot:c1' ]
}

@test "2.2: of two files of Gemini's with one id the larger stands, older or not" {
	gemini_session session-2026-03-03T09-20-2a1b2c2d 2a1b2c2d-x 'the whole of it'
	printf '%s\n' '{"sessionId":"2a1b2c2d-x","projectHash":"h"}' '{"$set":{"lastUpdated":"2026-03-04T09:00:00Z"}}' \
		>"$GEMINI/p/chats/session-2026-03-03T09-45-2a1b2c2d.jsonl"
	touch -d 2020-01-01 "$GEMINI/p/chats/session-2026-03-03T09-20-2a1b2c2d.jsonl"
	[ "$(history-list -j --session 2a1b | jq -r '.events[].content')" = 'the whole of it' ]
	[ "$(history-list -j --session '*' --query whole | jq '.events | length')" = 1 ]
}

@test "2.2: one id is looked for in files of Gemini's whose names may have it" {
	gemini_session session-2026-03-03T09-20-2a1b2c2d 2a1b2c2d-x 'by its name'
	# Would stand for the session, were it opened: it is larger.
	gemini_session session-2026-03-03T09-30-99999999 2a1b2c2d-x 'by a name that cannot be its, and more of it'
	said() {
		history-list -j --session "$1" | jq -r '.events[].content'
	}
	for id in 2a1b2c2d-x 2a1b2c2d 2A1B 2a1b2c2d-X gemini:2a1b2c2d-x; do
		[ "$(said $id)" = 'by its name' ] || fail "$id"
	done
	run -1 history-list --session gemini:9999
	CTX_SESSION=gemini:2a1b2c2d-x history-list -j | jq -e '.events[0].content == "by its name"'
	# A name of another form tells nothing, and is looked into.
	gemini_session session-mine 2a1b2c2d-x 'by a name that a person gave it, which may be any'
	[ "$(said 2a1b2c2d-x)" = 'by a name that a person gave it, which may be any' ]
	# A list opens all.
	[ "$(sessions '*')" = gemini:2a1b2c2d-x ]
}

@test "2.2: a host that is not installed costs one failed open" {
	local host
	# opens <selector>: how many files and directories a call tries to open.
	opens() {
		: >opened
		FAULT=open:0:run,openat2:0:run FAULT_RUN='echo >>opened' LD_PRELOAD=${CTX_BUILD:-$ROOT/build}/fault/inject.so \
			history-list -j --session "$1" >listed
		[ "$(jq '.events | length' listed)" = 0 ] || fail "$(<listed)"
		wc -l <opened
	}
	export PI_CODING_AGENT_SESSION_DIR=/nowhere CLAUDE_CONFIG_DIR=/nowhere CODEX_HOME=/nowhere
	for host in pi claude codex copilot qwen gemini; do
		[ "$(opens "$host:*")" -eq $(($(opens '*') - 5)) ] || fail "$host: $(opens "$host:*") of $(opens '*')"
	done
	# One that is there, and empty, costs more: the count is of what it says.
	mkdir -p "$GEMINI"
	[ "$(opens 'gemini:*')" -gt "$(opens 'qwen:*')" ]
}

@test "2.2: sub-agents of Gemini's are sessions by their full id only" {
	gemini_session session-2026-03-03T09-00-2a1b2c2d 2a1b2c2d-x parent
	mkdir "$GEMINI/p/chats/2a1b2c2d-x"
	sed 's/2a1b2c2d-x/sub-agent-1/; s/"main"/"subagent"/; s/parent/child/' \
		"$GEMINI/p/chats/session-2026-03-03T09-00-2a1b2c2d.jsonl" >"$GEMINI/p/chats/2a1b2c2d-x/sub-agent-1.jsonl"
	# A file of a session's name may be one, too.
	sed 's/sub-agent-1/sub-agent-2/' "$GEMINI/p/chats/2a1b2c2d-x/sub-agent-1.jsonl" \
		>"$GEMINI/p/chats/session-2026-03-03T09-00-sub.jsonl"
	[ "$(sessions '*')" = gemini:2a1b2c2d-x ]
	[ "$(sessions sub-agent-1)" = gemini:sub-agent-1 ]
	[ "$(sessions sub-agent-2)" = gemini:sub-agent-2 ]
	run -1 history-list --session sub-agent
	[ "$(CTX_SESSION=gemini:sub-agent-1 history-list -j | jq -r '.events[].content')" = child ]
	[ "$(sessions '*' --agents | tr ' ' '\n' | sort | paste -sd' ')" = \
		'gemini:2a1b2c2d-x gemini:sub-agent-1 gemini:sub-agent-2' ]
}

@test "2.2: Gemini's recency is that of lastUpdated, too" {
	gemini_session session-2026-03-03T09-00-g1 g1 one 2026-05-01T00:00:00Z
	gemini_session session-2026-03-03T09-00-g2 g2 two 2026-06-01T00:00:00Z
	gemini_session session-2026-03-03T09-00-g3 g3 three 2026-04-01T00:00:00Z
	[ "$(sessions '*')" = 'gemini:g2 gemini:g1 gemini:g3' ]
}

@test "2.1: CTX_SESSION_FILE alone tells the session" {
	copilot_session c1 one
	qwen_session q1 two
	gemini_session session-2026-03-03T09-00-g1 g1 three
	for file in copilot/session-state/c1/events.jsonl qwen/projects/-srv-qwen/chats/q1.jsonl \
		"$GEMINI"/p/chats/*.jsonl; do
		CTX_SESSION_FILE=$file CTX_SESSION='' history-read -j 1 | jq -r .text
		CTX_SESSION_FILE=$file context-boot | sed -n 's/^Current context window id: //p'
	done >got
	diff -u - got <<'END'
one
copilot:c1:0
two
qwen:q1:0
three
gemini:g1:0
END
}

@test "2.4: the directories of Copilot's and Qwen's" {
	copilot_session c1 one
	qwen_session q1 two
	[ "$(sessions '*' --cwd /srv/copilot)" = copilot:c1 ]
	[ "$(sessions '*' --cwd /srv/qwen)" = qwen:q1 ]
	[ "$(sessions '*' --cwd /srv)" = 'qwen:q1 copilot:c1' ]
	(CTX_CWD=/srv/qwen sessions . >here)
	[ "$(cat here)" = qwen:q1 ]
}

@test "2.5: what a fork of Copilot's or Qwen's copies is found once, in the most recent one" {
	copilot_session 0a1b-2c kestrel
	copilot_session 0a1b-2d kestrel 2026-03-01T10:00:00Z
	qwen_session 1a1b-2c kestrel
	qwen_session 1a1b-2d kestrel 2026-03-02T10:00:00Z
	[ "$(sessions '*' --query kestrel)" = 'qwen:1a1b-2d copilot:0a1b-2d' ]
	# Other records are other events, whatever they say.
	sed -i 's/"uuid":"1"/"uuid":"2"/; s/"id":"1"/"id":"2"/' \
		qwen/projects/-srv-qwen/chats/1a1b-2c.jsonl copilot/session-state/0a1b-2c/events.jsonl
	[ "$(sessions '*' --query kestrel)" = 'qwen:1a1b-2d qwen:1a1b-2c copilot:0a1b-2d copilot:0a1b-2c' ]
}

@test "2.5: an answer of Gemini's and its calls, told of in one line, are each found" {
	gemini_session session-2026-03-03T09-00-2a1b2c2d 2a1b2c2d-x kestrel
	cat >>"$GEMINI/p/chats/session-2026-03-03T09-00-2a1b2c2d.jsonl" <<'END'
{"id":"b","type":"gemini","content":"kestrel"}
{"id":"b","type":"gemini","content":"kestrel","toolCalls":[{"id":"c","name":"kestrel"},{"id":"d","name":"kestrel"}]}
END
	[ "$(history-list -j --session '*' --query kestrel | jq -c '[.events[].seq] | sort')" = '[1,2,3,4]' ]
}

@test "7.1: windows begin where a compaction succeeded" {
	copilot_session c1 one
	cat >>copilot/session-state/c1/events.jsonl <<'END'
{"type":"session.compaction_complete","id":"2","data":{"success":false,"summaryContent":""}}
{"type":"session.compaction_complete","id":"3","data":{"success":true,"summaryContent":"sum"}}
{"type":"session.context_cleared","id":"4","data":{}}
END
	CTX_SESSION=copilot:c1 context-boot >boot
	grep -qxF 'Current context window id: copilot:c1:2' boot
	qwen_session q1 two
	cat >>qwen/projects/-srv-qwen/chats/q1.jsonl <<'END'
{"uuid":"2","parentUuid":"1","type":"system","subtype":"chat_compression","systemPayload":{"compressedHistory":[{"role":"user","parts":[{"text":"sum"}]}]}}
END
	CTX_SESSION=qwen:q1 context-boot >boot
	grep -qxF 'Current context window id: qwen:q1:1' boot
}

@test "2.4: Gemini's directory is its own, else that of .project_root" {
	gemini_session session-2026-03-03T09-00-g1 g1 one
	[ -z "$(sessions '*' --cwd /srv/gemini)" ]
	printf '  /srv/gemini/x\n\n' >"$GEMINI/p/.project_root"
	[ "$(sessions '*' --cwd /srv/gemini)" = gemini:g1 ]
	[ "$(history-sessions -j | jq -r '.sessions[].cwd')" = /srv/gemini/x ]
	sed -i '1s/"kind"/"directories":[7,"\/srv\/own"],"kind"/' "$GEMINI"/p/chats/*.jsonl
	[ "$(sessions '*' --cwd /srv/own)" = gemini:g1 ]
	[ -z "$(sessions '*' --cwd /srv/gemini)" ]
}

@test "9: a .project_root that is none" {
	gemini_session session-2026-03-03T09-00-g1 g1 one
	local root=$GEMINI/p/.project_root
	none() {
		[ "$(timeout 10 history-sessions -j | jq -r '.sessions[].cwd')" = null ]
	}
	mkfifo "$root"
	none
	rm "$root"
	mkdir "$root"
	none
	rmdir "$root"
	echo /srv/gemini >"$GEMINI/p/elsewhere"
	ln -s elsewhere "$root"
	none
	rm "$root"
	echo relative >"$root"
	none
	echo '/srv/gemini' >"$root"
	truncate -s 1G "$root"
	none
}

@test "titles: the names that were given, and the commands that go on" {
	copilot_session c1 'what was asked'
	qwen_session q1 'what was asked'
	gemini_session session-2026-03-03T09-00-g1 g1 'what was asked'
	echo /srv/gemini >"$GEMINI/p/.project_root"
	[ "$(history-sessions -j | jq -r '.sessions[].title' | sort -u)" = 'what was asked' ]
	history-sessions -j | jq -r '.sessions[].resume' >got
	diff -u - got <<'END'
cd /srv/gemini && gemini --resume g1
cd /srv/qwen && qwen --resume q1
cd /srv/copilot && copilot --resume c1
END
	echo '{"$set":{"summary":"gemini'\''s"}}' >>"$GEMINI/p/chats/session-2026-03-03T09-00-g1.jsonl"
	echo '{"uuid":"9","type":"system","subtype":"custom_title","systemPayload":{"customTitle":"qwen'\''s"}}' \
		>>qwen/projects/-srv-qwen/chats/q1.jsonl
	named() {
		printf '%s\n' 'id: c1' "$1" 'other: x' >copilot/session-state/c1/workspace.yaml
		history-sessions -j --session copilot:c1 | jq -r '.sessions[].title'
	}
	[ "$(named "name: copilot's own")" = "copilot's own" ]
	[ "$(named "name: 'it''s'  ")" = "it's" ]
	[ "$(named 'name: "a\u0041\"b"')" = 'aA"b' ]
	[ "$(named 'name: |')" = 'what was asked' ]
	[ "$(named "name: 'open")" = 'what was asked' ]
	[ "$(named 'name: "a\x"')" = 'what was asked' ]
	[ "$(named 'name:')" = 'what was asked' ]
	[ "$(named 'summary: x')" = 'what was asked' ]
	rm copilot/session-state/c1/workspace.yaml
	mkfifo copilot/session-state/c1/workspace.yaml
	[ "$(timeout 10 history-sessions -j --session copilot:c1 | jq -r '.sessions[].title')" = 'what was asked' ]
	history-sessions -j | jq -r '.sessions[].title' >got
	diff -u - got <<'END'
gemini's
qwen's
what was asked
END
}

@test "2.2: Copilot does not follow XDG_*" {
	copilot_session c1 one
	mkdir person
	mv copilot person/.copilot
	unset COPILOT_HOME
	[ "$(HOME=$PWD/person XDG_CONFIG_HOME=/nowhere XDG_STATE_HOME=/nowhere XDG_DATA_HOME=/nowhere sessions '*')" = copilot:c1 ]
}

@test "2.2: of two files of Gemini's that are as large the greater path stands" {
	gemini_session session-2026-03-03T09-20-2a1b2c2d 2a1b2c2d-x aaa
	gemini_session session-2026-03-03T09-10-2a1b2c2d 2a1b2c2d-x bbb
	touch -d 2020-01-01 "$GEMINI/p/chats/session-2026-03-03T09-20-2a1b2c2d.jsonl"
	[ "$(history-list -j --session 2a1b | jq -r '.events[].content')" = aaa ]
	[ "$(history-list -j --session '*' | jq -r '.events[].content')" = aaa ]
}

@test "2.2: Gemini's recency is found behind a \$set of a megabyte" {
	gemini_session session-2026-03-03T09-00-g1 g1 one 2026-05-01T00:00:00Z
	gemini_session session-2026-03-03T09-00-g2 g2 two 2026-04-01T00:00:00Z
	{
		printf '{"$set":{"messages":[{"id":"a","type":"user","content":"'
		head -c 1000000 /dev/zero | tr '\0' x
		printf '"}],"lastUpdated":"2026-06-01T00:00:00Z"}}\n'
	} >>"$GEMINI/p/chats/session-2026-03-03T09-00-g2.jsonl"
	touch -d 2020-01-01 "$GEMINI"/p/chats/*
	[ "$(sessions '*')" = 'gemini:g2 gemini:g1' ]
	[ "$(history-sessions -j | jq -r '.sessions[0].updated_at')" = 2026-06-01T00:00:00.000Z ]
}

@test "2.4: Copilot's directory is that of its first record, Qwen's of the first that has one" {
	copilot_session c1 one
	echo '{"type":"session.context_changed","id":"2","data":{"context":{"cwd":"/srv/later"}}}' >>copilot/session-state/c1/events.jsonl
	[ "$(history-sessions -j --session 'copilot:*' | jq -r '.sessions[].cwd')" = /srv/copilot ]
	qwen_session q1 two
	sed -i 's/"cwd":"[^"]*"/"cwd":7/' qwen/projects/-srv-qwen/chats/q1.jsonl
	for dir in /srv/first /srv/second; do
		echo '{"uuid":"'$dir'","parentUuid":"1","type":"user","cwd":"'$dir'","message":{"parts":[]}}' >>qwen/projects/-srv-qwen/chats/q1.jsonl
	done
	[ "$(history-sessions -j --session 'qwen:*' | jq -r '.sessions[].cwd')" = /srv/first ]
}

@test "5: what is none of the host's transcripts is said so" {
	copilot_session c1 one
	qwen_session q1 two
	gemini_session session-2026-03-03T09-00-2a1b2c2d 2a1b2c2d-x three
	cp copilot/session-state/c1/events.jsonl qwen/projects/-srv-qwen/chats/q2.jsonl
	mkdir copilot/session-state/c2
	cp qwen/projects/-srv-qwen/chats/q1.jsonl copilot/session-state/c2/events.jsonl
	for session in qwen:q2 copilot:c2; do
		run -1 --separate-stderr history-list -j --session $session
		[ "$(jq -r .error <<<"$output")" = "$session cannot be read: not a ${session%:*} transcript" ]
	done
	CTX_SESSION=gemini:x CTX_SESSION_FILE=$PWD/copilot/session-state/c1/events.jsonl run -1 --separate-stderr history-list -j
	[ "$(jq -r .error <<<"$output")" = 'gemini:x cannot be read: not a gemini transcript' ]
	# A transcript that is gone between two calls is unknown.
	[ "$(sessions 2a1b2c2d-x)" = gemini:2a1b2c2d-x ]
	rm "$GEMINI"/p/chats/*
	run -1 --separate-stderr history-list -j --session 2a1b2c2d-x
	[ "$(jq -r .code <<<"$output")" = unknown_session ]
}

@test "7.1: a compaction of Gemini's begins a window; one of Qwen's off the branch does not" {
	gemini_session session-2026-03-03T09-00-g1 g1 one
	cat >>"$GEMINI/p/chats/session-2026-03-03T09-00-g1.jsonl" <<'END'
{"$set":{"messages":[{"id":"s","type":"user","content":"sum"},{"id":"t","type":"gemini","content":"Got it. Thanks for the additional context!"}]}}
{"$set":{"messages":[{"id":"u","type":"user","content":"more"}]}}
END
	CTX_SESSION=gemini:g1 context-boot >boot
	grep -qxF 'Current context window id: gemini:g1:1' boot
	qwen_session q1 two
	cat >>qwen/projects/-srv-qwen/chats/q1.jsonl <<'END'
{"uuid":"2","parentUuid":"1","type":"system","subtype":"chat_compression","systemPayload":{"compressedHistory":[]}}
{"uuid":"3","parentUuid":"1","type":"user","message":{"parts":[{"text":"again"}]}}
END
	CTX_SESSION=qwen:q1 context-boot >boot
	grep -qxF 'Current context window id: qwen:q1:0' boot
}

@test "titles: the last one that is a text, and the size of events.jsonl alone" {
	gemini_session session-2026-03-03T09-00-g1 g1 one
	printf '%s\n' '{"$set":{"summary":"first"}}' '{"$set":{"summary":"second"}}' '{"$set":{"summary":7}}' '{"$set":{}}' \
		>>"$GEMINI/p/chats/session-2026-03-03T09-00-g1.jsonl"
	[ "$(history-sessions -j | jq -r '.sessions[].title')" = second ]
	copilot_session c1 'what was asked'
	head -c 5000 /dev/zero >copilot/session-state/c1/other
	[ "$(history-sessions -j --session copilot:c1 | jq '.sessions[].bytes')" = "$(stat -c %s copilot/session-state/c1/events.jsonl)" ]
}

@test "9: a workspace.yaml that is none" {
	copilot_session c1 'what was asked'
	local file=copilot/session-state/c1/workspace.yaml
	none() {
		[ "$(timeout 10 history-sessions -j | jq -r '.sessions[].title')" = 'what was asked' ]
	}
	none
	mkdir "$file"
	none
	rmdir "$file"
	echo 'name: elsewhere' >named
	ln -s "$PWD/named" "$file"
	none
	rm "$file"
	echo 'name: huge' >"$file"
	truncate -s 1G "$file"
	none
	echo 'name: small' >"$file"
	[ "$(history-sessions -j | jq -r '.sessions[].title')" = small ]
}

@test "2.1: a bare id, or the start of one, is looked for over all hosts" {
	copilot_session 0a1b-2c one
	qwen_session 1a1b-2c two
	gemini_session session-2026-03-03T09-00-2a1b2c2d 2a1b2c2d-x three
	[ "$(sessions 0a1b-2c)" = copilot:0a1b-2c ]
	[ "$(sessions 1A1B)" = qwen:1a1b-2c ]
	[ "$(sessions 2a1b2c2d-x)" = gemini:2a1b2c2d-x ]
	qwen_session 0a1b-2d four
	run -1 --separate-stderr history-list -j --session 0a1b
	[ "$(jq -r .code <<<"$output")" = ambiguous_session ]
}

@test "2.2: copies under another name are not sessions; a sub-agent of Qwen's is none by its id either" {
	local chats=$GEMINI/p/chats
	qwen_session q1 two
	gemini_session session-2026-03-03T09-00-g1 g1 three
	for end in unreadable-17 tmp-12; do
		cp qwen/projects/-srv-qwen/chats/q1.jsonl "qwen/projects/-srv-qwen/chats/q2.jsonl.$end"
		sed 's/"g1"/"g2"/' "$chats/session-2026-03-03T09-00-g1.jsonl" >"$chats/session-2026-03-03T09-00-g2.jsonl.$end"
	done
	mkdir -p qwen/projects/-srv-qwen/subagents/q1
	cp qwen/projects/-srv-qwen/chats/q1.jsonl qwen/projects/-srv-qwen/subagents/q1/agent-x.jsonl
	[ "$(sessions '*' --agents)" = 'gemini:g1 qwen:q1' ]
	run -1 history-list --session qwen:agent-x
}

@test "2.2: Gemini's recency is that of its header and of its messages, too" {
	gemini_session session-2026-03-03T09-00-g1 g1 one
	gemini_session session-2026-03-03T09-00-g2 g2 two
	gemini_session session-2026-03-03T09-00-g3 g3 three
	sed -i '1s/"lastUpdated":"[^"]*"/"lastUpdated":"2026-05-01T00:00:00Z"/' "$GEMINI/p/chats/session-2026-03-03T09-00-g2.jsonl"
	sed -i '2s/"timestamp":"[^"]*"/"timestamp":"2026-04-01T00:00:00Z"/' "$GEMINI/p/chats/session-2026-03-03T09-00-g3.jsonl"
	[ "$(sessions '*')" = 'gemini:g2 gemini:g3 gemini:g1' ]
}

@test "2.4: a file of Gemini's outside such a tree has no directory but its own" {
	gemini_session session-2026-03-03T09-00-g1 g1 one
	echo /srv/gemini >"$GEMINI/p/.project_root"
	mkdir -p away/p
	mv "$GEMINI/p/chats/session-2026-03-03T09-00-g1.jsonl" away/p/mine.jsonl
	export CTX_SESSION_FILE=$PWD/away/p/mine.jsonl
	[ "$(history-sessions -j | jq -c '[.sessions[] | [.session, .cwd]]')" = '[["gemini:g1",null]]' ]
	sed -i '1s/"kind"/"directories":["\/srv\/own"],"kind"/' away/p/mine.jsonl
	[ "$(history-sessions -j | jq -c '[.sessions[] | [.session, .cwd]]')" = '[["gemini:g1","/srv/own"]]' ]
}

@test "3.4: what was cut is named by its path, when the file is there" {
	local path=$PWD/whole.txt cut
	# cut_by <host> <text>: a session with that result.
	copilot_cut() {
		copilot_session c1 one
		printf '{"type":"tool.execution_complete","id":"2","data":{"toolTelemetry":{"properties":{"largeOutputHandled":"true"}},"result":{"content":"Output too large to read at once (3 MB). Saved to: %s\\nx"}}}\n' "$1" \
			>>copilot/session-state/c1/events.jsonl
	}
	qwen_cut() {
		qwen_session c1 one
		printf '{"uuid":"2","parentUuid":"1","type":"tool_result","message":{"parts":[{"functionResponse":{"response":{"output":"Tool output was too large and has been truncated.\\nThe full output has been saved to: %s\\nx"}}}]}}\n' "$1" \
			>>qwen/projects/-srv-qwen/chats/c1.jsonl
	}
	gemini_cut() {
		gemini_session session-2026-03-03T09-00-c1 c1 one
		printf '{"id":"b","type":"gemini","content":"","toolCalls":[{"id":"t","status":"success","result":[{"functionResponse":{"id":"t","response":{"output":"Output too large. Showing first 1 and last 2 characters. For full output see: %s\\nx"}}}]}]}\n' "$1" \
			>>"$GEMINI/p/chats/session-2026-03-03T09-00-c1.jsonl"
	}
	named() {
		"$1_cut" "$2"
		history-read -j --session "$1:c1" "$3" | jq -c '[.output_truncated, .full_output_path]'
	}
	for cut in 'copilot 2' 'qwen 2' 'gemini 3'; do
		rm -f "$path"
		[ "$(named "${cut% *}" "$path" "${cut#* }")" = '[true,null]' ] || fail "$cut: gone"
		echo x >"$path"
		[ "$(named "${cut% *}" "$path" "${cut#* }")" = "[true,\"$path\"]" ] || fail "$cut: there"
		[ "$(named "${cut% *}" whole.txt "${cut#* }")" = '[true,null]' ] || fail "$cut: relative"
	done
}

@test "9: a .project_root of 4,096 bytes is read, one of more is none" {
	gemini_session session-2026-03-03T09-00-g1 g1 one
	{
		printf /srv/gemini
		head -c 4085 /dev/zero | tr '\0' '\n'
	} >"$GEMINI/p/.project_root"
	[ "$(stat -c %s "$GEMINI/p/.project_root")" -eq 4096 ]
	[ "$(history-sessions -j | jq -r '.sessions[].cwd')" = /srv/gemini ]
	echo >>"$GEMINI/p/.project_root"
	[ "$(history-sessions -j | jq -r '.sessions[].cwd')" = null ]
	: >"$GEMINI/p/.project_root"
	[ "$(history-sessions -j | jq -r '.sessions[].cwd')" = null ]
}

@test "10: what a line of Gemini's says that is not its message's last is not found" {
	gemini_session session-2026-03-03T09-00-g1 g1 one
	printf '%s\n' '{"id":"b","type":"gemini","content":"kestrel"}' '{"id":"b","type":"gemini","content":"heron"}' \
		>>"$GEMINI/p/chats/session-2026-03-03T09-00-g1.jsonl"
	for off in '' 1; do
		[ -z "$(CTX_NO_PREFILTER=$off sessions '*' --query kestrel)" ]
		[ "$(CTX_NO_PREFILTER=$off sessions '*' --query heron)" = gemini:g1 ]
	done
}

# ---- items of context windows (spec/context.md section 4) ---------------------

# A marker as our own bootstrap leaves it in a summary, JSON-escaped.
MARKER='<context_window_reset/>\n\nCurrent context window id: w5'

copilot_items() {
	mkdir -p copilot/session-state/c1
	cat >copilot/session-state/c1/events.jsonl <<END
{"type":"session.start","id":"i0","timestamp":"2026-03-01T09:00:00Z","data":{}}
{"type":"user.message","id":"i1","timestamp":"2026-03-01T09:00:01Z","data":{"content":"look","attachments":[{"mimeType":"image/png"}]}}
{"type":"assistant.message","id":"i2","timestamp":"2026-03-01T09:00:02Z","data":{"content":"","toolRequests":[{"toolCallId":"t1","name":"bash","arguments":{"command":"ls", "n":1.50}},{"toolCallId":"t2","name":"notes_read_file","arguments":{}}]}}
{"type":"tool.execution_start","id":"i3","data":{"toolCallId":"t1"}}
{"type":"tool.execution_complete","id":"i4","data":{"toolCallId":"t2","success":true,"result":{"content":""}}}
{"type":"tool.execution_complete","id":"i5","data":{"toolCallId":"t1","success":true,"result":{"content":"a\nb"}}}
{"type":"assistant.message","id":"i6","data":{"content":" \n"}}
{"type":"system.notification","id":"i7","data":{"content":"noted"}}
{"type":"user.message","id":"i8","data":{"content":"<context_window_reminder source_context_window_id=\"w1\">"}}
{"type":"session.compaction_complete","id":"i9","data":{"success":false,"summaryContent":""}}
{"type":"session.compaction_complete","id":"i10","data":{"success":true,"summaryContent":"$MARKER"}}
{"type":"assistant.message","id":"i 11","data":{"content":"on"}}
{"type":"session.context_cleared","id":"i12","data":{}}
END
	export CTX_SESSION=copilot:c1
}

qwen_items() {
	mkdir -p qwen/projects/-srv-qwen/chats
	cat >qwen/projects/-srv-qwen/chats/q1.jsonl <<END
{"uuid":"q1","parentUuid":null,"sessionId":"q1","timestamp":"2026-03-02T09:00:00Z","type":"user","cwd":"/srv","message":{"role":"user","parts":[{"text":"look"},{"inlineData":{"mimeType":"image/png","data":"xx"}}]}}
{"uuid":"q2","parentUuid":"q1","type":"assistant","message":{"role":"model","parts":[{"text":"hm","thought":true},{"text":"Reading."},{"functionCall":{"id":"t1","name":"read_file","args":{"path":"a"}}}]}}
{"uuid":"q3","parentUuid":"q2","type":"tool_result","message":{"role":"user","parts":[{"functionResponse":{"id":"t1","name":"other","response":{"output":"body"}}},{"functionResponse":{"id":"t9","name":"notes_write_file","response":{"output":""}}}]}}
{"uuid":"x","parentUuid":"q1","type":"user","message":{"role":"user","parts":[{"text":"abandoned"}]}}
{"uuid":"q4","parentUuid":"q3","type":"system","subtype":"chat_compression","systemPayload":{"compressedHistory":[{"role":"user","parts":[{"text":"$MARKER"}]}]}}
{"uuid":"q5","parentUuid":"q4","type":"assistant","message":{"role":"model","parts":[{"text":"thought","thought":true}]}}
{"uuid":"q6","parentUuid":"q5","type":"user","subtype":"notification","message":{"role":"user","parts":[{"text":"noted"}]}}
END
	export CTX_SESSION=qwen:q1
}

gemini_items() {
	mkdir -p "$GEMINI/p/chats"
	cat >"$GEMINI/p/chats/session-2026-03-03T09-00-g1.jsonl" <<END
{"sessionId":"g1","projectHash":"h","kind":"main"}
{"id":"a","timestamp":"2026-03-03T09:00:01Z","type":"user","content":[{"text":"look"}]}
{"id":"b","timestamp":"2026-03-03T09:00:02Z","type":"gemini","content":"Reading."}
{"id":"b","timestamp":"2026-03-03T09:00:03Z","type":"gemini","content":"Reading.","toolCalls":[{"id":"t1","name":"read_file","args":{"path":"a"},"timestamp":"2026-03-03T09:00:04Z","status":"success","result":[{"functionResponse":{"id":"t1","name":"read_file","response":{"output":"body"}}}]},{"id":"t2","name":"notes_read_file","args":{},"status":"success","result":[{"functionResponse":{"id":"t2","response":{"output":""}}}]}]}
{"id":"c","type":"user","content":[{"functionResponse":{"id":"t1"}}]}
{"id":"d","type":"gemini","content":""}
{"\$set":{"lastUpdated":"2026-03-03T09:10:00Z","messages":[{"id":"s","type":"user","content":[{"text":"$MARKER"}]},{"id":"e","type":"gemini","content":"Got it. Thanks for the additional context!"}]}}
{"id":"f","timestamp":"2026-03-03T09:11:00Z","type":"user","content":[{"text":"<context_window>\nx"}]}
END
	export CTX_SESSION=gemini:g1
}

# listed: the items, a row each.
listed() {
	history-list-items -j | jq -c '.items[] | [.window_id, .item_id, .role, .tool_namespace, .tool_name, .created_at, .truncated_content]'
}

@test "4.2: items of Copilot's" {
	copilot_items
	listed >got
	diff -u - got <<-'END'
		["w1","i1","user",null,null,"2026-03-01T09:00:01Z","look\n[image image/png]"]
		["w1","i2","assistant","functions","bash","2026-03-01T09:00:02Z","[tool_call bash] {\"command\":\"ls\",\"n\":1.50}\n[tool_call notes_read_file] {}"]
		["w1","i4","tool","notes","notes_read_file",null,"[empty tool result]"]
		["w1","i5","tool","functions","bash",null,"a\nb"]
		["w1","i7","developer",null,null,null,"noted"]
		["w1","i8","developer",null,null,null,"<context_window_reminder source_context_window_id=\"w1\">"]
		["w5","i10","system",null,null,null,"<context_window_reset/>\n\nCurrent context window id: w5"]
		["w5","line-12","assistant",null,null,null,"on"]
	END
	[ "$(history-list-windows -j)" = '{"agent_name":"/root","windows":[{"window_id":"w1","item_count":6},{"window_id":"w5","item_count":2},{"window_id":"w6","item_count":0}],"has_more":false}' ]
	[ "$(history-list-items -j --tool-name read_file | jq -c '[.items[].item_id]')" = '["i2","i4"]' ]
	[ "$(history-read-item -j --window-id w1 --item-id i5 | jq -r .content)" = $'a\nb' ]
	run -1 history-read-item -j --window-id w5 --item-id i5
	[ "$(history-search-contents -j 'ls' | jq -c '[.items[] | [.item_id,.match_offset_chars]]')" = '[["i2",29]]' ]
	[ "$(history-search-contents -j 'image/png' | jq -c '[.items[].item_id]')" = '["i1"]' ]
}

@test "4.2: items of Qwen's" {
	qwen_items
	listed >got
	diff -u - got <<-'END'
		["w1","q1","user",null,null,"2026-03-02T09:00:00Z","look\n[image image/png]"]
		["w1","q2","assistant","functions","read_file",null,"Reading.\n[tool_call read_file] {\"path\":\"a\"}"]
		["w1","q3","tool","functions","read_file",null,"body\n[empty tool result]"]
		["w5","q4","system",null,null,null,"<context_window_reset/>\n\nCurrent context window id: w5"]
		["w5","q6","developer",null,null,null,"noted"]
	END
	[ "$(history-list-windows -j | jq -c '[.windows[] | [.window_id,.item_count]]')" = '[["w1",3],["w5",2]]' ]
	# Of the two results in q3 the second is called as it calls itself.
	[ "$(history-list-items -j --tool-name write_file | jq -c '[.items[] | [.item_id,.tool_name]]')" = '[["q3","notes_write_file"]]' ]
	[ "$(history-read-item -j --window-id w1 --item-id q2 | jq -r .content)" = $'Reading.\n[tool_call read_file] {"path":"a"}' ]
	[ "$(history-search-contents -j body | jq -c '[.items[] | [.window_id,.item_id,.excerpt]]')" = '[["w1","q3","body\n[empty tool result]"]]' ]
	[ "$(history-search-contents -j abandoned | jq -c .items)" = '[]' ]
	[ "$(CTX_LEAF=q2 history-list-items -j | jq -c '[.items[].item_id]')" = '["q1","q2"]' ]
}

@test "4.2: items of Gemini's" {
	gemini_items
	listed >got
	diff -u - got <<-'END'
		["w1","line-2","user",null,null,"2026-03-03T09:00:01Z","look"]
		["w1","line-3","assistant",null,null,"2026-03-03T09:00:02Z","Reading."]
		["w1","line-4","tool","functions","read_file","2026-03-03T09:00:04Z","[tool_call read_file] {\"path\":\"a\"}\nbody\n[tool_call notes_read_file] {}"]
		["w5","line-7","system",null,null,"2026-03-03T09:10:00Z","<context_window_reset/>\n\nCurrent context window id: w5"]
		["w5","line-8","developer",null,null,"2026-03-03T09:11:00Z","<context_window>\nx"]
	END
	[ "$(history-list-windows -j | jq -c '[.windows[] | [.window_id,.item_count]]')" = '[["w1",3],["w5",2]]' ]
	[ "$(history-list-items -j --tool-namespace notes | jq -c '[.items[] | [.item_id,.tool_name]]')" = '[["line-4","notes_read_file"]]' ]
	[ "$(history-read-item -j --window-id w1 --item-id line-3 | jq -r .content)" = Reading. ]
	[ "$(history-search-contents -j body | jq -c '[.items[].item_id]')" = '["line-4"]' ]
	[ "$(history-search-contents -j 'tool_call notes' | jq -c '[.items[].item_id]')" = '["line-4"]' ]
}
