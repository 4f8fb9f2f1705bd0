#include "sessions/places.h"

#include "base/path.h"

static const char *const pi_sessions[] = { "*", "*/*", NULL };
static const char *const claude_sessions[] = { "*/*", NULL };
static const char *const claude_agents[] = { "*/agent-*",
					     "*/*/subagents/agent-*", NULL };
static const char *const codex_sessions[] = { "sessions/rollout-*",
					      "sessions/*/rollout-*",
					      "sessions/*/*/rollout-*",
					      "sessions/*/*/*/rollout-*",
					      "sessions/*/*/*/*/rollout-*",
					      "archived_sessions/rollout-*",
					      NULL };

static const struct place places[HOST_COUNT] = {
	[HOST_PI] = { .roots = { { FACT_PI_SESSION_DIR, "" },
				 { FACT_PI_AGENT_DIR, "/sessions" },
				 { FACT_COUNT, "/.pi/agent/sessions" } },
		      .n_roots = 3,
		      .sessions = pi_sessions,
		      .stamp = "0000-00-00T00-00-00-000Z_" },
	[HOST_CLAUDE] = { .roots = { { FACT_CLAUDE_DIR, "/projects" },
				     { FACT_COUNT, "/.claude/projects" },
				     { FACT_COUNT,
				       "/.config/claude/projects" } },
			  .n_roots = 3,
			  .sessions = claude_sessions,
			  .agents = claude_agents,
			  .stamp = "" },
	[HOST_CODEX] = { .roots = { { FACT_CODEX_HOME, "" },
				    { FACT_COUNT, "/.codex" } },
			 .n_roots = 2,
			 .sessions = codex_sessions,
			 .stamp = "rollout-0000-00-00T00-00-00-",
			 .packed = true },
};

const struct place *
place_of(enum host host)
{
	return &places[host];
}

bool
place_roots(const struct place *place, const struct facts *facts,
	    place_add_root *add, void *ctx)
{
	struct buf path = BUF_INIT;
	bool any = false, by_fact = false;

	for (size_t i = 0; i < place->n_roots && !by_fact; i++) {
		const struct place_root *root = &place->roots[i];
		const char *directory;

		by_fact = root->fact != FACT_COUNT &&
			  fact(facts, root->fact) != NULL;
		if (by_fact)
			directory = fact(facts, root->fact);
		else if (root->fact == FACT_COUNT)
			directory = facts_home_directory();
		else
			continue;
		if (directory == NULL)
			continue;
		any = true;
		buf_reset(&path);
		buf_addf(&path, "%s%s", directory, root->below);
		add(ctx, buf_str(&path));
	}
	buf_release(&path);
	return any;
}

/* ---- patterns ---------------------------------------------------------- */

/* Cuts the first segment off. */
static struct str
next_segment(struct str *path)
{
	const char *slash = path->n == 0 ? NULL : memchr(path->s, '/', path->n);
	struct str segment = *path;

	if (slash != NULL)
		segment.n = (size_t)(slash - path->s);
	*path = str_from(*path, segment.n + (slash != NULL));
	return segment;
}

static bool
segment_fits(struct str pattern, struct str segment)
{
	const char *star = memchr(pattern.s, '*', pattern.n);
	size_t before = star == NULL ? 0 : (size_t)(star - pattern.s);
	struct str after;

	if (star == NULL)
		return str_eq(pattern, segment);
	after = str_from(pattern, before + 1);
	return segment.n >= before + after.n &&
	       str_starts(segment, (struct str){ pattern.s, before }) &&
	       str_ends(segment, after);
}

/*
 * Whether one of the patterns begins with a path, and whether it goes on
 * behind it then.
 */
static bool
fits(const char *const *patterns, struct str path, bool goes_on)
{
	for (; *patterns != NULL; patterns++) {
		struct str pattern = str_of(*patterns), rest = path;
		bool same = true;

		while (same && pattern.n > 0 && rest.n > 0)
			same = segment_fits(next_segment(&pattern),
					    next_segment(&rest));
		if (same && rest.n == 0 && (pattern.n > 0) == goes_on)
			return true;
	}
	return false;
}

bool
place_leads(const char *const *patterns, struct str directory)
{
	return fits(patterns, directory, true);
}

bool
place_fits(const char *const *patterns, struct str stem)
{
	return fits(patterns, stem, false);
}

struct str
place_stem(const struct place *place, struct str path)
{
	static const struct str extension = { ".jsonl", sizeof(".jsonl") - 1 };

	if (place->packed && str_ends(path, STR(".zst")))
		path.n -= sizeof(".zst") - 1;
	if (!str_ends(path, extension))
		return (struct str){ NULL, 0 };
	path.n -= extension.n;
	return path;
}

struct str
place_id(const struct place *place, struct str stem)
{
	struct str name = path_last(stem);
	size_t n = strlen(place->stamp);

	if (name.n < n)
		return (struct str){ NULL, 0 };
	for (size_t i = 0; i < n; i++)
		if (place->stamp[i] == '0' ? name.s[i] < '0' || name.s[i] > '9'
					   : place->stamp[i] != name.s[i])
			return (struct str){ NULL, 0 };
	return str_from(name, n);
}
