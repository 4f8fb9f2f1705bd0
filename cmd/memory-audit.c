/* memory-audit - propose changes to active lessons. */
#include "lessons/desk.h"
#include "lessons/memory_audit.h"
#include "lessons/parameters.h"

#define AT(member) offsetof(struct memory_audit_args, member)

static const struct param change[] = {
	{ .name = "id",
	  .type = PARAM_KIND,
	  .kind = &kind_id,
	  .offset = offsetof(struct memory_audit_change, id),
	  .required = true,
	  .help = "a lesson of the audit" },
	{ .name = "action",
	  .type = PARAM_ENUM,
	  .offset = offsetof(struct memory_audit_change, action),
	  .values = audit_actions,
	  .required = true,
	  .help = "what is to become of it" },
	{ .name = "reason",
	  .type = PARAM_KIND,
	  .kind = &kind_reason,
	  .offset = offsetof(struct memory_audit_change, reason),
	  .required = true,
	  .help = "why (600 units)" },
	PARAM_END
};

static const struct param params[] = {
	{ .name = "auditId",
	  .type = PARAM_KIND,
	  .kind = &kind_review_id,
	  .offset = AT(audit_id),
	  .required = true,
	  .help = "the id that the audit's document gives" },
	{ MEMBER(AT, changes, PARAM_OBJECT_LIST), .fields = change,
	  .field_size = sizeof(struct memory_audit_change), .max_items = 10000,
	  .required = true,
	  .help = "every change that is warranted, one for an id; none: an "
		  "empty list" },
	PARAM_END
};

static const struct param options[] = {
	CHANNEL_OPTIONS(offsetof(struct memory_audit_args, channel)), PARAM_END
};

static const struct tool tool = {
	.name = "memory_audit",
	.title = "Propose an audit",
	.family = "lessons",
	.description =
		"Submit the complete proposal for the audit that the user "
		"started. The user approves or cancels it as a whole.",
	.model_tool = true,
	.place = 3,
	.sequential = true,
	.writes = true,
	.destructive = true,
	.params = params,
	.options = options,
	.facts = LESSONS_FACTS,
	.args_size = sizeof(struct memory_audit_args),
	.input_max = (size_t)64 << 20,
	.shapes = review_audit_shapes,
	.shape_offset = offsetof(struct review_result, status),
	.result_size = sizeof(struct review_result),
	.run = memory_audit_run,
	.text = review_result_text,
	.release = review_result_release,
};

TOOL_MAIN(tool)
