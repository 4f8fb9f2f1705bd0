#!/usr/bin/env bats
# get-context-remaining: spec/context.md section 5.

load common
load context

setup() {
	context_setup
}

@test "5: unknown, known, never below zero, unknown again" {
	call get-context-remaining '{}'
	cat >want <<-'END'
		{"remaining_tokens":null,"window_id":"w1","agent_name":"/root","agents":["/root"]}
		You have unknown tokens left in this context window (window w1, agent /root).
		Registered agents: /root
	END
	diff -u want out
	does context-usage '{"used_tokens":1000,"context_window":5000}'
	call get-context-remaining '{}'
	gives .remaining_tokens 4000
	head -n 1 text | grep -q '^You have 4000 tokens left'
	does context-usage '{"used_tokens":9000,"context_window":5000}'
	does get-context-remaining '{}'
	gives .remaining_tokens 0
	does context-usage '{"used_tokens":null,"context_window":5000}'
	does get-context-remaining '{}'
	gives .remaining_tokens null
	does context-usage '{"used_tokens":1,"context_window":0}'
	does get-context-remaining '{}'
	gives .remaining_tokens null
}

@test "13: nothing is left of the old window's tokens after a rollover" {
	does context-usage '{"used_tokens":1000,"context_window":5000000}'
	does new-context '{}'
	does context-compact '{"reason":"rollover"}'
	does context-commit '{"outcome":"committed","window_id":"w2"}'
	does get-context-remaining '{}'
	gives '[.remaining_tokens,.window_id]' '[null,"w2"]'
}

@test "1.1: a reader makes no state; the window is what the transcript tells" {
	begin
	say u1 user hello
	compacted k1 'a summary'
	say u2 user again
	does get-context-remaining '{}'
	gives .window_id '"w2"'
	[ ! -e "$HOME/.local" ]
}

@test "2: who asks, and all agents in byte order" {
	does context-agent '{"action":"register","agent_name":"b","session":"pi:b"}'
	does context-agent '{"action":"register","agent_name":"a_b","session":"pi:c"}'
	does context-agent '{"action":"register","agent_name":"b/a","session":"pi:c"}'
	CTX_CONTEXT_AGENT=/root/b does get-context-remaining '{}'
	gives '[.agent_name,.window_id,.agents]' '["/root/b","w1",["/root","/root/a_b","/root/b","/root/b/a"]]'
	[ "$(tail -n 1 text)" = 'Registered agents: /root, /root/a_b, /root/b, /root/b/a' ]
	CTX_CONTEXT_AGENT=/root/c refuses unknown_agent get-context-remaining '{}'
	CTX_CONTEXT_AGENT=worker refuses bad_agent get-context-remaining '{}'
	unset CTX_SESSION
	refuses no_session get-context-remaining '{}'
}

@test "1.3: agents that do not fit are told of" {
	local i name
	# 256 names of 120 bytes are more than the text may have.
	for i in {1..255}; do
		printf -v name '/root/%0114d' "$i"
		echo "$name"
	done | jq -Rnc '[{agent_name:"/root",session:"pi:s1",session_file:null},
		(inputs | {agent_name:.,session:"pi:x",session_file:null})] | {version:1,agents:.}' >agents
	does new-context '{}'
	cp agents "$STATE/agents.json"
	does get-context-remaining '{}'
	gives .has_more true
	[ "$(wc -m <text)" -le 12001 ]
	printf -v name '/root/%0114d' 256
	refuses limit_reached context-agent "{\"action\":\"register\",\"agent_name\":\"$name\",\"session\":\"pi:y\"}"
	says 256
}

@test "7.6: blocked behind the fence" {
	armed
	refuses fenced get-context-remaining '{}'
	note a x
	refuses rollover_pending get-context-remaining '{}'
	CTX_CONTEXT_DISABLED=1 does get-context-remaining '{}'
}
