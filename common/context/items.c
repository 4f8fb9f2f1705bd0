#include "context/items.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_span.h"
#include "base/xalloc.h"
#include "context/context.h"
#include "context/life_json.h"
#include "sessions/segments.h"
#include "transcript/claude.h"
#include "transcript/codex.h"
#include "transcript/hosts.h"
#include "transcript/lines.h"
#include "transcript/pi.h"

#define LINES_BLOCK ((size_t)256 * 1024)
#define LEAF_BLOCK ((size_t)256 * 1024)
#define LINE_ID "line-"

/* The first call on the branch that has an id. */
struct call_name {
	uint64_t id;
	uint32_t seq;
};

/* ---- whose transcript -------------------------------------------------- */

/* The host's facts as they are for the agent: 2.1. */
static void
set_facts(struct items *items, const struct facts *facts,
	  const struct agent *agent)
{
	struct str own = hosts_session_id(str_of(fact(facts, FACT_SESSION)));
	struct facts *f = &items->facts;

	*f = *facts;
	if (own.n > 0 && str_eq(own, hosts_session_id(str_of(agent->session))))
		return;
	f->value[FACT_SESSION] = agent->session;
	f->value[FACT_SESSION_FILE] = agent->session_file;
	f->value[FACT_LEAF] = NULL;
}

/* A session that nobody has recorded yet is none, and no error. */
static bool
is_absent(const struct items *items, const struct fail *fail)
{
	return !items->session.opened &&
	       (strcmp(fail->code, "unknown_session") == 0 ||
		strcmp(fail->code, "no_session") == 0 ||
		strcmp(fail->code, "invalid_session") == 0);
}

static int
refuse_unreadable(const struct items *items, const char *agent,
		  struct fail *fail)
{
	struct buf why = BUF_INIT;

	buf_add_str(&why, buf_str(&fail->message));
	fail_refuse(fail, "unreadable_session",
		    "the transcript of %s (session %s): %s", agent,
		    items->facts.value[FACT_SESSION], why.data);
	buf_release(&why);
	return -1;
}

/* ---- windows (4.1) ----------------------------------------------------- */

/* The window that the text of a boundary says it begins; 0: none. */
static int64_t
marker_number(struct str text)
{
	static const char prefix[] = "Current context window id: ";
	bool marked = false;
	int64_t number = 0, k;
	struct str line;

	while (text.n > 0) {
		line = str_cut(&text, '\n');
		if (str_is(line, "<context_window_reset/>"))
			marked = true;
		if (number == 0 && str_starts(line, str_of(prefix))) {
			k = life_json_window_number(
				str_from(line, sizeof(prefix) - 1));
			number = k;
		}
	}
	return marked ? number : 0;
}

/* The summary that Claude Code records after a boundary, if on the branch. */
static bool
is_summary(struct transcript *t, uint32_t record, struct buf *text)
{
	struct item item;
	bool found;

	item_init(&item);
	found = item_load(t, record, &item) > 0 && item.summary;
	if (found)
		buf_add_str(text, buf_str(&item.content));
	item_release(&item);
	return found;
}

static bool
add_boundary_text(struct transcript *t, const struct boundary *b,
		  struct buf *text)
{
	uint32_t record = b->record, seq = t->records[record].seq;
	struct str v;
	struct part part;
	bool known;

	if (t->decoder == &claude_decoder) {
		while (++record < t->n_records)
			if (transcript_on_branch(t, record) &&
			    (item_is_there(t, record, &known) || !known)) {
				(void)is_summary(t, record, text);
				break;
			}
		return true;
	}
	if (t->decoder == &codex_decoder || t->decoder == &pi_decoder) {
		if (!transcript_read(t, &t->views[0], record))
			return false;
		v = t->views[0].part.record;
		v = t->decoder == &pi_decoder
			    ? json_get(v, "summary")
			    : json_get(json_get(v, "payload"), "message");
		if (json_kind(v) == JSON_STRING)
			json_decode(v, text);
	} else if (seq > 0 && seq <= transcript_highest(t) &&
		   transcript_slot(t, seq)->record == record) {
		if (!transcript_read_slot(t, &t->views[0], seq, &part))
			return false;
		t->decoder->text(&part, text);
	}
	return true;
}

