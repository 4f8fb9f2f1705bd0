#!/usr/bin/env bats
# memory: spec/lessons.md sections 2.3, 4, 5 and 11.

load common
load lessons

setup() {
	lessons_setup
	rc=0
	ADD='{"action":"add","text":"Run make check.","evidence":"CI failed.","basis":"validated_fix"}'
	STAGED='{"status":"candidate staged","message":"Stored as a private candidate of this session. Only an evaluation approved by the user can publish it."}'
}

# key <JSON text>: the key that its candidate gets.
key() {
	rm -f "$DB"*
	json 0 memory "{\"action\":\"add\",\"text\":$1,\"evidence\":\"x\",\"basis\":\"validated_fix\"}"
	sql 'SELECT text_key FROM candidates'
}

@test "section 2.3: the text keys" {
	local text want
	while IFS=$'\t' read -r text want; do
		[ "$(key "$text")" = "$want" ] || fail "$text: $(key "$text")"
	done <<'END'
"Run make check."	480f1ad5c440fd77fb944d98acc8c6ae676cb994f1d92bcf9779e0f98aace003
"  Run\tmake\n check. "	480f1ad5c440fd77fb944d98acc8c6ae676cb994f1d92bcf9779e0f98aace003
"Run\u00a0make\u3000check."	480f1ad5c440fd77fb944d98acc8c6ae676cb994f1d92bcf9779e0f98aace003
"\uff32\uff55\uff4e make check."	480f1ad5c440fd77fb944d98acc8c6ae676cb994f1d92bcf9779e0f98aace003
"\ufeffRun make check."	480f1ad5c440fd77fb944d98acc8c6ae676cb994f1d92bcf9779e0f98aace003
"run make check."	6e61a2ac81259e606f5b6334da5dd2dee524102c90f3bc4e011bea22cc365fba
"Run make check.\u200b"	e47ba54cb42c1ecd249cf4b7c66b257126687eeaeaff2ebe91dc3a96b023d9f5
"\ufb01x the cafe\u0301 build"	d45c4a7d5125c25d69474ebcb34ce81a38364bd355f54a556bbd59c46771ff0b
"fix the caf\u00e9 build"	d45c4a7d5125c25d69474ebcb34ce81a38364bd355f54a556bbd59c46771ff0b
"x\u00b2"	844ecc08164e2eab27634a9adee1afa6599e589570e719784e080ce747fc0e45
"x2"	844ecc08164e2eab27634a9adee1afa6599e589570e719784e080ce747fc0e45
"A\u2003B"	fea4c5ce720c1d6a1cbc47c1607cc4ea172a69de8948e76d67910120597950fc
"\u2460"	6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b
"\u00c5"	0a94dc9d420d1142d6b71de60f9bf7e2f345a4d62c9f141b091539769ddf3075
"\u212b"	0a94dc9d420d1142d6b71de60f9bf7e2f345a4d62c9f141b091539769ddf3075
END
}

@test "section 2.3: ids that are accepted as 42" {
	local id
	good lessons-add 'One lesson.'
	for id in 42 42.0 4.2e1 '"42"' '"#42"' '" #42 "' '"\u00a0#42"'; do
		json 1 memory "{\"action\":\"archive\",\"id\":$id,\"basis\":\"user_request\"}"
		[ "$(jq -r .code out)" = not_found ] && grep -q '#42' out || fail "$id: $(<out)"
	done
}

@test "section 2.3: ids that are refused, by name" {
	local id
	for id in true null '""' '[42]' '{}' 0 -1 42.5 9007199254740992 '"9007199254740992"' \
		9007199254740993 '"042"' '"+42"' '"42.0"' '"4e1"' '"##42"' '"# 42"' '"C42"' '"４２"' \
		'"-1"' '"0"'; do
		json 2 memory "{\"action\":\"archive\",\"id\":$id}"
		[ ! -s out ] && grep -q 'id: .*positive safe integer' err || fail "$id: $(<err)"
	done
	[ "$(memory --schema | jq -c .inputSchema.properties.id.type)" = '["integer","string"]' ]
}

