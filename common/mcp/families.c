#include "mcp/families.h"

/*
 * Tools that are named choose among those of the chosen families.  One of
 * another family is a contradiction and no wish: it is refused rather than
 * left out, since nobody would see why it is missing.
 */
int
families_choose(uint64_t chosen_families, uint64_t tools, uint64_t *chosen,
		struct fail *fail)
{
	const uint64_t all = UINT64_C(1) << families_count;
	uint64_t within = 0;
	size_t family;

	for (size_t i = 0; families_tools[i] != NULL; i++) {
		family = families_facts[i].family;
		if ((chosen_families & (all | UINT64_C(1) << family)) != 0)
			within |= UINT64_C(1) << i;
		else if ((tools & UINT64_C(1) << i) != 0)
			return fail_invalid(
				fail,
				"tools: %s given, of the family %s; legal: "
				"tools of the families that are chosen",
				families_tools[i], families[family].name);
	}
	*chosen = tools == 0 ? within : tools;
	return 0;
}

bool
families_named(uint64_t chosen_families, uint64_t tools, size_t tool)
{
	return (tools & UINT64_C(1) << tool) != 0 ||
	       (chosen_families & UINT64_C(1) << families_facts[tool].family) !=
		       0;
}

/* Tools of a family stand together in the table. */
void
families_instructions(uint64_t tools, struct buf *out)
{
	size_t family = families_count, i;

	for (i = 0; families_tools[i] != NULL; i++) {
		if ((tools & UINT64_C(1) << i) == 0)
			continue;
		if (families_facts[i].family == family) {
			buf_addf(out, ", %s", families_tools[i]);
			continue;
		}
		if (family < families_count)
			buf_adds(out, "). ");
		family = families_facts[i].family;
		buf_addf(out, "%s (%s", families[family].purpose,
			 families_tools[i]);
	}
	if (family < families_count)
		buf_adds(out, ").");
}
