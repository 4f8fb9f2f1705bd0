#ifndef JSON_WRITE_H
#define JSON_WRITE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

/*
 * Compact JSON into a buf: commas and colons are the writer's, nesting is the
 * caller's.  That brackets close what they opened, and that members have keys
 * and elements none, is asserted, as deep as JSON_WRITE_CHECKED.  Strings are valid UTF-8 and written by the rule of
 * spec/history.md section 4: \" \\ \b \t \n \f \r, other U+0000..U+001F as
 * lower-case \u00xx, everything else raw.
 *
 * A key is given with each member: json_key() and then a value, or one of the
 * json_member_* shorthands.
 */
struct json_writer {
	struct buf *out;
	unsigned depth;
	bool comma;	  /* the next value or key needs one before it */
	bool keyed;	  /* a key waits for its value */
	uint64_t objects; /* bit i: level i is an object */
};

#define JSON_WRITE_CHECKED 64

void json_begin(struct json_writer *w, struct buf *out);

void json_open_object(struct json_writer *w);
void json_close_object(struct json_writer *w);
void json_open_array(struct json_writer *w);
void json_close_array(struct json_writer *w);
void json_key(struct json_writer *w, const char *key);
void json_key_str(struct json_writer *w, struct str key);

void json_string(struct json_writer *w, struct str s);
void json_integer(struct json_writer *w, int64_t v);
void json_boolean(struct json_writer *w, bool v);
void json_null(struct json_writer *w);
/* One JSON value as it stands. */
void json_raw(struct json_writer *w, struct str value);

void json_member_string(struct json_writer *w, const char *key, struct str s);
void json_member_integer(struct json_writer *w, const char *key, int64_t v);
void json_member_boolean(struct json_writer *w, const char *key, bool v);
void json_member_null(struct json_writer *w, const char *key);

/* One quoted string, outside any writer. */
void json_quote(struct buf *out, struct str s);

/* One byte of a string as it is written between quotes; its length, 1 to 6. */
#define JSON_ESCAPE_BYTES 6
unsigned json_escape(char c, char out[JSON_ESCAPE_BYTES]);

#endif /* JSON_WRITE_H */
