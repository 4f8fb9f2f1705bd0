/*
 * What a program reads of a person's answers, in lines of JSON: whatever
 * comes, a choice is one of those that were offered, a text is legal UTF-8,
 * and each question takes one line at most.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/utf8.h"
#include "lessons/channel.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

static void
ask(struct channel *c, size_t lines)
{
	static const struct choice choices[] = { { "cancel", { "Cancel", 6 } },
						 { "0", { "Group 1", 7 } },
						 { "finish",
						   { "Finish", 6 } } };
	struct question q = { .title = "Review",
			      .body = STR("A body."),
			      .choices = choices,
			      .n = 3,
			      .prompt = "Which: " };
	struct buf text = BUF_INIT;
	size_t i;

	for (i = 0; i < lines; i++) {
		long chosen = channel_select(c, &q);

		if (chosen < -1 || chosen > 2)
			abort();
		buf_reset(&text);
		if (channel_input(c, "Edit", STR("A body."), STR("Text."),
				  &text) &&
		    !utf8_valid(buf_str(&text)))
			abort();
	}
	/* After all of the lines there is nothing to be had. */
	if (channel_select(c, &q) != -1)
		abort();
	buf_release(&text);
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct channel_args args = { .no_tty = { true, true } };
	struct fail fail = FAIL_INIT;
	struct channel c;
	char fds[32];
	size_t lines = 1, i;
	int in = memfd_create("answers", MFD_CLOEXEC);
	int out = open("/dev/null", O_WRONLY | O_CLOEXEC);

	if (in < 0 || out < 0 || (n > 0 && write(in, p, n) != (ssize_t)n) ||
	    lseek(in, 0, SEEK_SET) != 0)
		abort();
	for (i = 0; i < n; i++)
		lines += p[i] == '\n';
	snprintf(fds, sizeof(fds), "%d,%d", in, out);
	args.ui_fd = (struct arg_string){ fds, strlen(fds), true };
	if (channel_open(&c, &args, &fail) != 0 || c.kind != CHANNEL_LINES)
		abort();
	ask(&c, lines / 2 + 1);
	channel_close(&c);
	fail_release(&fail);
	(void)close(in);
	(void)close(out);
	return 0;
}
