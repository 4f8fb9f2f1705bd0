#ifndef PARAM_H
#define PARAM_H

#include "tool/declare.h"

/* What the entry of a parameter says, for messages and options. */

/* What a parameter may be, in words: `integer from 1 to 500`. */
void param_legal(struct buf *out, const struct param *p);

/* The same of one entry of a list or map. */
void param_entry_legal(struct buf *out, const struct param *p);

/* Whether a flag without a value sets it. */
bool param_is_boolean(const struct param *p);

/* Whether saying no is worth an option: it is not what saying nothing means. */
bool param_has_negation(const struct param *p);

/* Whether its flag may be repeated. */
bool param_is_list(const struct param *p);

/* Whether its value on the command line is JSON text. */
bool param_is_json(const struct param *p);

/* The entry called name (underscores), or NULL. */
const struct param *param_find(const struct param *params, struct str name);

#endif /* PARAM_H */
