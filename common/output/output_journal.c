#include "output/output_journal.h"

#include <inttypes.h>
#include <unistd.h>

#include "output/batch.h"
#include "output/journal.h"
#include "output/ndjson.h"
#include "output/parameters.h"
#include "output/surface.h"
#include "output/value_edit.h"
#include "text/truncate.h"
#include "tool/result.h"

/* ---- beginning --------------------------------------------------------- */

static bool
is(const struct output_journal_args *args, enum output_journal_action action)
{
	return args->action.v == (int)action;
}

/* What the types alone do not say. */
static int
check_arguments(const struct output_journal_args *args, struct fail *fail)
{
	bool memo = is(args, OUTPUT_JOURNAL_MEMO);

	if (args->ops.given && args->state.given)
		return fail_invalid(fail, "state: given with ops; legal: one "
					  "of them");
	if (args->state.given != args->if_seq.given)
		return fail_invalid(fail,
				    "if_seq: %s; legal: with state, and "
				    "only with it",
				    args->state.given ? "missing with state"
						      : "given without state");
	if (args->ops.given && !memo && !is(args, OUTPUT_JOURNAL_APPEND))
		return fail_invalid(fail, "ops: given; legal: with append and "
					  "memo");
	if (args->state.given && !memo && !is(args, OUTPUT_JOURNAL_REBASE))
		return fail_invalid(fail, "state: given; legal: with memo and "
					  "rebase");
	if (is(args, OUTPUT_JOURNAL_APPEND) && !args->ops.given)
		return fail_invalid(fail, "ops: missing; legal: one batch for "
					  "append");
	if (memo && !args->name.given)
		return fail_invalid(fail, "name: missing; legal: a name for "
					  "memo");
	return 0;
}

static int
begin(struct journal *j, const struct tool_call *call, struct fail *fail)
{
	const struct output_journal_args *args = call->args;
	struct journal_options options = {
		.id = args->id.given ? args->id.s : "journal",
		.kind = args->kind.given ? args->kind.s : "tool_output",
		.fsync = (enum journal_fsync)args->fsync.v,
		.lock_ms = args->lock_ms.v,
		.verbs = (unsigned)args->verbs.v,
	};

	return journal_init(j, call->facts, args->file.s, &options, fail);
}

static int
need_base(const struct journal *j, struct fail *fail)
{
	if (j->now.r.value != NULL)
		return 0;
	return fail_refuse(fail, "no_base", "%s: there is no base",
			   j->name.data);
}

/* ---- folding ----------------------------------------------------------- */

/*
 * Folds a batch into what the journal holds, and gathers its logical ops.  0,
 * or -1 with nothing changed; in what is refused batch is the number.
 */
static int
fold(struct journal *j, const struct value *batch, uint64_t number,
     struct ops *ops, struct fail *fail)
{
	struct op op;
	size_t i;
	int rc = 0;

	if (j->now.r.value == NULL && !op_batch_is_base(batch)) {
		(void)need_base(j, fail);
		return batch_refuse_at(fail, number, BATCH_NO_OP);
	}
	apply_begin(&j->now.r);
	for (i = 0; rc == 0 && i < value_count(batch); i++) {
		rc = op_read(value_item(batch, i), j->options.verbs, &op, fail);
		if (rc == 0)
			rc = apply_op(&j->now.r, &op, fail);
		if (rc == 0)
			ops_add(ops, op.verb, op.path, op.value, op.index,
				op.remove);
		op_release(&op);
	}
	if (rc == 0) {
		apply_commit(&j->now.r);
		return 0;
	}
	apply_undo(&j->now.r);
	return batch_refuse_at(fail, number, i - 1);
}

/* One batch: folded, and written as a base where one is due. */
static int
append(struct journal *j, const struct value *batch, uint64_t number,
       int64_t rebase_every, struct output_journal_result *r, struct fail *fail)
{
	struct ops ops = OPS_INIT;
	bool due = rebase_every > 0 &&
		   journal_since_base(j) >= (uint64_t)rebase_every;
	int rc = fold(j, batch, number, &ops, fail);

	r->torn = (int64_t)j->now.torn;
	r->base = due || ops_is_base(&ops);
	if (rc == 0 && ops.n > 0)
		r->bytes = due ? journal_base(j, 'B', fail)
			       : journal_batch(j, &ops, fail);
	else
		r->base = false;
	if (r->bytes < 0)
		rc = -1;
	r->seq = j->now.seq;
	ops_release(&ops);
	return rc;
}

static int
run_append(struct journal *j, const struct output_journal_args *args,
	   struct output_journal_result *r, struct fail *fail)
{
	struct value *batch = parameter_list(&args->ops, "ops", fail);
	int rc;

	if (batch == NULL)
		return -1;
	rc = append(j, batch, 0, args->rebase_every.v, r, fail);
	value_free(batch);
	return rc;
}

