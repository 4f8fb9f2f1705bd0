#include "context/item_rows.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "base/visible.h"
#include "base/xalloc.h"
#include "context/bounds.h"
#include "context/fence.h"
#include "context/life_json.h"
#include "context/parameters.h"
#include "tool/budget.h"
#include "transcript/claude.h"
#include "transcript/codex.h"
#include "transcript/pi.h"

#define NAME_CHARS 128
#define PREVIEW_MOST 4000
#define ELLIPSIS "\xe2\x80\xa6"

/* ---- filters ----------------------------------------------------------- */

static int
check(const struct item_filter_args *a, struct fail *fail)
{
	if (parameters_not_empty("tool_namespace", a->tool_namespace, fail) !=
		    0 ||
	    parameters_not_empty("agent_name", a->agent_name, fail) != 0 ||
	    parameters_not_empty("tool_name", a->tool_name, fail) != 0)
		return -1;
	return parameters_not_empty("window_id", a->window_id, fail);
}

const struct item_call *
item_rows_choose(const struct item *item, struct str name, struct str space)
{
	for (size_t i = 0; i < item->n_calls; i++)
		if (items_call_is(&item->calls[i], name, space))
			return &item->calls[i];
	return NULL;
}

static char *
copy(struct str s)
{
	return xmemdup(s.s, s.n);
}

char *
item_rows_name(const struct buf *name)
{
	struct str shown = utf8_prefix(buf_str(name), NAME_CHARS);
	struct buf out = BUF_INIT;

	buf_add_str(&out, shown);
	if (shown.n < name->len)
		buf_adds(&out, ELLIPSIS);
	return buf_detach(&out);
}

/* ---- gathering --------------------------------------------------------- */

struct gathering {
	const struct item_filter_args *args;
	struct items items;
	const struct items_window *window; /* NULL: any */
	struct item_rows *rows;
	size_t limit;
	size_t max_chars;
	struct item item;
};

static struct item_row *
add_row(struct gathering *g, const struct item_call *call)
{
	const struct item *item = &g->item;
	size_t at = items_window_of(&g->items, item->record);
	struct buf id = BUF_INIT;
	struct item_row *row;

	XGROW(g->rows->owned, g->rows->n + 1, g->rows->cap);
	row = &g->rows->owned[g->rows->n++];
	life_json_window(&id, g->items.windows[at].number);
	*row = (struct item_row){ .window_id = buf_detach(&id),
				  .item_id = copy(buf_str(&item->id)),
				  .role = (int)item->role,
				  .content_chars = (int64_t)utf8_count(
					  buf_str(&item->content)) };
	if (call != NULL) {
		row->tool_name = item_rows_name(&call->name);
		row->tool_namespace = item_rows_name(&call->space);
	}
	if (item->has_created_at)
		row->created_at = copy(buf_str(&item->created_at));
	return row;
}

static void
set_content(struct item_row *row, struct str shown)
{
	row->bytes = copy(shown);
	row->content = (struct str){ row->bytes, shown.n };
}

/* Around the match, which is at that byte. */
static void
set_excerpt(struct item_row *row, struct str content, size_t match,
	    size_t max_chars)
{
	int64_t half = (int64_t)max_chars / 2;
	struct str rest;

	row->match_offset = (int64_t)utf8_count(
		(struct str){ content.s, match });
	row->excerpt_offset = row->match_offset > half
				      ? row->match_offset - half
				      : 0;
	rest = str_from(content,
			utf8_offset(content, (size_t)row->excerpt_offset));
	set_content(row, utf8_prefix(rest, max_chars));
}

/* Whether the raw record can hold the query at all. */
static bool
is_candidate(const struct gathering *g, uint32_t record)
{
	const struct transcript *t = &g->items.session.transcript;
	uint32_t seq;

	if (t->decoder != &pi_decoder && t->decoder != &claude_decoder &&
	    t->decoder != &codex_decoder)
		return true;
	seq = t->records[record].seq;
	/* A record without a slot of its own has the seq of a later one. */
	if (seq <= transcript_highest(t) &&
	    transcript_slot(t, seq)->record == record)
		return transcript_is_candidate(t, seq);
	return prefilter_fits(t->prefilter,
			      t->records[record].flags >> RECORD_MARKS_SHIFT);
}

/*
 * Takes a record if it matches.  0; 1 when there is one more than the limit;
 * -1 when it is not readable any more.
 */
