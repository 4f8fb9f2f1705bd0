/* notes-read - read a note's text, in whole or in windows. */
#include "notes/front_matter.h"
#include "notes/identity.h"
#include "notes/notes_read.h"
#include "notes/parameters.h"

#define AT(member) offsetof(struct notes_read_args, member)

static const struct param params[] = {
	{ .name = "address",
	  .type = PARAM_STRING,
	  .offset = AT(address),
	  .required = true,
	  .help = "The note to read." },
	{ .name = "offset_chars",
	  .type = PARAM_INTEGER,
	  .offset = AT(offset_chars),
	  .has_fallback = true,
	  .fallback = 0,
	  .min = PARAM_ANY_MIN,
	  .max = PARAM_ANY_MAX,
	  .help = "First character to return; negative counts from the "
		  "end." },
	{ .name = "limit_chars",
	  .type = PARAM_INTEGER,
	  .offset = AT(limit_chars),
	  .has_fallback = true,
	  .fallback = NOTES_READ_LIMIT_CHARS,
	  .min = 1,
	  .max = NOTES_READ_LIMIT_CHARS_MAX,
	  .help = "Most characters to return." },
	{ NOTES_CWD, .offset = AT(cwd) },
	PARAM_END
};

#define OUT(member) offsetof(struct notes_read_result, member)

static const struct field metadata[] = { { .name = "origin",
					   .type = FIELD_ENUM,
					   .offset = OUT(metadata.origin),
					   .values = note_origins },
					 { .name = "created_at",
					   .type = FIELD_TIME,
					   .offset = OUT(metadata.created_at) },
					 { .name = "updated_at",
					   .type = FIELD_TIME,
					   .offset = OUT(metadata.updated_at) },
					 { .name = "crumpled_at",
					   .type = FIELD_TIME,
					   .offset = OUT(metadata.crumpled_at),
					   .optional = true },
					 { .name = "project",
					   .type = FIELD_STRING,
					   .offset = OUT(metadata.project),
					   .optional = true },
					 { .name = "extra",
					   .type = FIELD_OPEN_OBJECT,
					   .offset = OUT(metadata.extra) },
					 FIELD_END };

static const struct field fields[] = {
	{ .name = "address", .type = FIELD_CHARS, .offset = OUT(address) },
	{ .name = "project_key",
	  .type = FIELD_CHARS,
	  .offset = OUT(project_key),
	  .optional = true },
	{ .name = "metadata", .type = FIELD_OBJECT, .fields = metadata },
	{ .name = "text", .type = FIELD_STRING, .offset = OUT(text) },
	{ .name = "total_chars",
	  .type = FIELD_INTEGER,
	  .offset = OUT(total_chars) },
	{ .name = "next_offset_chars",
	  .type = FIELD_INTEGER,
	  .offset = OUT(next_offset_chars),
	  .nullable = true },
	FIELD_END
};

static const struct tool tool = {
	.name = "notes_read",
	.title = "Read note",
	.family = "notes",
	.description =
		"Read a note's text by its address (not a file path), in "
		"whole or from a character position. A long note comes in "
		"windows: continue at next_offset_chars. A negative offset "
		"reads the end.",
	.model_tool = true,
	.place = 2,
	.params = params,
	.operand = "address",
	.facts = IDENTITY_FACTS,
	.args_size = sizeof(struct notes_read_args),
	.result = fields,
	.result_size = sizeof(struct notes_read_result),
	.run = notes_read_run,
	.text = notes_read_text,
	.person = notes_read_person,
	.release = notes_read_release,
};

TOOL_MAIN(tool)
