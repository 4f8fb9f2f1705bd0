#include "context/evidence.h"

#include "base/json_span.h"
#include "context/control.h"
#include "context/life_json.h"
#include "context/virtual_path.h"

#define BLANKS " \t\n\v\f\r"

/* ---- what one entry proves --------------------------------------------- */

/* {"windowId":"w2","kind":"reminder"}, whatever stands beside. */
static bool
details_are(struct str details, int64_t window, const char *kind)
{
	static const char *const names[] = { "windowId", "kind" };
	struct buf id = BUF_INIT;
	struct str v[2];
	bool same;

	json_get_many(details, names, v, 2);
	life_json_window(&id, window);
	same = json_string_is(v[0], id.data) && json_string_is(v[1], kind);
	buf_release(&id);
	return same;
}

/*
 * Whether the item is the message that went out.  here: it stands in the
 * current window; a continuation has nothing in it that tells its window.
 */
static bool
is_delivery(const struct life *life, enum message_kind kind,
	    const struct item *item, bool here)
{
	const struct life_message *m = &life->outbox[kind];
	struct buf type = BUF_INIT;
	bool same;

	if (m->number == 0 || item->role == ITEM_ASSISTANT ||
	    item->role == ITEM_TOOL)
		return false;
	buf_adds(&type, CONTROL_TYPE);
	buf_adds(&type, decide_messages[kind]);
	same = str_eq(buf_str(&type), buf_str(&item->custom_type)) &&
	       details_are(item->details, life->window, decide_messages[kind]);
	buf_release(&type);
	return same || ((here || kind != MESSAGE_CONTINUATION) &&
			str_eq(str_trim(buf_str(&item->content), BLANKS),
			       str_trim(buf_str(&m->text), BLANKS)));
}

/* A checkpoint that one of our entries asked for in this window. */
static enum life_kind
control_of(const struct item *item, int64_t window)
{
	if (!str_starts(buf_str(&item->custom_type), STR(CONTROL_TYPE)))
		return KIND_NONE;
	if (details_are(item->details, window,
			decide_messages[MESSAGE_FALLBACK]))
		return KIND_FALLBACK;
	if (details_are(item->details, window,
			decide_messages[MESSAGE_CHECKPOINT]))
		return KIND_MANUAL;
	return KIND_NONE;
}

/* ---- all of them ------------------------------------------------------- */

/*
 * How far back is to be looked: in the current window always, and where a
 * message waits in all of the branch.
 */
static uint32_t
first_record(const struct context *c, const struct items *items)
{
	for (unsigned i = 0; i < MESSAGE_COUNT; i++)
		if (c->life.outbox[i].number != 0)
			return 0;
	return items->windows[items->n_windows - 1].record;
}

/* Whether an item of the last window is something that happened in it. */
static bool
is_something(const struct item *item)
{
	return !item->summary && !item->own_control;
}

static int
look_at(struct context *c, struct items *items, struct evidence *e,
	struct fail *fail)
{
	const struct items_window *last = &items->windows[items->n_windows - 1];
	struct transcript *t = &items->session.transcript;
	uint32_t first = first_record(c, items);
	struct item item;
	bool known;
	int rc = 0;

	item_init(&item);
	e->fresh = last->number == c->life.window;
	for (uint32_t r = items_records(items); rc >= 0 && r > first; r--) {
		bool here = r - 1 >= last->record;

		/* What a tool has part in proves nothing; but it happened. */
		if (item_is_there(t, r - 1, &known) && known)
			e->fresh = e->fresh && !here;
		if (known)
			continue;
		rc = item_load(t, r - 1, &item);
		if (rc <= 0)
			continue;
		if (here && is_something(&item))
			e->fresh = false;
		for (unsigned i = 0; i < MESSAGE_COUNT; i++)
			e->proven[i] = e->proven[i] ||
				       is_delivery(&c->life,
						   (enum message_kind)i, &item,
						   here);
		if (here && e->control == KIND_NONE)
			e->control = control_of(&item, last->number);
	}
	item_release(&item);
	return rc < 0 ? items_refuse_io(items, fail) : 0;
}

struct evidence
evidence_local(struct context *c)
{
	struct evidence e = { 0 };
	const struct life_claim *claim = &c->life.claim;
	struct virtual_path path = VIRTUAL_PATH_INIT;
	struct fail ignored = FAIL_INIT;

	if (claim->pid != 0 && virtual_path_parse(&path, buf_str(&claim->path),
						  c->agent, &ignored) == 0)
		e.claim_kept = str_eq(buf_str(&path.agent), c->agent) &&
			       notebook_has(&c->own, buf_str(&path.relative),
					    claim->bytes, claim->updated_ms);
	virtual_path_release(&path);
	fail_release(&ignored);
	return e;
}

int
evidence_gather(struct context *c, struct items *items, struct evidence *e,
		struct fail *fail)
{
	const struct agent *agent = agents_find(&c->agents, c->agent);

	*e = evidence_local(c);
	e->scanned = true;
	if (items_open(items, c->facts, agent, NULL, fail) != 0)
		return -1;
	e->found = items->found;
	if (!items->found)
		return 0;
	e->window = items->windows[items->n_windows - 1].number;
	e->marker = items->windows[items->n_windows - 1].marker;
	if (items->n_windows > 1)
		e->previous = items->windows[items->n_windows - 2].number;
	return look_at(c, items, e, fail);
}
