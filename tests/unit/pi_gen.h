#ifndef PI_GEN_H
#define PI_GEN_H

/*
 * Makes a Pi transcript from a seed, and keeps beside it what its events are:
 * an account of the same conversation that is not derived from the bytes.
 */
#include <inttypes.h>

#include "base/buf.h"
#include "base/utf8.h"
#include "base/xalloc.h"
#include "test.h"

struct gen_event {
	uint32_t seq;
	int role; /* 0 user, 1 assistant, 2 tool, 3 context */
	int64_t time_ms;
	struct buf document;
};

struct gen {
	uint64_t state;
	struct buf file;
	struct gen_event *events; /* on the branch, ascending */
	size_t n, cap;
	uint32_t seq; /* the last one given */
	unsigned id;  /* of the last entry */
	int64_t now;  /* its time */
	unsigned skipped;
	uint32_t *hidden; /* seqs that are no events */
	size_t n_hidden, cap_hidden;
};

static unsigned
gen_pick(struct gen *g, unsigned n)
{
	return (unsigned)(test_random(&g->state) >> 33) % n;
}

/* One word: as JSON and as it reads. */
static void
gen_word(struct gen *g, struct buf *json, struct buf *plain)
{
	static const char *const words[][2] = {
		{ "retry", "retry" },
		{ "Stra\\u00dfe", "Straße" },
		{ "café", "café" },
		{ "\\ud83d\\ude00", "😀" },
		{ "😀", "😀" },
		{ "a\\\\b\\\"c\\\"", "a\\b\"c\"" },
		{ "line\\nnext", "line\nnext" },
		{ "\\u0001\\u009b", "\001\xc2\x9b" },
		{ "src\\/pay.c", "src/pay.c" },
		{ "İx", "İx" },
		{ "CR\\r\\nLF\\r", "CR\r\nLF\r" },
		{ "zero", "zero" },
	};
	unsigned i = gen_pick(g, sizeof(words) / sizeof(words[0]));

	buf_adds(json, words[i][0]);
	buf_adds(plain, words[i][1]);
}

/* A text, quoted; now and then an empty or a very long one. */
static void
gen_text(struct gen *g, struct buf *json, struct buf *plain)
{
	unsigned n = gen_pick(g, 12);

	if (gen_pick(g, 40) == 0)
		n = 500 + gen_pick(g, 8000);
	buf_addc(json, '"');
	for (unsigned i = 0; i < n; i++) {
		if (i > 0) {
			buf_addc(json, ' ');
			buf_addc(plain, ' ');
		}
		gen_word(g, json, plain);
	}
	buf_addc(json, '"');
}

static struct gen_event *
gen_event(struct gen *g, int role)
{
	struct gen_event *e;

	XGROW(g->events, g->n + 1, g->cap);
	e = &g->events[g->n++];
	*e = (struct gen_event){ .seq = ++g->seq,
				 .role = role,
				 .time_ms = g->now,
				 .document = BUF_INIT };
	return e;
}

static void
gen_hide(struct gen *g)
{
	XGROW(g->hidden, g->n_hidden + 1, g->cap_hidden);
	g->hidden[g->n_hidden++] = ++g->seq;
}

/* The start of an entry, up to what its type adds. */
static void
gen_entry(struct gen *g, const char *type, unsigned parent)
{
	g->now += 1 + gen_pick(g, 90000);
	g->id++;
	buf_addf(&g->file,
		 "{\"type\":\"%s\",\"id\":\"%08x\",\"parentId\":", type, g->id);
	if (parent == 0)
		buf_adds(&g->file, "null");
	else
		buf_addf(&g->file, "\"%08x\"", parent);
	/* 2026-07-01 and what has passed since; a month is enough. */
	buf_addf(&g->file,
		 ",\"timestamp\":\"2026-07-%02dT%02d:%02d:%02d.%03dZ\",",
		 (int)(1 + g->now / 86400000), (int)(g->now / 3600000 % 24),
		 (int)(g->now / 60000 % 60), (int)(g->now / 1000 % 60),
		 (int)(g->now % 1000));
}