/* ---- state, memos ------------------------------------------------------ */

/*
 * The state that the caller computed, if nobody has written since.  1: it is
 * now the journal's; 0: none was given; -1.
 */
static int
take_state(struct journal *j, const struct output_journal_args *args,
	   struct fail *fail)
{
	struct value *state;
	int rc;

	if (!args->state.given)
		return 0;
	if (args->if_seq.v != j->now.seq)
		return fail_refuse(fail, "moved_on",
				   "%s: its last line has seq %" PRId64
				   ", and not %" PRId64 " as if_seq says",
				   j->name.data, j->now.seq, args->if_seq.v);
	state = parameter_value(&args->state, "state", fail);
	if (state == NULL)
		return -1;
	rc = replica_set(&j->now.r, state, fail);
	value_free(state);
	return rc != 0 ? -1 : 1;
}

static int
change_memo(struct journal *j, const struct output_journal_args *args,
	    struct fail *fail)
{
	struct str name = { args->name.s, args->name.n };
	struct value_member old;
	struct buf quoted = BUF_INIT;
	struct value *v;
	size_t at;

	if (j->now.memos == NULL)
		j->now.memos = value_new_object();
	(void)value_own(&j->now.memos);
	at = value_find(j->now.memos, name);
	if (!args->value.given && at == VALUE_NONE) {
		fail_quote(&quoted, name);
		(void)fail_refuse(fail, "unknown_memo",
				  "%s: there is no memo %s", j->name.data,
				  quoted.data);
		buf_release(&quoted);
		return -1;
	}
	if (!args->value.given) {
		old = value_delete(j->now.memos, at);
		value_free(old.key);
		value_free(old.value);
		value_tidy(j->now.memos);
		return 0;
	}
	v = parameter_value(&args->value, "value", fail);
	if (v == NULL)
		return -1;
	if (at == VALUE_NONE) {
		value_put(j->now.memos, value_new_string(name), v);
	} else {
		value_free(*value_slot(j->now.memos, at));
		*value_slot(j->now.memos, at) = v;
	}
	return 0;
}

static int
run_memo(struct journal *j, const struct output_journal_args *args,
	 struct output_journal_result *r, struct fail *fail)
{
	struct ops ops = OPS_INIT;
	struct value *batch = NULL;
	int rc = take_state(j, args, fail);

	if (rc == 0 && args->ops.given) {
		batch = parameter_list(&args->ops, "ops", fail);
		rc = batch == NULL ? -1 : fold(j, batch, 0, &ops, fail);
	}
	if (rc >= 0)
		rc = need_base(j, fail);
	if (rc == 0)
		rc = change_memo(j, args, fail);
	if (rc == 0) {
		r->torn = (int64_t)j->now.torn;
		r->bytes = journal_base(j, 'M', fail);
		rc = r->bytes < 0 ? -1 : 0;
	}
	r->seq = j->now.seq;
	if (j->now.memos != NULL)
		r->memo_count = (int64_t)value_count(j->now.memos);
	value_free(batch);
	ops_release(&ops);
	return rc;
}

static int
run_rebase(struct journal *j, const struct output_journal_args *args,
	   struct output_journal_result *r, struct fail *fail)
{
	int rc = take_state(j, args, fail);

	if (rc >= 0)
		rc = need_base(j, fail);
	if (rc != 0)
		return rc;
	r->torn = (int64_t)j->now.torn;
	r->base = true;
	r->bytes = journal_base(j, 'B', fail);
	r->seq = j->now.seq;
	return r->bytes < 0 ? -1 : 0;
}

/* ---- ends -------------------------------------------------------------- */

/* content[0].text of a state; NULL: it has none. */
static struct value **
text_of(struct value **state)
{
	static const char *const way[] = { "content", NULL, "text" };
	struct value **slot = state;
	size_t i, at;

	for (i = 0; i < 3; i++) {
		if (way[i] != NULL && (*slot)->kind != JSON_OBJECT)
			return NULL;
		if (way[i] == NULL && (*slot)->kind != JSON_ARRAY)
			return NULL;
		at = way[i] == NULL ? (value_count(*slot) > 0 ? 0 : VALUE_NONE)
				    : value_find(*slot, str_of(way[i]));
		if (at == VALUE_NONE)
			return NULL;
		slot = value_slot(value_own(slot), at);
	}
	return (*slot)->kind == JSON_STRING ? slot : NULL;
}

static int
run_interrupt(struct journal *j, const struct output_journal_args *args,
	      struct output_journal_result *r, struct fail *fail)
{
	struct str marker = args->marker.given ? arg_str(args->marker)
					       : str_of(JOURNAL_MARKER);
	struct buf text = BUF_INIT;
	struct value **slot;
	int rc = -1;

