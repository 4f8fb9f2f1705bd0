#include "history/passage.h"

#include <stdlib.h>

#include "base/utf8.h"
#include "transcript/document.h"

bool
passage_begin(struct passage *p, struct transcript *t, struct str session,
	      const struct session_facts *facts, const struct filter *filter,
	      size_t max_chars)
{
	*p = (struct passage){ .t = t,
			       .session = session,
			       .filter = filter,
			       .max_chars = max_chars };
	if (facts->cwd.len > 0)
		p->cwd = buf_str(&facts->cwd);
	event_init(&p->event);
	p->windows = windows_starts(t, session, &p->n_windows);
	return p->windows != NULL;
}

void
passage_end(struct passage *p)
{
	for (size_t i = 0; i < p->n_windows; i++)
		buf_release(&p->windows[i].id);
	free(p->windows);
	passage_end_copy(p);
}

void
passage_copy(const struct passage *from, struct transcript *t,
	     struct passage *p)
{
	*p = *from;
	p->t = t;
	event_init(&p->event);
	passage_rewind(p);
}

void
passage_end_copy(struct passage *p)
{
	event_release(&p->event);
}

void
passage_rewind(struct passage *p)
{
	p->window = 0;
	p->any = false;
}

/* A tool's document is its name and arguments, and what it printed. */
static void
take_apart(struct export_event *e, const struct event *event)
{
	size_t before = event->tool.n + 1, end = event->n_call;
	struct buf output = BUF_INIT;
	struct str rest;

	(void)document_output_begin(&output);
	if (e->text.n >= before)
		e->arguments = str_from(e->text, before);
	if (e->text.n > end) {
		e->arguments.n = end - before;
		rest = str_from(e->text, end);
		if (str_starts(rest, buf_str(&output)))
			rest = str_from(rest, output.len);
		e->output = rest;
	}
	buf_release(&output);
}

bool
passage_event(struct passage *p, uint32_t seq, struct export_event *e)
{
	const struct slot *slot = transcript_slot(p->t, seq);
	struct str document;
	size_t before = p->window;

	if (!filter_passes(p->filter, p->t, seq) ||
	    !event_load(p->t, seq, &p->event))
		return false;
	while (p->window + 1 < p->n_windows &&
	       p->windows[p->window + 1].record <= slot->record)
		p->window++;
	document = buf_str(&p->event.document);
	*e = (struct export_event){ .head = HEAD_INIT, .cwd = p->cwd };
	head_set(&e->head, p->session, &p->event);
	if (e->head.has_nested)
		e->nested_calls = &e->head.nested;
	e->window_id = buf_str(&p->windows[p->window].id);
	e->begins_window = p->any && p->window != before;
	e->total_chars = (int64_t)utf8_count(document);
	e->text = utf8_prefix(document, p->max_chars);
	e->truncated = e->text.n < document.n;
	if (slot->role == ROLE_TOOL)
		take_apart(e, &p->event);
	p->any = true;
	return true;
}