static int
take(struct gathering *g, uint32_t record)
{
	const struct item_filter_args *a = g->args;
	struct str name = arg_str(a->tool_name);
	struct str space = arg_str(a->tool_namespace);
	struct str query = g->rows->query;
	const struct item_call *call;
	struct item_row *row;
	const char *match = NULL;
	struct str content;
	int rc;

	if (g->window != NULL &&
	    &g->items.windows[items_window_of(&g->items, record)] != g->window)
		return 0;
	if (query.s != NULL && !is_candidate(g, record))
		return 0;
	rc = items_load(&g->items, record, &g->item);
	if (rc <= 0)
		return rc;
	call = item_rows_choose(&g->item, name, space);
	if ((a->role.given && a->role.v != (int)g->item.role) ||
	    (call == NULL && (name.s != NULL || space.s != NULL)))
		return 0;
	content = buf_str(&g->item.content);
	if (query.s != NULL) {
		match = memmem(content.s, content.n, query.s, query.n);
		if (match == NULL)
			return 0;
	}
	if (g->rows->n == g->limit) {
		g->rows->more = true;
		return 1;
	}
	row = add_row(g, call);
	if (match != NULL)
		set_excerpt(row, content, (size_t)(match - content.s),
			    g->max_chars);
	else
		set_content(row, utf8_prefix(content, g->max_chars));
	return 0;
}

static int
gather(struct gathering *g, struct fail *fail)
{
	uint32_t n = items_records(&g->items);
	struct str window = arg_str(g->args->window_id);
	int rc = 0;

	g->rows->transcript_found = g->items.found ? -1 : 0;
	if (window.s != NULL) {
		g->window = items_find_window(&g->items, window);
		/* An unknown window has no items. */
		if (g->window == NULL)
			return 0;
	}
	item_init(&g->item);
	for (uint32_t i = 0; i < n && rc == 0; i++)
		rc = take(g, g->args->recent_first.v ? n - 1 - i : i);
	item_release(&g->item);
	return rc < 0 ? items_refuse_io(&g->items, fail) : 0;
}

/* ---- what fits --------------------------------------------------------- */

/* The first one alone, of which so much is shown as fits. */
struct first {
	struct budget_list *list;
	struct item_row *row;
	struct str whole;
};

static bool
first_fits(void *ctx, size_t k)
{
	struct first *f = ctx;

	f->row->content = utf8_prefix(f->whole, k);
	f->list->rows->n = 1;
	*f->list->has_more = f->list->total > 1;
	return budget_holds_chars(f->list->tool, f->list->result,
				  f->list->chars);
}

static int
fit(const struct tool_call *call, int64_t chars, struct item_rows *rows,
    struct fail *fail)
{
	struct budget_list list = { .tool = call->tool,
				    .result = rows,
				    .chars = chars,
				    .rows = &rows->items,
				    .whole_first = true,
				    .total = (int64_t)rows->n + rows->more,
				    .has_more = &rows->has_more };
	struct first first = { .list = &list, .row = rows->owned };
	size_t k;

	rows->items = (struct field_list){ rows->owned, rows->n };
	if (budget_list(&list) && (rows->items.n > 0 || rows->n == 0))
		return 0;
	if (rows->n == 0)
		return bounds_refuse("the list's frame", fail);
	first.whole = rows->owned[0].content;
	k = budget_window(utf8_count(first.whole), first_fits, &first);
	if (k == BUDGET_NONE)
		return bounds_refuse("the first item", fail);
	(void)first_fits(&first, k);
	return 0;
}

/* ---- running ----------------------------------------------------------- */

/* What the query can be looked for with, before records are read as JSON. */
static struct prefilter *
make_prefilter(struct str query)
{
	const char *const *added[5];
	size_t n = 0;

	if (query.s == NULL)
		return NULL;
	added[n++] = item_words;
	if (pi_decoder.words != NULL)
		added[n++] = pi_decoder.words;
	if (claude_decoder.words != NULL)
		added[n++] = claude_decoder.words;
	if (codex_decoder.words != NULL)
		added[n++] = codex_decoder.words;
	added[n] = NULL;
	return prefilter_new(&query, 1, true, added, NULL);
}

static int
run(struct context *c, const struct tool_call *call, struct gathering *g,
    struct arg_integer max_chars, struct fail *fail)
{
	struct buf agent = BUF_INIT;
	struct prefilter *prefilter = NULL;
	const struct agent *whose;
	int64_t preview;
	int rc = -1;

