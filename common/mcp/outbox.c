#include "mcp/outbox.h"

#include <stdlib.h>

#include "base/io.h"
#include "base/utf8.h"
#include "base/xalloc.h"
#include "tool/version.h"

struct outbox_line {
	struct outbox_line *next;
	struct buf text, key;
};

/* An answer of a batch; without text there is none (yet). */
struct slot {
	struct buf text, key;
};

struct batch {
	struct batch *next;
	struct slot *slot;
	size_t n;
	size_t open; /* answers that are missing, and one until it is sealed */
};

static void free_batch(struct outbox *o, struct batch *b);

void
outbox_init(struct outbox *o)
{
	*o = (struct outbox){ NULL, &o->head, 0, 0, NULL };
}

void
outbox_clear(struct outbox *o)
{
	while (o->head != NULL)
		outbox_drop_first(o);
}

void
outbox_release(struct outbox *o)
{
	outbox_clear(o);
	while (o->batches != NULL)
		free_batch(o, o->batches);
}

/* ---- text -------------------------------------------------------------- */

static void
open_message(struct json_writer *w, struct buf *out, struct str id)
{
	json_begin(w, out);
	json_open_object(w);
	json_member_string(w, "jsonrpc", STR("2.0"));
	json_key(w, "id");
	json_raw(w, id); /* byte for byte as it came */
}

void
outbox_open_result(struct json_writer *w, struct buf *out, struct str id)
{
	open_message(w, out, id);
	json_key(w, "result");
	json_open_object(w);
}

void
outbox_write_server(struct json_writer *w, bool title)
{
	json_open_object(w);
	json_member_string(w, "name", STR("ctxtools"));
	if (title)
		json_member_string(w, "title", STR("ctxtools"));
	json_member_string(w, "version", STR(CTXTOOLS_VERSION));
	json_close_object(w);
}

void
outbox_close_result(struct json_writer *w, bool modern)
{
	if (modern) {
		json_member_string(w, "resultType", STR("complete"));
		json_key(w, "_meta");
		json_open_object(w);
		json_key(w, "io.modelcontextprotocol/serverInfo");
		outbox_write_server(w, false);
		json_close_object(w);
	}
	json_close_object(w);
	json_close_object(w);
}

void
outbox_write_error(struct buf *out, struct str id, enum message_code code,
		   struct str text, struct str data)
{
	struct buf clean = BUF_INIT;
	struct json_writer w;

	/* It may quote what a client sent, or a program's stderr. */
	utf8_mend(&clean, text);
	open_message(&w, out, id);
	json_key(&w, "error");
	json_open_object(&w);
	json_member_integer(&w, "code", code);
	json_member_string(&w, "message", buf_str(&clean));
	if (data.n > 0) {
		json_key(&w, "data");
		json_raw(&w, data);
	}
	json_close_object(&w);
	json_close_object(&w);
	buf_release(&clean);
}

/* ---- lines ------------------------------------------------------------- */

/* Takes text, which is empty afterwards, and ends it with LF. */
static void
put(struct outbox *o, struct buf *text, struct str key)
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

/*
 * A line is written whole before the next one begins, in as many pieces as the
 * reader makes of it.
 */
int
outbox_write(struct outbox *o, int fd)
{
	long n;

	while (o->head != NULL) {
		n = io_write_some(fd, o->head->text.data + o->sent,
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

/* ---- batches ----------------------------------------------------------- */

struct batch *
outbox_open_batch(struct outbox *o, size_t n)
{
	struct batch *b = xmalloc(sizeof(*b));

	*b = (struct batch){ o->batches, xcalloc(n, sizeof(*b->slot)), n,
			     n + 1 };
	for (size_t i = 0; i < n; i++)
		b->slot[i] = (struct slot){ BUF_INIT, BUF_INIT };
	o->batches = b;
	return b;
}

static void
free_batch(struct outbox *o, struct batch *b)
{
	struct batch **at = &o->batches;

	while (*at != b)
		at = &(*at)->next;
	*at = b->next;
	for (size_t i = 0; i < b->n; i++) {
		buf_release(&b->slot[i].text);
		buf_release(&b->slot[i].key);
	}
	free(b->slot);
	free(b);
}

/* One thing less to wait for; with the last one it goes out. */
static void
settle(struct outbox *o, struct batch *b)
{
	struct buf line = BUF_INIT;

	if (--b->open > 0)
		return;
	for (size_t i = 0; i < b->n; i++) {
		if (b->slot[i].text.len == 0)
			continue;
		buf_addc(&line, line.len == 0 ? '[' : ',');
		buf_add_str(&line, buf_str(&b->slot[i].text));
	}
	/* A batch of notifications is answered with nothing, not with []. */
	if (line.len > 0) {
		buf_addc(&line, ']');
		put(o, &line, STR(""));
	}
	free_batch(o, b);
}

void
outbox_seal_batch(struct outbox *o, struct batch *b)
{
	settle(o, b);
}

void
outbox_answer(struct outbox *o, struct reply to, struct buf *text,
	      struct str key)
{
	struct slot *slot;

	if (to.batch == NULL) {
		put(o, text, key);
		return;
	}
	/* Taken, not copied: an answer may be a quarter MiB. */
	slot = &to.batch->slot[to.slot];
	slot->text = *text;
	buf_init(text, BUF_UNLIMITED);
	buf_add_str(&slot->key, key);
	settle(o, to.batch);
}

/* A notification, or a call that was cancelled: its place stays empty. */
void
outbox_no_answer(struct outbox *o, struct reply to)
{
	if (to.batch != NULL)
		settle(o, to.batch);
}

void
outbox_withdraw(struct outbox *o, struct str key)
{
	struct outbox_line **at = &o->head;

	if (key.n == 0)
		return;
	/* A line of which a part is out has to be ended. */
	if (o->sent > 0)
		at = &o->head->next;
	while (*at != NULL) {
		if (str_eq(buf_str(&(*at)->key), key))
			take_out(o, at);
		else
			at = &(*at)->next;
	}
	for (struct batch *b = o->batches; b != NULL; b = b->next)
		for (size_t i = 0; i < b->n; i++)
			if (str_eq(buf_str(&b->slot[i].key), key))
				buf_reset(&b->slot[i].text);
}
