#ifndef TRANSCRIPT_VIEW_H
#define TRANSCRIPT_VIEW_H

#include "base/buf.h"
#include "base/str.h"
#include "transcript/decoder.h"

/*
 * A record read again from the source.  A transcript holds two, a call's and
 * its result's; asking for neighbouring slots of one record reads it once.
 */
struct view {
	uint32_t record; /* whose it is; see `held` */
	bool held;
	struct buf line;
	struct part part;  /* but for its span */
	struct str *spans; /* one a slot */
	size_t n, cap;
};

void view_release(struct view *v);

/*
 * Reads a record (its number) into the view.  False when the file has changed
 * under us and the record is not there any more.
 */
bool view_record(struct transcript *t, struct view *v, uint32_t number);

/*
 * What the slot seq is decoded from, borrowed from the view.  False as
 * above.
 */
bool view_slot(struct transcript *t, struct view *v, uint32_t seq,
	       struct part *part);

#endif /* TRANSCRIPT_VIEW_H */
