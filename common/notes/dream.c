#include "notes/dream.h"

#include <inttypes.h>
#include <sha2.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "notes/note.h"
#include "notes/peek.h"
#include "tool/budget.h"

#define MS_PER_DAY INT64_C(86400000)

struct dreaming {
	struct dream *dream;
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
	return peek_head(fd, &d->file) == 0;
}

static bool
is_wanted(const struct dream *dream, const struct note_meta *meta)
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
add_row(struct dream *dream, const struct dream_row *row)
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

static bool
fits(void *ctx, size_t k)
{
	struct dream *dream = ctx;

	dream->delivered = k;
	return budget_fits(dream_json, dream_text, dream);
}

static int
fit(struct dream *dream, const struct arg_integer *limit, struct fail *fail)
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
dream_run(const struct tool_call *call, void *result, struct fail *fail)
{
	const struct dream_args *args = call->args;
	struct dream *dream = result;
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
	dream_find_groups(dream);
	return fit(dream, &args->limit, fail);
}

void
dream_release(void *result)
{
	struct dream *dream = result;
	size_t i;

	for (i = 0; i < dream->n; i++)
		free(dream->rows[i].address);
	free(dream->rows);
	dream_release_groups(dream);
	survey_release(&dream->survey);
	*dream = (struct dream){ 0 };
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

void
dream_json(const void *result, struct buf *out)
{
	const struct dream *dream = result;
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
	dream_groups_json(dream, &w);
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
dream_text(const void *result, struct buf *out)
{
	const struct dream *dream = result;
	size_t i;

	buf_addf(out, "%zu of %zu notes | %zu crumpled | %" PRIu64 " bytes",
		 dream->delivered, dream->n, dream->crumpled, dream->bytes);
	for (i = 0; i < dream->delivered; i++)
		row_text(out, &dream->survey, &dream->rows[i]);
	dream_groups_text(dream, out);
	if (dream->delivered < dream->n)
		buf_addf(out,
			 "\n%zu more matching notes omitted; narrow with glob "
			 "or unused_days",
			 dream->n - dream->delivered);
	survey_text(&dream->survey, out);
}
