#include "context/notes_search_contents.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "base/xalloc.h"
#include "context/bounds.h"
#include "context/fence.h"
#include "context/parameters.h"
#include "context/virtual_path.h"
#include "tool/budget.h"

#define LINE_CHARS 300

/* ---- one file ---------------------------------------------------------- */

static void
add_line(struct notes_search_file *file, int64_t number, struct str line)
{
	struct str shown = utf8_prefix(line, LINE_CHARS);
	char *bytes = xmemdup(shown.s, shown.n);

	XGROW(file->lines, file->n_lines + 1, file->cap_lines);
	file->lines[file->n_lines++] = (struct notes_search_line){
		number, { bytes, shown.n }, shown.n < line.n, bytes
	};
}

/* From match to match: what lies between is only counted in lines. */
static void
search_text(struct notes_search_file *file, struct str text, struct str query,
	    size_t most)
{
	const char *end = text.s + text.n, *at = text.s, *from = text.s;
	int64_t number = 1;

	while (at < end && (at = memmem(at, (size_t)(end - at), query.s,
					query.n)) != NULL) {
		const char *lf, *stop;

		while ((lf = memchr(from, '\n', (size_t)(at - from))) != NULL) {
			number++;
			from = lf + 1;
		}
		stop = memchr(at, '\n', (size_t)(end - at));
		if (stop == NULL)
			stop = end;
		if (file->n_lines < most)
			add_line(file, number,
				 (struct str){ from, (size_t)(stop - from) });
		file->match_count++;
		at = stop;
	}
}

/* ---- all of them ------------------------------------------------------- */

static int
by_creation(const void *a, const void *b)
{
	const struct note_file *x = a, *y = b;

	if (x->created_ms != y->created_ms)
		return x->created_ms < y->created_ms ? 1 : -1;
	return strcmp(x->path, y->path);
}

static void
release_file(struct notes_search_file *file)
{
	for (size_t i = 0; i < file->n_lines; i++)
		free(file->lines[i].bytes);
	free(file->lines);
	free(file->path);
}

/* Stops at the match that says that there are more. */
static void
search_files(struct notebook *nb, const struct note_files *files,
	     const struct notes_search_contents_args *args,
	     struct notes_search_contents_result *r)
{
	size_t most_files = (size_t)parameters_count(
		args->max_files, NOTES_SEARCH_FILES, NOTES_SEARCH_FILES_MOST);
	size_t most = (size_t)parameters_count(args->max_matches_per_file,
					       NOTES_SEARCH_MATCHES,
					       NOTES_SEARCH_MATCHES_MOST);
	struct buf text = BUF_INIT, path = BUF_INIT;

	for (size_t i = 0; i < files->n && !r->more_match; i++) {
		struct notes_search_file file = { 0 };
		struct str name = str_of(files->v[i].path);

		buf_reset(&text);
		if (files->v[i].bytes > NOTEBOOK_READ_BYTES ||
		    !notebook_peek(nb, name, &text)) {
			r->skipped++;
			continue;
		}
		search_text(&file, buf_str(&text), r->query, most);
		if (file.match_count == 0)
			continue;
		r->more_match = r->n_owned == most_files;
		if (r->more_match) {
			release_file(&file);
			break;
		}
		virtual_path_canonical(&path, nb->agent, name);
		file.path = buf_detach(&path);
		XGROW(r->owned, r->n_owned + 1, r->cap_owned);
		r->owned[r->n_owned++] = file;
		r->lines += file.n_lines;
	}
	buf_release(&text);
}

static int
search(struct context *c, const struct virtual_path *prefix,
       const struct notes_search_contents_args *args,
       struct notes_search_contents_result *r, struct fail *fail)
{
	struct note_files files = { 0 };
	struct notebook nb;
	int rc = notebook_open(&nb, c->dir, buf_str(&prefix->agent), fail);

	if (rc == 0)
		rc = notebook_list(&nb, buf_str(&prefix->relative), &files,
				   fail);
	if (rc == 0) {
		r->skipped = files.skipped;
		if (args->recent_file_first.v && files.n > 1)
			qsort(files.v, files.n, sizeof(*files.v), by_creation);
		search_files(&nb, &files, args, r);
	}
	notebook_files_release(&files);
	notebook_close(&nb);
	return rc;
}

/* ---- what fits --------------------------------------------------------- */

struct fitting {
	const struct tool_call *call;
	struct notes_search_contents_result *r;
	int64_t chars;
};

