/*
 * A seq never changes: whatever is appended to a transcript, and wherever a
 * thread is rewound to, what had a seq keeps it (spec/history.md 3.2, 2.5).
 */
#include "claude_gen.h"
#include "codex_gen.h"
#include "copilot_gen.h"
#include "gemini_gen.h"
#include "pi_gen.h"
#include "qwen_gen.h"
#include "transcript/hosts.h"

#define ROUNDS 30
#define CUTS 12

static const struct {
	const char *host;
	void (*make)(struct gen *g, uint64_t seed, unsigned entries);
} makers[] = {
	{ "pi", gen_pi },	{ "claude", gen_claude },
	{ "codex", gen_codex }, { "copilot", gen_copilot },
	{ "qwen", gen_qwen },	{ "gemini", gen_gemini },
};

static bool
open_text(struct transcript *t, struct str text, const char *host)
{
	return hosts_open(t, source_memory(text), hosts_find(str_of(host)),
			  (struct transcript_options){ 0 }) == TRANSCRIPT_OK;
}

/* Whether all slots of a stand in b, where they stood and what they were. */
static bool
is_kept(const struct transcript *a, const struct transcript *b)
{
	if (a->n_slots > b->n_slots)
		return false;
	for (size_t i = 0; i < a->n_slots; i++) {
		const struct slot *x = &a->slots[i], *y = &b->slots[i];

		if (x->kind != y->kind || x->role != y->role ||
		    a->records[x->record].offset !=
			    b->records[y->record].offset)
			return false;
	}
	return true;
}

/*
 * Codex's exception: a rollout without a message among its items is read from
 * its events, until there is one.
 */
static bool
has_message(struct str text)
{
	while (text.n > 0) {
		const char *lf = memchr(text.s, '\n', text.n);
		size_t n = lf == NULL ? text.n : (size_t)(lf - text.s) + 1;

		if (memmem(text.s, n, "\"type\":\"message\"", 16) != NULL)
			return true;
		text = str_from(text, n);
	}
	return false;
}

static void
check_appended(const char *host, struct gen *g, unsigned seed)
{
	struct str text = buf_str(&g->file);
	struct transcript whole;
	bool kept = open_text(&whole, text, host);

	for (unsigned i = 0; kept && i < CUTS; i++) {
		struct str part = { text.s, gen_pick(g, (unsigned)text.n) };
		struct transcript t;

		/* A line that is half written is not there yet. */
		while (part.n > 0 && part.s[part.n - 1] != '\n')
			part.n--;
		if (strcmp(host, "codex") == 0 &&
		    has_message(part) != has_message(text))
			continue;
		if (open_text(&t, part, host))
			kept = is_kept(&t, &whole);
		transcript_close(&t);
	}
	ok(kept, "%s, %u: what is appended changes no seq", host, seed);
	transcript_close(&whole);
}

/* A thread that is rewound to some place, and again to another. */
static void
check_rewound(unsigned seed)
{
	struct gen first, then[2];
	struct transcript alone, t;
	struct chain c = { 0 };
	bool kept;

	gen_codex(&first, seed, 10);
	kept = open_text(&alone, buf_str(&first.file), "codex");
	chain_add(&c, source_memory(buf_str(&first.file)));
	for (unsigned i = 0; i < 2; i++) {
		gen_codex(&then[i], seed * 3 + i, 5);
		chain_add(&c, source_memory(buf_str(&then[i].file)));
	}
	c.v[0].cut = gen_pick(&first, (unsigned)first.file.len);
	c.v[1].cut = gen_pick(&first, 2) == 0 ? 0 : then[0].file.len / 2;
	c.v[2].cut = CHAIN_ALL;
	chain_step(&c, 0);
	if (c.v[1].cut > 0)
		chain_step(&c, 1);
	chain_step(&c, 2);
	kept = kept &&
	       hosts_open(&t, chain_source(&c), hosts_find(STR("codex")),
			  (struct transcript_options){ .chain = &c }) ==
		       TRANSCRIPT_OK &&
	       transcript_select(&t, STR(""));
	if (kept) {
		/* Offsets of the first file are those of the chain but for a
		   byte order mark. */
		for (size_t i = 0; i < alone.n_records; i++)
			alone.records[i].offset -= c.v[0].dropped;
		kept = is_kept(&alone, &t);
	}
	for (size_t i = 0; kept && i < t.n_slots; i++) {
		const struct record *r = &t.records[t.slots[i].record];
		size_t piece = chain_find(&c, r->offset);

		/* Behind a cut nothing is on the branch. */
		if ((t.slots[i].flags & SLOT_BRANCH) != 0)
			kept = chain_position(&c.v[piece],
					      r->offset + r->length) <=
			       c.v[piece].cut;
	}
	ok(kept, "codex, %u: a rewind changes no seq, and cuts what it says",
	   seed);
	transcript_close(&alone);
	transcript_close(&t);
	chain_release(&c);
	gen_release(&first);
	gen_release(&then[0]);
	gen_release(&then[1]);
}

int
main(void)
{
	for (unsigned seed = 1; seed <= ROUNDS; seed++) {
		for (size_t i = 0; i < sizeof(makers) / sizeof(*makers); i++) {
			struct gen g;

			makers[i].make(&g, seed, 12);
			check_appended(makers[i].host, &g, seed);
			gen_release(&g);
		}
		check_rewound(seed);
	}
	return done();
}
