#include "transcript/transcript.h"

#include <stdlib.h>

#include "base/json_span.h"
#include "base/xalloc.h"
#include "transcript/lines.h"

/* ---- opening ----------------------------------------------------------- */

/* What a reader has of its own. */
static void
init_reader(struct transcript *t, struct source *source)
{
	t->source = source;
	t->holds = false;
	t->large = NULL;
	t->large_keys = (struct hash_table){ 0 };
	t->n_large = t->cap_large = 0;
	for (size_t i = 0; i < 2; i++) {
		t->views[i] = (struct view){ .held = false };
		buf_init(&t->views[i].line, BUF_UNLIMITED);
		buf_init(&t->views[i].time, BUF_UNLIMITED);
		buf_init(&t->views[i].piece, BUF_UNLIMITED);
		buf_init(&t->views[i].identity, BUF_UNLIMITED);
	}
	for (size_t i = 0; i < 3; i++)
		buf_init(&t->scratch[i], BUF_UNLIMITED);
}

static void
release_reader(struct transcript *t)
{
	source_close(t->source);
	for (size_t i = 0; i < t->n_large; i++) {
		free(t->large[i].skeleton);
		free(t->large[i].parts);
	}
	free(t->large);
	hash_table_release(&t->large_keys);
	for (size_t i = 0; i < 2; i++) {
		buf_release(&t->views[i].line);
		buf_release(&t->views[i].time);
		buf_release(&t->views[i].piece);
		buf_release(&t->views[i].identity);
		free(t->views[i].spans);
	}
	for (size_t i = 0; i < 3; i++)
		buf_release(&t->scratch[i]);
	allowance_give(t->allowance, &t->holds);
}

static void
init(struct transcript *t, struct source *source)
{
	*t = (struct transcript){ 0 };
	init_reader(t, source);
	hash_key_random(&t->key);
	buf_init(&t->session_id, BUF_UNLIMITED);
}

void
transcript_share(const struct transcript *t, struct source *source,
		 struct transcript *reader)
{
	*reader = *t;
	init_reader(reader, source);
}

void
transcript_unshare(struct transcript *reader)
{
	release_reader(reader);
}

/* Frees what only indexing needs. */
static void
release_ids(struct transcript *t)
{
	hash_table_release(&t->ids);
	hash_table_release(&t->name_ids);
	free(t->forward);
	t->forward = NULL;
}

void
transcript_close(struct transcript *t)
{
	if (t->decoder != NULL && t->decoder->end != NULL)
		t->decoder->end(t);
	release_reader(t);
	release_ids(t);
	for (size_t i = 0; i < t->n_names; i++)
		free(t->names[i].text);
	free(t->names);
	free(t->records);
	free(t->slots);
	free(t->boundaries);
	buf_release(&t->session_id);
}

/* What the first record tells: whose transcript it is, and its id. */
static bool
begin(struct transcript *t, const struct decoder *decoder,
      const struct transcript_options *options, struct str first)
{
	if (options->recognise != NULL)
		decoder = options->recognise(decoder, first);
	else if (!decoder->recognises(first))
		decoder = NULL;
	if (decoder == NULL)
		return false;
	t->decoder = decoder;
	buf_add_str(&t->session_id,
		    decoder_session_id(decoder, first, &t->scratch[0]));
	decoder->begin(t, first);
	return true;
}

/* What the first record of another file of the chain tells. */
static void
begin_piece(struct transcript *t, size_t piece, struct str first)
{
	if (t->piece == piece)
		return;
	t->piece = piece;
	t->decoder->begin(t, first);
}

/*
 * Whether a line goes on behind the place that the session continues a file
 * from: then it is not of the session, unless it is whole without its end.
 */
static bool
is_cut(const struct transcript *t, const struct line *line, size_t piece)
{
	const struct chain_piece *p;

	if (t->chain == NULL)
		return false;
	p = &t->chain->v[piece];
	return p->limit != CHAIN_ALL &&
	       chain_position(p, line->offset + line->text.n) >= p->limit;
}

static bool
is_any_time(const struct transcript *t)
{
	return t->times == NULL ||
	       (!t->times->has_since && !t->times->has_until);
}

bool
transcript_time_fits(struct transcript *t, struct str raw)
{
	struct str at;

	if (is_any_time(t))
		return true;
	if (json_kind(raw) != JSON_STRING)
		return false;
	at = json_text(raw, &t->scratch[0]);
	return at.n <= TRANSCRIPT_TIME_BYTES && moment_in_range(t->times, at);
}

