#include "mcp/talk.h"

#include <unistd.h>

#include "base/io.h"
#include "base/utf8.h"
#include "base/visible.h"

#define PENDING_MAX 65536 /* what nobody reads is dropped beyond it */

/*
 * stderr may be a pipe that the host reads late or never.  To wait for it would
 * hold up the answers, so lines are kept and written when poll() says so.
 */
void
talk_say(struct talk *t, const char *about, struct str text)
{
	struct buf clean = BUF_INIT;

	if (t->pending.len + text.n > PENDING_MAX)
		return;
	/* The words may be a program's, or a client's: anything can be in them. */
	utf8_mend(&clean, text);
	buf_adds(&t->pending, "mcp-serve: ");
	if (about != NULL)
		buf_addf(&t->pending, "%s: ", about);
	visible_field(&t->pending, buf_str(&clean));
	buf_addc(&t->pending, '\n');
	buf_release(&clean);
}

void
talk_flush(struct talk *t)
{
	size_t sent = 0;
	long n;

	while (sent < t->pending.len) {
		n = io_write_some(STDERR_FILENO, t->pending.data + sent,
				  t->pending.len - sent);
		if (n < 0) {
			sent = t->pending.len; /* nobody is there */
			break;
		}
		if (n == 0)
			break;
		sent += (size_t)n;
	}
	if (sent > 0 && sent < t->pending.len)
		memmove(t->pending.data, t->pending.data + sent,
			t->pending.len - sent);
	buf_truncate(&t->pending, t->pending.len - sent);
}

void
talk_release(struct talk *t)
{
	buf_release(&t->pending);
}
