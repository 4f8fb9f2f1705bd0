#include "transcript/gemini_log.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/xalloc.h"
#include "transcript/index.h"
#include "transcript/parts.h"

static const char *const hook_names[] = { "session_context", "hook_context",
					  NULL };
static const struct parts_hooks hooks = {
	.alone = { .names = hook_names },
	.first = { .names = hook_names + 1 },
};

#define ANSWER "Got it. Thanks for the additional context!"
#define SHELL "I ran the following shell command:\n```"

enum kind { NOTHING, USER, GEMINI };

static const struct decoder_kind types[] = {
	{ "user", USER },
	{ "gemini", GEMINI },
	{ NULL, NOTHING },
};

#define NONE UINT32_MAX

/* An id, and what it means: a message or a compaction. */
struct known {
	uint64_t id;
	uint32_t message;    /* its number, or NONE: a compaction */
	uint32_t compaction; /* the seq of that one's slot */
};

struct message {
	enum kind kind;
	uint32_t start; /* slots before its first line */
	uint32_t slot;	/* seq of its own, or 0 */
	uint32_t time;	/* where in `times` */
	uint64_t text;	/* hash of its type and text */
	bool retired;
};

/* A call of a message: the hash is that of both. */
struct call {
	uint64_t id;
	uint32_t seq;
};

/* Messages with one text, the last one first. */
struct text {
	uint64_t hash;
	uint32_t last; /* in mentions, or NONE */
};

struct mention {
	uint32_t message, before;
};

struct gemini {
	struct known *known;
	size_t n_known, cap_known;
	struct hash_table known_ids;
	struct message *messages;
	size_t n_messages, cap_messages;
	struct call *calls;
	size_t n_calls, cap_calls;
	struct hash_table call_ids;
	struct text *texts;
	size_t n_texts, cap_texts;
	struct hash_table text_hashes;
	struct mention *mentions;
	size_t n_mentions, cap_mentions;
	struct buf times; /* raw, each with a NUL behind it */

	struct slot_place *places; /* by seq - 1 */
	size_t n_places, cap_places;
	/* What a rewind may still retire, in order: seqs, and messages. */
	uint32_t *live, *current;
	size_t n_live, cap_live, n_current, cap_current;
};

const char *const gemini_log_members[GEMINI_COUNT] = {
	[GEMINI_ID] = "id",	      [GEMINI_TYPE] = "type",
	[GEMINI_CONTENT] = "content", [GEMINI_CALLS] = "toolCalls",
	[GEMINI_TIME] = "timestamp",  [GEMINI_SET] = "$set",
	[GEMINI_REWIND] = "$rewindTo"
};

bool
gemini_log_next_call(struct json_iter *it, struct str *call, struct str *id)
{
	while (json_next_element(it, call)) {
		*id = json_map_get(it->map, *call, "id");
		if (json_kind(*id) == JSON_STRING)
			return true;
	}
	return false;
}

bool
gemini_log_add_text(struct str content, struct buf *out)
{
	if (parts_text(content, &hooks, out))
		return true;
	(void)parts_text(content, NULL, out);
	return false;
}

static struct known *
find_known(const struct gemini *g, struct transcript *t, struct str id)
{
	uint64_t hash = transcript_hash(t, json_text(id, &t->scratch[0]));
	uint32_t i = hash_find(&g->known_ids, hash, g->known,
			       sizeof(*g->known));

	return i == HASH_NONE ? NULL : &g->known[i];
}

static void
add_known(struct gemini *g, struct transcript *t, struct str id,
	  struct known means)
{
	means.id = transcript_hash(t, json_text(id, &t->scratch[0]));
	XGROW(g->known, g->n_known + 1, g->cap_known);
	g->known[g->n_known] = means;
	hash_add(&g->known_ids, (uint32_t)g->n_known++, g->known,
		 sizeof(*g->known));
}

/* ---- slots ------------------------------------------------------------- */

