#ifndef VERSIONS_H
#define VERSIONS_H

#include "base/json_write.h"
#include "base/str.h"

/*
 * Revisions of the Model Context Protocol (spec/hosts.md section 1), oldest
 * first, so that `v >= VERSION_2025_06_18` reads as "from ... on".
 */
enum version {
	VERSION_2024_11_05,
	VERSION_2025_03_26,
	VERSION_2025_06_18,
	VERSION_2025_11_25,
	VERSION_2026_07_28, /* the modern one: no handshake */
	VERSION_COUNT,
	VERSION_NONE /* nothing negotiated yet */
};
#define VERSION_NEWEST_LEGACY VERSION_2025_11_25

/* NULL ends. */
extern const char *const versions_names[];

/* The legacy version of that name, else VERSION_NONE. */
enum version versions_legacy(struct str name);

/* Every name, newest first, as an array. */
void versions_write(struct json_writer *w);

#endif /* VERSIONS_H */
