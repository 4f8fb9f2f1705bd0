#include "history/history_sessions.h"

#include <inttypes.h>
#include <stdlib.h>
#include <time.h>

#include "base/utf8.h"
#include "base/visible.h"
#include "base/xalloc.h"
#include "history/head.h"
#include "history/times.h"
#include "sessions/resolve.h"
#include "sessions/walk.h"
#include "text/fold.h"
#include "tool/budget.h"

#define SHORT_CHARS 8 /* of an id, at least */
#define OFFERED 500   /* to a completion */

void
history_sessions_release(void *result)
{
	struct history_sessions_result *r = result;

	for (size_t i = 0; i < r->n; i++) {
		buf_release(&r->rows[i].session);
		buf_release(&r->rows[i].resume);
		session_facts_release(&r->rows[i].facts);
	}
	free(r->rows);
	free(r->host_names);
	corpus_release(&r->corpus);
}

/* ---- ids --------------------------------------------------------------- */

static int
by_host_and_letters(const void *a, const void *b)
{
	const struct corpus_file *x = *(const struct corpus_file *const *)a;
	const struct corpus_file *y = *(const struct corpus_file *const *)b;

	if (x->host != y->host)
		return x->host < y->host ? -1 : 1;
	return strcasecmp(x->id, y->id);
}

static size_t
common_bytes(const char *a, const char *b)
{
	size_t n = 0;

	while (a[n] != '\0' && strncasecmp(a + n, b + n, 1) == 0)
		n++;
	return n;
}

/* All sessions by host and id, letters of either case the same. */
static const struct corpus_file **
sort_ids(const struct corpus *c)
{
	const struct corpus_file **sorted = xcalloc(c->n, sizeof(*sorted));
	bool in_order = true;

	for (size_t i = 0; i < c->n; i++) {
		sorted[i] = &c->files[i];
		if (i > 0 &&
		    by_host_and_letters(&sorted[i - 1], &sorted[i]) > 0)
			in_order = false;
	}
	/* As they come, if no letter is a capital. */
	if (!in_order)
		qsort(sorted, c->n, sizeof(*sorted), by_host_and_letters);
	return sorted;
}

/* How much of an id it takes to tell it from its neighbours. */
static size_t
short_id(const struct corpus_file **sorted, size_t n,
	 const struct corpus_file *file)
{
	size_t length = strlen(file->id), need = SHORT_CHARS, k;
	const struct corpus_file **at = bsearch(
		&file, sorted, n, sizeof(*sorted), by_host_and_letters);

	if (at == NULL)
		return length;
	for (k = 0; k < 2; k++) {
		const struct corpus_file **other = k == 0 ? at - 1 : at + 1;
		size_t shared;

		if (other < sorted || other >= sorted + n ||
		    (*other)->host != file->host)
			continue;
		shared = common_bytes((*other)->id, file->id);
		if (shared + 1 > need)
			need = shared + 1;
	}
	return need < length ? need : length;
}

/* ---- gathering --------------------------------------------------------- */

struct gathering {
	struct history_sessions_result *result;
	const struct corpus_file **ids;
	struct time_range times;
	struct fold_query *title; /* NULL: any */
	size_t limit;
	size_t bytes; /* that the rows taken need at least */
};

static bool
is_in_range(const struct time_range *range, int64_t ms)
{
	struct instant at = instant_from_ms(ms);

	return (!range->has_since || instant_cmp(at, range->since) >= 0) &&
	       (!range->has_until || instant_cmp(at, range->until) < 0);
}

