#include <pthread.h>

#include "base/json_write.h"
#include "history/history_export.h"
#include "sessions/workers.h"
#include "tool/result.h"

/*
 * Lines of JSON, which know nothing of each other: of a large session several
 * threads make them, a stretch of events each, and write them by turns.
 */
#define STRETCH 1024			  /* slots */
#define WORTH_THREADS ((uint64_t)1 << 20) /* bytes of a transcript */
#define HELD_BYTES ((size_t)1 << 20)	  /* before one's turn has come */

void
export_line(struct export *x, const struct export_event *e)
{
	struct json_writer w;

	json_begin(&w, &x->out);
	result_object(&w, x->call->tool->result, e);
	buf_addc(&x->out, '\n');
	x->events++;
}

struct maker {
	struct transcript t;
	struct passage p;
	struct export x; /* what it has made and not written */
};

struct crew {
	struct export *x;     /* of the one whose turn it is */
	pthread_mutex_t lock; /* for all below */
	pthread_cond_t moved; /* turn has changed */
	size_t turn;	      /* the stretch that is being written */
	bool failed;
	struct maker makers[WORKERS_MOST];
};

/* In one's turn writes what the maker has; false: that cannot be done. */
static bool
hand_in(struct crew *c, struct maker *m, size_t stretch)
{
	pthread_mutex_lock(&c->lock);
	while (c->turn != stretch)
		pthread_cond_wait(&c->moved, &c->lock);
	pthread_mutex_unlock(&c->lock);
	export_take(c->x, &m->x);
	return c->x->error == 0;
}

static void
end_turn(struct crew *c)
{
	pthread_mutex_lock(&c->lock);
	c->failed = c->x->error != 0;
	c->turn++;
	pthread_cond_broadcast(&c->moved);
	pthread_mutex_unlock(&c->lock);
}

static void
make_stretch(void *ctx, unsigned worker, size_t i)
{
	struct crew *c = ctx;
	struct maker *m = &c->makers[worker];
	uint32_t seq = (uint32_t)(i * STRETCH) + 1;
	uint32_t highest = transcript_highest(&m->t);
	uint32_t last = highest - seq < STRETCH ? highest : seq + STRETCH - 1;
	struct export_event e;
	bool good = true;

	passage_rewind(&m->p);
	for (; seq <= last && good; seq++) {
		/* Only one at a time has an event that is large. */
		if (transcript_is_large(&m->t, seq))
			good = hand_in(c, m, i);
		if (!good || !passage_event(&m->p, seq, &e))
			continue;
		export_line(&m->x, &e);
		head_release(&e.head);
		if (m->x.out.len >= HELD_BYTES)
			good = hand_in(c, m, i);
	}
	(void)hand_in(c, m, i);
	event_let_go(&m->t, &m->p.event);
	end_turn(c);
}

static bool
goes_on(void *ctx, size_t i)
{
	struct crew *c = ctx;
	bool failed;

	(void)i;
	pthread_mutex_lock(&c->lock);
	failed = c->failed;
	pthread_mutex_unlock(&c->lock);
	return !failed;
}

/* How many of the crew there can be; more than one, or it is not worth it. */
static unsigned
gather(struct crew *c, const struct passage *p)
{
	unsigned wanted = workers_available(), n = 0;
	struct source *source;

	if (p->t->source->size_hint < WORTH_THREADS)
		return 0;
	for (; n < wanted; n++) {
		struct maker *m = &c->makers[n];

		source = source_again(p->t->source);
		if (source == NULL)
			break;
		transcript_share(p->t, source, &m->t);
		passage_copy(p, &m->t, &m->p);
		m->x = (struct export){ .call = c->x->call, .out = BUF_INIT };
	}
	return n;
}

bool
export_lines(struct export *x, const struct passage *p)
{
	struct crew c = { .x = x };
	struct workers_job job = { .ctx = &c,
				   .work = make_stretch,
				   .take = goes_on };
	unsigned n = gather(&c, p);

	job.n = (transcript_highest(p->t) + STRETCH - 1) / STRETCH;
	pthread_mutex_init(&c.lock, NULL);
	pthread_cond_init(&c.moved, NULL);
	if (n > 1)
		workers_run(&job, n);
	pthread_cond_destroy(&c.moved);
	pthread_mutex_destroy(&c.lock);
	for (unsigned i = 0; i < n; i++) {
		passage_end_copy(&c.makers[i].p);
		transcript_unshare(&c.makers[i].t);
		buf_release(&c.makers[i].x.out);
	}
	return n > 1;
}
