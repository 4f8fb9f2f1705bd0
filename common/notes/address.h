#ifndef NOTES_ADDRESS_H
#define NOTES_ADDRESS_H

#include "notes/home.h"

/* Where a note lives (spec/notes.md section 2). */
struct address {
	struct home home;
	char *path;	/* inside the home, with its .md */
	char *rendered; /* as it is shown: "@self/plan.md" */
	size_t given;	/* bytes of the path part as it came in */
};

#define ADDRESS_INIT              \
	{                         \
		.home = HOME_INIT \
	}

#define ADDRESS_PATH_MAX 512 /* bytes of a path part as given */
#define ADDRESS_NAME_MAX 255 /* bytes of a name on disk */

/*
 * Parses what a caller gave (valid UTF-8).  -1 with the refusal
 * invalid_address or no_session; address_release() in either case.
 */
int address_parse(struct address *a, struct str input,
		  const struct identity *who, struct fail *fail);
void address_release(struct address *a);

/*
 * The same for a parameter of a call, with who asks: identity_resolve() comes
 * first.  Both are to be released in either case.
 */
int address_resolve(struct address *a, struct identity *who,
		    const struct facts *facts, const struct arg_string *cwd,
		    const struct arg_string *given, struct fail *fail);

/* -1 with too_large when the path or a name in it is too long. */
int address_check_length(const struct address *a, struct fail *fail);

/* For what changes notes: also invalid_scope for the home of somebody else. */
int address_check_scope(const struct address *a, struct fail *fail);

/*
 * What a result says of the note: its address, and the key of the project in
 * whose home it is, NULL in any other.  The caller frees both.
 */
void address_tell(const struct address *a, const struct identity *who,
		  char **rendered, char **project_key);

/*
 * Whether a file or directory name found on disk can be a part of an address:
 * valid UTF-8, no `@`, backslash, slash or control character, not "." or "..".
 */
bool address_is_name(struct str name);

/*
 * Whether the path inside a home of a note found on disk can be given, and
 * whether that of any note in a directory can.
 */
bool address_reaches(struct str path);
bool address_reaches_into(struct str directory);

/*
 * What results say of a note: `<address>`, or
 * `<address> (project <project_key>)` for one in the project home.  key may
 * be NULL elsewhere.  Control characters cannot occur in either.
 */
void address_identity(struct buf *out, struct str rendered, const char *key);

/* Refusals that several operations share. */
/* fault's offsets are into path, which is home->directory or the address's. */
int address_fail_unsafe(const struct address *a, const char *path,
			const struct beneath_fault *fault, struct fail *fail);
/* The system's reason, without any path: io_error. */
int address_fail_io(const char *label, int error, struct fail *fail);

#endif /* NOTES_ADDRESS_H */
