#ifndef SESSIONS_CORPUS_H
#define SESSIONS_CORPUS_H

#include "base/buf.h"
#include "base/timestamp.h"
#include "sessions/selector.h"
#include "tool/facts.h"
#include "transcript/source.h"

/*
 * The transcripts that lie under the hosts' roots (spec/history.md section
 * 2.2), as far as somebody wants them.
 */
struct corpus_file {
	const struct host *host; /* NULL: not known */
	char *id;		 /* "": its file does not tell */
	const char *root;	 /* NULL: path stands for itself */
	char *path;		 /* below the root, one slash between names */
	struct str segment;	 /* which of a session's files; often empty */
	bool pinned;		 /* named by CTX_SESSION_FILE */
	bool agent;		 /* a sub-agent's, as its path tells */
	size_t listed;		 /* how many were kept before it */
};

struct corpus {
	const struct facts *facts;
	/* Keep only ids that one of these may match; none: keep all. */
	const struct selector *wanted[2];
	unsigned n_wanted;
	bool agents; /* list sub-agents too; else only one whose id is wanted */
	unsigned unavailable; /* HOST_BIT()s: not all could be listed */

	struct corpus_file *files; /* once settled, one a session */
	size_t n, cap, n_listed;
	struct corpus_file *parts; /* other files of these sessions (2.5) */
	size_t n_parts, cap_parts;
	char **roots;
	size_t n_roots, cap_roots;
};

void corpus_init(struct corpus *c, const struct facts *facts);
void corpus_release(struct corpus *c);

/* Adds what the hosts of scope (HOST_BIT()s) have, in no order. */
void corpus_list(struct corpus *c, unsigned scope);

/*
 * Of files of one host with one id leaves the one that stands for the
 * session, and sorts them by host and id.  Of a session in several segments
 * that is the last one; the others become parts.
 */
void corpus_settle(struct corpus *c);

/*
 * The file of a host whose name ends in the id of a thread or of a segment of
 * one, as it is settled; NULL: there is none.
 */
const struct corpus_file *corpus_find_part(const struct corpus *c,
					   const struct host *host,
					   struct str last);

/* That id: of its segment, if it is one. */
struct str corpus_last_part(const struct corpus_file *file);

/*
 * For a list of many: the pinned file stays only if its host is in scope,
 * and is not listed under another id too.
 */
void corpus_drop_twins(struct corpus *c, unsigned scope);

/*
 * Opened for reading, regular; NULL with errno as source_file() has it.  A
 * name that ends in .zst is of a compressed file.
 */
struct source *corpus_open(const struct corpus_file *file);

/* Adds its whole path. */
void corpus_path(const struct corpus_file *file, struct buf *out);

/*
 * For opening many: keeps the root and the folder of the last one open, so
 * that those of one folder, one after the other, are found by their names.
 */
struct corpus_opener {
	const char *root;
	int fd;
	struct buf folder; /* its path below the root; "": none is open */
	int folder_fd;
};
#define CORPUS_OPENER_INIT                                    \
	{                                                     \
		.fd = -1, .folder = BUF_INIT, .folder_fd = -1 \
	}
struct source *corpus_open_by(struct corpus_opener *opener,
			      const struct corpus_file *file);
void corpus_opener_release(struct corpus_opener *opener);

/* Modification time, as instant_of_file(); 1970 when it cannot be had. */
struct instant corpus_modified(const struct corpus_file *file);

/*
 * Whether it is a sub-agent's, by its path or its first record, which is read
 * where that can tell.
 */
bool corpus_is_agent(const struct corpus_file *file);

/*
 * Adds what a file beside the transcript tells (struct host_beside), which is
 * opened as that is; false: nothing.
 */
bool corpus_read_beside(const struct corpus_file *file,
			const struct host_beside *beside, struct buf *out);

/* Whether path leads to this very file. */
bool corpus_is_at(const struct corpus_file *file, const char *path);

/* Pins CTX_SESSION_FILE under its identity; the corpus copies both. */
void corpus_pin(struct corpus *c, const struct host *host, struct str id,
		const char *path);

#endif /* SESSIONS_CORPUS_H */
