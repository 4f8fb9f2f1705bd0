/* context-boot - what an agent needs at the start of a window. */
#include "boot/context_boot.h"

#define AT(member) offsetof(struct context_boot_args, member)

static const struct param params[] = {
	{ .name = "session",
	  .type = PARAM_STRING,
	  .offset = AT(session),
	  .blank_is_absent = true,
	  .fallback_help = "the current session",
	  .help = "Session to describe." },
	{ .name = "max_notes",
	  .type = PARAM_INTEGER,
	  .offset = AT(max_notes),
	  .has_fallback = true,
	  .fallback = CONTEXT_BOOT_NOTES,
	  .min = 0,
	  .max = CONTEXT_BOOT_NOTES_MAX,
	  .help = "Recent notes to name on each shelf." },
	PARAM_END
};

/* ---- hooks ------------------------------------------------------------- */

static const char *const hosts[] = { "claude", NULL };

static const struct hook_fact claude[] = {
	{ "session_id", FACT_SESSION, "claude:" },
	{ "transcript_path", FACT_SESSION_FILE, "" },
	{ "cwd", FACT_CWD, "" },
	{ .member = NULL }
};

static const struct hook_fact *const hooks[] = { claude };

static const struct param options[] = {
	{ .name = "hook",
	  .type = PARAM_ENUM,
	  .offset = AT(hook),
	  .values = hosts,
	  .help = "Take the object that this host gives its hooks on stdin, "
		  "and print the text only, or nothing when anything fails." },
	PARAM_END
};

/* ---- results ----------------------------------------------------------- */

static const struct field window[] = {
	{ .name = "window_id", .type = FIELD_STRING },
	{ .name = "created_at", .type = FIELD_STRING, .nullable = true },
	{ .name = "first_seq", .type = FIELD_INTEGER, .nullable = true },
	{ .name = "last_seq", .type = FIELD_INTEGER, .nullable = true },
	{ .name = "event_count", .type = FIELD_INTEGER },
	{ .name = "current", .type = FIELD_BOOLEAN },
	FIELD_END
};

static const struct field recent[] = {
	{ .name = "address", .type = FIELD_STRING },
	{ .name = "title", .type = FIELD_STRING },
	{ .name = "updated_at", .type = FIELD_STRING },
	FIELD_END
};

static const struct field shelf[] = {
	{ .name = "home", .type = FIELD_STRING },
	{ .name = "project_key", .type = FIELD_STRING, .optional = true },
	{ .name = "map", .type = FIELD_STRING, .nullable = true },
	{ .name = "map_total_chars", .type = FIELD_INTEGER, .nullable = true },
	{ .name = "recent", .type = FIELD_OBJECTS, .fields = recent },
	{ .name = "more", .type = FIELD_INTEGER },
	FIELD_END
};

static const struct field notes[] = {
	{ .name = "shelves", .type = FIELD_OBJECTS, .fields = shelf },
	{ .name = "homes_unavailable", .type = FIELD_STRINGS },
	FIELD_END
};

static const struct field fields[] = {
	{ .name = "session", .type = FIELD_STRING },
	{ .name = "agent", .type = FIELD_STRING },
	{ .name = "model", .type = FIELD_STRING },
	{ .name = "transcript",
	  .type = FIELD_ENUM,
	  .values = context_boot_transcripts },
	{ .name = "windows", .type = FIELD_OBJECTS, .fields = window },
	{ .name = "windows_omitted", .type = FIELD_INTEGER, .optional = true },
	{ .name = "windows_error", .type = FIELD_STRING, .optional = true },
	{ .name = "notes", .type = FIELD_OBJECT, .fields = notes },
	{ .name = "lines_skipped", .type = FIELD_INTEGER, .optional = true },
	FIELD_END
};

static const struct tool tool = {
	.name = "context_boot",
	.title = "Boot context",
	.family = "history",
	.description =
		"What an agent needs at the start of a window: who it is, "
		"which notes exist, and where earlier windows lie in history.",
	.params = params,
	.operand = "session",
	.options = options,
	.hooks = hooks,
	.facts = FACT_BIT(FACT_SESSION_FILE) | FACT_BIT(FACT_LEAF) |
		 FACT_BIT(FACT_AGENT) | FACT_BIT(FACT_MODEL) |
		 FACT_BIT(FACT_NOTES_HOME) | FACT_BIT(FACT_CWD),
	.args_size = sizeof(struct context_boot_args),
	.result = fields,
	.result_size = sizeof(struct context_boot),
	.run = context_boot_run,
	.json = context_boot_json,
	.text = context_boot_text,
	.release = context_boot_release,
};

int
main(int argc, char *argv[])
{
	return tool_main(&tool, argc, argv);
}
