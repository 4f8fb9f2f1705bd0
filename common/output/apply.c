#include "output/apply.h"

#include <assert.h>
#include <stdlib.h>

#include "base/json_write.h"
#include "base/xalloc.h"
#include "output/units.h"
#include "output/value_edit.h"

/*
 * How to take one change back.  `in` is the container that was changed; it
 * lives on, since whatever leaves a value during a batch is kept here.
 */
enum undo_kind {
	UNDO_ROOT,   /* old[0] was the whole value, or nothing */
	UNDO_SET,    /* old[0] was at `at` */
	UNDO_POP,    /* the last member of an object is new */
	UNDO_GAP,    /* the member key, old[0] was at `at` */
	UNDO_SPLICE, /* `added` elements at `at` are new, the old are gone */
	UNDO_APPEND, /* `added` bytes at the end of the string at `at` */
	UNDO_DROP,   /* the string old[0] was before the one at `at` */
	UNDO_ORDER   /* elements were reordered by the permutation key */
};

struct undo {
	enum undo_kind kind;
	struct value *in, *key;
	size_t at, added;
	struct value **old;
	size_t n_old;
	struct value *one; /* where old points when it is one */
};

/* ---- the log ----------------------------------------------------------- */

static struct undo *
note(struct replica *r, enum undo_kind kind, struct value *in, size_t at)
{
	XGROW(r->log, r->n + 1, r->cap);
	r->log[r->n] = (struct undo){ .kind = kind, .in = in, .at = at };
	return &r->log[r->n++];
}

/* A node that has left the value. */
static void
keep(struct undo *u, struct value *v)
{
	u->one = v;
	u->n_old = 1;
}

static struct value **
kept(struct undo *u)
{
	return u->old == NULL ? &u->one : u->old;
}

static void
forget(struct undo *u)
{
	size_t i;

	for (i = 0; i < u->n_old; i++)
		value_free(kept(u)[i]);
	value_free(u->key);
	free(u->old);
}

/*
 * new[i] = old[perm[i]], or back.  The elements are those that are there: one
 * that was shared may have been copied since.
 */
static void
reorder(struct value *in, const struct value *perm, bool back)
{
	size_t n = value_count(perm), i;
	struct value **items = n == 0 ? NULL : value_slot(in, 0), **was;
	uint64_t from;

	was = xreallocarray(NULL, n, sizeof(*was));
	for (i = 0; i < n; i++)
		was[i] = items[i];
	for (i = 0; i < n; i++) {
		(void)value_integer(value_item(perm, i), &from);
		items[back ? from : i] = was[back ? i : from];
	}
	free(was);
}

static void
take_back(struct replica *r, struct undo *u)
{
	struct value_member m;
	struct value **slot;
	size_t i;

	switch (u->kind) {
	case UNDO_ROOT:
		value_free(r->value);
		r->value = u->one;
		break;
	case UNDO_SET:
		slot = value_slot(u->in, u->at);
		value_free(*slot);
		*slot = u->one;
		break;
	case UNDO_POP:
		m = value_pop(u->in);
		value_free(m.key);
		value_free(m.value);
		break;
	case UNDO_GAP:
		value_restore(u->in, u->at,
			      (struct value_member){ u->key, u->one });
		u->key = NULL;
		break;
	case UNDO_SPLICE:
		for (i = 0; i < u->added; i++)
			value_free(*value_slot(u->in, u->at + i));
		value_remove(u->in, u->at, u->added, NULL);
		value_insert(u->in, u->at, kept(u), u->n_old);
		break;
	case UNDO_APPEND:
		value_drop_back(*value_slot(u->in, u->at), u->added);
		break;
	case UNDO_DROP:
		value_prepend(value_slot(u->in, u->at), value_str(u->one));
		value_free(u->one);
		break;
	case UNDO_ORDER:
		reorder(u->in, u->key, true);
		value_free(u->key);
		break;
	}
	free(u->old);
}

void
apply_begin(struct replica *r)
{
	assert(r->n == 0);
	r->bytes_before = r->bytes;
}

void
apply_undo(struct replica *r)
{
	while (r->n > 0)
		take_back(r, &r->log[--r->n]);
	r->bytes = r->bytes_before;
}

