/*
 * What goes out: lines in order, whole, and those that are taken back in time
 * (spec/hosts.md sections 2.2, 4 and 5.3).
 */
#include <fcntl.h>
#include <unistd.h>

#include "mcp/outbox.h"
#include "test.h"

static void
put(struct outbox *o, const char *text, const char *key)
{
	struct buf b = BUF_INIT;

	buf_adds(&b, text);
	outbox_answer(o, REPLY_ALONE, &b, str_of(key));
}

/* All that is in it, each line ended by a blank. */
static void
empty_into(struct outbox *o, struct buf *all)
{
	buf_reset(all);
	for (; !outbox_is_empty(o); outbox_drop_first(o)) {
		buf_add_str(all, outbox_first(o));
		buf_addc(all, ' ');
	}
}

static void
is_said(struct outbox *o, const char *want, const char *name)
{
	struct buf all = BUF_INIT;

	empty_into(o, &all);
	is_bytes(all.data, all.len, want, strlen(want), name);
	ok(o->waiting == 0, "%s: nothing waits", name);
	buf_release(&all);
}

static void
test_withdrawal(void)
{
	static const struct {
		const char *key, *left;
	} rows[] = {
		{ "1", "b c " },       /* the first */
		{ "2", "a b " },       /* the last */
		{ "\"1\"", "a b c " }, /* another type */
		{ "", "a b c " },      /* what has no key stays */
	};
	struct outbox o;
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		outbox_init(&o);
		put(&o, "a", "1");
		put(&o, "b", "");
		put(&o, "c", "2");
		outbox_withdraw(&o, str_of(rows[i].key));
		is_said(&o, rows[i].left, rows[i].key);
		put(&o, "d", "");
		is_said(&o, "d ", "and it goes on");
	}
}

/* A line that has begun to go out is not taken back. */
static void
test_half_written(void)
{
	struct outbox o;
	struct buf big = BUF_INIT, got = BUF_INIT;
	char chunk[65536];
	int fd[2];
	ssize_t n;

	if (!ok(pipe2(fd, O_NONBLOCK) == 0, "a pipe"))
		return;
	outbox_init(&o);
	while (big.len < 300000)
		buf_adds(&big, "0123456789");
	outbox_answer(&o, REPLY_ALONE, &big, STR("1"));
	put(&o, "next", "1");
	ok(outbox_write(&o, fd[1]) == 0 && !outbox_is_empty(&o),
	   "the pipe is full");
	outbox_withdraw(&o, STR("1"));
	do {
		n = read(fd[0], chunk, sizeof(chunk));
		if (n > 0)
			buf_add(&got, chunk, (size_t)n);
		ok(outbox_write(&o, fd[1]) == 0, "a piece goes out");
	} while (!outbox_is_empty(&o));
	while ((n = read(fd[0], chunk, sizeof(chunk))) > 0)
		buf_add(&got, chunk, (size_t)n);
	ok(got.len == 300001 && got.data[300000] == '\n',
	   "it is whole, and the other one is not there");
	(void)close(fd[0]);
	(void)close(fd[1]);
	buf_release(&got);
	outbox_release(&o);
}

static void
answer(struct outbox *o, struct batch *b, size_t slot, const char *text)
{
	struct reply to = { b, slot };
	struct buf t = BUF_INIT;

	buf_adds(&t, text);
	outbox_answer(o, to, &t, str_of(text));
}

static void
test_batches(void)
{
	struct outbox o;
	struct batch *b;

	outbox_init(&o);
	b = outbox_open_batch(&o, 3);
	answer(&o, b, 2, "3");
	answer(&o, b, 0, "1");
	outbox_seal_batch(&o, b);
	ok(outbox_is_empty(&o), "a batch waits for its last answer");
	answer(&o, b, 1, "2");
	is_said(&o, "[1,2,3] ", "in the order of the requests");

	b = outbox_open_batch(&o, 3);
	answer(&o, b, 0, "1");
	outbox_no_answer(&o, (struct reply){ b, 1 });
	outbox_seal_batch(&o, b);
	outbox_withdraw(&o, STR("1"));
	answer(&o, b, 2, "3");
	is_said(&o, "[3] ", "without what was cancelled before it went out");

	b = outbox_open_batch(&o, 1);
	outbox_no_answer(&o, (struct reply){ b, 0 });
	outbox_seal_batch(&o, b);
	is_said(&o, "", "nothing is answered with nothing");

	b = outbox_open_batch(&o, 2);
	answer(&o, b, 0, "1");
	outbox_release(&o);
	ok(o.batches == NULL, "what never goes out is freed");
}

int
main(void)
{
	test_withdrawal();
	test_half_written();
	test_batches();
	return done();
}
