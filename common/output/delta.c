#include "output/delta.h"

#include <assert.h>
#include <stdlib.h>

#include "base/xalloc.h"
#include "output/overlap.h"
#include "output/units.h"
#include "output/value_edit.h"

/*
 * Where the two values are compared: one level for each pair of containers,
 * from the outermost.  What is emitted after the members of a pair (deleted
 * members, a splice at the end of an array) is emitted when the level closes.
 */
struct level {
	const struct value *before;
	struct value *after;
	size_t at; /* the next element, or member of after */
	size_t n;  /* arrays: elements that are compared one by one */
};

struct differ {
	const struct delta_options *options;
	struct ops *ops;
	unsigned depth;
	struct level level[VALUE_NESTING + 1];
	struct value *segment[VALUE_NESTING + 1]; /* of the path; owned */
	unsigned segments;
};

/* ---- emitting ---------------------------------------------------------- */

static struct value *
path_value(const struct differ *d)
{
	struct value *path = value_new_array();
	unsigned i;

	for (i = 0; i < d->segments; i++)
		value_push(path, value_ref(d->segment[i]));
	return path;
}

static void
push_segment(struct differ *d, struct value *segment)
{
	d->segment[d->segments++] = segment;
}

static void
pop_segment(struct differ *d)
{
	value_free(d->segment[--d->segments]);
}

static void
emit(struct differ *d, char verb, struct value *v, size_t index, size_t remove)
{
	struct value *path = path_value(d);

	ops_add(d->ops, verb, path, v, index, remove);
	value_free(path);
}

static void
emit_set(struct differ *d, struct value *after)
{
	if (d->segments == 0)
		ops_add(d->ops, 'r', NULL, after, 0, 0);
	else
		emit(d, 's', after, 0, 0);
}

/* Elements from..to of an array in place of `remove` others. */
static void
emit_splice(struct differ *d, size_t index, size_t remove,
	    const struct value *from, size_t first, size_t n)
{
	struct value *items = value_new_array();
	size_t i;

	for (i = 0; i < n; i++)
		value_push(items, value_ref(value_item(from, first + i)));
	emit(d, 'p', items, index, remove);
	value_free(items);
}

/* ---- strings ----------------------------------------------------------- */

static void
add_append(struct ops *ops, struct value *path, struct str text)
{
	struct value *v = value_new_string(text);

	ops_add(ops, 'a', path, v, 0, 0);
	value_free(v);
}

void
delta_text(struct str before, struct value *after, struct value *path,
	   size_t scan, struct ops *ops)
{
	struct str new = value_str(after);
	size_t n;

	if (str_eq(before, new))
		return;
	if (str_starts(new, before)) {
		add_append(ops, path, str_from(new, before.n));
		return;
	}
	n = scan == 0 ? 0 : overlap(units_tail(before, scan), new);
	if (n == 0) {
		ops_add(ops, 's', path, after, 0, 0);
		return;
	}
	before.n -= n;
	ops_add(ops, 't', path, NULL, units_count(before), 0);
	if (new.n > n)
		add_append(ops, path, str_from(new, n));
}

/* ---- arrays ------------------------------------------------------------ */

struct place {
	uint64_t hash;
	size_t at;
};

static int
by_hash(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	if (x->hash != y->hash)
		return x->hash < y->hash ? -1 : 1;
	return (x->at > y->at) - (x->at < y->at);
}

static struct place *
places(const struct value *array)
{
	size_t n = value_count(array), i;
	struct place *p = xreallocarray(NULL, n, sizeof(*p));

	for (i = 0; i < n; i++)
		p[i] = (struct place){ value_hash(value_item(array, i)), i };
	qsort(p, n, sizeof(*p), by_hash);
	return p;
}

/*
 * Whether after is before in another order: perm[i] is the lowest element of
 * before that equals after[i] and is not taken.  Both lists in the order of
 * hashes pair up one by one, as equal hashes mean equal values but for an
 * accident that is as good as impossible; it is then no permutation.
 */
static bool
permutation(const struct value *before, const struct value *after, size_t *perm)
{
	struct place *old = places(before), *new = places(after);
	size_t n = value_count(before), i;
	bool is = true, moved = false;

	for (i = 0; is && i < n; i++) {
		is = old[i].hash ==
		     new[i].hash &&value_equal(value_item(before, old[i].at),
					       value_item(after, new[i].at));
		perm[new[i].at] = old[i].at;
		moved = moved || !value_equal(value_item(before, new[i].at),
					      value_item(after, new[i].at));
	}
	free(old);
	free(new);
	return is && moved;
}