static void
gather(struct gathering *g, const struct corpus_file *file, int64_t ms)
{
	struct history_sessions_result *r = g->result;
	struct history_sessions_row row = { .session = BUF_INIT,
					    .facts = SESSION_FACTS_INIT,
					    .updated_at = ms,
					    .resume = BUF_INIT };
	bool wanted = r->n < g->limit && g->bytes <= BUDGET_BYTES;

	if (!is_in_range(&g->times, ms))
		return;
	if (wanted || g->title != NULL)
		session_facts_read(&row.facts, &r->corpus, file);
	if (g->title != NULL &&
	    fold_find(g->title, buf_str(&row.facts.title), NULL) == FOLD_NONE) {
		session_facts_release(&row.facts);
		return;
	}
	r->matching++;
	if (!wanted) {
		session_facts_release(&row.facts);
		return;
	}
	buf_addf(&row.session, "%s:%s", file->host->name, file->id);
	row.short_bytes = strlen(file->host->name) + 1 +
			  short_id(g->ids, r->corpus.n, file);
	session_facts_resume(&row.resume, &row.facts, file);
	XGROW(r->rows, r->n + 1, r->cap);
	r->rows[r->n++] = row;
	g->bytes += row.session.len + row.facts.title.len + row.facts.cwd.len;
}

static int
gather_all(struct gathering *g, const struct tool_call *call,
	   const struct selector *selector, struct fail *fail)
{
	const struct history_sessions_args *args = call->args;
	struct history_sessions_result *r = g->result;
	struct walk_scope scope = { .agents = args->agents.v };
	const struct corpus_file *current;
	struct buf directory = BUF_INIT;
	struct walk walk;
	int rc = 0;

	if (args->cwd.n > 0) {
		rc = resolve_directory(call->facts, arg_str(args->cwd),
				       &directory, fail);
		scope.cwd = buf_str(&directory);
	}
	if (g->times.has_since)
		scope.since = &g->times.since;
	if (rc == 0) {
		r->corpus.agents = args->agents.v;
		resolve_wildcard(&r->corpus, selector, &current);
		walk_init(&walk, &r->corpus, &scope);
		g->ids = sort_ids(&r->corpus);
		for (size_t i = 0; i < walk.n; i++)
			gather(g, walk.v[i].file, walk.v[i].ms);
		r->sessions_skipped = (int64_t)walk.unreadable;
		r->hosts_unavailable = head_hosts(r->corpus.unavailable,
						  &r->host_names);
		walk_release(&walk);
	}
	buf_release(&directory);
	return rc;
}

/* The file of the same session in a corpus that has all of them. */
static const struct corpus_file *
find_again(const struct corpus *c, const struct corpus_file *file)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->files[i].host == file->host &&
		    strcmp(c->files[i].id, file->id) == 0)
			return &c->files[i];
	return NULL;
}

/* One session: its facts are told in full, its id is not. */
static int
gather_one(struct gathering *g, const struct tool_call *call,
	   struct str parameter, struct fail *fail)
{
	struct history_sessions_result *r = g->result;
	struct selector all = { .wildcard = true };
	const struct corpus_file *file, *current, *same;
	struct corpus own;
	bool is_current;
	int rc;

	corpus_init(&own, call->facts);
	rc = resolve_session(&own, parameter, &file, &is_current, fail);
	if (rc == 0) {
		all.host = file->host;
		r->corpus.agents = corpus_is_agent(file);
		resolve_wildcard(&r->corpus, &all, &current);
		g->ids = sort_ids(&r->corpus);
		same = find_again(&r->corpus, file);
		if (same == NULL)
			rc = resolve_refuse_unknown(&own, parameter, fail);
		else
			gather(g, same, recency_of(same));
	}
	corpus_release(&own);
	return rc;
}

/* ---- the operation ----------------------------------------------------- */

int
history_sessions_run(const struct tool_call *call, void *result,
		     struct fail *fail)
{
	const struct history_sessions_args *args = call->args;
	struct history_sessions_result *r = result;
	struct str session = args->session.n > 0 ? arg_str(args->session)
						 : STR("*");
	struct gathering g = { .result = r, .limit = (size_t)args->limit.v };
	struct budget_list list = { .tool = call->tool,
				    .result = r,
				    .rows = &r->sessions,
				    .left = &r->more };
	struct selector selector;
	int rc = -1;

