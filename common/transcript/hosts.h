#ifndef TRANSCRIPT_HOSTS_H
#define TRANSCRIPT_HOSTS_H

#include <limits.h>

#include "transcript/live.h"
#include "transcript/transcript.h"

/*
 * The hosts whose transcripts can be read.  A host is its decoder and a row
 * of the table in hosts.c: nothing else knows it.
 */

#define HOST_ROOTS 4

/*
 * A file that lies where a transcript does, or above it, and what is read of
 * it: adds to out, or gives false.
 */
struct host_beside {
	const char *name; /* NULL: there is none */
	unsigned above;	  /* directories */
	size_t most;	  /* bytes: a longer one tells nothing */
	bool (*read)(struct str text, struct buf *out);
};

/*
 * A host as a client of the Model Context Protocol: how the session of a call
 * that it makes is known (spec/hosts.md section 7, spec/more-hosts.md).
 */
struct host_client {
	/*
	 * How the name that it gives itself begins; NULL: any that is no other
	 * host's may be its.
	 */
	const char *name;
	/*
	 * The variable that has the session's id, or NULL; and the one that is
	 * 1 where the host started the server: NULL where the former tells.
	 */
	const char *session, *started;
	/*
	 * It makes a call again that fails by an error of the protocol: for it
	 * that is a result.
	 */
	bool repeats;
	/*
	 * The live session is the one whose transcript has the call; NULL:
	 * that is not known.  by_id: the call has to bring one, and the first
	 * file that has it counts; else no second may have it.  folder():
	 * where below a root the transcripts of a directory are; NULL: in all
	 * folders.
	 */
	live_follow *follow;
	bool by_id;
	void (*folder)(struct str directory, struct buf *out);
	/*
	 * Or it is the one of the call's directory that was written last:
	 * when a session began, by its first record, raw.
	 */
	struct str (*began)(struct str first);
};

struct host {
	const char *name; /* as selectors have it */
	const struct decoder *decoder;
	/*
	 * Where transcripts lie (spec/history.md section 2.2): the first of
	 * these whose variable is set is the root; where none is, those below
	 * the home directory are, which have none.
	 */
	struct host_root {
		const char *variable;
		const char *below; /* "" or "/..."; NULL: no more roots */
	} roots[HOST_ROOTS];
	/*
	 * Patterns of paths below a root without their extension, NULL last:
	 * one segment after the other, each of which may have one `*`, for
	 * any run of characters.
	 */
	const char *const *sessions;
	const char *const *agents; /* of sub-agents, tried first; or NULL */
	bool packed;		   /* .jsonl.zst, too */
	/*
	 * Of two files of one session the larger stands for it, and not the
	 * one that was modified last.
	 */
	bool largest;
	/*
	 * For people (spec/people.md section 1): the command that goes on with
	 * a session, before its id, or NULL; and the file below a root whose
	 * lines give ids their thread_name, or NULL.
	 */
	const char *resume, *titles;
	/*
	 * What tells the name that a session was given, and its directory
	 * where no record does (2.4).
	 */
	struct host_beside given_name, directory;
	struct host_client client;
	/*
	 * Its hook after a compaction runs before the boundary is written
	 * (spec/history.md 7.4).
	 */
	bool early_hook;
};

/*
 * In the order in which hosts are named and listed (spec/history.md section
 * 2.2); the last one's name is NULL.
 */
extern const struct host host_table[];

/* For sets of hosts. */
#define HOST_BIT(host) (1u << ((host)-host_table))
#define HOSTS_ALL UINT_MAX

/* NULL when there is none of that name. */
const struct host *hosts_find(struct str name);

/* The id of <host>:<id>, or of an id alone. */
struct str hosts_session_id(struct str session);

/* Whose decoder it is. */
const struct host *hosts_of(const struct decoder *decoder);

/* Whether that host's transcripts may begin with a record (2.3). */
bool hosts_recognises(const struct host *host, struct str first);

/* Whose transcript begins with a record; NULL: nobody's. */
const struct host *hosts_recognise(struct str first);

/*
 * transcript_open() of a host's transcript; host NULL: of whoever's it is.
 * options->recognise is set here.
 */
enum transcript_error hosts_open(struct transcript *t, struct source *source,
				 const struct host *host,
				 struct transcript_options options);

/*
 * What the path of a file, below a root or anywhere, tells about its session.
 */
struct file_name hosts_file_name(const struct host *host, struct str path);

/* Whether the session in it may have an id that begins so, by the same. */
bool hosts_may_name(const struct host *host, struct str path, struct str id);

/* prefilter_new() for the documents of all hosts. */
struct prefilter *hosts_prefilter(const struct str *entries, size_t n,
				  bool all);

/* Adds their names, as in "pi, claude or codex", with that joint. */
void hosts_add_names(struct buf *out, const char *last_joint);

#endif /* TRANSCRIPT_HOSTS_H */