/* Parents that stand later than their children are known now. */
static void
find_forward(struct transcript *t)
{
	for (size_t i = 0; i < t->n_forward; i++) {
		const struct forward *f = &t->forward[i];
		uint32_t parent = hash_find(&t->ids, f->parent, t->records,
					    sizeof(*t->records));

		t->records[f->record].parent = parent == HASH_NONE
						       ? f->otherwise
						       : parent;
	}
}

enum transcript_error
transcript_open(struct transcript *t, struct source *source,
		const struct decoder *decoder,
		const struct transcript_options *options)
{
	static const struct transcript_options none = { 0 };
	enum transcript_error error = TRANSCRIPT_OK;
	struct prefilter_look look = { 0 };
	struct lines lines;
	struct line line;
	struct str record;
	size_t piece = 0;
	int more;

	if (options == NULL)
		options = &none;
	init(t, source);
	t->times = options->times;
	t->chain = options->chain;
	t->prefilter = options->prefilter;
	t->agent = options->agent;
	t->allowance = options->allowance;
	t->base_missing = t->chain != NULL && t->chain->missing;
	lines_init(&lines, source, LINES_LONGEST);
	lines.allowance = t->allowance;
	while ((more = lines_next(&lines, &line)) > 0) {
		if (t->chain != NULL)
			piece = chain_find(t->chain, line.offset);
		t->lines_skipped += line.nuls;
		if (line.blank)
			continue;
		if (line.too_long || !lines_map(&t->map, line.text, &record)) {
			t->lines_skipped += !is_cut(t, &line, piece);
			continue;
		}
		if (t->decoder == NULL && !begin(t, decoder, options, record))
			break;
		begin_piece(t, piece, record);
		t->offset = line.offset;
		t->length = (uint32_t)line.text.n;
		t->in_time = is_any_time(t) ||
			     transcript_time_fits(t,
						  json_map_get(&t->map, record,
							       "timestamp"));
		t->marks = prefilter_line_marks(t->prefilter, &look, line.text,
						line.ahead, line.offset);
		if (!t->decoder->index(t, record, line.number))
			t->lines_skipped++;
	}
	if (more < 0)
		error = TRANSCRIPT_IO;
	else if (t->decoder == NULL)
		error = TRANSCRIPT_FOREIGN;
	else
		find_forward(t);
	json_map_release(&t->map); /* its text goes */
	lines_release(&lines);
	return error;
}

uint64_t
transcript_hash(const struct transcript *t, struct str id)
{
	uint64_t hash = hash_bytes(&t->key, id);

	return hash == 0 ? 1 : hash;
}

uint32_t
transcript_find(const struct transcript *t, struct str id)
{
	_Static_assert(RECORD_NONE == HASH_NONE, "what is not found");

	return hash_find(&t->ids, transcript_hash(t, id), t->records,
			 sizeof(*t->records));
}

/* ---- branch and pairs -------------------------------------------------- */

static bool
can_pair(const struct slot *slot, enum slot_kind kind)
{
	return slot->kind == kind && slot->call != 0 &&
	       (slot->flags & SLOT_BRANCH) != 0;
}

/* Calls of one id in one record that wait for results, the first in front. */
struct waiting {
	uint32_t record;
	uint32_t first, last; /* slots */
	uint32_t below;	      /* the group of an earlier record, or HASH_NONE */
};

/* The groups of one id: that of the latest record is on top. */
struct calls {
	uint64_t id;
	uint32_t top;
};

struct pairing {
	struct hash_table ids;
	struct calls *calls; /* by id */
	struct waiting *groups;
	uint32_t *next; /* of a slot that waits in a group */
	size_t n_calls, cap_calls, n_groups, cap_groups;
};

static void
add_call(struct pairing *p, const struct slot *slots, uint32_t i)
{
	uint32_t at = hash_find(&p->ids, slots[i].call, p->calls,
				sizeof(*p->calls));
	struct calls *calls;

	if (at == HASH_NONE) {
		at = (uint32_t)p->n_calls;
		XGROW(p->calls, p->n_calls + 1, p->cap_calls);
		p->calls[p->n_calls++] = (struct calls){ slots[i].call,
							 HASH_NONE };
		hash_add(&p->ids, at, p->calls, sizeof(*p->calls));
	}
	calls = &p->calls[at];
	if (calls->top != HASH_NONE &&
	    p->groups[calls->top].record == slots[i].record) {
		p->next[p->groups[calls->top].last] = i;
		p->groups[calls->top].last = i;
		return;
	}
	XGROW(p->groups, p->n_groups + 1, p->cap_groups);
	p->groups[p->n_groups] = (struct waiting){ slots[i].record, i, i,
						   calls->top };
	calls->top = (uint32_t)p->n_groups++;
}

