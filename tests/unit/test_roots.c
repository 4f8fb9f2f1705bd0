/* File URIs as paths (spec/hosts.md section 7). */
#include "mcp/roots.h"

#include "test.h"

static const struct {
	const char *uri, *path; /* NULL: skipped */
} rows[] = {
	{ "file:///a/b", "/a/b" },
	{ "file:/a", "/a" },
	{ "FILE:///a", "/a" },
	{ "file://localhost/a", "/a" },
	{ "file:///", "/" },
	{ "file:///a%20b%2Fc%c3%a9", "/a b/c\xc3\xa9" },
	{ "file:///a?query", "/a" },
	{ "file:///a#part", "/a" },
	{ "file://elsewhere/a", NULL },
	{ "file://localhost", NULL },
	{ "file://localhostx/a", NULL },
	{ "file:a", NULL },
	{ "file:", NULL },
	{ "file://", NULL },
	{ "file:///a%00", NULL },
	{ "file:///a%0a", NULL },
	{ "file:///a%", NULL },
	{ "file:///a%4", NULL },
	{ "file:///a%4g", NULL },
	{ "file:///%ff", NULL },
	{ "http:///a", NULL },
	{ "/a", NULL },
	{ "", NULL },
};

int
main(void)
{
	struct buf path = BUF_INIT;
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		bool taken = roots_path(str_of(rows[i].uri), &path);

		if (ok(taken == (rows[i].path != NULL), "%s", rows[i].uri) &&
		    taken)
			is_bytes(path.data, path.len, rows[i].path,
				 strlen(rows[i].path), rows[i].uri);
	}
	ok(!roots_directory(STR("{\"roots\":5}"), &path) &&
		   !roots_directory(STR("[]"), &path) &&
		   !roots_directory(STR(""), &path),
	   "roots of another shape are none");
	ok(roots_directory(STR("{\"roots\":[{\"uri\":\"file:///no/such\"},"
			       "{\"name\":\"x\"},{\"uri\":\"file:///\"}]}"),
			   &path) &&
		   strcmp(path.data, "/") == 0,
	   "the first that is a directory");
	buf_release(&path);
	return done();
}
