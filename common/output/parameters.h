#ifndef OUTPUT_PARAMETERS_H
#define OUTPUT_PARAMETERS_H

#include "output/delta.h"
#include "output/journal.h"
#include "output/pace.h"
#include "output/spill.h"
#include "output/value.h"
#include "text/truncate.h"
#include "tool/declare.h"

/* What the declarations of this family have in common. */

/* Each is completed with .offset. */
#define OUTPUT_VERBS                                                  \
	.name = "verbs", .type = PARAM_INTEGER, .has_fallback = true, \
	.fallback = 6, .min = 6, .max = 7,                            \
	.help = "Op vocabulary: 6, or 7 with m, which reorders an array."

#define OUTPUT_STREAM(what)                                            \
	.name = "stream", .type = PARAM_BOOLEAN, .has_fallback = true, \
	.fallback = 0, .help = what

#define OUTPUT_MIN_MS                                                  \
	.name = "min_ms", .type = PARAM_INTEGER, .has_fallback = true, \
	.fallback = PACE_MIN_MS, .min = 0, .max = 60000,               \
	.help = "Shortest time between two publications."

#define OUTPUT_BYTES_PER_S                                                  \
	.name = "bytes_per_s", .type = PARAM_INTEGER, .has_fallback = true, \
	.fallback = PACE_BYTES_PER_S, .min = 1, .max = 1073741824,          \
	.help = "Long-run rate of published op bytes."

#define OUTPUT_RETAIN                                               \
	.name = "retain", .type = PARAM_ENUM, .has_fallback = true, \
	.fallback = TRUNCATE_TAIL, .values = output_retains,        \
	.help = "Which end to keep."

#define OUTPUT_MAX_BYTES                                                  \
	.name = "max_bytes", .type = PARAM_INTEGER, .has_fallback = true, \
	.fallback = TRUNCATE_BYTES, .min = 1, .max = TRUNCATE_BYTES_MAX,  \
	.help = "Most bytes to keep."

#define OUTPUT_MAX_LINES                                                  \
	.name = "max_lines", .type = PARAM_INTEGER, .has_fallback = true, \
	.fallback = TRUNCATE_LINES, .min = 1, .max = TRUNCATE_LINES_MAX,  \
	.help = "Most lines to keep."

#define OUTPUT_REBASE_EVERY(what)                                            \
	.name = "rebase_every", .type = PARAM_INTEGER, .has_fallback = true, \
	.fallback = JOURNAL_REBASE_EVERY, .min = 0, .max = 1000000,          \
	.help = what

#define OUTPUT_FSYNC                                                           \
	.name = "fsync", .type = PARAM_ENUM, .has_fallback = true,             \
	.fallback = JOURNAL_BASE, .values = output_fsyncs,                     \
	.help = "When the journal is flushed to disk: after each line, after " \
		"those that one can start from, or never."

#define OUTPUT_SPILL                                                       \
	.name = "spill", .type = PARAM_ENUM, .has_fallback = true,         \
	.fallback = SPILL_AUTO, .values = output_spills,                   \
	.help = "Keep the raw output in a file: when a limit is crossed, " \
		"always, never."

#define OUTPUT_SPILL_DIR                                                  \
	.name = "spill_dir", .type = PARAM_STRING,                        \
	.fallback_help = "$CTX_STATE_DIR/.output", .min = 1, .max = 4095, \
	.help = "Where; created if missing."

extern const char *const output_spills[];  /* enum spill_when */
extern const char *const output_fsyncs[];  /* enum journal_fsync */
extern const char *const output_retains[]; /* enum truncate_retain */

/* The members of an account of what was left out; in a struct truncation. */
extern const struct field truncation_fields[];

/* The value of a JSON parameter; NULL with FAIL_INVALID or too_large. */
struct value *parameter_value(const struct arg_json *arg, const char *name,
			      struct fail *fail);

/*
 * The same of an array of values: those within it are checked where they are
 * used.
 */
struct value *parameter_list(const struct arg_json *arg, const char *name,
			     struct fail *fail);

/* Whether a value is no deeper than one may be: 0, or -1: too_large. */
int parameter_check_depth(const struct value *v, struct fail *fail);

#endif /* OUTPUT_PARAMETERS_H */