static void
add_result(struct pairing *p, struct slot *slots, uint32_t i)
{
	uint32_t at = hash_find(&p->ids, slots[i].call, p->calls,
				sizeof(*p->calls));
	struct waiting *group;
	uint32_t call;

	if (at == HASH_NONE || p->calls[at].top == HASH_NONE)
		return;
	group = &p->groups[p->calls[at].top];
	call = group->first;
	if (call == group->last)
		p->calls[at].top = group->below;
	else
		group->first = p->next[call];
	slots[call].pair = i + 1;
	slots[i].pair = call + 1;
	slots[i].flags |= SLOT_CONSUMED;
}

/*
 * Pairs the calls on the branch with their results (spec/history.md section
 * 3.5): a result goes to a call of its id that has none, of the nearest
 * earlier record that has one, and there the first.
 */
static void
pair(struct transcript *t)
{
	struct pairing p = { 0 };

	p.next = xmalloc(t->n_slots * sizeof(*p.next));
	for (uint32_t i = 0; i < t->n_slots; i++) {
		if (can_pair(&t->slots[i], SLOT_CALL))
			add_call(&p, t->slots, i);
		else if (can_pair(&t->slots[i], SLOT_RESULT))
			add_result(&p, t->slots, i);
	}
	hash_table_release(&p.ids);
	free(p.calls);
	free(p.groups);
	free(p.next);
}

bool
transcript_select(struct transcript *t, struct str leaf)
{
	uint32_t record = RECORD_NONE;

	if (leaf.n > 0 && t->decoder->has_ids) {
		record = transcript_find(t, leaf);
		if (record == RECORD_NONE ||
		    (t->records[record].flags & RECORD_NO_LEAF) != 0)
			return false;
	}
	t->decoder->branch(t, record);
	release_ids(t);
	pair(t);
	return true;
}

size_t
transcript_piece(const struct transcript *t, uint32_t record)
{
	return t->chain == NULL
		       ? 0
		       : chain_find(t->chain, t->records[record].offset);
}

uint32_t
transcript_behind(const struct transcript *t, size_t piece, uint64_t position)
{
	const struct chain_piece *p = &t->chain->v[piece];
	size_t low = 0, high = t->n_records;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct record *r = &t->records[middle];
		size_t at = transcript_piece(t, (uint32_t)middle);

		if (at < piece ||
		    (at == piece &&
		     chain_position(p, r->offset + r->length) <= position))
			low = middle + 1;
		else
			high = middle;
	}
	return (uint32_t)low;
}

/* ---- reading again ----------------------------------------------------- */

/* Where a slot's facts stand: the record, and which of its parts. */
static struct slot_place
place_of(const struct transcript *t, uint32_t seq)
{
	uint32_t record = transcript_slot(t, seq)->record;

	if (t->decoder->place != NULL)
		return t->decoder->place(t, seq);
	return (struct slot_place){ record, seq - t->records[record].seq };
}

bool
transcript_is_candidate(const struct transcript *t, uint32_t seq)
{
	uint32_t pair = transcript_slot(t, seq)->pair;
	uint32_t flags = t->records[place_of(t, seq).record].flags;

	if (pair != 0)
		flags |= t->records[place_of(t, pair).record].flags;
	return prefilter_fits(t->prefilter, flags >> RECORD_MARKS_SHIFT);
}

static bool
is_large_record(const struct transcript *t, uint32_t number)
{
	return t->records[number].length > ALLOWANCE_FREE;
}

bool
transcript_is_large(const struct transcript *t, uint32_t seq)
{
	const struct slot *slot = transcript_slot(t, seq);

	return is_large_record(t, slot->record) ||
	       is_large_record(t, place_of(t, seq).record) ||
	       (slot->pair != 0 &&
		is_large_record(t, place_of(t, slot->pair).record));
}

