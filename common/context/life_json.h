#ifndef CONTEXT_LIFE_JSON_H
#define CONTEXT_LIFE_JSON_H

#include "context/decide.h"

/*
 * The state of an agent's window as window.json holds it (spec/context.md
 * section 8.1).
 */

/* root: the id of the root session; agent: the canonical name. */
void life_json_write(const struct life *life, struct str root, struct str agent,
		     struct buf *out);

/*
 * Reads it into an empty state.  False, with the state empty, when it is
 * not a valid one of that agent: not JSON, of another version, root or agent, of
 * wrong types or unknown words.
 */
bool life_json_read(struct life *life, struct str root, struct str agent,
		    struct str json);

/* w3; what is not a window id reads as 0. */
#define LIFE_JSON_WINDOW_MAX 999999999
void life_json_window(struct buf *out, int64_t window);
int64_t life_json_window_number(struct str id);

/* w3:reminder:2, and back; false: it is not an id of a message. */
void life_json_message_id(struct buf *out, int64_t window,
			  enum message_kind kind, int64_t number);
bool life_json_parse_message_id(struct str id, int64_t *window,
				enum message_kind *kind, int64_t *number);

#endif /* CONTEXT_LIFE_JSON_H */
