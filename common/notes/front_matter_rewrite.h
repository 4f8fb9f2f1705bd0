#ifndef FRONT_MATTER_REWRITE_H
#define FRONT_MATTER_REWRITE_H

#include "notes/front_matter.h"
#include "tool/fail.h"

/*
 * Changing the metadata of a note without touching any other byte
 * (spec/notes.md section 3.2).
 */

/* What is to change: bits of keys to set, to the values of `to`, or remove. */
struct front_matter_change {
	uint32_t set, remove;
	struct note_meta to;
	/*
	 * Also record createdAt and updatedAt as they are in force, where the
	 * keys are missing and not set: every rewrite but the access bump.
	 */
	bool record_times;
	const struct str *body; /* the new body, or NULL: it stays */
};

/*
 * Adds the whole new file to out (section 3.2): every byte that is not the
 * value of a changed key stays as it is.  file is the whole old file, fm its
 * front matter, meta the values in force for it.
 *
 * A bare note gets a fresh block from meta (no project, accessCount 0,
 * lastAccessed = updated_at) with the change applied.  A broken one never
 * gets a block: its body is the whole file, and of the change only the body
 * is applied; to set or remove origin or crumpledAt there is refused (to
 * replace such a file whole, use front_matter_compose()).
 *
 * The result has been parsed again and reads back as intended.  0, or -1 with
 * the refusal bad_front_matter, which names the key or reason and the line.
 */
int front_matter_rewrite(const struct front_matter *fm, struct str file,
			 const struct note_meta *meta,
			 const struct front_matter_change *change,
			 struct buf *out, struct fail *fail);

/*
 * The access bump in place: when both keys are there (of a
 * duplicated one the last counts) as plain
 * scalars whose new values have the length of the old ones, fills bytes with
 * what to write at *offset of the file (one span over both values) and gives
 * true.  Else the bump takes a front_matter_rewrite().
 */
bool front_matter_bump_in_place(const struct front_matter *fm, struct str file,
				int64_t access_count, int64_t last_accessed,
				struct buf *bytes, size_t *offset);

#endif /* FRONT_MATTER_REWRITE_H */
