#ifndef FRONT_MATTER_LINES_H
#define FRONT_MATTER_LINES_H

#include "notes/front_matter.h"

/* What reading and rewriting front matter share. */

/* As they stand in files. */
extern const char *const front_matter_names[FRONT_MATTER_KEYS];

/* FRONT_MATTER_KEYS for a key that is none of ours. */
enum front_matter_key front_matter_key_of(struct str name);

/* The occurrence that counts, or NULL. */
const struct front_matter_entry *front_matter_last(
	const struct front_matter *fm, enum front_matter_key key);

/* Adds the value that meta has for key, as a block has it. */
void front_matter_value(struct buf *out, enum front_matter_key key,
			const struct note_meta *meta);

/* Does to the values what change does to the keys. */
void front_matter_apply(const struct front_matter_change *change,
			struct note_meta *meta);

/*
 * Whether file, which the change has made of old_file, reads back as it
 * should: the known keys, all others, and the body.  If a known key is wrong,
 * *fault is that; else it stays.
 */
bool front_matter_reads_back(const struct front_matter *old,
			     struct str old_file,
			     const struct front_matter_change *change,
			     struct str file, struct str body,
			     enum front_matter_key *fault);

/* Bytes of the one empty line that rest begins with: 0, 1 or 2. */
size_t front_matter_separator(struct str rest);

/* The line, from 1, that byte `at` of the file is on. */
size_t front_matter_line(struct str file, size_t at);

#endif /* FRONT_MATTER_LINES_H */
