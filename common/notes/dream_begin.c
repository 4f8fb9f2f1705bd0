#include "notes/dream_begin.h"

#include <inttypes.h>
#include <sha2.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "notes/note.h"
#include "tool/budget.h"

#define MS_PER_DAY INT64_C(86400000)
#define GROUPS_BYTES 8192 /* of JSON */

struct dreaming {
	struct dream_begin_result *dream;
	struct buf file;
};

/* ---- gathering --------------------------------------------------------- */

static void
digest_body(struct dream_row *row, struct str body)
{
	SHA2_CTX sha;

	row->has_body = body.n > 0;
	if (!row->has_body)
		return;
	SHA256Init(&sha);
	SHA256Update(&sha, (const uint8_t *)body.s, body.n);
	SHA256Final(row->digest, &sha);
}

/*
 * Reads what is needed of the note, and its whole body where that can be
 * compared.  False when nothing could be read.
 */
static bool
load(struct dreaming *d, int fd, const struct stat *st, bool *whole)
{
	buf_reset(&d->file);
	*whole = st->st_size <= NOTE_READ_MAX;
	if (fd < 0)
		return false;
	if (*whole)
		return note_load(fd, NOTE_READ_MAX, &d->file) == 0;
	return note_peek_head(fd, &d->file) == 0;
}

static bool
is_wanted(const struct dream_begin_result *dream, const struct note_meta *meta)
{
	int64_t unused;

	if (dream->unused_ms < 0)
		return true;
	/* A clock that a host sets may be anywhere. */
	if (__builtin_sub_overflow(dream->survey.who.now, meta->last_accessed,
				   &unused))
		return dream->survey.who.now > 0;
	return unused >= dream->unused_ms;
}

static void
add_row(struct dream_begin_result *dream, const struct dream_row *row)
{
	XGROW(dream->rows, dream->n + 1, dream->cap);
	dream->rows[dream->n++] = *row;
	dream->bytes += row->bytes;
	dream->crumpled += row->meta.crumpled;
}

static void
visit(void *ctx, const struct survey_note *note, struct survey_tally *tally)
{
	struct dreaming *d = ctx;
	struct dream_row row = { 0 };
	struct front_matter fm = FRONT_MATTER_INIT;
	struct stat st;
	bool readable, whole;
	int fd;

	if (!survey_open(note, tally, &fd, &st))
		return;
	readable = load(d, fd, &st, &whole);
	if (readable)
		front_matter_parse(&fm, buf_str(&d->file), 0);
	front_matter_meta(&fm, note_mtime_ms(&st), &row.meta);
	row.meta.has_project = false; /* it goes with fm */
	row.bytes = (uint64_t)st.st_size;
	if (is_wanted(d->dream, &row.meta)) {
		row.address = xmemdup(note->address.s, note->address.n);
		if (readable && whole)
			digest_body(&row, str_from(buf_str(&d->file), fm.body));
		add_row(d->dream, &row);
	}
	front_matter_release(&fm);
	if (fd >= 0)
		close(fd);
}

static int
row_cmp(const void *a, const void *b)
{
	const struct dream_row *x = a, *y = b;

	if (x->meta.last_accessed != y->meta.last_accessed)
		return x->meta.last_accessed < y->meta.last_accessed ? -1 : 1;
	return strcmp(x->address, y->address);
}

/* ---- notes that have the same text ----------------------------------- */

static int
by_digest(const void *a, const void *b)
{
	const struct dream_row *x = *(const struct dream_row *const *)a;
	const struct dream_row *y = *(const struct dream_row *const *)b;
	int c = memcmp(x->digest, y->digest, DREAM_DIGEST_SIZE);

	return c != 0 ? c : strcmp(x->address, y->address);
}

/* order lends the first address of each group. */
static int
by_first_address(const void *a, const void *b, void *order)
{
	const struct dream_group *x = a, *y = b;
	const struct dream_row **rows = order;

	return strcmp(rows[x->start]->address, rows[y->start]->address);
}

