#include "transcript/event.h"

#include "base/json_span.h"
#include "base/xalloc.h"
#include "transcript/document.h"

void
event_init(struct event *e)
{
	*e = (struct event){ .created_at = BUF_INIT,
			     .call = { .name = BUF_INIT,
				       .arguments = BUF_INIT },
			     .result = { .name = BUF_INIT, .path = BUF_INIT },
			     .document = BUF_INIT };
}

void
event_release(struct event *e)
{
	buf_release(&e->created_at);
	buf_release(&e->call.name);
	buf_release(&e->call.arguments);
	buf_release(&e->result.name);
	buf_release(&e->result.path);
	buf_release(&e->document);
}

static void
reset(struct event *e)
{
	buf_reset(&e->created_at);
	e->tool = STR("");
	e->status = TOOL_UNFINISHED;
	buf_reset(&e->call.name);
	buf_reset(&e->call.arguments);
	e->call.status = TOOL_UNFINISHED;
	buf_reset(&e->result.name);
	buf_reset(&e->result.path);
	e->result.status = TOOL_OK;
	e->result.truncated = false;
	e->result.nested = STR("");
	buf_reset(&e->document);
}

static struct str
name_or_unknown(const struct buf *name)
{
	return name->len > 0 ? buf_str(name) : STR(DOCUMENT_UNKNOWN);
}

static void
add_output(struct transcript *t, const struct part *part, struct event *e)
{
	size_t mark = document_output_begin(&e->document);

	t->decoder->text(part, &e->document);
	document_output_end(&e->document, mark);
	document_nested(&e->document, e->result.nested);
}

/* What a call adds to its document, which is empty. */
static void
add_call(struct event *e)
{
	struct buf *arguments = &e->call.arguments;

	if (arguments->len <= ALLOWANCE_FREE)
		document_call(&e->document, e->tool, buf_str(arguments));
	else
		document_take_call(&e->document, e->tool, arguments);
	e->n_call = e->document.len;
}

/*
 * A tool event: the slot itself is a call, a result without its call, or
 * both; the result of a call that has one is a slot of its own.  Of large
 * records nothing stays longer than it is needed.
 */
static bool
load_tool(struct transcript *t, const struct slot *slot, struct part *part,
	  struct event *e)
{
	bool paired = slot->kind == SLOT_CALL && slot->pair != 0;
	const struct slot *result = paired ? transcript_slot(t, slot->pair)
					   : slot;

	if (slot->kind != SLOT_RESULT) {
		t->decoder->call(part, &e->call);
		e->tool = name_or_unknown(&e->call.name);
		e->status = e->call.status;
		add_call(e);
	}
	if (slot->kind == SLOT_CALL && !paired)
		return true;
	if (paired) {
		transcript_free_large(t, &t->views[0]);
		if (!transcript_read_slot(t, &t->views[1], slot->pair, part))
			return false;
	}
	t->decoder->result(part, &e->result);
	e->status = (result->flags & SLOT_FAILED) != 0 ? TOOL_ERROR
						       : e->result.status;
	if (slot->kind == SLOT_RESULT) {
		e->tool = name_or_unknown(&e->result.name);
		add_call(e);
	}
	add_output(t, part, e);
	return true;
}

static bool
load(struct transcript *t, uint32_t seq, struct event *e)
{
	const struct slot *slot = transcript_slot(t, seq);
	struct part part;

	if (!transcript_read_slot(t, &t->views[0], seq, &part))
		return false;
	e->has_created_at = moment_load(part.timestamp, &e->created_at);
	if (slot->role == ROLE_TOOL)
		return load_tool(t, slot, &part, e);
	t->decoder->text(&part, &e->document);
	return true;
}

static void
free_large(struct event *e)
{
	if (e->document.cap > ALLOWANCE_FREE)
		buf_release(&e->document);
	if (e->call.arguments.cap > ALLOWANCE_FREE)
		buf_release(&e->call.arguments);
}

void
event_let_go(struct transcript *t, struct event *e)
{
	free_large(e);
	transcript_let_go(t);
}

bool
event_load(struct transcript *t, uint32_t seq, struct event *e)
{
	reset(e);
	free_large(e);
	transcript_next(t);
	e->seq = seq;
	e->role = (enum role)transcript_slot(t, seq)->role;
	if (!load(t, seq, e))
		return false;
	/* What is told of nested calls is borrowed. */
	for (size_t i = 0; i < 2 && e->result.nested.n == 0; i++)
		transcript_free_large(t, &t->views[i]);
	return true;
}

/* A record's, in the view that holds it. */
static void
add_identity(const struct transcript *t, struct view *v, uint64_t file,
	     struct buf *out)
{
	uint64_t offset = t->records[v->told].offset;
	struct str identity = transcript_identity(t, v);

	buf_add_str(out, identity);
	if (identity.n > 0)
		return;
	if (t->chain != NULL) {
		const struct chain_piece *p =
			&t->chain->v[transcript_piece(t, v->told)];

		file = p->file;
		offset = chain_position(p, offset);
	}
	buf_add(out, &file, sizeof(file));
	buf_add(out, &offset, sizeof(offset));
}

void
event_identity(struct transcript *t, const struct event *e, uint64_t file,
	       struct buf *out)
{
	const struct slot *slot = transcript_slot(t, e->seq);
	size_t place = e->seq - t->records[slot->record].seq;

	if (t->decoder->place != NULL)
		place = t->decoder->place(t, e->seq).part;
	add_identity(t, &t->views[0], file, out);
	/* A record has several events: which of them it is. */
	buf_add(out, &place, sizeof(place));
	if (slot->kind == SLOT_CALL && slot->pair != 0)
		add_identity(t, &t->views[1], file, out);
}

static void
load_name(struct transcript *t, uint32_t seq, struct event *e)
{
	struct part part;

	reset(e);
	if (!transcript_read_slot(t, &t->views[0], seq, &part))
		return;
	if (transcript_slot(t, seq)->kind == SLOT_RESULT)
		t->decoder->result(&part, &e->result);
	else
		t->decoder->call(&part, &e->call);
}

struct str
event_tool_name(struct transcript *t, uint32_t name)
{
	struct tool_name *n = &t->names[name];
	struct event e;
	struct str text;

	if (n->text == NULL) {
		event_init(&e);
		load_name(t, n->seq, &e);
		text = name_or_unknown(e.call.name.len > 0 ? &e.call.name
							   : &e.result.name);
		n->text = xmemdup(text.s, text.n);
		n->n = text.n;
		event_release(&e);
	}
	return (struct str){ n->text, n->n };
}
