/* The windows of a transcript: spec/history.md section 7.1. */
#include "transcript/windows.h"

#include "test.h"

#define HEADER(version) \
	"{\"type\":\"session\",\"version\":" version ",\"id\":\"s\"}\n"
#define ENTRY(type, id, parent, more)                                   \
	"{\"type\":\"" type "\",\"id\":\"" id "\",\"parentId\":" parent \
	",\"timestamp\":\"" id "-time\"," more "}\n"
#define USER(id, parent)             \
	ENTRY("message", id, parent, \
	      "\"message\":{\"role\":\"user\",\"content\":\"x\"}")
#define MARKER(id, parent, window)                          \
	ENTRY("custom", id, parent,                         \
	      "\"customType\":\"pi-context/reset-marker\"," \
	      "\"data\":{\"windowId\":" window "}")
#define COMPACTION(id, parent, summary, kept) \
	ENTRY("compaction", id, parent,       \
	      "\"summary\":\"" summary "\","  \
	      "\"firstKeptEntryId\":\"" kept "\"")

static void
check(const char *name, const char *text, const char *want)
{
	struct buf got = BUF_INIT;
	struct windows w = { 0 };
	struct transcript t;

	if (hosts_open(&t, source_memory(str_of(text)), NULL,
		       (struct transcript_options){ 0 }) != TRANSCRIPT_OK ||
	    !transcript_select(&t, STR("")) ||
	    !windows_read(&w, &t, STR("pi:0123456789abc")))
		buf_adds(&got, "unreadable\n");
	for (size_t i = 0; i < w.n; i++) {
		const struct windows_row *row = &w.rows[i];

		buf_add_str(&got, buf_str(&row->id));
		buf_addf(&got, " %u-%u %u", (unsigned)row->first,
			 (unsigned)row->last, (unsigned)row->count);
		if (row->has_created_at)
			buf_addf(&got, " %s", row->created_at.data);
		buf_addc(&got, '\n');
	}
	if (w.total > w.n)
		buf_addf(&got, "of %zu\n", w.total);
	is_string(got.data, want, name);
	windows_release(&w);
	transcript_close(&t);
	buf_release(&got);
}

static void
test_boundaries(void)
{
	check("the first window always exists", HEADER("3"),
	      "pcw:01234567:root 0-0 0\n");
	check("a compaction's own event is the first of its window",
	      HEADER("3") USER("a", "null") COMPACTION("b", "\"a\"", "sum", "a")
		      USER("c", "\"b\""),
	      "pcw:01234567:root 1-1 1\npcw:01234567:b 2-3 2 b-time\n");
	check("a marker names its window, and has no event",
	      HEADER("3") USER("a", "null") MARKER("m", "\"a\"", "\"w 1\"")
		      USER("b", "\"m\""),
	      "pcw:01234567:root 1-1 1\nw 1 2-2 1 m-time\n");
	check("boundaries of other branches do not count",
	      HEADER("3") USER("a", "null") MARKER("m", "\"a\"", "\"w\"")
		      COMPACTION("k", "\"m\"", "s", "a") USER("b", "\"a\""),
	      "pcw:01234567:root 1-3 2\n");
	check("a window may have no events",
	      HEADER("3") MARKER("m", "null", "\"w\"")
		      MARKER("n", "\"m\"", "\"v\""),
	      "pcw:01234567:root 0-0 0\nw 0-0 0 m-time\nv 0-0 0 n-time\n");
	check("the other custom type; neither; a window id of another type",
	      HEADER("3") ENTRY("custom", "a", "null",
				"\"customType\":\"notesoup/reset-marker\","
				"\"data\":{\"windowId\":\"w\"}")
		      ENTRY("custom", "b", "\"a\"",
			    "\"customType\":\"notesoup/other\","
			    "\"data\":{\"windowId\":\"v\"}")
			      MARKER("c", "\"b\"", "17")
				      MARKER("d", "\"c\"", "\"\""),
	      "pcw:01234567:root 0-0 0\nw 0-0 0 a-time\n");
	check("version 1: a window is named after its line",
	      HEADER("1") USER("a", "9") "\n" COMPACTION("b", "9", "s", "a"),
	      "pcw:01234567:root 1-1 1\npcw:01234567:line-4 2-2 1 b-time\n");
	check("a pair lies where its call does",
	      HEADER("3") ENTRY("message", "a", "null",
				"\"message\":{\"role\":\"assistant\","
				"\"content\":[{\"type\":\"toolCall\","
				"\"id\":\"c\",\"name\":\"f\"}]}")
		      MARKER("m", "\"a\"", "\"w\"")
			      ENTRY("message", "r", "\"m\"",
				    "\"message\":{\"role\":\"toolResult\","
				    "\"toolCallId\":\"c\"}"),
	      "pcw:01234567:root 1-2 2\nw 0-0 0 m-time\n");
}

