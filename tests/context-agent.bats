#!/usr/bin/env bats
# context-agent: spec/context.md sections 2 and 2.2.

load common
load context

setup() {
	context_setup
}

register() {
	does context-agent "$(jq -nc --arg n "$1" --arg s "$2" '{action:"register",agent_name:$n,session:$s}')"
}

@test "2.2: register, register again, list" {
	call context-agent '{"action":"register","agent_name":"worker","session":"pi:s2"}'
	cat >want <<-'END'
		{"action":"register","agent_name":"/root/worker","created":true,"agents":[{"agent_name":"/root","session":"pi:s1","session_file":null,"window_id":"w1"},{"agent_name":"/root/worker","session":"pi:s2","session_file":null,"window_id":"w1"}]}
		Registered /root/worker (session pi:s2).
	END
	diff -u want out
	call context-agent '{"action":"register","agent_name":"/root/worker","session":"pi:s3","session_file":"/x/y.jsonl"}'
	gives '[.created,.agents[1].session,.agents[1].session_file]' '[false,"pi:s3","/x/y.jsonl"]'
	[ "$(<text)" = 'Updated /root/worker (session pi:s3).' ]
	call context-agent '{"action":"list"}'
	gives '[.agent_name,.created]' '[null,false]'
	printf '/root | session pi:s1 | window w1\n/root/worker | session pi:s3 | window w1\n' |
		diff -u - text
}

@test "2: names are resolved below the current agent" {
	register worker pi:w
	register worker/a pi:a
	export CTX_CONTEXT_AGENT=/root/worker
	register child pi:x
	gives .agent_name '"/root/worker/child"'
	register a/b pi:x
	gives .agent_name '"/root/worker/a/b"'
	register ' /root/peer ' pi:x
	gives .agent_name '"/root/peer"'
	local name
	for name in root ../peer Child a//b /worker /root/ notes a-b /root/notes/x \
		/root/root . a/. é; do
		refuses bad_agent context-agent "$(jq -nc --arg n "$name" '{action:"register",agent_name:$n,session:"pi:x"}')"
	done
	refuses bad_agent context-agent '{"action":"register","agent_name":"/root","session":"pi:x"}'
	says context-init
	invalid agent_name context-agent '{"action":"register","agent_name":" \t","session":"pi:x"}'
	refuses bad_agent context-agent "{\"action\":\"register\",\"agent_name\":\"/root/$(printf %0115d 0)\",\"session\":\"x\"}"
	says '120 bytes'
}

@test "2: a parent must be registered; the message names it and who is" {
	refuses unknown_agent context-agent '{"action":"register","agent_name":"a/b","session":"pi:x"}'
	says '"/root/a" is registered; registered: /root'
	local i
	for i in {10..31}; do
		register "a$i" pi:x
	done
	refuses unknown_agent notes-read-file '{"path":"/root/b/notes/x"}'
	says 'and 3 more'
}

@test "2.2: what is needed to register" {
	invalid agent_name context-agent '{"action":"register","session":"pi:x"}'
	invalid session context-agent '{"action":"register","agent_name":"a"}'
	invalid session context-agent '{"action":"register","agent_name":"a","session":""}'
	invalid session context-agent "{\"action\":\"register\",\"agent_name\":\"a\",\"session\":\"$(printf %0201d 0)\"}"
	invalid session context-agent '{"action":"register","agent_name":"a","session":"a\tb"}'
	invalid session_file context-agent '{"action":"register","agent_name":"a","session":"x","session_file":"rel"}'
	invalid action context-agent '{}'
	invalid what context-agent '{"action":"list","what":1}'
	[ ! -e "$HOME/.local" ]
}

@test "2.2: many processes that register at once all succeed" {
	local i
	for i in {1..20}; do
		context-agent -j <<<"{\"action\":\"register\",\"agent_name\":\"a$i\",\"session\":\"pi:x\"}" >"$i.out" &
	done
	wait
	[ "$(cat ./*.out | grep -c '"created":true')" -eq 20 ]
	does context-agent '{"action":"list"}'
	gives '.agents | length' 21
}

@test "13: a sub-agent starts in a window of its own, and keeps it when bound anew" {
	begin
	say u1 user a
	compacted k1 s
	does context-init '{}'
	gives .window_id '"w2"'
	register worker pi:w
	gives '[.agents[].window_id]' '["w2","w1"]'
	CTX_CONTEXT_AGENT=/root/worker note a mine
	CTX_CONTEXT_AGENT=/root/worker does new-context '{}'
	CTX_CONTEXT_AGENT=/root/worker does context-compact '{"reason":"rollover"}'
	CTX_CONTEXT_AGENT=/root/worker does context-commit '{"outcome":"committed","window_id":"w2"}'
	register worker pi:other
	gives '.agents[1].window_id' '"w2"'
	does notes-read-file '{"path":"/root/worker/notes/a"}'
}
