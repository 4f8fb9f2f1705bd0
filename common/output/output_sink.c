#include "output/output_sink.h"

#include <inttypes.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/json_write.h"
#include "output/ndjson.h"
#include "output/parameters.h"
#include "output/place.h"
#include "output/publisher.h"
#include "output/sink.h"
#include "output/state.h"
#include "output/surface.h"
#include "tool/result.h"

/* A sink, and where its changes go. */
struct session {
	const struct tool_call *call;
	const struct output_sink_args *args;
	struct buf spill_dir;
	struct sink sink;
	struct journal journal;
	struct publisher publisher;
	int64_t seed_seq; /* of the journal that was gone on from; -1 */
	int64_t last;	  /* virtual time: of the last good event */
};

/* ---- beginning --------------------------------------------------------- */

static struct journal_options
journal_options(const struct output_sink_args *args)
{
	return (struct journal_options){
		.id = args->id.given ? args->id.s : "sink",
		.kind = "tool_output",
		.fsync = (enum journal_fsync)args->fsync.v,
		.lock_ms = JOURNAL_LOCK_MS,
		.verbs = (unsigned)args->verbs.v,
	};
}

static int
begin_sink(struct session *x, struct fail *fail)
{
	const struct output_sink_args *args = x->args;
	struct sink_options options = {
		.capture = { .retain = (enum truncate_retain)args->retain.v,
			     .max_bytes = (size_t)args->max_bytes.v,
			     .max_lines = (size_t)args->max_lines.v,
			     .spill = (enum spill_when)args->spill.v,
			     .spill_kind = "sink" },
		.details_max_bytes = (size_t)args->details_max_bytes.v,
		.images_max = (size_t)args->images_max.v,
		.verbs = (unsigned)args->verbs.v,
		.journal = args->journal.given,
	};
	int rc = place_spill(&x->spill_dir, x->call->facts, &args->spill_dir,
			     fail);

	options.capture.spill_dir = buf_str(&x->spill_dir);
	sink_init(&x->sink, &options);
	return rc;
}

/* What the journal to start from has. */
static int
take_seed(struct session *x, struct fail *fail)
{
	struct journal_options options = journal_options(x->args);
	struct journal seed;
	int rc;

	x->seed_seq = -1;
	if (!x->args->seed.given)
		return 0;
	rc = journal_init(&seed, x->call->facts, x->args->seed.s, &options,
			  fail);
	if (rc == 0)
		rc = journal_lock(&seed, JOURNAL_READ, fail);
	if (rc == 0 && seed.now.retired)
		rc = journal_open_end(&seed, fail);
	if (rc == 0 && seed.now.r.value == NULL)
		rc = fail_refuse(fail, "no_base", "%s: there is no base",
				 seed.name.data);
	if (rc == 0)
		rc = sink_seed(&x->sink, seed.now.r.value, seed.now.memos,
			       seed.name.data, fail);
	if (rc == 0)
		x->seed_seq = seed.now.seq;
	journal_unlock(&seed);
	journal_release(&seed);
	return rc;
}

/* Whether the journal can be written to; nothing is yet. */
static int
begin_journal(struct session *x, struct fail *fail)
{
	struct journal_options options = journal_options(x->args);

	if (!x->args->journal.given)
		return 0;
	x->publisher.journal = &x->journal;
	return journal_init(&x->journal, x->call->facts, x->args->journal.s,
			    &options, fail) != 0
		       ? -1
		       : journal_try(&x->journal, fail);
}

static int
begin(struct session *x, const struct tool_call *call, bool stream,
      struct fail *fail)
{
	const struct output_sink_args *args = call->args;
	struct spill *spill;

	*x = (struct session){ .call = call,
			       .args = args,
			       .spill_dir = BUF_INIT };
	publisher_init(&x->publisher, args->min_ms.v, args->bytes_per_s.v,
		       (unsigned)args->verbs.v);
	x->publisher.rebase_every = (uint64_t)args->rebase_every.v;
	x->publisher.virtual_time = stream && args->virtual_time.v;
	x->publisher.put = stream ? publisher_to_stdout : NULL;
	if (begin_sink(x, fail) != 0 || take_seed(x, fail) != 0 ||
	    begin_journal(x, fail) != 0)
		return -1;
	spill = &x->sink.capture.spill;
	if (spill->when == SPILL_ALWAYS && spill->fd < 0)
		return spill_open(spill, fail);
	return 0;
}

static void
end(struct session *x)
{
	sink_release(&x->sink);
	if (x->publisher.journal != NULL)
		journal_release(&x->journal);
	publisher_release(&x->publisher);
	buf_release(&x->spill_dir);
}

/* ---- publishing -------------------------------------------------------- */

static int64_t
now_of(const struct session *x)
{
	return x->publisher.virtual_time ? x->last : clock_monotonic_ms();
}

static int
flush(struct session *x, int64_t now, enum publish_as as, struct fail *fail)
{
	x->publisher.memos = x->sink.memos;
	return publisher_flush(&x->publisher, sink_state(&x->sink), now, as,
			       fail);
}

