#ifndef OUTBOX_H
#define OUTBOX_H

#include "base/buf.h"

/*
 * Messages on their way to the client: each a line, written whole and in
 * order.  One that has not begun to go out can be withdrawn by its key.
 */
struct outbox_line;
struct outbox {
	struct outbox_line *head, **tail;
	size_t sent;	/* bytes of the head */
	size_t waiting; /* bytes of all, sent ones included */
};

void outbox_init(struct outbox *o);
void outbox_release(struct outbox *o);

/* Takes text, which is empty afterwards, and ends it with LF. */
void outbox_put(struct outbox *o, struct buf *text, struct str key);

/* Takes back the lines of that key (not ""). */
void outbox_withdraw(struct outbox *o, struct str key);

/* Writes what fd takes without waiting: 0, or -1 with errno. */
int outbox_write(struct outbox *o, int fd);

/* The line that is next, without its LF; empty when there is none. */
struct str outbox_first(const struct outbox *o);
void outbox_drop_first(struct outbox *o);

static inline int
outbox_is_empty(const struct outbox *o)
{
	return o->head == NULL;
}

#endif /* OUTBOX_H */
