#include "notes/notes_list.h"

#include "base/xalloc.h"
#include "tool/budget.h"

#define ROW(member) offsetof(struct notes_list_row, member)

const struct field notes_list_row_fields[] = {
	{ MEMBER(ROW, address, FIELD_CHARS) },
	{ MEMBER(ROW, project_key, FIELD_CHARS), .optional = true },
	{ MEMBER(ROW, updated_at, FIELD_TIME) },
	{ MEMBER(ROW, crumpled_at, FIELD_TIME), .optional = true },
	FIELD_END
};

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

struct notes_list_row
notes_list_row(const struct survey *survey, struct str address,
	       const struct note_meta *meta)
{
	return (struct notes_list_row){
		.address = xmemdup(address.s, address.n),
		.project_key = survey_project_key(survey, address.s),
		.updated_at = meta->updated_at,
		.crumpled_at = meta->crumpled ? meta->crumpled_at : FIELD_NONE
	};
}

static void
visit(void *ctx, const struct survey_note *note, struct survey_tally *tally)
{
	struct listing *l = ctx;
	struct notes_list_result *list = l->list;
	struct front_matter fm = FRONT_MATTER_INIT;
	struct note_meta meta;

	if (!survey_peek(note, tally, &l->head, &fm, &meta, NULL)) {
		;
	} else if (meta.crumpled && !list->wastebasket) {
		list->crumpled_excluded++;
	} else {
		XGROW(list->rows, list->n + 1, list->cap);
		list->rows[list->n++] = notes_list_row(&list->survey,
						       note->address, &meta);
	}
	front_matter_release(&fm);
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
	struct budget_list shown = { .tool = call->tool,
				     .result = list,
				     .rows = &list->files,
				     .left = &list->more };
	int rc;

	list->wastebasket = args->wastebasket.v;
	rc = survey_run(&list->survey, call->facts, &args->cwd, &args->glob,
			visit, &l, fail);
	buf_release(&l.head);
	if (rc < 0)
		return -1;
	sort_rows(list);
	list->files = (struct field_list){ list->rows, list->n };
	if (args->limit.given && (size_t)args->limit.v < list->n)
		list->files.n = (size_t)args->limit.v;
	shown.total = (int64_t)list->n;
	return budget_list(&shown) ? 0 : notes_list_fail_envelope(fail);
}

void
notes_list_release(void *result)
{
	struct notes_list_result *list = result;

	for (size_t i = 0; i < list->n; i++)
		free(list->rows[i].address);
	free(list->rows);
	survey_release(&list->survey);
	*list = (struct notes_list_result){ 0 };
}

/* ---- rendering --------------------------------------------------------- */

void
notes_list_text_times(struct buf *out, const struct terminal *t,
		      const struct notes_list_row *row)
{
	survey_text_time(out, t, " | updated ", row->updated_at);
	if (row->crumpled_at != FIELD_NONE)
		survey_text_time(out, t, " | crumpled ", row->crumpled_at);
}

void
notes_list_text_trailers(struct buf *out, const struct survey *survey,
			 int64_t more, const char *noun,
			 int64_t crumpled_excluded)
{
	if (more > 0) {
		survey_line(out);
		buf_add_count(out, (uint64_t)more, noun);
		buf_adds(out, " omitted; narrow with glob");
	}
	if (crumpled_excluded > 0) {
		survey_line(out);
		buf_add_count(out, (uint64_t)crumpled_excluded,
			      "crumpled note");
		buf_adds(out, " hidden; pass wastebasket to include");
	}
	survey_text(survey, out);
}

void
notes_list_person(const void *result, const struct terminal *t, struct buf *out)
{
	const struct notes_list_result *list = result;

	buf_add_count(out, list->files.n, "note");
	for (size_t i = 0; i < list->files.n; i++) {
		buf_adds(out, "\n- ");
		survey_text_identity(out, t, &list->survey,
				     list->rows[i].address);
		notes_list_text_times(out, t, &list->rows[i]);
	}
	notes_list_text_trailers(out, &list->survey, list->more,
				 "more matching note", list->crumpled_excluded);
}

void
notes_list_text(const void *result, struct buf *out)
{
	notes_list_person(result, NULL, out);
}
