#ifndef TRANSCRIPT_ELEMENTS_H
#define TRANSCRIPT_ELEMENTS_H

#include <stdbool.h>

#include "base/str.h"

/*
 * Elements that a host writes in the user's name: `<name>...</name>`, up to
 * the first closing tag of that name (spec/history.md section 3.4).
 */
struct elements {
	const char *const *names; /* NULL last */
	/* Whether a tag may have attributes, and its end be missing. */
	bool loose;
};

/* Goes past the element that *text begins with; false when there is none. */
bool elements_skip(struct str *text, const struct elements *e);

/* Whether text, white space aside, is one or more of them and nothing else. */
bool elements_only(struct str text, const struct elements *e);

/* text from its first byte that is not ASCII white space. */
struct str elements_skip_space(struct str text);
/* The same, up to its last one. */
struct str elements_trim(struct str text);

bool elements_is_space(char c);

#endif /* TRANSCRIPT_ELEMENTS_H */
