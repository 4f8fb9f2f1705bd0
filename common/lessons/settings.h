#ifndef LESSONS_SETTINGS_H
#define LESSONS_SETTINGS_H

#include <stdint.h>

#include "base/buf.h"
#include "tool/declare.h"

/*
 * The map `lessons` of the configuration, CTX_CONFIG or
 * $XDG_CONFIG_HOME/ctxtools/config.yaml (spec/lessons.md section 3).
 */
struct limits {
	int64_t project_occurrences; /* projectMinOccurrences */
	int64_t global_occurrences, global_projects;
	int64_t lesson_words, evidence_words;
	int64_t recall_lessons, recall_bytes;
};

struct settings {
	struct limits limits;
	struct buf database; /* databasePath, made absolute; empty: none */
};

extern const struct field limits_fields[];

#define LIMITS_COUNT 7
/* Name and value of the i-th limit, in the order of the table. */
const char *limits_name(size_t i);
int64_t limits_value(const struct limits *l, size_t i);

/*
 * Reads them; a missing file is an empty one.  -1 with FAIL_ENVIRONMENT where
 * the file cannot be read, is not YAML, or where under `lessons` a key is
 * unknown or a value bad; the message names the file and the key.  With
 * remarks (else NULL) an unknown key is ignored and a bad value is the
 * default, and one line that names them is added to remarks.
 */
int settings_read(struct settings *s, const struct facts *facts,
		  struct buf *remarks, struct fail *fail);
void settings_release(struct settings *s);

#endif /* LESSONS_SETTINGS_H */
