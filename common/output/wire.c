#include "output/wire.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/xalloc.h"
#include "output/value_edit.h"

/*
 * Both tables are an object of the value tree: it keeps what it holds, finds
 * it in constant time, and nobody can choose names that collide.  The
 * encoder's goes from the compact JSON of a path to its number, null for one
 * that was seen once; the decoder's from the digits of a number to a path.
 */
struct wire_table {
	struct value *object;
	size_t bytes; /* of the paths in it */
};

static struct wire_table *
table_new(void)
{
	struct wire_table *t = xmalloc(sizeof(*t));

	*t = (struct wire_table){ value_new_object(), 0 };
	return t;
}

static void
table_free(struct wire_table *t)
{
	if (t != NULL)
		value_free(t->object);
	free(t);
}

static void
table_clear(struct wire_table *t)
{
	value_free(t->object);
	*t = (struct wire_table){ value_new_object(), 0 };
}

/* Where the value under a key is kept; NULL. */
static struct value **
table_find(struct wire_table *t, struct str key)
{
	size_t at = value_find(t->object, key);

	return at == VALUE_NONE ? NULL : value_slot(t->object, at);
}

/* ---- encoding ---------------------------------------------------------- */

void
wire_encoder_init(struct wire_encoder *e)
{
	*e = (struct wire_encoder){ .table = table_new() };
}

void
wire_encoder_release(struct wire_encoder *e)
{
	table_free(e->table);
	*e = (struct wire_encoder){ 0 };
}

/* Remembers a path that was not seen before, while there is room. */
static void
see(struct wire_encoder *e, struct str path)
{
	if (value_count(e->table->object) >= WIRE_PATHS_MOST ||
	    e->table->bytes + path.n > WIRE_BYTES_MOST)
		return;
	e->table->bytes += path.n;
	value_put(e->table->object, value_new_string(path),
		  value_new_scalar(JSON_NULL, STR("null")));
}

/* The op with something in the place of its path, or with nothing there. */
static void
write_op(const struct op *op, const struct buf *ref, struct buf *out)
{
	buf_addf(out, "[\"%c\"", op->verb);
	if (ref != NULL) {
		buf_addc(out, ',');
		buf_add_str(out, buf_str(ref));
	}
	op_write_payload(op, out);
	buf_addc(out, ']');
}

/* An op whose path is not that of the op before: numbered, or in full. */
static void
encode_path(struct wire_encoder *e, const struct op *op, struct buf *path,
	    struct buf *out)
{
	struct value **number = table_find(e->table, buf_str(path));
	struct buf id = BUF_INIT;

	if (number == NULL) {
		see(e, buf_str(path));
		write_op(op, path, out);
		return;
	}
	if ((*number)->kind == JSON_NULL) {
		value_free(*number);
		*number = value_new_integer(e->next++);
		e->numbered++;
		buf_addf(out, "[\"#\",%" PRIu64 ",", e->next - 1);
		buf_add_str(out, buf_str(path));
		buf_adds(out, "],");
	}
	buf_add_str(&id, value_str(*number));
	write_op(op, &id, out);
	buf_release(&id);
}

void
wire_encode(struct wire_encoder *e, const struct ops *ops, struct buf *out)
{
	struct buf path = BUF_INIT;
	const struct value *before = NULL;
	size_t i;

	buf_addc(out, '[');
	for (i = 0; i < ops->n; i++) {
		const struct op *op = &ops->v[i];

		if (i > 0)
			buf_addc(out, ',');
		if (op->verb == 'r') {
			write_op(op, NULL, out);
			table_clear(e->table);
			e->next = 0;
			before = NULL;
			continue;
		}
		if (before != NULL && value_equal(before, op->path)) {
			write_op(op, NULL, out);
		} else {
			buf_reset(&path);
			value_write(op->path, &path);
			encode_path(e, op, &path, out);
		}
		before = op->path;
	}
	buf_addc(out, ']');
	buf_release(&path);
}

/* ---- decoding ---------------------------------------------------------- */

void
wire_decoder_init(struct wire_decoder *d, unsigned verbs)
{
	*d = (struct wire_decoder){ .table = table_new(), .verbs = verbs };
}

void
wire_begin(struct wire_decoder *d)
{
	value_free(d->before);
	d->before = NULL;
}

void
wire_decoder_release(struct wire_decoder *d)
{
	wire_begin(d);
	table_free(d->table);
	*d = (struct wire_decoder){ 0 };
}

static int
refuse_ref(struct fail *fail, const struct value *ref, const char *what)
{
	struct buf quoted = BUF_INIT;

	op_quote(&quoted, ref);
	(void)fail_refuse(fail, "bad_ref", "id %s %s", quoted.data, what);
	buf_release(&quoted);
	return -1;
}

