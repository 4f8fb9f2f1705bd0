/* memory - submit a lesson, replace one or archive one. */
#include "lessons/memory.h"

#define AT(member) offsetof(struct memory_args, member)

static const char *const reasons[] = {
	"scope", "evaluation decides where a lesson holds", NULL
};

static const struct param params[] = {
	{ MEMBER(AT, action, PARAM_ENUM), .values = memory_actions,
	  .required = true, .help = "what to do" },
	{ .name = "id",
	  .type = PARAM_KIND,
	  .kind = &kind_id,
	  .offset = AT(id),
	  .help = "lesson of this project or global, as recalled: 42 or "
		  "\"#42\"; for supersede and archive" },
	{ .name = "text",
	  .type = PARAM_KIND,
	  .kind = &kind_text,
	  .offset = AT(text),
	  .help = "the advice, one actionable sentence (at most 1,200 UTF-16 "
		  "units, 20 words); for add and supersede" },
	{ .name = "evidence",
	  .type = PARAM_KIND,
	  .kind = &kind_evidence,
	  .offset = AT(evidence),
	  .help = "what showed that it is true (600 units, 20 words); for add "
		  "and supersede" },
	{ MEMBER(AT, basis, PARAM_ENUM), .values = lesson_bases,
	  .help = "why it is believed; for add and supersede" },
	{ .name = "reason",
	  .type = PARAM_KIND,
	  .kind = &kind_reason,
	  .offset = AT(reason),
	  .help = "why this change is made (600 units)" },
	PARAM_END_WITHOUT(reasons)
};

static const struct tool tool = {
	.name = "memory",
	.title = "Keep a lesson",
	.family = "lessons",
	.description =
		"Keep what was learned. `add` submits a lesson privately for "
		"the user's later review; `supersede` replaces an active "
		"lesson by a better one; `archive` retires one. One "
		"actionable sentence with its condition, plus the observation "
		"that supports it. No secrets, no transcripts. Scope is not "
		"yours to choose.",
	.model_tool = true,
	.place = 1,
	.sequential = true,
	.writes = true,
	.params = params,
	.facts = LESSONS_FACTS,
	.args_size = sizeof(struct memory_args),
	.input_max = (size_t)64 << 20,
	.shapes = memory_shapes,
	.shape_offset = offsetof(struct memory_result, shape),
	.result_size = sizeof(struct memory_result),
	.run = memory_run,
	.text = memory_text,
	.release = memory_release,
};

TOOL_MAIN(tool)
