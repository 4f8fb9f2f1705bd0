#include "history/recipe.h"

#include "base/json_write.h"

#define NEIGHBORHOOD 10

static void
finish(struct json_writer *w, struct str session)
{
	if (session.n > 0)
		json_member_string(w, "session", session);
	json_close_object(w);
}

static void
page(struct buf *out, const char *bound, uint32_t seq, struct str from,
     struct str session)
{
	struct json_writer w;

	json_begin(&w, out);
	json_open_object(&w);
	json_member_integer(&w, bound, seq);
	json_member_string(&w, "from", from);
	finish(&w, session);
}

void
recipe_older(struct buf *out, uint32_t before, struct str session)
{
	page(out, "before_seq", before, STR("newest"), session);
}

void
recipe_newer(struct buf *out, uint32_t after, struct str session)
{
	page(out, "after_seq", after, STR("oldest"), session);
}

static void
begin_range(struct json_writer *w, struct buf *out, int64_t after,
	    int64_t before)
{
	json_begin(w, out);
	json_open_object(w);
	json_member_integer(w, "after_seq", after);
	json_member_integer(w, "before_seq", before);
}

void
recipe_expand(struct buf *out, uint32_t first, uint32_t last,
	      struct str session)
{
	struct json_writer w;

	begin_range(&w, out, (int64_t)first - 1, (int64_t)last + 1);
	json_key(&w, "roles");
	json_raw(&w, STR("[\"tool\",\"context\"]"));
	finish(&w, session);
}

void
recipe_neighborhood(struct buf *out, uint32_t seq, struct str session)
{
	struct json_writer w;

	begin_range(&w, out, seq > NEIGHBORHOOD ? seq - NEIGHBORHOOD : 0,
		    (int64_t)seq + NEIGHBORHOOD);
	finish(&w, session);
}
