#include "base/json_write.h"
#include "base/visible.h"
#include "notes/address.h"
#include "notes/note_update.h"
#include "tool/budget.h"

const char *const note_update_kinds[] = { "body", "metadata", "file", "none",
					  NULL };

void
note_update_json(const void *result, struct buf *out)
{
	const struct note_update_result *r = result;
	struct json_writer w;

	json_begin(&w, out);
	json_open_object(&w);
	json_member_string(&w, "address", str_of(r->address));
	if (r->project_key != NULL)
		json_member_string(&w, "project_key", str_of(r->project_key));
	if (r->rename_from != NULL)
		json_member_string(&w, "rename_from", str_of(r->rename_from));
	json_member_integer(&w, "applied", (int64_t)r->applied);
	json_member_string(&w, "change_kind",
			   str_of(note_update_kinds[r->kind]));
	json_close_object(&w);
}

static void
receipt_text(const struct note_update_result *r, struct buf *out)
{
	struct str address = str_of(r->address);

	if (r->rename_from != NULL) {
		buf_addf(out, "moved %s -> %s", r->rename_from, r->address);
		return;
	}
	buf_adds(out, r->kind == NOTE_UPDATE_NONE ? "unchanged " : "updated ");
	address_identity(out, address, r->project_key);
	if (r->kind == NOTE_UPDATE_BODY || r->kind == NOTE_UPDATE_FILE)
		buf_addf(out, ": %zu %s", r->applied,
			 r->applied == 1 ? "edit" : "edits");
	if (r->kind == NOTE_UPDATE_FILE)
		buf_adds(out, " and metadata");
	if (r->kind == NOTE_UPDATE_METADATA)
		buf_adds(out, ": metadata");
}

/* The diff without its last newline, cut at a line end where it must be. */
static void
diff_text(const struct note_update_result *r, struct buf *out)
{
	static const char shortened[] =
		"[diff shortened; the update was applied in full]";
	size_t start = out->len, room;
	const char *end;

	visible_text(out, buf_str(&r->diff));
	if (out->len > start)
		buf_truncate(out, out->len - 1);
	if (out->len <= BUDGET_BYTES)
		return;
	room = BUDGET_BYTES - (sizeof(shortened) - 1) - start;
	end = memrchr(out->data + start, '\n', room);
	buf_truncate(out, end == NULL ? start : (size_t)(end + 1 - out->data));
	buf_adds(out, shortened);
}

void
note_update_text(const void *result, struct buf *out)
{
	const struct note_update_result *r = result;
	struct buf text = BUF_INIT;

	receipt_text(r, &text);
	if (r->show_diff) {
		buf_adds(&text, "\ndiff:");
		if (r->diff.len > 0) {
			buf_addc(&text, '\n');
			diff_text(r, &text);
		}
	}
	buf_add_str(out, buf_str(&text));
	buf_release(&text);
}

void
note_update_release(void *result)
{
	struct note_update_result *r = result;

	free(r->address);
	free(r->project_key);
	free(r->rename_from);
	buf_release(&r->diff);
}
