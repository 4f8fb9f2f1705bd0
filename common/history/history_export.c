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
#include "history/times.h"
#include "sessions/session.h"
#include "sessions/walk.h"
#include "tool/result.h"
#include "transcript/document.h"
#include "transcript/windows.h"

const char *const history_export_formats[] = { "markdown", "html", "jsonl",
					       NULL };

#define FLUSH_BYTES ((size_t)65536)
#define LARGE_BYTES ((size_t)4 << 20) /* what a large event leaves */
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
	if (x->out.cap > LARGE_BYTES)
		buf_release(&x->out);
	tell_progress(x, false);
}

void
export_take(struct export *x, struct export *from)
{
	struct buf written;

	flush(x);
	written = x->out;
	x->out = from->out;
	from->out = written;
	x->events += from->events;
	from->events = 0;
	flush(x);
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
	/* Of many sessions. */
	const struct walk *walk;
	struct hash_key key;
	struct hash_set seen;
	uint64_t unreadable;
};

static void
emit(struct exporting *g, const struct export_event *e)
{
	if (g->format != NULL) {
		g->format->event(g->x, e);
		g->x->events++;
	} else {
		export_line(g->x, e);
	}
	flush_much(g->x);
}

/* Of many sessions an event that some share is written once (2.5). */
static bool
is_new(struct exporting *g, struct passage *p, const struct corpus_file *file)
{
	struct buf identity = BUF_INIT;
	uint64_t id;
	bool fresh;

	if (file == NULL)
		return true;
	buf_addf(&identity, "%s:", file->host->name);
	event_identity(p->t, &p->event, (uint64_t)(uintptr_t)file, &identity);
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
	uint32_t highest = transcript_highest(p->t);
	struct export_event e;

	if (file == NULL && g->format == NULL && export_lines(g->x, p))
		return;
	for (uint32_t seq = 1; seq <= highest && g->x->error == 0; seq++) {
		if (!passage_event(p, seq, &e))
			continue;
		if (is_new(g, p, file))
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
		    !passage_event(p, seq, &e))
			continue;
		g->format->question(g->x, &e);
		head_release(&e.head);
		flush_much(g->x);
	}
	g->format->questions_end(g->x);
	passage_rewind(p);
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
	if (!passage_begin(&p, &session.transcript, buf_str(&identity), &facts,
			   &g->filter, g->max_chars)) {
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
	passage_end(&p);
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
	if (passage_begin(&p, t, buf_str(&identity), &facts, &g->filter,
			  g->max_chars))
		export_events(g, &p, file);
	else
		g->unreadable++;
	remark_damage(g->x->call, identity.data, t);
	passage_end(&p);
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
		rc = resolve_directory(call->facts, arg_str(args->cwd),
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
	return wildcard ? 0
			: resolve_check_one(&args->cwd, args->agents.v, fail);
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
	buf_release(&x.out);
	return rc;
}
