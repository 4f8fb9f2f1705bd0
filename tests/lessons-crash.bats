#!/usr/bin/env bats
# The store under kill -9, under many processes at once, and behind a lock.
#
# CTX_KILLS: how many programs the first test kills (default 40).
# CTX_ROUNDS: what each of the processes of the second does (default 12).
# CTX_SEED: which random moments and deeds; the test prints it.
# More of each takes minutes: CTX_KILLS=1000 CTX_ROUNDS=200 tests/run tests/lessons-crash.bats
load common
load lessons

setup() {
	KILLS=${CTX_KILLS:-40} ROUNDS=${CTX_ROUNDS:-12} SEED=${CTX_SEED:-$RANDOM}
	lessons_setup
	RANDOM=$SEED
	echo "# CTX_SEED=$SEED"
}

# state: all that the store holds.
state() {
	lessons-export --format jsonl </dev/null || fail "export: $?"
}

# invariants: what holds of a store whatever was done to it.
invariants() {
	local query
	good lessons-check
	for query in \
		'SELECT scope, text_key FROM lessons WHERE archived = 0 GROUP BY 1, 2 HAVING count(*) > 1' \
		'SELECT supersedes_id FROM lessons WHERE supersedes_id NOTNULL GROUP BY 1 HAVING count(*) > 1' \
		"SELECT id FROM candidates WHERE (status = 'promoted') != (lesson_id NOTNULL)" \
		"SELECT c.id FROM candidates c LEFT JOIN lessons l ON l.id = c.lesson_id WHERE c.status = 'promoted' AND l.id ISNULL" \
		'SELECT project, text_key FROM candidates WHERE lesson_id ISNULL GROUP BY 1, 2 HAVING count(*) > 1' \
		"SELECT id FROM lessons l WHERE (SELECT count(*) FROM activity WHERE lesson_id = l.id AND action IN ('create', 'import')) != 1" \
		"SELECT id FROM lessons l WHERE archived != (SELECT count(*) FROM activity WHERE lesson_id = l.id AND action IN ('supersede', 'archive'))" \
		'SELECT lesson_id FROM activity WHERE lesson_id NOT IN (SELECT id FROM lessons)'; do
		[ -z "$(sql "$query")" ] || fail "$query: $(sql "$query")"
	done
	good lessons-status -j
	[ "$(jq -c '[.lessons.project, .lessons.global | .active, .archived] + [.candidates.pending]' out)" = "$(sql "
		SELECT json_array(count(*) FILTER (WHERE scope = '$APP' AND archived = 0),
			count(*) FILTER (WHERE scope = '$APP' AND archived = 1),
			count(*) FILTER (WHERE scope = 'global' AND archived = 0),
			count(*) FILTER (WHERE scope = 'global' AND archived = 1),
			(SELECT count(*) FROM candidates WHERE status = 'pending')) FROM lessons")" ] ||
		fail "counts: $(<out)"
}

# deed <n>: one commit of a kind that goes with n, as a command in deed, which
# a shell becomes.
deed() {
	local last
	last=$(sql 'SELECT max(id) FROM lessons WHERE archived = 0')
	case $(($1 % 6)) in
	0) echo "exec lessons-add 'Lesson $1.'" ;;
	1) echo "exec lessons-add 'Lesson $1.' --supersedes $last" ;;
	2) echo "exec memory -j <<<'{\"action\":\"add\",\"text\":\"Candidate $1.\",\"evidence\":\"Seen.\",\"basis\":\"validated_fix\"}'" ;;
	3)
		# A proposal that waits for its end.
		lessons-evaluate cancel >/dev/null 2>&1 </dev/null || :
		start_evaluation || fail "evaluate: $1"
		propose_groups "$(document | jq -c '[.candidates[] | {candidateIds: [.id], text, evidence,
			scope: "project", reason: "Good.", recommend: true}]')"
		echo "exec lessons-review $ID --decision finish --approve 0"
		;;
	4) echo "exec lessons-move $last --to global" ;;
	5) echo "exec lessons-archive $last --anywhere" ;;
	esac >deed
}

