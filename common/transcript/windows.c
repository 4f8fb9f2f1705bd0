#include "transcript/windows.h"

#include <stdlib.h>
#include <string.h>

#include "base/json_span.h"
#include "base/timestamp.h"
#include "base/xalloc.h"
#include "transcript/hosts.h"

/* A window as it is counted. */
struct extent {
	const struct boundary *boundary; /* NULL: the first */
	uint32_t first, last, count;
	bool spoken;
};

/* ---- counting ---------------------------------------------------------- */

static void
add_event(struct extent *e, uint32_t seq, enum role role)
{
	if (e->count++ == 0)
		e->first = seq;
	e->last = seq;
	e->spoken |= role == ROLE_USER || role == ROLE_ASSISTANT;
}

/* One for each boundary on the branch, and the first; gives how many. */
static size_t
find_extents(const struct transcript *t, struct extent *extents)
{
	size_t n = 0;

	extents[n++] = (struct extent){ 0 };
	for (size_t i = 0; i < t->n_boundaries; i++)
		if (transcript_on_branch(t, t->boundaries[i].record))
			extents[n++] = (struct extent){
				.boundary = &t->boundaries[i]
			};
	return n;
}

/* An event lies in the window of the last boundary at or before it. */
static void
count_events(const struct transcript *t, struct extent *extents, size_t n)
{
	size_t at = 0;

	for (uint32_t seq = 1; seq <= transcript_highest(t); seq++) {
		const struct slot *slot = transcript_slot(t, seq);

		while (at + 1 < n &&
		       extents[at + 1].boundary->record <= slot->record)
			at++;
		if (transcript_is_event(t, seq))
			add_event(&extents[at], seq, (enum role)slot->role);
	}
}

/* ---- rows -------------------------------------------------------------- */

/* t is NULL, as b is, when there is no transcript. */
static void
name_window(const struct decoder *decoder, const struct transcript *t,
	    const struct boundary *b, size_t number, struct str session,
	    struct buf *out)
{
	struct str record = b == NULL ? STR("") : t->views[0].part.record;
	struct str id = hosts_session_id(session);

	if (decoder != NULL && decoder->window_id != NULL) {
		decoder->window_id(t, b, record, id, out);
		return;
	}
	buf_add_str(out, session);
	buf_addf(out, ":%zu", number);
}

static struct windows_row *
add_row(struct windows *w)
{
	struct windows_row *row = &w->rows[w->n++];

	*row = (struct windows_row){ .id = BUF_INIT, .created_at = BUF_INIT };
	return row;
}

static bool
load_row(struct windows *w, struct transcript *t, const struct extent *e,
	 size_t number, struct str session)
{
	struct windows_row *row = add_row(w);
	struct view *v = &t->views[0];

	row->first = e->first;
	row->last = e->last;
	row->count = e->count;
	row->spoken = e->spoken;
	if (e->boundary != NULL) {
		if (!transcript_read(t, v, e->boundary->record))
			return false;
		row->has_created_at = moment_load(v->part.timestamp,
						  &row->created_at);
	}
	name_window(t->decoder, t, e->boundary, number, session, &row->id);
	return true;
}

bool
windows_read(struct windows *w, struct transcript *t, struct str session)
{
	struct extent *extents = xcalloc(t->n_boundaries + 1, sizeof(*extents));
	size_t from;
	bool whole;

	w->total = find_extents(t, extents);
	count_events(t, extents, w->total);
	w->rows = xcalloc(WINDOWS_MOST, sizeof(*w->rows));
	from = w->total > WINDOWS_MOST ? w->total - WINDOWS_MOST + 1 : 1;
	whole = load_row(w, t, &extents[0], 0, session);
	for (size_t i = from; whole && i < w->total; i++)
		whole = load_row(w, t, &extents[i], i, session);
	free(extents);
	return whole;
}

struct windows_start *
windows_starts(struct transcript *t, struct str session, size_t *n)
{
	struct extent *extents = xcalloc(t->n_boundaries + 1, sizeof(*extents));
	struct windows_start *starts;
	bool whole = true;

	*n = find_extents(t, extents);
	starts = xcalloc(*n, sizeof(*starts));
	for (size_t i = 0; i < *n; i++) {
		const struct boundary *b = extents[i].boundary;

		buf_init(&starts[i].id, BUF_UNLIMITED);
		if (b != NULL) {
			starts[i].record = b->record;
			whole = whole &&
				transcript_read(t, &t->views[0], b->record);
		}
		if (whole)
			name_window(t->decoder, t, b, i, session,
				    &starts[i].id);
	}
	free(extents);
	if (whole)
		return starts;
	for (size_t i = 0; i < *n; i++)
		buf_release(&starts[i].id);
	free(starts);
	*n = 0;
	return NULL;
}

void
windows_absent(struct windows *w, const struct host *host, struct str session)
{
	w->rows = xcalloc(1, sizeof(*w->rows));
	w->total = 1;
	name_window(host->decoder, NULL, NULL, 0, session, &add_row(w)->id);
}

void
windows_begin(struct windows *w, struct str session, int64_t now_ms)
{
	char now[TIMESTAMP_SIZE];
	struct windows_row *row;

	/* The first one stays, and of the others the newest. */
	if (w->n == WINDOWS_MOST) {
		buf_release(&w->rows[1].id);
		buf_release(&w->rows[1].created_at);
		memmove(&w->rows[1], &w->rows[2],
			(WINDOWS_MOST - 2) * sizeof(*w->rows));
		w->n--;
	}
	timestamp_utc(now_ms, now);
	row = add_row(w);
	buf_add_str(&row->id, session);
	buf_addf(&row->id, ":%zu", w->total++);
	buf_adds(&row->created_at, now);
	row->has_created_at = true;
}

void
windows_release(struct windows *w)
{
	for (size_t i = 0; i < w->n; i++) {
		buf_release(&w->rows[i].id);
		buf_release(&w->rows[i].created_at);
	}
	free(w->rows);
	*w = (struct windows){ 0 };
}
