#include "mcp/outbox.h"

#include <stdlib.h>

#include "base/xalloc.h"
#include "mcp/transfer.h"

struct outbox_line {
	struct outbox_line *next;
	struct buf text, key;
};

void
outbox_init(struct outbox *o)
{
	*o = (struct outbox){ NULL, &o->head, 0, 0 };
}

void
outbox_release(struct outbox *o)
{
	while (o->head != NULL)
		outbox_drop_first(o);
}

void
outbox_put(struct outbox *o, struct buf *text, struct str key)
{
	struct outbox_line *line = xmalloc(sizeof(*line));

	*line = (struct outbox_line){ NULL, *text, BUF_INIT };
	buf_init(text, BUF_UNLIMITED);
	buf_addc(&line->text, '\n');
	buf_add_str(&line->key, key);
	*o->tail = line;
	o->tail = &line->next;
	o->waiting += line->text.len;
}

/* Takes out the line that *at points to. */
static void
take_out(struct outbox *o, struct outbox_line **at)
{
	struct outbox_line *line = *at;

	*at = line->next;
	if (line->next == NULL)
		o->tail = at;
	o->waiting -= line->text.len;
	buf_release(&line->text);
	buf_release(&line->key);
	free(line);
}

void
outbox_drop_first(struct outbox *o)
{
	take_out(o, &o->head);
	o->sent = 0;
}

void
outbox_withdraw(struct outbox *o, struct str key)
{
	struct outbox_line **at = &o->head;

	if (o->sent > 0)
		at = &o->head->next;
	while (*at != NULL) {
		if (key.n > 0 && str_eq(buf_str(&(*at)->key), key))
			take_out(o, at);
		else
			at = &(*at)->next;
	}
}

int
outbox_write(struct outbox *o, int fd)
{
	long n;

	while (o->head != NULL) {
		n = transfer_some(fd, o->head->text.data + o->sent,
				  o->head->text.len - o->sent);
		if (n <= 0)
			return (int)n;
		o->sent += (size_t)n;
		if (o->sent == o->head->text.len)
			outbox_drop_first(o);
	}
	return 0;
}

struct str
outbox_first(const struct outbox *o)
{
	if (o->head == NULL)
		return (struct str){ NULL, 0 };
	return (struct str){ o->head->text.data, o->head->text.len - 1 };
}
