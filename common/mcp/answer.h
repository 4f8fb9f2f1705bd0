#ifndef ANSWER_H
#define ANSWER_H

#include "base/json_write.h"
#include "mcp/message.h"

/* JSON-RPC answers as text, without a newline. */

/* Opens the object of a result; its members are then written to w. */
void answer_open(struct json_writer *w, struct buf *out, struct str id);

/* Closes it; a modern one says first whose it is (spec/hosts.md section 3). */
void answer_close(struct json_writer *w, bool modern);

/* An error; data is one JSON value, or empty.  The text may hold any bytes. */
void answer_error(struct buf *out, struct str id, enum message_code code,
		  struct str text, struct str data);

/* The members name and version of this server, and title if asked for. */
void answer_server(struct json_writer *w, bool title);

#endif /* ANSWER_H */
