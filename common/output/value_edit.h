#ifndef OUTPUT_VALUE_EDIT_H
#define OUTPUT_VALUE_EDIT_H

#include "output/value.h"

/*
 * Changing values in place.  Only a node with one reference may be changed:
 * value_own() sees to that.  Positions are checked by the caller; nodes that
 * are given are taken over, nodes that are taken out are the caller's.
 */

/*
 * Makes *v a node of the caller's own: a shared one is copied, what it holds
 * becomes shared.  Gives *v.
 */
struct value *value_own(struct value **v);

/* Where the value at a position of an array or object is kept. */
struct value **value_slot(struct value *container, size_t at);

/* At the end of an array. */
void value_push(struct value *array, struct value *v);

/* Puts n nodes before position `at` of an array. */
void value_insert(struct value *array, size_t at, struct value *const *v,
		  size_t n);

/* Takes n nodes out of an array, to `out`; NULL: who holds them knows them. */
void value_remove(struct value *array, size_t at, size_t n, struct value **out);

/* A new member at the end; the object must not have one of that key. */
void value_put(struct value *object, struct value *key, struct value *v);

/*
 * The same without keeping the index, for many at a time: the caller then
 * calls value_index_make() before anything is looked for.
 */
void value_put_new(struct value *object, struct value *key, struct value *v);

/* value_put() of a key that is a literal. */
void value_put_as(struct value *object, const char *key, struct value *v);

/*
 * Takes the member at a position out, leaving a gap, so that positions stay
 * as they are; value_restore() puts it back there.
 */
struct value_member value_delete(struct value *object, size_t at);
void value_restore(struct value *object, size_t at, struct value_member m);

/* Takes the last member out, as if it had never been there. */
struct value_member value_pop(struct value *object);

/* Closes the gaps once they are more than what is there: positions change. */
void value_tidy(struct value *object);

/* The string at *v, which must be the caller's own: *v may move. */
void value_append(struct value **v, struct str text);
void value_prepend(struct value **v, struct str text);
void value_drop_front(struct value *v, size_t bytes);
void value_drop_back(struct value *v, size_t bytes);

#endif /* OUTPUT_VALUE_EDIT_H */
