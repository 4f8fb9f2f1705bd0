#include "history/history_export.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/io.h"
#include "base/timestamp.h"
#include "base/utf8.h"
#include "base/xalloc.h"
#include "history/filter.h"
#include "history/times.h"
#include "sessions/session.h"
#include "sessions/walk.h"
#include "tool/result.h"
#include "transcript/document.h"
#include "transcript/windows.h"

const char *const history_export_formats[] = { "markdown", "html", "jsonl",
					       NULL };

#define FLUSH_BYTES ((size_t)65536)
#define WORTH_PROGRESS (UINT64_C(8) << 20)

/* ---- writing ----------------------------------------------------------- */

static void
tell_progress(const struct export *x, bool last)
{
	if (!x->progress)
		return;
	if (last)
		(void)dprintf(STDERR_FILENO, "\r%40s\r", "");
	else
		(void)dprintf(STDERR_FILENO,
			      "\rhistory-export: %" PRIu64 " events",
			      x->events);
}

static void
flush(struct export *x)
{
	if (x->error == 0 &&
	    io_write_all(STDOUT_FILENO, x->out.data, x->out.len) != 0)
		x->error = errno;
	x->begun |= x->out.len > 0;
	buf_reset(&x->out);
	tell_progress(x, false);
}

static void
flush_much(struct export *x)
{
	if (x->out.len >= FLUSH_BYTES)
		flush(x);
}

void
export_moment(struct buf *out, int64_t ms)
{
	time_t s = (time_t)instant_from_ms(ms).s;
	char text[64];
	struct tm tm;

	if (localtime_r(&s, &tm) == NULL)
		return;
	(void)strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S %z", &tm);
	buf_adds(out, text);
}

void
export_time(struct buf *out, const char *before, struct str recorded)
{
	struct instant at;

	if (!timestamp_rfc3339(recorded, &at))
		return;
	buf_adds(out, before);
	export_moment(out, instant_to_ms(at));
}

/* ---- events ------------------------------------------------------------ */

/* What is asked for, and what goes from event to event. */
struct exporting {
	struct export *x;
	const struct export_format *format; /* NULL: lines of JSON */
	struct filter filter;
	struct time_range times;
	size_t max_chars;
	struct event event;
	/* Of many sessions. */
	const struct walk *walk;
	struct hash_key key;
	struct hash_set seen;
	uint64_t unreadable;
};

/* A session's windows and place, while its events go by. */
struct passage {
	struct transcript *t;
	struct str session, cwd;
	struct windows_start *windows;
	size_t n_windows, window;
	bool any; /* an event has gone by */
};

/* A tool's document is its name and arguments, and what it put out. */
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

static void
make_event(struct exporting *g, struct passage *p, uint32_t seq,
	   struct export_event *e)
{
	const struct slot *slot = transcript_slot(p->t, seq);
	struct str document = buf_str(&g->event.document);
	size_t before = p->window;

	while (p->window + 1 < p->n_windows &&
	       p->windows[p->window + 1].record <= slot->record)
		p->window++;
	*e = (struct export_event){ .head = HEAD_INIT, .cwd = p->cwd };
	head_set(&e->head, p->session, &g->event);
	if (e->head.has_nested)
		e->nested_calls = &e->head.nested;
	e->window_id = buf_str(&p->windows[p->window].id);
	e->begins_window = p->any && p->window != before;
	e->total_chars = (int64_t)utf8_count(document);
	e->text = utf8_prefix(document, g->max_chars);
	e->truncated = e->text.n < document.n;
	if (slot->role == ROLE_TOOL)
		take_apart(e, &g->event);
	p->any = true;
}

static void
emit(struct exporting *g, const struct export_event *e)
{
	struct json_writer w;

	if (g->format != NULL) {
		g->format->event(g->x, e);
	} else {
		json_begin(&w, &g->x->out);
		result_object(&w, g->x->call->tool->result, e);
		buf_addc(&g->x->out, '\n');
	}
	g->x->events++;
	flush_much(g->x);
}

static bool
passes(const struct exporting *g, const struct passage *p, uint32_t seq)
{
	return filter_passes(&g->filter, p->t, seq);
}

/* Of many sessions an event that some share is written once (2.5). */
static bool
is_new(struct exporting *g, const struct passage *p,
       const struct corpus_file *file)
{
	struct buf identity = BUF_INIT;
	uint64_t id;
	bool fresh;

	if (file == NULL)
		return true;
	buf_addf(&identity, "%s:", file->host->name);
	event_identity(p->t, &g->event, (uint64_t)(uintptr_t)file, &identity);
	id = hash_bytes(&g->key, buf_str(&identity));
	buf_release(&identity);
	fresh = !hash_set_has(&g->seen, id);
	if (fresh)
		hash_set_add(&g->seen, id);
	return fresh;
}

