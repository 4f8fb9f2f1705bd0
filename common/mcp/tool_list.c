#include "mcp/tool_list.h"

const char *const tool_list_surfaces[] = { "both", "text", "json", NULL };

static void
member_raw(struct json_writer *w, const char *key, struct str value)
{
	json_key(w, key);
	json_raw(w, value);
}

/* The success schema widened to a refusal, which validating clients check. */
static void
write_output_schema(struct json_writer *w, struct str success)
{
	json_key(w, "outputSchema");
	json_open_object(w);
	json_member_string(w, "type", STR("object"));
	json_key(w, "anyOf");
	json_open_array(w);
	json_raw(w, success);
	json_raw(w, STR("{\"type\":\"object\",\"properties\":{\"error\":"
			"{\"type\":\"string\"},\"code\":{\"type\":\"string\"}},"
			"\"required\":[\"error\",\"code\"],"
			"\"additionalProperties\":false}"));
	json_close_array(w);
	json_close_object(w);
}

void
tool_list_write(struct json_writer *w, const struct catalogue *c,
		enum version version, enum tool_surface surface)
{
	bool structured = version >= VERSION_2025_06_18;
	size_t i;

	json_open_array(w);
	for (i = 0; i < c->n; i++) {
		const struct definition *d = &c->v[i];

		json_open_object(w);
		member_raw(w, "name", d->name);
		if (structured)
			member_raw(w, "title", d->title);
		member_raw(w, "description", d->description);
		member_raw(w, "inputSchema", d->input_schema);
		if (structured && surface != TOOL_SURFACE_TEXT)
			write_output_schema(w, d->output_schema);
		if (version >= VERSION_2025_03_26)
			member_raw(w, "annotations", d->annotations);
		json_close_object(w);
	}
	json_close_array(w);
}
