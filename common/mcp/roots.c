#include "mcp/roots.h"

#include <sys/stat.h>

#include "base/json_span.h"
#include "base/utf8.h"
#include "mcp/call_facts.h"

static int
hex(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

static bool
is_scheme(struct str s)
{
	static const char file[] = "file";
	size_t i;

	if (s.n < 5 || s.s[4] != ':')
		return false;
	for (i = 0; i < 4; i++)
		if ((s.s[i] | 0x20) != file[i])
			return false;
	return true;
}

/* What follows scheme and host; empty when the host is another machine. */
static struct str
path_part(struct str uri)
{
	struct str rest = str_from(uri, 5);

	if (!str_starts(rest, STR("//")))
		return rest;
	rest = str_from(rest, 2);
	if (str_starts(rest, STR("localhost/")))
		return str_from(rest, 9);
	return rest;
}

bool
roots_path(struct str uri, struct buf *path)
{
	struct str rest;
	size_t i;
	int c;

	buf_reset(path);
	if (!is_scheme(uri))
		return false;
	rest = path_part(uri);
	if (rest.n == 0 || rest.s[0] != '/')
		return false;
	for (i = 0; i < rest.n && rest.s[i] != '?' && rest.s[i] != '#'; i++) {
		c = (unsigned char)rest.s[i];
		if (c == '%') {
			if (i + 2 >= rest.n || hex(rest.s[i + 1]) < 0 ||
			    hex(rest.s[i + 2]) < 0)
				return false;
			c = hex(rest.s[i + 1]) * 16 + hex(rest.s[i + 2]);
			i += 2;
		}
		if (c < 0x20 || c == 0x7f)
			return false;
		buf_addc(path, (char)c);
	}
	return path->len <= CALL_FACTS_PATH_MAX && utf8_valid(buf_str(path));
}

bool
roots_directory(struct str result, struct buf *path)
{
	struct str roots = json_get(result, "roots"), root;
	struct json_iter it = json_iterate(roots);
	struct buf uri = BUF_INIT;
	struct stat st;
	bool found = false;

	while (!found && json_next_element(&it, &root)) {
		buf_reset(&uri);
		json_decode(json_get(root, "uri"), &uri);
		found = roots_path(buf_str(&uri), path) &&
			stat(path->data, &st) == 0 && S_ISDIR(st.st_mode);
	}
	buf_release(&uri);
	return found;
}
