/* context-boot - what an agent needs at the start of a window. */
#include "boot/context_boot.h"
#include "transcript/hooks.h"

#define AT(member) offsetof(struct context_boot_args, member)

static const struct param params[] = {
	{ MEMBER(AT, session, PARAM_STRING), .blank_is_absent = true,
	  .fallback_help = "the current session",
	  .help = "Session to describe." },
	{ MEMBER(AT, max_notes, PARAM_INTEGER), .has_fallback = true,
	  .fallback = CONTEXT_BOOT_NOTES, .min = 0,
	  .max = CONTEXT_BOOT_NOTES_MAX,
	  .help = "Recent notes to name on each shelf." },
	PARAM_END
};

static const struct param options[] = {
	{ MEMBER(AT, hook, PARAM_ENUM), .values = hooks_hosts,
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
	{ MEMBER(WINDOW, window_id, FIELD_STRING) },
	{ MEMBER(WINDOW, created_at, FIELD_STRING), .nullable = true },
	{ MEMBER(WINDOW, first_seq, FIELD_INTEGER), .nullable = true },
	{ MEMBER(WINDOW, last_seq, FIELD_INTEGER), .nullable = true },
	{ MEMBER(WINDOW, event_count, FIELD_INTEGER) },
	{ MEMBER(WINDOW, current, FIELD_BOOLEAN) },
	FIELD_END
};

static const struct field recent[] = { { MEMBER(NOTE, address, FIELD_CHARS) },
				       { MEMBER(NOTE, title, FIELD_BUF) },
				       { MEMBER(NOTE, updated_at, FIELD_TIME) },
				       FIELD_END };

static const struct field shelf[] = {
	{ MEMBER(SHELF, home, FIELD_CHARS) },
	{ MEMBER(SHELF, project_key, FIELD_CHARS), .optional = true },
	{ MEMBER(SHELF, map, FIELD_STRING), .nullable = true },
	{ MEMBER(SHELF, map_total_chars, FIELD_INTEGER), .nullable = true },
	{ MEMBER(SHELF, recent, FIELD_OBJECTS), .fields = recent,
	  .size = sizeof(struct shelf_note) },
	{ MEMBER(SHELF, more, FIELD_INTEGER) },
	FIELD_END
};

static const struct field notes[] = {
	{ .name = "shelves",
	  .type = FIELD_OBJECTS,
	  .offset = OUT(shelves_shown),
	  .fields = shelf,
	  .size = sizeof(struct context_boot_shelf) },
	{ MEMBER(OUT, homes_unavailable, FIELD_STRINGS) },
	FIELD_END
};

static const struct field fields[] = {
	{ .name = "session", .type = FIELD_BUF, .offset = OUT(identity) },
	{ .name = "agent", .type = FIELD_CHARS, .offset = OUT(who.agent) },
	{ .name = "model", .type = FIELD_CHARS, .offset = OUT(who.model) },
	{ MEMBER(OUT, transcript, FIELD_ENUM),
	  .values = context_boot_transcripts },
	{ .name = "windows",
	  .type = FIELD_OBJECTS,
	  .offset = OUT(windows_shown),
	  .fields = window,
	  .size = sizeof(struct context_boot_window) },
	{ MEMBER(OUT, windows_omitted, FIELD_INTEGER), .optional = true,
	  .zero_is_none = true },
	{ MEMBER(OUT, windows_error, FIELD_BUF), .optional = true },
	{ .name = "notes", .type = FIELD_OBJECT, .fields = notes },
	MEMBERS(OUT, damage, head_damage_fields),
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
