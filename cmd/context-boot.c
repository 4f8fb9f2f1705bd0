/* context-boot - what an agent needs at the start of a window. */
#include "boot/context_boot.h"
#include "transcript/hooks.h"

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

static const struct param options[] = {
	{ .name = "hook",
	  .type = PARAM_ENUM,
	  .offset = AT(hook),
	  .values = hooks_hosts,
	  .help = "Take the object that this host gives its hooks on stdin, "
		  "and print what it takes: the text, or nothing when anything "
		  "fails." },
	PARAM_END
};

/* ---- results ----------------------------------------------------------- */

#define WINDOW(member) offsetof(struct context_boot_window, member)
#define NOTE(member) offsetof(struct shelf_note, member)
#define SHELF(member) offsetof(struct context_boot_shelf, member)
#define OUT(member) offsetof(struct context_boot, member)

static const struct field window[] = {
	{ .name = "window_id",
	  .type = FIELD_STRING,
	  .offset = WINDOW(window_id) },
	{ .name = "created_at",
	  .type = FIELD_STRING,
	  .offset = WINDOW(created_at),
	  .nullable = true },
	{ .name = "first_seq",
	  .type = FIELD_INTEGER,
	  .offset = WINDOW(first_seq),
	  .nullable = true },
	{ .name = "last_seq",
	  .type = FIELD_INTEGER,
	  .offset = WINDOW(last_seq),
	  .nullable = true },
	{ .name = "event_count",
	  .type = FIELD_INTEGER,
	  .offset = WINDOW(event_count) },
	{ .name = "current", .type = FIELD_BOOLEAN, .offset = WINDOW(current) },
	FIELD_END
};

static const struct field recent[] = {
	{ .name = "address", .type = FIELD_CHARS, .offset = NOTE(address) },
	{ .name = "title", .type = FIELD_BUF, .offset = NOTE(title) },
	{ .name = "updated_at",
	  .type = FIELD_TIME,
	  .offset = NOTE(updated_at) },
	FIELD_END
};

static const struct field shelf[] = {
	{ .name = "home", .type = FIELD_CHARS, .offset = SHELF(home) },
	{ .name = "project_key",
	  .type = FIELD_CHARS,
	  .offset = SHELF(project_key),
	  .optional = true },
	{ .name = "map",
	  .type = FIELD_STRING,
	  .offset = SHELF(map),
	  .nullable = true },
	{ .name = "map_total_chars",
	  .type = FIELD_INTEGER,
	  .offset = SHELF(map_total_chars),
	  .nullable = true },
	{ .name = "recent",
	  .type = FIELD_OBJECTS,
	  .offset = SHELF(recent),
	  .fields = recent,
	  .size = sizeof(struct shelf_note) },
	{ .name = "more", .type = FIELD_INTEGER, .offset = SHELF(more) },
	FIELD_END
};

static const struct field notes[] = { { .name = "shelves",
					.type = FIELD_OBJECTS,
					.offset = OUT(shelves_shown),
					.fields = shelf,
					.size = sizeof(
						struct context_boot_shelf) },
				      { .name = "homes_unavailable",
					.type = FIELD_STRINGS,
					.offset = OUT(homes_unavailable) },
				      FIELD_END };

static const struct field fields[] = {
	{ .name = "session", .type = FIELD_BUF, .offset = OUT(identity) },
	{ .name = "agent", .type = FIELD_CHARS, .offset = OUT(who.agent) },
	{ .name = "model", .type = FIELD_CHARS, .offset = OUT(who.model) },
	{ .name = "transcript",
	  .type = FIELD_ENUM,
	  .offset = OUT(transcript),
	  .values = context_boot_transcripts },
	{ .name = "windows",
	  .type = FIELD_OBJECTS,
	  .offset = OUT(windows_shown),
	  .fields = window,
	  .size = sizeof(struct context_boot_window) },
	{ .name = "windows_omitted",
	  .type = FIELD_INTEGER,
	  .offset = OUT(windows_omitted),
	  .optional = true,
	  .zero_is_none = true },
	{ .name = "windows_error",
	  .type = FIELD_BUF,
	  .offset = OUT(windows_error),
	  .optional = true },
	{ .name = "notes", .type = FIELD_OBJECT, .fields = notes },
	{ .name = "",
	  .type = FIELD_MEMBERS,
	  .offset = OUT(damage),
	  .fields = head_damage_fields },
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
	.hooks = hooks_facts,
	.hook_forms = hooks_forms,
	.facts = FACT_BIT(FACT_SESSION_FILE) | FACT_BIT(FACT_LEAF) |
		 FACT_BIT(FACT_AGENT) | FACT_BIT(FACT_MODEL) |
		 FACT_BIT(FACT_NOTES_HOME) | FACT_BIT(FACT_CWD),
	.args_size = sizeof(struct context_boot_args),
	.result = fields,
	.result_size = sizeof(struct context_boot),
	.run = context_boot_run,
	.text = context_boot_text,
	.release = context_boot_release,
};

TOOL_MAIN(tool)
