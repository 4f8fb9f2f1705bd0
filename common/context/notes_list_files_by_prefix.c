#include "context/notes_list_files_by_prefix.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/timestamp.h"
#include "base/xalloc.h"
#include "context/bounds.h"
#include "context/fence.h"
#include "context/parameters.h"
#include "context/virtual_path.h"
#include "tool/budget.h"

/* ---- order ------------------------------------------------------------- */

static int
by_name(const void *a, const void *b)
{
	const struct notes_list_file *x = a, *y = b;

	return strcmp(x->path, y->path);
}

static int
by_creation(const void *a, const void *b)
{
	const struct notes_list_file *x = a, *y = b;

	if (x->created_ms != y->created_ms)
		return x->created_ms < y->created_ms ? -1 : 1;
	return by_name(a, b);
}

static int
by_update(const void *a, const void *b)
{
	const struct notes_list_file *x = a, *y = b;

	if (x->updated_ms != y->updated_ms)
		return x->updated_ms < y->updated_ms ? -1 : 1;
	return by_name(a, b);
}

static void
sort(struct notes_list_files_result *r,
     const struct notes_list_files_args *args)
{
	static int (*const compare[])(const void *,
				      const void *) = { by_name, by_creation,
							by_update };
	struct notes_list_file *v = r->owned;
	size_t n = r->n_owned;

	/* By name they are already. */
	if (n > 1 && args->order_by.given &&
	    args->order_by.v != NOTES_ORDER_NAME)
		qsort(v, n, sizeof(*v), compare[args->order_by.v]);
	/* The whole order is reversed, that of equals included. */
	if (!args->order.given || args->order.v != NOTES_DESCENDING)
		return;
	for (size_t i = 0; i < n / 2; i++) {
		struct notes_list_file swap = v[i];

		v[i] = v[n - 1 - i];
		v[n - 1 - i] = swap;
	}
}

/* ---- the list ---------------------------------------------------------- */

struct str *
notes_list_files_warnings(struct str text, struct field_list *list)
{
	struct str *lines = NULL;
	size_t cap = 0;

	*list = (struct field_list){ 0 };
	while (text.n > 0) {
		XGROW(lines, list->n + 1, cap);
		lines[list->n++] = str_cut(&text, '\n');
	}
	list->v = lines;
	return lines;
}

static void
warn(struct context *c, const struct note_files *own,
     struct notes_list_files_result *r)
{
	notebook_warnings(own, c->agent, c->policy.note_bytes, &r->advice);
	r->lines = notes_list_files_warnings(buf_str(&r->advice), &r->warnings);
}

/* The advice is on all of the own notes, whatever is listed. */
static int
warn_of_own(struct context *c, struct notes_list_files_result *r,
	    struct fail *fail)
{
	struct note_files own = { 0 };
	int rc = notebook_list(&c->own, STR(""), &own, fail);

	if (rc == 0)
		warn(c, &own, r);
	notebook_files_release(&own);
	return rc;
}

/* Takes the files over, but for their paths: those that are shown get theirs. */
static int
gather(struct context *c, const struct virtual_path *prefix,
       struct notes_list_files_result *r, struct fail *fail)
{
	bool own = str_eq(buf_str(&prefix->agent), c->agent);
	struct note_files files = { 0 };
	struct notebook other;
	int rc = 0;

	if (own) {
		rc = notebook_list(&c->own, buf_str(&prefix->relative), &files,
				   fail);
	} else {
		rc = notebook_open(&other, c->dir, buf_str(&prefix->agent),
				   fail);
		if (rc == 0)
			rc = notebook_list(&other, buf_str(&prefix->relative),
					   &files, fail);
		notebook_close(&other);
	}
	r->skipped = files.skipped;
	r->owned = xcalloc(files.n + 1, sizeof(*r->owned));
	for (size_t i = 0; i < files.n; i++) {
		r->owned[r->n_owned++] = (struct notes_list_file){
			files.v[i].path, files.v[i].bytes,
			files.v[i].created_ms, files.v[i].updated_ms
		};
	}
	if (rc == 0 && own && prefix->relative.len == 0)
		warn(c, &files, r);
	else if (rc == 0)
		rc = warn_of_own(c, r, fail);
	/* The paths are the result's now. */
	files.n = 0;
	notebook_files_release(&files);
	return rc;
}

