#ifndef NOTES_NOTE_H
#define NOTES_NOTE_H

#include <sys/stat.h>

#include "base/beneath.h"
#include "base/buf.h"

/* The file of one note (spec/notes.md sections 2.1 and 3.3). */
#define NOTE_READ_MAX 16777216 /* a larger file is not read */
#define NOTE_STORE_MAX 1000000 /* a larger file is not stored */

/*
 * Opens the note at path (with its .md) below the home's descriptor, safely:
 * -1 with errno and *fault as in beneath_open_file().  flags are O_RDONLY or
 * O_RDWR.  *st is its fstat.
 */
int note_open(int home, const char *path, int flags, struct stat *st,
	      struct beneath_fault *fault);

/*
 * Adds the file's bytes from its start to out: all of it, or when cap is less
 * than the file's size, its first cap bytes.  0, or -1 with errno.
 */
int note_load(int fd, size_t cap, struct buf *out);

/* Offset of the first byte that makes it no text: a NUL or no UTF-8; or n. */
size_t note_text_prefix(struct str bytes);

/* Last change of the file, cut to milliseconds (rounded down). */
int64_t note_mtime_ms(const struct stat *st);

#endif /* NOTES_NOTE_H */
