#ifndef MESSAGE_H
#define MESSAGE_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/json_write.h"

/*
 * What comes from the client: lines out of its bytes, and the JSON-RPC message
 * that each of them is; and the revisions of the protocol there are.
 */

/* ---- lines (spec/hosts.md section 2.2) --------------------------------- */

/* One that is longer than max is let go but for its head. */
struct message_lines {
	size_t max;
	struct buf line; /* what is there of the current one */
	bool too_long, done;
};
#define MESSAGE_HEAD 4096

struct message_line {
	struct str text; /* without its LF; borrowed until the next call */
	bool too_long;	 /* text is the head of one over max */
};

void message_lines_init(struct message_lines *l, size_t max);
void message_lines_release(struct message_lines *l);

/*
 * Takes bytes from the front of *input, up to the end of a line: true with
 * that line.  False when the input is used up.
 */
bool message_lines_next(struct message_lines *l, struct str *input,
			struct message_line *line);

/* At the end of input: the last line, when it has no LF. */
bool message_lines_last(struct message_lines *l, struct message_line *line);

/* ---- messages (section 2.3) -------------------------------------------- */

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

/* One JSON-RPC object.  The spans are of its text. */
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

/*
 * Whether the line is JSON as far as we ask: 0, or -1 with the reason in one
 * line.  What is inside of `arguments` is the program's to judge.
 */
int message_check(struct str line, struct buf *reason);

/* object has passed message_check(); it may be something other than one. */
void message_read(struct message *m, struct str object);
void message_release(struct message *m);

/* Canonical form of an id, string or integer; false for anything else. */
bool message_id_key(struct str id, struct buf *key);

/*
 * The id of a line that is not a proper message, looked for in its first
 * MESSAGE_HEAD bytes: without it the client's call would hang.  "null" when
 * there is none.
 */
struct str message_recover_id(struct str head);

/* ---- revisions (section 1) --------------------------------------------- */

/* Oldest first, so that `v >= VERSION_2025_06_18` reads as "from ... on". */
enum version {
	VERSION_2024_11_05,
	VERSION_2025_03_26,
	VERSION_2025_06_18,
	VERSION_2025_11_25,
	VERSION_2026_07_28, /* the modern one: no handshake */
	VERSION_COUNT,
	VERSION_NONE /* nothing negotiated yet */
};
#define VERSION_NEWEST_LEGACY VERSION_2025_11_25

/* NULL ends. */
extern const char *const message_versions[];

/* The legacy version of that name, else VERSION_NONE. */
enum version message_legacy_version(struct str name);

#endif /* MESSAGE_H */
