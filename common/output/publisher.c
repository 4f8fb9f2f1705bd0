#include "output/publisher.h"

#include "output/batch.h"
#include "output/ndjson.h"

void
publisher_init(struct publisher *p, int64_t min_ms, int64_t bytes_per_s,
	       unsigned verbs)
{
	*p = (struct publisher){ .options = DELTA_OPTIONS };
	p->options.verbs = verbs;
	pace_init(&p->pace, min_ms, bytes_per_s);
}

void
publisher_release(struct publisher *p)
{
	value_free(p->published);
}

int
publisher_to_stdout(void *ctx, struct buf *line, struct fail *fail)
{
	(void)ctx;
	return ndjson_put(line, fail);
}

/*
 * What is refused while a stream is under way is as what cannot be written:
 * there is no going on.
 */
static int
give_up(int rc, struct fail *fail)
{
	if (rc != 0 && fail->kind == FAIL_REFUSED)
		fail->kind = FAIL_ENVIRONMENT;
	return rc;
}

/*
 * The batch in the journal.  Where others have written, or there is nothing of
 * ours yet, it is a base of our own view.
 */
static int
record(struct publisher *p, const struct ops *ops, enum publish_as as,
       struct fail *fail)
{
	struct journal *j = p->journal;
	int rc = journal_lock(j, JOURNAL_CREATE, fail);

	if (rc == 0)
		rc = journal_open_end(j, fail);
	if (rc == 0 && (j->foreign || !p->journaled || as != PUBLISH_CHANGE ||
			ops_is_base(ops))) {
		rc = replica_set(&j->now.r, p->published, fail);
		value_free(j->now.memos);
		j->now.memos = p->memos == NULL ? value_new_object()
						: value_ref(p->memos);
		if (rc == 0 &&
		    journal_base(j, as == PUBLISH_MEMO ? 'M' : 'B', fail) < 0)
			rc = -1;
		p->journaled = rc == 0;
	} else if (rc == 0) {
		rc = journal_batch(j, ops, fail) < 0 ? -1 : 0;
	}
	journal_unlock(j);
	return give_up(rc, fail);
}

int
publisher_flush(struct publisher *p, struct value *value, int64_t now,
		enum publish_as as, struct fail *fail)
{
	struct ops ops = OPS_INIT;
	struct buf text = BUF_INIT, line = BUF_INIT;
	struct batch b = { .seq = p->seq,
			   .has_at = p->virtual_time,
			   .at_ms = (uint64_t)now };
	int rc = 0;

	if (p->published != NULL && !p->owed && as == PUBLISH_CHANGE)
		delta(p->published, value, &p->options, &ops);
	else
		ops_add(&ops, 'r', NULL, value, 0, 0);
	if (ops.n > 0 && p->rebase_every > 0 && p->since >= p->rebase_every) {
		ops_reset(&ops);
		ops_add(&ops, 'r', NULL, value, 0, 0);
	}
	if (ops.n > 0)
		ops_write(&ops, &text);
	pace_published(&p->pace, now, (int64_t)text.len);
	if (ops.n == 0)
		goto out;
	b.base = ops_is_base(&ops);
	p->owed = false;
	p->since = b.base ? 1 : p->since + 1;
	p->seq++;
	p->batches++;
	p->bytes += text.len;
	value_ref(value);
	value_free(p->published);
	p->published = value;
	if (p->journal != NULL)
		rc = record(p, &ops, as, fail);
	if (rc == 0 && p->put != NULL) {
		batch_write(&line, &b, buf_str(&text));
		rc = p->put(p->ctx, &line, fail);
	}
out:
	ops_release(&ops);
	buf_release(&text);
	buf_release(&line);
	return rc;
}

int
publisher_settle(struct publisher *p, bool is_error, struct fail *fail)
{
	int rc;

	if (p->journal == NULL)
		return 0;
	rc = journal_lock(p->journal, JOURNAL_CREATE, fail);
	if (rc == 0)
		rc = journal_open_end(p->journal, fail);
	if (rc == 0 && journal_settle(p->journal, is_error, fail) < 0)
		rc = -1;
	journal_unlock(p->journal);
	return give_up(rc, fail);
}
