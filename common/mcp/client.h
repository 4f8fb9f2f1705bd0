#ifndef CLIENT_H
#define CLIENT_H

#include "mcp/talk.h"
#include "transcript/hosts.h"

/*
 * Which host is on the other side, and which session it says it is in
 * (spec/hosts.md section 7, spec/more-hosts.md).
 */

/*
 * Who a client says it is.  It decides where the environment speaks for more
 * than one host: a client that was started from another's shell inherits its
 * variables.
 */
struct client {
	bool named;
	const struct host *host; /* NULL: none that is told by its name */
};

/* info is the object clientInfo, or empty. */
struct client client_read(struct str info);

/* The hosts that the environment speaks for. */
struct clients {
	struct client_speaker {
		const struct host *host;
		char *session; /* <host>:<id>, or NULL */
	} * v;
	size_t n, cap;
};

void clients_init(struct clients *c, struct talk *talk);
void clients_release(struct clients *c);

/* Of which host a call is, or NULL; *session is the one it says, or NULL. */
const struct host *clients_speaker(const struct clients *c,
				   struct client client, const char **session);

/* The same session without its host. */
const char *clients_id(const char *session);

#define CLIENT_FACT_MAX 256 /* bytes of what a host lets us know */

/*
 * Whether what a host is known to say can be used; when not, that is said.
 * `from` is where it came from.
 */
bool client_fact_fits(struct talk *talk, const char *from, struct str value,
		      size_t max);

#endif /* CLIENT_H */
