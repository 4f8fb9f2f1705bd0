#include "output/value_edit.h"

#include <assert.h>
#include <stdlib.h>

#include "base/xalloc.h"

/* Room for `want` of something, growing by half. */
static uint32_t
grown(size_t want, uint32_t cap)
{
	size_t more = (size_t)cap + cap / 2;

	if (more < want)
		more = want;
	assert(more <= UINT32_MAX / 2);
	return (uint32_t)more;
}

/* ---- sharing ----------------------------------------------------------- */

static struct value *
copy_array(const struct value *v)
{
	struct value *copy = value_new_array();
	struct value_array *a = value_array(copy);
	size_t n = value_count(v), i;

	a->items = xreallocarray(NULL, n, sizeof(struct value *));
	a->n = a->cap = (uint32_t)n;
	for (i = 0; i < n; i++)
		a->items[i] = value_ref(value_item(v, i));
	return copy;
}

static struct value *
copy_object(const struct value *v)
{
	struct value *copy = value_new_object();
	const struct value_member *m;
	size_t at = 0;

	while ((m = value_next(v, &at)) != NULL)
		value_put_new(copy, value_ref(m->key), value_ref(m->value));
	value_index_make(value_object(copy));
	return copy;
}

struct value *
value_own(struct value **v)
{
	struct value *copy;

	if ((*v)->refs == 1)
		return *v;
	if ((*v)->kind == JSON_ARRAY)
		copy = copy_array(*v);
	else if ((*v)->kind == JSON_OBJECT)
		copy = copy_object(*v);
	else
		copy = value_new_scalar((*v)->kind, value_str(*v));
	value_free(*v);
	*v = copy;
	return copy;
}

struct value **
value_slot(struct value *container, size_t at)
{
	struct value_array *a = value_array(container);

	if (container->kind == JSON_ARRAY)
		return &a->items[a->start + at];
	return &value_object(container)->members[at].value;
}

/* ---- arrays ------------------------------------------------------------ */

/* Room for n more at the end; what was removed in front is used first. */
static void
make_room(struct value_array *a, size_t n)
{
	if ((size_t)a->start + a->n + n <= a->cap)
		return;
	if (a->start > 0 && a->start >= a->n && a->n + n <= a->cap) {
		memmove(a->items, a->items + a->start,
			a->n * sizeof(struct value *));
		a->start = 0;
		return;
	}
	a->cap = grown((size_t)a->start + a->n + n, a->cap);
	a->items = xreallocarray(a->items, a->cap, sizeof(struct value *));
}

void
value_push(struct value *array, struct value *v)
{
	struct value_array *a = value_array(array);

	make_room(a, 1);
	a->items[a->start + a->n++] = v;
}

void
value_insert(struct value *array, size_t at, struct value *const *v, size_t n)
{
	struct value_array *a = value_array(array);
	struct value **where;

	if (n == 0)
		return;
	if (at == 0 && a->start >= n) {
		a->start -= (uint32_t)n;
		where = a->items + a->start;
	} else {
		make_room(a, n);
		where = a->items + a->start + at;
		memmove(where + n, where, (a->n - at) * sizeof(struct value *));
	}
	memcpy(where, v, n * sizeof(struct value *));
	a->n += (uint32_t)n;
}

void
value_remove(struct value *array, size_t at, size_t n, struct value **out)
{
	struct value_array *a = value_array(array);
	struct value **where;

	if (n == 0)
		return;
	where = a->items + a->start + at;
	if (out != NULL)
		memcpy(out, where, n * sizeof(struct value *));
	a->n -= (uint32_t)n;
	if (at == 0)
		a->start += (uint32_t)n;
	else
		memmove(where, where + n, (a->n - at) * sizeof(struct value *));
	if (a->n == 0)
		a->start = 0;
}

/* ---- members ----------------------------------------------------------- */

void
value_put_new(struct value *object, struct value *key, struct value *v)
{
	struct value_object *o = value_object(object);

	if (o->n == o->cap) {
		o->cap = grown((size_t)o->n + 4, o->cap);
		o->members = xreallocarray(o->members, o->cap,
					   sizeof(*o->members));
	}
	o->members[o->n++] = (struct value_member){ key, v };
}

void
value_put(struct value *object, struct value *key, struct value *v)
{
	struct value_object *o = value_object(object);

	value_put_new(object, key, v);
	/* Half of the table stays free. */
	if (o->slots < 2 * (size_t)o->n)
		value_index_make(o);
	else
		value_index_add(o, o->n - 1);
}

void
value_put_as(struct value *object, const char *key, struct value *v)
{
	value_put(object, value_new_string(str_of(key)), v);
}

struct value_member
value_delete(struct value *object, size_t at)
{
	struct value_object *o = value_object(object);
	struct value_member m = o->members[at];

	o->members[at] = (struct value_member){ NULL, NULL };
	o->gone++;
	return m;
}

void
value_restore(struct value *object, size_t at, struct value_member m)
{
	struct value_object *o = value_object(object);

	o->members[at] = m;
	o->gone--;
	/* Its entry is still there, but in an index that was made since. */
	if (value_find(object, value_str(m.key)) == VALUE_NONE)
		value_index_make(o);
}

struct value_member
value_pop(struct value *object)
{
	struct value_object *o = value_object(object);
	struct value_member m = o->members[o->n - 1];

	value_index_drop(o);
	o->n--;
	return m;
}

void
value_tidy(struct value *object)
{
	struct value_object *o = value_object(object);
	size_t i, n = 0;

	if (o->gone <= o->n / 2)
		return;
	for (i = 0; i < o->n; i++)
		if (o->members[i].key != NULL)
			o->members[n++] = o->members[i];
	o->n = (uint32_t)n;
	o->gone = 0;
	value_index_make(o);
}

/* ---- strings ----------------------------------------------------------- */

void
value_append(struct value **v, struct str text)
{
	struct value_scalar *s = value_scalar(*v);

	if (text.n == 0)
		return;
	if ((size_t)s->start + s->n + text.n > s->cap && s->start > 0 &&
	    s->start >= s->n) {
		memmove(s->text, s->text + s->start, s->n);
		s->start = 0;
	}
	if ((size_t)s->start + s->n + text.n > s->cap) {
		s->cap = grown((size_t)s->start + s->n + text.n, s->cap);
		s = xreallocarray(s, 1, sizeof(*s) + s->cap);
		*v = &s->head;
	}
	memcpy(s->text + s->start + s->n, text.s, text.n);
	s->n += (uint32_t)text.n;
}

void
value_prepend(struct value **v, struct str text)
{
	struct value *rest = value_new_string(text);

	value_append(&rest, value_str(*v));
	value_free(*v);
	*v = rest;
}

void
value_drop_front(struct value *v, size_t bytes)
{
	struct value_scalar *s = value_scalar(v);

	s->start += (uint32_t)bytes;
	s->n -= (uint32_t)bytes;
}

void
value_drop_back(struct value *v, size_t bytes)
{
	value_scalar(v)->n -= (uint32_t)bytes;
}
