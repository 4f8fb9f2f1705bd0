#ifndef PI_GEN_H
#define PI_GEN_H

/* Makes a Pi transcript from a seed. */
#include "gen.h"

/* The start of an entry, up to what its type adds. */
static void
pi_entry(struct gen *g, const char *type, unsigned parent)
{
	g->id++;
	buf_addf(&g->file,
		 "{\"type\":\"%s\",\"id\":\"%08x\",\"parentId\":", type, g->id);
	if (parent == 0)
		buf_adds(&g->file, "null");
	else if (parent + 1 == g->id && gen_pick(g, 8) == 0)
		buf_adds(&g->file, "\"lost\"");
	else
		buf_addf(&g->file, "\"%08x\"", parent);
	buf_addc(&g->file, ',');
	gen_timestamp(g);
}

static void
pi_user(struct gen *g, unsigned parent)
{
	struct gen_event *e;

	pi_entry(g, "message", parent);
	e = gen_event(g, 0);
	buf_adds(&g->file, "\"message\":{\"role\":\"user\",\"content\":");
	if (gen_pick(g, 6) == 0) {
		buf_adds(&g->file,
			 "[{\"type\":\"image\",\"mimeType\":\"image\\/"
			 "png\"},{\"type\":\"text\",\"text\":");
		buf_adds(&e->document, "[image image/png]\n");
		gen_text(g, &g->file, &e->document);
		buf_adds(&g->file, "}]}}\n");
		return;
	}
	gen_text(g, &g->file, &e->document);
	buf_adds(&g->file, "}}\n");
}

static void
pi_context(struct gen *g, unsigned parent)
{
	struct gen_event *e;

	pi_entry(g, gen_pick(g, 2) ? "compaction" : "branch_summary", parent);
	e = gen_event(g, 3);
	buf_adds(&g->file, "\"summary\":");
	gen_text(g, &g->file, &e->document);
	buf_adds(&g->file, "}\n");
}

/* An answer with calls, and the results of some of them. */
static void
pi_turn(struct gen *g, unsigned parent)
{
	static const char *const tools[] = { "bash", "read", "edit" };
	unsigned calls = gen_pick(g, 4), first = (unsigned)g->n;
	struct gen_event *e;

	pi_entry(g, "message", parent);
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
			 g->rounds ? i + 1 : e->seq, tool, i);
		buf_addf(&e->document, "%s {\"n\":%u.0}", tool, i);
	}
	buf_adds(&g->file, "]}}\n");
	for (unsigned i = 1; i <= calls; i++) {
		struct buf text = BUF_INIT;

		if (gen_pick(g, 5) == 0)
			continue;
		pi_entry(g, "message", g->id);
		gen_hide(g);
		e = &g->events[first + i];
		buf_addf(&g->file,
			 "\"message\":{\"role\":\"toolResult\","
			 "\"toolCallId\":\"c%" PRIu32 "\",\"content\":[{"
			 "\"type\":\"text\",\"text\":",
			 g->rounds ? i : e->seq);
		gen_text(g, &g->file, &text);
		buf_adds(&g->file, "}]}}\n");
		gen_output(e, &text);
		buf_release(&text);
	}
}

/* A turn that was rewound away: its slots are nobody's events. */
static void
pi_detour(struct gen *g, unsigned parent)
{
	size_t before = g->n;

	pi_user(g, parent);
	pi_turn(g, g->id);
	gen_rewind(g, before);
}

/* What costs nothing but itself. */
static void
pi_noise(struct gen *g)
{
	switch (gen_pick(g, 3)) {
	case 0:
		buf_adds(&g->file, "{\"type\":\"mess\n\n \t\r\n");
		g->skipped++;
		break;
	case 1:
		gen_nuls(g);
		break;
	default:
		if (g->id == 0)
			break;
		buf_addf(&g->file,
			 "{\"type\":\"message\",\"id\":\"%08x\",\"message\":"
			 "{\"role\":\"user\",\"content\":\"zero\"}}\n",
			 1 + gen_pick(g, g->id));
		g->repeated++;
	}
}

static void
gen_pi(struct gen *g, uint64_t seed, unsigned entries)
{
	unsigned parent = 0;

	gen_begin(g, seed);
	buf_adds(&g->file,
		 "{\"type\":\"session\",\"version\":3,\"id\":\"gen\"}\n");
	for (unsigned i = 0; i < entries; i++) {
		unsigned what = gen_pick(g, 20);

		if (what < 7)
			pi_user(g, parent);
		else if (what < 15)
			pi_turn(g, parent);
		else if (what < 17)
			pi_context(g, parent);
		else if (what < 18) {
			pi_noise(g);
			continue;
		} else {
			pi_detour(g, parent);
			continue;
		}
		parent = g->id;
	}
	/* A detour may have been last: the branch ends with this one. */
	pi_user(g, parent);
}

#endif /* PI_GEN_H */
