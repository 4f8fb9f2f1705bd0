/* When a session was last recorded to: by its records, not by its file. */
#include "sessions/recency.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/io.h"
#include "test.h"

#define MODIFIED INT64_C(1577836800) /* 2020-01-01T00:00:00Z */

static void
add_record(struct buf *file, const char *time)
{
	buf_addf(file, "{\"type\":\"label\",\"timestamp\":\"%s\"}\n", time);
}

/* Records without a time, at least n bytes of them. */
static void
add_untimed(struct buf *file, size_t n)
{
	size_t end = file->len + n;

	while (file->len < end)
		buf_addf(file, "{\"type\":\"title\",\"text\":\"%0500d\"}\n", 0);
}

static void
check(const char *name, const struct buf *text, int64_t want)
{
	char path[] = "/tmp/recency-XXXXXX";
	int fd = mkstemp(path);
	struct timespec times[2] = { { MODIFIED, 0 }, { MODIFIED, 0 } };
	struct corpus_file file = { .host = &host_table[0], .path = path };

	if (fd < 0 || io_write_all(fd, text->data, text->len) != 0 ||
	    futimens(fd, times) != 0)
		abort();
	close(fd);
	is_int(recency_of(&file), want * 1000, name);
	unlink(path);
}

static void
check_order(void)
{
	struct corpus_file files[] = {
		{ .host = &host_table[0], .id = (char[]){ "b" } },
		{ .host = &host_table[0], .id = (char[]){ "a" } },
		{ .host = &host_table[1], .id = (char[]){ "b" } }
	};
	struct recency r[] = { { 5, &files[0] },
			       { 5, &files[1] },
			       { 5, &files[2] },
			       { 6, &files[0] } };

	qsort(r, 4, sizeof(*r), recency_cmp);
	ok(r[0].ms == 6 && r[1].file == &files[1] && r[2].file == &files[2] &&
		   r[3].file == &files[0],
	   "newest first; then by id, then by host");
}

int
main(void)
{
	struct buf text = BUF_INIT;

	check("an empty file: its modification time", &text, MODIFIED);
	add_untimed(&text, 10);
	check("no record with a time: the same", &text, MODIFIED);

	/* cases.md row 10. */
	buf_reset(&text);
	add_record(&text, "2026-03-05T10:00:00Z");
	add_untimed(&text, 100);
	check("a record without a time changes nothing", &text, 1772704800);
	add_record(&text, "2026-03-05T08:00:00Z");
	add_record(&text, "yesterday");
	check("the greatest time, not the last", &text, 1772704800);
	buf_adds(&text, "{\"timestamp\":\"2026-03-06T10:00:00Z\"");
	check("not that of a torn line", &text, 1772704800);
	buf_addc(&text, '}');
	check("but that of a whole one without LF", &text, 1772791200);

	/* Times in several forms, and what only looks like one. */
	buf_reset(&text);
	add_record(&text, "2026-03-05T10:00:00.000Z");
	add_record(&text, "2026-03-05T09:59:59.999Z");
	check("times in the usual form", &text, 1772704800);
	add_record(&text, "2026-03-06T11:00:00.000+01:00");
	check("a greater one in another form", &text, 1772791200);
	add_record(&text, "2026-03-06T10:30:00.000Z");
	check("and the other way round", &text, 1772793000);
	add_record(&text, "2026-13-01T00:00:00.000Z");
	add_record(&text, "9999-99-99T99:99:99.999Z");
	check("what has that form and is no time changes nothing", &text,
	      1772793000);
	add_record(&text, "2026-03-06T10\\u003a40:00Z");
	check("one with an escape counts", &text, 1772793600);
	add_record(&text, "2026-03-06T10\\u003a50.000Z");
	add_record(&text, "20\\u0032-3-06T10:0.000Z");
	check("but not what it makes no time of", &text, 1772793600);
	buf_adds(&text, "{\"\\u0074imestamp\":\"2026-03-06T11:00:00.000Z\"}\n");
	check("a key with an escape is one", &text, 1772794800);
	buf_adds(&text, "{\"type\":\"x\",\"data\":{\"timestamp\":"
			"\"2026-03-07T10:00:00.000Z\"}}\n"
			"{\"timestamp\":\"2026-03-08T10:00:00.000Z\",}\n");
	check("neither what is deeper nor what is malformed", &text,
	      1772794800);

	/* The tail is looked at first, then ever more. */
	buf_reset(&text);
	add_record(&text, "2026-03-06T10:00:00Z");
	add_untimed(&text, 300000);
	check("a time far from the end is found", &text, 1772791200);
	add_record(&text, "2026-03-05T10:00:00Z");
	check("but what is in the tail goes before", &text, 1772704800);

	/* The tail is the last 65,536 bytes, and what begins there counts. */
	for (unsigned more = 0; more < 2; more++) {
		buf_reset(&text);
		add_record(&text, "2026-03-06T10:00:00Z");
		buf_addf(&text, "{\"type\":\"x\",\"text\":\"%0*d\"}\n",
			 (int)(65536 - 2 * text.len - 23 + more), 0);
		add_record(&text, "2026-03-05T10:00:00Z");
		is_int((intmax_t)text.len, 65536 + more, "bytes of the file");
		check(more == 0 ? "the greatest time of a tail"
				: "what is in front of it does not count",
		      &text, more == 0 ? 1772791200 : 1772704800);
	}

	/* A line that the tail begins in is not complete in it. */
	buf_reset(&text);
	add_record(&text, "2026-03-05T10:00:00Z");
	buf_addf(&text, "{\"type\":\"x\",\"text\":\"%0*d\",", 70000, 0);
	buf_adds(&text, "\"timestamp\":\"2026-03-06T10:00:00Z\"}\n");
	add_untimed(&text, 100);
	check("a line over the start of the tail is taken whole", &text,
	      1772791200);
	buf_release(&text);
	check_order();
	return done();
}
