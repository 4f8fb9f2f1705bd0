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

/*
 * Rows of a table of parameters.  AT gives where a member of the program's
 * arguments is; what a row is about in one program alone, that program says.
 */
#define OUTPUT_VERBS                                                          \
	{                                                                     \
		.name = "verbs", .type = PARAM_INTEGER, .has_fallback = true, \
		.fallback = 6, .min = 6, .max = 7, .offset = AT(verbs),       \
		.help = "Op vocabulary: 6, or 7 with m, which reorders an "   \
			"array."                                              \
	}

#define OUTPUT_STREAM(what)                                                    \
	{                                                                      \
		.name = "stream", .type = PARAM_BOOLEAN, .has_fallback = true, \
		.fallback = 0, .offset = AT(stream), .help = (what)            \
	}

/* How fast changes are published. */
#define OUTPUT_PACING                                                         \
	{ .name = "min_ms",                                                   \
	  .type = PARAM_INTEGER,                                              \
	  .has_fallback = true,                                               \
	  .fallback = PACE_MIN_MS,                                            \
	  .min = 0,                                                           \
	  .max = 60000,                                                       \
	  .offset = AT(min_ms),                                               \
	  .help = "Shortest time between two publications." },                \
	{                                                                     \
		.name = "bytes_per_s", .type = PARAM_INTEGER,                 \
		.has_fallback = true, .fallback = PACE_BYTES_PER_S, .min = 1, \
		.max = 1073741824, .offset = AT(bytes_per_s),                 \
		.help = "Long-run rate of published op bytes."                \
	}

#define OUTPUT_VIRTUAL(what)                                           \
	{                                                              \
		.name = "virtual", .type = PARAM_BOOLEAN,              \
		.has_fallback = true, .fallback = 0,                   \
		.offset = AT(virtual_time),                            \
		.help = "Stream: take the time from atMs of the " what \
			" instead of the clock."                       \
	}

/* What is kept of a text. */
#define OUTPUT_WINDOW                                                       \
	{ .name = "retain",                                                 \
	  .type = PARAM_ENUM,                                               \
	  .has_fallback = true,                                             \
	  .fallback = TRUNCATE_TAIL,                                        \
	  .values = output_retains,                                         \
	  .offset = AT(retain),                                             \
	  .help = "Which end to keep." },                                   \
		{ .name = "max_bytes",                                      \
		  .type = PARAM_INTEGER,                                    \
		  .has_fallback = true,                                     \
		  .fallback = TRUNCATE_BYTES,                               \
		  .min = 1,                                                 \
		  .max = TRUNCATE_BYTES_MAX,                                \
		  .offset = AT(max_bytes),                                  \
		  .help = "Most bytes to keep." },                          \
	{                                                                   \
		.name = "max_lines", .type = PARAM_INTEGER,                 \
		.has_fallback = true, .fallback = TRUNCATE_LINES, .min = 1, \
		.max = TRUNCATE_LINES_MAX, .offset = AT(max_lines),         \
		.help = "Most lines to keep."                               \
	}

/* Where all of it is kept. */
#define OUTPUT_SPILLING                                                      \
	{ .name = "spill",                                                   \
	  .type = PARAM_ENUM,                                                \
	  .has_fallback = true,                                              \
	  .fallback = SPILL_AUTO,                                            \
	  .values = output_spills,                                           \
	  .offset = AT(spill),                                               \
	  .help = "Keep the raw output in a file: when a limit is crossed, " \
		  "always, never." },                                        \
	{                                                                    \
		.name = "spill_dir", .type = PARAM_STRING,                   \
		.fallback_help = "$CTX_STATE_DIR/.output", .min = 1,         \
		.max = 4095, .offset = AT(spill_dir),                        \
		.help = "Where; created if missing."                         \
	}

#define OUTPUT_REBASE_EVERY(what)                                       \
	{                                                               \
		.name = "rebase_every", .type = PARAM_INTEGER,          \
		.has_fallback = true, .fallback = JOURNAL_REBASE_EVERY, \
		.min = 0, .max = 1000000, .offset = AT(rebase_every),   \
		.help = (what)                                          \
	}

#define OUTPUT_FSYNC                                                       \
	{                                                                  \
		.name = "fsync", .type = PARAM_ENUM, .has_fallback = true, \
		.fallback = JOURNAL_BASE, .values = output_fsyncs,         \
		.offset = AT(fsync),                                       \
		.help = "When the journal is flushed to disk: after each " \
			"line, after "                                     \
			"those that one can start from, or never."         \
	}

/* A journal's file, and a name in one. */
#define OUTPUT_FILE(member, needed, what)                                    \
	{                                                                    \
		.name = #member, .type = PARAM_STRING, .required = (needed), \
		.offset = AT(member), .min = 1, .max = 4095, .help = (what)  \
	}

#define OUTPUT_NAME(member, otherwise, what)                                 \
	{                                                                    \
		.name = #member, .type = PARAM_STRING, .offset = AT(member), \
		.min = 1, .max = 200, .bytes = true,                         \
		.fallback_help = (otherwise), .help = (what)                 \
	}

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

/* Whether a value is not deeper than one may be: 0, or -1: too_large. */
int parameter_check_depth(const struct value *v, struct fail *fail);

#endif /* OUTPUT_PARAMETERS_H */