static void
test_checkpoints(void)
{
	check("the empty checkpoint of a marker is none (section 12)",
	      HEADER("3") USER("a", "null") COMPACTION("k", "\"a\"", "", "k")
		      MARKER("m", "\"k\"", "\"w\""),
	      "pcw:01234567:root 1-2 2\nw 0-0 0 m-time\n");
	check("one without its marker is a boundary",
	      HEADER("3") USER("a", "null") COMPACTION("k", "\"a\"", "", "k"),
	      "pcw:01234567:root 1-1 1\npcw:01234567:k 2-2 1 k-time\n");
	check("so is one that keeps something else",
	      HEADER("3") USER("a", "null") COMPACTION("k", "\"a\"", "", "a")
		      MARKER("m", "\"k\"", "\"w\""),
	      "pcw:01234567:root 1-1 1\npcw:01234567:k 2-2 1 k-time\n"
	      "w 0-0 0 m-time\n");
	check("and one that says something",
	      HEADER("3") USER("a", "null") COMPACTION("k", "\"a\"", "s", "k")
		      MARKER("m", "\"k\"", "\"w\""),
	      "pcw:01234567:root 1-1 1\npcw:01234567:k 2-2 1 k-time\n"
	      "w 0-0 0 m-time\n");
	check("and one whose marker is not its child",
	      HEADER("3") USER("a", "null") COMPACTION("k", "\"a\"", "", "k")
		      MARKER("m", "\"a\"", "\"w\"") USER("b", "\"k\""),
	      "pcw:01234567:root 1-1 1\npcw:01234567:k 2-3 2 k-time\n");
	check("and one with an entry before the marker",
	      HEADER("3") USER("a", "null") COMPACTION("k", "\"a\"", "", "k")
		      USER("b", "\"a\"") MARKER("m", "\"k\"", "\"w\""),
	      "pcw:01234567:root 1-1 1\npcw:01234567:k 2-2 1 k-time\n"
	      "w 0-0 0 m-time\n");
}

static void
test_window_ids(void)
{
	struct buf text = BUF_INIT, want = BUF_INIT;

	for (size_t n = 256; n <= 257; n++) {
		buf_reset(&text);
		buf_reset(&want);
		buf_adds(&text,
			 HEADER("3") "{\"type\":\"custom\",\"id\":\"m\","
				     "\"customType\":\"notesoup/reset-marker\","
				     "\"timestamp\":17,"
				     "\"data\":{\"windowId\":\"");
		buf_adds(&want, "pcw:01234567:root 0-0 0\n");
		for (size_t i = 0; i < n; i++) {
			buf_addc(&text, 'w');
			if (n == 256)
				buf_addc(&want, 'w');
		}
		buf_adds(&text, "\"}}\n");
		if (n == 256)
			buf_adds(&want, " 0-0 0\n");
		check(n == 256 ? "an id of 256 bytes" : "one of 257", text.data,
		      want.data);
	}
	buf_release(&text);
	buf_release(&want);
}

static void
test_many(void)
{
	struct buf text = BUF_INIT, want = BUF_INIT;

	for (unsigned n = 64; n <= 66; n++) {
		buf_reset(&text);
		buf_reset(&want);
		buf_adds(&text, HEADER("1"));
		buf_adds(&want, "pcw:01234567:root 0-0 0\n");
		for (unsigned i = 1; i < n; i++) {
			buf_addf(&text,
				 "{\"type\":\"custom\",\"customType\":"
				 "\"notesoup/reset-marker\","
				 "\"data\":{\"windowId\":\"w%u\"}}\n",
				 i);
			if (i > n - WINDOWS_MOST)
				buf_addf(&want, "w%u 0-0 0\n", i);
		}
		if (n > 64)
			buf_addf(&want, "of %u\n", n);
		check("the first window and the newest 63", text.data,
		      want.data);
	}
	buf_release(&text);
	buf_release(&want);
}

static void
test_absent(void)
{
	static const struct {
		const char *host;
		const char *session, *want;
	} rows[] = { { "pi", "pi:0123456789", "pcw:01234567:root" },
		     { "pi", "pi:01", "pcw:01:root" },
		     { "claude", "claude:x-y", "claude:x-y:0" },
		     { "codex", "codex:x", "codex:x:0" } };

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct windows w = { 0 };

		windows_absent(&w, hosts_find(str_of(rows[i].host)),
			       str_of(rows[i].session));
		ok(w.n == 1 && w.total == 1 && w.rows[0].count == 0 &&
			   !w.rows[0].has_created_at,
		   "without a transcript there is one empty window");
		is_string(w.rows[0].id.data, rows[i].want, "and its id");
		windows_release(&w);
	}
}

int
main(void)
{
	test_boundaries();
	test_checkpoints();
	test_window_ids();
	test_many();
	test_absent();
	return done();
}
