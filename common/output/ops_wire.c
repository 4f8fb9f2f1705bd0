#include "output/ops_wire.h"

#include <inttypes.h>
#include <unistd.h>

#include "base/json_write.h"
#include "output/batch.h"
#include "output/ndjson.h"
#include "output/parameters.h"
#include "output/wire.h"

#define FAULTS_MOST 100

/* Both directions of one stream; an action uses one of them. */
struct codec {
	int action;
	bool wire_in; /* what comes is wire ops */
	unsigned verbs;
	struct wire_encoder e;
	struct wire_decoder d;
	struct batch_sequence sequence;
	uint64_t ops;	 /* that were looked at */
	uint64_t faults; /* check: found */
	struct buf list; /* check: the first of them, JSON, with commas */
};

static void
codec_init(struct codec *c, const struct ops_wire_args *args)
{
	*c = (struct codec){ .action = args->action.v,
			     .verbs = (unsigned)args->verbs.v,
			     .list = BUF_INIT };
	c->wire_in = c->action == OPS_WIRE_DECODE ||
		     (c->action == OPS_WIRE_CHECK &&
		      args->grammar.v == OPS_WIRE_GRAMMAR_WIRE);
	wire_encoder_init(&c->e);
	wire_decoder_init(&c->d, c->verbs);
}

static void
codec_release(struct codec *c)
{
	wire_encoder_release(&c->e);
	wire_decoder_release(&c->d);
	buf_release(&c->list);
}

/* 1: *op is set, and is the caller's; 0: nothing; -1: a fault. */
static int
read_op(struct codec *c, const struct value *raw, struct op *op,
	struct fail *fail)
{
	c->ops++;
	if (c->wire_in)
		return wire_decode(&c->d, raw, op, fail);
	return op_read(raw, c->verbs, op, fail) != 0 ? -1 : 1;
}

/*
 * Adds what becomes of the batch to out, and says in b whether that is a base.
 * 0, or -1 with the op's number.
 */
static int
convert(struct codec *c, struct batch *b, struct buf *out, size_t *at,
	struct fail *fail)
{
	struct ops ops = OPS_INIT;
	struct op op;
	int rc = 0;

	wire_begin(&c->d);
	for (*at = 0; rc >= 0 && *at < value_count(b->ops); (*at)++) {
		rc = read_op(c, value_item(b->ops, *at), &op, fail);
		if (rc < 0)
			break;
		if (rc > 0)
			ops_add(&ops, op.verb, op.path, op.value, op.index,
				op.remove);
		op_release(&op);
	}
	if (rc >= 0 && c->action == OPS_WIRE_ENCODE)
		wire_encode(&c->e, &ops, out);
	else if (rc >= 0)
		ops_write(&ops, out);
	b->base = ops_is_base(&ops);
	ops_release(&ops);
	return rc < 0 ? -1 : 0;
}

/* ---- checking ---------------------------------------------------------- */

/* A fault as JSON: where says which batch or line it is in. */
static void
write_fault(struct buf *out, const char *where, uint64_t number, size_t op,
	    const struct fail *fail)
{
	buf_addf(out,
		 "{\"%s\":%" PRIu64 ",\"op\":%zu,\"code\":\"%s\","
		 "\"detail\":",
		 where, number, op, fail->code);
	json_quote(out, buf_str(&fail->message));
	buf_addc(out, '}');
}

/* Looks at every op of a batch; stream: each fault is a line at once. */
static int
check_batch(struct codec *c, const struct batch *b, const char *where,
	    uint64_t number, bool stream, struct fail *fail)
{
	struct fail fault = FAIL_INIT;
	struct buf line = BUF_INIT;
	struct op op;
	size_t i;
	int rc = 0;

	wire_begin(&c->d);
	for (i = 0; rc == 0 && i < value_count(b->ops); i++) {
		if (read_op(c, value_item(b->ops, i), &op, &fault) >= 0) {
			op_release(&op);
			continue;
		}
		c->faults++;
		if (stream) {
			write_fault(&line, where, number, i, &fault);
			rc = ndjson_put(&line, fail);
		} else if (c->faults <= FAULTS_MOST) {
			if (c->list.len > 0)
				buf_addc(&c->list, ',');
			write_fault(&c->list, where, number, i, &fault);
		}
	}
	fail_release(&fault);
	buf_release(&line);
	return rc;
}

static int
checked(struct codec *c, struct ops_wire_result *r, struct fail *fail)
{
	struct buf list = BUF_INIT;

	r->good = true;
	r->ops = (int64_t)c->ops;
	if (c->faults == 0)
		return 0;
	(void)fail_refuse(fail, "invalid_ops",
			  "%" PRIu64 " invalid ops in %" PRId64 " batches",
			  c->faults, r->count);
	fail_member_integer(fail, "batches", r->count);
	fail_member_integer(fail, "ops", r->ops);
	buf_addc(&list, '[');
	buf_add_str(&list, buf_str(&c->list));
	buf_addc(&list, ']');
	fail_member(fail, "faults", buf_str(&list));
	buf_release(&list);
	return -1;
}

/* ---- one call ---------------------------------------------------------- */

