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
		COMP_LINE="$*" COMP_POINT=${#COMP_LINE}
		"$function"
		printf '%s\n' "${COMPREPLY[@]}"
	)
}

@test "addresses of notes and sessions are offered, and nothing when that fails" {
	export PI_CODING_AGENT_SESSION_DIR=$ROOT/samples
	mkdir -p "$HOME/.agents/notes/human"
	echo x >"$HOME/.agents/notes/human/tea.md"
	[ "$(offered_in_bash notes-read @human/te)" = human/tea.md ]
	[ "$(offered_in_bash notes-read --address @hu)" = human/tea.md ]
	[ "$(offered_in_bash history-list --session 0198)" = 019859c4-8a10-7c52-b1de-5a0c8e3f2d17 ]
	[ "$(offered_in_bash history-export 0198)" = 019859c4-8a10-7c52-b1de-5a0c8e3f2d17 ]
	fish --no-config -c "source '$ROOT/completions/values.fish'; __ctxtools_session; __ctxtools_address" |
		diff - <(printf '%s\n' $'019859c4-8a10-7c52-b1de-5a0c8e3f2d17\tdouble charge in Zürich' @human/tea.md)
	zsh -n "$ROOT/completions/values.zsh"
	zsh -f -c "compadd() { print -l -- \$found; }; source '$ROOT/completions/values.zsh'; _ctxtools_session; _ctxtools_address" |
		diff - <(printf '%s\n' 019859c4-8a10-7c52-b1de-5a0c8e3f2d17 . @human/tea.md)
	# A notes home that cannot be one.
	export CTX_NOW_MS=nonsense
	run offered_in_bash notes-read @human/te
	assert_output ''
}
