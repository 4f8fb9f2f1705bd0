#ifndef BENEATH_H
#define BENEATH_H

#include <stddef.h>
#include <sys/types.h>

/*
 * Opening files below a directory without ever following a symbolic link or
 * leaving that directory, whatever is planted while we look: by openat2(2)
 * where the kernel has it and lets us, else component by component with
 * O_NOFOLLOW.
 *
 * Paths are relative, with one slash between components; "", ".", ".." and an
 * empty component are EINVAL.
 */
enum beneath_way {
	BENEATH_AUTO,	/* openat2, and the other where it is refused */
	BENEATH_KERNEL, /* openat2 only */
	BENEATH_STEPS	/* component by component only */
};

enum beneath_kind {
	BENEATH_FINE,	       /* no such obstacle was found */
	BENEATH_LINK,	       /* a symbolic link, anywhere in the path */
	BENEATH_NOT_DIRECTORY, /* a file where a directory is needed */
	BENEATH_NOT_FILE       /* the last component is not a regular file */
};

/* What stood in the way: path[start .. end) is the component. */
struct beneath_fault {
	enum beneath_kind kind;
	size_t start, end;
};

/*
 * As openat(2); O_CLOEXEC and O_NOFOLLOW are added.  A descriptor, or -1 with
 * errno: ELOOP for a link and ENOTDIR for a file in the way, and then *fault
 * says where (fault may be NULL; it is BENEATH_FINE in every other case).
 */
int beneath_open(int dir, const char *path, int flags, mode_t mode,
		 struct beneath_fault *fault);
int beneath_open_by(enum beneath_way way, int dir, const char *path, int flags,
		    mode_t mode, struct beneath_fault *fault);

/*
 * Opens a regular file, without waiting for a FIFO's other end.  As above;
 * anything else that stands there is -1 with EISDIR (a directory) or EINVAL
 * and BENEATH_NOT_FILE.
 */
int beneath_open_file(int dir, const char *path, int flags,
		      struct beneath_fault *fault);

/*
 * Opens a directory (O_RDONLY, fit for reading, flock and fsync); tree_make()
 * makes one.
 */
int beneath_open_directory(int dir, const char *path,
			   struct beneath_fault *fault);

/* For messages: "a symbolic link", "not a directory", "not a regular file". */
const char *beneath_kind_name(enum beneath_kind kind);

#endif /* BENEATH_H */
