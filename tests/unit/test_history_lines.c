#include "transcript/lines.h"

#include "base/buf.h"
#include "test.h"

/* A source that gives a few bytes at a time, as pipes and disks may. */
struct drops {
	struct source base;
	struct str bytes;
	size_t position, most;
};

static long
drops_read(struct source *s, void *p, size_t n)
{
	struct drops *d = (struct drops *)s;

	if (n > d->most)
		n = d->most;
	if (n > d->bytes.n - d->position)
		n = d->bytes.n - d->position;
	memcpy(p, d->bytes.s + d->position, n);
	d->position += n;
	return (long)n;
}

/* All lines, each as number@offset:text; - for blank, ! for too long. */
static void
show(struct source *source, size_t longest, struct buf *out)
{
	struct lines lines;
	struct line line;

	lines_init(&lines, source, longest);
	while (lines_next(&lines, &line) > 0) {
		buf_addf(out, "%d@%d:", (int)line.number, (int)line.offset);
		buf_add_str(out, line.text);
		buf_adds(out, line.blank ? "-" : "");
		buf_adds(out, line.too_long ? "!" : "");
		buf_addc(out, '|');
	}
	lines_release(&lines);
}

static void
check(const char *name, const char *text, size_t longest, const char *want)
{
	static const struct source_ops ops = { .read = drops_read };
	struct source *memory = source_memory(str_of(text));
	struct buf got = BUF_INIT;

	show(memory, longest, &got);
	is_string(got.data, want, name);
	source_close(memory);
	for (size_t most = 1; most < 4; most++) {
		struct drops drops = { { .ops = &ops }, str_of(text), 0, most };

		buf_reset(&got);
		show(&drops.base, longest, &got);
		ok(strcmp(got.data, want) == 0, "%s, %zu bytes at a time", name,
		   most);
	}
	buf_release(&got);
}

/* What a power cut leaves in front of a line that was written later. */
static void
check_nuls(void)
{
	static const char text[] = "a\n\0\0bc\n\0 \n\0\0\0\nd\0\n\0";
	struct source *source = source_memory(
		(struct str){ text, sizeof(text) - 1 });
	struct buf got = BUF_INIT;
	struct lines lines;
	struct line line;
	unsigned nuls = 0;

	lines_init(&lines, source, LINES_LONGEST);
	while (lines_next(&lines, &line) > 0) {
		buf_addf(&got, "%d@%d:%d%s%s|", (int)line.number,
			 (int)line.offset, (int)line.text.n,
			 line.nuls ? " 0" : "", line.blank ? "-" : "");
		nuls += line.nuls;
	}
	is_string(got.data,
		  "1@0:1|2@4:2 0|3@8:1 0-|4@13:0 0-|5@14:2|6@18:0 0-|",
		  "NULs in front of a line are not of its text");
	is_int(nuls, 4, "but are told of");
	lines_release(&lines);
	source_close(source);
	buf_release(&got);
}

/* Lines longer than blocks, and many of them. */
static void
check_blocks(void)
{
	struct buf text = BUF_INIT;
	struct source *source;
	struct lines lines;
	struct line line;
	size_t n = 0;
	bool good = true;

	for (size_t i = 0; i < 12; i++) {
		for (size_t k = 0; k < (i % 4) * 150000 + i; k++)
			buf_addc(&text, (char)('a' + k % 26));
		buf_addc(&text, '\n');
	}
	source = source_memory(buf_str(&text));
	lines_init(&lines, source, LINES_LONGEST);
	for (; lines_next(&lines, &line) > 0; n++)
		good = good && line.text.n == (n % 4) * 150000 + n &&
		       (line.text.n == 0 ||
			memcmp(line.text.s, text.data + line.offset,
			       line.text.n) == 0);
	ok(good && n == 12, "lines longer than a block are whole");
	lines_release(&lines);
	source_close(source);
	buf_release(&text);
}

int
main(void)
{
	check("no line", "", 9, "");
	check("one line", "ab\n", 9, "1@0:ab|");
	check("a last line without LF", "ab\ncd", 9, "1@0:ab|2@3:cd|");
	check("empty and blank lines", "\n \t\r\nx\n\n", 9,
	      "1@0:-|2@1: \t\r-|3@5:x|4@7:-|");
	check("as long as may be", "abcd\nabcd", 4, "1@0:abcd|2@5:abcd|");
	check("too long", "abcde\nx\n", 4, "1@0:!|2@6:x|");
	check("too long, at the end", "x\nabcdefghi", 4, "1@0:x|2@2:!|");
	check("too long, and blank", "       \nx", 4, "1@0:-!|2@8:x|");
	check("too long twice", "abcdef\nabcdef\n\n", 4, "1@0:!|2@7:!|3@14:-|");
	check("a byte order mark at the very start, and nowhere else",
	      "\xef\xbb\xbf"
	      "ab\n\xef\xbb\xbf"
	      "cd",
	      9,
	      "1@3:ab|2@6:\xef\xbb\xbf"
	      "cd|");
	check_nuls();
	check_blocks();
	return done();
}
