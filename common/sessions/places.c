#include "sessions/places.h"

#include "base/path.h"
#include "tool/facts.h"

bool
place_roots(const struct host *host, place_add_root *add, void *ctx)
{
	struct buf path = BUF_INIT;
	const struct host_root *root = host->roots;
	bool any = false, by_variable = false;

	for (; root->below != NULL && !by_variable; root++) {
		const char *directory =
			root->variable == NULL ? facts_home_directory()
					       : facts_variable(root->variable);

		by_variable = root->variable != NULL && directory != NULL;
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

static void
ignore_root(void *ctx, struct str root)
{
	(void)ctx;
	(void)root;
}

bool
place_has_roots(void)
{
	for (const struct host *host = host_table; host->name != NULL; host++)
		if (place_roots(host, ignore_root, NULL))
			return true;
	return false;
}

/* ---- patterns ---------------------------------------------------------- */

static bool
segment_fits(struct str pattern, struct str segment)
{
	struct str before = str_until(pattern, '*'), after;

	if (before.n == pattern.n)
		return str_eq(pattern, segment);
	after = str_from(pattern, before.n + 1);
	return segment.n >= before.n + after.n && str_starts(segment, before) &&
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
			same = segment_fits(str_cut(&pattern, '/'),
					    str_cut(&rest, '/'));
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

bool
place_ends(const char *const *patterns, struct str stem)
{
	for (; *patterns != NULL; patterns++) {
		const char *const one[] = { *patterns, NULL };
		size_t start = stem.n, segments = 1;

		for (const char *p = *patterns; *p != '\0'; p++)
			segments += *p == '/';
		for (; start > 0; start--)
			if (stem.s[start - 1] == '/' && --segments == 0)
				break;
		if (fits(one, str_from(stem, start), false))
			return true;
	}
	return false;
}

bool
place_names(const char *const *patterns, struct str name)
{
	for (; *patterns != NULL; patterns++)
		if (segment_fits(path_last(str_of(*patterns)), name))
			return true;
	return false;
}

struct str
place_stem(const struct host *host, struct str path)
{
	static const struct str extension = { ".jsonl", sizeof(".jsonl") - 1 };

	if (host->packed && str_ends(path, STR(".zst")))
		path.n -= sizeof(".zst") - 1;
	if (!str_ends(path, extension))
		return (struct str){ NULL, 0 };
	path.n -= extension.n;
	return path;
}