/* True: after is before in another order, and m says so. */
static bool
emit_order(struct differ *d, const struct value *before,
	   const struct value *after)
{
	size_t n = value_count(after), i, *perm;
	struct value *list;
	bool is;

	if (d->options->verbs == OP_VERBS || n < 2)
		return false;
	perm = xreallocarray(NULL, n, sizeof(*perm));
	is = permutation(before, after, perm);
	if (is) {
		list = value_new_array();
		for (i = 0; i < n; i++)
			value_push(list, value_new_integer(perm[i]));
		emit(d, 'm', list, 0, 0);
		value_free(list);
	}
	free(perm);
	return is;
}

/*
 * Arrays: false when all is said, else l says which elements are to be
 * compared one by one.
 */
static bool
begin_arrays(struct differ *d, struct level *l)
{
	size_t old = value_count(l->before), new = value_count(l->after);
	size_t k = old < new ? old : new, p = 0, s = 0;

	l->n = k;
	if (old == new)
		return !emit_order(d, l->before, l->after);
	while (p < k &&
	       value_equal(value_item(l->before, p), value_item(l->after, p)))
		p++;
	while (p + s < k && value_equal(value_item(l->before, old - 1 - s),
					value_item(l->after, new - 1 - s)))
		s++;
	l->at = p; /* what is equal needs no second look */
	if (p + s < k)
		return true;
	if (p == 0 && old == old - p - s)
		emit_set(d, l->after);
	else
		emit_splice(d, p, old - p - s, l->after, p, new - p - s);
	return false;
}

static void
end_arrays(struct differ *d, const struct level *l)
{
	size_t old = value_count(l->before), new = value_count(l->after);

	if (old != new)
		emit_splice(d, l->n, old - l->n, l->after, l->n, new - l->n);
}

/* ---- objects ----------------------------------------------------------- */

static bool
has_reserved(const struct value *object)
{
	return value_get(object, "__proto__") != NULL ||
	       value_get(object, "constructor") != NULL ||
	       value_get(object, "prototype") != NULL;
}

static bool
begin_objects(struct differ *d, struct level *l)
{
	if (!has_reserved(l->before) && !has_reserved(l->after))
		return true;
	if (!value_equal(l->before, l->after))
		emit_set(d, l->after);
	return false;
}

static void
end_objects(struct differ *d, const struct level *l)
{
	const struct value_member *m;
	size_t at = 0;

	while ((m = value_next(l->before, &at)) != NULL) {
		if (value_find(l->after, value_str(m->key)) != VALUE_NONE)
			continue;
		push_segment(d, value_ref(m->key));
		emit(d, 'd', NULL, 0, 0);
		pop_segment(d);
	}
}

/* ---- the walk ---------------------------------------------------------- */

/* Compares one pair; two containers of a kind become a level. */
static void
compare(struct differ *d, const struct value *before, struct value *after)
{
	struct level *l = &d->level[d->depth];
	struct value *path;
	bool more;

	if (before == after)
		return;
	if (before->kind != after->kind) {
		emit_set(d, after);
	} else if (value_is_container(after)) {
		*l = (struct level){ before, after, 0, 0 };
		more = after->kind == JSON_ARRAY ? begin_arrays(d, l)
						 : begin_objects(d, l);
		d->depth += more;
		return;
	} else if (after->kind == JSON_STRING && d->segments > 0) {
		path = path_value(d);
		delta_text(value_str(before), after, path, d->options->scan,
			   d->ops);
		value_free(path);
	} else if (!str_eq(value_str(before), value_str(after))) {
		emit_set(d, after);
	}
}

/*
 * Steps to the next pair of the innermost level.  False: it has no more.  A
 * segment stays pushed for as long as its pair is compared.
 */
static bool
next_pair(struct differ *d, struct level *l)
{
	const struct value_member *m;
	size_t at;

	if (l->after->kind == JSON_ARRAY) {
		if (l->at == l->n)
			return false;
		at = l->at++;
		push_segment(d, value_new_integer(at));
		compare(d, value_item(l->before, at), value_item(l->after, at));
		return true;
	}
	m = value_next(l->after, &l->at);
	if (m == NULL)
		return false;
	push_segment(d, value_ref(m->key));
	at = value_find(l->before, value_str(m->key));
	if (at == VALUE_NONE)
		emit_set(d, m->value);
	else
		compare(d,
			((const struct value_object *)l->before)
				->members[at]
				.value,
			m->value);
	return true;
}

void
delta(const struct value *before, struct value *after,
      const struct delta_options *options, struct ops *ops)
{
	struct differ d = { .options = options, .ops = ops };
	unsigned depth;

	compare(&d, before, after);
	while (d.depth > 0) {
		struct level *l = &d.level[d.depth - 1];

		depth = d.depth;
		if (next_pair(&d, l)) {
			/* A pair that became a level keeps its segment. */
			if (d.depth == depth)
				pop_segment(&d);
			continue;
		}
		if (l->after->kind == JSON_ARRAY)
			end_arrays(&d, l);
		else
			end_objects(&d, l);
		d.depth--;
		if (d.segments > 0)
			pop_segment(&d);
	}
	assert(d.segments == 0);
}
