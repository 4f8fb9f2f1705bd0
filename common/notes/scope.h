#ifndef NOTES_SCOPE_H
#define NOTES_SCOPE_H

#include "notes/home.h"

/* Which homes a glob means, and which notes in them (spec/notes.md 2.2). */
struct scope {
	struct str glob; /* borrowed; empty: everything */
	struct home *homes;
	size_t n, cap;
	/*
	 * A whole namespace instead, of which scope_expand() adds the homes:
	 * its directory under the root, and the pattern for the names in it.
	 */
	const char *space; /* "agents", "models", or NULL */
	struct str name;
	/* The own agent's and model's notes as others would call them. */
	char *self_alias, *model_alias; /* "@agents/ana-bot/" */
};

#define SCOPE_INIT \
	{          \
		0  \
	}

/*
 * From the pattern alone.  -1 with the refusal invalid_glob; scope_release()
 * in either case.
 */
int scope_parse(struct scope *scope, struct str glob,
		const struct identity *who, struct fail *fail);
void scope_release(struct scope *scope);

/*
 * Adds the homes of the namespace, in byte order of their names.  0, also
 * when there is no such directory; -1 when it could not be read to its end.
 * Links among them are added too, so that opening them fails and is told.
 */
int scope_expand(struct scope *scope, int root, const struct identity *who);

/* "@agents" or "@models"; of a scope with a namespace. */
const char *scope_space_label(const struct scope *scope);

/*
 * Whether the note at path in home, whose rendered address is given, is
 * meant: the pattern matches a spelling of it, with or without its .md.
 */
bool scope_matches(const struct scope *scope, const struct home *home,
		   const char *path, struct str address);

#endif /* NOTES_SCOPE_H */
