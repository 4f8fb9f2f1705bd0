#include "output/ops_pace.h"

#include <inttypes.h>
#include <unistd.h>

#include "base/clock.h"
#include "output/delta.h"
#include "output/folder.h"
#include "output/ndjson.h"
#include "output/pace.h"
#include "output/parameters.h"

/*
 * What was folded and what of it was published.  Published lines go to
 * stdout, or are gathered for a result.
 */
struct publisher {
	struct folder f;
	struct value *published; /* NULL: nothing yet */
	bool owed;		 /* a base */
	struct pace pace;
	bool virtual_time;
	int64_t last; /* virtual time: of the last good line */
	uint64_t seq, in;
	struct delta_options options;
	struct ops_pace_result *gather; /* NULL: stdout */
};

static void
publisher_init(struct publisher *p, const struct ops_pace_args *args,
	       struct ops_pace_result *gather)
{
	*p = (struct publisher){ .gather = gather,
				 .options = DELTA_OPTIONS,
				 .virtual_time = gather != NULL ||
						 args->virtual_time.v };
	p->options.verbs = (unsigned)args->verbs.v;
	folder_init(&p->f, args->wire.v, p->options.verbs);
	pace_init(&p->pace, args->min_ms.v, args->bytes_per_s.v);
}

static void
publisher_release(struct publisher *p)
{
	folder_release(&p->f);
	value_free(p->published);
}

/* ---- publishing -------------------------------------------------------- */

static int
put(struct publisher *p, struct buf *line, struct fail *fail)
{
	struct ops_pace_result *r = p->gather;

	if (r == NULL)
		return ndjson_put(line, fail);
	if (r->lines.len > 1)
		buf_addc(&r->lines, ',');
	buf_add_str(&r->lines, buf_str(line));
	buf_add_str(&r->text, buf_str(line));
	buf_addc(&r->text, '\n');
	buf_reset(line);
	return 0;
}

/* Publishes what has changed.  The state is committed before it is written. */
static int
flush(struct publisher *p, int64_t now, struct fail *fail)
{
	struct ops ops = OPS_INIT;
	struct buf text = BUF_INIT, line = BUF_INIT;
	struct batch b = { .seq = p->seq,
			   .has_at = p->virtual_time,
			   .at_ms = (uint64_t)now };
	int rc = 0;

	if (p->f.r.value == NULL)
		return 0;
	if (p->published == NULL || p->owed)
		ops_add(&ops, 'r', NULL, p->f.r.value, 0, 0);
	else
		delta(p->published, p->f.r.value, &p->options, &ops);
	if (ops.n > 0)
		ops_write(&ops, &text);
	pace_published(&p->pace, now, (int64_t)text.len);
	if (ops.n > 0) {
		b.base = ops_is_base(&ops);
		p->owed = false;
		p->seq++;
		value_free(p->published);
		p->published = value_ref(p->f.r.value);
		batch_write(&line, &b, buf_str(&text));
		rc = put(p, &line, fail);
	}
	ops_release(&ops);
	buf_release(&text);
	buf_release(&line);
	return rc;
}

