#ifndef GEN_H
#define GEN_H

/*
 * What makes transcripts from a seed shares: texts, and an account of the
 * same conversation that is not derived from the bytes.  Each host has a
 * header of its own with a gen_<host>().
 */
#include <inttypes.h>

#include "base/buf.h"
#include "base/utf8.h"
#include "base/xalloc.h"
#include "test.h"

struct gen_event {
	uint32_t seq;
	int role;   /* 0 user, 1 assistant, 2 tool, 3 context */
	int status; /* of a tool: 0 ok, 1 error, 2 unfinished; else -1 */
	int64_t time_ms;
	struct buf document;
};

struct gen {
	uint64_t state;
	struct buf file;
	struct gen_event *events; /* on the branch, ascending */
	size_t n, cap;
	uint32_t seq;		/* the last one given */
	unsigned id;		/* of the last entry */
	unsigned message, side; /* of the last answer and sidechain */
	int64_t now;		/* its time */
	unsigned skipped, repeated;
	bool rounds;	  /* call ids are numbered anew each round */
	uint32_t *hidden; /* seqs that are not events */
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
				 .status = role == 2 ? 2 : -1,
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

/* "timestamp":"...", of an entry that comes some time after the last. */
static void
gen_timestamp(struct gen *g)
{
	g->now += 1 + gen_pick(g, 90000);
	/* 2026-07-01 and what has passed since; a month is enough. */
	buf_addf(&g->file,
		 "\"timestamp\":\"2026-07-%02dT%02d:%02d:%02d.%03dZ\",",
		 (int)(1 + g->now / 86400000), (int)(g->now / 3600000 % 24),
		 (int)(g->now / 60000 % 60), (int)(g->now / 1000 % 60),
		 (int)(g->now % 1000));
}

/* What a power cut leaves, in front of the next line. */
static void
gen_nuls(struct gen *g)
{
	if (g->file.len > 0 && g->file.data[g->file.len - 1] == '\0')
		return;
	buf_add(&g->file, "\0\0\0", 1 + gen_pick(g, 3));
	g->skipped++;
}

/* A call got its result. */
static void
gen_output(struct gen_event *call, const struct buf *text)
{
	call->status = 0;
	if (text->len == 0)
		return;
	buf_adds(&call->document, "\n--- output ---\n");
	buf_add_str(&call->document, buf_str(text));
}

/* Rewinds: the events from number `before` on are nobody's. */
static void
gen_rewind(struct gen *g, size_t before)
{
	while (g->n > before) {
		g->n--;
		XGROW(g->hidden, g->n_hidden + 1, g->cap_hidden);
		g->hidden[g->n_hidden++] = g->events[g->n].seq;
		buf_release(&g->events[g->n].document);
	}
}

static void
gen_begin(struct gen *g, uint64_t seed)
{
	*g = (struct gen){ .state = seed * 2654435761u + 1, .file = BUF_INIT };
	g->rounds = gen_pick(g, 2) == 0;
	if (gen_pick(g, 8) == 0)
		buf_adds(&g->file, "\xef\xbb\xbf");
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

#endif /* GEN_H */
