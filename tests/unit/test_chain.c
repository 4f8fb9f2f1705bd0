/* Transcripts in several files: the source, and Codex's segments (2.5). */
#include "transcript/chain.h"

#include <zstd.h>

#include "base/xalloc.h"
#include "show_events.h"
#include "transcript/source_zstd.h"

/* ---- the source -------------------------------------------------------- */

/* All that it gives, `step` bytes at a time. */
static void
read_all(struct source *s, size_t step, struct buf *out)
{
	char bytes[16];
	long got;

	while ((got = source_read(s, bytes, step)) > 0)
		buf_add(out, bytes, (size_t)got);
}

static void
check_source(void)
{
	/* A byte order mark; in octal, as hexadecimal would go on with ab. */
	static const char *const files[] = { "\357\273\277ab\ncd", "", "ef\n",
					     "ghijk\n", "\n" };
	static const char want[] = "ab\ncd\nef\nghi\n\n";

	for (size_t step = 1; step < 7; step++) {
		struct chain c = { 0 };
		struct source *s;
		struct buf got = BUF_INIT;
		char at[4] = "";

		for (size_t i = 0; i < 5; i++)
			chain_add(&c, source_memory(str_of(files[i])));
		c.v[3].limit = 3;
		s = chain_source(&c);
		read_all(s, step, &got);
		is_string(got.data, want, "each file begins on its own line");
		source_rewind(s, 0);
		buf_reset(&got);
		read_all(s, step, &got);
		is_string(got.data, want, "and again from the start");
		ok(source_read_at(s, 6, at, 2) && strcmp(at, "ef") == 0,
		   "a place in it");
		ok(source_read_at(s, 9, at, 3) && strcmp(at, "ghi") == 0,
		   "up to where the file ends for us");
		ok(!source_read_at(s, 9, at, 4), "and not behind");
		ok(chain_find(&c, 0) == 0 && chain_find(&c, 4) == 0 &&
			   chain_find(&c, 6) == 2 && chain_find(&c, 11) == 3 &&
			   chain_find(&c, 13) == 4,
		   "which file a place is in");
		ok(chain_position(&c.v[0], 3) == 6, "a mark counts in a file");
		source_close(s);
		chain_release(&c);
		buf_release(&got);
	}
}

/* ---- Codex ------------------------------------------------------------- */

#define SAY(role, text)                                                  \
	"{\"type\":\"response_item\",\"payload\":{\"type\":\"message\"," \
	"\"role\":\"" role "\",\"content\":\"" text "\"}}\n"
#define META "{\"type\":\"session_meta\",\"payload\":{\"id\":\"s\"}}\n"
#define BACK(n)                                                          \
	"{\"type\":\"event_msg\",\"payload\":{\"type\":\"thread_rolled_" \
	"back\",\"num_turns\":" n "}}\n"
#define SAID(kind, text)                                                      \
	"{\"type\":\"event_msg\",\"payload\":{\"type\":\"" kind "_message\"," \
	"\"message\":\"" text "\"}}\n"

/* A file of a chain: what it is, where it is cut, and how much there is. */
struct piece {
	const char *text;
	const char *cut;   /* up to here it is on the way; NULL: none of it */
	const char *limit; /* up to here it exists; NULL: all */
	int off;	   /* the cut is so many bytes further */
};

static uint64_t
end_of(const char *text, const char *part)
{
	return (uint64_t)(strstr(text, part) - text) + strlen(part);
}

/* The way goes through the files in their order. */
static void
check_chain(const char *name, const char *want, const struct piece *pieces,
	    size_t n)
{
	struct transcript_options options = { 0 };
	struct chain c = { 0 };
	struct transcript t;
	struct buf got = BUF_INIT;

	for (size_t i = 0; i < n; i++) {
		const struct piece *from = &pieces[i];
		struct chain_piece *p = chain_add(
			&c, source_memory(str_of(from->text)));

		if (from->limit != NULL)
			p->limit = end_of(from->text, from->limit) +
				   (uint64_t)from->off;
		if (from->cut == NULL)
			continue;
		p->cut = *from->cut == '\0' ? CHAIN_ALL
					    : end_of(from->text, from->cut) +
						      (uint64_t)from->off;
		chain_step(&c, i);
	}
	options.chain = &c;
	if (hosts_open(&t, chain_source(&c), hosts_find(STR("codex")),
		       options) == TRANSCRIPT_OK)
		show_transcript(&t, "", &got);
	is_string(got.data, want, name);
	transcript_close(&t);
	chain_release(&c);
	buf_release(&got);
}

#define CHECK(name, want, ...)                                         \
	check_chain(name, want, (const struct piece[]){ __VA_ARGS__ }, \
		    sizeof((const struct piece[]){ __VA_ARGS__ }) /    \
			    sizeof(struct piece))

#define FIRST                                                        \
	META SAY("user", "a") SAY("assistant", "b") SAY("user", "c") \
		SAY("assistant", "d")