static int
settle(struct session *x, struct fail *fail)
{
	return publisher_settle(&x->publisher, x->sink.is_error, fail);
}

static enum publish_as
as_of(enum sink_wants wants)
{
	return wants == SINK_MEMO   ? PUBLISH_MEMO
	       : wants == SINK_BASE ? PUBLISH_BASE
				    : PUBLISH_CHANGE;
}

/* ---- one call ---------------------------------------------------------- */

/* The events up to the first that is refused, which says its number. */
static int
take_events(struct session *x, const struct value *events, struct fail *fail)
{
	struct buf message = BUF_INIT, op = BUF_INIT;
	enum sink_wants wants;
	struct str memo;
	size_t i;
	int rc = 0;

	if (x->publisher.journal != NULL)
		rc = flush(x, 0, PUBLISH_BASE, fail);
	for (i = 0; rc == 0 && i < value_count(events); i++) {
		rc = sink_take(&x->sink, value_item(events, i), &wants, &memo,
			       fail);
		if (rc != 0)
			break;
		if (x->publisher.journal != NULL && wants != SINK_CHANGE)
			rc = flush(x, 0, as_of(wants), fail);
		if (rc != 0)
			return rc;
	}
	if (rc == 0 && x->publisher.journal != NULL)
		return flush(x, 0, PUBLISH_CHANGE, fail);
	if (rc == 0)
		return 0;
	buf_addf(&message, "event %zu: %s", i, fail->message.data);
	if (x->publisher.journal != NULL)
		buf_addf(&message,
			 "; %" PRIu64 " journal lines were written before it",
			 x->publisher.batches);
	buf_add_str(&op, buf_str(&fail->members));
	(void)fail_refuse(fail, fail->code, "%s", message.data);
	fail_member_integer(fail, "event", (int64_t)i);
	if (op.len > 0) { /* of details: which one it was */
		buf_addc(&fail->members, ',');
		buf_add_str(&fail->members, buf_str(&op));
	}
	buf_release(&message);
	buf_release(&op);
	return -1;
}

int
output_sink_run(const struct tool_call *call, void *result, struct fail *fail)
{
	const struct output_sink_args *args = call->args;
	struct output_sink_result *r = result;
	struct value *events = parameter_list(&args->events, "events", fail);
	struct session x;
	int rc;

	if (events == NULL)
		return -1;
	rc = begin(&x, call, false, fail);
	if (rc == 0)
		rc = take_events(&x, events, fail);
	if (rc == 0 && x.sink.ended)
		rc = settle(&x, fail);
	if (rc == 0) {
		buf_init(&r->state, BUF_UNLIMITED);
		r->value = value_ref(sink_state(&x.sink));
		value_write(r->value, &r->state);
		r->state_json = buf_str(&r->state);
		r->is_error = x.sink.is_error;
		r->batches = x.publisher.journal != NULL
				     ? (int64_t)x.publisher.batches
				     : 0;
	}
	end(&x);
	value_free(events);
	return rc;
}

void
output_sink_text(const void *result, struct buf *out)
{
	const struct output_sink_result *r = result;
	const struct value *content = value_get(r->value, "content"), *block;
	struct buf text = BUF_INIT, images = BUF_INIT;
	size_t i;

	buf_add_str(&text, state_text(r->value));
	for (i = 1; i < value_count(content); i++) {
		block = value_item(content, i);
		if (i > 1)
			buf_addc(&images, '\n');
		buf_adds(&images, "[image: ");
		buf_add_str(&images, value_str(value_get(block, "mimeType")));
		buf_addf(&images, ", %zu base64 bytes]",
			 value_str(value_get(block, "data")).n);
	}
	if (text.len == 0 && images.len == 0)
		buf_adds(&text, "(no output)");
	else if (images.len > 0)
		truncate_join(&text, buf_str(&images));
	surface_text(out, buf_str(&text));
	buf_release(&text);
	buf_release(&images);
}

void
output_sink_release(void *result)
{
	struct output_sink_result *r = result;

	value_free(r->value);
	buf_release(&r->state);
}

/* ---- a stream of events ------------------------------------------------ */

static int
put_seed(struct session *x, struct fail *fail)
{
	struct buf line = BUF_INIT;

	if (!x->args->seed.given)
		return 0;
	buf_addf(&line, "{\"event\":\"seed\",\"seq\":%" PRId64 ",\"memos\":",
		 x->seed_seq);
	value_write(x->sink.memos, &line);
	buf_addc(&line, '}');
	return ndjson_put(&line, fail);
}

static int
put_ack(const struct session *x, struct str name, struct fail *fail)
{
	struct buf line = BUF_INIT;

	buf_adds(&line, "{\"ack\":\"memo\",\"name\":");
	json_quote(&line, name);
	buf_addf(&line, ",\"seq\":%" PRId64 "}", x->journal.now.seq);
	return ndjson_put(&line, fail);
}