	slot = text_of(&j->now.r.value);
	if (slot == NULL)
		return fail_refuse(fail, "bad_path",
				   "%s: the state has no text at "
				   "[\"content\",0,\"text\"]",
				   j->name.data);
	buf_add_str(&text, value_str(*slot));
	truncate_join(&text, marker);
	value_free(*slot);
	*slot = value_new_string(buf_str(&text));
	if (journal_interrupt(j, fail) >= 0) {
		value_write(j->now.r.value, &r->state);
		r->state_json = buf_str(&r->state);
		r->seq = j->now.seq;
		r->is_error = true;
		rc = 0;
	}
	buf_release(&text);
	return rc;
}

static int
run_end(struct journal *j, const struct output_journal_args *args,
	struct output_journal_result *r, struct fail *fail)
{
	uint64_t after = 0;
	int rc = 0;

	r->before = (int64_t)(j->now.end + j->now.torn);
	if (is(args, OUTPUT_JOURNAL_SETTLE))
		rc = journal_settle(j, args->is_error.v, fail) < 0 ? -1 : 0;
	else if (is(args, OUTPUT_JOURNAL_RETIRE))
		rc = journal_retire(j, fail) < 0 ? -1 : 0;
	else
		rc = journal_compact(j, &after, fail);
	r->is_error = args->is_error.v;
	r->after = (int64_t)after;
	r->seq = is(args, OUTPUT_JOURNAL_COMPACT) && j->now.settled
			 ? j->now.batch_seq + 1
			 : j->now.seq;
	return rc;
}

/* ---- looking ----------------------------------------------------------- */

static void
tell(const struct journal *j, struct output_journal_result *r)
{
	const struct recovered *now = &j->now;

	if (now->r.value != NULL) {
		value_write(now->r.value, &r->state);
		value_write(now->memos, &r->memos);
		buf_adds(&r->seed, "{\"seq\":0,\"base\":true,\"ops\":[[\"r\",");
		buf_add_str(&r->seed, buf_str(&r->state));
		buf_adds(&r->seed, "]]}");
		r->memo_count = (int64_t)value_count(now->memos);
	}
	r->state_json = buf_str(&r->state);
	r->memos_json = buf_str(&r->memos);
	r->seed_json = buf_str(&r->seed);
	buf_add_str(&r->id, buf_str(&now->id));
	buf_add_str(&r->kind, buf_str(&now->kind));
	r->id_text = buf_str(&r->id);
	r->kind_text = buf_str(&r->kind);
	r->seq = now->seq;
	r->replayed = r->since_base = (int64_t)now->replayed;
	r->read = (int64_t)now->bytes_read;
	r->torn = (int64_t)now->torn;
	r->size = (int64_t)(now->end + now->torn);
	r->lines = (int64_t)now->lines;
	r->batches = (int64_t)now->batches;
	r->bases = (int64_t)now->bases;
	r->settled = now->settled;
	r->retired = now->retired;
	r->maybe_error = now->settled ? now->is_error : -1;
	r->good = true;
}

/* ---- one call ---------------------------------------------------------- */

static enum journal_for
lock_for(int action)
{
	switch (action) {
	case OUTPUT_JOURNAL_APPEND:
	case OUTPUT_JOURNAL_MEMO:
		return JOURNAL_CREATE;
	case OUTPUT_JOURNAL_CHECK:
		return JOURNAL_CHECK;
	case OUTPUT_JOURNAL_RECOVER:
	case OUTPUT_JOURNAL_SEED:
	case OUTPUT_JOURNAL_STAT:
		return JOURNAL_READ;
	default:
		return JOURNAL_CHANGE;
	}
}

/* Whether the journal is in a state for the action. */
static int
check_state(const struct journal *j, int action, struct fail *fail)
{
	switch (action) {
	case OUTPUT_JOURNAL_CHECK:
	case OUTPUT_JOURNAL_STAT:
		return 0;
	case OUTPUT_JOURNAL_RECOVER:
	case OUTPUT_JOURNAL_SEED:
	case OUTPUT_JOURNAL_RETIRE:
	case OUTPUT_JOURNAL_COMPACT:
		if (j->now.retired)
			return journal_open_end(j, fail);
		return need_base(j, fail);
	case OUTPUT_JOURNAL_SETTLE:
	case OUTPUT_JOURNAL_INTERRUPT:
		return journal_open_end(j, fail) != 0 ? -1 : need_base(j, fail);
	default:
		return journal_open_end(j, fail);
	}
}