void
apply_commit(struct replica *r)
{
	/* Containers that are still there are tidied before any is freed. */
	size_t i;

	for (i = 0; i < r->n; i++)
		if (r->log[i].kind == UNDO_GAP)
			value_tidy(r->log[i].in);
	for (i = 0; i < r->n; i++)
		forget(&r->log[i]);
	r->n = 0;
}

int
replica_init(struct replica *r, struct value *value, struct fail *fail)
{
	*r = (struct replica){ 0 };
	return value == NULL ? 0 : replica_set(r, value, fail);
}

void
replica_release(struct replica *r)
{
	value_free(r->value);
	free(r->log);
	*r = (struct replica){ 0 };
}

/* ---- limits ------------------------------------------------------------ */

static int
check_depth(const struct value *v, size_t above, struct fail *fail)
{
	unsigned depth = value_depth(v);

	if (above + depth <= VALUE_DEPTH)
		return 0;
	return fail_refuse(fail, "too_large",
			   "a value %zu levels deep; legal: at most %d",
			   above + depth, VALUE_DEPTH);
}

static int
check_bytes(size_t bytes, struct fail *fail)
{
	if (bytes <= VALUE_BYTES)
		return 0;
	return fail_refuse(fail, "too_large",
			   "a value of %zu bytes; legal: at most %d", bytes,
			   VALUE_BYTES);
}

int
replica_set(struct replica *r, struct value *value, struct fail *fail)
{
	size_t bytes = value_bytes(value);

	if (check_depth(value, 0, fail) != 0 || check_bytes(bytes, fail) != 0)
		return -1;
	value_ref(value);
	value_free(r->value);
	r->value = value;
	r->bytes = bytes;
	return 0;
}

/* ---- paths ------------------------------------------------------------- */

static int
unresolved(const struct value *path, const char *why, struct fail *fail)
{
	struct buf quoted = BUF_INIT;

	op_quote(&quoted, path);
	(void)fail_refuse(fail, "bad_path", "path %s %s", quoted.data, why);
	buf_release(&quoted);
	return -1;
}

#define NO_WAY "does not resolve"

/* Where in a container a segment leads; VALUE_NONE: to nothing. */
static size_t
position(const struct value *in, const struct value *segment)
{
	uint64_t at;

	if (in->kind == JSON_OBJECT)
		return value_find(in, value_str(segment));
	if (in->kind == JSON_ARRAY && value_integer(segment, &at) &&
	    at < value_count(in))
		return (size_t)at;
	return VALUE_NONE;
}

/*
 * The slot that holds what path[0..n) leads to, all that holds it made the
 * replica's own.  NULL: it leads to nothing.
 */
static struct value **
walk(struct replica *r, const struct value *path, size_t n)
{
	struct value **slot = &r->value;
	size_t i, at;

	for (i = 0; i < n; i++) {
		if (!value_is_container(*slot))
			return NULL;
		/* A copy has no gaps, so that positions are those in it. */
		at = position(value_own(slot), value_item(path, i));
		if (at == VALUE_NONE)
			return NULL;
		slot = value_slot(*slot, at);
	}
	return slot;
}

struct value *
apply_look(struct value *value, const struct value *path, struct fail *fail)
{
	size_t i, at;

	for (i = 0; i < value_count(path); i++) {
		at = position(value, value_item(path, i));
		if (at == VALUE_NONE) {
			(void)unresolved(path, NO_WAY, fail);
			return NULL;
		}
		value = *value_slot(value, at);
	}
	return value;
}

/* The container that the last segment leads into, the replica's own. */
static struct value *
parent(struct replica *r, const struct op *op, const struct value **last,
       struct fail *fail)
{
	size_t n = value_count(op->path);
	struct value **slot = walk(r, op->path, n - 1);

	if (slot == NULL || !value_is_container(*slot)) {
		(void)unresolved(op->path, NO_WAY, fail);
		return NULL;
	}
	*last = value_item(op->path, n - 1);
	if ((*slot)->kind == JSON_ARRAY && (*last)->kind == JSON_STRING) {
		(void)unresolved(op->path, NO_WAY, fail);
		return NULL;
	}
	return value_own(slot);
}

/* ---- the verbs --------------------------------------------------------- */