/* The slot that was just added: it stands there, and may be retired. */
static void
place_slot(struct gemini *g, struct transcript *t, struct slot_place place,
	   bool may_retire)
{
	XGROW(g->places, g->n_places + 1, g->cap_places);
	g->places[g->n_places++] = place;
	t->slots[t->n_slots - 1].flags |= SLOT_BRANCH;
	if (!may_retire)
		return;
	XGROW(g->live, g->n_live + 1, g->cap_live);
	g->live[g->n_live++] = (uint32_t)t->n_slots;
}

/*
 * Keeps a raw time, as the message's; one that is not a string reads as null.
 */
static uint32_t
keep_time(struct gemini *g, struct str raw)
{
	uint32_t at = (uint32_t)g->times.len;

	if (json_kind(raw) != JSON_STRING || raw.n > TRANSCRIPT_TIME_BYTES + 2)
		raw = STR("null");
	buf_add_str(&g->times, raw);
	buf_addc(&g->times, '\0');
	return at;
}

/* Of the type and the text of a line or an element. */
static uint64_t
hash_text(struct transcript *t, const struct str v[])
{
	struct buf *text = &t->scratch[1];

	buf_reset(text);
	json_decode(v[GEMINI_TYPE], text);
	buf_addc(text, '\0');
	(void)gemini_log_add_text(v[GEMINI_CONTENT], text);
	return transcript_hash(t, buf_str(text));
}

/* The message has this text now. */
static void
mention(struct gemini *g, struct transcript *t, uint32_t number,
	const struct str v[])
{
	struct message *m = &g->messages[number];
	uint64_t hash = hash_text(t, v);
	uint32_t i;

	if (hash == m->text)
		return;
	m->text = hash;
	i = hash_find(&g->text_hashes, hash, g->texts, sizeof(*g->texts));
	if (i == HASH_NONE) {
		i = (uint32_t)g->n_texts;
		XGROW(g->texts, g->n_texts + 1, g->cap_texts);
		g->texts[g->n_texts++] = (struct text){ hash, NONE };
		hash_add(&g->text_hashes, i, g->texts, sizeof(*g->texts));
	}
	XGROW(g->mentions, g->n_mentions + 1, g->cap_mentions);
	g->mentions[g->n_mentions] = (struct mention){ number,
						       g->texts[i].last };
	g->texts[i].last = (uint32_t)g->n_mentions++;
}

/* The last message on the branch of that type and text, or NONE. */
static uint32_t
find_text(struct gemini *g, struct transcript *t, const struct str v[])
{
	uint64_t hash = hash_text(t, v);
	uint32_t i = hash_find(&g->text_hashes, hash, g->texts,
			       sizeof(*g->texts));

	if (i == HASH_NONE)
		return NONE;
	/* What does not count now will never again. */
	while (g->texts[i].last != NONE) {
		const struct mention *of = &g->mentions[g->texts[i].last];
		const struct message *m = &g->messages[of->message];

		if (!m->retired && m->text == hash)
			return of->message;
		g->texts[i].last = of->before;
	}
	return NONE;
}

/* Who says a message, the client in the user's name maybe; *empty: nothing. */
static enum role
find_role(struct transcript *t, enum kind kind, struct str content, bool *empty)
{
	struct buf *text = &t->scratch[0];
	bool theirs;

	buf_reset(text);
	theirs = gemini_log_add_text(content, text) &&
		 !str_starts(buf_str(text), STR("<context_window>")) &&
		 !str_starts(buf_str(text), STR(SHELL));
	*empty = text->len == 0;
	if (kind == GEMINI)
		return ROLE_ASSISTANT;
	return theirs ? ROLE_USER : ROLE_CONTEXT;
}

/* The message stands there now. */
static void
move_message(struct gemini *g, struct transcript *t, const struct message *m,
	     struct str content, struct slot_place place)
{
	struct slot *slot;
	bool empty;

