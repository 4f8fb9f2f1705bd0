#ifndef OUTBOX_H
#define OUTBOX_H

#include "base/json_write.h"
#include "mcp/message.h"

/*
 * What goes out to the client: the text of answers, the batches that they are
 * parts of, and the lines on their way, each written whole and in order.  An
 * answer that has not begun to go out can be withdrawn by its key.
 */
struct batch;
struct outbox_line;
struct outbox {
	struct outbox_line *head, **tail;
	size_t sent;	       /* bytes of the head */
	size_t waiting;	       /* bytes of all, sent ones included */
	struct batch *batches; /* that wait for answers */
};

void outbox_init(struct outbox *o);
void outbox_release(struct outbox *o);

/* Forgets the lines, as when nobody is there to read them. */
void outbox_clear(struct outbox *o);

/* ---- text: JSON-RPC answers without a newline -------------------------- */

/* Opens the object of a result; its members are then written to w. */
void outbox_open_result(struct json_writer *w, struct buf *out, struct str id);

/* Closes it; a modern one says first whose it is (spec/hosts.md section 3). */
void outbox_close_result(struct json_writer *w, bool modern);

/* An error; data is one JSON value, or empty.  The text may hold any bytes. */
void outbox_write_error(struct buf *out, struct str id, enum message_code code,
			struct str text, struct str data);

/* The members name and version of this server, and title if asked for. */
void outbox_write_server(struct json_writer *w, bool title);

/* ---- where an answer goes ---------------------------------------------- */

/*
 * Out, or to its place in a batch (section 4), which goes out as one array
 * when all its answers are there.
 */
struct reply {
	struct batch *batch; /* NULL: it stands alone */
	size_t slot;
};

#define REPLY_ALONE ((struct reply){ NULL, 0 })

/* A batch of n messages; it does not go out before outbox_seal_batch(). */
struct batch *outbox_open_batch(struct outbox *o, size_t n);
void outbox_seal_batch(struct outbox *o, struct batch *b);

/*
 * The answer, or alone also a question of ours: text is taken and left empty;
 * key is what it can be withdrawn by, or "".
 */
void outbox_answer(struct outbox *o, struct reply to, struct buf *text,
		   struct str key);

/* There will be none. */
void outbox_no_answer(struct outbox *o, struct reply to);

/* Takes back what was answered under that key and has not begun to go out. */
void outbox_withdraw(struct outbox *o, struct str key);

/* ---- lines ------------------------------------------------------------- */

/* Writes what fd takes without waiting: 0, or -1 with errno. */
int outbox_write(struct outbox *o, int fd);

/* The line that is next, without its LF; empty when there is none. */
struct str outbox_first(const struct outbox *o);
void outbox_drop_first(struct outbox *o);

static inline bool
outbox_is_empty(const struct outbox *o)
{
	return o->head == NULL;
}

#endif /* OUTBOX_H */
