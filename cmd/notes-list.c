/* notes-list - list notes by address, the most recently updated first. */
#include "notes/list.h"

#define AT(member) offsetof(struct list_args, member)

static const struct param params[] = {
	{ .name = "glob",
	  .type = PARAM_STRING,
	  .offset = AT(glob),
	  .max = 1024,
	  .metavar = "PATTERN",
	  .help = "Pattern for the whole address, like `@project/**` or "
		  "`**/todo.md`." },
	{ .name = "limit",
	  .type = PARAM_INTEGER,
	  .offset = AT(limit),
	  .min = 1,
	  .max = 10000,
	  .fallback_help = "as many as fit",
	  .help = "Most notes to return." },
	{ .name = "wastebasket",
	  .type = PARAM_BOOLEAN,
	  .offset = AT(wastebasket),
	  .has_fallback = true,
	  .fallback = 0,
	  .help = "Include crumpled notes." },
	{ .name = "cwd",
	  .type = PARAM_STRING,
	  .offset = AT(cwd),
	  .metavar = "DIR",
	  .fallback_help = "the session's directory",
	  .help = "Directory whose project is meant by @project in this "
		  "call." },
	PARAM_END
};

static const struct field row[] = {
	{ .name = "address", .type = FIELD_STRING },
	{ .name = "project_key", .type = FIELD_STRING, .optional = true },
	{ .name = "updated_at", .type = FIELD_STRING },
	{ .name = "crumpled_at", .type = FIELD_STRING, .optional = true },
	FIELD_END
};

static const struct field fields[] = {
	{ .name = "files", .type = FIELD_OBJECTS, .fields = row },
	{ .name = "more", .type = FIELD_INTEGER },
	{ .name = "crumpled_excluded", .type = FIELD_INTEGER },
	{ .name = "homes_unavailable", .type = FIELD_STRINGS },
	{ .name = "skipped", .type = FIELD_INTEGER, .optional = true },
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
	.params = params,
	.operand = "glob",
	.facts = IDENTITY_FACTS,
	.args_size = sizeof(struct list_args),
	.result = fields,
	.result_size = sizeof(struct list),
	.run = list_run,
	.json = list_json,
	.text = list_text,
	.release = list_release,
};

int
main(int argc, char *argv[])
{
	return tool_main(&tool, argc, argv);
}
