# What completions of fish offer besides options: addresses of notes, and
# sessions with when and what.  A slow or failing call offers nothing.
function __ctxtools_session
	# An id alone selects a session.
	set -l host '^[^:\t]*:'
	string match -q '*:*' -- (commandline -ct 2>/dev/null); and set host '^$'
	timeout 1 history-sessions --completion values </dev/null 2>/dev/null |
		string replace -r $host ''
	printf '%s\n' . '*'
end
function __ctxtools_address
	timeout 1 notes-list -j </dev/null 2>/dev/null |
		string match -ra '"address":"[^"]*"' |
		string replace -r '^"address":"(.*)"$' '$1'
end
