#ifndef MESSAGE_H
#define MESSAGE_H

#include <stdbool.h>

#include "base/buf.h"

enum message_code {
	MESSAGE_PARSE_ERROR = -32700,
	MESSAGE_INVALID_REQUEST = -32600,
	MESSAGE_UNKNOWN_METHOD = -32601,
	MESSAGE_INVALID_PARAMS = -32602,
	MESSAGE_INTERNAL = -32603,
	MESSAGE_UNSUPPORTED_VERSION = -32022
};

enum message_kind {
	MESSAGE_REQUEST,
	MESSAGE_NOTIFICATION,
	MESSAGE_RESPONSE,
	MESSAGE_FAULTY, /* answered with code and reason */
	MESSAGE_IGNORED /* faulty, and without an id */
};

#define MESSAGE_DEPTH 96

/*
 * One JSON-RPC object (spec/hosts.md section 2.3).  The spans are of its text.
 */
struct message {
	enum message_kind kind;
	struct str id;	   /* as it came; "null" when it cannot be used */
	struct buf key;	   /* what ids are compared by; empty without one */
	struct buf method; /* decoded */
	struct str params; /* an object, or empty */
	struct str result; /* of a response; empty for an error */
	enum message_code code;
	const char *reason; /* static */
};

/* object has passed message_check(); it may be anything else than one. */
void message_read(struct message *m, struct str object);
void message_release(struct message *m);

/*
 * Whether the line is JSON as far as we ask: 0, or -1 with the reason in one
 * line.  What is inside of `arguments` is the program's to judge.
 */
int message_check(struct str line, struct buf *reason);

/* Canonical form of an id, string or integer; false for anything else. */
bool message_id_key(struct str id, struct buf *key);

#endif /* MESSAGE_H */