static bool
number_windows(struct items *items)
{
	struct transcript *t = &items->session.transcript;
	struct buf text = BUF_INIT;
	int64_t n = 1, marker;
	bool whole = true;

	items->windows = xcalloc(t->n_boundaries + 1, sizeof(*items->windows));
	items->windows[items->n_windows++] = (struct items_window){ 0, 1, 0 };
	for (size_t i = 0; whole && i < t->n_boundaries; i++) {
		const struct boundary *b = &t->boundaries[i];

		if (!transcript_on_branch(t, b->record))
			continue;
		buf_reset(&text);
		whole = add_boundary_text(t, b, &text);
		marker = marker_number(buf_str(&text));
		n = marker > n ? marker : n + 1;
		items->windows[items->n_windows++] =
			(struct items_window){ b->record, n, marker };
	}
	buf_release(&text);
	return whole;
}

size_t
items_window_of(const struct items *items, uint32_t record)
{
	size_t low = 0, high = items->n_windows, middle;

	/* The last one that is opened at or before the record. */
	while (high - low > 1) {
		middle = low + (high - low) / 2;
		if (items->windows[middle].record <= record)
			low = middle;
		else
			high = middle;
	}
	return low;
}

const struct items_window *
items_find_window(const struct items *items, struct str id)
{
	int64_t number = life_json_window_number(id);

	for (size_t i = 0; number > 0 && i < items->n_windows; i++)
		if (items->windows[i].number == number)
			return &items->windows[i];
	return NULL;
}

/* ---- opening ----------------------------------------------------------- */

int
items_open(struct items *items, const struct facts *facts,
	   const struct agent *agent, const struct prefilter *prefilter,
	   struct fail *fail)
{
	*items = (struct items){ .session = SESSION_INIT };
	set_facts(items, facts, agent);
	items->session.prefilter = prefilter;
	if (session_open(&items->session, &items->facts, STR(""), NULL, fail) !=
	    0) {
		if (fail->kind != FAIL_REFUSED)
			return -1;
		if (is_absent(items, fail)) {
			fail_release(fail);
			return 0;
		}
		if (strcmp(fail->code, "unreadable_session") == 0)
			return refuse_unreadable(items, agent->name, fail);
		return -1;
	}
	items->found = true;
	return number_windows(items) ? 0 : items_refuse_io(items, fail);
}

void
items_close(struct items *items)
{
	session_release(&items->session);
	free(items->windows);
	free(items->lines);
	free(items->calls);
	items->windows = NULL;
	items->lines = NULL;
	items->calls = NULL;
}

/* The end of a file is where the leaf of a live branch stands. */
static bool
is_near_end(struct source *source, struct str leaf)
{
	size_t n = source->size_hint < LEAF_BLOCK ? (size_t)source->size_hint
						  : LEAF_BLOCK;
	char *block = xmalloc(n);
	bool found = source_read_at(source, source->size_hint - n, block, n) &&
		     memmem(block, n, leaf.s, leaf.n) != NULL;

	free(block);
	return found;
}

/* Whether it begins like a transcript of which we know how items are made. */
static bool
is_known(struct source *source)
{
	const struct host *host = NULL;
	struct lines lines;
	struct str first;

	if (lines_first(&lines, source, &first))
		host = hosts_recognise(first);
	lines_release(&lines);
	return host != NULL && (host->decoder == &pi_decoder ||
				host->decoder == &claude_decoder ||
				host->decoder == &codex_decoder);
}

