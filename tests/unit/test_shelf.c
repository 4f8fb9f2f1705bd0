/* Shelves of notes: spec/history.md section 7.2. */
#include "notes/shelf.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/io.h"
#include "base/tree.h"
#include "base/xalloc.h"
#include "test.h"

/* ---- titles ------------------------------------------------------------ */

#define FORTY "1234567890123456789012345678901234567890"

static void
test_titles(void)
{
	static const struct {
		const char *body, *title, *name;
	} rows[] = {
		{ "", "", "an empty body" },
		{ " \n\t\r\n\v\f", "", "a blank one" },
		{ "one\ntwo", "one", "the first line" },
		{ "\n\n  one \r\n", "one", "that is not blank, trimmed" },
		{ "a\n# b\n# c\n", "b", "the first heading comes before it" },
		{ "a\n###### b", "b", "six" },
		{ "a\n####### b", "a", "seven are none" },
		{ "a\n#b", "a", "nor is one without white space" },
		{ "a\n# \t \n## b", "b", "nor is one that says nothing" },
		{ "a\n #\tb", "a", "nor one that is indented" },
		{ "#\tb\r\n", "b", "a tab is white space" },
		{ "# b # c #\n", "b # c #", "what is said stays" },
		{ "```sh\n# a\n```\n# b\n", "b", "fenced code has none" },
		{ "a\n~~~\n# b\n```\n# c\n~~~ \n# d", "d",
		  "until it is closed by its own mark" },
		{ "a\n````\n# b\n```\n# c\n`````\n# d", "d",
		  "of that many or more" },
		{ "a\n```\n# b\n``` c\n# d", "a",
		  "which stand alone; what is never closed goes on" },
		{ "a\n   ```\n# b\n   ```\n# c", "c",
		  "a fence may be indented by three" },
		{ "a\n    ```\n# b", "b", "four are not a fence" },
		{ "``` a`b\n# c", "c", "nor is code within a line" },
		{ "``\n# c", "c", "nor are two" },
		{ "```\n# b\n```", "```", "the first line is what it is" },
		{ FORTY, FORTY, "forty characters" },
		{ FORTY "x", FORTY "…", "one more" },
		{ "# " FORTY "  \n", FORTY, "blanks do not count" },
		{ "\xff\xfe", "\xef\xbf\xbd\xef\xbf\xbd", "bytes" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct buf title = BUF_INIT;

		shelf_title(&title, str_of(rows[i].body));
		is_string(title.data, rows[i].title, rows[i].name);
		buf_release(&title);
	}
}

/* Characters of four bytes, more of them than are shown. */
static void
test_wide_titles(void)
{
	struct buf body = BUF_INIT, want = BUF_INIT, title = BUF_INIT;

	for (int i = 0; i < 60; i++) {
		buf_adds(&body, "\xf0\x9f\x98\x80");
		if (i < SHELF_TITLE_CHARS)
			buf_adds(&want, "\xf0\x9f\x98\x80");
	}
	buf_adds(&want, "…");
	shelf_title(&title, buf_str(&body));
	is_string(title.data, want.data, "a title is cut between characters");
	buf_release(&body);
	buf_release(&want);
	buf_release(&title);
}

/* ---- shelves ----------------------------------------------------------- */

struct store {
	struct identity who;
	char folder[32];
	int root;
};

static void
store_begin(struct store *s)
{
	*s = (struct store){ .folder = "/tmp/test_shelf_XXXXXX" };
	if (mkdtemp(s->folder) == NULL)
		abort();
	s->who = (struct identity){ .root = xstrdup(s->folder),
				    .session = xstrdup("s"),
				    .agent = xstrdup("ana"),
				    .model = xstrdup("m"),
				    .directory = xstrdup("/x"),
				    .project = xstrdup("x-1") };
	s->root = open(s->folder, O_RDONLY | O_DIRECTORY);
}

static void
store_end(struct store *s)
{
	struct buf command = BUF_INIT;

	close(s->root);
	buf_addf(&command, "rm -rf %s", s->folder);
	if (system(command.data) != 0)
		abort();
	buf_release(&command);
	identity_release(&s->who);
}

/* A note of day `day`, with a body of so many bytes more and an end. */
static void
put(struct store *s, const char *folder, const char *name, int day,
    const char *body, size_t more, const char *end)
{
	struct buf text = BUF_INIT;
	int dir = tree_make(s->root, folder, NULL), fd;

	buf_addf(&text, "---\nupdatedAt: 2026-01-%02d\n---\n\n%s", day, body);
	while (more-- > 0)
		buf_addc(&text, 'x');
	buf_adds(&text, end);
	fd = openat(dir, name, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	if (fd < 0 || io_write_all(fd, text.data, text.len) != 0)
		abort();
	close(fd);
	close(dir);
	buf_release(&text);
}

/* The shelves in short: label, map and its length, notes and their titles. */
static void
check(struct store *s, size_t titles, const char *want, const char *name)
{
	struct shelves shelves = { 0 };
	struct buf got = BUF_INIT;

	shelves_read(&shelves, &s->who, titles);
	for (size_t i = 0; i < shelves.n; i++) {
		const struct shelf *shelf = &shelves.v[i];

		buf_adds(&got, shelf->home.label);
		if (shelf->has_map)
			buf_addf(&got, " map %zu of %zu", shelf->map.len,
				 shelf->map_total_chars);
		for (size_t k = 0; k < shelf->n; k++)
			buf_addf(&got, " %s=%s", shelf->notes[k].address,
				 k < titles ? shelf->notes[k].title.data : "?");
		buf_adds(&got, shelf->unavailable ? " failed\n" : "\n");
	}
	is_string(got.data, want, name);
	shelves_release(&shelves);
	buf_release(&got);
}

static void
test_shelves(void)
{
	struct store s;

	store_begin(&s);
	check(&s, 3, "session\n@project\n@self\n@model\n@human\n",
	      "no home is there");
	put(&s, "pi/session/s", "a.md", 1, "# A", 0, "");
	put(&s, "pi/session/s", "b.md", 3, "# B", 0, "");
	put(&s, "pi/session/s", "c.md", 2, "# C", 0, "");
	put(&s, "pi/session/s/d", "MAP.md", 4, "# D", 0, "");
	put(&s, "project/x-1", "MAP.md", 1, "map", 0, "");
	put(&s, "agents/ana", "map.md", 1, "no map", 0, "");
	put(&s, "agents/bob", "x.md", 1, "of another", 0, "");
	check(&s, 3,
	      "session d/MAP.md=D b.md=B c.md=C a.md=?\n"
	      "@project map 3 of 3\n@self @self/map.md=no map\n"
	      "@model\n@human\n",
	      "the newest first, MAP.md at the top apart");
	free(s.who.session);
	s.who.session = NULL;
	check(&s, 3,
	      "@project map 3 of 3\n@self @self/map.md=no map\n"
	      "@model\n@human\n",
	      "without a session there is no such shelf");
	store_end(&s);
}

/* Notes of which more is to be read than their front matter takes. */
static void
test_large_notes(void)
{
	struct store s;

	store_begin(&s);
	put(&s, "human", "MAP.md", 1, "", 70000, "\n");
	put(&s, "human", "a.md", 2, "first\n", 5000, "\n# the heading\n");
	put(&s, "human", "b.md", 1, "", 4096, "");
	check(&s, 1,
	      "session\n@project\n@self\n@model\n"
	      "@human map 4096 of 70001 @human/a.md=the heading "
	      "@human/b.md=?\n",
	      "a large map is cut, a large note read for its title");
	check(&s, 2,
	      "session\n@project\n@self\n@model\n"
	      "@human map 4096 of 70001 @human/a.md=the heading "
	      "@human/b.md=xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…\n",
	      "as many as are asked for");
	store_end(&s);
}

static void
test_failures(void)
{
	struct store s;

	store_begin(&s);
	put(&s, "human", "a.md", 1, "a", 0, "");
	if (mkdirat(s.root, "models", 0700) != 0 ||
	    symlinkat("../human", s.root, "models/m") != 0)
		abort();
	check(&s, 1,
	      "session\n@project\n@self\n@model failed\n"
	      "@human @human/a.md=a\n",
	      "a home that is a link is unavailable, the others are there");
	free(s.who.root);
	s.who.root = xstrdup("/dev/null");
	check(&s, 1,
	      "session failed\n@project failed\n@self failed\n@model failed\n"
	      "@human failed\n",
	      "a root that is not a directory");
	free(s.who.root);
	s.who.root = xstrdup("/none");
	check(&s, 1, "session\n@project\n@self\n@model\n@human\n",
	      "a root that is not there is empty");
	store_end(&s);
}

int
main(void)
{
	test_titles();
	test_wide_titles();
	test_shelves();
	test_large_notes();
	test_failures();
	return done();
}
