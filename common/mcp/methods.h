#ifndef METHODS_H
#define METHODS_H

#include "mcp/server.h"

/* What the messages of a client do (spec/hosts.md sections 3 to 7). */

/* A request with an id that is free; it is answered, now or later. */
void methods_request(struct server *s, const struct message *m,
		     struct reply reply);

void methods_notification(struct server *s, const struct message *m);

/* An answer to a question of ours. */
void methods_response(struct server *s, const struct message *m);

/* Answers with an error. */
void methods_error(struct server *s, struct str id, struct reply reply,
		   enum message_code code, struct str text);

#endif /* METHODS_H */