	corpus_init(&r->corpus, call->facts);
	if (selector_parse(session, &selector) && !selector.wildcard &&
	    resolve_check_one(&args->cwd, args->agents.v, fail) != 0)
		return -1;
	if (times_parse(call, &args->since, &args->until, &g.times, fail) !=
		    0 ||
	    resolve_check(call->facts, fail) != 0 ||
	    resolve_parse(session, &selector, fail) != 0)
		return -1;
	g.title = fold_query_new(args->title.v, args->title.n);
	if (fold_query_empty(g.title)) {
		fold_query_free(g.title);
		g.title = NULL;
	}
	rc = selector.wildcard ? gather_all(&g, call, &selector, fail)
			       : gather_one(&g, call, session, fail);
	fold_query_free(g.title);
	free(g.ids);
	if (rc != 0)
		return -1;
	r->sessions = (struct field_list){ r->rows, r->n };
	list.total = r->matching;
	if (budget_list(&list))
		return 0;
	return fail_refuse(fail, "output_too_large", "not one session fits");
}

/* ---- text -------------------------------------------------------------- */

/* The words of a row, in columns. */
struct columns {
	struct buf time, session, cwd;
};

static void
add_minute(struct buf *out, int64_t ms)
{
	char text[TIMESTAMP_SIZE];

	timestamp_utc(ms, text);
	/* Up to the minutes, with a blank for the T. */
	for (const char *p = text; *p != '\0'; p++) {
		if (*p == ':' && p[3] == ':') {
			buf_add(out, p, 3);
			break;
		}
		buf_addc(out, *p == 'T' ? ' ' : *p);
	}
	buf_addc(out, 'Z');
}

static void
add_directory(struct buf *out, struct str cwd)
{
	struct str home = str_of(facts_home_directory());

	if (cwd.n == 0) {
		buf_addc(out, '-');
	} else if (home.n > 1 && str_starts(cwd, home) &&
		   (cwd.n == home.n || cwd.s[home.n] == '/')) {
		buf_addc(out, '~');
		visible_field(out, str_from(cwd, home.n));
	} else {
		visible_field(out, cwd);
	}
}

static void
fill(struct columns *c, const struct terminal *t,
     const struct history_sessions_row *row)
{
	struct str id = buf_str(&row->session);

	buf_reset(&c->time);
	buf_reset(&c->session);
	buf_reset(&c->cwd);
	if (t != NULL)
		terminal_list_time(&c->time, t, row->updated_at);
	else
		add_minute(&c->time, row->updated_at);
	buf_add(&c->session, id.s, row->short_bytes);
	if (row->short_bytes < id.n)
		buf_adds(&c->session, "…");
	add_directory(&c->cwd, buf_str(&row->facts.cwd));
}

static void
pad(struct buf *out, const struct buf *word, size_t width)
{
	for (size_t n = utf8_count(buf_str(word)); n < width + 2; n++)
		buf_addc(out, ' ');
}

/* The title, cut to what a terminal's line has left. */
static void
add_row_title(struct buf *out, const struct terminal *t, struct str title,
	      size_t used)
{
	struct buf shown = BUF_INIT;
	size_t room;

	visible_field(&shown, title);
	if (t != NULL && t->columns > used + 1) {
		room = t->columns - used;
		if (utf8_count(buf_str(&shown)) > room) {
			buf_truncate(&shown,
				     utf8_prefix(buf_str(&shown), room - 1).n);
			buf_adds(&shown, "…");
		}
	}
	buf_add_str(out, buf_str(&shown));
	buf_release(&shown);
}

