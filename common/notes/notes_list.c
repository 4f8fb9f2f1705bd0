#include "notes/notes_list.h"

#include "base/xalloc.h"
#include "tool/budget.h"

struct listing {
	struct notes_list_result *list;
	struct buf head;
};

int
notes_list_cmp(int64_t updated_a, const char *address_a, int64_t updated_b,
	       const char *address_b)
{
	if (updated_a != updated_b)
		return updated_a > updated_b ? -1 : 1;
	return strcmp(address_a, address_b);
}

static int
row_cmp(const void *a, const void *b)
{
	const struct notes_list_row *x = a, *y = b;

	return notes_list_cmp(x->updated_at, x->address, y->updated_at,
			      y->address);
}

static void
sort_rows(struct notes_list_result *list)
{
	if (list->n > 1)
		qsort(list->rows, list->n, sizeof(*list->rows), row_cmp);
}

static void
add_row(struct notes_list_result *list, struct str address,
	const struct note_meta *meta)
{
	XGROW(list->rows, list->n + 1, list->cap);
	list->rows[list->n++] = (struct notes_list_row){
		.address = xmemdup(address.s, address.n),
		.updated_at = meta->updated_at,
		.crumpled = meta->crumpled,
		.crumpled_at = meta->crumpled_at
	};
}

static void
visit(void *ctx, const struct survey_note *note, struct survey_tally *tally)
{
	struct listing *l = ctx;
	struct front_matter fm = FRONT_MATTER_INIT;
	struct note_meta meta;

	if (survey_peek(note, tally, &l->head, &fm, &meta, NULL)) {
		if (meta.crumpled && !l->list->wastebasket)
			l->list->crumpled_excluded++;
		else
			add_row(l->list, note->address, &meta);
	}
	front_matter_release(&fm);
}

static bool
fits(void *ctx, size_t k)
{
	struct notes_list_result *list = ctx;

	list->delivered = k;
	return budget_fits(notes_list_json, notes_list_text, list);
}

int
notes_list_fail_envelope(struct fail *fail)
{
	return fail_refuse(fail, "output_too_large",
			   "the names of the homes that could not be read "
			   "leave no room for notes; narrow with glob");
}

int
notes_list_run(const struct tool_call *call, void *result, struct fail *fail)
{
	const struct notes_list_args *args = call->args;
	struct notes_list_result *list = result;
	struct listing l = { list, BUF_INIT };
	size_t k, most;
	int rc;

	list->wastebasket = args->wastebasket.v;
	rc = survey_run(&list->survey, call->facts, &args->cwd, &args->glob,
			visit, &l, fail);
	buf_release(&l.head);
	if (rc < 0)
		return -1;
	sort_rows(list);
	most = list->n;
	if (args->limit.given && (size_t)args->limit.v < most)
		most = (size_t)args->limit.v;
	k = budget_items(0, most, fits, list);
	if (k == BUDGET_NONE)
		return notes_list_fail_envelope(fail);
	list->delivered = k;
	return 0;
}

void
notes_list_release(void *result)
{
	struct notes_list_result *list = result;
	size_t i;

	for (i = 0; i < list->n; i++)
		free(list->rows[i].address);
	free(list->rows);
	survey_release(&list->survey);
	*list = (struct notes_list_result){ 0 };
}

/* ---- rendering --------------------------------------------------------- */

void
notes_list_json_times(struct json_writer *w, const struct notes_list_row *row)
{
	survey_json_time(w, "updated_at", row->updated_at);
	if (row->crumpled)
		survey_json_time(w, "crumpled_at", row->crumpled_at);
}

void
notes_list_text_times(struct buf *out, const struct notes_list_row *row)
{
	survey_text_time(out, " | updated ", row->updated_at);
	if (row->crumpled)
		survey_text_time(out, " | crumpled ", row->crumpled_at);
}

void
notes_list_json(const void *result, struct buf *out)
{
	const struct notes_list_result *list = result;
	struct json_writer w;
	size_t i;

	json_begin(&w, out);
	json_open_object(&w);
	json_key(&w, "files");
	json_open_array(&w);
	for (i = 0; i < list->delivered; i++) {
		json_open_object(&w);
		survey_json_identity(&w, &list->survey, list->rows[i].address);
		notes_list_json_times(&w, &list->rows[i]);
		json_close_object(&w);
	}
	json_close_array(&w);
	json_member_integer(&w, "more", (int64_t)(list->n - list->delivered));
	json_member_integer(&w, "crumpled_excluded",
			    (int64_t)list->crumpled_excluded);
	survey_json(&list->survey, &w);
	json_close_object(&w);
}

void
notes_list_text_trailers(struct buf *out, const struct survey *survey,
			 size_t more, const char *noun,
			 size_t crumpled_excluded)
{
	if (more > 0) {
		survey_line(out);
		survey_count(out, more, "more matching ", noun);
		buf_adds(out, " omitted; narrow with glob");
	}
	if (crumpled_excluded > 0) {
		survey_line(out);
		survey_count(out, crumpled_excluded, "crumpled ", "note");
		buf_adds(out, " hidden; pass wastebasket to include");
	}
	survey_text(survey, out);
}

void
notes_list_text(const void *result, struct buf *out)
{
	const struct notes_list_result *list = result;
	size_t i;

	survey_count(out, list->delivered, "", "note");
	for (i = 0; i < list->delivered; i++) {
		buf_adds(out, "\n- ");
		survey_text_identity(out, &list->survey, list->rows[i].address);
		notes_list_text_times(out, &list->rows[i]);
	}
	notes_list_text_trailers(out, &list->survey, list->n - list->delivered,
				 "note", list->crumpled_excluded);
}
