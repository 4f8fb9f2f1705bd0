#include "output/ops_fold.h"

#include <inttypes.h>
#include <unistd.h>

#include "output/folder.h"
#include "output/ndjson.h"
#include "output/parameters.h"
#include "output/surface.h"
#include "tool/result.h"

/* A fold that is under way, and what of it is to be shown. */
struct fold {
	struct folder f;
	struct value *path; /* or NULL */
	uint64_t most;	    /* batches */
	bool every;
};

/* ---- beginning --------------------------------------------------------- */

static int
take_path(struct fold *x, const struct ops_fold_args *args, struct fail *fail)
{
	static const struct op_shape any = { 'p', 5, true, "a path" };

	if (!args->path.given)
		return 0;
	x->path = parameter_value(&args->path, "path", fail);
	if (x->path == NULL)
		return -1;
	if (value_count(x->path) > OP_PATH_MOST)
		return fail_invalid(fail,
				    "path: %zu segments given; legal: at "
				    "most %d",
				    value_count(x->path), OP_PATH_MOST);
	return op_check_path(&any, x->path, fail);
}

static int
begin(struct fold *x, const struct ops_fold_args *args, struct fail *fail)
{
	struct value *state;
	int rc;

	*x = (struct fold){ .every = args->every.v, .most = UINT64_MAX };
	folder_init(&x->f, args->wire.v, (unsigned)args->verbs.v);
	if (args->at.given)
		x->most = (uint64_t)args->at.v;
	if (take_path(x, args, fail) != 0)
		return -1;
	if (!args->state.given)
		return 0;
	state = parameter_value(&args->state, "state", fail);
	if (state == NULL)
		return -1;
	rc = replica_set(&x->f.r, state, fail);
	value_free(state);
	return rc;
}

static void
end(struct fold *x)
{
	folder_release(&x->f);
	value_free(x->path);
}

/* ---- showing ----------------------------------------------------------- */

/* The value, or what of it the path leads to; borrowed. */
static struct value *
shown(const struct fold *x, struct fail *fail)
{
	if (x->path == NULL)
		return x->f.r.value;
	return apply_look(x->f.r.value, x->path, fail);
}

/* What a host needs to go on from a batch that was refused. */
static int
refuse(const struct fold *x, struct fail *fail)
{
	struct buf state = BUF_INIT;

	fail_member_integer(fail, "applied", (int64_t)x->f.batches);
	if (x->f.r.value != NULL) {
		value_write(x->f.r.value, &state);
		fail_member(fail, "state", buf_str(&state));
	}
	fail_member(fail, "needBase", STR("true"));
	buf_release(&state);
	return -1;
}

/* The same of what is not even a batch. */
static int
refuse_batch(const struct fold *x, struct fail *fail)
{
	(void)batch_refuse_at(fail, x->f.batches, BATCH_NO_OP);
	return refuse(x, fail);
}

static int
fill(const struct fold *x, struct ops_fold_result *r, struct fail *fail)
{
	struct value *v;

	if (x->f.r.value == NULL) {
		(void)fail_refuse(fail, "no_base",
				  "neither a state nor a batch; legal: a batch "
				  "that begins with \"r\"");
		return refuse_batch(x, fail);
	}
	v = shown(x, fail);
	if (v == NULL)
		return -1;
	r->shown = value_ref(v);
	buf_init(&r->json, BUF_UNLIMITED);
	value_write(v, &r->json);
	*(x->path == NULL ? &r->state : &r->value) = buf_str(&r->json);
	r->applied = (int64_t)x->f.batches;
	r->seq = x->f.sequence.known ? (int64_t)x->f.sequence.last : FIELD_NONE;
	return 0;
}

/* ---- one call ---------------------------------------------------------- */

int
ops_fold_run(const struct tool_call *call, void *result, struct fail *fail)
{
	const struct ops_fold_args *args = call->args;
	struct value *batches = NULL;
	struct batch b;
	struct fold x;
	size_t i;
	int rc = begin(&x, args, fail);

	if (rc != 0)
		goto out;
	batches = parameter_list(&args->batches, "batches", fail);
	rc = batches == NULL ? -1 : 0;
	for (i = 0; rc == 0 && i < value_count(batches) && i < x.most; i++) {
		if (batch_read_one(value_item(batches, i), &b, fail) != 0)
			rc = refuse_batch(&x, fail);
		else if (folder_take(&x.f, &b, fail) != 0)
			rc = refuse(&x, fail);
	}
	if (rc == 0)
		rc = fill(&x, result, fail);
out:
	end(&x);
	value_free(batches);
	return rc;
}

void
ops_fold_text(const void *result, struct buf *out)
{
	const struct ops_fold_result *r = result;

	surface_value(out, r->shown);
}

void
ops_fold_release(void *result)
{
	struct ops_fold_result *r = result;

	value_free(r->shown);
	buf_release(&r->json);
}

/* ---- a stream ---------------------------------------------------------- */

/* {"seq":n,"state":V} after each batch. */
static int
put_state(const struct fold *x, const struct batch *b, struct fail *fail)
{
	struct buf line = BUF_INIT;
	struct value *v = shown(x, fail);

	if (v == NULL)
		return -1;
	buf_addf(&line, "{\"seq\":%" PRIu64 ",\"%s\":",
		 b->has_seq ? b->seq : x->f.batches - 1,
		 x->path == NULL ? "state" : "value");
	value_write(v, &line);
	buf_addc(&line, '}');
	return ndjson_put(&line, fail);
}

static int
put_result(const struct fold *x, const struct tool *tool, struct fail *fail)
{
	struct ops_fold_result r = { .json = BUF_INIT };
	struct buf line = BUF_INIT;
	int rc = fill(x, &r, fail);

	if (rc == 0) {
		result_json(tool, &r, &line);
		rc = ndjson_put(&line, fail);
	}
	buf_release(&line);
	ops_fold_release(&r);
	return rc;
}

static int
take_line(struct fold *x, struct str text, struct fail *fail)
{
	struct value *line = ndjson_parse(text, fail);
	struct batch b;
	int rc;

	if (line == NULL || batch_read(text, line, &b, fail) != 0)
		rc = refuse_batch(x, fail);
	else if (folder_take(&x->f, &b, fail) != 0)
		rc = refuse(x, fail);
	else
		rc = x->every ? put_state(x, &b, fail) : 0;
	value_free(line);
	return rc;
}

int
ops_fold_stream(const struct tool_call *call, struct fail *fail)
{
	struct ndjson in;
	struct fold x;
	struct str text;
	enum ndjson_got got = NDJSON_END;
	int rc = begin(&x, call->args, fail);

	ndjson_init(&in, STDIN_FILENO, false);
	while (rc == 0 && x.f.batches < x.most) {
		got = ndjson_next(&in, NDJSON_NEVER, &text, fail);
		if (got == NDJSON_END)
			break;
		if (got == NDJSON_LINE)
			rc = take_line(&x, text, fail);
		else
			rc = fail->kind == FAIL_REFUSED ? refuse_batch(&x, fail)
							: -1;
	}
	if (rc == 0 && !x.every)
		rc = put_result(&x, call->tool, fail);
	if (rc != 0)
		rc = ndjson_refuse(&in, fail);
	ndjson_release(&in);
	end(&x);
	return rc;
}
