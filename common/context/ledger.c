#include "context/ledger.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "context/virtual_path.h"

#define MS_MOST INT64_C(253402300799999) /* the end of the year 9999 */

void
ledger_release(struct ledger *l)
{
	buf_release(&l->text);
	free(l->rows);
	*l = (struct ledger)LEDGER_INIT;
}

/* Digits, maybe with a sign, up to a space, which is passed. */
static bool
take_number(struct str *line, int64_t *v)
{
	size_t i = line->n > 0 && line->s[0] == '-';
	int64_t value = 0;

	if (i == line->n || line->s[i] < '0' || line->s[i] > '9')
		return false;
	for (; i < line->n && line->s[i] != ' '; i++) {
		if (line->s[i] < '0' || line->s[i] > '9' || value > MS_MOST)
			return false;
		value = value * 10 + (line->s[i] - '0');
	}
	if (i == line->n || value > MS_MOST)
		return false;
	*v = line->s[0] == '-' ? -value : value;
	*line = str_from(*line, i + 1);
	return true;
}

static int
by_path(const void *a, const void *b)
{
	const struct ledger_row *x = a, *y = b;
	int c = str_cmp(x->path, y->path);

	/* Where one comes twice they stay in the order of the file. */
	return c != 0 ? c : (x->path.s > y->path.s) - (x->path.s < y->path.s);
}

void
ledger_parse(struct ledger *l)
{
	struct str rest = buf_str(&l->text);
	size_t kept = 0;

	/* A torn last line may lack the end of its path. */
	while (str_has(rest, '\n')) {
		struct str line = str_cut(&rest, '\n');
		struct ledger_row row;

		if (!take_number(&line, &row.created_ms) ||
		    !take_number(&line, &row.updated_ms) ||
		    !virtual_path_is_legal(line))
			continue;
		row.path = line;
		XGROW(l->rows, l->n + 1, l->cap);
		l->rows[l->n++] = row;
		if (row.updated_ms > l->last_ms)
			l->last_ms = row.updated_ms;
	}
	if (l->n > 1)
		qsort(l->rows, l->n, sizeof(*l->rows), by_path);
	for (size_t i = 0; i < l->n; i++) {
		if (kept > 0 && str_eq(l->rows[kept - 1].path, l->rows[i].path))
			kept--;
		l->rows[kept++] = l->rows[i];
	}
	l->n = kept;
}

void
ledger_write(const struct ledger *l, struct buf *out)
{
	for (size_t i = 0; i < l->n; i++) {
		buf_addf(out, "%" PRId64 " %" PRId64 " ", l->rows[i].created_ms,
			 l->rows[i].updated_ms);
		buf_add_str(out, l->rows[i].path);
		buf_addc(out, '\n');
	}
}

static size_t
place(const struct ledger *l, struct str path, bool *there)
{
	size_t low = 0, high = l->n, middle;
	int c;

	*there = false;
	while (low < high) {
		middle = low + (high - low) / 2;
		c = str_cmp(l->rows[middle].path, path);
		if (c == 0) {
			*there = true;
			return middle;
		}
		if (c < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const struct ledger_row *
ledger_find(const struct ledger *l, struct str path)
{
	bool there;
	size_t at = place(l, path, &there);

	return there ? &l->rows[at] : NULL;
}

void
ledger_set(struct ledger *l, struct str path, int64_t created_ms,
	   int64_t updated_ms)
{
	bool there;
	size_t at = place(l, path, &there);

	if (!there) {
		XGROW(l->rows, l->n + 1, l->cap);
		memmove(&l->rows[at + 1], &l->rows[at],
			(l->n - at) * sizeof(*l->rows));
		l->n++;
	}
	l->rows[at] = (struct ledger_row){ created_ms, updated_ms, path };
	if (updated_ms > l->last_ms)
		l->last_ms = updated_ms;
}

void
ledger_times(const struct ledger *l, struct str path, int64_t mtime_ms,
	     int64_t *created_ms, int64_t *updated_ms)
{
	const struct ledger_row *row = ledger_find(l, path);

	*updated_ms = mtime_ms;
	*created_ms = row != NULL && row->created_ms < mtime_ms
			      ? row->created_ms
			      : mtime_ms;
}