/* All events that pass, in order; file: of many sessions, else NULL. */
static void
export_events(struct exporting *g, struct passage *p,
	      const struct corpus_file *file)
{
	struct export_event e;

	for (uint32_t seq = 1;
	     seq <= transcript_highest(p->t) && g->x->error == 0; seq++) {
		if (!passes(g, p, seq) || !event_load(p->t, seq, &g->event) ||
		    !is_new(g, p, file))
			continue;
		make_event(g, p, seq, &e);
		emit(g, &e);
		head_release(&e.head);
	}
}

/* What the user asked, for a list that stands before all else. */
static void
export_questions(struct exporting *g, struct passage *p)
{
	struct export_event e;

	if (g->format->question == NULL)
		return;
	for (uint32_t seq = 1; seq <= transcript_highest(p->t); seq++) {
		if (transcript_slot(p->t, seq)->role != ROLE_USER ||
		    !passes(g, p, seq) || !event_load(p->t, seq, &g->event))
			continue;
		make_event(g, p, seq, &e);
		g->format->question(g->x, &e);
		head_release(&e.head);
		flush_much(g->x);
	}
	g->format->questions_end(g->x);
	p->window = 0;
	p->any = false;
}

static bool
begin_passage(struct passage *p, struct transcript *t, struct str session,
	      const struct session_facts *facts)
{
	*p = (struct passage){ .t = t, .session = session };
	if (facts->cwd.len > 0)
		p->cwd = buf_str(&facts->cwd);
	p->windows = windows_starts(t, session, &p->n_windows);
	return p->windows != NULL;
}

static void
end_passage(struct passage *p)
{
	for (size_t i = 0; i < p->n_windows; i++)
		buf_release(&p->windows[i].id);
	free(p->windows);
}

static void
remark_damage(const struct tool_call *call, const char *session,
	      const struct transcript *t)
{
	struct damage damage = head_damage(t);
	struct buf text = BUF_INIT;
	char *line, *end;

	head_damage_text(&text, &damage);
	for (line = text.data; (end = strchr(line, '\n')) != NULL;
	     line = end + 1) {
		*end = '\0';
		buf_addf(call->remarks, "%s%s%s\n", session,
			 *session != '\0' ? ": " : "", line);
	}
	buf_release(&text);
}

/* ---- one session ------------------------------------------------------- */

static int
export_one(struct exporting *g, struct str parameter, struct fail *fail)
{
	struct session session = SESSION_INIT;
	struct session_facts facts = SESSION_FACTS_INIT;
	struct buf identity = BUF_INIT, resume = BUF_INIT;
	const struct tool_call *call = g->x->call;
	struct corpus_file file;
	struct passage p = { 0 };
	int rc = -1;

	if (session_open(&session, call->facts, parameter, &g->times, fail) !=
	    0)
		goto out;
	file = *session.file;
	file.host = session_identity(&session, &identity);
	file.id = strchr(identity.data, ':') + 1;
	session_facts_read(&facts, &session.corpus, &file);
	session_facts_resume(&resume, &facts, &file);
	if (!begin_passage(&p, &session.transcript, buf_str(&identity),
			   &facts)) {
		rc = session_refuse_io(&session, fail);
		goto out;
	}
	g->x->progress &= session.transcript.source->size_hint > WORTH_PROGRESS;
	if (g->format != NULL) {
		g->format->begin(g->x, identity.data, &facts, recency_of(&file),
				 buf_str(&resume));
		export_questions(g, &p);
	}
	export_events(g, &p, NULL);
	if (g->format != NULL)
		g->format->end(g->x);
	remark_damage(call, "", &session.transcript);
	rc = 0;
out:
	end_passage(&p);
	session_facts_release(&facts);
	session_release(&session);
	buf_release(&identity);
	buf_release(&resume);
	return rc;
}

/* ---- many sessions ----------------------------------------------------- */

static void
visit(void *ctx, unsigned worker, size_t i, struct transcript *t)
{
	struct exporting *g = ctx;
	const struct corpus_file *file = g->walk->v[i].file;
	struct session_facts facts = SESSION_FACTS_INIT;
	struct buf identity = BUF_INIT;
	struct passage p;

	(void)worker;
	buf_addf(&identity, "%s:%s", file->host->name, file->id);
	session_facts_where(&facts, file);
	if (begin_passage(&p, t, buf_str(&identity), &facts))
		export_events(g, &p, file);
	else
		g->unreadable++;
	remark_damage(g->x->call, identity.data, t);
	end_passage(&p);
	session_facts_release(&facts);
	buf_release(&identity);
}

static bool
take(void *ctx, size_t i, enum walk_outcome outcome)
{
	struct exporting *g = ctx;

	(void)i;
	g->unreadable += outcome == WALK_UNREADABLE;
	return g->x->error == 0;
}