static void
add_span(void *ctx, struct str span, struct str time)
{
	struct view *v = ctx;

	XGROW(v->spans, v->n + 1, v->cap);
	v->spans[v->n++] = (struct span){ span, time };
}

/*
 * What is read is checked anew: the file may have been rewritten in place
 * since it was indexed, and everything below takes checked JSON.
 */
static bool
read_record(struct transcript *t, uint32_t number, struct buf *line,
	    struct str *object)
{
	const struct record *record = &t->records[number];
	char *to;

	buf_reset(line);
	if (record->length > ALLOWANCE_FREE)
		allowance_take(t->allowance, &t->holds);
	to = buf_reserve(line, record->length);
	if (!source_read_at(t->source, record->offset, to, record->length))
		return false;
	line->len = record->length;
	return lines_parse(buf_str(line), object);
}

/*
 * Calls may have their results in a few records by turns: to read all of such
 * a record for each would take the square of its size.
 */
#define MANY_PARTS 32
#define SKELETON_SHARE 16 /* of a record, at most */
#define FEW_PARTS 4	  /* a large record of these is read for each of them */

static const struct large_record *
find_large(const struct transcript *t, uint32_t number)
{
	uint32_t i = hash_find(&t->large_keys, number, t->large,
			       sizeof(*t->large));

	return i == HASH_NONE ? NULL : &t->large[i];
}

/* What stands between two elements of an array. */
static bool
is_gap(struct str s)
{
	size_t i = 0;

	while (i < s.n && (s.s[i] == ',' || s.s[i] == ' ' || s.s[i] == '\t'))
		i++;
	return i == s.n;
}

/* The record of a view, null for all parts that stand next to each other. */
static void
add_skeleton(const struct view *v, struct buf *out)
{
	const char *line = v->line.data;
	size_t done = 0;

	for (size_t i = 0; i < v->n; i++) {
		struct str span = v->spans[i].at;
		size_t at = span.n == 0 ? 0 : (size_t)(span.s - line);

		/* A part may lie in another one. */
		if (span.n == 0 || at < done)
			continue;
		if (done == 0 ||
		    !is_gap((struct str){ line + done, at - done })) {
			buf_add(out, line + done, at - done);
			buf_adds(out, "null");
		}
		done = at + span.n;
	}
	buf_add(out, line + done, v->line.len - done);
}

/* Where the parts of a view and their times are; the times go to out. */
static struct large_part *
find_parts(const struct view *v, struct buf *out)
{
	struct large_part *parts = xcalloc(v->n, sizeof(*parts));

	for (size_t i = 0; i < v->n; i++) {
		const struct span *s = &v->spans[i];

		if (s->at.n > 0)
			parts[i].at = (uint32_t)(s->at.s - v->line.data);
		parts[i].n = (uint32_t)s->at.n;
		parts[i].time = (uint32_t)out->len;
		parts[i].time_n = (uint32_t)s->time.n;
		buf_add_str(out, s->time);
	}
	return parts;
}

/* Keeps what is needed to read the parts of the record in a view apart. */
static void
keep_large(struct transcript *t, const struct view *v)
{
	struct large_record large = { .key = v->record,
				      .known = v->part.known,
				      .n_parts = v->n };
	struct buf skeleton = BUF_INIT;
	size_t n;

	if (v->n < MANY_PARTS || find_large(t, v->record) != NULL)
		return;
	if (t->decoder->alone)
		buf_adds(&skeleton, "null");
	else
		add_skeleton(v, &skeleton);
	n = skeleton.len;
	if (n <= v->line.len / SKELETON_SHARE) {
		large.parts = find_parts(v, &skeleton);
		large.skeleton = xmemdup(skeleton.data, skeleton.len);
		large.record = json_value((struct str){ large.skeleton, n });
		XGROW(t->large, t->n_large + 1, t->cap_large);
		t->large[t->n_large] = large;
		hash_add(&t->large_keys, (uint32_t)t->n_large++, t->large,
			 sizeof(large));
	}
	buf_release(&skeleton);
}

/*
 * Reads the bytes of one part of a record; false: they are not a value any
 * more.
 */
static bool
read_span(struct transcript *t, struct view *v, uint32_t record,
	  const struct large_part *p, struct str *span)
{
	char *to;

	buf_reset(&v->piece);
	*span = STR("");
	if (p->n == 0)
		return true;
	if (p->n > ALLOWANCE_FREE)
		allowance_take(t->allowance, &t->holds);
	to = buf_reserve(&v->piece, p->n);
	if (!source_read_at(t->source, t->records[record].offset + p->at, to,
			    p->n))
		return false;
	v->piece.len = p->n;
	*span = json_value(buf_str(&v->piece));
	return json_map_text(NULL, *span);
}