static void
name_files(struct notes_list_files_result *r, struct str agent, size_t n)
{
	struct buf path = BUF_INIT;

	for (size_t i = 0; i < n; i++) {
		virtual_path_canonical(&path, agent, str_of(r->owned[i].path));
		free(r->owned[i].path);
		r->owned[i].path = buf_detach(&path);
	}
}

static int
fit(const struct tool_call *call, struct context *c, struct str agent,
    struct notes_list_files_result *r, struct fail *fail)
{
	const struct notes_list_files_args *args = call->args;
	struct budget_list list = { .tool = call->tool,
				    .result = r,
				    .chars = c->policy.output_chars,
				    .rows = &r->files,
				    .whole_first = true,
				    .total = (int64_t)r->n_owned,
				    .has_more = &r->has_more };
	size_t n = (size_t)parameters_count(args->max_results, NOTES_LIST_FILES,
					    NOTES_LIST_FILES_MOST);

	n = n < r->n_owned ? n : r->n_owned;
	name_files(r, agent, n);
	r->files = (struct field_list){ r->owned, n };
	return budget_list(&list) ? 0 : bounds_refuse("the list's frame", fail);
}

static int
run(struct context *c, const struct tool_call *call,
    struct notes_list_files_result *r, struct fail *fail)
{
	const struct notes_list_files_args *args = call->args;
	struct virtual_path prefix = VIRTUAL_PATH_INIT;
	struct str given = { args->prefix.s, args->prefix.n };
	int rc = -1;

	if (context_open(c, call->facts, call->remarks, CONTEXT_READ, fail) !=
		    0 ||
	    virtual_path_parse_prefix(&prefix, given, c->agent, fail) != 0 ||
	    agents_require(&c->agents, buf_str(&prefix.agent), fail) != 0 ||
	    fence_admit(c, call->tool->name, false, fail) != 0 ||
	    gather(c, &prefix, r, fail) != 0)
		goto out;
	sort(r, args);
	rc = fit(call, c, buf_str(&prefix.agent), r, fail);
out:
	virtual_path_release(&prefix);
	return rc;
}

int
notes_list_files_run(const struct tool_call *call, void *result,
		     struct fail *fail)
{
	struct notes_list_files_result *r = result;
	struct context c;
	int rc;

	buf_init(&r->advice, BUF_UNLIMITED);
	rc = run(&c, call, r, fail);
	context_close(&c);
	return rc;
}

void
notes_list_files_person(const void *result, const struct terminal *t,
			struct buf *out)
{
	const struct notes_list_files_result *r = result;
	const struct notes_list_file *v = r->files.v;
	const struct str *warnings = r->warnings.v;
	char at[TIMESTAMP_SIZE];

	for (size_t i = 0; i < r->files.n; i++) {
		timestamp_utc(v[i].updated_ms, at);
		bounds_show(out, str_of(v[i].path));
		buf_addf(out, " (%" PRId64 " bytes, updated %s)\n", v[i].bytes,
			 at);
	}
	if (r->files.n == 0)
		buf_adds(out, "No note files.\n");
	if (r->has_more)
		buf_adds(out, t == NULL ? "[more files match; narrow the "
					  "prefix or raise max_results]\n"
					: "[more files match; narrow the "
					  "prefix or raise --max-results]\n");
	for (size_t i = 0; i < r->warnings.n; i++) {
		bounds_show(out, warnings[i]);
		buf_addc(out, '\n');
	}
	if (r->skipped > 0)
		buf_addf(out, "[%" PRId64 " entries skipped: not note files]\n",
			 r->skipped);
	/* The last line feed is not part of a text; out may be full. */
	if (out->len > 0)
		buf_truncate(out, out->len - 1);
}

void
notes_list_files_text(const void *result, struct buf *out)
{
	notes_list_files_person(result, NULL, out);
}

void
notes_list_files_release(void *result)
{
	struct notes_list_files_result *r = result;

	for (size_t i = 0; i < r->n_owned; i++)
		free(r->owned[i].path);
	free(r->owned);
	free(r->lines);
	buf_release(&r->advice);
}
