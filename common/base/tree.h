#ifndef TREE_H
#define TREE_H

#include <stdbool.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>

#include "base/beneath.h"
#include "base/str.h"

/* Closes fd, if it is one, and leaves errno as it is. */
void tree_close(int fd);

/*
 * A tree of files that several programs, and people with editors, change at
 * the same time: making its directories, reading and walking them, and
 * replacing its files.  What is opened is opened by beneath_open(), so that no
 * link leads out.  Locks are base/lock.h's; names in it are chosen here or by
 * the caller, who holds the lock that makes it their only user.
 */

/* ---- making ------------------------------------------------------------ */

/*
 * Opens the directory path below dir (see beneath_open_directory()), making
 * what is missing: 0700 whatever the umask, and durable.  The parents of one
 * that is there but holds nothing are synced, too: the process that made it
 * may have been killed before it came to that.
 */
int tree_make(int dir, const char *path, struct beneath_fault *fault);

/*
 * The same for the directory that a tree hangs from: path is any path, through
 * links too.  An O_PATH descriptor, fit as the `dir` of all functions here and
 * of beneath_open(); or -1 with errno.
 */
int tree_make_root(const char *path);

/*
 * Syncs a directory; one of a file system that knows no such thing is as
 * durable as it gets.  0, or -1 with errno.
 */
int tree_sync(int dir);

/* ---- reading ----------------------------------------------------------- */

enum tree_kind {
	TREE_FILE, /* regular */
	TREE_DIRECTORY,
	TREE_LINK,
	TREE_OTHER
};

typedef void tree_entry(void *ctx, const char *name, enum tree_kind kind);

/*
 * Calls entry() for each entry of a directory, in no order, without "." and
 * "..".  dir, from which directories can be read, is closed.  0; or -1 with
 * errno when not all could be read, which does not stop the rest.
 */
int tree_read(int dir, tree_entry *entry, void *ctx);

/* What is met while walking. */
struct tree_node {
	int dir;	  /* the directory that holds it, valid for the call */
	const char *name; /* in it */
	const char *path; /* below the directory that is walked */
	enum tree_kind kind;
};

/* Whether to go into the node, if it is a directory. */
typedef bool tree_visit(void *ctx, const struct tree_node *node);

/*
 * Calls visit() for everything below dir, in no order, never through a link
 * and without recursion; a directory before what it holds.  Any node may be
 * gone or something else when it is opened.  0; or -1 with errno when not all
 * could be read, which does not stop the rest.
 */
int tree_walk(int dir, tree_visit *visit, void *ctx);

/* ---- replacing --------------------------------------------------------- */

/* What a new file may take the place of. */
enum tree_over {
	TREE_OVER_NOTHING, /* the name must be free */
	TREE_OVER_SEEN,	   /* only the file that `like` is of, as it was then;
			      what is saved there meanwhile stays */
	TREE_OVER_ANY
};

/* A file to be stored whole. */
struct tree_file {
	const char *name;
	const char *temporary; /* beside it, while it is written */
	struct str bytes;
	/*
	 * Whose mode, owner and group it gets; NULL: ours, and 0600.  Where
	 * the group cannot be given, its permission bits are dropped; where
	 * the owner cannot, the file is ours, without set-id bits.
	 */
	const struct stat *like;
	const struct timespec *mtime; /* NULL: the present */
	enum tree_over over;
};

/*
 * Stores f in the directory dir, so that a kill at any instant leaves the old
 * file or the new one: written to the temporary name (a leftover there is
 * removed, a directory passed by under the names with 1 to 9 added), synced,
 * renamed, and dir synced.  0 when all that is durable; else -1 with errno and
 * the temporary file removed; ESTALE: what stands there is not what f->over
 * asks for.  *landed (may be NULL) tells whether the name has the new bytes:
 * on success, and where only the last sync failed.
 */
int tree_replace(int dir, const struct tree_file *f, bool *landed);

/*
 * Whether name in dir still is the file that *seen was taken of (by fstat(2),
 * before it was read), unchanged; seen NULL: whether there still is none.  To
 * be asked right before anything is done to the name: people's editors take
 * no lock.  1, 0, or -1 with errno.
 */
int tree_unchanged(int dir, const char *name, const struct stat *seen);

/*
 * Renames a file without ever replacing one: -1 with EEXIST when the new name
 * is taken, EXDEV across file systems.  Nothing is synced.
 */
int tree_move(int from, const char *old_name, int to, const char *new_name);

/*
 * The same for a file system that cannot do that in one call.  It does not
 * replace a file either, but a kill in the middle leaves both names.
 */
int tree_move_linked(int from, const char *old_name, int to,
		     const char *new_name);

#endif /* TREE_H */