@test "section 4: the answer is the same whatever is there already" {
	for _ in 1 2 3; do
		json 0 memory "$ADD"
		[ "$(<out)" = "$STAGED" ]
	done
	[ "$(sql 'SELECT count(*) FROM candidate_observations')" = 1 ]
	CTX_SESSION=pi:s2 json 0 memory "$ADD"
	[ "$(<out)" = "$STAGED" ]
	[ "$(sql 'SELECT count(*) FROM candidates')" = 1 ]
	[ "$(sql 'SELECT owner_key FROM candidate_observations ORDER BY id')" = $'["pi","s1"]\n["pi","s2"]' ]
	# A lesson that equals it does not stop a candidate.
	good lessons-add 'Run make check.'
	CTX_SESSION=pi:s3 json 0 memory "$ADD"
	[ "$(<out)" = "$STAGED" ]
	[ "$(sql 'SELECT count(*) FROM candidate_observations')" = 3 ]
	[ "$(sql "SELECT value FROM candidate_state WHERE key = 'marker'")" = 0 ]
}

@test "section 2.1: what is recorded of who submitted" {
	CTX_MODEL=acme/m-1/x json 0 memory '{"action":"add","text":"a","evidence":"b","basis":"user_request","reason":"so"}'
	[ "$(sql 'SELECT origin FROM candidate_observations')" = '{"harness":"pi","session":"s1","actor":"model","provider":"acme","model":"m-1/x","reason":"so"}' ]
	CTX_SESSION='  bare ' CTX_MODEL=m json 0 memory '{"action":"add","text":"b","evidence":"b","basis":"user_request"}'
	[ "$(sql 'SELECT origin FROM candidate_observations WHERE id = 2')" = '{"harness":"cli","session":"bare","actor":"model","provider":null,"model":"m"}' ]
	CTX_SESSION='' json 0 memory '{"action":"add","text":"c","evidence":"b","basis":"user_request"}'
	[ "$(sql 'SELECT owner_key, independence_key FROM candidate_observations WHERE id = 3')" = '["cli","no-session"]|no-session' ]
	CTX_SESSION=Bad:s json 0 memory '{"action":"add","text":"d","evidence":"b","basis":"user_request"}'
	[ "$(sql 'SELECT owner_key FROM candidate_observations WHERE id = 4')" = '["cli","s"]' ]
}

