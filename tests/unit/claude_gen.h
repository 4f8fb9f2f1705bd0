#ifndef CLAUDE_GEN_H
#define CLAUDE_GEN_H

/*
 * Makes a Claude Code transcript from a seed: answers that are split over
 * records, chained or side by side, results in any order and together,
 * sidechains, boundaries, rows without a uuid, and what is broken.
 */
#include "gen.h"

#define CLAUDE_CALLS 8

/* A call that waits for its result. */
struct claude_call {
	uint32_t id;   /* its seq, too */
	size_t event;  /* its number in g->events */
	unsigned from; /* the record that it stands in */
};

/*
 * The start of a chain record.  Where its parent is the chain record before
 * it, that may be said by saying nothing.
 */
static void
claude_record(struct gen *g, const char *type, unsigned parent)
{
	static const char *const nothing[] = { "", "\"parentUuid\":\"gone\",",
					       "\"parentUuid\":17," };

	buf_addc(&g->file, '{');
	if (parent == 0)
		buf_adds(&g->file, "\"parentUuid\":null,");
	else if (parent == g->id && gen_pick(g, 8) == 0)
		buf_adds(&g->file, nothing[gen_pick(g, 3)]);
	else
		buf_addf(&g->file, "\"parentUuid\":\"%08x\",", parent);
	g->id++;
	buf_addf(&g->file,
		 "\"isSidechain\":false,\"userType\":\"external\","
		 "\"sessionId\":\"another\",\"type\":\"%s\","
		 "\"uuid\":\"%08x\",",
		 type, g->id);
	gen_timestamp(g);
}

static void
claude_text_block(struct gen *g, struct buf *plain)
{
	buf_adds(&g->file, "{\"type\":\"text\",\"text\":");
	gen_text(g, &g->file, plain);
	buf_addc(&g->file, '}');
}

/* Content of a message of the user: a string, or texts among pictures. */
static void
claude_content(struct gen *g, struct buf *plain)
{
	switch (gen_pick(g, 4)) {
	case 0:
		buf_addc(&g->file, '[');
		claude_text_block(g, plain);
		buf_adds(&g->file, ",{\"type\":\"image\",\"source\":{"
				   "\"media_type\":\"image/png\"}},");
		buf_adds(plain, "\n[image image/png]\n");
		claude_text_block(g, plain);
		buf_addc(&g->file, ']');
		break;
	case 1:
		if (gen_pick(g, 4) == 0) {
			buf_adds(&g->file, "[{\"type\":\"document\"}]");
			buf_adds(plain, "[document]");
			break;
		}
		__attribute__((fallthrough));
	default:
		gen_text(g, &g->file, plain);
	}
}

static void
claude_user(struct gen *g, unsigned parent)
{
	struct gen_event *e;

	claude_record(g, "user", parent);
	e = gen_event(g, 0);
	buf_adds(&g->file, "\"message\":{\"role\":\"user\",\"content\":");
	claude_content(g, &e->document);
	buf_adds(&g->file, "}}\n");
}

/* What a host says in the user's name. */
static void
claude_meta(struct gen *g, unsigned parent)
{
	static const char command[] = "<command-name>/x</command-name>";
	struct gen_event *e;

	claude_record(g, "user", parent);
	e = gen_event(g, 3);
	if (gen_pick(g, 2)) {
		buf_addf(&g->file, "\"message\":{\"content\":\"%s\"}}\n",
			 command);
		buf_adds(&e->document, command);
		return;
	}
	buf_adds(&g->file, gen_pick(g, 2) ? "\"isMeta\":true,"
					  : "\"isCompactSummary\":true,");
	buf_adds(&g->file, "\"message\":{\"content\":");
	claude_content(g, &e->document);
	buf_adds(&g->file, "}}\n");
}

static void
claude_boundary(struct gen *g, unsigned parent)
{
	bool logical = parent != 0 && gen_pick(g, 2);
	struct gen_event *e;

	claude_record(g, "system", logical ? 0 : parent);
	if (logical)
		buf_addf(&g->file, "\"logicalParentUuid\":\"%08x\",", parent);
	e = gen_event(g, 3);
	buf_adds(&g->file, "\"subtype\":\"compact_boundary\",\"content\":");
	gen_text(g, &g->file, &e->document);
	buf_adds(&g->file, "}\n");
}

/* A record of an answer; its calls are added to calls, n of them so far. */
static unsigned
claude_piece(struct gen *g, unsigned parent, unsigned message,
	     struct claude_call *calls, unsigned n)
{
	static const char *const tools[] = { "Bash", "Read", "Edit" };
	struct gen_event *e;

