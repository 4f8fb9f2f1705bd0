/* memory-evaluate - propose groups of candidates. */
#include "lessons/desk.h"
#include "lessons/memory_evaluate.h"
#include "lessons/parameters.h"

#define AT(member) offsetof(struct memory_evaluate_args, member)
#define GROUP(member) offsetof(struct memory_evaluate_group, member)

static const struct param group[] = {
	{ .name = "candidateIds",
	  .type = PARAM_KIND_LIST,
	  .kind = &kind_id,
	  .offset = GROUP(candidates),
	  .field_size = sizeof(struct arg_integer),
	  .min_items = 1,
	  .max_items = 10000,
	  .required = true,
	  .help = "candidates that say the same under the same conditions" },
	{ .name = "text",
	  .type = PARAM_KIND,
	  .kind = &kind_text,
	  .offset = GROUP(text),
	  .required = true,
	  .help = "the advice in one sentence (1,200 UTF-16 units, 20 words)" },
	{ .name = "evidence",
	  .type = PARAM_KIND,
	  .kind = &kind_evidence,
	  .offset = GROUP(evidence),
	  .required = true,
	  .help = "what supports it (600 units, 20 words)" },
	{ MEMBER(GROUP, scope, PARAM_ENUM), .values = group_scopes,
	  .required = true, .help = "where it would hold" },
	{ .name = "reason",
	  .type = PARAM_KIND,
	  .kind = &kind_reason,
	  .offset = GROUP(reason),
	  .required = true,
	  .help = "why it is grouped and judged so (600 units)" },
	{ MEMBER(GROUP, recommend, PARAM_BOOLEAN), .required = true,
	  .help = "whether it should be published" },
	PARAM_END
};

static const struct param params[] = {
	{ .name = "evaluationId",
	  .type = PARAM_KIND,
	  .kind = &kind_review_id,
	  .offset = AT(evaluation_id),
	  .required = true,
	  .help = "the id that the evaluation's document gives" },
	{ MEMBER(AT, groups, PARAM_OBJECT_LIST), .fields = group,
	  .field_size = sizeof(struct memory_evaluate_group),
	  .max_items = 10000, .required = true,
	  .help = "all of them: every candidate of the document in exactly "
		  "one" },
	PARAM_END
};

static const struct param options[] = {
	CHANNEL_OPTIONS(offsetof(struct memory_evaluate_args, channel)),
	PARAM_END
};

static const struct tool tool = {
	.name = "memory_evaluate",
	.title = "Propose an evaluation",
	.family = "lessons",
	.description =
		"Submit the complete grouping for the evaluation that the "
		"user started. Every exported candidate appears in exactly "
		"one group. The user decides each promotion.",
	.model_tool = true,
	.place = 2,
	.sequential = true,
	.writes = true,
	.params = params,
	.options = options,
	.facts = LESSONS_FACTS,
	.args_size = sizeof(struct memory_evaluate_args),
	.input_max = (size_t)64 << 20,
	.shapes = review_evaluation_shapes,
	.shape_offset = offsetof(struct review_result, status),
	.result_size = sizeof(struct review_result),
	.run = memory_evaluate_run,
	.text = review_result_text,
	.release = review_result_release,
};

TOOL_MAIN(tool)
