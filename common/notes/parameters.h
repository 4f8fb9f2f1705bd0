#ifndef NOTES_PARAMETERS_H
#define NOTES_PARAMETERS_H

#include "tool/declare.h"

/*
 * Parameters that several programs of the family have, for their tables: all
 * but the offset.
 */

/* Whose project @project is (spec/notes.md section 1.1). */
#define NOTES_CWD                                                       \
	.name = "cwd", .type = PARAM_STRING, .metavar = "DIR",          \
	.fallback_help = "the session's directory",                     \
	.help = "Directory whose project is meant by @project in this " \
		"call."

/* Of those that look through homes (section 5.4). */
#define NOTES_GLOB                                                      \
	.name = "glob", .type = PARAM_STRING, .max = 1024,              \
	.metavar = "PATTERN",                                           \
	.help = "Pattern for the whole address, like `@project/**` or " \
		"`**/todo.md`."
#define NOTES_LIMIT                                                     \
	.name = "limit", .type = PARAM_INTEGER, .min = 1, .max = 10000, \
	.fallback_help = "as many as fit", .help = "Most notes to return."
#define NOTES_WASTEBASKET                                                   \
	.name = "wastebasket", .type = PARAM_BOOLEAN, .has_fallback = true, \
	.fallback = 0, .help = "Include crumpled notes."

#endif /* NOTES_PARAMETERS_H */