bool
items_rule_out(const struct facts *facts, const struct agent *agent,
	       const struct prefilter *prefilter)
{
	struct corpus_opener opener = CORPUS_OPENER_INIT;
	struct items items = { .session = SESSION_INIT };
	struct session *s = &items.session;
	struct fail ignored = FAIL_INIT;
	struct source *source = NULL;
	char *space = NULL;
	atomic_bool stop = false;
	struct str leaf;
	bool none = false;

	if (prefilter == NULL)
		return false;
	set_facts(&items, facts, agent);
	leaf = str_of(fact(&items.facts, FACT_LEAF));
	corpus_init(&s->corpus, &items.facts);
	corpus_init(&s->bases, &items.facts);
	if (resolve_session(&s->corpus, STR(""), &s->file, &s->current,
			    &ignored) != 0)
		goto out;
	source = segments_open(&s->corpus, &s->bases, &opener, s->file,
			       &s->chain);
	/* A leaf that is not there is refused, and that takes reading it all. */
	if (source == NULL || !is_known(source) ||
	    (leaf.n > 0 && !is_near_end(source, leaf)))
		goto out;
	source_rewind(source, 0);
	space = xmalloc(PREFILTER_SPACE);
	none = prefilter_scan(prefilter, source, space, &stop) == 0;
out:
	free(space);
	source_close(source);
	corpus_opener_release(&opener);
	fail_release(&ignored);
	session_release(s);
	return none;
}

int
items_refuse_io(const struct items *items, struct fail *fail)
{
	return session_refuse_io(&items->session, fail);
}

/* ---- line numbers ------------------------------------------------------ */

/*
 * Every line counts, also blank and torn ones (4.2).  Records begin where lines
 * do, in the same order.
 */
static void
number_lines(struct items *items)
{
	struct transcript *t = &items->session.transcript;
	char *block = xmalloc(LINES_BLOCK);
	uint64_t base = 0, start = 0;
	uint32_t line = 1, next = 0;
	const char *lf;
	long n;

	items->lines = xcalloc(t->n_records + 1, sizeof(*items->lines));
	source_rewind(t->source, 0);
	while ((n = source_read(t->source, block, LINES_BLOCK)) > 0) {
		for (const char *p = block;; p = lf + 1) {
			if (next < t->n_records &&
			    t->records[next].offset == start)
				items->lines[next++] = line;
			lf = memchr(p, '\n', (size_t)(block + n - p));
			if (lf == NULL)
				break;
			start = base + (uint64_t)(lf - block) + 1;
			line++;
		}
		base += (uint64_t)n;
	}
	free(block);
}

static uint32_t
line_of(struct items *items, uint32_t record)
{
	if (items->lines == NULL)
		number_lines(items);
	return items->lines[record];
}

/* ---- names of tools (4.3) ----------------------------------------------- */

/* The tools of this family whose short names are of a namespace. */
static const struct {
	const char *name, *space;
} spaces[] = {
	{ "history_list_windows", "history" },
	{ "history_list_items", "history" },
	{ "history_read_item", "history" },
	{ "history_search_contents", "history" },
	{ "notes_list_files_by_prefix", "notes" },
	{ "notes_read_file", "notes" },
	{ "notes_search_contents", "notes" },
	{ "notes_append_to_file", "notes" },
	{ "notes_write_file", "notes" },
};
#define SPACES (sizeof(spaces) / sizeof(spaces[0]))

const char *
items_namespace(struct str name)
{
	for (size_t i = 0; i < SPACES; i++)
		if (str_is(name, spaces[i].name))
			return spaces[i].space;
	return "functions";
}

bool
items_call_is(const struct item_call *call, struct str name, struct str space)
{
	struct str own = buf_str(&call->name);

	if (space.s != NULL && !str_eq(space, buf_str(&call->space)))
		return false;
	if (name.s == NULL || str_eq(own, name))
		return true;
	for (size_t i = 0; i < SPACES; i++)
		if (str_is(own, spaces[i].name))
			return str_is(name, strchr(spaces[i].name, '_') + 1);
	return false;
}

/* ---- names of results -------------------------------------------------- */