static int
apply_replace(struct replica *r, const struct op *op, struct fail *fail)
{
	size_t bytes = value_bytes(op->value);

	if (check_depth(op->value, 0, fail) != 0 ||
	    check_bytes(bytes, fail) != 0)
		return -1;
	keep(note(r, UNDO_ROOT, NULL, 0), r->value);
	r->value = value_ref(op->value);
	r->bytes = bytes;
	return 0;
}

/* Bytes that a new member or element takes beside its value. */
static size_t
extra_bytes(const struct value *in, const struct value *segment)
{
	size_t comma = value_count(in) > 0;

	if (in->kind == JSON_ARRAY)
		return comma;
	return comma + value_quoted_bytes(value_str(segment)) + 1;
}

static int
apply_set(struct replica *r, const struct op *op, struct fail *fail)
{
	const struct value *last;
	struct value *in = parent(r, op, &last, fail), **slot;
	size_t at, bytes = r->bytes + value_bytes(op->value);
	uint64_t index;

	if (in == NULL)
		return -1;
	at = position(in, last);
	if (at == VALUE_NONE && in->kind == JSON_ARRAY &&
	    (!value_integer(last, &index) || index > value_count(in)))
		return unresolved(op->path, NO_WAY, fail);
	if (at == VALUE_NONE)
		bytes += extra_bytes(in, last);
	else
		bytes -= value_bytes(*value_slot(in, at));
	if (check_depth(op->value, value_count(op->path), fail) != 0 ||
	    check_bytes(bytes, fail) != 0)
		return -1;
	r->bytes = bytes;
	if (at != VALUE_NONE) {
		slot = value_slot(in, at);
		keep(note(r, UNDO_SET, in, at), *slot);
		*slot = value_ref(op->value);
	} else if (in->kind == JSON_ARRAY) {
		note(r, UNDO_SPLICE, in, value_count(in))->added = 1;
		value_push(in, value_ref(op->value));
	} else {
		(void)note(r, UNDO_POP, in, 0);
		value_put(in, value_new_string(value_str(last)),
			  value_ref(op->value));
	}
	return 0;
}

static int
apply_delete(struct replica *r, const struct op *op, struct fail *fail)
{
	const struct value *last;
	struct value *in = parent(r, op, &last, fail), *old;
	struct value_member m;
	struct undo *u;
	size_t at;

	if (in == NULL)
		return -1;
	at = position(in, last);
	if (at == VALUE_NONE)
		return in->kind == JSON_OBJECT
			       ? 0
			       : unresolved(op->path, NO_WAY, fail);
	if (in->kind == JSON_ARRAY) {
		value_remove(in, at, 1, &old);
		keep(note(r, UNDO_SPLICE, in, at), old);
	} else {
		m = value_delete(in, at);
		u = note(r, UNDO_GAP, in, at);
		u->key = m.key;
		old = m.value;
		keep(u, old);
	}
	r->bytes -= value_bytes(old) + extra_bytes(in, last);
	return 0;
}

/* The string at the path: the container it is in, and where. */
static struct value *
string_at(struct replica *r, const struct op *op, size_t *at, struct fail *fail)
{
	const struct value *last;
	struct value *in = parent(r, op, &last, fail), **slot;

	if (in == NULL)
		return NULL;
	*at = position(in, last);
	if (*at == VALUE_NONE) {
		(void)unresolved(op->path, NO_WAY, fail);
		return NULL;
	}
	slot = value_slot(in, *at);
	if ((*slot)->kind != JSON_STRING) {
		(void)unresolved(op->path, "does not lead to a string", fail);
		return NULL;
	}
	(void)value_own(slot);
	return in;
}

static int
apply_append(struct replica *r, const struct op *op, struct fail *fail)
{
	struct str text = value_str(op->value);
	size_t at, bytes = r->bytes + value_quoted_bytes(text) - 2;
	struct value *in = string_at(r, op, &at, fail);

	if (in == NULL || check_bytes(bytes, fail) != 0)
		return -1;
	note(r, UNDO_APPEND, in, at)->added = text.n;
	value_append(value_slot(in, at), text);
	r->bytes = bytes;
	return 0;
}

