#include "output/ops_diff.h"

#include <unistd.h>

#include "output/apply.h"
#include "output/batch.h"
#include "output/delta.h"
#include "output/ndjson.h"
#include "output/parameters.h"
#include "output/surface.h"

static struct delta_options
options_of(const struct ops_diff_args *args)
{
	return (struct delta_options){ (size_t)args->scan.v,
				       (unsigned)args->verbs.v };
}

/* ---- one pair ---------------------------------------------------------- */

int
ops_diff_run(const struct tool_call *call, void *result, struct fail *fail)
{
	const struct ops_diff_args *args = call->args;
	struct delta_options options = options_of(args);
	struct ops_diff_result *r = result;
	struct value *before = NULL, *after = NULL;
	struct ops ops = OPS_INIT;
	size_t i;
	int rc = -1;

	buf_init(&r->ops, BUF_UNLIMITED);
	buf_init(&r->text, BUF_UNLIMITED);
	after = parameter_value(&args->after, "after", fail);
	if (after == NULL)
		goto out;
	if (args->before.given) {
		before = parameter_value(&args->before, "before", fail);
		if (before == NULL)
			goto out;
		delta(before, after, &options, &ops);
	} else {
		ops_add(&ops, 'r', NULL, after, 0, 0);
	}
	ops_write(&ops, &r->ops);
	r->ops_json = buf_str(&r->ops);
	r->base = ops_is_base(&ops);
	r->bytes = (int64_t)r->ops.len;
	for (i = 0; i < ops.n; i++) {
		if (i > 0)
			buf_addc(&r->text, '\n');
		op_write(&ops.v[i], &r->text);
	}
	rc = 0;
out:
	value_free(before);
	value_free(after);
	ops_release(&ops);
	return rc;
}

void
ops_diff_text(const void *result, struct buf *out)
{
	const struct ops_diff_result *r = result;

	if (r->text.len == 0)
		buf_adds(out, "(no change)");
	else
		surface_text(out, buf_str(&r->text));
}

void
ops_diff_release(void *result)
{
	struct ops_diff_result *r = result;

	buf_release(&r->ops);
	buf_release(&r->text);
}

/* ---- a stream of states ------------------------------------------------ */

struct states {
	struct delta_options options;
	struct value *sent;    /* NULL: nothing yet */
	bool rebase;	       /* the next state is a base */
	uint64_t every, since; /* batches since and including the last base */
	uint64_t seq;
};

/* {"state":V} or {"rebase":true}: the state, borrowed, or NULL. */
static int
read_line(struct str text, const struct value *v, struct value **state,
	  struct fail *fail)
{
	const struct value *rebase = value_get(v, "rebase");

	*state = value_get(v, "state");
	if (value_count(v) == 1 && *state != NULL)
		return parameter_check_depth(*state, fail);
	if (value_count(v) == 1 && rebase != NULL &&
	    rebase->kind == JSON_BOOLEAN && str_is(value_str(rebase), "true"))
		return 0;
	(void)fail_refuse(fail, "bad_line",
			  "no state; legal: {\"state\":VALUE} or "
			  "{\"rebase\":true}");
	return ndjson_blame(text, (struct str){ NULL, 0 }, fail);
}

static int
send_state(struct states *s, struct value *state, struct fail *fail)
{
	struct buf text = BUF_INIT, line = BUF_INIT;
	struct ops ops = OPS_INIT;
	struct batch b = { .seq = s->seq };
	int rc = 0;

	b.base = s->sent == NULL || s->rebase ||
		 (s->every > 0 && s->since >= s->every &&
		  !value_equal(s->sent, state));
	if (b.base)
		ops_add(&ops, 'r', NULL, state, 0, 0);
	else
		delta(s->sent, state, &s->options, &ops);
	if (ops.n > 0) {
		/* At the root a change can be a whole value, too. */
		b.base = ops_is_base(&ops);
		s->rebase = false;
		s->since = b.base ? 1 : s->since + 1;
		s->seq++;
		value_ref(state);
		value_free(s->sent);
		s->sent = state;
		ops_write(&ops, &text);
		batch_write(&line, &b, buf_str(&text));
		rc = ndjson_put(&line, fail);
	}
	buf_release(&text);
	buf_release(&line);
	ops_release(&ops);
	return rc;
}

int
ops_diff_stream(const struct tool_call *call, struct fail *fail)
{
	const struct ops_diff_args *args = call->args;
	struct states s = { .options = options_of(args),
			    .every = (uint64_t)args->rebase_every.v };
	struct ndjson in;
	struct str text;
	enum ndjson_got got;
	int rc = 0;

	ndjson_init(&in, STDIN_FILENO, false);
	while (rc == 0 && (got = ndjson_next(&in, NDJSON_NEVER, &text, fail)) !=
				  NDJSON_END) {
		struct value *line = NULL, *state = NULL;

		if (got == NDJSON_LINE)
			line = ndjson_parse(text, fail);
		if (line == NULL || read_line(text, line, &state, fail) != 0)
			rc = ndjson_refuse(&in, fail);
		else if (state == NULL)
			s.rebase = true;
		else
			rc = send_state(&s, state, fail);
		value_free(line);
	}
	value_free(s.sent);
	ndjson_release(&in);
	return rc;
}