	if (m->slot == 0)
		return;
	slot = &t->slots[m->slot - 1];
	slot->role = (uint8_t)find_role(t, m->kind, content, &empty);
	slot->flags &= (uint8_t)~SLOT_EMPTY;
	slot->flags |= empty ? SLOT_EMPTY : 0;
	g->places[m->slot - 1] = place;
}

static uint32_t
add_message(struct gemini *g, struct transcript *t, const struct str v[],
	    struct slot_place place)
{
	struct message m = { .kind = decoder_find_kind(types, v[GEMINI_TYPE]),
			     .start = (uint32_t)t->n_slots,
			     .time = keep_time(g, v[GEMINI_TIME]) };
	uint32_t number = (uint32_t)g->n_messages;
	enum role role;
	bool empty;

	t->in_time = transcript_time_fits(t, v[GEMINI_TIME]);
	if (m.kind == GEMINI ||
	    (m.kind == USER && (json_kind(v[GEMINI_CONTENT]) == JSON_STRING ||
				parts_has_any(v[GEMINI_CONTENT])))) {
		role = find_role(t, m.kind, v[GEMINI_CONTENT], &empty);
		index_text(t, role, empty);
		m.slot = (uint32_t)t->n_slots;
		place_slot(g, t, place, true);
	}
	XGROW(g->messages, g->n_messages + 1, g->cap_messages);
	g->messages[g->n_messages++] = m;
	XGROW(g->current, g->n_current + 1, g->cap_current);
	g->current[g->n_current++] = number;
	add_known(g, t, v[GEMINI_ID], (struct known){ .message = number });
	return number;
}

/* A call, by the hash of its message and id, is told of there. */
static void
take_call(struct gemini *g, struct transcript *t, uint64_t hash,
	  struct str name, struct slot_place place)
{
	uint32_t i = hash_find(&g->call_ids, hash, g->calls, sizeof(*g->calls));
	uint32_t seq;

	if (i != HASH_NONE) {
		seq = g->calls[i].seq;
		index_rename_tool(t, seq, name);
		t->slots[seq - 1].flags &= (uint8_t)~SLOT_IN_TIME;
		t->slots[seq - 1].flags |= t->in_time ? SLOT_IN_TIME : 0;
		g->places[seq - 1] = place;
		return;
	}
	/* Its result stands in it: it pairs with nothing. */
	index_tool(t, SLOT_LONE, STR(""), name);
	place_slot(g, t, place, true);
	XGROW(g->calls, g->n_calls + 1, g->cap_calls);
	g->calls[g->n_calls] = (struct call){ hash, (uint32_t)t->n_slots };
	hash_add(&g->call_ids, (uint32_t)g->n_calls++, g->calls,
		 sizeof(*g->calls));
}

/* The calls of a line or an element, whose time those have that have none. */
static void
take_calls(struct gemini *g, struct transcript *t, uint32_t number,
	   const struct str v[], struct slot_place place)
{
	static const char *const names[] = { "name", "timestamp" };
	struct json_iter it = json_map_iterate(&t->map, v[GEMINI_CALLS]);
	struct buf *key = &t->scratch[2];
	struct str call, id, c[2];
	uint64_t hash;

	while (gemini_log_next_call(&it, &call, &id)) {
		place.part++;
		buf_reset(key);
		buf_add(key, &number, sizeof(number));
		json_decode(id, key);
		hash = transcript_hash(t, buf_str(key));
		json_map_get_many(&t->map, call, names, c, 2);
		t->in_time = transcript_time_fits(
			t,
			json_kind(c[1]) == JSON_STRING ? c[1] : v[GEMINI_TIME]);
		take_call(g, t, hash, json_text(c[0], &t->scratch[1]), place);
	}
}