/* Flushes at the deadline, if that has come. */
static int
flush_due(struct publisher *p, int64_t now, struct fail *fail)
{
	if (!pace_due(&p->pace, now))
		return 0;
	return flush(p, p->virtual_time ? p->pace.deadline : now, fail);
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
read_line(const struct value *line, struct batch *b, bool *force,
	  struct fail *fail)
{
	const struct value *at = value_get(line, "atMs");

	*force = is_force(line);
	if (!*force)
		return batch_read(line, b, fail);
	*b = (struct batch){ .has_at = at != NULL };
	if (at != NULL && !value_integer(at, &b->at_ms))
		return fail_refuse(fail, "bad_line",
				   "atMs: no integer given; legal: an integer "
				   "from 0");
	return 0;
}

/* The time of a line; -1: bad_line. */
static int
line_time(const struct publisher *p, const struct batch *b, int64_t *now,
	  struct fail *fail)
{
	if (!p->virtual_time) {
		*now = clock_monotonic_ms();
		if (b->has_at)
			return fail_refuse(fail, "bad_line",
					   "atMs: given in real time; legal: "
					   "with virtual");
		return 0;
	}
	if (!b->has_at)
		return fail_refuse(fail, "bad_line",
				   "atMs: missing; legal: an integer in "
				   "virtual time");
	*now = (int64_t)b->at_ms;
	if (*now < p->last)
		return fail_refuse(fail, "bad_line",
				   "atMs: %" PRId64 " given; legal: at least "
				   "%" PRId64 ", that of the line before",
				   *now, p->last);
	return 0;
}

static int
take(struct publisher *p, const struct value *line, struct fail *fail)
{
	struct batch b;
	int64_t now = 0;
	bool force;

	if (read_line(line, &b, &force, fail) != 0 ||
	    line_time(p, &b, &now, fail) != 0 || flush_due(p, now, fail) != 0)
		return -1;
	if (force) {
		p->last = now;
		return flush(p, now, fail);
	}
	if (folder_take(&p->f, &b, fail) != 0)
		return -1;
	p->last = now;
	p->in++;
	if (b.base && p->published != NULL)
		p->owed = true;
	return pace_change(&p->pace, now) ? flush(p, now, fail) : 0;
}

static int64_t
end_time(const struct publisher *p)
{
	return p->virtual_time ? p->last : clock_monotonic_ms();
}

/* ---- one call ---------------------------------------------------------- */

int
ops_pace_run(const struct tool_call *call, void *result, struct fail *fail)
{
	const struct ops_pace_args *args = call->args;
	struct ops_pace_result *r = result;
	struct value *lines = parameter_list(&args->lines, "lines", fail);
	struct publisher p;
	size_t i;
	int rc = 0;

	if (lines == NULL)
		return -1;
	buf_init(&r->lines, BUF_UNLIMITED);
	buf_init(&r->text, BUF_UNLIMITED);
	publisher_init(&p, args, r);
	buf_addc(&r->lines, '[');
	for (i = 0; rc == 0 && i < value_count(lines); i++) {
		rc = take(&p, value_item(lines, i), fail);
		if (rc != 0 && fail->members.len == 0)
			fail_member_integer(fail, "batch", (int64_t)p.in);
	}
	if (rc == 0)
		rc = flush(&p, end_time(&p), fail);
	buf_addc(&r->lines, ']');
	r->lines_json = buf_str(&r->lines);
	r->in = (int64_t)p.in;
	r->out = p.pace.published;
	r->bytes = p.pace.bytes;
	r->held = p.pace.held;
	publisher_release(&p);
	value_free(lines);
	return rc;
}

void
ops_pace_text(const void *result, struct buf *out)
{
	const struct ops_pace_result *r = result;

	buf_add_str(out, buf_str(&r->text));
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
refuse(struct publisher *p, const struct ndjson *in, struct fail *fail)
{
	struct fail other = FAIL_INIT;
	int rc;

	if (fail->kind != FAIL_REFUSED)
		return -1;
	rc = flush(p, end_time(p), &other);
	if (rc != 0)
		rc = fail_environment(fail, "%s", other.message.data);
	else
		rc = ndjson_refuse(in, fail);
	fail_release(&other);
	return rc;
}

static int
report(struct publisher *p, struct fail *fail)
{
	struct buf line = BUF_INIT;
	int rc;

	buf_addf(&line,
		 "{\"event\":\"pace\",\"in\":%" PRIu64 ",\"out\":%" PRId64
		 ",\"bytes\":%" PRId64 ",\"maxHoldMs\":%" PRId64 "}",
		 p->in, p->pace.published, p->pace.bytes, p->pace.held);
	rc = ndjson_put(&line, fail);
	buf_release(&line);
	return rc;
}

/* Lines and deadlines, up to the end: 0, a signal's status, or -1. */
static int
pass_on(struct publisher *p, struct ndjson *in, struct fail *fail)
{
	struct value *line;
	struct str text;
	int64_t until;
	int rc = 0;

	while (rc == 0) {
		until = p->virtual_time || p->pace.deadline == PACE_NONE
				? NDJSON_NEVER
				: p->pace.deadline;
		switch (ndjson_next(in, until, &text, fail)) {
		case NDJSON_LINE:
			line = ndjson_parse(text, fail);
			rc = line == NULL ? -1 : take(p, line, fail);
			value_free(line);
			break;
		case NDJSON_LATE:
			rc = flush_due(p, clock_monotonic_ms(), fail);
			break;
		case NDJSON_SIGNAL:
			return flush(p, end_time(p), fail) != 0
				       ? -1
				       : 128 + in->signal;
		case NDJSON_END:
			return flush(p, end_time(p), fail) != 0 ? -1 : 0;
		case NDJSON_FAILED:
			rc = -1;
		}
	}
	return rc;
}

int
ops_pace_stream(const struct tool_call *call, struct fail *fail)
{
	struct publisher p;
	struct ndjson in;
	int rc;

	publisher_init(&p, call->args, NULL);
	ndjson_init(&in, STDIN_FILENO, true);
	rc = pass_on(&p, &in, fail);
	if (rc < 0)
		rc = refuse(&p, &in, fail);
	else if (rc == 0)
		rc = report(&p, fail);
	ndjson_release(&in);
	publisher_release(&p);
	return rc;
}