static bool
same_body(const struct dream_row *x, const struct dream_row *y)
{
	return memcmp(x->digest, y->digest, DREAM_DIGEST_SIZE) == 0;
}

static void
add_group(struct dream_begin_result *dream, size_t start, size_t n)
{
	XGROW(dream->groups, dream->n_groups + 1, dream->cap_groups);
	dream->groups[dream->n_groups++] = (struct dream_group){ start, n };
}

/* The array of the first k groups, alone. */
static void
groups_array(const struct dream_begin_result *dream, size_t k,
	     struct json_writer *w)
{
	size_t i, j;

	json_open_array(w);
	for (i = 0; i < k; i++) {
		const struct dream_group *g = &dream->groups[i];

		json_open_array(w);
		for (j = 0; j < g->n; j++)
			json_string(
				w, str_of(dream->order[g->start + j]->address));
		json_close_array(w);
	}
	json_close_array(w);
}

static bool
groups_fit(void *ctx, size_t k)
{
	struct json_writer w;
	struct buf out;
	bool fits;

	buf_init(&out, GROUPS_BYTES);
	json_begin(&w, &out);
	groups_array(ctx, k, &w);
	fits = !out.full;
	buf_release(&out);
	return fits;
}

/*
 * Finds the groups among the sorted rows, which must stay where they are, and
 * how many of them are shown.
 */
static void
find_groups(struct dream_begin_result *dream)
{
	size_t i, j, n = 0;

	dream->order = xcalloc(dream->n, sizeof(*dream->order));
	for (i = 0; i < dream->n; i++)
		if (dream->rows[i].has_body)
			dream->order[n++] = &dream->rows[i];
	if (n > 1)
		qsort(dream->order, n, sizeof(*dream->order), by_digest);
	for (i = 0; i < n; i = j) {
		for (j = i + 1; j < n; j++)
			if (!same_body(dream->order[i], dream->order[j]))
				break;
		if (j - i > 1)
			add_group(dream, i, j - i);
	}
	if (dream->n_groups > 1)
		qsort_r(dream->groups, dream->n_groups, sizeof(*dream->groups),
			by_first_address, dream->order);
	dream->shown_groups = budget_items(0, dream->n_groups, groups_fit,
					   dream);
}

/* ---- fitting ----------------------------------------------------------- */

static bool
fits(void *ctx, size_t k)
{
	struct dream_begin_result *dream = ctx;

	dream->delivered = k;
	return budget_fits(dream_begin_json, dream_begin_text, dream);
}

static int
fit(struct dream_begin_result *dream, const struct arg_integer *limit,
    struct fail *fail)
{
	size_t k, most = dream->n;

	if (limit->given && (size_t)limit->v < most)
		most = (size_t)limit->v;
	k = budget_items(0, most, fits, dream);
	if (k == BUDGET_NONE)
		return fail_refuse(fail, "output_too_large",
				   "the names of the homes that could not be "
				   "read leave no room for notes; narrow with "
				   "glob or unused_days");
	dream->delivered = k;
	return 0;
}

int
dream_begin_run(const struct tool_call *call, void *result, struct fail *fail)
{
	const struct dream_begin_args *args = call->args;
	struct dream_begin_result *dream = result;
	struct dreaming d = { dream, BUF_INIT };
	int rc;

	dream->unused_ms = args->unused_days.given
				   ? args->unused_days.v * MS_PER_DAY
				   : -1;
	rc = survey_run(&dream->survey, call->facts, &args->cwd, &args->glob,
			visit, &d, fail);
	buf_release(&d.file);
	if (rc < 0)
		return -1;
	if (dream->n > 1)
		qsort(dream->rows, dream->n, sizeof(*dream->rows), row_cmp);
	find_groups(dream);
	return fit(dream, &args->limit, fail);
}

void
dream_begin_release(void *result)
{
	struct dream_begin_result *dream = result;
	size_t i;

	for (i = 0; i < dream->n; i++)
		free(dream->rows[i].address);
	free(dream->rows);
	free(dream->order);
	free(dream->groups);
	survey_release(&dream->survey);
	*dream = (struct dream_begin_result){ 0 };
}

