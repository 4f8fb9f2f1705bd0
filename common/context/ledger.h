#ifndef CONTEXT_LEDGER_H
#define CONTEXT_LEDGER_H

#include <stdint.h>

#include "base/buf.h"

/*
 * When the notes of an agent were made and last written: the file notes.meta
 * (spec/context.md sections 3.4 and 8.1), a line a note,
 *
 *	<created_ms> <updated_ms> <path below notes/>
 *
 * sorted by path.  It only remembers: a note without a row is one that
 * somebody made by hand.
 */
struct ledger_row {
	int64_t created_ms, updated_ms;
	struct str path; /* borrowed from the text, or from ledger_set()'s */
};

struct ledger {
	struct buf text;
	struct ledger_row *rows; /* by path, in byte order */
	size_t n, cap;
	int64_t last_ms; /* the latest update recorded; 0: none */
};

#define LEDGER_INIT              \
	{                        \
		.text = BUF_INIT \
	}
void ledger_release(struct ledger *l);

/*
 * Takes the rows of l->text, which the caller has filled.  What does not parse
 * is not a row; of two with one path the later one counts.
 */
void ledger_parse(struct ledger *l);
void ledger_write(const struct ledger *l, struct buf *out);

/* NULL: there is none. */
const struct ledger_row *ledger_find(const struct ledger *l, struct str path);

/* Records a note; path is borrowed for as long as the ledger lives. */
void ledger_set(struct ledger *l, struct str path, int64_t created_ms,
		int64_t updated_ms);

/*
 * What the record says of a file with this mtime: where that differs from the
 * update recorded, somebody else has changed the file.
 */
void ledger_times(const struct ledger *l, struct str path, int64_t mtime_ms,
		  int64_t *created_ms, int64_t *updated_ms);

#endif /* CONTEXT_LEDGER_H */
