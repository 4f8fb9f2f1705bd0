#include "notes/dream_begin.h"

#include <inttypes.h>
#include <sha2.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "notes/note.h"
#include "tool/budget.h"
#include "tool/result.h"

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
	dream->notes++;
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
	if (!row.meta.crumpled)
		row.meta.crumpled_at = FIELD_NONE;
	row.bytes = st.st_size;
	if (is_wanted(d->dream, &row.meta)) {
		row.address = xmemdup(note->address.s, note->address.n);
		row.project_key = survey_project_key(&d->dream->survey,
						     row.address);
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

static int
by_first_address(const void *a, const void *b)
{
	const struct field_list *x = a, *y = b;

	return str_cmp(*(const struct str *)x->v, *(const struct str *)y->v);
}

static bool
same_body(const struct dream_row *x, const struct dream_row *y)
{
	return memcmp(x->digest, y->digest, DREAM_DIGEST_SIZE) == 0;
}

/* Shows the first k groups. */
static bool
groups_fit(void *ctx, size_t k)
{
	static const struct field list = { .type = FIELD_STRING_LISTS };
	struct dream_begin_result *dream = ctx;
	struct json_writer w;
	struct buf out;
	bool fits;

	dream->duplicates = (struct field_list){ dream->groups, k };
	dream->duplicates_more = (int64_t)(dream->n_groups - k);
	buf_init(&out, GROUPS_BYTES);
	json_begin(&w, &out);
	result_value(&w, &list, &dream->duplicates);
	fits = !out.full;
	buf_release(&out);
	return fits;
}

/* Takes the addresses of n notes that have the same text. */
static void
add_group(struct dream_begin_result *dream, struct str *same,
	  const struct dream_row *const *rows, size_t n)
{
	for (size_t i = 0; i < n; i++)
		same[i] = str_of(rows[i]->address);
	XGROW(dream->groups, dream->n_groups + 1, dream->cap_groups);
	dream->groups[dream->n_groups++] = (struct field_list){ same, n };
}

static void
find_groups(struct dream_begin_result *dream)
{
	const struct dream_row **rows = xcalloc(dream->n, sizeof(*rows));
	size_t i, j, n = 0;

	dream->same = xcalloc(dream->n, sizeof(*dream->same));
	for (i = 0; i < dream->n; i++)
		if (dream->rows[i].has_body)
			rows[n++] = &dream->rows[i];
	if (n > 1)
		qsort(rows, n, sizeof(*rows), by_digest);
	for (i = 0; i < n; i = j) {
		for (j = i + 1; j < n; j++)
			if (!same_body(rows[i], rows[j]))
				break;
		if (j - i > 1)
			add_group(dream, &dream->same[i], &rows[i], j - i);
	}
	free(rows);
	if (dream->n_groups > 1)
		qsort(dream->groups, dream->n_groups, sizeof(*dream->groups),
		      by_first_address);
	(void)groups_fit(dream,
			 budget_items(0, dream->n_groups, groups_fit, dream));
}

/* ---- fitting ----------------------------------------------------------- */

static int
fit(const struct tool *tool, struct dream_begin_result *dream,
    const struct arg_integer *limit, struct fail *fail)
{
	struct budget_list list = { .tool = tool,
				    .result = dream,
				    .rows = &dream->files,
				    .total = (int64_t)dream->n,
				    .left = &dream->more };

	dream->files = (struct field_list){ dream->rows, dream->n };
	if (limit->given && (size_t)limit->v < dream->n)
		dream->files.n = (size_t)limit->v;
	if (budget_list(&list))
		return 0;
	return fail_refuse(fail, "output_too_large",
			   "the names of the homes that could not be read "
			   "leave no room for notes; narrow with glob or "
			   "unused_days");
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
	return fit(call->tool, dream, &args->limit, fail);
}

void
dream_begin_release(void *result)
{
	struct dream_begin_result *dream = result;

	for (size_t i = 0; i < dream->n; i++)
		free(dream->rows[i].address);
	free(dream->rows);
	free(dream->same);
	free(dream->groups);
	survey_release(&dream->survey);
	*dream = (struct dream_begin_result){ 0 };
}

/* ---- rendering --------------------------------------------------------- */

static void
groups_text(const struct dream_begin_result *dream, struct buf *out)
{
	for (size_t i = 0; i < dream->duplicates.n; i++) {
		const struct str *same = dream->groups[i].v;

		buf_adds(out, "\nsame text: ");
		for (size_t j = 0; j < dream->groups[i].n; j++) {
			buf_adds(out, j == 0 ? "" : ", ");
			buf_add_str(out, same[j]);
		}
	}
	if (dream->duplicates_more > 0)
		buf_addf(out,
			 "\n%" PRId64 " more groups of the same text omitted",
			 dream->duplicates_more);
}

static void
row_text(struct buf *out, const struct terminal *t, const struct survey *survey,
	 const struct dream_row *row)
{
	const struct note_meta *meta = &row->meta;

	buf_adds(out, "\n- ");
	survey_text_identity(out, t, survey, row->address);
	survey_text_time(out, t, " | accessed ", meta->last_accessed);
	buf_addf(out, " (%" PRId64 ")", meta->access_count);
	survey_text_time(out, t, " | updated ", meta->updated_at);
	buf_addf(out, " | origin %s | %" PRId64 " bytes",
		 note_origins[meta->origin], row->bytes);
	if (meta->crumpled)
		survey_text_time(out, t, " | crumpled ", meta->crumpled_at);
}

void
dream_begin_person(const void *result, const struct terminal *t,
		   struct buf *out)
{
	const struct dream_begin_result *dream = result;

	buf_addf(out,
		 "%zu of %" PRId64 " notes | %" PRId64 " crumpled | %" PRId64
		 " bytes",
		 dream->files.n, dream->notes, dream->crumpled, dream->bytes);
	for (size_t i = 0; i < dream->files.n; i++)
		row_text(out, t, &dream->survey, &dream->rows[i]);
	groups_text(dream, out);
	if (dream->more > 0)
		buf_addf(out,
			 "\n%" PRId64 " more matching notes omitted; narrow "
			 "with glob or unused_days",
			 dream->more);
	survey_text(&dream->survey, out);
}

void
dream_begin_text(const void *result, struct buf *out)
{
	dream_begin_person(result, NULL, out);
}
