#include "test.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/utf8.h"
#include "notes/project.h"

static void
key_is(struct str root, const char *want)
{
	struct buf b = BUF_INIT;

	project_key(&b, root);
	is_string(b.data, want, want);
	buf_release(&b);
}

/* Only what stands before the hash. */
static void
name_is(struct str root, const char *want)
{
	struct buf b = BUF_INIT;

	project_key(&b, root);
	buf_truncate(&b, b.len - 9);
	is_string(b.data, want, want);
	buf_release(&b);
}

static void
test_long_names(void)
{
	struct buf root = BUF_INIT, key = BUF_INIT;
	int i;

	buf_addc(&root, '/');
	for (i = 0; i < 199; i++)
		buf_addc(&root, 'a');
	buf_adds(&root, "\xc3\xa9zz");
	project_key(&key, buf_str(&root));
	ok(key.len == 199 + 9 && utf8_valid(buf_str(&key)),
	   "a name is cut to 200 bytes at a code point boundary");
	buf_release(&root);
	buf_release(&key);
}

/* ---- roots ------------------------------------------------------------- */

static char folder[] = "/tmp/test_project.XXXXXX";

static void
make(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	if (f == NULL || fputs(text, f) < 0 || fclose(f) != 0)
		abort();
}

/* directory and want are relative to the folder. */
static void
root_is(const char *directory, const char *want, const char *name)
{
	struct buf in = BUF_INIT, out = BUF_INIT, full = BUF_INIT;

	buf_addf(&in, "%s%s", folder, directory);
	buf_addf(&full, "%s%s", folder, want);
	project_root(&out, buf_str(&in));
	is_string(out.data, full.data, name);
	buf_release(&in);
	buf_release(&out);
	buf_release(&full);
}

static void
test_roots(void)
{
	mkdir("main", 0700);
	mkdir("main/.git", 0700);
	mkdir("main/sub", 0700);
	root_is("/main/sub/missing", "/main", "the nearest .git up the path");
	root_is("/none/x", "/none/x", "no .git: the directory itself");

	mkdir("tree", 0700);
	make("tree/.git", "x: y\ngitdir: \t../main/.git/worktrees/tree \r\n");
	root_is("/tree/deep", "/main",
		"a linked worktree is its main checkout");
	mkdir("module", 0700);
	make("module/.git", "gitdir: ../main/.git/modules/module\n");
	root_is("/module", "/module", "a submodule is itself");
	make("module/.git", "gitdir: ../bare/worktrees/x\n");
	root_is("/module", "/module",
		"a worktree of a bare repository is itself");
	make("module/.git", "gitdir:\ngitdir: ../main/.git/worktrees/x\n");
	root_is("/module", "/module", "only the first gitdir line counts");
	make("module/.git", "nothing");
	root_is("/module", "/module", "a malformed file");
	make("module/.git", "");
	root_is("/module", "/module", "an empty file");
	unlink("module/.git");
	if (symlink("../tree/.git", "module/.git") != 0)
		abort();
	root_is("/module", "/module", "a link to a file that would count");
	unlink("module/.git");
	if (symlink("../main/.git", "module/.git") != 0)
		abort();
	root_is("/module", "/module", "a link to a directory");
	unlink("module/.git");
	mkfifo("module/.git", 0600);
	root_is("/module", "/module", "a FIFO does not hang it");

	mkdir("long", 0700);
	make("long/.git", "gitdir: ../main/.git/worktrees/x\n");
	if (truncate("long/.git", 4096) == 0)
		root_is("/long", "/main", "4,096 bytes are read");
	if (truncate("long/.git", 4097) == 0)
		root_is("/long", "/long", "4,097 are not");
}

int
main(void)
{
	char command[64];

	/* spec/notes.md section 1.2 */
	key_is(STR("/srv/shop-api"), "shop-api-17b5613d");
	key_is(STR("/home/ana/My Site"), "My Site-73160b07");
	key_is(STR("/data/x"), "x-ed66d30a");
	key_is(STR("/"), "-42099b4a");
	name_is(STR("/x/a\tb\\c\x7f\xc2\x85.d"), "a_b_c__.d");
	name_is(STR("/x/\xff\xc3(\xe2\x82"), "__(__");
	name_is(STR("/x/\xc3\xa9t\xc3\xa9"), "\xc3\xa9t\xc3\xa9");
	test_long_names();

	if (mkdtemp(folder) == NULL || chdir(folder) != 0)
		abort();
	test_roots();
	snprintf(command, sizeof(command), "rm -rf %s", folder);
	ok(system(command) == 0, "the folder is removed");
	return done();
}
