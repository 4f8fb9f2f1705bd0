#ifndef DIFF_APPLY_H
#define DIFF_APPLY_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"

/* A strict patch(1): what does not fit exactly, fails. */
struct patcher {
	struct str diff, old;
	size_t at, old_at, old_line, new_line;
	struct buf new;
};

static struct str
take_line(struct str s, size_t *at)
{
	const char *lf = memchr(s.s + *at, '\n', s.n - *at);
	size_t end = lf == NULL ? s.n : (size_t)(lf - s.s) + 1;
	struct str line = { s.s + *at, end - *at };

	*at = end;
	return line;
}

/* A line of the diff without its mark, or its LF when it says it has none. */
static struct str
take_marked(struct patcher *p)
{
	static const char none[] = "\\ No newline at end of file\n";
	struct str line = str_from(take_line(p->diff, &p->at), 1);

	if (str_starts(str_from(p->diff, p->at), str_of(none))) {
		p->at += strlen(none);
		line.n--;
	}
	return line;
}

static bool
keep_line(struct patcher *p, struct str want, bool add)
{
	struct str line;

	if (p->old_at == p->old.n)
		return false;
	line = take_line(p->old, &p->old_at);
	p->old_line++;
	if (add) {
		buf_add_str(&p->new, line);
		p->new_line++;
	}
	return want.s == NULL || str_eq(line, want);
}

static bool
apply_hunk(struct patcher *p)
{
	char header[120];
	size_t a, a_n = 1, b, b_n = 1, used;
	struct str line = take_line(p->diff, &p->at);
	int scanned = 0;
	bool fits = true;

	snprintf(header, sizeof(header), "%.*s", (int)line.n, line.s);
	if (sscanf(header, "@@ -%zu,%zu%n", &a, &a_n, &scanned) < 2 &&
	    sscanf(header, "@@ -%zu%n", &a, &scanned) < 1)
		return false;
	used = (size_t)scanned;
	if (sscanf(header + used, " +%zu,%zu @@\n", &b, &b_n) < 2 &&
	    sscanf(header + used, " +%zu @@\n", &b) < 1)
		return false;
	if (a_n > 0)
		a--;
	if (b_n > 0)
		b--;
	while (fits && p->old_line < a)
		fits = keep_line(p, (struct str){ NULL, 0 }, true);
	fits = fits && p->new_line == b;
	while (fits && a_n + b_n > 0 && p->at < p->diff.n) {
		char mark = p->diff.s[p->at];

		line = take_marked(p);
		if (mark == '+') {
			buf_add_str(&p->new, line);
			p->new_line++;
		} else {
			fits = keep_line(p, line, mark == ' ');
		}
		a_n -= mark != '+';
		b_n -= mark != '-';
	}
	return fits && a_n == 0 && b_n == 0;
}

/* Whether diff, whose label is n, makes new of old. */
static bool
diff_applies(struct str diff, struct str old, struct str new)
{
	struct patcher p = { .diff = diff, .old = old, .new = BUF_INIT };
	bool fits = true;

	if (diff.n == 0)
		return str_eq(old, new);
	fits = str_is(take_line(diff, &p.at), "--- n\n") &&
	       str_is(take_line(diff, &p.at), "+++ n\n");
	while (fits && p.at < diff.n)
		fits = apply_hunk(&p);
	while (fits && p.old_at < old.n)
		fits = keep_line(&p, (struct str){ NULL, 0 }, true);
	fits = fits && str_eq(buf_str(&p.new), new);
	buf_release(&p.new);
	return fits;
}

#endif /* DIFF_APPLY_H */