static void
check_segments(void)
{
	struct buf alone = BUF_INIT;

	show_events(NULL, STR(FIRST), "", &alone);
	CHECK("a chain of one file is that file", alone.data,
	      { FIRST, "", NULL, 0 });
	buf_release(&alone);
	CHECK("a rewind: what is behind the cut keeps its seqs, off the branch",
	      "1 user \"a\"\n2 assistant \"b\"\n3 off\n4 off\n5 user \"e\"\n",
	      { FIRST, SAY("assistant", "b"), NULL, 0 },
	      { META SAY("user", "e"), "", NULL, 0 });
	CHECK("a record that the cut goes through lies behind it",
	      "1 user \"a\"\n2 assistant \"b\"\n3 off\n4 off\n5 user \"e\"\n",
	      { FIRST, SAY("assistant", "b"), NULL, 20 },
	      { META SAY("user", "e"), "", NULL, 0 });
	CHECK("one without its line feed is whole",
	      "1 user \"a\"\n2 assistant \"b\"\n3 off\n4 off\n5 user \"e\"\n",
	      { FIRST, SAY("assistant", "b"), NULL, -1 },
	      { META SAY("user", "e"), "", NULL, 0 });
	CHECK("a segment that a later rewind left has seqs, too",
	      "1 user \"a\"\n2 assistant \"b\"\n3 off\n4 off\n5 off\n"
	      "6 user \"f\"\n",
	      { FIRST, SAY("assistant", "b"), NULL, 0 },
	      { META SAY("user", "e"), NULL, NULL, 0 },
	      { META SAY("user", "f"), "", NULL, 0 });
	CHECK("of another thread's file only what we continue exists",
	      "1 user \"a\"\n2 assistant \"b\"\n3 user \"e\"\n",
	      { FIRST, SAY("assistant", "b"), SAY("assistant", "b"), 0 },
	      { META SAY("user", "e"), "", NULL, 0 });
	CHECK("what the end cuts of it is not a malformed line",
	      "1 user \"a\"\n2 assistant \"b\"\n3 user \"e\"\n",
	      { FIRST, SAY("assistant", "b"), SAY("assistant", "b"), 20 },
	      { META SAY("user", "e"), "", NULL, 0 });
	CHECK("a torn line in the middle of a chain is one",
	      "1 user \"a\"\n2 user \"e\"\nskipped 1\n",
	      { META SAY("user", "a") "{\"type\":\"resp", "", NULL, 0 },
	      { META SAY("user", "e"), "", NULL, 0 });
	CHECK("a rollback reaches into the file before",
	      "1 user \"a\"\n2 assistant \"b\"\n3 off\n4 off\n5 off\n"
	      "6 user \"f\"\n",
	      { FIRST, "", NULL, 0 },
	      { META SAY("user", "e") BACK("2") SAY("user", "f"), "", NULL,
		0 });
	CHECK("one behind the cut does nothing",
	      "1 user \"a\"\n2 assistant \"b\"\n3 user \"e\"\n",
	      { META SAY("user", "a") SAY("assistant", "b") BACK("1"),
		SAY("assistant", "b"), NULL, 0 },
	      { META SAY("user", "e"), "", NULL, 0 });
	CHECK("each file has its own log of what is said",
	      "1 user \"a\"\n2 assistant \"b\"\n3 user \"c\"\n"
	      "4 assistant \"d\"\n",
	      { META SAID("user", "a") SAID("agent", "b"), "", NULL, 0 },
	      { META SAID("user", "x") SAY("user", "c") SAID("user", "c")
			SAY("assistant", "d"),
		"", NULL, 0 });
	CHECK("a byte order mark, and NULs, in front of a file",
	      "1 user \"a\"\n2 user \"e\"\n",
	      { "\xef\xbb\xbf" META SAY("user", "a"), SAY("user", "a"), NULL,
		0 },
	      { "\xef\xbb\xbf" META SAY("user", "e"), "", NULL, 0 });
}

/* A base that zstd has packed, cut where the text is. */
static void
check_packed(void)
{
	static const char text[] = FIRST;
	size_t room = ZSTD_compressBound(sizeof(text)), n;
	char *packed = xmalloc(room);
	struct transcript_options options = { 0 };
	struct chain c = { 0 };
	struct transcript t;
	struct buf got = BUF_INIT;

	n = ZSTD_compress(packed, room, text, sizeof(text) - 1, 1);
	chain_add(&c, source_zstd(source_memory((struct str){ packed, n }),
				  SOURCE_ZSTD_KEPT));
	c.v[0].cut = c.v[0].limit = end_of(text, SAY("assistant", "b"));
	chain_add(&c, source_memory(STR(META SAY("user", "e"))));
	c.v[1].cut = CHAIN_ALL;
	chain_step(&c, 0);
	chain_step(&c, 1);
	options.chain = &c;
	if (hosts_open(&t, chain_source(&c), NULL, options) == TRANSCRIPT_OK)
		show_transcript(&t, "", &got);
	is_string(got.data, "1 user \"a\"\n2 assistant \"b\"\n3 user \"e\"\n",
		  "offsets are those of the text, not of what is packed");
	transcript_close(&t);
	chain_release(&c);
	buf_release(&got);
	free(packed);
}

int
main(void)
{
	check_source();
	check_segments();
	check_packed();
	return done();
}
