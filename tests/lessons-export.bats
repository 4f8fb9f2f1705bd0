#!/usr/bin/env bats
# lessons-export: spec/lessons.md section 9.4.

load common
load lessons

setup() {
	lessons_setup
}

@test "Markdown: newest first, lines go on two blanks in; none is the title" {
	good lessons-export -t
	[ "$(<out)" = '# Lessons' ]
	[ ! -e "$HOME/.local" ]
	good lessons-add 'One.'
	CTX_NOW_MS=1785571200001 good lessons-add $'Two\nlines.'
	good lessons-export -t
	printf '# Lessons\n\n- Two\n  lines.\n- One.\n' | diff -u - out
	good lessons-export -j
	[ "$(<out)" = '{"format":"markdown","file":null,"records":2,"bytes":33}' ]
	good lessons-add --global 'G.'
	good lessons-export --scope global
	printf '# Lessons\n\n- G.\n' | diff -u - out
}

@test "a file: exclusive, 0600, never a link" {
	good lessons-add 'One.'
	good lessons-export copy.md
	[ "$(<out)" = "1 records written to $APP/copy.md" ]
	[ "$(stat -c %a "$APP/copy.md")" = 600 ]
	refused exists lessons-export copy.md
	ln -s /nowhere "$APP/link"
	refused exists lessons-export link
	mkfifo "$APP/fifo"
	refused exists lessons-export fifo
	refused unwritable lessons-export no/copy.md
	usage scope lessons-export --format jsonl --scope global
}

@test "JSONL: export, import, export: the same bytes" {
	good lessons-add 'One.'
	good lessons-add --supersedes 1 $'Two \u202e "quoted"\nlines.'
	good lessons-move 2 --to global --reason r
	learn pi:s1 'A.'
	learn pi:s2 'A.'
	learn pi:s2 'B.'
	CTX_SESSION=pi:e start_evaluation
	CTX_SESSION=pi:e propose_groups "[$(group '[1]' project 'A.'),$(group '[2]' project 'B.')]"
	good lessons-review --decision finish --approve 0
	good lessons-export --format jsonl first.jsonl
	head -n 1 "$APP/first.jsonl" | diff -u <(echo '{"ctxtools":"lessons","application_id":1347241293,"schema":9}') -
	[ "$(jq -r 'select(.table) | .table' "$APP/first.jsonl" | uniq | tr '\n' ' ')" = 'lessons activity candidate_state candidates candidate_observations candidate_exposures candidate_evaluations candidate_evaluation_groups candidate_group_members ' ]
	export CTX_LESSONS_DB=$PWD/fresh.sqlite3
	good lessons-import --format jsonl first.jsonl
	good lessons-export --format jsonl second.jsonl
	cmp "$APP/first.jsonl" "$APP/second.jsonl"
	good lessons-check
}
