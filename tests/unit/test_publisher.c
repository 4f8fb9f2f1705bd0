/* The publisher: spec/output.md section 5.3; P12. */
#include "output/publisher.h"

#include "output/apply.h"
#include "value_gen.h"

/* Who reads: folds what is published, and keeps the books. */
struct reader {
	struct publisher *p;
	struct replica r;
	uint64_t updates, bytes, last_bytes, excused;
	int64_t free_at; /* when the next update is due */
	bool forced;
	unsigned wrong;
};

static int
put(void *ctx, struct buf *line, struct fail *fail)
{
	struct reader *x = ctx;
	struct pace *pace = &x->p->pace;
	struct value *v = value_read(buf_str(line), NULL);
	const struct value *list = value_get(v, "ops");
	struct ops ops = OPS_INIT;
	size_t i, at;
	int64_t wait;
	uint64_t now = 0;
	struct op op;

	x->wrong += !value_integer(value_get(v, "atMs"), &now);
	for (i = 0; i < value_count(list); i++) {
		x->wrong += op_read(value_item(list, i), 7, &op, fail) != 0;
		ops_add(&ops, op.verb, op.path, op.value, op.index, op.remove);
		op_release(&op);
	}
	x->wrong += apply_batch(&x->r, &ops, &at, fail) != 0;
	/* Committed before it is delivered. */
	x->wrong += !value_equal(x->p->published, x->r.value);
	x->wrong += x->p->seq != x->updates + 1;
	/* What the one before has cost is waited for, but by force. */
	x->wrong += x->updates > 0 && !x->forced && (int64_t)now < x->free_at;
	x->excused += x->forced ? x->last_bytes : 0;
	x->last_bytes = value_bytes(list);
	wait = ((int64_t)x->last_bytes * 1000 + pace->bytes_per_s - 1) /
	       pace->bytes_per_s;
	x->free_at = (int64_t)now + (wait > 100 ? wait : 100);
	x->updates++;
	x->bytes += x->last_bytes;
	ops_release(&ops);
	value_free(v);
	return 0;
}

/* One stream in virtual time: how many of its promises were broken. */
static unsigned
stream(struct lcg *g, int64_t bytes_per_s, uint64_t *updates, uint64_t *forces)
{
	struct value *now = gen_root(g), *next;
	struct fail fail = FAIL_INIT;
	struct publisher p;
	struct reader x = { .p = &p };
	uint64_t forced = 0;
	int64_t t = 0, due;
	unsigned i;

	publisher_init(&p, 100, bytes_per_s, 7);
	p.virtual_time = true;
	p.put = put;
	p.ctx = &x;
	(void)replica_init(&x.r, NULL, &fail);
	for (i = 0; i < 200; i++) {
		t += lcg_pick(g, 40);
		if (pace_due(&p.pace, t))
			(void)publisher_flush(&p, now, p.pace.deadline,
					      PUBLISH_CHANGE, &fail);
		next = gen_changed(g, now, 6);
		value_free(now);
		now = next;
		due = p.pace.deadline;
		if (pace_change(&p.pace, t)) {
			(void)publisher_flush(&p, now, t, PUBLISH_CHANGE,
					      &fail);
			continue;
		}
		/* A deadline that is set does not move. */
		x.wrong += p.pace.deadline !=
			   (due == PACE_NONE ? p.pace.next : due);
		if (lcg_pick(g, 50) > 0)
			continue;
		forced++;
		x.forced = true;
		(void)publisher_flush(&p, now, t, PUBLISH_CHANGE, &fail);
		x.forced = false;
	}
	forced++; /* the end of the input */
	x.forced = true;
	(void)publisher_flush(&p, now, t, PUBLISH_CHANGE, &fail);
	x.excused += x.last_bytes;
	x.wrong += fail.kind != FAIL_NONE;
	x.wrong += x.bytes - x.excused > (uint64_t)(bytes_per_s * t / 1000);
	x.wrong += x.updates > (uint64_t)t / 100 + 1 + forced;
	x.wrong += !value_equal(x.r.value, now);
	x.wrong += p.batches != x.updates || p.bytes != x.bytes;
	*updates += x.updates;
	*forces += forced;
	publisher_release(&p);
	replica_release(&x.r);
	value_free(now);
	fail_release(&fail);
	return x.wrong;
}

int
main(void)
{
	struct lcg g = { 12 };
	uint64_t updates = 0, forced = 0;
	unsigned i, wrong = 0;

	for (i = 0; i < 100; i++)
		wrong += stream(&g, i % 2 == 0 ? 102400 : 3000, &updates,
				&forced);
	is_int(wrong, 0, "P12: 100 streams under the rate, the last is final");
	ok(updates > 1500 && forced > 200, "P12: %llu updates, %llu forced",
	   (unsigned long long)updates, (unsigned long long)forced);
	return done();
}