/* The number of the last base; -1: no_base. */
static int
last_base(const struct value *batches, size_t *at, struct fail *fail)
{
	struct fail ignored = FAIL_INIT;
	struct batch b;
	size_t i;

	for (i = value_count(batches); i-- > 0;) {
		if (batch_read_one(value_item(batches, i), &b, &ignored) != 0 ||
		    !b.base)
			continue;
		*at = i;
		fail_release(&ignored);
		return 0;
	}
	fail_release(&ignored);
	return fail_refuse(fail, "no_base",
			   "no batch begins with \"r\"; legal: at least one "
			   "for from_base");
}

static int
take_batch(struct codec *c, const struct value *v, size_t number,
	   struct ops_wire_result *r, struct fail *fail)
{
	size_t at, before = r->batches.len;
	struct batch b;

	if (batch_read_one(v, &b, fail) != 0 ||
	    batch_follow(&c->sequence, &b, fail) != 0)
		return batch_refuse_at(fail, number, BATCH_NO_OP);
	if (c->action == OPS_WIRE_CHECK)
		return check_batch(c, &b, "batch", number, false, fail);
	if (before > 1)
		buf_addc(&r->batches, ',');
	before = r->batches.len;
	if (convert(c, &b, &r->batches, &at, fail) != 0)
		return batch_refuse_at(fail, number, at);
	r->bytes_in += (int64_t)value_bytes(b.ops);
	r->bytes_out += (int64_t)(r->batches.len - before);
	return 0;
}

int
ops_wire_run(const struct tool_call *call, void *result, struct fail *fail)
{
	const struct ops_wire_args *args = call->args;
	struct ops_wire_result *r = result;
	struct value *batches;
	struct codec c;
	size_t first = 0, i;
	int rc = 0;

	batches = parameter_list(&args->batches, "batches", fail);
	if (batches == NULL)
		return -1;
	codec_init(&c, args);
	buf_init(&r->batches, BUF_UNLIMITED);
	r->action = c.action;
	buf_addc(&r->batches, '[');
	if (args->from_base.v && c.action == OPS_WIRE_DECODE)
		rc = last_base(batches, &first, fail);
	for (i = first; rc == 0 && i < value_count(batches); i++)
		rc = take_batch(&c, value_item(batches, i), i, r, fail);
	buf_addc(&r->batches, ']');
	r->batches_json = buf_str(&r->batches);
	r->ids = (int64_t)(c.e.numbered + c.d.numbered);
	r->count = (int64_t)(value_count(batches) - first);
	if (rc == 0 && c.action == OPS_WIRE_CHECK)
		rc = checked(&c, r, fail);
	codec_release(&c);
	value_free(batches);
	return rc;
}

void
ops_wire_text(const void *result, struct buf *out)
{
	const struct ops_wire_result *r = result;

	if (r->action == OPS_WIRE_CHECK)
		buf_addf(out, "ok: %" PRId64 " batches, %" PRId64 " ops",
			 r->count, r->ops);
	else
		buf_addf(out,
			 "%" PRId64 " batches, %" PRId64 " B -> %" PRId64
			 " B, ids %" PRId64,
			 r->count, r->bytes_in, r->bytes_out, r->ids);
}

void
ops_wire_release(void *result)
{
	struct ops_wire_result *r = result;

	buf_release(&r->batches);
}

/* ---- a stream ---------------------------------------------------------- */

/* A batch line for a batch line; next is the seq of one that had none. */
static int
convert_line(struct codec *c, struct batch *b, uint64_t number, uint64_t *next,
	     struct fail *fail)
{
	struct buf ops = BUF_INIT, line = BUF_INIT;
	size_t at;
	int rc;

	if (convert(c, b, &ops, &at, fail) != 0) {
		buf_release(&ops);
		return batch_refuse_at(fail, number, at);
	}
	if (!b->has_seq)
		b->seq = *next;
	*next = b->seq + 1;
	b->wire = c->action == OPS_WIRE_ENCODE;
	batch_write(&line, b, buf_str(&ops));
	rc = ndjson_put(&line, fail);
	buf_release(&ops);
	buf_release(&line);
	return rc;
}

int
ops_wire_stream(const struct tool_call *call, struct fail *fail)
{
	const struct ops_wire_args *args = call->args;
	uint64_t next = 0, batches = 0;
	struct codec c;
	struct ndjson in;
	struct str text;
	enum ndjson_got got;
	int rc = 0;

	if (args->from_base.v)
		return fail_invalid(fail, "from_base: given with --stream; "
					  "legal: without");
	codec_init(&c, args);
	ndjson_init(&in, STDIN_FILENO, false);
	while (rc == 0 && (got = ndjson_next(&in, NDJSON_NEVER, &text, fail)) !=
				  NDJSON_END) {
		struct value *line = NULL;
		struct batch b;

		if (got == NDJSON_LINE)
			line = ndjson_parse(text, fail);
		if (line == NULL || batch_read(text, line, &b, fail) != 0)
			rc = -1;
		else if (batch_follow(&c.sequence, &b, fail) != 0)
			rc = batch_refuse_at(fail, batches, BATCH_NO_OP);
		else if (c.action == OPS_WIRE_CHECK)
			rc = check_batch(&c, &b, "line", in.line, true, fail);
		else
			rc = convert_line(&c, &b, batches, &next, fail);
		batches++;
		if (rc != 0)
			rc = ndjson_refuse(&in, fail);
		value_free(line);
	}
	if (rc == 0 && c.faults > 0)
		rc = FAIL_REFUSED;
	ndjson_release(&in);
	codec_release(&c);
	return rc;
}
