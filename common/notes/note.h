#ifndef NOTES_NOTE_H
#define NOTES_NOTE_H

#include <sys/stat.h>

#include "base/beneath.h"
#include "base/buf.h"
#include "notes/address.h"
#include "notes/front_matter.h"

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

/*
 * Looking at a file that a walk has found, which may have become something
 * else since (spec/notes.md sections 2.1 and 5.4).
 */
enum note_peek {
	NOTE_PEEK_FINE,	      /* *fd is open, *st is its fstat */
	NOTE_PEEK_UNREADABLE, /* a regular file that cannot be opened; *st is good */
	NOTE_PEEK_GONE,
	NOTE_PEEK_SPECIAL, /* no regular file any more */
	NOTE_PEEK_UNKNOWN  /* it cannot even be said what is there */
};

enum note_peek note_peek_open(int dir, const char *name, int *fd,
			      struct stat *st);

/*
 * Fills head with so much of the file's start as front_matter_parse() needs:
 * for the usual note one read of at most 4 KiB.  -1 with errno.
 */
int note_peek_head(int fd, struct buf *head);

/* Offset of the first byte that makes it no text: a NUL or no UTF-8; or n. */
size_t note_text_prefix(struct str bytes);

/* Last change of the file, in milliseconds; see instant_of_file(). */
int64_t note_mtime_ms(const struct stat *st);

/* A note in memory: the file, its front matter and the values in force. */
struct note {
	struct stat st;
	struct buf file;
	struct front_matter fm;
	struct note_meta meta;
};

#define NOTE_INIT                                         \
	{                                                 \
		.file = BUF_INIT, .fm = FRONT_MATTER_INIT \
	}

enum note_fetch_flags {
	NOTE_EXTRA = 1 << 0,	 /* also parse the keys that are not ours */
	NOTE_ANY_BYTES = 1 << 1, /* take what is not text as well */
	NOTE_ANY_SIZE = 1 << 2	 /* take what is too large as well */
};

/*
 * Fetches the note at a below the home's descriptor.  1 when it is there, 0
 * when it is not, -1 with a refusal: unsafe_path, too_large, not_text or
 * io_error.  Of a too large file only the first NOTE_READ_MAX bytes are
 * fetched.  note_release() in every case.
 */
int note_fetch(struct note *note, int home, const struct address *a,
	       unsigned flags, struct fail *fail);
void note_release(struct note *note);

static inline struct str
note_body(const struct note *note)
{
	return str_from(buf_str(&note->file), note->fm.body);
}

/*
 * too_large when storing `size` bytes passes NOTE_STORE_MAX and the size the
 * file has now (0 for none).
 */
int note_check_size(const struct address *a, size_t size, size_t now,
		    struct fail *fail);

#endif /* NOTES_NOTE_H */