/* ---- rendering --------------------------------------------------------- */

static void
row_json(struct json_writer *w, const struct survey *survey,
	 const struct dream_row *row)
{
	const struct note_meta *meta = &row->meta;

	json_open_object(w);
	survey_json_identity(w, survey, row->address);
	json_member_string(w, "origin", str_of(note_origins[meta->origin]));
	survey_json_time(w, "created_at", meta->created_at);
	survey_json_time(w, "updated_at", meta->updated_at);
	survey_json_time(w, "last_accessed", meta->last_accessed);
	json_member_integer(w, "access_count", meta->access_count);
	if (meta->crumpled)
		survey_json_time(w, "crumpled_at", meta->crumpled_at);
	json_member_integer(w, "bytes", (int64_t)row->bytes);
	json_close_object(w);
}

static void
groups_json(const struct dream_begin_result *dream, struct json_writer *w)
{
	json_key(w, "duplicates");
	groups_array(dream, dream->shown_groups, w);
	if (dream->shown_groups < dream->n_groups)
		json_member_integer(
			w, "duplicates_more",
			(int64_t)(dream->n_groups - dream->shown_groups));
}

static void
groups_text(const struct dream_begin_result *dream, struct buf *out)
{
	size_t i, j;

	for (i = 0; i < dream->shown_groups; i++) {
		const struct dream_group *g = &dream->groups[i];

		buf_adds(out, "\nsame text: ");
		for (j = 0; j < g->n; j++) {
			buf_adds(out, j == 0 ? "" : ", ");
			buf_adds(out, dream->order[g->start + j]->address);
		}
	}
	if (dream->shown_groups < dream->n_groups)
		buf_addf(out, "\n%zu more groups of the same text omitted",
			 dream->n_groups - dream->shown_groups);
}

void
dream_begin_json(const void *result, struct buf *out)
{
	const struct dream_begin_result *dream = result;
	struct json_writer w;
	size_t i;

	json_begin(&w, out);
	json_open_object(&w);
	json_key(&w, "files");
	json_open_array(&w);
	for (i = 0; i < dream->delivered; i++)
		row_json(&w, &dream->survey, &dream->rows[i]);
	json_close_array(&w);
	json_key(&w, "totals");
	json_open_object(&w);
	json_member_integer(&w, "files", (int64_t)dream->n);
	json_member_integer(&w, "crumpled", (int64_t)dream->crumpled);
	json_member_integer(&w, "bytes", (int64_t)dream->bytes);
	json_close_object(&w);
	groups_json(dream, &w);
	json_member_integer(&w, "more", (int64_t)(dream->n - dream->delivered));
	survey_json(&dream->survey, &w);
	json_close_object(&w);
}

static void
row_text(struct buf *out, const struct survey *survey,
	 const struct dream_row *row)
{
	const struct note_meta *meta = &row->meta;

	buf_adds(out, "\n- ");
	survey_text_identity(out, survey, row->address);
	survey_text_time(out, " | accessed ", meta->last_accessed);
	buf_addf(out, " (%" PRId64 ")", meta->access_count);
	survey_text_time(out, " | updated ", meta->updated_at);
	buf_addf(out, " | origin %s | %" PRIu64 " bytes",
		 note_origins[meta->origin], row->bytes);
	if (meta->crumpled)
		survey_text_time(out, " | crumpled ", meta->crumpled_at);
}

void
dream_begin_text(const void *result, struct buf *out)
{
	const struct dream_begin_result *dream = result;
	size_t i;

	buf_addf(out, "%zu of %zu notes | %zu crumpled | %" PRIu64 " bytes",
		 dream->delivered, dream->n, dream->crumpled, dream->bytes);
	for (i = 0; i < dream->delivered; i++)
		row_text(out, &dream->survey, &dream->rows[i]);
	groups_text(dream, out);
	if (dream->delivered < dream->n)
		buf_addf(out,
			 "\n%zu more matching notes omitted; narrow with glob "
			 "or unused_days",
			 dream->n - dream->delivered);
	survey_text(&dream->survey, out);
}
