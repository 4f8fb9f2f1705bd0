/* The journal: spec/output.md sections 8.1, 8.2 and 8.4; P5, P6. */
#include "output/journal.h"

#include <fcntl.h>
#include <inttypes.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "output/delta.h"
#include "value_gen.h"

static char folder[] = "/tmp/ctx-journal-XXXXXX";
static struct facts facts;

static void
open_journal(struct journal *j, const char *name)
{
	struct journal_options options = {
		.id = "call-9",
		.kind = "tool_output",
		.fsync = JOURNAL_NONE,
		.lock_ms = 50,
		.verbs = 6,
	};
	struct fail fail = FAIL_INIT;

	if (journal_init(j, &facts, name, &options, &fail) != 0)
		abort();
}

/* What recover() says of some bytes. */
static int
recover_bytes(struct str bytes, bool all, struct recovered *r,
	      struct fail *fail)
{
	int fd = memfd_create("journal", MFD_CLOEXEC), rc;

	if (fd < 0 || write(fd, bytes.s, bytes.n) != (ssize_t)bytes.n)
		abort();
	rc = recover(fd, "\"j\"", all, 6, r, fail);
	close(fd);
	return rc;
}

static void
read_file(const char *name, struct buf *out)
{
	struct buf path = BUF_INIT;
	char *block;
	ssize_t n;
	int fd;

	buf_addf(&path, "%s/%s", folder, name);
	fd = open(path.data, O_RDONLY | O_CLOEXEC);
	block = buf_reserve(out, 1 << 20);
	n = fd < 0 ? -1 : read(fd, block, 1 << 20);
	if (n < 0)
		abort();
	out->len = (size_t)n;
	close(fd);
	buf_release(&path);
}

static void
vectors(void)
{
	is_int(recover_crc('D', STR("[[\"l\",12,[[\"a\",0,\"x\"]]]]")),
	       0x3d8524cc, "output 8.1: the vector's CRC");
	is_int((long long)sizeof("[[\"l\",12,[[\"a\",0,\"x\"]]]]") - 1, 24,
	       "output 8.1: and its length");
	is_int(recover_crc('1', STR("23456789")), 0xcbf43926,
	       "the CRC of zlib");
}

/* ---- a journal with everything in it ----------------------------------- */

#define LINES 40

struct record {
	struct value *state[LINES], *memos[LINES];
	size_t end[LINES]; /* of the line, in bytes */
	size_t n;
	bool settled;
};

/* Work, its output, and a memo that it was done, are one line. */
static void
write_journal(const char *name, struct record *rec)
{
	struct delta_options options = DELTA_OPTIONS;
	struct fail fail = FAIL_INIT;
	struct lcg g = { 9 };
	struct value *now = value_of("{\"log\":\"\",\"x\":[1]}");
	struct journal j;
	unsigned i;

	open_journal(&j, name);
	for (i = 0; i < LINES - 1; i++) {
		struct value *next = value_ref(now), **log;
		struct ops ops = OPS_INIT;
		struct buf line = BUF_INIT;

		(void)value_own(&next);
		log = value_slot(next, 0);
		(void)value_own(log);
		buf_addf(&line, "<%u>%s", i, i % 7 == 0 ? "é😀" : "");
		value_append(log, buf_str(&line));
		if (journal_lock(&j, JOURNAL_CREATE, &fail) != 0)
			abort();
		if (i == 0 || i % 11 == 5) {
			(void)replica_set(&j.now.r, next, &fail);
			if (i > 0) {
				struct buf memo = BUF_INIT;

				buf_addf(&memo, "did %u", i);
				(void)value_own(&j.now.memos);
				value_put(j.now.memos,
					  value_new_string(buf_str(&memo)),
					  value_new_integer(i));
				buf_release(&memo);
			}
			if (journal_base(&j, i == 0 ? 'B' : 'M', &fail) < 0)
				abort();
		} else {
			delta(now, next, &options, &ops);
			if (journal_batch(&j, &ops, &fail) < 0)
				abort();
		}
		rec->memos[rec->n] = value_ref(j.now.memos);
		rec->state[rec->n] = value_ref(next);
		rec->end[rec->n++] = (size_t)j.now.end;
		journal_unlock(&j);
		value_free(now);
		now = next;
		ops_release(&ops);
		buf_release(&line);
	}
	if (journal_lock(&j, JOURNAL_CREATE, &fail) != 0 ||
	    journal_settle(&j, false, &fail) < 0)
		abort();
	rec->memos[rec->n] = value_ref(j.now.memos);
	rec->state[rec->n] = value_ref(now);
	rec->end[rec->n++] = (size_t)j.now.end;
	journal_unlock(&j);
	journal_release(&j);
	value_free(now);
	(void)g;
}

