#include "sessions/listing.h"

#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static enum listing_kind
kind_by_mode(int dir, const char *name)
{
	struct stat st;

	if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) != 0)
		return LISTING_OTHER;
	if (S_ISREG(st.st_mode))
		return LISTING_FILE;
	if (S_ISDIR(st.st_mode))
		return LISTING_DIRECTORY;
	return S_ISLNK(st.st_mode) ? LISTING_LINK : LISTING_OTHER;
}

static enum listing_kind
kind_of(int dir, const struct dirent *d)
{
	switch (d->d_type) {
	case DT_REG:
		return LISTING_FILE;
	case DT_DIR:
		return LISTING_DIRECTORY;
	case DT_LNK:
		return LISTING_LINK;
	case DT_UNKNOWN:
		return kind_by_mode(dir, d->d_name);
	default:
		return LISTING_OTHER;
	}
}

void
listing_read(int dir, listing_entry *entry, void *ctx)
{
	DIR *d = fdopendir(dir);
	const struct dirent *e;

	if (d == NULL) {
		close(dir);
		return;
	}
	while ((e = readdir(d)) != NULL)
		if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
			entry(ctx, e->d_name, kind_of(dir, e));
	closedir(d);
}
