#ifndef CALLS_H
#define CALLS_H

#include <poll.h>
#include <stdint.h>

#include "base/spawn.h"
#include "mcp/catalogue.h"
#include "mcp/host_facts.h"
#include "mcp/message.h"
#include "mcp/outbox.h"

#define CALLS_MAX 256			   /* waiting and running */
#define CALLS_BYTES_MAX ((size_t)64 << 20) /* of all their arguments */
#define CALLS_RUNNING_MAX 64		   /* the largest --jobs */
#define CALLS_OUTPUT_MAX 262144		   /* bytes of a program's stdout */
#define CALLS_TALK_MAX 8192		   /* of its stderr */

/* Why a call ends before its program does. */
enum call_end {
	END_NONE,
	END_CANCELLED,
	END_TIMEOUT,
	END_TOO_MUCH,
	END_SERVER
};

/* A tools/call on its way (spec/hosts.md section 5). */
struct call {
	struct call *next;
	const struct definition *tool;
	struct buf id, key; /* as it came, and what it is compared by */
	struct buf arguments;
	struct call_said facts;
	struct reply reply;
	enum version version;
	bool modern;
	bool wants_roots; /* may wait for them */
	int64_t look_at;  /* when its live session is looked for; 0: it is
			    known, or never will be */
	bool looking;	  /* it is not kept from that */
	size_t looks;
	int64_t looked_at; /* for the first time */

	bool running;
	struct spawn child;
	size_t fed; /* bytes of the arguments */
	struct buf out, err;
	enum call_end end;
	bool reaped;
	int status;	  /* of waitpid(2) */
	int64_t deadline; /* when it is timed out */
	int64_t kill_at; /* when SIGKILL follows SIGTERM; 0: not asked to end */
	int64_t over_at; /* after reaping: when its stdout is let go */
};

/* All of them, in order of arrival. */
struct calls {
	struct call *first, **last;
	size_t n, running;
	size_t bytes;	  /* of their arguments */
	size_t bytes_max; /* CALLS_BYTES_MAX, or one message if that is more */
	size_t jobs;
	int64_t timeout_ms;
};

void calls_init(struct calls *c, size_t jobs, int64_t timeout_ms,
		size_t message_max);

/* Kills and reaps what still runs. */
void calls_release(struct calls *c);

/* Whether one more may wait, with so many bytes of arguments. */
bool calls_have_room(const struct calls *c, size_t bytes);

/* A new call at the end, with nothing but its tool and its arguments. */
struct call *calls_add(struct calls *c, const struct definition *tool,
		       struct str arguments);
void calls_remove(struct calls *c, struct call *call);

/* The one of that key, or NULL. */
struct call *calls_find(const struct calls *c, struct str key);

/*
 * Starts what may be started now: in order of arrival, at most `jobs`, one
 * sequential tool at a time.  roots_open: calls that want roots wait.
 */
void calls_start(struct calls *c, const struct host_facts *h, bool roots_open,
		 int64_t now);

/* Asks a running one to end: its group gets SIGTERM, then SIGKILL. */
void calls_end(struct call *call, enum call_end why, int64_t now);

/*
 * Looks for the live sessions of calls that wait for theirs: when they come or
 * their directory is known, and where no transcript tells it yet, some time
 * later (spec/hosts.md section 7).
 */
void calls_look(struct calls *c, struct host_facts *h, bool roots_open,
		struct talk *talk, int64_t now);

/* Deadlines that have passed; gives the next one, INT64_MAX for none. */
int64_t calls_watch(struct calls *c, int64_t now);

/* Fills in what to poll for, at most 3 for each running call. */
size_t calls_poll(const struct calls *c, struct pollfd *v);

/* Moves bytes wherever that is possible. */
void calls_transfer(struct calls *c, int64_t now);

/* Collects programs that have ended. */
void calls_reap(struct calls *c, int64_t now);

/* A call that is over, or NULL. */
struct call *calls_over(const struct calls *c, int64_t now);

#endif /* CALLS_H */
