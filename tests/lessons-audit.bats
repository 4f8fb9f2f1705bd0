#!/usr/bin/env bats
# lessons-audit: spec/lessons.md sections 6 and 7.1.

load common
load lessons

setup() {
	lessons_setup
}

@test "nothing is active: no id, nothing is staged, no store is made" {
	good lessons-audit -j
	[ "$(<out)" = '{"audit_id":null,"lessons":0,"scopes":0,"bytes":0,"file":null}' ]
	[ ! -e "$HOME/.local" ]
}

@test "the document: rules, current project, scopes, one fence with one line" {
	good lessons-add 'One.'
	CTX_NOW_MS=1785571200001 good lessons-add 'Two.'
	good lessons-add --global 'Three.'
	good lessons-archive 1
	good lessons-add $'hidden \u2028 and \u2029'
	start_audit
	grep -qx "Current project: $APP" document
	grep -qx 'Scopes: current project and global' document
	[ "$(grep -c '^```' document)" = 2 ]
	[ "$(tail -n 1 document)" = '```' ]
	document >json
	[ "$(wc -l <json)" = 1 ]
	grep -q '\\u2028 and \\u2029' json && run ! grep -q $'\u2028' json
	jq -e --arg a "$APP" 'keys_unsorted == [$a, "global"] and (.[$a] | map(.id)) == [2, 4]
		and (.[$a][0] | keys_unsorted) == ["id","scope","text","evidence","basis","source_harness",
			"source_session","created_at","updated_at","revision","archived","archived_at",
			"supersedes_id","activity_id"]
		and .[$a][0].activity_id == 2' json
	good lessons-audit -j
	jq -e '.lessons == 3 and .scopes == 2 and (.audit_id | test("^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$"))' out
}

@test "the project and global are always keys; all scopes in their order" {
	mkdir 'a' z
	CTX_CWD=$PWD/z good lessons-add 'Z.'
	CTX_CWD=$PWD/a good lessons-add 'A.'
	here=$(pwd -P)
	lessons-audit -t --all-projects >document
	grep -qx 'Scopes: all' document
	document | jq -e --arg p "$here" 'keys_unsorted == [$p + "/a", $p + "/app", $p + "/z", "global"]'
}

@test "a file: a report without an id, which stages nothing" {
	good lessons-add 'One.'
	good lessons-audit --file report.md -j
	[ "$(jq -r '.audit_id, .file' out)" = null$'\n'"$APP/report.md" ]
	[ "$(stat -c %a "$APP/report.md")" = 600 ]
	run ! grep -q 'memory_audit' "$APP/report.md"
	sed -n '/^```json$/{n;p}' "$APP/report.md" | jq -e --arg a "$APP" '.[$a][0] | has("activity_id") | not'
	[ "$(stat -c %s "$APP/report.md")" = "$(jq .bytes out)" ]
	good lessons-audit --file other.md
	[ "$(<out)" = "audit report written to $APP/other.md" ]
	refused exists lessons-audit --file report.md
	ln -s nowhere "$APP/link"
	refused exists lessons-audit --file link
	mkfifo "$APP/fifo"
	refused exists lessons-audit --file fifo
	refused unwritable lessons-audit --file no/such/dir.md
	[ "$(lessons-status -j | jq -r .blocked)" = null ]
}

@test "too large: nothing is staged" {
	good lessons-add 'One.'
	refused too_large lessons-audit --max-bytes 1024
	[ "$(lessons-status -j | jq -r .blocked)" = null ]
	usage --max-bytes lessons-audit --max-bytes 1023
	usage --max-bytes lessons-audit --max-bytes 67108865
}

@test "an audit replaces a pending one; not a submitted one, nor an evaluation" {
	good lessons-add 'One.'
	start_audit
	first=$ID
	start_audit
	[ "$first" != "$ID" ]
	json 1 memory-audit "{\"auditId\":\"$first\",\"changes\":[]}" --wait 1
	propose_audit '[{"id":1,"action":"archive","reason":"r"}]'
	json 3 lessons-audit '{}'
	[ "$(jq -r .code out)" = review_pending ] && grep -q 'lessons-audit cancel' out
	json 3 lessons-evaluate '{}' || :
	good lessons-audit cancel -j
	[ "$(<out)" = "{\"status\":\"cancelled\",\"id\":\"$ID\"}" ]
	learn pi:s2 'C.'
	start_evaluation
	json 3 lessons-audit '{}'
	grep -q 'lessons-evaluate cancel' out
	refused no_matching_review lessons-audit cancel
	grep -q lessons-audit out
	good lessons-evaluate cancel
	[ "$(<out)" = "evaluation $ID cancelled" ]
}

@test "other sessions have reviews of their own" {
	good lessons-add 'One.'
	start_audit
	CTX_SESSION=pi:s2 start_audit
	CTX_SESSION='' start_audit
	good lessons-review --show -j
	[ "$(jq '.reviews | length' out)" = 3 ]
}
