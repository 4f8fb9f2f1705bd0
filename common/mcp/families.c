#include "mcp/families.h"

#include <stdbool.h>

/* Family and name of each tool, in the order of section 6.1. */
#define TOOLS(X)                                        \
	X(FAMILY_NOTES, "notes_list")                   \
	X(FAMILY_NOTES, "notes_read")                   \
	X(FAMILY_NOTES, "notes_search")                 \
	X(FAMILY_NOTES, "notes_write")                  \
	X(FAMILY_NOTES, "notes_update")                 \
	X(FAMILY_HISTORY, "history_list")               \
	X(FAMILY_HISTORY, "history_read")               \
	X(FAMILY_CONTEXT, "new_context")                \
	X(FAMILY_CONTEXT, "get_context_remaining")      \
	X(FAMILY_CONTEXT, "history_list_windows")       \
	X(FAMILY_CONTEXT, "history_list_items")         \
	X(FAMILY_CONTEXT, "history_read_item")          \
	X(FAMILY_CONTEXT, "history_search_contents")    \
	X(FAMILY_CONTEXT, "notes_list_files_by_prefix") \
	X(FAMILY_CONTEXT, "notes_read_file")            \
	X(FAMILY_CONTEXT, "notes_search_contents")      \
	X(FAMILY_CONTEXT, "notes_append_to_file")       \
	X(FAMILY_CONTEXT, "notes_write_file")           \
	X(FAMILY_LESSONS, "memory")                     \
	X(FAMILY_LESSONS, "memory_evaluate")            \
	X(FAMILY_LESSONS, "memory_audit")

#define FAMILY(family, name) family,
#define NAME(family, name) name,

const char *const families_names[] = { "notes",	  "history", "context",
				       "lessons", "all",     NULL };
const char *const families_tools[] = { TOOLS(NAME) NULL };
static const enum family family_of_tool[] = { TOOLS(FAMILY) };

_Static_assert(sizeof(family_of_tool) / sizeof(family_of_tool[0]) <=
		       FAMILIES_TOOLS_MAX,
	       "a set of tools is one word");

/* Together at most 1,024 bytes (section 3.1). */
static const char *const instructions[FAMILY_COUNT] = {
	[FAMILY_NOTES] =
		"notes_*: notes that outlast the context window, by address "
		"(addresses are not file paths): of this session, this "
		"project, the person, this agent and this model.",
	[FAMILY_HISTORY] =
		"history_*: the recorded conversation events of a session, "
		"browsed, searched and read in full by their seq.",
	[FAMILY_CONTEXT] =
		"new_context and get_context_remaining: this context window, "
		"and the windows, items and notes that stay when it ends.",
	[FAMILY_LESSONS] =
		"memory*: reviewed lessons that are kept across sessions.",
};

enum family
families_of(size_t tool)
{
	return family_of_tool[tool];
}

int
families_choose(uint64_t families, uint64_t tools, uint64_t *chosen,
		struct fail *fail)
{
	uint64_t within = 0;
	size_t i;

	for (i = 0; families_tools[i] != NULL; i++)
		if ((families &
		     (FAMILIES_ALL | UINT64_C(1) << families_of(i))) != 0)
			within |= UINT64_C(1) << i;
	for (i = 0; families_tools[i] != NULL; i++)
		if ((tools & ~within & UINT64_C(1) << i) != 0)
			return fail_invalid(
				fail,
				"tools: %s given, of the family %s; legal: "
				"tools of the families that are chosen",
				families_tools[i],
				families_names[families_of(i)]);
	*chosen = tools == 0 ? within : tools;
	return 0;
}

void
families_instructions(uint64_t tools, struct buf *out)
{
	bool said[FAMILY_COUNT] = { false };
	size_t i;

	for (i = 0; families_tools[i] != NULL; i++) {
		enum family f = families_of(i);

		if ((tools & UINT64_C(1) << i) == 0 || said[f])
			continue;
		said[f] = true;
		buf_addf(out, "%s%s", out->len == 0 ? "" : "\n",
			 instructions[f]);
	}
}