/* ["#",id,path] */
static int
define(struct wire_decoder *d, const struct value *raw, struct fail *fail)
{
	static const struct op_shape shape = { '#', 3, true,
					       "[\"#\",id,path]" };
	struct value *path, **known;
	uint64_t id;
	size_t bytes;

	if (value_count(raw) != shape.members)
		return fail_refuse(fail, "bad_op",
				   "\"#\" with %zu members; legal: %s",
				   value_count(raw), shape.legal);
	if (!value_integer(value_item(raw, 1), &id))
		return fail_refuse(fail, "bad_op",
				   "\"#\" without an id; legal: %s",
				   shape.legal);
	path = value_item(raw, 2);
	if (op_check_path(&shape, path, fail) != 0 ||
	    op_check_length(path, fail) != 0)
		return -1;
	known = table_find(d->table, value_str(value_item(raw, 1)));
	if (known != NULL) {
		if (!value_equal(*known, path))
			return refuse_ref(fail, value_item(raw, 1),
					  "is defined again, as another path");
	} else {
		bytes = d->table->bytes + value_bytes(path);
		if (value_count(d->table->object) >= WIRE_NUMBERS_MOST)
			return fail_refuse(fail, "too_large",
					   "more than %d ids; legal: no more "
					   "between two bases",
					   WIRE_NUMBERS_MOST);
		if (bytes > WIRE_BYTES_MOST)
			return fail_refuse(fail, "too_large",
					   "paths of %zu bytes have ids; "
					   "legal: at most %d",
					   bytes, WIRE_BYTES_MOST);
		d->table->bytes = bytes;
		value_put(d->table->object,
			  value_new_string(value_str(value_item(raw, 1))),
			  value_ref(path));
	}
	d->numbered++;
	return 0;
}

/* What stands for the path: ref, or nothing in a short form.  Borrowed. */
static struct value *
resolve(struct wire_decoder *d, const struct op_shape *shape, struct value *ref,
	struct fail *fail)
{
	struct value **known, *path;

	if (ref != NULL && ref->kind == JSON_ARRAY)
		return ref;
	if (ref == NULL) {
		path = d->before;
		if (path == NULL)
			(void)fail_refuse(fail, "bad_ref",
					  "\"%c\": no previous path",
					  shape->verb);
	} else {
		known = table_find(d->table, value_str(ref));
		path = known == NULL ? NULL : *known;
		if (path == NULL)
			(void)refuse_ref(fail, ref, "is not defined");
	}
	if (path == NULL || shape->root || value_count(path) > 0)
		return path;
	(void)fail_refuse(fail, "bad_ref",
			  "\"%c\": %s%.*s stands for the path []; legal: a "
			  "path of at least one segment",
			  shape->verb, ref == NULL ? "no path" : "id ",
			  ref == NULL ? 0 : (int)value_str(ref).n,
			  ref == NULL ? "" : value_str(ref).s);
	return NULL;
}

/* The place of the path: a path, or an id. */
static int
check_ref(const struct op_shape *shape, const struct value *ref,
	  struct fail *fail)
{
	uint64_t id;

	if (value_integer(ref, &id))
		return 0;
	return op_check_path(shape, ref, fail);
}

int
wire_decode(struct wire_decoder *d, const struct value *raw, struct op *op,
	    struct fail *fail)
{
	struct value *payload[OP_MEMBERS] = { NULL }, *ref = NULL, *path;
	const struct op_shape *shape;
	size_t n = value_count(raw), first, i;

	*op = (struct op){ 0 };
	if (raw->kind == JSON_ARRAY && n > 0 &&
	    value_item(raw, 0)->kind == JSON_STRING &&
	    str_is(value_str(value_item(raw, 0)), "#"))
		return define(d, raw, fail);
	shape = op_shape(raw, d->verbs, fail);
	if (shape == NULL)
		return -1;
	if (n != shape->members &&
	    (n + 1 != shape->members || shape->verb == 'r'))
		return fail_refuse(fail, "bad_op",
				   "\"%c\" with %zu members; legal: %s%s",
				   shape->verb, n, shape->legal,
				   shape->verb == 'r' ? ""
						      : ", an id for the path, "
							"or no path");
	first = shape->verb != 'r' && n == shape->members ? 2 : 1;
	if (first == 2) {
		ref = value_item(raw, 1);
		if (check_ref(shape, ref, fail) != 0)
			return -1;
	}
	for (i = first; i < n; i++)
		payload[i - first] = value_item(raw, i);
	if (op_take_payload(shape, payload, op, fail) != 0)
		return -1;
	if (shape->verb == 'r') {
		table_clear(d->table);
		wire_begin(d);
		return 1;
	}
	path = resolve(d, shape, ref, fail);
	if (path == NULL || op_check_length(path, fail) != 0) {
		op_release(op);
		return -1;
	}
	op->path = value_ref(path);
	path = value_ref(path);
	value_free(d->before);
	d->before = path;
	return 1;
}