	claude_record(g, "assistant", parent);
	e = gen_event(g, 1);
	buf_addf(&g->file,
		 "\"message\":{\"id\":\"m%u\",\"content\":[{\"type\":"
		 "\"thinking\",\"thinking\":\"zero\"}",
		 message);
	if (gen_pick(g, 2)) {
		buf_addc(&g->file, ',');
		claude_text_block(g, &e->document);
	}
	for (unsigned k = gen_pick(g, 3); k > 0 && n < CLAUDE_CALLS; k--) {
		const char *tool = tools[gen_pick(g, 3)];

		e = gen_event(g, 2);
		calls[n++] = (struct claude_call){ e->seq, g->n - 1, g->id };
		buf_addf(&g->file,
			 ",{\"type\":\"tool_use\",\"id\":\"t%" PRIu32
			 "\",\"name\":\"%s\",\"input\":{ \"n\" : %u.0 }}",
			 e->seq, tool, n);
		buf_addf(&e->document, "%s {\"n\":%u.0}", tool, n);
	}
	buf_adds(&g->file, "]}}\n");
	return n;
}

static void
claude_result(struct gen *g, const struct claude_call *call)
{
	struct buf text = BUF_INIT;

	gen_hide(g);
	buf_addf(&g->file,
		 "{\"tool_use_id\":\"t%" PRIu32
		 "\",\"type\":\"tool_result\",\"content\":",
		 call->id);
	if (gen_pick(g, 2)) {
		gen_text(g, &g->file, &text);
	} else {
		buf_addc(&g->file, '[');
		claude_text_block(g, &text);
		buf_adds(&g->file, ",{\"type\":\"image\"}]");
		buf_adds(&text, "\n[image]");
	}
	buf_addc(&g->file, '}');
	gen_output(&g->events[call->event], &text);
	buf_release(&text);
}

/* The results of n calls in one record, now and then with words of the user. */
static void
claude_results(struct gen *g, unsigned parent, const struct claude_call *calls,
	       unsigned n)
{
	bool words = gen_pick(g, 6) == 0;

	claude_record(g, "user", parent);
	buf_adds(&g->file, "\"message\":{\"role\":\"user\",\"content\":[");
	if (words) {
		struct gen_event *e = gen_event(g, 0);

		claude_text_block(g, &e->document);
	}
	for (unsigned i = 0; i < n; i++) {
		if (words || i > 0)
			buf_addc(&g->file, ',');
		claude_result(g, &calls[i]);
	}
	buf_adds(&g->file, "]},\"toolUseResult\":{\"stdout\":\"zero\"}}\n");
}

static void
claude_shuffle(struct gen *g, struct claude_call *calls, unsigned n)
{
	for (unsigned i = n; i > 1; i--) {
		unsigned k = gen_pick(g, i);
		struct claude_call other = calls[i - 1];

		calls[i - 1] = calls[k];
		calls[k] = other;
	}
}

/*
 * An answer and what came of it.  Gives the record to go on from: whichever
 * it is, all of this is on its branch.
 */
static unsigned
claude_turn(struct gen *g, unsigned parent)
{
	unsigned message = ++g->message, pieces = 1 + gen_pick(g, 3);
	unsigned n = 0, done = 0, tip = 0;
	struct claude_call calls[CLAUDE_CALLS];
	bool side_by_side = gen_pick(g, 4) == 0;

	for (unsigned i = 0; i < pieces; i++) {
		n = claude_piece(g, i == 0 || side_by_side ? parent : g->id,
				 message, calls, n);
		tip = g->id;
	}
	claude_shuffle(g, calls, n);
	while (done < n) {
		unsigned k = 1 + gen_pick(g, n - done);

		if (gen_pick(g, 5) > 0) {
			claude_results(g, calls[done].from, calls + done, k);
			tip = gen_pick(g, 3) ? g->id : tip;
		}
		done += k;
	}
	return tip;
}

/* A turn that was rewound away: its slots are nobody's events. */
static void
claude_detour(struct gen *g, unsigned parent)
{
	size_t before = g->n;

	claude_user(g, parent);
	claude_turn(g, g->id);
	gen_rewind(g, before);
}

/* What is in the file and no event, and leads nowhere. */
static void
claude_noise(struct gen *g)
{
	switch (gen_pick(g, 8)) {
	case 6:
		gen_nuls(g);
		break;
	case 0:
		buf_adds(&g->file, "{\"type\":\"us\n\n \t\r\n");
		g->skipped++;
		break;
	case 1:
		buf_adds(&g->file, "{\"type\":\"custom-title\","
				   "\"customTitle\":\"zero\"}\n");
		break;
	case 2:
		buf_adds(&g->file, "{\"type\":\"file-history-snapshot\","
				   "\"messageId\":\"1\",\"snapshot\":{}}\n");
		break;
	case 3: /* of a sub-agent, under ids that the answers here have */
		buf_addf(&g->file,
			 "{\"isSidechain\":true,\"type\":\"assistant\","
			 "\"uuid\":\"s%u\",\"parentUuid\":null,\"message\":{"
			 "\"id\":\"m%u\",\"content\":[{\"type\":\"tool_use\","
			 "\"id\":\"t%" PRIu32 "\",\"name\":\"zero\"}]}}\n",
			 ++g->side, g->message, g->seq);
		break;
	case 4: /* a uuid for the second time */
		if (g->id == 0)
			break;
		buf_addf(&g->file,
			 "{\"type\":\"user\",\"uuid\":\"%08x\",\"message\":{"
			 "\"content\":\"zero\"}}\n",
			 1 + gen_pick(g, g->id));
		g->repeated++;
		break;
	case 5: /* a message that is none of the chain */
		buf_adds(&g->file, "{\"type\":\"user\",\"uuid\":17,"
				   "\"message\":{\"content\":\"zero\"}}\n");
		gen_hide(g);
		break;
	default:
		buf_adds(&g->file, "{\"type\":\"user\",\"message\":{"
				   "\"content\":{\"type\":\"text\"}}}\n");
	}
}