/* A line that names a message, which may be known. */
static void
take_line(struct gemini *g, struct transcript *t, const struct str v[])
{
	struct slot_place place = { (uint32_t)t->n_records - 1, 0 };
	const struct known *known = find_known(g, t, v[GEMINI_ID]);
	uint32_t number;

	if (known != NULL && known->message == NONE)
		return;
	if (known == NULL) {
		number = add_message(g, t, v, place);
	} else {
		number = known->message;
		if (decoder_find_kind(types, v[GEMINI_TYPE]) !=
		    g->messages[number].kind)
			return;
		move_message(g, t, &g->messages[number], v[GEMINI_CONTENT],
			     place);
	}
	mention(g, t, number, v);
	if (g->messages[number].kind == GEMINI)
		take_calls(g, t, number, v, place);
}

/* ---- $set -------------------------------------------------------------- */

/* The messages of a `$set`, one after the other. */
struct walk {
	struct json_iter it;
	struct str v[GEMINI_COUNT]; /* members of this one */
	size_t part, next; /* its first span in parts(), and the next one's */
};

static struct walk
walk_messages(struct transcript *t, struct str messages)
{
	return (struct walk){ .it = json_map_iterate(&t->map, messages) };
}

static bool
next_message(struct walk *w)
{
	struct str message, call, id;
	struct json_iter calls;

	if (!json_next_element(&w->it, &message))
		return false;
	json_map_get_many(w->it.map, message, gemini_log_members, w->v,
			  GEMINI_COUNT);
	w->part = w->next++;
	calls = json_map_iterate(w->it.map, w->v[GEMINI_CALLS]);
	while (gemini_log_next_call(&calls, &call, &id))
		w->next++;
	return true;
}

/* Elements with an id that is not known: false for all others. */
static bool
is_new(struct gemini *g, struct transcript *t, const struct str v[])
{
	return json_kind(v[GEMINI_ID]) == JSON_STRING &&
	       find_known(g, t, v[GEMINI_ID]) == NULL;
}

static bool
is_answer(struct transcript *t, struct str content)
{
	struct buf *text = &t->scratch[1];

	buf_reset(text);
	(void)gemini_log_add_text(content, text);
	return str_is(buf_str(text), ANSWER);
}

/*
 * Whether the messages were compacted: a new answer of that text, behind a new
 * message of the user, which is the summary.  Stores its place.
 */
static bool
find_summary(struct gemini *g, struct transcript *t, struct str messages,
	     size_t *part)
{
	struct walk w = walk_messages(t, messages);
	bool after_new_user = false;

	while (next_message(&w)) {
		unsigned kind = decoder_find_kind(types, w.v[GEMINI_TYPE]);
		bool new = is_new(g, t, w.v);

		if (kind == GEMINI && new &&after_new_user &&
		    is_answer(t, w.v[GEMINI_CONTENT]))
			return true;
		after_new_user = kind == USER && new;
		*part = w.part;
	}
	return false;
}

/* What the window goes on with: copies of what was said, under new ids. */
static void
take_compaction(struct gemini *g, struct transcript *t, struct str set,
		struct str messages, size_t part, uint64_t number)
{
	struct slot_place place = { (uint32_t)t->n_records - 1, part };
	struct walk w = walk_messages(t, messages);
	bool answers = false;
	uint32_t seq;

	t->in_time = transcript_time_fits(t, json_get(set, "lastUpdated"));
	index_boundary(t, number, 0);
	/* Whether a context text is empty matters to nobody. */
	index_text(t, ROLE_CONTEXT, false);
	place_slot(g, t, place, false);
	seq = (uint32_t)t->n_slots;
	while (next_message(&w)) {
		struct known means = { .message = NONE, .compaction = seq };

		if (!is_new(g, t, w.v))
			continue;
		/* The summary and the answer to it are the compaction's. */
		if (w.part != part && !answers)
			means.message = find_text(g, t, w.v);
		answers = w.part == part;
		add_known(g, t, w.v[GEMINI_ID], means);
	}
}