/* The first k lines of all; a file left without lines goes. */
static bool
fits(void *ctx, size_t k)
{
	struct fitting *f = ctx;
	struct notes_search_contents_result *r = f->r;
	size_t left = k, files = 0;

	for (size_t i = 0; i < r->n_owned && left > 0; i++) {
		struct notes_search_file *file = &r->owned[i];
		size_t n = file->n_lines < left ? file->n_lines : left;

		file->matches = (struct field_list){ file->lines, n };
		left -= n;
		files++;
	}
	r->files = (struct field_list){ r->owned, files };
	r->has_more = r->more_match || k < r->lines;
	return budget_holds_chars(f->call->tool, r, f->chars);
}

static int
run(struct context *c, const struct tool_call *call,
    struct notes_search_contents_result *r, struct fail *fail)
{
	const struct notes_search_contents_args *args = call->args;
	struct virtual_path prefix = VIRTUAL_PATH_INIT;
	struct str given = { args->path_prefix.s, args->path_prefix.n };
	struct fitting f = { .call = call, .r = r };
	size_t k;
	int rc = -1;

	if (context_open(c, call->facts, call->remarks, CONTEXT_READ, fail) !=
		    0 ||
	    virtual_path_parse_prefix(&prefix, given, c->agent, fail) != 0 ||
	    agents_require(&c->agents, buf_str(&prefix.agent), fail) != 0 ||
	    fence_admit(c, call->tool->name, false, fail) != 0 ||
	    search(c, &prefix, args, r, fail) != 0)
		goto out;
	f.chars = c->policy.output_chars;
	k = budget_items(0, r->lines, fits, &f);
	if (k == BUDGET_NONE || (k == 0 && r->lines > 0)) {
		rc = bounds_refuse("the first matching line", fail);
	} else {
		(void)fits(&f, k);
		rc = 0;
	}
out:
	virtual_path_release(&prefix);
	return rc;
}

static int
check(const struct notes_search_contents_args *args, struct fail *fail)
{
	if (parameters_not_empty("query", args->query, fail) != 0)
		return -1;
	if (!str_has(arg_str(args->query), '\n'))
		return 0;
	return fail_invalid(fail, "query: text with a newline given; legal: "
				  "text of one line, since lines are what is "
				  "searched");
}

int
notes_search_contents_run(const struct tool_call *call, void *result,
			  struct fail *fail)
{
	const struct notes_search_contents_args *args = call->args;
	struct notes_search_contents_result *r = result;
	struct context c;
	int rc;

	if (check(args, fail) != 0)
		return -1;
	r->query = arg_str(args->query);
	rc = run(&c, call, r, fail);
	context_close(&c);
	return rc;
}

/* ---- text -------------------------------------------------------------- */

static void
show_file(const struct notes_search_file *file, struct buf *out)
{
	const struct notes_search_line *lines = file->matches.v;
	int64_t rest = file->match_count - (int64_t)file->matches.n;

	for (size_t i = 0; i < file->matches.n; i++) {
		bounds_show(out, str_of(file->path));
		buf_addf(out, ":%" PRId64 ": ", lines[i].line);
		bounds_show(out, lines[i].text);
		buf_adds(out, lines[i].truncated ? " [truncated]\n" : "\n");
	}
	if (rest > 0) {
		bounds_show(out, str_of(file->path));
		buf_addf(out, ": %" PRId64 " more matching lines\n", rest);
	}
}

void
notes_search_contents_person(const void *result, const struct terminal *t,
			     struct buf *out)
{
	const struct notes_search_contents_result *r = result;
	const struct notes_search_file *files = r->files.v;

	for (size_t i = 0; i < r->files.n; i++)
		show_file(&files[i], out);
	if (r->files.n == 0) {
		buf_adds(out, "No matches for \"");
		bounds_show_query(out, r->query);
		buf_adds(out, "\".\n");
	}
	if (r->has_more)
		buf_adds(out, t == NULL
				      ? "[more files match; raise max_files or "
					"narrow path_prefix]\n"
				      : "[more files match; raise --max-files "
					"or narrow --path-prefix]\n");
	if (r->skipped > 0)
		buf_addf(out, "[%" PRId64 " entries skipped: not note files]\n",
			 r->skipped);
	/* The last line feed is not part of a text; out may be full. */
	if (out->len > 0)
		buf_truncate(out, out->len - 1);
}

void
notes_search_contents_text(const void *result, struct buf *out)
{
	notes_search_contents_person(result, NULL, out);
}

void
notes_search_contents_release(void *result)
{
	struct notes_search_contents_result *r = result;

	for (size_t i = 0; i < r->n_owned; i++)
		release_file(&r->owned[i]);
	free(r->owned);
}
