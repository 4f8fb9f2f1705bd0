/* File URIs as paths (spec/hosts.md section 7). */
#include "mcp/host_facts.h"

#include "test.h"

static const struct {
	const char *uri, *path; /* NULL: skipped */
} rows[] = {
	{ "file:///a/b", "/a/b" },
	{ "file:/a", "/a" },
	{ "FILE:///a", "/a" },
	{ "file://localhost/a", "/a" },
	{ "file://LOCALHOST/a", "/a" },
	{ "File://LocalHost/A", "/A" },
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

static const struct {
	const char *result, *root; /* NULL: none */
} answers[] = {
	{ "{\"roots\":5}", NULL },
	{ "[]", NULL },
	{ "", NULL },
	{ "{\"roots\":[{\"uri\":\"file:///no/such\"}]}", NULL },
	/* The first that is a directory. */
	{ "{\"roots\":[{\"uri\":\"file:///no/such\"},{\"name\":\"x\"},"
	  "{\"uri\":\"file:///\"},{\"uri\":\"file:///dev\"}]}",
	  "/" },
};

static void
test_set_roots(void)
{
	const struct facts given = { { NULL } };
	struct host_facts h = { .given = &given };
	size_t i;

	for (i = 0; i < sizeof(answers) / sizeof(answers[0]); i++) {
		host_facts_set_roots(&h, str_of(answers[i].result));
		ok(answers[i].root == NULL
			   ? h.root == NULL
			   : h.root != NULL &&
				     strcmp(h.root, answers[i].root) == 0,
		   "roots: %s", answers[i].result);
	}
	host_facts_release(&h);
}

int
main(void)
{
	struct buf path = BUF_INIT;
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		bool taken = host_facts_uri_path(str_of(rows[i].uri), &path);

		if (ok(taken == (rows[i].path != NULL), "%s", rows[i].uri) &&
		    taken)
			is_bytes(path.data, path.len, rows[i].path,
				 strlen(rows[i].path), rows[i].uri);
	}
	test_set_roots();
	buf_release(&path);
	return done();
}