static void
take_set(struct gemini *g, struct transcript *t, struct str set,
	 uint64_t number)
{
	struct str messages = json_map_get(&t->map, set, "messages");
	struct walk w = walk_messages(t, messages);
	size_t part = 0;

	if (find_summary(g, t, messages, &part)) {
		take_compaction(g, t, set, messages, part, number);
		return;
	}
	while (next_message(&w)) {
		struct slot_place place = { (uint32_t)t->n_records - 1,
					    w.part };
		uint32_t m;

		if (!is_new(g, t, w.v))
			continue;
		m = add_message(g, t, w.v, place);
		mention(g, t, m, w.v);
		if (g->messages[m].kind == GEMINI)
			take_calls(g, t, m, w.v, place);
	}
}

/* ---- rewinds ----------------------------------------------------------- */

/* Retires what came after `start` slots, but for compactions. */
static void
rewind_to(struct gemini *g, struct transcript *t, struct str id)
{
	const struct known *known = find_known(g, t, id);
	uint32_t start;

	if (known == NULL ||
	    (known->message != NONE && g->messages[known->message].retired))
		return;
	start = known->message == NONE ? known->compaction
				       : g->messages[known->message].start;
	while (g->n_live > 0 && g->live[g->n_live - 1] > start)
		t->slots[g->live[--g->n_live] - 1].flags &=
			(uint8_t)~SLOT_BRANCH;
	while (g->n_current > 0) {
		uint32_t m = g->current[g->n_current - 1];

		if (g->messages[m].start < start ||
		    (known->message != NONE && m < known->message))
			break;
		g->messages[m].retired = true;
		g->n_current--;
	}
}

/* ---- a file ------------------------------------------------------------ */

void
gemini_log_begin(struct transcript *t, struct str first)
{
	struct gemini *g = xcalloc(1, sizeof(*g));

	(void)first;
	g->times = (struct buf)BUF_INIT;
	t->host = g;
}

void
gemini_log_end(struct transcript *t)
{
	struct gemini *g = t->host;

	if (g == NULL)
		return;
	free(g->known);
	hash_table_release(&g->known_ids);
	free(g->messages);
	free(g->calls);
	hash_table_release(&g->call_ids);
	free(g->texts);
	hash_table_release(&g->text_hashes);
	free(g->mentions);
	buf_release(&g->times);
	free(g->places);
	free(g->live);
	free(g->current);
	free(g);
}

bool
gemini_log_index(struct transcript *t, struct str record, uint64_t number)
{
	struct str v[GEMINI_COUNT], none = { NULL, 0 };
	struct gemini *g = t->host;

	json_map_get_many(&t->map, record, gemini_log_members, v, GEMINI_COUNT);
	/* A message is written again under its id, so no record has one. */
	if (!index_record(t, none))
		return true;
	if (json_kind(v[GEMINI_REWIND]) == JSON_STRING)
		rewind_to(g, t, v[GEMINI_REWIND]);
	else if (json_kind(v[GEMINI_SET]) == JSON_OBJECT)
		take_set(g, t, v[GEMINI_SET], number);
	else if (json_kind(v[GEMINI_ID]) == JSON_STRING &&
		 json_kind(v[GEMINI_TYPE]) == JSON_STRING)
		take_line(g, t, v);
	return true;
}

struct slot_place
gemini_log_place(const struct transcript *t, uint32_t seq)
{
	const struct gemini *g = t->host;

	return g->places[seq - 1];
}

struct str
gemini_log_time(const struct transcript *t, struct str id)
{
	const struct gemini *g = t->host;
	struct buf scratch = BUF_INIT;
	uint64_t hash = transcript_hash(t, json_text(id, &scratch));
	uint32_t i = hash_find(&g->known_ids, hash, g->known,
			       sizeof(*g->known));

	buf_release(&scratch);
	if (i == HASH_NONE || g->known[i].message == NONE)
		return (struct str){ NULL, 0 };
	return str_of(g->times.data + g->messages[g->known[i].message].time);
}
