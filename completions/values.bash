# What completions of bash offer besides options: addresses of notes and
# sessions, from the programs themselves.  A slow or failing call offers
# nothing.
_ctxtools_values() { # session | address
	case $1 in
	session)
		# An id alone selects a session, and has no colon to break at.
		timeout 1 history-sessions -j --limit 500 </dev/null 2>/dev/null |
			grep -o '"session":"[^"]*"' | cut -d '"' -f 4 | cut -d : -f 2-
		printf '%s\n' . '*'
		;;
	address)
		timeout 1 notes-list -j </dev/null 2>/dev/null |
			grep -o '"address":"[^"]*"' | cut -d '"' -f 4
		;;
	esac
}

# _ctxtools_offer <kind>: what begins like the word that is typed.  Readline
# breaks words at @ and : and wants only what stands behind.
_ctxtools_offer() {
	local word=${COMP_LINE:0:COMP_POINT} before
	word=${word##* }
	before=${word%"${word##*[@:=]}"}
	mapfile -t COMPREPLY < <(compgen -W "$(_ctxtools_values "$1")" -- "$word")
	COMPREPLY=("${COMPREPLY[@]#"$before"}")
}
