#include "test.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/io.h"
#include "notes/store.h"

static char folder[] = "/tmp/test_store.XXXXXX";
static int home;

static void
put(const char *text)
{
	int fd = openat(home, ".ctx@stamp", O_WRONLY | O_CREAT | O_TRUNC, 0600);

	if (fd < 0 || io_write_all(fd, text, strlen(text)) != 0)
		abort();
	close(fd);
}

static void
file_is(const char *want)
{
	struct buf b = BUF_INIT;
	int fd = openat(home, ".ctx@stamp", O_RDONLY);

	io_read_all(fd, 1000, &b);
	close(fd);
	is_string(b.data, want, "what is in the file");
	buf_release(&b);
}

static void
next_is(const char *file, int64_t now, int64_t want, const char *name)
{
	put(file);
	is_int(store_stamp_next(home, now), want, name);
}

int
main(void)
{
	struct stat st;

	if (mkdtemp(folder) == NULL)
		abort();
	home = open(folder, O_RDONLY | O_DIRECTORY);

	is_int(store_stamp_next(home, 1000), 1000, "no stamp yet: the clock");
	ok(store_stamp_record(home, 1000) == 0, "taken");
	file_is("00000000000000001000\n");
	ok(fstatat(home, ".ctx@stamp", &st, 0) == 0 &&
		   (st.st_mode & 07777) == 0600,
	   "the file is 0600");
	is_int(store_stamp_next(home, 1000), 1001, "in the same millisecond");
	is_int(store_stamp_next(home, 900), 1001,
	       "after the clock was set back");
	is_int(store_stamp_next(home, 5000), 5000, "later");

	next_is("00000000000000061000\n", 1000, 61001,
		"60,000 ms ahead counts");
	next_is("00000000000000061001\n", 1000, 1000, "more does not");
	next_is("09223372036854775807\n", -5, -5,
		"the farthest stamp, and a clock before 1970");
	next_is("", 1000, 1000, "an empty file is ignored");
	next_is("1001\n", 1000, 1000, "a short one is");
	next_is("00000000000000001001", 1000, 1000, "no newline");
	next_is("00000000000000001001\n ", 1000, 1000, "a long one");
	next_is("0000000000000000100x\n", 1000, 1000, "no digits");
	next_is("99999999999999999999\n", 1000, 1000, "no number that fits");

	put("0000000000000000100x\nand more, much more than that\n");
	ok(store_stamp_record(home, 7) == 0, "a malformed file is mended");
	file_is("00000000000000000007\n");
	unlinkat(home, ".ctx@stamp", 0);
	ok(symlinkat("outside", home, ".ctx@stamp") == 0, "a link there");
	is_int(store_stamp_next(home, 5), 5, "is not read");
	ok(store_stamp_record(home, 8) == 0 &&
		   faccessat(home, "outside", F_OK, 0) != 0,
	   "nor written through");
	file_is("00000000000000000008\n");

	unlinkat(home, ".ctx@stamp", 0);
	close(home);
	rmdir(folder);
	return done();
}
