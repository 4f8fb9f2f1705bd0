#ifndef HISTORY_HEAD_FIELDS_H
#define HISTORY_HEAD_FIELDS_H

#include "tool/declare.h"
#include "transcript/decoder.h"

/*
 * What head_json() writes of an event, declared: members that the rows of a
 * list and a read have in common (spec/history.md sections 5.6 and 6).
 * nested_calls, which only a read has, stands between the two.
 */

/* clang-format off */
#define HEAD_FIELDS                                                           \
	{ .name = "session", .type = FIELD_STRING, .optional = true },        \
	{ .name = "seq", .type = FIELD_INTEGER },                             \
	{ .name = "role", .type = FIELD_ENUM, .values = decoder_role_names }, \
	{ .name = "created_at", .type = FIELD_STRING, .nullable = true },     \
	{ .name = "tool", .type = FIELD_STRING, .optional = true },           \
	{ .name = "tool_status", .type = FIELD_ENUM, .optional = true,        \
	  .values = decoder_status_names },                                   \
	{ .name = "output_truncated", .type = FIELD_BOOLEAN,                  \
	  .optional = true, .constant_true = true },                          \
	{ .name = "full_output_path", .type = FIELD_STRING, .optional = true }

#define HEAD_FIELD_NAME_OMITTED                                               \
	{ .name = "tool_name_omitted", .type = FIELD_BOOLEAN,                 \
	  .optional = true, .constant_true = true }
/* clang-format on */

#endif /* HISTORY_HEAD_FIELDS_H */
