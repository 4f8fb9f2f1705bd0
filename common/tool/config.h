#ifndef CONFIG_H
#define CONFIG_H

#include "tool/facts.h"
#include "tool/fail.h"

/*
 * The settings file: CTX_CONFIG, else config.yaml in the user's folder for
 * configuration.  It is a YAML map, and each family of programs reads one
 * member of it.
 */
#define CONFIG_KEYS 4

/* A value in it, while it is read: all is borrowed. */
struct config_value {
	const char *path; /* of the file; "": the value is not from there */
	struct str keys[CONFIG_KEYS]; /* that lead to it, the family's first */
	unsigned n;
	struct str text; /* of a scalar; s NULL: a collection, or an alias */
	bool plain;	 /* without quotes */
	bool map;
	bool null;
};

/* -1 with a failure ends the reading. */
typedef int config_take(void *ctx, const struct config_value *v,
			struct fail *fail);

/*
 * Hands out the values under the key of a family, that of the key itself
 * first, down to CONFIG_KEYS keys.  What stands in lists is passed over.  A
 * file that is missing is an empty one; -1 with FAIL_ENVIRONMENT where it
 * cannot be read, is over 1 MiB, or is not a map in YAML.
 */
int config_read(const struct facts *facts, const char *family,
		config_take *take, void *ctx, struct fail *fail);

/* A plain integer within the bounds, without leading zeros. */
bool config_integer(const struct config_value *v, int64_t min, int64_t max,
		    int64_t *out);

/*
 * A path, absolute, relative to the folder of the file, or beginning with ~/.
 * NULL, or why it is none.
 */
const char *config_path(const struct config_value *v, struct buf *out);

/* Adds `FILE: context.models: what`, after a semicolon where others are. */
void config_slip(struct buf *slips, const struct config_value *v,
		 const char *what);

#endif /* CONFIG_H */
