#ifndef NOTES_RENAME_H
#define NOTES_RENAME_H

#include "notes/address.h"

/*
 * Moves a note to another address, both writable and not the same
 * (spec/notes.md section 4.5): the file first, its metadata second.  -1 with
 * a refusal; when the file has moved all the same, the message says so.
 */
int rename_move(const struct address *from, const struct address *to,
		const struct identity *who, struct fail *fail);

#endif /* NOTES_RENAME_H */
