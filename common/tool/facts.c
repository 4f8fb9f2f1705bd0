#include "tool/facts.h"

#include <errno.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/path.h"

static const struct fact_info table[FACT_COUNT] = {
	[FACT_NOTES_HOME] = { "CTX_NOTES_HOME", "PI_NOTES_HOME", "notes-home",
			      "DIR", "Where notes are kept.",
			      "~/.agents/notes" },
	[FACT_CWD] = { "CTX_CWD", NULL, "cwd", "DIR",
		       "The session's working directory.", "the current one" },
	[FACT_SESSION] = { "CTX_SESSION", NULL, "session", "ID",
			   "Current session, <host>:<id> or a bare id.", NULL },
	[FACT_SESSION_FILE] = { "CTX_SESSION_FILE", NULL, "session-file",
				"FILE",
				"Transcript of the current session, when it "
				"lies elsewhere than its host keeps them.",
				NULL },
	[FACT_LEAF] = { "CTX_LEAF", NULL, "leaf", "ID",
			"Entry at the head of the live branch.",
			"the last one" },
	[FACT_AGENT] = { "CTX_AGENT", "PI_NOTES_AGENT", "agent", "NAME",
			 "This agent's name.", "anonymous" },
	[FACT_MODEL] = { "CTX_MODEL", NULL, "model", "NAME",
			 "This model's name.", "default" },
	[FACT_TEXT_PREFIX] = { "CTX_TEXT_PREFIX", NULL, "text-prefix", "TEXT",
			       "Printed before the text of a result.", NULL },
	[FACT_TEXT_SUFFIX] = { "CTX_TEXT_SUFFIX", NULL, "text-suffix", "TEXT",
			       "Printed after the text of a result.", NULL },
	[FACT_CONTEXT_ROOT] = { "CTX_CONTEXT_ROOT", NULL, "context-root", "ID",
				"Root session that owns the context's state.",
				"the session" },
	[FACT_CONTEXT_AGENT] = { "CTX_CONTEXT_AGENT", NULL, "context-agent",
				 "NAME", "This agent's canonical address.",
				 "/root" },
	[FACT_STATE_DIR] = { "CTX_STATE_DIR", NULL, "state-dir", "DIR",
			     "Where state is kept.",
			     "$XDG_STATE_HOME/ctxtools" },
	[FACT_LESSONS_DB] = { "CTX_LESSONS_DB", "PI_MEMORY_DB", "db", "FILE",
			      "Lessons database.",
			      "$XDG_DATA_HOME/ctxtools/memory.sqlite3" },
	[FACT_CONFIG] = { "CTX_CONFIG", NULL, "config", "FILE", "Settings.",
			  "$XDG_CONFIG_HOME/ctxtools/config.yaml" },
	[FACT_NOW_MS] = { .variable = "CTX_NOW_MS" },
};

const struct fact_info *
fact_info(enum fact which)
{
	return &table[which];
}

const char *
facts_variable(const char *name)
{
	const char *value = name == NULL ? NULL : getenv(name);

	return value != NULL && *value != '\0' ? value : NULL;
}

void
facts_from_environment(struct facts *f)
{
	for (int i = 0; i < FACT_COUNT; i++) {
		f->value[i] = facts_variable(table[i].variable);
		if (f->value[i] == NULL)
			f->value[i] = facts_variable(table[i].alias);
	}
}

int
facts_now_ms(const struct facts *f, int64_t *now, struct fail *fail)
{
	const char *text = fact(f, FACT_NOW_MS), *p = text;
	char *end;
	long long value;

	if (text == NULL) {
		*now = clock_now_ms();
		return 0;
	}
	if (*p == '-')
		p++;
	errno = 0;
	value = strtoll(text, &end, 10);
	/* Room for adding and subtracting periods without overflow. */
	if (*p < '0' || *p > '9' || *end != '\0' || errno != 0 ||
	    value > INT64_C(253402300799999) ||
	    value < -INT64_C(62135596800000)) {
		struct buf quoted = BUF_INIT;

		fail_quote(&quoted, str_of(text));
		fail_environment(fail,
				 "CTX_NOW_MS: %s given; legal: milliseconds "
				 "since 1970, a decimal integer between the "
				 "years 0001 and 9999",
				 quoted.data);
		buf_release(&quoted);
		return -1;
	}
	*now = value;
	return 0;
}

int
facts_working_directory(const struct facts *f, struct buf *out,
			struct fail *fail)
{
	struct str given = str_of(fact(f, FACT_CWD));
	struct buf here = BUF_INIT;
	int rc = 0;

	if ((given.n == 0 || given.s[0] != '/') &&
	    path_working_directory(&here) != 0)
		rc = fail_environment(fail,
				      "the working directory has no path (%s); "
				      "set CTX_CWD to an absolute one",
				      strerror(errno));
	else
		path_resolve(out, buf_str(&here), given);
	buf_release(&here);
	return rc;
}

const char *
facts_home_directory(void)
{
	const char *home = facts_variable("HOME");
	const struct passwd *entry;

	if (home != NULL)
		return home;
	entry = getpwuid(getuid());
	return entry != NULL && entry->pw_dir != NULL && *entry->pw_dir != '\0'
		       ? entry->pw_dir
		       : NULL;
}