	if (context_open(c, call->facts, call->remarks, CONTEXT_READ, fail) !=
		    0 ||
	    context_name_agent(c, arg_str(g->args->agent_name), &agent, fail) !=
		    0 ||
	    fence_admit(c, call->tool->name, false, fail) != 0)
		goto out;
	preview = c->policy.preview_chars;
	g->max_chars = (size_t)parameters_count(max_chars, preview,
						PREVIEW_MOST);
	whose = agents_find(&c->agents, buf_str(&agent));
	g->rows->agent = xstrdup(whose->name);
	g->rows->session = xstrdup(whose->session);
	prefilter = make_prefilter(g->rows->query);
	g->rows->transcript_found = -1;
	if (items_rule_out(c->facts, whose, prefilter)) {
		rc = fit(call, c->policy.output_chars, g->rows, fail);
		goto out;
	}
	if (items_open(&g->items, c->facts, whose, prefilter, fail) != 0 ||
	    gather(g, fail) != 0)
		goto out;
	rc = fit(call, c->policy.output_chars, g->rows, fail);
out:
	items_close(&g->items);
	prefilter_free(prefilter);
	buf_release(&agent);
	return rc;
}

int
item_rows_run(const struct tool_call *call,
	      const struct item_filter_args *filter, struct str query,
	      struct arg_integer max_chars, struct item_rows *rows,
	      struct fail *fail)
{
	struct gathering g = { .args = filter,
			       .items = { .session = SESSION_INIT },
			       .rows = rows };
	struct context c;
	int rc;

	if (check(filter, fail) != 0)
		return -1;
	rows->query = query;
	g.limit = (size_t)parameters_count(filter->limit, ITEM_ROWS,
					   ITEM_ROWS_MOST);
	rc = run(&c, call, &g, max_chars, fail);
	context_close(&c);
	return rc;
}

/* ---- text -------------------------------------------------------------- */

void
item_rows_show_tool(struct buf *out, const char *space, const char *name)
{
	if (name == NULL)
		return;
	buf_adds(out, " | tool ");
	visible_field(out, str_of(space));
	buf_addc(out, '.');
	visible_field(out, str_of(name));
}

void
item_rows_show_absent(struct buf *out, const char *agent, const char *session)
{
	buf_addf(out, "No transcript found for %s (session ", agent);
	visible_field(out, str_of(session));
	buf_adds(out, ").");
}

static void
show_row(const struct item_row *row, bool search, struct buf *out)
{
	int64_t shown = (int64_t)utf8_count(row->content);

	buf_addf(out, "%s | %s", row->window_id, item_roles[row->role]);
	item_rows_show_tool(out, row->tool_namespace, row->tool_name);
	buf_addf(out, " | %" PRId64 " chars", row->content_chars);
	if (search)
		buf_addf(out, ", match at %" PRId64, row->match_offset);
	if (search && shown < row->content_chars)
		buf_addf(out, ", showing %" PRId64 "..%" PRId64,
			 row->excerpt_offset, row->excerpt_offset + shown);
	else if (shown < row->content_chars)
		buf_addf(out, ", first %" PRId64 " shown", shown);
	buf_addc(out, '\n');
	bounds_show(out, row->content);
	buf_adds(out, " [id: ");
	visible_field(out, str_of(row->item_id));
	buf_addc(out, ']');
}

void
item_rows_person(const void *result, const struct terminal *t, struct buf *out)
{
	const struct item_rows *rows = result;
	const struct item_row *v = rows->items.v;
	bool search = rows->query.s != NULL;

	if (rows->transcript_found == 0) {
		item_rows_show_absent(out, rows->agent, rows->session);
		return;
	}
	for (size_t i = 0; i < rows->items.n; i++) {
		if (i > 0)
			buf_adds(out, "\n\n");
		show_row(&v[i], search, out);
	}
	if (rows->items.n == 0 && search) {
		buf_adds(out, "No matches for \"");
		bounds_show_query(out, rows->query);
		buf_adds(out, "\".");
	} else if (rows->items.n == 0) {
		buf_adds(out, "No matching history items.");
	}
	if (rows->has_more)
		buf_adds(out, t == NULL ? "\n\n[more items match; raise limit "
					  "or narrow the filters]"
					: "\n\n[more items match; raise "
					  "--limit or narrow the filters]");
}

void
item_rows_text(const void *result, struct buf *out)
{
	item_rows_person(result, NULL, out);
}

void
item_rows_release(void *result)
{
	struct item_rows *rows = result;

	for (size_t i = 0; i < rows->n; i++) {
		struct item_row *row = &rows->owned[i];

		free(row->window_id);
		free(row->item_id);
		free(row->tool_name);
		free(row->tool_namespace);
		free(row->created_at);
		free(row->bytes);
	}
	free(rows->owned);
	free(rows->agent);
	free(rows->session);
}