static void
rows_text(struct buf *out, const struct terminal *t,
	  const struct history_sessions_result *r)
{
	struct columns c = { BUF_INIT, BUF_INIT, BUF_INIT };
	size_t width[3] = { 0 }, n[3];

	for (size_t i = 0; i < r->sessions.n; i++) {
		fill(&c, t, &r->rows[i]);
		n[0] = utf8_count(buf_str(&c.time));
		n[1] = utf8_count(buf_str(&c.session));
		n[2] = utf8_count(buf_str(&c.cwd));
		for (size_t k = 0; k < 3; k++)
			width[k] = n[k] > width[k] ? n[k] : width[k];
	}
	for (size_t i = 0; i < r->sessions.n; i++) {
		fill(&c, t, &r->rows[i]);
		buf_add_str(out, buf_str(&c.time));
		pad(out, &c.time, width[0]);
		terminal_field(out, t, TERMINAL_ADDRESS, buf_str(&c.session));
		pad(out, &c.session, width[1]);
		buf_add_str(out, buf_str(&c.cwd));
		if (r->rows[i].facts.title.len > 0) {
			pad(out, &c.cwd, width[2]);
			add_row_title(out, t, buf_str(&r->rows[i].facts.title),
				      width[0] + width[1] + width[2] + 6);
		}
		buf_addc(out, '\n');
	}
	buf_release(&c.time);
	buf_release(&c.session);
	buf_release(&c.cwd);
}

void
history_sessions_person(const void *result, const struct terminal *t,
			struct buf *out)
{
	const struct history_sessions_result *r = result;

	rows_text(out, t, r);
	if (r->sessions.n == 0)
		buf_adds(out, "no sessions match this selection\n");
	if (r->sessions.n == 1 && r->more == 0 && r->rows[0].resume.len > 0) {
		buf_adds(out, "resume: ");
		visible_field(out, buf_str(&r->rows[0].resume));
		buf_addc(out, '\n');
	}
	if (r->more > 0) {
		buf_add_count(out, (uint64_t)r->more, "more session");
		buf_adds(out, t == NULL ? "; raise limit, or narrow by cwd, "
					  "title, since or until\n"
					: "; raise --limit, or narrow by "
					  "--cwd, --title, --since or "
					  "--until\n");
	}
	if (r->sessions_skipped > 0) {
		buf_add_count(out, (uint64_t)r->sessions_skipped,
			      "unreadable session");
		buf_adds(out, " skipped\n");
	}
	head_hosts_text(out, &r->hosts_unavailable);
	buf_truncate(out, out->len - 1);
}

void
history_sessions_text(const void *result, struct buf *out)
{
	history_sessions_person(result, NULL, out);
}

/* ---- completions ------------------------------------------------------- */

static void
offer(struct buf *out, const struct terminal *t, const struct corpus *c,
      const struct corpus_file *file)
{
	struct session_facts facts = SESSION_FACTS_INIT;

	session_facts_read(&facts, c, file);
	/* What tells nothing is not a transcript. */
	if (!facts.agent && (facts.started_at.len > 0 || facts.title.len > 0)) {
		buf_addf(out, "%s:%s\t", file->host->name, file->id);
		terminal_list_time(out, t, recency_of(file));
		buf_adds(out, "  ");
		visible_field(out, buf_str(&facts.title));
		buf_addc(out, '\n');
	}
	session_facts_release(&facts);
}

void
history_sessions_offer(const struct facts *facts, struct buf *out)
{
	struct selector all = { .wildcard = true };
	const struct corpus_file *current;
	struct terminal terminal;
	struct corpus corpus;
	struct recency *files;

	(void)terminal_init(&terminal, COLOR_NEVER, facts);
	corpus_init(&corpus, facts);
	resolve_wildcard(&corpus, &all, &current);
	files = xcalloc(corpus.n, sizeof(*files));
	for (size_t i = 0; i < corpus.n; i++)
		files[i] = (struct recency){ instant_to_ms(corpus_modified(
						     &corpus.files[i])),
					     &corpus.files[i] };
	if (corpus.n > 1)
		qsort(files, corpus.n, sizeof(*files), recency_cmp);
	for (size_t i = 0; i < corpus.n && i < OFFERED; i++)
		if (files[i].file->host != NULL && *files[i].file->id != '\0')
			offer(out, &terminal, &corpus, files[i].file);
	free(files);
	corpus_release(&corpus);
}
