#ifndef OUTPUT_NDJSON_H
#define OUTPUT_NDJSON_H

#include "output/value.h"
#include "tool/fail.h"

/*
 * The stream form (spec/output.md section 1): one JSON value a line on stdin,
 * one compact line at a time on stdout.
 */
#define NDJSON_LINE_BYTES 67108864
#define NDJSON_NEVER INT64_MAX

struct ndjson {
	int fd, signals; /* signals: a signalfd, or -1 */
	struct buf in;
	size_t start, seen; /* of in: not given yet; searched for LF */
	bool end;
	uint64_t line; /* number of the last one that was given, from 1 */
	int signal;    /* that came */
};

enum ndjson_got {
	NDJSON_LINE,   /* *line, without its LF; valid until the next call */
	NDJSON_END,    /* of the input */
	NDJSON_LATE,   /* the time has come */
	NDJSON_SIGNAL, /* n->signal */
	NDJSON_FAILED  /* *fail: too_large, or it cannot be read */
};

/*
 * stop: SIGINT and SIGTERM are taken as NDJSON_SIGNAL from now on, instead of
 * ending the process.
 */
void ndjson_init(struct ndjson *n, int fd, bool stop);
void ndjson_release(struct ndjson *n);

/*
 * The next line that is not blank; by clock_monotonic_ms() at `until` at the
 * latest.
 */
enum ndjson_got ndjson_next(struct ndjson *n, int64_t until, struct str *line,
			    struct fail *fail);

/* The value of a line; NULL: bad_line, with the byte where it is wrong. */
struct value *ndjson_parse(struct str line, struct fail *fail);

/*
 * Says in a bad_line at which byte of the line the fault is: where the value
 * of the member `key` begins, or, where key.s is NULL, that of the line.  An
 * empty line, which is none but an argument, says nothing.  Gives -1.
 */
int ndjson_blame(struct str line, struct str key, struct fail *fail);

/*
 * Writes a line, whose LF is added, to stdout in one go, and releases it.  0,
 * or -1 with FAIL_ENVIRONMENT.
 */
int ndjson_put(struct buf *line, struct fail *fail);

/*
 * Ends a stream with a refusal that says which line was refused: gives the
 * exit status, 1; or -1 as ndjson_put(), and whenever fail is not a refusal.
 */
int ndjson_refuse(const struct ndjson *n, struct fail *fail);

#endif /* OUTPUT_NDJSON_H */