static int
act(struct journal *j, const struct output_journal_args *args,
    struct output_journal_result *r, struct fail *fail)
{
	switch (args->action.v) {
	case OUTPUT_JOURNAL_APPEND:
		return run_append(j, args, r, fail);
	case OUTPUT_JOURNAL_MEMO:
		return run_memo(j, args, r, fail);
	case OUTPUT_JOURNAL_REBASE:
		return run_rebase(j, args, r, fail);
	case OUTPUT_JOURNAL_INTERRUPT:
		return run_interrupt(j, args, r, fail);
	case OUTPUT_JOURNAL_SETTLE:
	case OUTPUT_JOURNAL_RETIRE:
	case OUTPUT_JOURNAL_COMPACT:
		return run_end(j, args, r, fail);
	default:
		tell(j, r);
		return 0;
	}
}

static void
result_init(struct output_journal_result *r, int action)
{
	r->action = action;
	buf_init(&r->state, BUF_UNLIMITED);
	buf_init(&r->memos, BUF_UNLIMITED);
	buf_init(&r->seed, BUF_UNLIMITED);
	buf_init(&r->id, BUF_UNLIMITED);
	buf_init(&r->kind, BUF_UNLIMITED);
}

int
output_journal_run(const struct tool_call *call, void *result,
		   struct fail *fail)
{
	const struct output_journal_args *args = call->args;
	struct journal j;
	int rc;

	result_init(result, args->action.v);
	if (check_arguments(args, fail) != 0)
		return -1;
	rc = begin(&j, call, fail);
	if (rc == 0)
		rc = journal_lock(&j, lock_for(args->action.v), fail);
	if (rc == 0)
		rc = check_state(&j, args->action.v, fail);
	if (rc == 0)
		rc = act(&j, args, result, fail);
	journal_unlock(&j);
	journal_release(&j);
	return rc;
}

void
output_journal_release(void *result)
{
	struct output_journal_result *r = result;

	buf_release(&r->state);
	buf_release(&r->memos);
	buf_release(&r->seed);
	buf_release(&r->id);
	buf_release(&r->kind);
}

/* One line a member of the JSON: strings raw, others as they are there. */
void
output_journal_text(const void *result, struct buf *out)
{
	const struct output_journal_result *r = result;
	const struct value_member *m;
	struct buf json = BUF_INIT;
	struct value *v;
	size_t at = 0;

	output_journal_json(r, &json);
	v = value_read(buf_str(&json), NULL);
	while (v != NULL && (m = value_next(v, &at)) != NULL) {
		if (out->len > 0)
			buf_addc(out, '\n');
		buf_add_str(out, value_str(m->key));
		buf_adds(out, ": ");
		surface_value(out, m->value);
	}
	value_free(v);
	buf_release(&json);
}

/* ---- a stream of batches ----------------------------------------------- */

static int
append_line(struct journal *j, struct str text, const struct value *line,
	    uint64_t number, struct batch_sequence *sequence,
	    int64_t rebase_every, struct output_journal_result *r,
	    struct fail *fail)
{
	struct batch b;
	int rc;

	if (batch_read(text, line, &b, fail) != 0)
		return -1;
	if (b.wire) {
		(void)fail_refuse(fail, "bad_line",
				  "wire: true given; legal: logical ops");
		return ndjson_blame(text, STR("wire"), fail);
	}
	if (batch_follow(sequence, &b, fail) != 0)
		return batch_refuse_at(fail, number, BATCH_NO_OP);
	rc = journal_lock(j, JOURNAL_CREATE, fail);
	if (rc == 0)
		rc = journal_open_end(j, fail);
	if (rc == 0)
		rc = append(j, b.ops, number, rebase_every, r, fail);
	journal_unlock(j);
	return rc;
}

int
output_journal_stream(const struct tool_call *call, struct fail *fail)
{
	const struct output_journal_args *args = call->args;
	struct batch_sequence sequence = { false, 0 };
	struct journal j;
	struct ndjson in;
	struct str text;
	struct buf out = BUF_INIT;
	uint64_t number = 0;
	enum ndjson_got got;
	int rc;

	if (!is(args, OUTPUT_JOURNAL_APPEND))
		return fail_invalid(fail, "stream: given without append; "
					  "legal: with the action append");
	ndjson_init(&in, STDIN_FILENO, false);
	rc = begin(&j, call, fail);
	while (rc == 0 && (got = ndjson_next(&in, NDJSON_NEVER, &text, fail)) !=
				  NDJSON_END) {
		struct output_journal_result r = { 0 };
		struct value *line = NULL;

		result_init(&r, OUTPUT_JOURNAL_APPEND);
		if (got == NDJSON_LINE)
			line = ndjson_parse(text, fail);
		rc = line == NULL
			     ? -1
			     : append_line(&j, text, line, number++, &sequence,
					   args->rebase_every.v, &r, fail);
		if (rc == 0) {
			output_journal_json(&r, &out);
			rc = ndjson_put(&out, fail);
		}
		if (rc != 0)
			rc = ndjson_refuse(&in, fail);
		value_free(line);
	}
	journal_release(&j);
	ndjson_release(&in);
	buf_release(&out);
	return rc;
}