static int
put_end(const struct session *x, struct fail *fail)
{
	struct buf line = BUF_INIT;

	buf_addf(&line,
		 "{\"event\":\"end\",\"isError\":%s,\"batches\":%" PRIu64
		 ",\"bytes\":%" PRIu64 "}",
		 x->sink.is_error ? "true" : "false", x->publisher.batches,
		 x->publisher.bytes);
	return ndjson_put(&line, fail);
}

/* The time of an event; -1: bad_event. */
static int
event_time(const struct session *x, const struct value *event, int64_t *now,
	   struct fail *fail)
{
	const struct value *at = value_get(event, "atMs");
	uint64_t ms;

	*now = clock_monotonic_ms();
	if (!x->publisher.virtual_time)
		return at == NULL ? 0
				  : fail_refuse(fail, "bad_event",
						"atMs: given in real time; "
						"legal: with virtual");
	if (at == NULL || !value_integer(at, &ms) || (int64_t)ms < x->last)
		return fail_refuse(fail, "bad_event",
				   "atMs: none given that is an integer of at "
				   "least %" PRId64 "; legal: one in virtual "
				   "time",
				   x->last);
	*now = (int64_t)ms;
	return 0;
}

static int
flush_due(struct session *x, int64_t now, struct fail *fail)
{
	struct pace *pace = &x->publisher.pace;

	if (!pace_due(pace, now))
		return 0;
	return flush(x, x->publisher.virtual_time ? pace->deadline : now,
		     PUBLISH_CHANGE, fail);
}

/*
 * One event: what it changes, and what is published of it.  1: it is refused
 * with *refused; -1 with *fail: there is no going on.
 */
static int
take_event(struct session *x, const struct value *event, struct fail *refused,
	   struct fail *fail)
{
	enum sink_wants wants;
	struct str memo = STR("");
	int64_t now = 0;
	int rc;

	if (event_time(x, event, &now, refused) != 0)
		return 1;
	if (flush_due(x, now, fail) != 0)
		return -1;
	if (sink_take(&x->sink, event, &wants, &memo, refused) != 0)
		return 1;
	x->last = now;
	if (wants == SINK_CHANGE)
		return pace_change(&x->publisher.pace, now)
			       ? flush(x, now, PUBLISH_CHANGE, fail)
			       : 0;
	rc = flush(x, now, as_of(wants), fail);
	if (rc == 0 && wants == SINK_MEMO)
		rc = put_ack(x, memo, fail);
	if (rc == 0 && wants == SINK_END)
		rc = settle(x, fail) != 0 ? -1 : put_end(x, fail);
	return rc;
}

/* A line of input.  1: it was refused, and said so; -1: no going on. */
static int
take_line(struct session *x, const struct ndjson *in, struct str text,
	  struct fail *fail)
{
	struct fail refused = FAIL_INIT;
	struct value *event = ndjson_parse(text, &refused);
	int rc = event == NULL ? 1 : take_event(x, event, &refused, fail);

	if (rc == 1 && ndjson_refuse(in, &refused) < 0)
		rc = fail_environment(fail, "%s", refused.message.data);
	value_free(event);
	fail_release(&refused);
	return rc;
}

/* Up to the end of the input: 0, 1 when any was refused, 128 + signal, -1. */
static int
follow(struct session *x, struct ndjson *in, struct fail *fail)
{
	struct pace *pace = &x->publisher.pace;
	int refused = 0, rc = 0;
	struct str text;

	while (rc >= 0) {
		int64_t until = x->publisher.virtual_time ||
						pace->deadline == PACE_NONE
					? NDJSON_NEVER
					: pace->deadline;

		switch (ndjson_next(in, until, &text, fail)) {
		case NDJSON_LINE:
			rc = take_line(x, in, text, fail);
			refused |= rc == 1;
			break;
		case NDJSON_LATE:
			rc = flush_due(x, clock_monotonic_ms(), fail);
			break;
		case NDJSON_SIGNAL:
			return flush(x, now_of(x), PUBLISH_CHANGE, fail) != 0
				       ? -1
				       : 128 + in->signal;
		case NDJSON_FAILED:
			return -1;
		case NDJSON_END:
			if (x->sink.ended)
				return refused;
			if (flush(x, now_of(x), PUBLISH_CHANGE, fail) != 0)
				return -1;
			return fail_refuse(fail, "no_end",
					   "the input ended without an end; "
					   "legal: {\"end\":{\"error\":null}} "
					   "at last");
		}
	}
	return -1;
}

int
output_sink_stream(const struct tool_call *call, struct fail *fail)
{
	struct session x;
	struct ndjson in;
	int rc;

	ndjson_init(&in, STDIN_FILENO, true);
	rc = begin(&x, call, true, fail);
	if (rc == 0)
		rc = put_seed(&x, fail);
	if (rc == 0)
		rc = flush(&x, now_of(&x), PUBLISH_BASE, fail);
	if (rc == 0)
		rc = follow(&x, &in, fail);
	if (rc < 0)
		rc = ndjson_refuse(&in, fail);
	ndjson_release(&in);
	end(&x);
	return rc;
}