static int
apply_drop(struct replica *r, const struct op *op, struct fail *fail)
{
	size_t at, bytes;
	struct value *in = string_at(r, op, &at, fail);
	struct str text, dropped;
	struct buf quoted = BUF_INIT;
	bool split;

	if (in == NULL)
		return -1;
	text = value_str(*value_slot(in, at));
	bytes = units_offset(text, (size_t)op->index, &split);
	if (split) {
		op_quote(&quoted, op->path);
		(void)fail_refuse(fail, "split_pair",
				  "path %s: %zu units would cut a surrogate "
				  "pair in half",
				  quoted.data, (size_t)op->index);
		buf_release(&quoted);
		return -1;
	}
	dropped = (struct str){ text.s, bytes };
	keep(note(r, UNDO_DROP, in, at), value_new_string(dropped));
	r->bytes -= value_quoted_bytes(dropped) - 2;
	value_drop_front(*value_slot(in, at), bytes);
	return 0;
}

/* The array at the path, the replica's own. */
static struct value *
array_at(struct replica *r, const struct op *op, struct fail *fail)
{
	struct value **slot = walk(r, op->path, value_count(op->path));

	if (slot == NULL) {
		(void)unresolved(op->path, NO_WAY, fail);
		return NULL;
	}
	if ((*slot)->kind != JSON_ARRAY) {
		(void)unresolved(op->path, "does not lead to an array", fail);
		return NULL;
	}
	return value_own(slot);
}

static size_t
elements_bytes(struct value *const *v, size_t n)
{
	size_t bytes = 0, i;

	for (i = 0; i < n; i++)
		bytes += value_bytes(v[i]);
	return bytes;
}

/* Between n elements. */
static size_t
commas(size_t n)
{
	return n == 0 ? 0 : n - 1;
}

static int
apply_splice(struct replica *r, const struct op *op, struct fail *fail)
{
	struct value *in = array_at(r, op, fail), **items;
	size_t n, at, remove, i, bytes, added = value_count(op->value);
	struct undo *u;

	if (in == NULL)
		return -1;
	n = value_count(in);
	at = op->index < n ? (size_t)op->index : n;
	remove = op->remove < n - at ? (size_t)op->remove : n - at;
	items = added == 0 ? NULL : value_slot(op->value, 0);
	if (check_depth(op->value, value_count(op->path), fail) != 0)
		return -1;
	bytes = r->bytes + elements_bytes(items, added) +
		commas(n - remove + added) - commas(n);
	if (remove > 0)
		bytes -= elements_bytes(value_slot(in, at), remove);
	if (check_bytes(bytes, fail) != 0)
		return -1;
	r->bytes = bytes;
	u = note(r, UNDO_SPLICE, in, at);
	u->added = added;
	u->old = xreallocarray(NULL, remove, sizeof(struct value *));
	u->n_old = remove;
	value_remove(in, at, remove, u->old);
	for (i = 0; i < added; i++)
		(void)value_ref(items[i]);
	value_insert(in, at, items, added);
	return 0;
}

static int
apply_order(struct replica *r, const struct op *op, struct fail *fail)
{
	struct value *in = array_at(r, op, fail);

	if (in == NULL)
		return -1;
	if (value_count(in) != value_count(op->value))
		return unresolved(op->path,
				  "leads to an array of another length than "
				  "the permutation's",
				  fail);
	note(r, UNDO_ORDER, in, 0)->key = value_ref(op->value);
	reorder(in, op->value, false);
	return 0;
}

int
apply_op(struct replica *r, const struct op *op, struct fail *fail)
{
	if (op->verb == 'r')
		return apply_replace(r, op, fail);
	if (r->value == NULL)
		return fail_refuse(fail, "no_base",
				   "no value to apply ops to; legal: a batch "
				   "that begins with \"r\"");
	switch (op->verb) {
	case 's':
		return apply_set(r, op, fail);
	case 'd':
		return apply_delete(r, op, fail);
	case 'a':
		return apply_append(r, op, fail);
	case 't':
		return apply_drop(r, op, fail);
	case 'p':
		return apply_splice(r, op, fail);
	default:
		return apply_order(r, op, fail);
	}
}

int
apply_batch(struct replica *r, const struct ops *ops, size_t *at,
	    struct fail *fail)
{
	apply_begin(r);
	for (*at = 0; *at < ops->n; (*at)++)
		if (apply_op(r, &ops->v[*at], fail) != 0) {
			apply_undo(r);
			return -1;
		}
	apply_commit(r);
	return 0;
}
