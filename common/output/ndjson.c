#include "output/ndjson.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/io.h"
#include "tool/result.h"

#define READ_BYTES 65536

void
ndjson_init(struct ndjson *n, int fd, bool stop)
{
	sigset_t set;

	*n = (struct ndjson){ .fd = fd, .signals = -1, .in = BUF_INIT };
	if (!stop)
		return;
	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigprocmask(SIG_BLOCK, &set, NULL);
	n->signals = signalfd(-1, &set, SFD_CLOEXEC);
}

void
ndjson_release(struct ndjson *n)
{
	if (n->signals >= 0)
		close(n->signals);
	buf_release(&n->in);
}

static bool
is_blank(struct str s)
{
	return json_value(s).n == 0;
}

/* The next line of what was read, blank ones passed over; false: none. */
static bool
take_line(struct ndjson *n, struct str *line)
{
	const char *lf;

	for (;;) {
		struct str rest = str_from(buf_str(&n->in), n->start);

		lf = memchr(n->in.data + n->seen, '\n', n->in.len - n->seen);
		n->seen = n->in.len;
		if (lf == NULL && (!n->end || rest.n == 0))
			return false;
		line->s = rest.s;
		line->n = lf == NULL ? rest.n : (size_t)(lf - rest.s);
		n->start += line->n + (lf != NULL);
		n->seen = n->start;
		n->line++;
		if (!is_blank(*line))
			return true;
	}
}

/* Reads once.  0, or -1 with errno. */
static int
fill(struct ndjson *n)
{
	ssize_t got;

	if (n->start > 0) {
		memmove(n->in.data, n->in.data + n->start,
			n->in.len - n->start);
		buf_truncate(&n->in, n->in.len - n->start);
		n->seen -= n->start;
		n->start = 0;
	}
	do
		got = read(n->fd, buf_reserve(&n->in, READ_BYTES), READ_BYTES);
	while (got < 0 && errno == EINTR);
	if (got < 0)
		return -1;
	n->end = got == 0;
	n->in.len += (size_t)got;
	n->in.data[n->in.len] = '\0';
	return 0;
}

/* Waits for input, the time or a signal. */
static enum ndjson_got
await(struct ndjson *n, int64_t until)
{
	struct pollfd fds[2] = { { n->fd, POLLIN, 0 },
				 { n->signals, POLLIN, 0 } };
	struct signalfd_siginfo info;
	int64_t left = -1;

	for (;;) {
		if (until != NDJSON_NEVER) {
			left = until - clock_monotonic_ms();
			if (left <= 0)
				return NDJSON_LATE;
		}
		if (poll(fds, 2, left > INT32_MAX ? INT32_MAX : (int)left) <= 0)
			continue;
		if (fds[1].revents != 0 &&
		    read(n->signals, &info, sizeof(info)) == sizeof(info)) {
			n->signal = (int)info.ssi_signo;
			return NDJSON_SIGNAL;
		}
		if (fds[0].revents != 0)
			return NDJSON_LINE;
	}
}

enum ndjson_got
ndjson_next(struct ndjson *n, int64_t until, struct str *line,
	    struct fail *fail)
{
	enum ndjson_got got;

	for (;;) {
		if (take_line(n, line)) {
			if (line->n <= NDJSON_LINE_BYTES)
				return NDJSON_LINE;
			break;
		}
		if (n->end)
			return NDJSON_END;
		if (n->in.len - n->start > NDJSON_LINE_BYTES) {
			n->line++;
			break;
		}
		got = await(n, until);
		if (got != NDJSON_LINE)
			return got;
		if (fill(n) != 0) {
			(void)fail_environment(fail, "standard input: %s",
					       strerror(errno));
			return NDJSON_FAILED;
		}
	}
	(void)fail_refuse(fail, "too_large",
			  "a line of more than %d bytes; legal: at most %d",
			  NDJSON_LINE_BYTES, NDJSON_LINE_BYTES);
	return NDJSON_FAILED;
}

struct value *
ndjson_parse(struct str line, struct fail *fail)
{
	struct json_error error;
	struct value *v = value_read(line, &error);

	if (v == NULL)
		(void)fail_refuse(fail, "bad_line", "byte %zu: %s; legal: JSON",
				  error.offset, error.reason);
	return v;
}

/* Where the value of a member begins in the line, or that of the line. */
static size_t
offset_of(struct str line, struct str key)
{
	struct json_iter it = json_iterate(json_value(line));
	struct buf scratch = BUF_INIT;
	struct str raw, at = json_value(line), value;

	while (key.s != NULL && json_next_member(&it, &raw, &value))
		if (str_eq(json_text(raw, &scratch), key))
			at = value;
	buf_release(&scratch);
	return (size_t)(at.s - line.s);
}

int
ndjson_blame(struct str line, struct str key, struct fail *fail)
{
	struct buf message = BUF_INIT;

	if (line.n == 0)
		return -1;
	buf_add_str(&message, buf_str(&fail->message));
	(void)fail_refuse(fail, "bad_line", "byte %zu: %s",
			  offset_of(line, key), message.data);
	buf_release(&message);
	return -1;
}

int
ndjson_put(struct buf *line, struct fail *fail)
{
	int rc;

	buf_addc(line, '\n');
	rc = io_write_all(STDOUT_FILENO, line->data, line->len);
	buf_release(line);
	if (rc != 0)
		return fail_environment(fail, "standard output: %s",
					strerror(errno));
	return 0;
}

int
ndjson_refuse(const struct ndjson *n, struct fail *fail)
{
	struct buf line = BUF_INIT;

	if (fail->kind != FAIL_REFUSED)
		return -1;
	fail_member_integer(fail, "line", (int64_t)n->line);
	result_refusal(fail, &line);
	return ndjson_put(&line, fail) != 0 ? -1 : FAIL_REFUSED;
}
