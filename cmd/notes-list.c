/* notes-list - list notes by address, the most recently updated first. */
#include "notes/notes_list.h"
#include "notes/parameters.h"

#define AT(member) offsetof(struct notes_list_args, member)

static const struct param params[] = {
	{ NOTES_GLOB, .offset = AT(glob) },
	{ NOTES_LIMIT, .offset = AT(limit) },
	{ NOTES_WASTEBASKET, .offset = AT(wastebasket) },
	{ NOTES_CWD, .offset = AT(cwd) },
	PARAM_END,
};

#define OUT(member) offsetof(struct notes_list_result, member)

static const struct field fields[] = {
	{ MEMBER(OUT, files, FIELD_OBJECTS), .fields = notes_list_row_fields,
	  .size = sizeof(struct notes_list_row) },
	{ MEMBER(OUT, more, FIELD_INTEGER) },
	{ MEMBER(OUT, crumpled_excluded, FIELD_INTEGER) },
	MEMBERS(OUT, survey, survey_fields),
	FIELD_END
};

static const struct tool tool = {
	.name = "notes_list",
	.title = "List notes",
	.family = "notes",
	.description =
		"List notes by address (addresses are not file paths), most "
		"recently updated first. Without a glob: this session, this "
		"project, the person, this agent and this model. Crumpled "
		"notes are left out unless wastebasket is set.",
	.model_tool = true,
	.place = 1,
	.params = params,
	.operand = "glob",
	.facts = IDENTITY_FACTS,
	.args_size = sizeof(struct notes_list_args),
	.result = fields,
	.result_size = sizeof(struct notes_list_result),
	.run = notes_list_run,
	.text = notes_list_text,
	.person = notes_list_person,
	.release = notes_list_release,
};

TOOL_MAIN(tool)
