#include "history/head.h"

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

#include "base/utf8.h"
#include "base/visible.h"
#include "transcript/document.h"

/* A spill file is named only while it is there. */
static bool
exists(struct str path)
{
	struct stat st;

	return path.n > 0 && path.s[0] == '/' &&
	       memchr(path.s, '\0', path.n) == NULL && stat(path.s, &st) == 0 &&
	       S_ISREG(st.st_mode);
}

void
head_set(struct head *h, struct str session, const struct event *e)
{
	struct str nested = e->result.nested;

	h->session = session;
	h->seq = e->seq;
	h->role = e->role;
	h->has_created_at = e->has_created_at;
	if (e->has_created_at)
		buf_add_str(&h->created_at, buf_str(&e->created_at));
	if (e->role != ROLE_TOOL)
		return;
	buf_add_str(&h->tool, e->tool);
	h->status = e->status;
	h->truncated = e->result.truncated;
	if (exists(buf_str(&e->result.path)))
		buf_add_str(&h->path, buf_str(&e->result.path));
	h->has_nested = nested.n > 0;
	if (h->has_nested) {
		h->nested_count = document_nested_count(nested);
		h->nested_complete = document_nested_complete(nested);
	}
}

void
head_release(struct head *h)
{
	buf_release(&h->created_at);
	buf_release(&h->tool);
	buf_release(&h->path);
}

static void
tool_json(struct json_writer *w, const struct head *h, bool nested)
{
	if (!h->name_omitted)
		json_member_string(w, "tool", buf_str(&h->tool));
	json_member_string(w, "tool_status",
			   str_of(decoder_status_names[h->status]));
	if (h->truncated)
		json_member_boolean(w, "output_truncated", true);
	if (h->path.len > 0)
		json_member_string(w, "full_output_path", buf_str(&h->path));
	if (nested && h->has_nested) {
		json_key(w, "nested_calls");
		json_open_object(w);
		json_member_integer(w, "call_count", (int64_t)h->nested_count);
		json_member_boolean(w, "complete", h->nested_complete);
		json_close_object(w);
	}
	if (h->name_omitted)
		json_member_boolean(w, "tool_name_omitted", true);
}

void
head_json(struct json_writer *w, const struct head *h, bool nested)
{
	if (h->session.n > 0)
		json_member_string(w, "session", h->session);
	json_member_integer(w, "seq", h->seq);
	json_member_string(w, "role", str_of(decoder_role_names[h->role]));
	if (h->has_created_at)
		json_member_string(w, "created_at", buf_str(&h->created_at));
	else
		json_member_null(w, "created_at");
	if (h->role == ROLE_TOOL)
		tool_json(w, h, nested);
}

void
head_session_text(struct buf *out, struct str session)
{
	if (session.n == 0)
		return;
	buf_adds(out, "session ");
	visible_field(out, session);
	buf_adds(out, " | ");
}

static void
tool_text(struct buf *out, const struct head *h, bool nested)
{
	buf_adds(out, "\ntool ");
	if (h->name_omitted)
		buf_adds(out, "name omitted");
	else
		visible_field(out, buf_str(&h->tool));
	buf_addf(out, " | status %s", decoder_status_names[h->status]);
	if (h->truncated)
		buf_adds(out, " | output truncated");
	if (h->path.len > 0) {
		buf_adds(out, ", full text at ");
		visible_field(out, buf_str(&h->path));
	}
	if (nested && h->has_nested)
		buf_addf(out, " | nested calls %" PRIu64 " recorded, %s",
			 h->nested_count,
			 h->nested_complete ? "complete" : "incomplete");
}

void
head_text(struct buf *out, const struct head *h, bool nested)
{
	head_session_text(out, h->session);
	buf_addf(out, "seq %" PRIu32 " | %s", h->seq,
		 decoder_role_names[h->role]);
	if (h->role == ROLE_TOOL)
		tool_text(out, h, nested);
}

/* ---- what could not be read -------------------------------------------- */

struct damage
head_damage(const struct transcript *t)
{
	return (struct damage){
		.lines_skipped = (int64_t)t->lines_skipped,
		.records_repeated = (int64_t)t->records_repeated,
		.base_missing = t->base_missing,
	};
}

void
head_damage_json(struct json_writer *w, const struct damage *d)
{
	if (d->lines_skipped > 0)
		json_member_integer(w, "lines_skipped", d->lines_skipped);
	if (d->records_repeated > 0)
		json_member_integer(w, "records_repeated", d->records_repeated);
	if (d->base_missing)
		json_member_boolean(w, "base_missing", true);
}

void
head_damage_text(struct buf *out, const struct damage *d)
{
	if (d->lines_skipped > 0)
		buf_addf(out, "%" PRId64 " malformed line%s skipped\n",
			 d->lines_skipped, d->lines_skipped == 1 ? "" : "s");
	if (d->records_repeated > 0)
		buf_addf(out, "%" PRId64 " repeated record%s skipped\n",
			 d->records_repeated,
			 d->records_repeated == 1 ? "" : "s");
	if (d->base_missing)
		buf_adds(out, "earlier history is missing: the file it "
			      "continues is gone\n");
}

/* ---- the host's wrapper ------------------------------------------------ */

int
head_wrapper(struct wrapper *w, const struct facts *facts, struct fail *fail)
{
	w->prefix = str_of(fact(facts, FACT_TEXT_PREFIX));
	w->suffix = str_of(fact(facts, FACT_TEXT_SUFFIX));
	if (!utf8_valid(w->prefix))
		return fail_environment(fail,
					"CTX_TEXT_PREFIX: not valid UTF-8");
	if (!utf8_valid(w->suffix))
		return fail_environment(fail,
					"CTX_TEXT_SUFFIX: not valid UTF-8");
	if (w->prefix.n + w->suffix.n > HEAD_WRAPPER_BYTES)
		return fail_environment(fail,
					"CTX_TEXT_PREFIX and CTX_TEXT_SUFFIX: "
					"%zu bytes together; at most %d are "
					"taken",
					w->prefix.n + w->suffix.n,
					HEAD_WRAPPER_BYTES);
	return 0;
}
