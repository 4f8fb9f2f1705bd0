#ifndef SERVER_H
#define SERVER_H

#include "mcp/calls.h"
#include "mcp/catalogue.h"
#include "mcp/host_facts.h"
#include "mcp/message.h"
#include "mcp/outbox.h"
#include "mcp/talk.h"

/*
 * A server of the Model Context Protocol without its descriptors: what
 * dispatch_take() is given comes to be answers in the outbox, and calls that
 * wait to be started.
 */
struct server_options {
	enum tool_surface surface;
	int64_t timeout_s;
	size_t jobs;
	bool ask_roots;
	size_t line_max; /* bytes of a message */
};

/* The question for the client's roots (spec/hosts.md section 7). */
struct server_roots {
	bool offered;	 /* the client declared them */
	bool open;	 /* calls wait for the answer */
	unsigned number; /* of the last question; 0: none */
	int64_t until;	 /* how long they wait */
};

struct server {
	const struct catalogue *catalogue;
	struct server_options options;
	enum version version; /* negotiated by initialize, or VERSION_NONE */
	struct client client; /* that greeted */
	struct server_roots roots;
	struct host_facts facts;
	struct message_lines lines;
	struct outbox outbox;
	struct calls calls;
	struct talk talk;
	int64_t now; /* clock_monotonic_ms() of this round */
};

void server_init(struct server *s, const struct catalogue *c,
		 const struct server_options *options,
		 const struct facts *given);
void server_release(struct server *s);

/* Answers and forgets the calls that are over. */
void server_finish_calls(struct server *s);

/* Ends every call, without an answer. */
void server_end_calls(struct server *s);

#endif /* SERVER_H */
