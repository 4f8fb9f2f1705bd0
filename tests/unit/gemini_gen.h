#ifndef GEMINI_GEN_H
#define GEMINI_GEN_H

/* Makes a transcript of Gemini CLI from a seed. */
#include "gen.h"

/* The start of a message's line, up to what its type adds. */
static void
gemini_message(struct gen *g, const char *type, unsigned id)
{
	buf_addf(&g->file, "{\"id\":\"%08x\",\"type\":\"%s\",", id, type);
	gen_timestamp(g);
}

static void
gemini_user(struct gen *g)
{
	struct gen_event *e;

	gemini_message(g, "user", ++g->id);
	e = gen_event(g, 0);
	buf_adds(&g->file, "\"content\":[{\"text\":");
	gen_text(g, &g->file, &e->document);
	if (gen_pick(g, 6) == 0) {
		buf_adds(&g->file,
			 "},{\"fileData\":{\"mimeType\":\"text\\/x\"}");
		buf_adds(&e->document, "\n[document text/x]");
	}
	buf_adds(&g->file, "}]}\n");
}

/* The messages anew, compacted: nothing of it but the summary is an event. */
static void
gemini_context(struct gen *g)
{
	struct gen_event *e;

	g->now += 1000;
	buf_addf(&g->file,
		 "{\"$set\":{\"lastUpdated\":\"2026-07-%02dT%02d:%02d:%02d."
		 "%03dZ\",\"messages\":[{\"id\":\"%08x\",\"type\":\"user\","
		 "\"content\":",
		 (int)(1 + g->now / 86400000), (int)(g->now / 3600000 % 24),
		 (int)(g->now / 60000 % 60), (int)(g->now / 1000 % 60),
		 (int)(g->now % 1000), ++g->id);
	e = gen_event(g, 3);
	gen_text(g, &g->file, &e->document);
	buf_addf(&g->file,
		 "},{\"id\":\"%08x\",\"type\":\"gemini\",\"content\":\"Got it. "
		 "Thanks for the additional context!\"},{\"id\":\"%08x\","
		 "\"type\":\"user\",\"content\":\"zero\"}]}}\n",
		 g->id + 1, g->id + 2);
	g->id += 2;
}

/* An answer: a line, a line with its calls, and one with what came of them. */
static void
gemini_turn(struct gen *g)
{
	unsigned calls = gen_pick(g, 4), first = (unsigned)g->n;
	struct buf said = BUF_INIT, plain = BUF_INIT;
	struct gen_event *e;
	unsigned id = ++g->id;

	gen_text(g, &said, &plain);
	gemini_message(g, "gemini", id);
	e = gen_event(g, 1);
	buf_addf(&g->file, "\"content\":%s}\n",
		 calls > 0 && gen_pick(g, 2) == 0 ? "\"zero\"" : said.data);
	buf_add_str(&e->document, buf_str(&plain));
	/* The last line counts, so it has the text. */
	for (unsigned line = 0; line < 2 && calls > 0; line++) {
		gemini_message(g, "gemini", id);
		buf_addf(&g->file, "\"content\":%s,\"toolCalls\":[", said.data);
		for (unsigned i = 1; i <= calls; i++) {
			struct buf text = BUF_INIT;

			if (line == 0) {
				e = gen_event(g, 2);
				buf_addf(&e->document, "f {\"n\":%u.0}", i);
			}
			e = &g->events[first + i];
			buf_addf(&g->file,
				 "%s{\"id\":\"c%u\",\"name\":\"f\",\"args\":{ "
				 "\"n\" : %u.0 }",
				 i > 1 ? "," : "", i, i);
			/* A call that says no time has that of its line. */
			e->time_ms = g->now;
			if (line == 1 && gen_pick(g, 5) != 0) {
				buf_addf(&g->file,
					 ",\"status\":\"success\",\"result\":[{"
					 "\"functionResponse\":{\"id\":\"c%u\","
					 "\"response\":{\"output\":",
					 i);
				gen_text(g, &g->file, &text);
				buf_adds(&g->file, "}}}]");
				gen_output(e, &text);
			}
			buf_addc(&g->file, '}');
			buf_release(&text);
		}
		buf_adds(&g->file, "]}\n");
	}
	buf_release(&said);
	buf_release(&plain);
}

/* A turn that was rewound: its slots are nobody's events. */
static void
gemini_detour(struct gen *g)
{
	unsigned from = g->id + 1;
	size_t before = g->n;

	gemini_user(g);
	gemini_turn(g);
	buf_addf(&g->file, "{\"$rewindTo\":\"%08x\"}\n", from);
	gen_rewind(g, before);
}

static void
gemini_noise(struct gen *g)
{
	switch (gen_pick(g, 3)) {
	case 0:
		buf_adds(&g->file, "{\"id\":\"x\"\n\n");
		g->skipped++;
		break;
	case 1:
		buf_addf(&g->file,
			 "{\"id\":\"info-%u\",\"type\":\"info\",\"content\":"
			 "\"zero\"}\n{\"$rewindTo\":\"nowhere\"}\n",
			 ++g->side);
		break;
	default:
		if (g->id == 0)
			break;
		/* Of a type that the message cannot get. */
		buf_addf(&g->file,
			 "{\"id\":\"%08x\",\"type\":\"warning\",\"content\":"
			 "\"zero\"}\n",
			 1 + gen_pick(g, g->id));
	}
}

static void
gen_gemini(struct gen *g, uint64_t seed, unsigned entries)
{
	gen_begin(g, seed);
	buf_adds(&g->file, "{\"sessionId\":\"gen\",\"projectHash\":\"h\"}\n");
	for (unsigned i = 0; i < entries; i++) {
		unsigned what = gen_pick(g, 20);

		if (what < 7)
			gemini_user(g);
		else if (what < 15)
			gemini_turn(g);
		else if (what < 17)
			gemini_context(g);
		else if (what < 18)
			gemini_noise(g);
		else
			gemini_detour(g);
	}
}

#endif /* GEMINI_GEN_H */
