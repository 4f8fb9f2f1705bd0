# What completions of zsh offer besides options: addresses of notes, and
# sessions with when and what.  A slow or failing call offers nothing.
_ctxtools_session() {
	local -a found shown
	local line id
	for line in ${(f)"$(timeout 1 history-sessions --completion values </dev/null 2>/dev/null)"}; do
		id=${line%%$'\t'*}
		# An id alone selects a session.
		[[ ${PREFIX-} == *:* ]] || id=${id#*:}
		found+=($id)
		shown+=("$id  ${line#*$'\t'}")
	done
	compadd -V sessions -l -d shown -a found
	found=(. '*')
	compadd -a found
}
_ctxtools_address() {
	local -a found
	found=(${(f)"$(timeout 1 notes-list -j </dev/null 2>/dev/null |
		grep -o '"address":"[^"]*"' | cut -d '"' -f 4)"})
	compadd -a found
}
