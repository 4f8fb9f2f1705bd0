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
