#include "context/virtual_path.h"

#include <string.h>

#include "base/utf8.h"
#include "context/agents.h"

#define NOTES "/notes"

void
virtual_path_release(struct virtual_path *p)
{
	buf_release(&p->agent);
	buf_release(&p->relative);
}

void
virtual_path_canonical(struct buf *out, struct str agent, struct str relative)
{
	buf_add_str(out, agent);
	buf_adds(out, NOTES "/");
	buf_add_str(out, relative);
}

/* ---- rules ------------------------------------------------------------- */

static const char *
component_fault(struct str c)
{
	if (c.n == 0)
		return "a component is empty";
	if (c.n > 255)
		return "a component has at most 255 bytes";
	if (str_is(c, ".") || str_is(c, ".."))
		return "the components . and .. are not supported";
	if (str_starts(c, STR(VIRTUAL_PATH_TEMPORARY)))
		return "a component does not begin "
		       "with " VIRTUAL_PATH_TEMPORARY;
	for (size_t i = 0; i < c.n; i++)
		if ((unsigned char)c.s[i] < 0x20 || c.s[i] == 0x7f)
			return "a component holds no control characters";
	return NULL;
}

/*
 * The rule that the part below notes/ breaks, or NULL.  prefix: its last
 * component may be of part of a name, or nothing.
 */
static const char *
relative_fault(struct str relative, bool prefix)
{
	struct str rest = relative, c;
	const char *fault;
	size_t n = 0;
	bool more;

	do {
		more = str_has(rest, '/');
		c = str_cut(&rest, '/');
		if (!more && prefix && c.n == 0)
			break;
		fault = component_fault(c);
		if (fault != NULL)
			return fault;
		if (++n > VIRTUAL_PATH_COMPONENTS)
			return "a path has at most 64 components below notes/";
	} while (more);
	if (relative.n > VIRTUAL_PATH_BYTES)
		return "a path has at most 512 bytes below notes/";
	return NULL;
}

bool
virtual_path_is_legal(struct str relative)
{
	return relative_fault(relative, false) == NULL && utf8_valid(relative);
}

/* ---- parsing ----------------------------------------------------------- */

/*
 * Splits an absolute path at the first component `notes` after /root, which no
 * agent's name has.  The rest begins behind the slash after it; s is NULL
 * where there is none.
 */
static bool
split(struct str path, struct str *agent, struct str *rest)
{
	size_t i = 1, n;

	if (!str_starts(path, STR(AGENTS_ROOT "/")))
		return false;
	for (; i < path.n; i += n + 1) {
		n = str_until(str_from(path, i), '/').n;
		if (i == 1 || !str_is((struct str){ path.s + i, n }, "notes"))
			continue;
		*agent = (struct str){ path.s, i - 1 };
		*rest = i + n == path.n ? (struct str){ NULL, 0 }
					: str_from(path, i + n + 1);
		return true;
	}
	return false;
}

static int
refuse(struct str path, const char *what, const char *rule, struct fail *fail)
{
	struct buf quoted = BUF_INIT;

	fail_quote(&quoted, path);
	fail_refuse(fail, "bad_path", "%s is not a %s: %s", quoted.data, what,
		    rule);
	buf_release(&quoted);
	return -1;
}

static int
parse(struct virtual_path *p, struct str path, struct str current, bool prefix,
      struct fail *fail)
{
	const char *what = prefix ? "note path prefix" : "note path";
	struct str agent = current, relative = path;
	const char *rule;

	if (path.n > 0 && path.s[0] == '/') {
		if (!split(path, &agent, &relative))
			return refuse(path, what,
				      "an absolute path is "
				      "<agent_name>/notes/<path>; paths are "
				      "not those of the file system",
				      fail);
		rule = agents_fault(agent);
		if (rule != NULL)
			return refuse(path, what, rule, fail);
		if (relative.s == NULL && !prefix)
			return refuse(path, what,
				      "it names the notes folder, and a file "
				      "is needed",
				      fail);
	}
	rule = relative_fault(relative, prefix);
	if (rule != NULL)
		return refuse(path, what, rule, fail);
	buf_add_str(&p->agent, agent);
	buf_add_str(&p->relative, relative);
	return 0;
}

int
virtual_path_parse(struct virtual_path *p, struct str path, struct str current,
		   struct fail *fail)
{
	return parse(p, path, current, false, fail);
}

int
virtual_path_parse_prefix(struct virtual_path *p, struct str prefix,
			  struct str current, struct fail *fail)
{
	return parse(p, prefix, current, true, fail);
}