@test "kill -9 at random moments leaves the old state or the new one" {
	local i before after now start took moment old=0 new=0
	export CTX_CONFIG=$PWD/config.yaml
	printf 'lessons:\n  projectMinOccurrences: 1\n' >config.yaml
	good lessons-add 'Zero.'
	for i in $(seq 0 $((KILLS - 1))); do
		export CTX_NOW_MS=$((1785571200000 + i)) CTX_SESSION=pi:s$((i / 6))
		deed "$i"
		rm -rf kept
		cp -a home kept
		before=$(state)
		start=$EPOCHREALTIME
		bash deed >said 2>&1 </dev/null || fail "$(<deed): $(<said)"
		took=$((${EPOCHREALTIME/./} - ${start/./}))
		after=$(state)
		[ "$before" != "$after" ] || fail "$(<deed): nothing changed"
		rm -rf home
		cp -a kept home
		# The same once more, up to some moment of it.
		moment=$((took * (20 + RANDOM % 100) / 100))
		# In the foreground it waits for the end of what it kills.
		{ timeout --foreground -s KILL "$(printf '%d.%06d' $((moment / 1000000)) $((moment % 1000000)))" \
			bash deed >said </dev/null || :; } 2>/dev/null
		now=$(state)
		if [ "$now" = "$before" ]; then
			old=$((old + 1))
			# A review that was closed first is lost with its proposal; all
			# else can be done again.
			[ $((i % 6)) -eq 3 ] || bash deed >said 2>&1 </dev/null || fail "again: $(<deed): $(<said)"
		elif [ "$now" = "$after" ]; then
			new=$((new + 1))
		else
			diff <(echo "$before") <(echo "$now") || :
			fail "$(<deed): neither the old state nor the new one"
		fi
		[ $((i % 10)) -ne 9 ] || invariants
	done
	invariants
	echo "# $old old, $new new"
	[ $((old + new)) -eq "$KILLS" ]
}

# worker <number>: deeds at random, in a session of its own; each mutation is
# a line in its file, as many as the activity has for it.
worker() {
	local i id text changed
	RANDOM=$((SEED + $1))
	export CTX_SESSION=pi:w$1
	unset CTX_NOW_MS
	for i in $(seq "$ROUNDS"); do
		id=$(sqlite3 -cmd '.timeout 60000' "$DB" "SELECT id FROM lessons ORDER BY (id * 7919 + $RANDOM) % 104729 LIMIT 1")
		text="Lesson $((RANDOM % 40))."
		case $((RANDOM % 8)) in
		0 | 1) changed=$(lessons-add "$text" -j | jq 'if .status == "saved" then 1 else 0 end') ;;
		2) changed=$(lessons-add "$text" -j --supersedes "$id" | jq 'if .status == "superseded" then 2 else 0 end') ;;
		3) changed=$(lessons-archive "$id" -j --anywhere | jq 'if .changed then 1 else 0 end') ;;
		4) changed=$(lessons-move "$id" -j --anywhere --to "$( ((RANDOM % 2)) && echo global || echo project)" |
			jq '.records // 0') ;;
		5 | 6)
			lessons-session prompt >/dev/null
			learn "pi:w$1" "Candidate $((RANDOM % 20))."
			changed=0
			;;
		7)
			rm -f proposal
			if start_evaluation; then
				propose_groups "$(document | jq -c '[.candidates[] | {candidateIds: [.id], text, evidence,
					scope: "project", reason: "Good.", recommend: true}]')"
				lessons-review "$ID" -j --decision finish --approve 0 >decided || :
				changed=$(jq '[.promoted[]? | select(.created)] | length' decided)
				# What nobody saw but who had been told of it is not eligible,
				# and leaves the review open.
				[ "$(jq -r '.code // ""' decided)" != not_eligible ] || lessons-evaluate cancel >/dev/null
			else
				changed=0
			fi
			;;
		esac 2>>worker.err </dev/null
		echo "${changed:?}" >>mutations
	done
}

@test "random deeds of several processes at once keep the invariants" {
	local i pids=()
	export CTX_CONFIG=$PWD/config.yaml
	printf 'lessons:\n  projectMinOccurrences: 1\n' >config.yaml
	good lessons-add 'Zero.'
	for i in 1 2 3 4 5; do
		mkdir w$i
		(cd w$i && worker $i) &
		pids+=($!)
	done
	for i in "${pids[@]}"; do
		wait "$i" || fail "a process failed: $(cat w*/worker.err)"
	done
	invariants
	[ "$(cat w*/mutations | wc -l)" -eq $((5 * ROUNDS)) ]
	# One more is that of the first lesson.
	[ "$(sql 'SELECT count(*) FROM activity')" -eq $(($(cat w*/mutations | paste -sd+) + 1)) ] ||
		fail "$(sql 'SELECT count(*) FROM activity') rows for $(cat w*/mutations | paste -sd+) + 1"
	# Refusals are on stdout: nothing else went wrong.
	[ -z "$(cat w*/worker.err)" ] || fail "$(cat w*/worker.err)"
}