static void
gen_user(struct gen *g, unsigned parent)
{
	struct gen_event *e;

	gen_entry(g, "message", parent);
	e = gen_event(g, 0);
	buf_adds(&g->file, "\"message\":{\"role\":\"user\",\"content\":");
	gen_text(g, &g->file, &e->document);
	buf_adds(&g->file, "}}\n");
}

static void
gen_context(struct gen *g, unsigned parent)
{
	struct gen_event *e;

	gen_entry(g, gen_pick(g, 2) ? "compaction" : "branch_summary", parent);
	e = gen_event(g, 3);
	buf_adds(&g->file, "\"summary\":");
	gen_text(g, &g->file, &e->document);
	buf_adds(&g->file, "}\n");
}

/* An answer with calls, and the results of some of them. */
static void
gen_turn(struct gen *g, unsigned parent)
{
	static const char *const tools[] = { "bash", "read", "edit" };
	unsigned calls = gen_pick(g, 4), first = (unsigned)g->n;
	struct gen_event *e;

	gen_entry(g, "message", parent);
	e = gen_event(g, 1);
	buf_adds(&g->file, "\"message\":{\"role\":\"assistant\",\"content\":[");
	buf_adds(&g->file, "{\"type\":\"text\",\"text\":");
	gen_text(g, &g->file, &e->document);
	buf_addc(&g->file, '}');
	for (unsigned i = 0; i < calls; i++) {
		const char *tool = tools[gen_pick(g, 3)];

		e = gen_event(g, 2);
		buf_addf(&g->file,
			 ",{\"type\":\"toolCall\",\"id\":\"c%" PRIu32
			 "\",\"name\":\"%s\",\"arguments\":{ \"n\" : %u.0 }}",
			 e->seq, tool, i);
		buf_addf(&e->document, "%s {\"n\":%u.0}", tool, i);
	}
	buf_adds(&g->file, "]}}\n");
	for (unsigned i = 1; i <= calls; i++) {
		struct buf text = BUF_INIT;

		if (gen_pick(g, 5) == 0)
			continue;
		gen_entry(g, "message", g->id);
		gen_hide(g);
		e = &g->events[first + i];
		buf_addf(&g->file,
			 "\"message\":{\"role\":\"toolResult\","
			 "\"toolCallId\":\"c%" PRIu32 "\",\"content\":[{"
			 "\"type\":\"text\",\"text\":",
			 e->seq);
		gen_text(g, &g->file, &text);
		buf_adds(&g->file, "}]}}\n");
		if (text.len > 0) {
			buf_adds(&e->document, "\n--- output ---\n");
			buf_add_str(&e->document, buf_str(&text));
		}
		buf_release(&text);
	}
}

/* A turn that was rewound away: its slots are nobody's events. */
static void
gen_detour(struct gen *g, unsigned parent)
{
	size_t before = g->n;

	gen_user(g, parent);
	gen_turn(g, g->id);
	while (g->n > before) {
		g->n--;
		XGROW(g->hidden, g->n_hidden + 1, g->cap_hidden);
		g->hidden[g->n_hidden++] = g->events[g->n].seq;
		buf_release(&g->events[g->n].document);
	}
}

static void
gen_make(struct gen *g, uint64_t seed, unsigned entries)
{
	unsigned parent = 0;

	*g = (struct gen){ .state = seed * 2654435761u + 1, .file = BUF_INIT };
	buf_adds(&g->file,
		 "{\"type\":\"session\",\"version\":3,\"id\":\"gen\"}\n");
	for (unsigned i = 0; i < entries; i++) {
		unsigned what = gen_pick(g, 20);

		if (what < 7)
			gen_user(g, parent);
		else if (what < 15)
			gen_turn(g, parent);
		else if (what < 17)
			gen_context(g, parent);
		else if (what < 18) {
			buf_adds(&g->file, "{\"type\":\"mess\n\n \t\r\n");
			g->skipped++;
			continue;
		} else {
			gen_detour(g, parent);
			continue;
		}
		parent = g->id;
	}
	/* A detour may have been last: the branch ends with this one. */
	gen_user(g, parent);
}

static void
gen_release(struct gen *g)
{
	for (size_t i = 0; i < g->n; i++)
		buf_release(&g->events[i].document);
	free(g->events);
	free(g->hidden);
	buf_release(&g->file);
}

#endif /* PI_GEN_H */