/* A memo that is there has its output there, once. */
static unsigned
memos_match(const struct recovered *r)
{
	struct str log = value_str(value_get(r->r.value, "log"));
	const struct value_member *m;
	unsigned wrong = 0;
	size_t at = 0;

	while ((m = value_next(r->memos, &at)) != NULL) {
		struct buf mark = BUF_INIT;
		const char *first;

		buf_addf(&mark, "<%.*s>", (int)value_str(m->value).n,
			 value_str(m->value).s);
		first = memmem(log.s, log.n, mark.data, mark.len);
		wrong += first == NULL ||
			 memmem(first + 1, (size_t)(log.s + log.n - first - 1),
				mark.data, mark.len) != NULL;
		buf_release(&mark);
	}
	return wrong;
}

/* Cut at every byte. */
static void
cuts(const struct record *rec, struct str bytes)
{
	unsigned wrong = 0, memos = 0;
	size_t cut,
		header = (size_t)((const char *)memchr(bytes.s, '\n', bytes.n) -
				  bytes.s) +
			 1;

	for (cut = 0; cut <= bytes.n; cut++) {
		struct fail fail = FAIL_INIT;
		struct recovered r;
		size_t n = 0, last = header;

		while (n < rec->n && rec->end[n] <= cut)
			last = rec->end[n++];
		wrong += recover_bytes((struct str){ bytes.s, cut }, false, &r,
				       &fail) != 0;
		wrong += r.exists != (cut >= header);
		wrong += r.torn != (cut < header ? cut : cut - last);
		wrong += (r.r.value == NULL) != (n == 0);
		wrong += r.seq != (int64_t)n - 1;
		wrong += r.settled != (n == rec->n);
		if (n > 0 && r.r.value != NULL) {
			wrong += !value_equal(r.r.value, rec->state[n - 1]);
			wrong += !value_equal(r.memos, rec->memos[n - 1]);
			memos += memos_match(&r);
		}
		recovered_release(&r);
		fail_release(&fail);
	}
	is_int(wrong, 0,
	       "P5: cut at every byte: the state after the last line");
	is_int(memos, 0, "P6: and each memo has its output, once");
}

/* Each byte flipped, in turn. */
static void
flips(const struct record *rec, struct str bytes)
{
	struct buf copy = BUF_INIT;
	unsigned wrong = 0, found = 0;
	size_t i, base = rec->end[LINES - 8]; /* well before the last base */

	buf_add_str(&copy, bytes);
	for (i = 0; i < bytes.n; i++) {
		struct fail fail = FAIL_INIT;
		struct recovered r;
		int rc;

		copy.data[i] ^= 1;
		rc = recover_bytes(buf_str(&copy), true, &r, &fail);
		/* A line's end that is gone can make the last line torn. */
		if (rc == 0)
			wrong += i != bytes.n - 1 && r.torn == 0 &&
				 i >= rec->end[0];
		else
			found += strcmp(fail.code, "damaged") == 0;
		recovered_release(&r);
		fail_release(&fail);
		fail = (struct fail)FAIL_INIT;
		rc = recover_bytes(buf_str(&copy), false, &r, &fail);
		if (i > rec->end[0] && i < base / 2)
			wrong += rc != 0 ||
				 !value_equal(r.r.value, rec->state[LINES - 1]);
		recovered_release(&r);
		fail_release(&fail);
		copy.data[i] ^= 1;
	}
	is_int(wrong, 0,
	       "output 8.4: a flipped byte is found, or not looked at");
	ok(found > bytes.n / 2, "%u were damage", found);
	buf_release(&copy);
}

static void
says_where(const struct record *rec, struct str bytes)
{
	struct buf copy = BUF_INIT, want = BUF_INIT;
	struct fail fail = FAIL_INIT;
	struct recovered r;

	buf_add_str(&copy, bytes);
	copy.data[rec->end[LINES - 3] + 30] ^= 1;
	is_int(recover_bytes(buf_str(&copy), false, &r, &fail), -1,
	       "output 8.4: damage after the last base");
	buf_addf(&want, "\"j\": the line at byte %zu is damaged",
		 rec->end[LINES - 3]);
	is_string(fail.message.data, want.data, "says where the line begins");
	recovered_release(&r);
	fail_release(&fail);
	buf_release(&copy);
	buf_release(&want);
}

static void
not_text(void)
{
	static const char *const cases[] = {
		"{\"v\":2,\"kind\":\"k\",\"id\":\"i\",\"units\":\"utf16\"}\n",
		"{\"v\":1}\n",
		"no journal\n",
		"\n",
		"[]\n",
		"{\"v\":\"1\",\"kind\":\"k\",\"id\":\"i\"}\n"
	};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct fail fail = FAIL_INIT;
		struct recovered r;

		is_int(recover_bytes(str_of(cases[i]), false, &r, &fail), -1,
		       "output 8.4: no header of ours");
		is_string(fail.code, "not_text", "is not_text");
		recovered_release(&r);
		fail_release(&fail);
	}
}

