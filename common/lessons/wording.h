#ifndef WORDING_H
#define WORDING_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "tool/fail.h"

/*
 * What the words of a lesson are measured by (spec/lessons.md section 2.3).
 * White space is a list of its own, neither isspace(3)'s nor the library's;
 * lengths are UTF-16 code units, counted before trimming.  All text given is
 * valid UTF-8 without NUL.
 */

/* Limits in units. */
#define WORDING_TEXT 1200
#define WORDING_EVIDENCE 600
#define WORDING_REASON 600
#define WORDING_QUERY 200
#define WORDING_SESSION 160
#define WORDING_LINEAGE 300
#define WORDING_HARNESS 80
#define WORDING_PROVIDER 200
#define WORDING_MODEL 300

#define WORDING_KEY_SIZE 65 /* hexadecimal SHA-256, terminated */

/* Without white space at either end; a part of s. */
struct str wording_trim(struct str s);

/* UTF-16 code units. */
size_t wording_units(struct str s);

/* Pieces between runs of white space. */
size_t wording_words(struct str s);

/* Adds s, trimmed, each run of white space as one blank. */
void wording_collapse(struct buf *out, struct str s);

/* The identity of a text: NFKC, collapsed, hashed; case and marks count. */
void wording_key(struct str text, char key[WORDING_KEY_SIZE]);

/* Hexadecimal SHA-256 of bytes. */
void wording_sha256(struct str bytes, char hex[WORDING_KEY_SIZE]);

/*
 * The rules of a text field: not blank, at most max units, no control
 * character but tab, LF and CR.  0 with *trimmed, a part of given; else -1
 * with FAIL_INVALID, whose message names field, the limit and the count.
 */
int wording_check(const char *field, struct str given, size_t max,
		  struct str *trimmed, struct fail *fail);

/* At most max words: as above. */
int wording_check_words(const char *field, struct str text, int64_t max,
			struct fail *fail);

/* The same rules without a message, for texts that no field holds. */
bool wording_legal(struct str text, size_t max);

/*
 * An id as a person may write it: after trimming an optional `#` and a decimal
 * from 1 to 2^53 - 1 without sign, leading zero or fraction.
 */
bool wording_id(struct str s, int64_t *id);

/*
 * For views for people: visible_text() and, beyond that, TAB and CR, U+2028,
 * U+2029 and format characters (Cf) escaped, as \uXXXX or \UXXXXXXXX.
 */
void wording_show(struct buf *out, struct str s);

/* wording_collapse() and wording_show() in one: a text on one line. */
void wording_show_line(struct buf *out, struct str s);

#endif /* WORDING_H */
