/* The tree of front matter as JSON values (spec/notes.md section 3.1). */

#include "base/json_write.h"
#include "base/xalloc.h"
#include "notes/yaml_tree.h"

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
struct level {
	size_t end;	   /* the node after it */
	bool mapping, key; /* a key comes next */
};

static void
close_level(struct json_writer *w, const struct level *level)
{
	if (level->mapping)
		json_close_object(w);
	else
		json_close_array(w);
}

static void
open_level(struct json_writer *w, const struct yaml_node *node,
	   struct level *level)
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
	struct level levels[YAML_TREE_DEPTH];
	struct json_writer w;
	size_t i = node, depth = 0, end = t->nodes[node].next;

	json_begin(&w, out);
	while (i < end || depth > 0) {
		struct level *top = depth == 0 ? NULL : &levels[depth - 1];

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
