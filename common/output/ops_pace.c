#include "output/ops_pace.h"

#include <inttypes.h>
#include <unistd.h>

#include "base/clock.h"
#include "output/folder.h"
#include "output/ndjson.h"
#include "output/parameters.h"
#include "output/publisher.h"
#include "output/surface.h"

/*
 * What was folded, and what of it was published: lines go to stdout, or are
 * gathered for a result.
 */
struct pacer {
	struct folder f;
	struct publisher p;
	int64_t last;  /* virtual time: of the last good line */
	int64_t since; /* of the first change that is held; PACE_NONE */
	int64_t held;  /* the longest that one was */
	uint64_t in;
};

static int
gather_line(void *ctx, struct buf *line, struct fail *fail)
{
	struct ops_pace_result *r = ctx;

	(void)fail;
	if (r->lines.len > 1)
		buf_addc(&r->lines, ',');
	buf_add_str(&r->lines, buf_str(line));
	buf_add_str(&r->text, buf_str(line));
	buf_addc(&r->text, '\n');
	return 0;
}

static void
pacer_init(struct pacer *x, const struct ops_pace_args *args,
	   struct ops_pace_result *gather)
{
	*x = (struct pacer){ .since = PACE_NONE };
	folder_init(&x->f, args->wire.v, (unsigned)args->verbs.v);
	publisher_init(&x->p, args->min_ms.v, args->bytes_per_s.v,
		       (unsigned)args->verbs.v);
	x->p.virtual_time = gather != NULL || args->virtual_time.v;
	x->p.put = gather == NULL ? publisher_to_stdout : gather_line;
	x->p.ctx = gather;
}

static void
pacer_release(struct pacer *x)
{
	folder_release(&x->f);
	publisher_release(&x->p);
}

/* Publishes what has changed, if there is anything yet. */
static int
flush(struct pacer *x, int64_t now, struct fail *fail)
{
	uint64_t before = x->p.batches;
	int rc;

	if (x->f.r.value == NULL)
		return 0;
	rc = publisher_flush(&x->p, x->f.r.value, now, PUBLISH_CHANGE, fail);
	if (x->p.batches > before && now - x->since > x->held)
		x->held = now - x->since;
	x->since = PACE_NONE;
	return rc;
}

/* Whether there is anything that a flush would publish. */
static bool
is_changed(const struct pacer *x)
{
	return x->p.published == NULL || x->p.owed ||
	       !value_equal(x->p.published, x->f.r.value);
}

/* Flushes at the deadline, if that has come. */
static int
flush_due(struct pacer *x, int64_t now, struct fail *fail)
{
	if (!pace_due(&x->p.pace, now))
		return 0;
	return flush(x, x->p.virtual_time ? x->p.pace.deadline : now, fail);
}

/* ---- lines ------------------------------------------------------------- */

static bool
is_force(const struct value *line)
{
	const struct value *force = value_get(line, "force");

	return force != NULL && force->kind == JSON_BOOLEAN &&
	       str_is(value_str(force), "true") &&
	       value_count(line) ==
		       1 + (size_t)(value_get(line, "atMs") != NULL);
}

/* A batch, or force with its time in b. */
static int
read_line(struct str text, const struct value *line, struct batch *b,
	  bool *force, struct fail *fail)
{
	const struct value *at = value_get(line, "atMs");

	*force = is_force(line);
	if (!*force)
		return batch_read(text, line, b, fail);
	*b = (struct batch){ .has_at = at != NULL };
	if (at == NULL || value_integer(at, &b->at_ms))
		return 0;
	(void)fail_refuse(fail, "bad_line",
			  "atMs: no integer given; legal: an integer from 0");
	return ndjson_blame(text, STR("atMs"), fail);
}

/* The time of a line; -1: bad_line. */
static int
line_time(const struct pacer *x, const struct batch *b, int64_t *now,
	  struct fail *fail)
{
	*now = x->p.virtual_time ? (int64_t)b->at_ms : clock_monotonic_ms();
	if (b->has_at != x->p.virtual_time)
		return fail_refuse(fail, "bad_line",
				   b->has_at ? "atMs: given in real time; "
					       "legal: with virtual"
					     : "atMs: missing; legal: an "
					       "integer in virtual time");
	if (x->p.virtual_time && *now < x->last)
		return fail_refuse(fail, "bad_line",
				   "atMs: %" PRId64 " given; legal: at least "
				   "%" PRId64 ", that of the line before",
				   *now, x->last);
	return 0;
}

/* text: that of the line, empty for one of a list. */
static int
take(struct pacer *x, struct str text, const struct value *line,
     struct fail *fail)
{
	struct str at = STR("atMs");
	struct batch b;
	int64_t now = 0;
	bool force;