@test "section 4: supersede and archive, both surfaces and what is recorded" {
	good lessons-add 'Use tabs.'
	json 0 memory '{"action":"supersede","id":"#1","text":"Use tabs in C.","evidence":"Review.","basis":"validated_learning","reason":"narrower"}'
	[ "$(<out)" = "{\"status\":\"superseded\",\"id\":2,\"supersedes_id\":1,\"scope\":\"$APP\"}" ]
	[ "$(sql 'SELECT archived, archived_at FROM lessons WHERE id = 1')" = '1|1785571200001' ]
	[ "$(sql 'SELECT created_at, updated_at, revision FROM lessons WHERE id = 2')" = '1785571200001|1785571200001|1' ]
	[ "$(sql 'SELECT lesson_id, action, actor, reason, details FROM activity ORDER BY id')" = "1|create|user||{\"scope\":\"$APP\",\"predecessor_id\":null}
2|create|model|narrower|{\"scope\":\"$APP\",\"predecessor_id\":1}
1|supersede|model|narrower|{\"before\":\"active\",\"after\":\"archived\",\"successor_id\":2}" ]
	json 0 memory '{"action":"archive","id":2}'
	[ "$(<out)" = "{\"id\":2,\"archived\":true,\"changed\":true,\"scope\":\"$APP\"}" ]
	json 0 memory '{"action":"archive","id":2}'
	[ "$(<out)" = "{\"id\":2,\"archived\":true,\"changed\":false,\"scope\":\"$APP\"}" ]
	[ "$(memory -t <<<'{"action":"archive","id":2}')" = "lesson #2 was already archived in $APP" ]
	[ "$(sql 'SELECT count(*) FROM activity')" = 4 ]
	json 1 memory '{"action":"supersede","id":1,"text":"a","evidence":"b","basis":"user_request"}'
	[ "$(jq -r .code out)" = archived ]
}

@test "section 4: new evidence for the same wording; a duplicate names the other" {
	good lessons-add 'One.'
	good lessons-add 'Two.'
	json 0 memory '{"action":"supersede","id":1,"text":"One.","evidence":"Again.","basis":"validated_fix"}'
	json 1 memory '{"action":"supersede","id":2,"text":" One. ","evidence":"b","basis":"user_request"}'
	[ "$(jq -r .code out)" = duplicate ] && grep -q '#3' out
	[ "$(sql 'SELECT count(*) FROM lessons WHERE archived = 0')" = 2 ]
}

@test "section 4: another project's lesson is as one that does not exist" {
	mkdir other
	CTX_CWD=$PWD/other good lessons-add 'Elsewhere.'
	json 1 memory '{"action":"archive","id":1}'
	jq -r .error out | sed 's/#1/#N/' >one
	json 1 memory '{"action":"archive","id":77}'
	jq -r .error out | sed 's/#77/#N/' | cmp - one
	# /p/a does not see /p/ab.
	mkdir appx
	CTX_CWD=$PWD/appx good lessons-add 'Longer.'
	json 1 memory '{"action":"archive","id":2}'
	good lessons-add --global 'Everywhere.'
	json 0 memory '{"action":"archive","id":3}'
}

@test "section 4: ephemeral sessions, and none, write only what the user asked for" {
	good lessons-add 'One.'
	good lessons-session start --ephemeral
	json 1 memory "$ADD"
	[ "$(jq -r .code out)" = ephemeral_session ] && grep -q user_request out
	json 1 memory '{"action":"archive","id":1}'
	[ "$(jq -r .code out)" = ephemeral_session ]
	json 0 memory '{"action":"archive","id":1,"basis":"user_request"}'
	CTX_SESSION='' json 1 memory "$ADD"
	[ "$(jq -r .code out)" = ephemeral_session ]
	CTX_SESSION='' json 0 memory '{"action":"add","text":"a","evidence":"b","basis":"user_request"}'
}

@test "a refused submission makes no store" {
	CTX_SESSION='' json 1 memory "$ADD"
	json 1 memory '{"action":"archive","id":1}'
	[ ! -e "$HOME/.local" ]
}

@test "section 5: blocked by a review, then by the barrier, until a prompt" {
	good lessons-add 'One.'
	start_audit
	json 3 memory "$ADD"
	[ "$(jq -r .code out)" = review_pending ] && grep -q 'review pending' out
	# Other sessions are not, nor is a person.
	CTX_SESSION=pi:s2 json 0 memory "$ADD"
	good lessons-add 'Two.'
	good lessons-audit cancel
	json 3 memory "$ADD"
	[ "$(jq -r .code out)" = barrier ] && grep -q 'fresh prompt' out && grep -q 'lessons-session prompt' out
	good lessons-session compact
	json 3 memory "$ADD"
	good lessons-session prompt
	json 0 memory "$ADD"
}

@test "section 5: without a session the block ends with the review" {
	local any='{"action":"add","text":"a","evidence":"b","basis":"user_request"}'
	export CTX_SESSION=
	good lessons-add 'One.'
	start_audit
	json 3 memory "$any"
	[ "$(jq -r .code out)" = review_pending ]
	good lessons-audit cancel
	json 0 memory "$any"
}

@test "section 4: the order of the checks" {
	good lessons-add 'One.'
	start_audit
	printf 'lessons:\n  maxLessonWords: 0\n' >config.yaml
	long='{"action":"add","text":"a b c d e f g h i j k l m n o p q r s t u","evidence":"x","basis":"validated_fix"}'
	json 2 memory '{"action":"add"}' --config "$PWD/config.yaml"
	json 4 memory "$long" --config "$PWD/config.yaml"
	json 2 memory "$long"
	CTX_CWD=$PWD/nowhere json 3 memory "$ADD"
	good lessons-audit cancel
	good lessons-session start --ephemeral
	good lessons-session prompt
	CTX_CWD=$PWD/nowhere json 1 memory "$ADD"
	[ "$(jq -r .code out)" = invalid_cwd ]
	json 1 memory "$ADD"
	[ "$(jq -r .code out)" = ephemeral_session ]
}

@test "section 11: bad input is refused by name, and nothing is stored" {
	local object named
	while IFS=$'\t' read -r named object; do
		json 2 memory "$object"
		grep -qF -- "$named" err || fail "$object: $(<err)"
	done <<'END'
scope	{"action":"add","text":"a","evidence":"b","basis":"user_request","scope":"global"}
priority	{"action":"add","text":"a","evidence":"b","basis":"user_request","priority":5}
reason	{"action":"archive","id":1,"reason":null}
text	{"action":"add","text":"","evidence":"b","basis":"user_request"}
text	{"action":"add","text":" \u3000\u2003 ","evidence":"b","basis":"user_request"}
text	{"action":"add","text":"a\u0007","evidence":"b","basis":"user_request"}
text	{"action":"add","text":"a\u0085b","evidence":"b","basis":"user_request"}
evidence	{"action":"add","text":"a","basis":"user_request"}
basis	{"action":"add","text":"a","evidence":"b"}
basis	{"action":"add","text":"a","evidence":"b","basis":"import"}
id	{"action":"archive"}
id	{"action":"supersede","text":"a","evidence":"b","basis":"user_request"}
END
	json 2 memory '{"action":"add","text":"a","evidence":"b","basis":"user_request","scope":"global"}'
	grep -q 'evaluation' err
	[ ! -e "$DB" ]
}

@test "section 2.3: lengths are UTF-16 units before trimming, and words are counted" {
	local word
	word=$(printf '\U1F600%.0s' {1..600})
	json 0 memory "$(jq -nc --arg t "$word" '{action:"add",text:$t,evidence:"b",basis:"user_request"}')"
	json 2 memory "$(jq -nc --arg t "${word}x" '{action:"add",text:$t,evidence:"b",basis:"user_request"}')"
	grep -q 'text: .*1201.*1200' err || fail "$(<err)"
	json 2 memory "$(jq -nc --arg t "$word " '{action:"add",text:$t,evidence:"b",basis:"user_request"}')"
	json 2 memory "$(jq -nc '{action:"add",text:"a",evidence:("x" * 601),basis:"user_request"}')"
	grep -q 'evidence: .*601.*600' err
	json 2 memory '{"action":"add","text":"1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21","evidence":"b","basis":"user_request"}'
	grep -q 'text: 21 words.*20' err || fail "$(<err)"
	# U+0085 and U+200B are not white space: one word.
	json 0 memory '{"action":"add","text":"1\u200b2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21","evidence":"b","basis":"user_request"}'
}

@test "words limits are those of the settings; stored rows are not hidden" {
	good lessons-add 'One two three four.'
	printf 'lessons: {maxLessonWords: 3, maxEvidenceWords: 1}\n' >config.yaml
	export CTX_CONFIG=$PWD/config.yaml
	json 2 memory '{"action":"add","text":"a b c d","evidence":"b","basis":"user_request"}'
	json 2 memory '{"action":"add","text":"a b c","evidence":"b c","basis":"user_request"}'
	json 0 memory '{"action":"add","text":"a b c","evidence":"b","basis":"user_request"}'
	good lessons-list -t
	grep -q 'One two three four' out
}

@test "section 2: ids end at 2^53 - 1" {
	good lessons-add 'One.'
	sqlite3 "$DB" "INSERT INTO lessons SELECT 9007199254740991, scope, 'x', 'k', evidence, basis, source_harness, NULL, 0, 0, 1, 0, NULL, NULL FROM lessons"
	run_ lessons-add 'Two.' </dev/null
	[ $rc -eq 4 ] && grep -q 'id range exhausted' err
	[ "$(sql 'SELECT count(*) FROM lessons')" = 2 ]
}
