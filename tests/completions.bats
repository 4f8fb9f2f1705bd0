#!/usr/bin/env bats
# The completion scripts that the programs print, in the shells they are for.

load common

setup() {
	common_setup
	tool_programs
}

# options <program>: every option of a parameter.
options() {
	"$1" --schema | jq -r '.inputSchema.properties | keys[] | "--" + gsub("_"; "-")'
}

# complete <program> <word>...: what bash offers for the last word.
complete_in_bash() {
	local program=$1
	(
		# shellcheck disable=SC1090
		source <("$program" --completion bash)
		function=$(complete -p "$program" | sed 's/.*-F \([^ ]*\).*/\1/')
		COMP_WORDS=("$@")
		COMP_CWORD=$(($# - 1))
		"$function" "$program" "${COMP_WORDS[COMP_CWORD]}" \
			"${COMP_WORDS[COMP_CWORD - 1]}"
		printf '%s\n' "${COMPREPLY[@]}"
	)
}

@test "bash: every parameter is offered, and a prefix narrows" {
	local option
	for program in "${PROGRAMS[@]}"; do
		bash -n <("$program" --completion bash)
		complete_in_bash "$program" -- >offered
		for option in $(options "$program") --help --json; do
			grep -qxF -- "$option" offered || fail "$program: $option is not offered"
		done
		complete_in_bash "$program" --hel >offered
		[ "$(<offered)" = --help ] || fail "$program: --hel gives $(<offered)"
	done
}

@test "bash: the values of a closed choice are offered after its option" {
	local option value
	for program in "${PROGRAMS[@]}"; do
		while IFS=$'\t' read -r option value; do
			complete_in_bash "$program" "$option" '' >offered
			grep -qxF -- "$value" offered ||
				fail "$program $option: $value is not among $(<offered)"
		done < <("$program" --schema | jq -r '.inputSchema.properties | to_entries[]
			| .key as $k | .value | (.enum, .items.enum? // []) // [] | .[]
			| "--\($k | gsub("_"; "-"))\t\(.)"')
	done
}

@test "zsh takes every script" {
	for program in "${PROGRAMS[@]}"; do
		"$program" --completion zsh >_script
		zsh -n _script || fail "$program"
		[ "$(head -n 1 _script)" = "#compdef $program" ] || fail "$program: first line"
		for option in $(options "$program"); do
			grep -qF -- "$option" _script || fail "$program: $option is missing"
		done
	done
}

@test "fish takes every script, and offers every parameter" {
	for program in "${PROGRAMS[@]}"; do
		"$program" --completion fish >script.fish
		fish --no-config --no-execute script.fish || fail "$program"
		fish --no-config -c "source script.fish; complete -C '$program --'" >offered
		for option in $(options "$program"); do
			grep -q -- "^$option\b" offered || fail "$program: $option is not offered"
		done
	done
}

# offered_in_bash <words>...: what the installed script offers for the last.
offered_in_bash() {
	(
		# shellcheck disable=SC1090
		source <(cat "$ROOT/completions/values.bash"; "$1" --completion bash)
		function=$(complete -p "$1" | sed 's/.*-F \([^ ]*\).*/\1/')
		COMP_WORDS=("$@")
		COMP_CWORD=$(($# - 1))
		COMP_LINE="$*" COMP_POINT=${#COMP_LINE} COMP_TYPE=${TYPE:-9}
		"$function"
		printf '%s\n' "${COMPREPLY[@]}"
	)
}

@test "addresses of notes and sessions are offered, and nothing when that fails" {
	export PI_CODING_AGENT_SESSION_DIR=$ROOT/samples
	mkdir -p "$HOME/.agents/notes/human"
	echo x >"$HOME/.agents/notes/human/tea.md"
	[ "$(offered_in_bash notes-read @human/te)" = @human/tea.md ]
	[ "$(offered_in_bash notes-read --address @hu)" = @human/tea.md ]
	[ "$(offered_in_bash history-list --session 0198)" = 019859c4-8a10-7c52-b1de-5a0c8e3f2d17 ]
	[ "$(offered_in_bash history-export 0198)" = 019859c4-8a10-7c52-b1de-5a0c8e3f2d17 ]
	# A selector with its host, as a list of sessions shows it.
	[ "$(offered_in_bash history-list --session pi:0198)" = 019859c4-8a10-7c52-b1de-5a0c8e3f2d17 ]
	[ "$(offered_in_bash history-list --session=pi:0198)" = 019859c4-8a10-7c52-b1de-5a0c8e3f2d17 ]
	[ -z "$(offered_in_bash history-list --session claude:0198)" ]
	fish --no-config -c "source '$ROOT/completions/values.fish'; __ctxtools_session; __ctxtools_address" |
		diff - <(printf '%s\n' $'019859c4-8a10-7c52-b1de-5a0c8e3f2d17\t2026-07-30 09:07  double charge in Zürich' . '*' @human/tea.md)
	zsh -n "$ROOT/completions/values.zsh"
	zsh -f -c "compadd() { print -l -- \$found; }; source '$ROOT/completions/values.zsh'; _ctxtools_session; _ctxtools_address" |
		diff - <(printf '%s\n' 019859c4-8a10-7c52-b1de-5a0c8e3f2d17 . '*' @human/tea.md)
	# A clock that is none.
	export CTX_NOW_MS=nonsense
	run offered_in_bash notes-read @human/te
	assert_output ''
}

@test "when and what stand beside sessions, the newest first, also of hostile titles" {
	local titled='say "hi": [x] $(touch owned) `touch owned`' file id
	export PI_CODING_AGENT_SESSION_DIR=$PWD/pi TZ=UTC CTX_NOW_MS=1785571200000
	mkdir pi
	for id in s-old s-new; do
		file=pi/2026-01-01T00-00-00-000Z_$id.jsonl
		jq -cn --arg id $id '{type: "session", version: 3, id: $id, cwd: "/w"}' >$file
		jq -cn --arg id $id --arg text "$titled" '{type: "message", id: "e1", parentId: null,
			timestamp: "2026-08-01T0\(if $id == "s-new" then 7 else 6 end):30:00.000Z",
			message: {role: "user", content: "\($text) \($id)"}}' >>$file
	done
	touch -d 2026-07-01 pi/*s-old.jsonl
	history-sessions --completion values | diff - <(printf 'pi:%s\ttoday 0%d:30  %s %s\n' s-new 7 "$titled" s-new s-old 6 "$titled" s-old)
	# bash has room for that where it lists, and not where it inserts.
	TYPE=9 offered_in_bash history-list --session s- | diff - <(printf '%s\n' s-new s-old)
	TYPE=63 offered_in_bash history-list --session s- |
		diff - <(printf '%s  today 0%d:30  %s %s\n' s-new 7 "$titled" s-new s-old 6 "$titled" s-old)
	TYPE=63 offered_in_bash history-list --session s-n | diff - <(echo s-new)
	zsh -f -c "compadd() { print -l -- \$shown; }; source '$ROOT/completions/values.zsh'; _ctxtools_session" | head -n 2 |
		diff - <(printf '%s  today 0%d:30  %s %s\n' s-new 7 "$titled" s-new s-old 6 "$titled" s-old)
	fish --no-config -c "source '$ROOT/completions/values.fish'; source (history-list --completion fish | psub); complete -C 'history-list --session s-'" |
		diff - <(printf '%s\ttoday 0%d:30  %s %s\n' s-new 7 "$titled" s-new s-old 6 "$titled" s-old)
	[ ! -e owned ]
}

@test "in a real bash, which breaks words at : and =" {
	need_terminal
	export PI_CODING_AGENT_SESSION_DIR=$ROOT/samples
	mkdir -p "$HOME/.agents/notes/human"
	echo x >"$HOME/.agents/notes/human/tea.md"
	cat >rc <<-'END'
		for program in history-list notes-read history-export; do
			source <(cat "$VALUES"; "$program" --completion bash)
		done
		history-list() { echo "got $*"; }
		notes-read() { echo "got $*"; }
		history-export() { echo "got $*"; }
		PS1='you: '
	END
	TERM=dumb VALUES=$ROOT/completions/values.bash perl "$ROOT/tests/terminal.pl" "$(
		printf '%s\t\n' 'history-list --session pi:0198' 'history-list --session 0198' \
			'history-list --session=pi:0198' 'history-list x --session pi:019859c4-8a' \
			'notes-read @human/te' 'notes-read --address @hum' 'history-export pi:019' \
			'history-export --format=json'
	)"$'\nexit\n' bash --rcfile rc -i | tr -d '\r' | grep '^got' >got
	sed 's/ID/019859c4-8a10-7c52-b1de-5a0c8e3f2d17/' <<-'END' | diff - got
		got --session pi:ID
		got --session ID
		got --session=pi:ID
		got x --session pi:ID
		got @human/tea.md
		got --address @human/tea.md
		got pi:ID
		got --format=jsonl
	END
}
