#include <inttypes.h>

#include "base/visible.h"
#include "history/history_read.h"
#include "history/recipe.h"

void
history_read_json(const void *result, struct buf *out)
{
	const struct history_read_result *r = result;
	struct json_writer w;

	json_begin(&w, out);
	json_open_object(&w);
	head_json(&w, &r->head, true);
	json_member_string(&w, "text", r->text);
	json_member_integer(&w, "total_chars", (int64_t)r->total_chars);
	if (r->next_offset_chars >= 0)
		json_member_integer(&w, "next_offset_chars",
				    r->next_offset_chars);
	else
		json_member_null(&w, "next_offset_chars");
	if (r->lines_skipped > 0)
		json_member_integer(&w, "lines_skipped",
				    (int64_t)r->lines_skipped);
	json_close_object(&w);
}

void
history_read_text(const void *result, struct buf *out)
{
	const struct history_read_result *r = result;

	buf_add_str(out, r->wrapper.prefix);
	head_text(out, &r->head, true);
	buf_adds(out, "\nneighborhood → history_list(");
	recipe_neighborhood(out, r->head.seq, r->head.session);
	buf_addc(out, ')');
	if (r->lines_skipped > 0)
		buf_addf(out, "\n%" PRIu64 " malformed line%s skipped",
			 r->lines_skipped, r->lines_skipped == 1 ? "" : "s");
	if (r->text.n > 0) {
		buf_adds(out, "\n\n");
		visible_text(out, r->text);
	}
	if (r->next_offset_chars >= 0)
		buf_addf(out,
			 "\n\n[truncated; continue at offset_chars=%" PRId64
			 "]",
			 r->next_offset_chars);
	buf_add_str(out, r->wrapper.suffix);
}