	if (read_line(text, line, &b, &force, fail) != 0)
		return -1;
	if (line_time(x, &b, &now, fail) != 0) {
		at.s = b.has_at ? at.s : NULL;
		return ndjson_blame(text, at, fail);
	}
	if (flush_due(x, now, fail) != 0)
		return -1;
	if (force) {
		x->last = now;
		return flush(x, now, fail);
	}
	if (folder_take(&x->f, &b, fail) != 0)
		return -1;
	x->last = now;
	x->in++;
	if (b.base && x->p.published != NULL)
		x->p.owed = true;
	if (x->since == PACE_NONE && is_changed(x))
		x->since = now;
	return pace_change(&x->p.pace, now) ? flush(x, now, fail) : 0;
}

static int64_t
end_time(const struct pacer *x)
{
	return x->p.virtual_time ? x->last : clock_monotonic_ms();
}

/* ---- one call ---------------------------------------------------------- */

int
ops_pace_run(const struct tool_call *call, void *result, struct fail *fail)
{
	const struct ops_pace_args *args = call->args;
	struct ops_pace_result *r = result;
	struct value *lines = parameter_list(&args->lines, "lines", fail);
	struct pacer x;
	size_t i;
	int rc = 0;

	if (lines == NULL)
		return -1;
	buf_init(&r->lines, BUF_UNLIMITED);
	buf_init(&r->text, BUF_UNLIMITED);
	pacer_init(&x, args, r);
	buf_addc(&r->lines, '[');
	for (i = 0; rc == 0 && i < value_count(lines); i++) {
		rc = take(&x, STR(""), value_item(lines, i), fail);
		if (rc != 0 && fail->members.len == 0)
			fail_member_integer(fail, "batch", (int64_t)x.in);
	}
	if (rc == 0)
		rc = flush(&x, end_time(&x), fail);
	buf_addc(&r->lines, ']');
	r->lines_json = buf_str(&r->lines);
	r->in = (int64_t)x.in;
	r->out = (int64_t)x.p.batches;
	r->bytes = (int64_t)x.p.bytes;
	r->held = x.held;
	pacer_release(&x);
	value_free(lines);
	return rc;
}

void
ops_pace_text(const void *result, struct buf *out)
{
	const struct ops_pace_result *r = result;

	surface_text(out, buf_str(&r->text));
	buf_addf(out,
		 "in %" PRId64 ", out %" PRId64 ", %" PRId64
		 " B, held at most %" PRId64 " ms",
		 r->in, r->out, r->bytes, r->held);
}

void
ops_pace_release(void *result)
{
	struct ops_pace_result *r = result;

	buf_release(&r->lines);
	buf_release(&r->text);
}

/* ---- a stream ---------------------------------------------------------- */

/* The last good value goes out by force, then the refusal. */
static int
refuse(struct pacer *x, const struct ndjson *in, struct fail *fail)
{
	struct fail other = FAIL_INIT;
	int rc;

	if (fail->kind != FAIL_REFUSED)
		return -1;
	rc = flush(x, end_time(x), &other);
	if (rc != 0)
		rc = fail_environment(fail, "%s", other.message.data);
	else
		rc = ndjson_refuse(in, fail);
	fail_release(&other);
	return rc;
}

static int
report(struct pacer *x, struct fail *fail)
{
	struct buf line = BUF_INIT;

	buf_addf(&line,
		 "{\"event\":\"pace\",\"in\":%" PRIu64 ",\"out\":%" PRIu64
		 ",\"bytes\":%" PRIu64 ",\"maxHoldMs\":%" PRId64 "}",
		 x->in, x->p.batches, x->p.bytes, x->held);
	return ndjson_put(&line, fail);
}

/* Lines and deadlines, up to the end: 0, a signal's status, or -1. */
static int
pass_on(struct pacer *x, struct ndjson *in, struct fail *fail)
{
	struct value *line;
	struct str text;
	int64_t until;
	int rc = 0;

	while (rc == 0) {
		until = x->p.virtual_time || x->p.pace.deadline == PACE_NONE
				? NDJSON_NEVER
				: x->p.pace.deadline;
		switch (ndjson_next(in, until, &text, fail)) {
		case NDJSON_LINE:
			line = ndjson_parse(text, fail);
			rc = line == NULL ? -1 : take(x, text, line, fail);
			value_free(line);
			break;
		case NDJSON_LATE:
			rc = flush_due(x, clock_monotonic_ms(), fail);
			break;
		case NDJSON_SIGNAL:
			return flush(x, end_time(x), fail) != 0
				       ? -1
				       : 128 + in->signal;
		case NDJSON_END:
			return flush(x, end_time(x), fail) != 0 ? -1 : 0;
		case NDJSON_FAILED:
			rc = -1;
		}
	}
	return rc;
}

int
ops_pace_stream(const struct tool_call *call, struct fail *fail)
{
	struct pacer x;
	struct ndjson in;
	int rc;

	pacer_init(&x, call->args, NULL);
	ndjson_init(&in, STDIN_FILENO, true);
	rc = pass_on(&x, &in, fail);
	if (rc < 0)
		rc = refuse(&x, &in, fail);
	else if (rc == 0)
		rc = report(&x, fail);
	ndjson_release(&in);
	pacer_release(&x);
	return rc;
}
