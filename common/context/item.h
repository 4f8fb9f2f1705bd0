#ifndef CONTEXT_ITEM_H
#define CONTEXT_ITEM_H

#include "transcript/transcript.h"

/*
 * One record of a host's transcript as the model sees it (spec/context.md
 * sections 4.2 and 4.3).
 */
enum item_role {
	ITEM_USER,
	ITEM_ASSISTANT,
	ITEM_TOOL,
	ITEM_SYSTEM,
	ITEM_DEVELOPER
};
extern const char *const item_roles[];

/* A call of a tool, or what came back of one. */
struct item_call {
	struct buf name; /* as recorded; never empty */
	struct buf space;
	uint64_t id; /* transcript_hash() of the call id; 0: it has none */
};

/* A struct serves many records, one after the other. */
struct item {
	uint32_t record;
	enum item_role role;
	bool own_control;	/* one of our control messages (4.5) */
	bool summary;		/* of a compaction, or its boundary */
	struct buf content;	/* untrimmed, valid UTF-8 */
	struct buf id;		/* empty: the host gives none that is fit */
	struct buf custom_type; /* of Pi's custom messages */
	struct str details;	/* of them, raw; borrowed from the view */
	bool has_created_at;
	struct buf created_at;
	struct item_call *calls; /* of a tool item: at least one */
	size_t n_calls, cap_calls;
};

void item_init(struct item *item);
void item_release(struct item *item);

/*
 * Loads a record, whose slots are on the branch.  1; 0 when it is no item: of
 * a kind that history does not show, or blank; -1 when it is not readable any
 * more: the file was rewritten since it was indexed.  The names of results are
 * their own, which that of their call may replace.
 */
int item_load(struct transcript *t, uint32_t record, struct item *item);

/*
 * Whether the record is an item, as far as that can be told without reading
 * it: then *known is true.
 */
bool item_is_there(const struct transcript *t, uint32_t record, bool *known);

/* Whether a text begins as our own control messages do (4.5). */
bool item_is_control(struct str text);

/* What contents have besides what is recorded, for a prefilter. */
extern const char *const item_words[];

#endif /* CONTEXT_ITEM_H */
