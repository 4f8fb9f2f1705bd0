#ifndef QWEN_GEN_H
#define QWEN_GEN_H

/* Makes a transcript of Qwen Code from a seed. */
#include "gen.h"

/* The start of a record, up to what its type adds. */
static void
qwen_record(struct gen *g, const char *type, unsigned parent)
{
	g->id++;
	buf_addf(&g->file, "{\"uuid\":\"%08x\",\"type\":\"%s\",", g->id, type);
	if (parent == 0)
		buf_adds(&g->file, "\"parentUuid\":null,");
	else if (parent + 1 != g->id || gen_pick(g, 8) != 0)
		buf_addf(&g->file, "\"parentUuid\":\"%08x\",", parent);
	else if (gen_pick(g, 2) == 0)
		buf_adds(&g->file, "\"parentUuid\":\"lost\",");
	gen_timestamp(g);
}

static void
qwen_user(struct gen *g, unsigned parent)
{
	struct gen_event *e;

	qwen_record(g, "user", parent);
	e = gen_event(g, 0);
	buf_adds(&g->file, "\"message\":{\"parts\":[{\"text\":");
	gen_text(g, &g->file, &e->document);
	if (gen_pick(g, 6) == 0) {
		buf_adds(&g->file,
			 "},{\"text\":\"not said\",\"thought\":true},"
			 "{\"inlineData\":{\"mimeType\":\"image\\/png\"}");
		buf_adds(&e->document, "\n[image image/png]");
	}
	buf_adds(&g->file, "}]}}\n");
}

static void
qwen_context(struct gen *g, unsigned parent)
{
	bool summary = gen_pick(g, 2) == 0;
	struct gen_event *e;

	qwen_record(g, "system", parent);
	e = gen_event(g, 3);
	buf_adds(&g->file,
		 summary ? "\"subtype\":\"chat_compression\","
			   "\"systemPayload\":{\"compressedHistory\":[{"
			   "\"role\":\"user\",\"parts\":[{\"text\":"
			 : "\"subtype\":\"slash_command\",\"systemPayload\":{"
			   "\"phase\":\"invocation\",\"rawCommand\":");
	gen_text(g, &g->file, &e->document);
	buf_adds(&g->file, summary ? "}]}]}}\n" : "}}\n");
}

/* An answer with calls, and a record with the results of some of them. */
static void
qwen_turn(struct gen *g, unsigned parent)
{
	unsigned calls = gen_pick(g, 4), first = (unsigned)g->n, told = 0;
	struct gen_event *e;

	qwen_record(g, "assistant", parent);
	e = gen_event(g, 1);
	buf_adds(&g->file, "\"message\":{\"parts\":[{\"text\":");
	gen_text(g, &g->file, &e->document);
	buf_addc(&g->file, '}');
	for (unsigned i = 1; i <= calls; i++) {
		e = gen_event(g, 2);
		buf_addf(&g->file,
			 ",{\"functionCall\":{\"id\":\"c%" PRIu32
			 "\",\"name\":\"read\",\"args\":{ \"n\" : %u.0 }}}",
			 g->rounds ? i : e->seq, i);
		buf_addf(&e->document, "read {\"n\":%u.0}", i);
	}
	buf_adds(&g->file, "]}}\n");
	if (calls == 0)
		return;
	qwen_record(g, "tool_result", g->id);
	buf_adds(&g->file, "\"message\":{\"parts\":[");
	for (unsigned i = 1; i <= calls; i++) {
		struct buf text = BUF_INIT;

		if (gen_pick(g, 5) == 0)
			continue;
		gen_hide(g);
		e = &g->events[first + i];
		buf_addf(&g->file,
			 "%s{\"functionResponse\":{\"id\":\"c%" PRIu32
			 "\",\"name\":\"read\",\"response\":{\"output\":",
			 told++ > 0 ? "," : "", g->rounds ? i : e->seq);
		gen_text(g, &g->file, &text);
		buf_adds(&g->file, "}}}");
		gen_output(e, &text);
		buf_release(&text);
	}
	buf_adds(&g->file, "]}}\n");
}

/* A turn that was rewound away: its slots are nobody's events. */
static void
qwen_detour(struct gen *g, unsigned parent)
{
	size_t before = g->n;

	qwen_user(g, parent);
	qwen_turn(g, g->id);
	gen_rewind(g, before);
}

static void
qwen_noise(struct gen *g)
{
	switch (gen_pick(g, 3)) {
	case 0:
		buf_adds(&g->file, "{\"uuid\":\"x\"}{\"uuid\":\"y\"}\n");
		g->skipped++;
		break;
	case 1:
		buf_addf(&g->file,
			 "{\"uuid\":\"side-%u\",\"isSidechain\":true,\"type\":"
			 "\"user\",\"message\":{\"parts\":[{\"text\":\"zero\"}]"
			 "}}\n",
			 ++g->side);
		break;
	default:
		if (g->id == 0)
			break;
		buf_addf(&g->file,
			 "{\"uuid\":\"%08x\",\"type\":\"user\",\"message\":{"
			 "\"parts\":[{\"text\":\"zero\"}]}}\n",
			 1 + gen_pick(g, g->id));
		g->repeated++;
	}
}

static void
gen_qwen(struct gen *g, uint64_t seed, unsigned entries)
{
	unsigned parent;

	gen_begin(g, seed);
	qwen_user(g, 0);
	parent = g->id;
	for (unsigned i = 0; i < entries; i++) {
		unsigned what = gen_pick(g, 20);

		if (what < 7)
			qwen_user(g, parent);
		else if (what < 15)
			qwen_turn(g, parent);
		else if (what < 17)
			qwen_context(g, parent);
		else if (what < 18) {
			qwen_noise(g);
			continue;
		} else {
			qwen_detour(g, parent);
			continue;
		}
		parent = g->id;
	}
	/* A detour may have been last: the branch ends with this one. */
	qwen_user(g, parent);
}

#endif /* QWEN_GEN_H */
