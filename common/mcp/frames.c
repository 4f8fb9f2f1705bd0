#include "mcp/frames.h"

#include <string.h>

void
frames_init(struct frames *f, size_t max)
{
	*f = (struct frames){ .max = max, .line = BUF_INIT };
}

void
frames_release(struct frames *f)
{
	buf_release(&f->line);
}

static void
add(struct frames *f, struct str piece)
{
	size_t room;

	if (!f->too_long && piece.n <= f->max - f->line.len) {
		buf_add_str(&f->line, piece);
		return;
	}
	f->too_long = true;
	if (f->line.len >= FRAMES_HEAD) {
		struct buf head = BUF_INIT;

		/* The memory of a long line is given back. */
		buf_add(&head, f->line.data, FRAMES_HEAD);
		buf_release(&f->line);
		f->line = head;
		return;
	}
	room = FRAMES_HEAD - f->line.len;
	buf_add(&f->line, piece.s, piece.n < room ? piece.n : room);
}

/* Forgets the line that was given away before. */
static void
begin(struct frames *f)
{
	if (!f->done)
		return;
	buf_reset(&f->line);
	if (f->line.cap > ((size_t)1 << 18))
		buf_release(&f->line);
	f->done = f->too_long = false;
}

static void
give(struct frames *f, struct frame *frame)
{
	frame->line = buf_str(&f->line);
	frame->too_long = f->too_long;
	f->done = true;
}

bool
frames_next(struct frames *f, struct str *input, struct frame *frame)
{
	const char *end;
	size_t n;

	begin(f);
	if (input->n == 0)
		return false;
	end = memchr(input->s, '\n', input->n);
	n = end == NULL ? input->n : (size_t)(end - input->s);
	add(f, (struct str){ input->s, n });
	*input = str_from(*input, end == NULL ? n : n + 1);
	if (end == NULL)
		return false;
	give(f, frame);
	return true;
}

bool
frames_last(struct frames *f, struct frame *frame)
{
	begin(f);
	if (f->line.len == 0)
		return false;
	give(f, frame);
	return true;
}
