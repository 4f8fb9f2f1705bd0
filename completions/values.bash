# What completions of bash offer besides options: addresses of notes and
# sessions, from the programs themselves.  A slow or failing call offers
# nothing.
_ctxtools_values() { # session | address: a line each, a tab and what it is
	case $1 in
	session)
		timeout 1 history-sessions --completion values </dev/null 2>/dev/null
		printf '%s\n' . '*'
		;;
	address)
		timeout 1 notes-list -j </dev/null 2>/dev/null |
			grep -o '"address":"[^"]*"' | cut -d '"' -f 4
		;;
	esac
}

# Readline breaks words at : and =; here only blanks and the = of an option do.
# Sets cur and prev of the caller.
_ctxtools_words() {
	local before=${COMP_LINE:0:COMP_POINT}
	cur=${before##*[[:blank:]]}
	before=${before%"$cur"}
	before=${before%"${before##*[![:blank:]]}"}
	prev=${before##*[[:blank:]]}
	if [[ $cur == --*=* ]]; then
		# shellcheck disable=SC2034 # of the caller
		prev=${cur%%=*}
		cur=${cur#*=}
	fi
}

# _ctxtools_offer <kind>: what begins like $cur.  Readline wants only what
# stands behind its last break.
_ctxtools_offer() {
	local before line value shown=()
	before=${cur%"${cur##*:}"}
	while IFS= read -r line; do
		value=${line%%$'\t'*}
		# An id alone selects a session, and has no colon to break at.
		[[ $1 != session || $cur == *:* ]] || value=${value#*:}
		[[ $value == "$cur"* ]] || continue
		value=${value#"$before"}
		COMPREPLY+=("$value")
		shown+=("$value${line/#*$'\t'/  }")
	done < <(_ctxtools_values "$1")
	# Where they are only listed, what they are stands beside them.
	case ${COMP_TYPE-} in
	33 | 63 | 64) [ "${#COMPREPLY[@]}" -lt 2 ] || COMPREPLY=("${shown[@]}") ;;
	esac
	compopt -o nosort 2>/dev/null || :
}