static int
by_id(const void *a, const void *b)
{
	const struct call_name *x = a, *y = b;

	if (x->id != y->id)
		return x->id < y->id ? -1 : 1;
	return (x->seq > y->seq) - (x->seq < y->seq);
}

static void
gather_calls(struct items *items)
{
	const struct transcript *t = &items->session.transcript;
	size_t n = 0;

	items->calls = xcalloc(t->n_slots + 1, sizeof(*items->calls));
	for (uint32_t seq = 1; seq <= transcript_highest(t); seq++) {
		const struct slot *slot = transcript_slot(t, seq);

		if (slot->kind == SLOT_CALL && slot->call != 0 &&
		    (slot->flags & SLOT_BRANCH) != 0)
			items->calls[n++] = (struct call_name){ slot->call,
								seq };
	}
	items->n_calls = n;
	if (n > 1)
		qsort(items->calls, n, sizeof(*items->calls), by_id);
}

/* The seq of the first call with that id; 0: none. */
static uint32_t
find_call(struct items *items, uint64_t id)
{
	size_t low = 0, high, middle;

	if (items->calls == NULL)
		gather_calls(items);
	high = items->n_calls;
	while (low < high) {
		middle = low + (high - low) / 2;
		if (items->calls[middle].id < id)
			low = middle + 1;
		else
			high = middle;
	}
	return low < items->n_calls && items->calls[low].id == id
		       ? items->calls[low].seq
		       : 0;
}

/* A result is called as its call is, which is in another record. */
static int
name_result(struct items *items, struct item_call *call)
{
	struct transcript *t = &items->session.transcript;
	struct call_facts facts = { .name = BUF_INIT, .arguments = BUF_INIT };
	uint32_t seq = find_call(items, call->id);
	struct str space, object;
	struct part part;
	int rc = 0;

	if (seq == 0)
		return 0;
	if (!transcript_read_slot(t, &t->views[1], seq, &part)) {
		rc = -1;
		goto out;
	}
	t->decoder->call(&part, &facts);
	object = t->decoder == &codex_decoder ? json_get(part.record, "payload")
					      : part.span;
	space = json_get(object, "namespace");
	buf_reset(&call->name);
	buf_adds(&call->name, facts.name.len > 0 ? facts.name.data : "unknown");
	buf_reset(&call->space);
	if (json_kind(space) == JSON_STRING)
		json_decode(space, &call->space);
out:
	buf_release(&facts.name);
	buf_release(&facts.arguments);
	return rc;
}

/* ---- items ------------------------------------------------------------- */

int
items_load(struct items *items, uint32_t record, struct item *item)
{
	struct transcript *t = &items->session.transcript;
	bool known;
	int rc;

	if (!item_is_there(t, record, &known) && known)
		return 0;
	rc = item_load(t, record, item);
	if (rc <= 0)
		return rc;
	if (item->id.len == 0)
		buf_addf(&item->id, LINE_ID "%" PRIu32, line_of(items, record));
	for (size_t i = 0; i < item->n_calls; i++) {
		struct item_call *call = &item->calls[i];

		if (call->id != 0 && name_result(items, call) != 0)
			return -1;
		if (call->space.len == 0)
			buf_adds(&call->space,
				 items_namespace(buf_str(&call->name)));
	}
	return 1;
}

int
items_has(struct items *items, uint32_t record, struct item *scratch)
{
	bool known, there;

	there = item_is_there(&items->session.transcript, record, &known);
	if (known)
		return there;
	return item_load(&items->session.transcript, record, scratch);
}

bool
items_may_be(struct items *items, uint32_t record, struct str id)
{
	struct transcript *t = &items->session.transcript;
	char text[32];
	int n;

	if (t->records[record].id != 0 &&
	    t->records[record].id == transcript_hash(t, id))
		return true;
	if (!str_starts(id, STR(LINE_ID)))
		return false;
	n = snprintf(text, sizeof(text), LINE_ID "%" PRIu32,
		     line_of(items, record));
	return str_eq(id, (struct str){ text, (size_t)n });
}