struct str
transcript_identity(const struct transcript *t, struct view *v)
{
	const struct large_record *large = find_large(t, v->told);
	struct str record = large != NULL ? large->record : v->told_record;

	if (v->identified != (uint64_t)v->told + 1) {
		buf_reset(&v->identity);
		if (t->decoder->identity != NULL)
			t->decoder->identity(record, &v->identity);
		v->identified = (uint64_t)v->told + 1;
	}
	return buf_str(&v->identity);
}

/*
 * Reads one part of a large record; false: it is read with its record.  own is
 * the record whose time counts where the part has none.
 */
static bool
read_part(struct transcript *t, struct view *v, const struct slot_place *at,
	  uint32_t own, struct part *part)
{
	const struct large_record *large = find_large(t, at->record);
	const struct large_part *p;
	struct str span;

	if ((v->held && v->record == at->record) || large == NULL ||
	    at->part >= large->n_parts)
		return false;
	p = &large->parts[at->part];
	if ((p->time_n == 0 && at->record != own) ||
	    !read_span(t, v, at->record, p, &span))
		return false;
	*part = (struct part){ .record = large->record,
			       .timestamp = json_get(large->record,
						     "timestamp"),
			       .span = span,
			       .known = large->known,
			       .number = at->part };
	if (p->time_n > 0)
		part->timestamp = (struct str){ large->skeleton + p->time,
						p->time_n };
	v->told = at->record;
	v->told_record = large->record;
	return true;
}

static bool
is_large(const struct view *v)
{
	return v->line.cap > ALLOWANCE_FREE || v->piece.cap > ALLOWANCE_FREE ||
	       v->time.cap > ALLOWANCE_FREE;
}

static void
free_large(struct transcript *t, struct view *v)
{
	if (!is_large(v))
		return;
	if (v->told_record.s != NULL)
		(void)transcript_identity(t, v);
	v->told_record = (struct str){ NULL, 0 };
	v->held = false;
	buf_release(&v->line);
	buf_release(&v->piece);
	buf_release(&v->time);
}

void
transcript_free_large(struct transcript *t, struct view *v)
{
	/*
	 * One of many parts is asked for again: reading it is for all of them.
	 */
	if (!v->held || v->n <= FEW_PARTS)
		free_large(t, v);
}

void
transcript_next(struct transcript *t)
{
	for (size_t i = 0; i < 2; i++)
		transcript_free_large(t, &t->views[i]);
	if (!is_large(&t->views[0]) && !is_large(&t->views[1]))
		allowance_give(t->allowance, &t->holds);
}

void
transcript_let_go(struct transcript *t)
{
	for (size_t i = 0; i < 2; i++)
		free_large(t, &t->views[i]);
	allowance_give(t->allowance, &t->holds);
}

bool
transcript_read(struct transcript *t, struct view *v, uint32_t number)
{
	struct str object;

	if (!v->held || v->record != number) {
		v->held = false;
		v->n = 0;
		if (!read_record(t, number, &v->line, &object))
			return false;
		v->part = (struct part){
			.record = object,
			.timestamp = json_get(object, "timestamp"),
			.known = t->decoder->parts(t, number, object, add_span,
						   v),
		};
		v->record = number;
		v->held = true;
		keep_large(t, v);
	}
	v->told = number;
	v->told_record = v->part.record;
	return true;
}

bool
transcript_read_slot(struct transcript *t, struct view *v, uint32_t seq,
		     struct part *part)
{
	uint32_t own = transcript_slot(t, seq)->record;
	struct slot_place at = place_of(t, seq);
	struct str object;

	if (read_part(t, v, &at, own, part))
		return true;
	if (!transcript_read(t, v, at.record) || at.part >= v->n)
		return false;
	*part = v->part;
	part->number = at.part;
	part->span = v->spans[at.part].at;
	if (v->spans[at.part].time.n > 0) {
		part->timestamp = v->spans[at.part].time;
	} else if (at.record != own) {
		/* Told again later, it was still made when it was first. */
		if (!read_record(t, own, &v->time, &object))
			return false;
		part->timestamp = json_get(object, "timestamp");
	}
	return true;
}
