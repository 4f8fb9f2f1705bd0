#include "notes/yaml_tree.h"

#include <yaml.h>

#include "base/json_write.h"
#include "base/xalloc.h"

/* Where libyaml is, in characters, and which byte that is. */
struct position {
	struct str source;
	size_t index, byte;
};

/* A parse in progress. */
struct builder {
	struct yaml_tree *tree;
	yaml_parser_t *parser;
	struct position at;
	size_t open[YAML_TREE_DEPTH]; /* collections we are in */
	bool key[YAML_TREE_DEPTH];    /* a mapping: a key comes next */
	unsigned depth;
	size_t events;
	size_t documents;
	size_t last_end; /* of the value that was read last */
};

static bool
is_continuation(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

/*
 * libyaml counts characters in its marks; a line break of two bytes counts as
 * two.  Marks come in nearly ascending order, so walking from the last one is
 * linear over all.
 */
static size_t
byte_of(struct position *p, size_t index)
{
	while (p->index < index && p->byte < p->source.n) {
		p->byte++;
		while (p->byte < p->source.n &&
		       is_continuation(p->source.s[p->byte]))
			p->byte++;
		p->index++;
	}
	while (p->index > index && p->byte > 0) {
		p->byte--;
		while (p->byte > 0 && is_continuation(p->source.s[p->byte]))
			p->byte--;
		p->index--;
	}
	return p->byte;
}

static int
fail_at(struct yaml_tree *t, size_t byte, const char *context,
	const char *problem)
{
	snprintf(t->reason, sizeof(t->reason), "%s%s%s",
		 context == NULL ? "" : context, context == NULL ? "" : ": ",
		 problem == NULL ? "invalid YAML" : problem);
	t->fault = byte;
	return -1;
}

/*
 * What libyaml did not like.  Where it ran into the end, the place at which
 * the unfinished thing began helps more.
 */
static int
fail_parser(struct builder *b)
{
	const yaml_parser_t *p = b->parser;
	size_t byte;

	if (p->error == YAML_MEMORY_ERROR)
		abort();
	if (p->error == YAML_READER_ERROR)
		return fail_at(b->tree, p->problem_offset, NULL, p->problem);
	byte = byte_of(&b->at, p->problem_mark.index);
	if (p->context != NULL && byte >= b->at.source.n)
		byte = byte_of(&b->at, p->context_mark.index);
	return fail_at(b->tree, byte, p->context, p->problem);
}

static int
fail_event(struct builder *b, const yaml_event_t *e, const char *problem)
{
	return fail_at(b->tree, byte_of(&b->at, e->start_mark.index), NULL,
		       problem);
}

static struct yaml_node *
add_node(struct builder *b, const yaml_event_t *e, enum yaml_kind kind)
{
	struct yaml_tree *t = b->tree;
	struct yaml_node *node;

	XGROW(t->nodes, t->n + 1, t->cap);
	node = &t->nodes[t->n];
	*node = (struct yaml_node){ .kind = kind };
	node->start = byte_of(&b->at, e->start_mark.index);
	node->next = ++t->n;
	return node;
}

/* A value begins: fits it into the collection around it. */
static int
place(struct builder *b, const yaml_event_t *e, bool scalar)
{
	if (b->depth == 0)
		return 0;
	if (b->tree->nodes[b->open[b->depth - 1]].kind != YAML_MAPPING)
		return 0;
	if (b->key[b->depth - 1] && !scalar)
		return fail_event(b, e, "a key that is not a scalar");
	b->key[b->depth - 1] = !b->key[b->depth - 1];
	return 0;
}

/* A block scalar is said to end where the next thing begins. */
static size_t
trim_end(struct str source, size_t start, size_t end)
{
	while (end > start && memchr(" \t\r\n", source.s[end - 1], 4) != NULL)
		end--;
	return end;
}

static int
add_scalar(struct builder *b, const yaml_event_t *e)
{
	struct yaml_node *node;
	const char *text = (const char *)e->data.scalar.value;
	size_t length = e->data.scalar.length;
	yaml_scalar_style_t style = e->data.scalar.style;

	if (e->data.scalar.anchor != NULL)
		return fail_event(b, e, "anchors are not supported");
	if (e->data.scalar.tag != NULL)
		return fail_event(b, e, "tags are not supported");
	if (memchr(text, 0, length) != NULL)
		return fail_event(b, e, "a NUL character");
	if (place(b, e, true) < 0)
		return -1;
	node = add_node(b, e, YAML_SCALAR);
	node->plain = style == YAML_PLAIN_SCALAR_STYLE;
	node->block = style == YAML_LITERAL_SCALAR_STYLE ||
		      style == YAML_FOLDED_SCALAR_STYLE;
	node->end = byte_of(&b->at, e->end_mark.index);
	if (node->block)
		node->end = trim_end(b->at.source, node->start, node->end);
	node->text = b->tree->text.len;
	node->length = length;
	buf_add(&b->tree->text, text, length);
	b->last_end = node->end;
	return 0;
}

static int
open_collection(struct builder *b, const yaml_event_t *e, enum yaml_kind kind)
{
	bool block;

	/* Sequence and mapping events are laid out alike, but by name. */
	if (kind == YAML_SEQUENCE) {
		block = e->data.sequence_start.style ==
			YAML_BLOCK_SEQUENCE_STYLE;
		if (e->data.sequence_start.anchor != NULL)
			return fail_event(b, e, "anchors are not supported");
		if (e->data.sequence_start.tag != NULL)
			return fail_event(b, e, "tags are not supported");
	} else {
		block = e->data.mapping_start.style == YAML_BLOCK_MAPPING_STYLE;
		if (e->data.mapping_start.anchor != NULL)
			return fail_event(b, e, "anchors are not supported");
		if (e->data.mapping_start.tag != NULL)
			return fail_event(b, e, "tags are not supported");
	}
	if (place(b, e, false) < 0)
		return -1;
	if (b->depth == YAML_TREE_DEPTH)
		return fail_event(b, e, "nested more than 32 levels deep");
	add_node(b, e, kind)->block = block;
	b->open[b->depth] = b->tree->n - 1;
	b->key[b->depth] = kind == YAML_MAPPING;
	b->depth++;
	return 0;
}

static int
close_collection(struct builder *b, const yaml_event_t *e)
{
	struct yaml_node *node = &b->tree->nodes[b->open[--b->depth]];

	/* A block collection ends where the next thing begins: as above. */
	if (!node->block)
		b->last_end = byte_of(&b->at, e->end_mark.index);
	node->end = b->last_end;
	node->next = b->tree->n;
	return 0;
}

static int
take_event(struct builder *b, const yaml_event_t *e)
{
	if (++b->events > YAML_TREE_EVENTS)
		return fail_event(b, e, "more than 20000 parts");
	switch (e->type) {
	case YAML_DOCUMENT_START_EVENT:
		if (b->documents++ > 0 || !e->data.document_start.implicit)
			return fail_event(b, e, "a further document");
		return 0;
	case YAML_ALIAS_EVENT:
		return fail_event(b, e, "aliases are not supported");
	case YAML_SCALAR_EVENT:
		return add_scalar(b, e);
	case YAML_SEQUENCE_START_EVENT:
		return open_collection(b, e, YAML_SEQUENCE);
	case YAML_MAPPING_START_EVENT:
		return open_collection(b, e, YAML_MAPPING);
	case YAML_SEQUENCE_END_EVENT:
	case YAML_MAPPING_END_EVENT:
		return close_collection(b, e);
	default:
		return 0;
	}
}

/*
 * Directives are refused before libyaml sees them, since it compares each
 * with all before it.  They can only stand before the first content.
 */
static int
check_directives(struct yaml_tree *t, struct str source)
{
	size_t i = 0, n;
	bool line_start = true;

	while (i < source.n) {
		n = 1;
		if (line_start && source.s[i] == '%')
			return fail_at(t, i, NULL,
				       "directives are not supported");
		if (source.s[i] == '#') {
			n = str_until(str_from(source, i), '\n').n;
			line_start = false;
		} else if (memchr("\r\n", source.s[i], 2) != NULL) {
			line_start = true;
		} else if (memchr(" \t", source.s[i], 2) != NULL) {
			line_start = false;
		} else if (str_starts(str_from(source, i), STR("\xc2\x85"))) {
			n = 2;
			line_start = true;
		} else if (str_starts(str_from(source, i),
				      STR("\xe2\x80\xa8")) ||
			   str_starts(str_from(source, i),
				      STR("\xe2\x80\xa9"))) {
			n = 3;
			line_start = true;
		} else if (str_starts(str_from(source, i),
				      STR("\xef\xbb\xbf"))) {
			n = 3;
		} else {
			return 0;
		}
		i += n;
	}
	return 0;
}

/*
 * libyaml takes quadratic time in the depth of flow brackets.  It hands a
 * bracket out once it cannot start a key any more, which is after at most
 * 1,024 characters; so stopping at the first that is too deep bounds how many
 * it can have opened ahead of us.
 */
static int
run(struct builder *b)
{
	yaml_event_t event;
	bool end = false;
	int rc = 0;

	while (rc == 0 && !end) {
		if (!yaml_parser_parse(b->parser, &event))
			return fail_parser(b);
		end = event.type == YAML_STREAM_END_EVENT;
		rc = take_event(b, &event);
		yaml_event_delete(&event);
	}
	return rc;
}

int
yaml_tree_parse(struct yaml_tree *t, struct str source)
{
	yaml_parser_t parser;
	struct builder b = { .tree = t, .parser = &parser };
	int rc;

	t->n = 0;
	buf_reset(&t->text);
	if (check_directives(t, source) < 0)
		return -1;
	if (!yaml_parser_initialize(&parser))
		abort();
	/* Without this, FE FF at the start would make it read UTF-16. */
	yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
	yaml_parser_set_input_string(
		&parser, (const unsigned char *)(source.n == 0 ? "" : source.s),
		source.n);
	b.at.source = source;
	rc = run(&b);
	yaml_parser_delete(&parser);
	return rc;
}

void
yaml_tree_release(struct yaml_tree *t)
{
	free(t->nodes);
	buf_release(&t->text);
	*t = (struct yaml_tree)YAML_TREE_INIT;
}

struct str
yaml_tree_text(const struct yaml_tree *t, size_t node)
{
	const struct yaml_node *n = &t->nodes[node];

	return (struct str){ t->text.data + n->text, n->length };
}

/* ---- as JSON values ---------------------------------------------------- */

static size_t
skip_digits(struct str s, size_t i)
{
	while (i < s.n && s.s[i] >= '0' && s.s[i] <= '9')
		i++;
	return i;
}

/* The grammar of RFC 8259; YAML's own is wider. */
static bool
is_number(struct str s)
{
	size_t i = 0, from;

	if (i < s.n && s.s[i] == '-')
		i++;
	from = i;
	i = skip_digits(s, i);
	if (i == from || (s.s[from] == '0' && i > from + 1))
		return false;
	if (i < s.n && s.s[i] == '.') {
		from = i + 1;
		i = skip_digits(s, from);
		if (i == from)
			return false;
	}
	if (i < s.n && (s.s[i] == 'e' || s.s[i] == 'E')) {
		i++;
		if (i < s.n && (s.s[i] == '+' || s.s[i] == '-'))
			i++;
		from = i;
		i = skip_digits(s, from);
		if (i == from)
			return false;
	}
	return i == s.n;
}

enum yaml_type
yaml_tree_resolve(struct str plain)
{
	if (plain.n == 0 || str_is(plain, "~") || str_is(plain, "null"))
		return YAML_IS_NULL;
	if (str_is(plain, "true"))
		return YAML_IS_TRUE;
	if (str_is(plain, "false"))
		return YAML_IS_FALSE;
	return is_number(plain) ? YAML_IS_NUMBER : YAML_IS_STRING;
}

enum yaml_type
yaml_tree_type(const struct yaml_tree *t, size_t node)
{
	if (t->nodes[node].kind != YAML_SCALAR)
		return YAML_IS_COLLECTION;
	if (!t->nodes[node].plain)
		return YAML_IS_STRING;
	return yaml_tree_resolve(yaml_tree_text(t, node));
}

struct member {
	struct str key;
	size_t node;
};

static int
member_cmp(const void *a, const void *b)
{
	const struct member *x = a, *y = b;
	int c = str_cmp(x->key, y->key);

	return c != 0 ? c : (x->node > y->node) - (x->node < y->node);
}

void
yaml_tree_hide_duplicates(struct yaml_tree *t)
{
	struct member *members = NULL;
	size_t cap = 0, n, i, k;

	for (i = 0; i < t->n; i++) {
		if (t->nodes[i].kind != YAML_MAPPING)
			continue;
		n = 0;
		for (k = i + 1; k < t->nodes[i].next;
		     k = t->nodes[k + 1].next) {
			XGROW(members, n + 1, cap);
			members[n++] = (struct member){ yaml_tree_text(t, k),
							k };
		}
		if (n < 2)
			continue;
		qsort(members, n, sizeof(*members), member_cmp);
		for (k = 0; k + 1 < n; k++)
			if (str_eq(members[k].key, members[k + 1].key))
				t->nodes[members[k].node].hidden = true;
	}
	free(members);
}

static void
write_scalar(const struct yaml_tree *t, size_t node, struct json_writer *w)
{
	struct str text = yaml_tree_text(t, node);

	switch (yaml_tree_type(t, node)) {
	case YAML_IS_NULL:
		json_null(w);
		break;
	case YAML_IS_TRUE:
	case YAML_IS_FALSE:
	case YAML_IS_NUMBER:
		json_raw(w, text);
		break;
	default:
		json_string(w, text);
	}
}

/* A collection that is being written. */
struct yaml_level {
	size_t end;	   /* the node after it */
	bool mapping, key; /* a key comes next */
};

static void
close_level(struct json_writer *w, const struct yaml_level *level)
{
	if (level->mapping)
		json_close_object(w);
	else
		json_close_array(w);
}

static void
open_level(struct json_writer *w, const struct yaml_node *node,
	   struct yaml_level *level)
{
	level->end = node->next;
	level->mapping = level->key = node->kind == YAML_MAPPING;
	if (level->mapping)
		json_open_object(w);
	else
		json_open_array(w);
}

void
yaml_tree_json(const struct yaml_tree *t, size_t node, struct buf *out)
{
	struct yaml_level levels[YAML_TREE_DEPTH];
	struct json_writer w;
	size_t i = node, depth = 0, end = t->nodes[node].next;

	json_begin(&w, out);
	while (i < end || depth > 0) {
		struct yaml_level *top = depth == 0 ? NULL : &levels[depth - 1];

		if (top != NULL && i == top->end) {
			close_level(&w, top);
			depth--;
			continue;
		}
		if (top != NULL && top->mapping) {
			if (top->key && t->nodes[i].hidden) {
				i = t->nodes[i + 1].next;
				continue;
			}
			top->key = !top->key;
			if (!top->key) {
				json_key_str(&w, yaml_tree_text(t, i++));
				continue;
			}
		}
		if (t->nodes[i].kind == YAML_SCALAR)
			write_scalar(t, i, &w);
		else
			open_level(&w, &t->nodes[i], &levels[depth++]);
		i++;
	}
}
