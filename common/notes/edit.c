#include "notes/edit.h"

/* One edit at work. */
struct edit_run {
	size_t i; /* its number */
	struct str text, from, to;
	bool all;
	size_t max;
	struct fail *fail;
};

/* Offset of the next occurrence at or after `at`; text.n when there is none. */
static size_t
next_match(const struct edit_run *job, size_t at)
{
	const char *found;

	if (at > job->text.n)
		return job->text.n;
	found = memmem(job->text.s + at, job->text.n - at, job->from.s,
		       job->from.n);
	return found == NULL ? job->text.n : (size_t)(found - job->text.s);
}

static size_t
count_matches(const struct edit_run *job)
{
	size_t at, n = 0;

	for (at = next_match(job, 0); at < job->text.n;
	     at = next_match(job, at + job->from.n))
		n++;
	return n;
}

static bool
holds(struct str text, const char *what)
{
	return memmem(text.s, text.n, what, strlen(what)) != NULL;
}

static int
fail_no_match(const struct edit_run *job)
{
	const char *hint = "";

	if (holds(job->from, "\n") && !holds(job->from, "\r\n") &&
	    holds(job->text, "\r\n"))
		hint = "; the note has CRLF line ends and oldText has LF only";
	return fail_refuse(job->fail, "no_match",
			   "edits[%zu].oldText does not occur in the text of "
			   "the note%s",
			   job->i, hint);
}

static size_t
count_newlines(const char *p, const char *end)
{
	size_t n = 0;

	while (p < end) {
		p = memchr(p, '\n', (size_t)(end - p));
		if (p == NULL)
			break;
		n++;
		p++;
	}
	return n;
}

static int
fail_ambiguous(const struct edit_run *job, size_t count)
{
	struct buf lines = BUF_INIT;
	size_t i, at, from = 0, line = 1;

	at = next_match(job, 0);
	for (i = 0; i < count && i < EDIT_LINES_SHOWN; i++) {
		line += count_newlines(job->text.s + from, job->text.s + at);
		buf_addf(&lines, "%s%zu", i == 0 ? "" : ", ", line);
		from = at;
		at = next_match(job, at + job->from.n);
	}
	if (count > EDIT_LINES_SHOWN)
		buf_addf(&lines, " and %zu more", count - EDIT_LINES_SHOWN);
	fail_refuse(job->fail, "ambiguous_edit",
		    "edits[%zu].oldText matches %zu times, at lines %s; make "
		    "it longer so that it matches once, or pass replace_all",
		    job->i, count, lines.data);
	buf_release(&lines);
	return -1;
}

/* The size of the text with `count` replacements, saturating. */
static size_t
size_after(const struct edit_run *job, size_t count)
{
	size_t left = job->text.n - count * job->from.n, added, size;

	if (__builtin_mul_overflow(count, job->to.n, &added) ||
	    __builtin_add_overflow(left, added, &size))
		return (size_t)-1;
	return size;
}

static int
check_size(const struct edit_run *job, size_t count)
{
	size_t size = size_after(job, count);

	if (size <= job->max)
		return 0;
	return fail_refuse(job->fail, "too_large",
			   "edits[%zu] would make a text of %zu bytes out of "
			   "%zu, at most %zu are legal",
			   job->i, size, job->text.n, job->max);
}

static void
splice(const struct edit_run *job, struct buf *out)
{
	size_t at, from = 0;

	for (at = next_match(job, 0); at < job->text.n;
	     at = next_match(job, from)) {
		buf_add(out, job->text.s + from, at - from);
		buf_add_str(out, job->to);
		from = at + job->from.n;
	}
	buf_add_str(out, str_from(job->text, from));
}

/* One edit, into out, which is empty.  Equal texts must match all the same. */
static int
apply_one(const struct edit_run *job, struct buf *out)
{
	size_t count = count_matches(job);

	if (count == 0)
		return fail_no_match(job);
	if (count > 1 && !job->all)
		return fail_ambiguous(job, count);
	if (check_size(job, count) != 0)
		return -1;
	splice(job, out);
	return 0;
}

int
edit_apply(struct str text, const struct edit *edits, size_t n, bool all,
	   size_t max, struct buf *out, int64_t *applied, struct fail *fail)
{
	struct buf turn[2] = { BUF_INIT, BUF_INIT };
	struct edit_run job = { 0,   text, { NULL, 0 }, { NULL, 0 },
				all, max,  fail };
	int rc = 0;

	*applied = 0;
	for (size_t i = 0; i < n && rc == 0; i++) {
		job.i = i;
		job.from = (struct str){ edits[i].old_text.s,
					 edits[i].old_text.n };
		job.to = (struct str){ edits[i].new_text.s,
				       edits[i].new_text.n };
		buf_reset(&turn[i % 2]);
		rc = apply_one(&job, &turn[i % 2]);
		if (rc == 0 && !str_eq(job.from, job.to))
			++*applied;
		job.text = buf_str(&turn[i % 2]);
	}
	if (rc == 0)
		buf_add_str(out, job.text);
	buf_release(&turn[0]);
	buf_release(&turn[1]);
	return rc;
}