/* A chain record that takes no slot. */
static void
claude_link(struct gen *g, unsigned parent)
{
	static const char *const types[] = { "attachment", "progress",
					     "system" };

	claude_record(g, types[gen_pick(g, 3)], parent);
	buf_adds(&g->file, "\"content\":\"zero\"}\n");
}

/*
 * Words that were typed while the host was at work: a link of the chain, or a
 * line of its own, and now and then the queue says the same.
 */
static unsigned
claude_queued(struct gen *g, unsigned parent)
{
	bool linked = g->id == 0 || gen_pick(g, 3) > 0;
	struct buf said = BUF_INIT;
	struct gen_event *e;

	if (linked)
		claude_record(g, "attachment", parent);
	else
		buf_adds(&g->file, "{\"type\":\"attachment\",");
	e = gen_event(g, 0);
	buf_addf(&g->file,
		 "\"attachment\":{\"type\":\"queued_command\",\"source_uuid\":"
		 "\"q%" PRIu32 "\",\"prompt\":",
		 e->seq);
	gen_text(g, &g->file, &said);
	buf_add_str(&e->document, buf_str(&said));
	buf_adds(&g->file, "}}\n");
	if (gen_pick(g, 2) == 0) {
		buf_addf(
			&g->file,
			"{\"type\":\"queue-operation\",\"operation\":"
			"\"remove\","
			"\"reason\":\"absorbed_mid_turn\",\"content\":\"zero\","
			"\"commandUuid\":\"q%" PRIu32 "\"}\n",
			g->seq);
		gen_hide(g);
	}
	buf_release(&said);
	return linked ? g->id : parent;
}

/* A turn that was tried again: the path goes around what was answered. */
static unsigned
claude_retry(struct gen *g, unsigned parent)
{
	unsigned user, error;

	claude_user(g, parent);
	user = g->id;
	claude_record(g, "system", user);
	buf_adds(&g->file, "\"subtype\":\"api_error\"}\n");
	error = g->id;
	claude_turn(g, user);
	claude_record(g, "system", error);
	buf_adds(&g->file, "\"subtype\":\"stop_hook_summary\"}\n");
	return g->id;
}

/* A compaction that keeps the last record: what follows hangs on that. */
static void
claude_keep(struct gen *g, unsigned tail)
{
	struct gen_event *e;

	claude_record(g, "system", 0);
	buf_addf(&g->file,
		 "\"subtype\":\"compact_boundary\",\"compactMetadata\":{"
		 "\"preservedSegment\":{\"headUuid\":\"%08x\",\"anchorUuid\":"
		 "\"%08x\",\"tailUuid\":\"%08x\"}},\"content\":",
		 tail, g->id + 1, tail);
	e = gen_event(g, 3);
	gen_text(g, &g->file, &e->document);
	buf_adds(&g->file, "}\n");
	claude_record(g, "user", g->id);
	e = gen_event(g, 3);
	buf_adds(&g->file,
		 "\"isCompactSummary\":true,\"message\":{\"content\":");
	claude_content(g, &e->document);
	buf_adds(&g->file, "}}\n");
}

static void
gen_claude(struct gen *g, uint64_t seed, unsigned entries)
{
	unsigned parent = 0;

	gen_begin(g, seed);
	buf_adds(&g->file, "{\"type\":\"summary\",\"summary\":\"zero\","
			   "\"leafUuid\":\"00000001\"}\n");
	for (unsigned i = 0; i < entries; i++) {
		unsigned what = gen_pick(g, 28);

		if (what >= 27 && parent == g->id && parent != 0)
			claude_keep(g, parent);
		else if (what >= 26)
			parent = claude_retry(g, parent);
		else if (what >= 24 && parent == g->id)
			parent = claude_queued(g, parent);
		else if (what < 6)
			claude_user(g, parent);
		else if (what < 8)
			claude_meta(g, parent);
		else if (what < 9)
			claude_boundary(g, parent);
		else if (what < 11)
			claude_link(g, parent);
		else if (what < 18)
			parent = claude_turn(g, parent);
		else if (what < 21)
			claude_noise(g);
		else
			claude_detour(g, parent);
		if (what < 11)
			parent = g->id;
	}
	/* A detour may have been last: the branch ends with this one. */
	claude_user(g, parent);
	for (unsigned i = gen_pick(g, 3); i > 0; i--)
		claude_noise(g);
	if (gen_pick(g, 3) == 0) {
		buf_adds(&g->file, "{\"type\":\"user\",\"uuid\":\"torn");
		g->skipped++;
	}
}

#endif /* CLAUDE_GEN_H */
