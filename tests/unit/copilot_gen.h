#ifndef COPILOT_GEN_H
#define COPILOT_GEN_H

/* Makes a transcript of Copilot CLI from a seed. */
#include "gen.h"

/* The start of an event, up to what stands in its data. */
static void
copilot_event(struct gen *g, const char *type)
{
	g->id++;
	buf_addf(&g->file, "{\"type\":\"%s\",\"id\":\"%08x\",", type, g->id);
	gen_timestamp(g);
	buf_adds(&g->file, "\"data\":{");
}

static void
copilot_user(struct gen *g)
{
	struct gen_event *e;

	copilot_event(g, "user.message");
	e = gen_event(g, 0);
	buf_adds(&g->file, "\"content\":");
	gen_text(g, &g->file, &e->document);
	if (e->document.len > 0 && gen_pick(g, 6) == 0) {
		buf_adds(&g->file,
			 ",\"attachments\":[{\"mimeType\":\"image\\/png\"}]");
		buf_adds(&e->document, "\n[image image/png]");
	}
	buf_adds(&g->file, "}}\n");
}

static void
copilot_context(struct gen *g)
{
	bool summary = gen_pick(g, 2) == 0;
	struct gen_event *e;

	copilot_event(g, summary ? "session.compaction_complete"
				 : "system.notification");
	e = gen_event(g, 3);
	buf_adds(&g->file, summary ? "\"success\":true,\"summaryContent\":"
				   : "\"content\":");
	gen_text(g, &g->file, &e->document);
	buf_adds(&g->file, "}}\n");
}

/* An answer with calls, and the results of some, as they came. */
static void
copilot_turn(struct gen *g)
{
	unsigned calls = gen_pick(g, 4), first = (unsigned)g->n;
	struct gen_event *e;

	copilot_event(g, "assistant.message");
	e = gen_event(g, 1);
	buf_adds(&g->file, "\"content\":");
	gen_text(g, &g->file, &e->document);
	buf_adds(&g->file, ",\"toolRequests\":[");
	for (unsigned i = 1; i <= calls; i++) {
		e = gen_event(g, 2);
		buf_addf(&g->file,
			 "%s{\"toolCallId\":\"c%" PRIu32
			 "\",\"name\":\"view\",\"arguments\":{ \"n\" : %u.0 }}",
			 i > 1 ? "," : "", g->rounds ? i : e->seq, i);
		buf_addf(&e->document, "view {\"n\":%u.0}", i);
	}
	buf_adds(&g->file, "]}}\n");
	for (unsigned i = calls; i > 0; i--) {
		struct buf text = BUF_INIT;

		if (gen_pick(g, 5) == 0)
			continue;
		copilot_event(g, "tool.execution_complete");
		gen_hide(g);
		e = &g->events[first + i];
		buf_addf(&g->file,
			 "\"success\":true,\"toolCallId\":\"c%" PRIu32
			 "\",\"result\":{\"content\":",
			 g->rounds ? i : e->seq);
		gen_text(g, &g->file, &text);
		buf_adds(&g->file, "}}}\n");
		gen_output(e, &text);
		buf_release(&text);
	}
}

/* A turn that was rewound: its slots are nobody's events. */
static void
copilot_detour(struct gen *g)
{
	unsigned from = g->id + 1;
	size_t before = g->n;

	copilot_user(g);
	copilot_turn(g);
	copilot_event(g, "session.snapshot_rewind");
	buf_addf(&g->file, "\"upToEventId\":\"%08x\"}}\n", from);
	gen_rewind(g, before);
}

static void
copilot_noise(struct gen *g)
{
	switch (gen_pick(g, 3)) {
	case 0:
		buf_adds(&g->file, "{\"type\":\"user.mess\n\n");
		g->skipped++;
		break;
	case 1:
		buf_addf(&g->file,
			 "{\"type\":\"user.message\",\"id\":\"side-%u\","
			 "\"agentId\":\"a\",\"data\":{\"content\":\"zero\"}}\n",
			 ++g->side);
		break;
	default:
		if (g->id == 0)
			break;
		buf_addf(&g->file,
			 "{\"type\":\"user.message\",\"id\":\"%08x\",\"data\":"
			 "{\"content\":\"zero\"}}\n",
			 1 + gen_pick(g, g->id));
		g->repeated++;
	}
}

static void
gen_copilot(struct gen *g, uint64_t seed, unsigned entries)
{
	gen_begin(g, seed);
	buf_adds(&g->file,
		 "{\"type\":\"session.start\",\"id\":\"s\",\"data\":{}}\n");
	for (unsigned i = 0; i < entries; i++) {
		unsigned what = gen_pick(g, 20);

		if (what < 7)
			copilot_user(g);
		else if (what < 15)
			copilot_turn(g);
		else if (what < 17)
			copilot_context(g);
		else if (what < 18)
			copilot_noise(g);
		else
			copilot_detour(g);
	}
}

#endif /* COPILOT_GEN_H */
