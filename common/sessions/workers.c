#include "sessions/workers.h"

#include <pthread.h>
#include <sched.h>

struct pool {
	const struct workers_job *job;
	pthread_mutex_t lock; /* for all below */
	pthread_cond_t moved; /* taken or enough has changed */
	size_t next, taken;
	bool done[WORKERS_AHEAD]; /* of piece i: done[i % WORKERS_AHEAD] */
	bool enough;
};

struct worker {
	struct pool *pool;
	unsigned number;
	pthread_t thread;
};

unsigned
workers_available(void)
{
	cpu_set_t set;
	int n;

	if (sched_getaffinity(0, sizeof(set), &set) != 0)
		return 1;
	n = CPU_COUNT(&set);
	return n < 1 ? 1 : n > WORKERS_MOST ? WORKERS_MOST : (unsigned)n;
}

static bool
has_next(const struct pool *p)
{
	return !p->enough && p->next < p->job->n;
}

/* The next piece to do; false when there is none. */
static bool
claim(struct pool *p, size_t *i)
{
	bool claimed;

	pthread_mutex_lock(&p->lock);
	while (has_next(p) && p->next - p->taken >= WORKERS_AHEAD)
		pthread_cond_wait(&p->moved, &p->lock);
	claimed = has_next(p);
	if (claimed)
		*i = p->next++;
	pthread_mutex_unlock(&p->lock);
	return claimed;
}

/* Takes what is done and next in order: this piece, and perhaps others. */
static void
deliver(struct pool *p, size_t i)
{
	const struct workers_job *job = p->job;

	pthread_mutex_lock(&p->lock);
	p->done[i % WORKERS_AHEAD] = true;
	while (!p->enough && p->done[p->taken % WORKERS_AHEAD]) {
		p->done[p->taken % WORKERS_AHEAD] = false;
		if (job->take != NULL && !job->take(job->ctx, p->taken))
			p->enough = true;
		p->taken++;
	}
	pthread_cond_broadcast(&p->moved);
	pthread_mutex_unlock(&p->lock);
}

static void *
run(void *arg)
{
	struct worker *w = arg;
	const struct workers_job *job = w->pool->job;
	size_t i;

	while (claim(w->pool, &i)) {
		job->work(job->ctx, w->number, i);
		deliver(w->pool, i);
	}
	return NULL;
}

void
workers_run(const struct workers_job *job, unsigned threads)
{
	struct pool pool = { .job = job };
	struct worker workers[WORKERS_MOST];
	unsigned started = 1;

	pthread_mutex_init(&pool.lock, NULL);
	pthread_cond_init(&pool.moved, NULL);
	if (threads > WORKERS_MOST)
		threads = WORKERS_MOST;
	workers[0] = (struct worker){ .pool = &pool };
	for (; started < threads && started < job->n; started++) {
		workers[started] = (struct worker){ .pool = &pool,
						    .number = started };
		if (pthread_create(&workers[started].thread, NULL, run,
				   &workers[started]) != 0)
			break;
	}
	run(&workers[0]);
	for (unsigned i = 1; i < started; i++)
		pthread_join(workers[i].thread, NULL);
	pthread_cond_destroy(&pool.moved);
	pthread_mutex_destroy(&pool.lock);
}
