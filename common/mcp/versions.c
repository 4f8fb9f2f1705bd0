#include "mcp/versions.h"

const char *const versions_names[] = { "2024-11-05", "2025-03-26", "2025-06-18",
				       "2025-11-25", "2026-07-28", NULL };

enum version
versions_legacy(struct str name)
{
	int v;

	for (v = VERSION_2024_11_05; v <= VERSION_NEWEST_LEGACY; v++)
		if (str_is(name, versions_names[v]))
			return (enum version)v;
	return VERSION_NONE;
}

void
versions_write(struct json_writer *w)
{
	int v;

	json_open_array(w);
	for (v = VERSION_COUNT - 1; v >= 0; v--)
		json_string(w, str_of(versions_names[v]));
	json_close_array(w);
}