/* Recovery reads from the last base on, whatever is before it. */
static void
distance(void)
{
	struct fail fail = FAIL_INIT;
	struct value *v = value_of("{\"s\":\"\"}"), *path = value_of("[\"s\"]");
	struct buf big = BUF_INIT;
	struct journal j;
	struct recovered r;
	struct ops ops = OPS_INIT;
	struct buf bytes = BUF_INIT;
	struct value *text;
	unsigned i;

	for (i = 0; i < 300000; i++)
		buf_addc(&big, 'x');
	text = value_new_string(buf_str(&big));
	open_journal(&j, "big");
	for (i = 0; i < 3; i++) {
		(void)journal_lock(&j, JOURNAL_CREATE, &fail);
		(void)replica_set(&j.now.r, v, &fail);
		(void)journal_base(&j, 'B', &fail);
		ops_reset(&ops);
		ops_add(&ops, 'a', path, text, 0, 0);
		if (i < 2)
			(void)journal_batch(&j, &ops, &fail);
		journal_unlock(&j);
	}
	read_file("big", &bytes);
	ok(bytes.len > 600000, "a journal of %zu bytes", bytes.len);
	is_int(recover_bytes(buf_str(&bytes), false, &r, &fail), 0,
	       "is recovered");
	ok(r.bytes_read <= 4096 + 2 * RECOVER_BLOCK && r.replayed == 0,
	   "output 8.4: by reading %" PRIu64 " bytes of it", r.bytes_read);
	recovered_release(&r);
	journal_release(&j);
	ops_release(&ops);
	value_free(v);
	value_free(path);
	value_free(text);
	buf_release(&big);
	buf_release(&bytes);
}

/* Two writers: neither gives a path a number that the other has given. */
static void
two_writers(void)
{
	struct fail fail = FAIL_INIT;
	struct value *v = value_of("{\"s\":\"\",\"t\":\"\"}");
	struct journal a, b, *j;
	struct recovered r;
	struct buf bytes = BUF_INIT;
	struct ops ops = OPS_INIT;
	unsigned i;

	open_journal(&a, "two");
	open_journal(&b, "two");
	(void)journal_lock(&a, JOURNAL_CREATE, &fail);
	(void)replica_set(&a.now.r, v, &fail);
	(void)journal_base(&a, 'B', &fail);
	journal_unlock(&a);
	for (i = 0; i < 20; i++) {
		struct value *path = value_of(i % 3 == 0 ? "[\"s\"]"
							 : "[\"t\"]");
		struct value *text = value_new_string(STR("x"));
		size_t at;

		j = i % 5 < 3 ? &a : &b;
		if (journal_lock(j, JOURNAL_CREATE, &fail) != 0)
			abort();
		ops_reset(&ops);
		ops_add(&ops, 'a', path, text, 0, 0);
		(void)apply_batch(&j->now.r, &ops, &at, &fail);
		(void)journal_batch(j, &ops, &fail);
		journal_unlock(j);
		value_free(path);
		value_free(text);
	}
	read_file("two", &bytes);
	is_int(recover_bytes(buf_str(&bytes), true, &r, &fail), 0,
	       "output 8.2: two writers never give a mixture");
	is_value(r.r.value, "{\"s\":\"xxxxxxx\",\"t\":\"xxxxxxxxxxxxx\"}",
		 "and all is there");
	ok(memmem(bytes.data, bytes.len, "[\"#\",0,", 7) != NULL,
	   "a writer alone numbers its paths");
	recovered_release(&r);
	journal_release(&a);
	journal_release(&b);
	value_free(v);
	ops_release(&ops);
	buf_release(&bytes);
}

static void
waiting(void)
{
	struct fail fail = FAIL_INIT;
	struct journal a, b;

	open_journal(&a, "two");
	open_journal(&b, "two");
	(void)journal_lock(&a, JOURNAL_CHANGE, &fail);
	is_int(journal_lock(&b, JOURNAL_CHANGE, &fail), -1,
	       "output 8.2: a lock that is held");
	is_string(fail.code, "busy", "is busy");
	ok(strstr(fail.message.data, "50 ms") != NULL, "after 50 ms");
	fail_release(&fail);
	fail = (struct fail)FAIL_INIT;
	journal_unlock(&a);
	is_int(journal_lock(&b, JOURNAL_CHANGE, &fail), 0, "and is given back");
	journal_unlock(&b);
	journal_release(&a);
	journal_release(&b);
}

int
main(void)
{
	struct record rec = { .n = 0 };
	struct buf bytes = BUF_INIT, command = BUF_INIT;
	size_t i;

	if (mkdtemp(folder) == NULL)
		abort();
	facts.value[FACT_CWD] = folder;
	vectors();
	write_journal("all", &rec);
	read_file("all", &bytes);
	is_int((long long)bytes.len, (long long)rec.end[LINES - 1],
	       "a journal of 40 lines");
	cuts(&rec, buf_str(&bytes));
	flips(&rec, buf_str(&bytes));
	says_where(&rec, buf_str(&bytes));
	not_text();
	distance();
	two_writers();
	waiting();
	for (i = 0; i < rec.n; i++) {
		value_free(rec.state[i]);
		value_free(rec.memos[i]);
	}
	for (i = 0; i < 3; i++) {
		static const char *const names[] = { "all", "big", "two" };

		buf_reset(&command);
		buf_addf(&command, "%s/%s", folder, names[i]);
		(void)unlink(command.data);
	}
	(void)rmdir(folder);
	buf_release(&bytes);
	buf_release(&command);
	return done();
}
