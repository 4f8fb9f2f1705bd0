#include "context/notes_read_file.h"

#include <inttypes.h>
#include <stdlib.h>

#include "context/bounds.h"
#include "context/excerpt.h"
#include "context/fence.h"
#include "context/line_range.h"
#include "context/parameters.h"
#include "context/virtual_path.h"
#include "tool/terminal.h"

/* ---- arguments --------------------------------------------------------- */

static int
check_line(const char *name, struct arg_integer line, struct fail *fail)
{
	if (!line.given ||
	    (line.v != 0 && line.v != PARAM_ANY_MIN && line.v != PARAM_ANY_MAX))
		return 0;
	return fail_invalid(fail,
			    "%s: %" PRId64 " given; legal: lines are 1-based, "
			    "and negative values count from the end",
			    name, line.v);
}

static int
check(const struct notes_read_file_args *args, struct fail *fail)
{
	if (parameters_not_empty("path", args->path, fail) != 0 ||
	    check_line("start_line", args->start_line, fail) != 0)
		return -1;
	return check_line("stop_line", args->stop_line, fail);
}

/* ---- reading ----------------------------------------------------------- */

static int
select_lines(struct notes_read_file_result *r,
	     const struct notes_read_file_args *args, struct line_range *range,
	     struct fail *fail)
{
	struct line_bound start = { args->start_line.v,
				    args->start_line.given };
	struct line_bound stop = { args->stop_line.v, args->stop_line.given };
	bool any = line_range_select(range, buf_str(&r->text), start, stop);

	r->start_line = range->start;
	r->stop_line = range->stop;
	r->line_count = range->count;
	if (any)
		return 0;
	return fail_refuse(fail, "empty_range",
			   "line range %" PRId64 "..%" PRId64
			   " is empty: %s has %" PRId64 " lines",
			   range->start, range->stop, r->path, range->count);
}

static void
show(void *result, const struct excerpt *excerpt)
{
	struct notes_read_file_result *r = result;

	r->content = excerpt->text;
	r->shown = excerpt->shown;
	r->offset_chars = excerpt->offset;
	r->total_chars = excerpt->total;
	r->next_offset_chars = excerpt->next;
}

static int
read_note(struct context *c, const struct virtual_path *path,
	  struct notes_read_file_result *r, struct fail *fail)
{
	struct note_file facts = { 0 };
	struct buf canonical = BUF_INIT;
	struct notebook nb;
	int rc = notebook_open(&nb, c->dir, buf_str(&path->agent), fail);

	if (rc == 0)
		rc = notebook_read(&nb, buf_str(&path->relative), &r->text,
				   &facts, fail);
	notebook_close(&nb);
	virtual_path_canonical(&canonical, buf_str(&path->agent),
			       buf_str(&path->relative));
	r->path = buf_detach(&canonical);
	r->bytes = facts.bytes;
	r->created_ms = facts.created_ms;
	r->updated_ms = facts.updated_ms;
	return rc;
}

static int
run(struct context *c, const struct tool_call *call,
    struct notes_read_file_result *r, struct fail *fail)
{
	const struct notes_read_file_args *args = call->args;
	struct virtual_path path = VIRTUAL_PATH_INIT;
	struct line_range range;
	int64_t most;
	int rc = -1;

	if (context_open(c, call->facts, call->remarks, CONTEXT_READ, fail) !=
		    0 ||
	    virtual_path_parse(&path, arg_str(args->path), c->agent, fail) !=
		    0 ||
	    agents_require(&c->agents, buf_str(&path.agent), fail) != 0 ||
	    fence_admit(c, call->tool->name, false, fail) != 0 ||
	    read_note(c, &path, r, fail) != 0 ||
	    select_lines(r, args, &range, fail) != 0)
		goto out;
	most = c->policy.output_chars;
	rc = excerpt_fit(call->tool, r, show, range.text, args->offset_chars.v,
			 parameters_count(args->limit_chars, most, most), most,
			 fail);
out:
	virtual_path_release(&path);
	return rc;
}

int
notes_read_file_run(const struct tool_call *call, void *result,
		    struct fail *fail)
{
	struct notes_read_file_result *r = result;
	struct context c;
	int rc;

	buf_init(&r->text, BUF_UNLIMITED);
	if (check(call->args, fail) != 0)
		return -1;
	rc = run(&c, call, r, fail);
	context_close(&c);
	return rc;
}

void
notes_read_file_person(const void *result, const struct terminal *t,
		       struct buf *out)
{
	const struct notes_read_file_result *r = result;

	buf_adds(out, "--- ");
	bounds_show(out, str_of(r->path));
	buf_addf(out, " (%" PRId64 " chars", r->total_chars);
	excerpt_add_range(out, r->offset_chars, r->shown, r->total_chars);
	buf_adds(out, ") ---\n");
	bounds_show(out, r->content);
	terminal_continuation(out, t, r->next_offset_chars);
}

void
notes_read_file_text(const void *result, struct buf *out)
{
	notes_read_file_person(result, NULL, out);
}

void
notes_read_file_release(void *result)
{
	struct notes_read_file_result *r = result;

	free(r->path);
	buf_release(&r->text);
}
