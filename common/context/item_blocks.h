#ifndef CONTEXT_ITEM_BLOCKS_H
#define CONTEXT_ITEM_BLOCKS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

/*
 * Content as its blocks are rendered (the second table of spec/context.md
 * section 4.2), and the calls that are met on the way.
 */

enum item_role {
	ITEM_USER,
	ITEM_ASSISTANT,
	ITEM_TOOL,
	ITEM_SYSTEM,
	ITEM_DEVELOPER
};

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

/* Whether it is nothing but white space of ASCII. */
bool item_blocks_blank(struct str s);

/* Adds the text of a raw value that is a string. */
void item_blocks_decode(struct str value, struct buf *out);

/*
 * One more call of the item, borrowed until the next; once it has its name,
 * finish() gives it what it lacks.  space: its namespace, raw.
 */
struct item_call *item_blocks_call(struct item *item);
void item_blocks_finish(struct item_call *call, struct str space);

/* Adds a raw content: a string or blocks.  nested: of a result. */
void item_blocks_content(struct item *item, struct str content, bool nested);

/* The same for what came back of a tool, which is never empty. */
void item_blocks_result(struct item *item, struct str content);

#endif /* CONTEXT_ITEM_BLOCKS_H */