static void
remark_many(const struct exporting *g, const struct corpus *c)
{
	struct buf *remarks = g->x->call->remarks;
	struct field_list hosts;
	struct str *names;

	if (g->unreadable > 0) {
		buf_add_count(remarks, g->unreadable, "unreadable session");
		buf_adds(remarks, " skipped\n");
	}
	hosts = head_hosts(c->unavailable, &names);
	head_hosts_text(remarks, &hosts);
	free(names);
}

static int
export_many(struct exporting *g, const struct selector *selector,
	    struct fail *fail)
{
	const struct tool_call *call = g->x->call;
	const struct history_export_args *args = call->args;
	struct walk_scope scope = { .agents = args->agents.v };
	struct walk_job job = { .times = &g->times,
				.leaf = str_of(fact(call->facts, FACT_LEAF)),
				.ctx = g,
				.visit = visit,
				.take = take };
	struct buf directory = BUF_INIT;
	struct corpus corpus;
	struct walk walk;
	int rc = 0;

	corpus_init(&corpus, call->facts);
	corpus.agents = args->agents.v;
	if (args->cwd.n > 0) {
		rc = resolve_directory(call->facts,
				       (struct str){ args->cwd.s, args->cwd.n },
				       &directory, fail);
		scope.cwd = buf_str(&directory);
	}
	if (rc == 0) {
		resolve_wildcard(&corpus, selector, &job.current);
		if (g->times.has_since)
			scope.since = &g->times.since;
		walk_init(&walk, &corpus, &scope);
		g->walk = &walk;
		g->unreadable = walk.unreadable;
		g->x->progress &= walk.bytes > WORTH_PROGRESS;
		hash_key_random(&g->key);
		if (walk_has(&walk, job.current))
			rc = session_check_leaf(&corpus, job.current, fail);
		/* One thread: they are written in order, as they are read. */
		if (rc == 0) {
			walk_run(&walk, &job, 1);
			remark_many(g, &corpus);
		}
		walk_release(&walk);
	}
	corpus_release(&corpus);
	hash_set_release(&g->seen);
	buf_release(&directory);
	return rc;
}

/* ---- the operation ----------------------------------------------------- */

static int
check_scope(const struct history_export_args *args, bool wildcard,
	    struct fail *fail)
{
	if (wildcard && args->format.v != HISTORY_EXPORT_JSONL)
		return fail_invalid(fail,
				    "session: a wildcard given with format "
				    "%s; legal: one session, or format jsonl",
				    history_export_formats[args->format.v]);
	if (wildcard || (args->cwd.n == 0 && !args->agents.v))
		return 0;
	return fail_invalid(fail,
			    "%s: legal only with a wildcard for session: \"*\" "
			    "or \"<host>:*\"",
			    args->cwd.n > 0 ? "cwd" : "agents");
}

static const struct export_format *
format_of(int format)
{
	switch (format) {
	case HISTORY_EXPORT_MARKDOWN:
		return &export_markdown;
	case HISTORY_EXPORT_HTML:
		return &export_html;
	default:
		return NULL;
	}
}

int
history_export_stream(const struct tool_call *call, struct fail *fail)
{
	const struct history_export_args *args = call->args;
	struct str session = resolve_parameter(call, &args->session);
	struct export x = { .call = call, .out = BUF_INIT };
	struct exporting g = { .x = &x,
			       .format = format_of(args->format.v),
			       .max_chars = SIZE_MAX };
	struct selector selector = { 0 };
	bool legal = session.n > 0 && selector_parse(session, &selector);
	int rc = -1;

	tzset();
	g.filter = (struct filter){ .after = -1,
				    .before = INT64_MAX,
				    .roles = args->roles.bits };
	if (args->max_chars_per_item.given)
		g.max_chars = (size_t)args->max_chars_per_item.v;
	x.progress = isatty(STDERR_FILENO) == 1 && isatty(STDOUT_FILENO) != 1;
	event_init(&g.event);
	if (check_scope(args, legal && selector.wildcard, fail) == 0 &&
	    times_parse(call, &args->since, &args->until, &g.times, fail) ==
		    0 &&
	    resolve_check(call->facts, fail) == 0 &&
	    (session.n == 0 || resolve_parse(session, &selector, fail) == 0))
		rc = selector.wildcard ? export_many(&g, &selector, fail)
				       : export_one(&g, session, fail);
	if (rc == 0)
		flush(&x);
	tell_progress(&x, true);
	if (rc == 0 && x.error != 0)
		rc = fail_environment(fail,
				      "standard output: %s; %" PRIu64
				      " events were written",
				      strerror(x.error), x.events);
	event_release(&g.event);
	buf_release(&x.out);
	return rc;
}
