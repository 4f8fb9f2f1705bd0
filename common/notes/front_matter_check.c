/*
 * Reading back what a change of front matter has made (spec/notes.md section
 * 3.2).
 */

#include "notes/front_matter_lines.h"
#include "notes/yaml_tree.h"

static bool
same_value(enum front_matter_key key, const struct note_meta *a,
	   const struct note_meta *b)
{
	switch (key) {
	case FRONT_MATTER_ORIGIN:
		return a->origin == b->origin;
	case FRONT_MATTER_CREATED_AT:
		return a->created_at == b->created_at;
	case FRONT_MATTER_UPDATED_AT:
		return a->updated_at == b->updated_at;
	case FRONT_MATTER_CRUMPLED_AT:
		return a->crumpled_at == b->crumpled_at;
	case FRONT_MATTER_LAST_ACCESSED:
		return a->last_accessed == b->last_accessed;
	case FRONT_MATTER_ACCESS_COUNT:
		return a->access_count == b->access_count;
	case FRONT_MATTER_PROJECT:
		return str_eq(a->project, b->project);
	default:
		return true;
	}
}

/* Whether a key reads back as it should after the change. */
static bool
key_reads_back(const struct front_matter *old,
	       const struct front_matter_change *change,
	       const struct front_matter *now, enum front_matter_key key)
{
	uint32_t bit = FRONT_MATTER_BIT(key);

	if (change->remove & bit)
		return !(now->present & bit);
	if (change->set & bit)
		return (now->readable & bit) &&
		       same_value(key, &now->raw, &change->to);
	return (now->present & bit) == (old->present & bit) &&
	       (now->readable & bit) == (old->readable & bit) &&
	       (!(now->readable & bit) ||
		same_value(key, &now->raw, &old->raw));
}

static bool
same_node(const struct yaml_tree *a, size_t i, const struct yaml_tree *b,
	  size_t k)
{
	const struct yaml_node *x = &a->nodes[i], *y = &b->nodes[k];

	if (x->kind != y->kind || x->next - i != y->next - k)
		return false;
	return x->kind != YAML_SCALAR ||
	       (x->plain == y->plain &&
		str_eq(yaml_tree_text(a, i), yaml_tree_text(b, k)));
}

/* The next node under a key that is none of ours, from i on. */
static size_t
skip_known(const struct yaml_tree *t, size_t i, size_t *member_end)
{
	while (i < t->n && i >= *member_end) {
		*member_end = t->nodes[i + 1].next;
		if (front_matter_key_of(yaml_tree_text(t, i)) <
		    FRONT_MATTER_KEYS)
			i = *member_end;
	}
	return i;
}

static struct str
block_of(const struct front_matter *fm, struct str file)
{
	return (struct str){ file.s + fm->start, fm->close - fm->start };
}

/*
 * Whether all other keys are what they were.  A line that is taken out from
 * between others can change what those mean: a comment below it may become
 * the text of a block scalar above.
 */
static bool
same_others(struct str old, struct str now)
{
	struct yaml_tree a = YAML_TREE_INIT, b = YAML_TREE_INIT;
	size_t i = 1, k = 1, i_end = 1, k_end = 1;
	bool same = false;

	if (yaml_tree_parse(&a, old) < 0 || yaml_tree_parse(&b, now) < 0)
		goto out;
	for (;; i++, k++) {
		i = skip_known(&a, i, &i_end);
		k = skip_known(&b, k, &k_end);
		if (i >= a.n || k >= b.n)
			break;
		if (!same_node(&a, i, &b, k))
			goto out;
	}
	same = i >= a.n && k >= b.n;
out:
	yaml_tree_release(&a);
	yaml_tree_release(&b);
	return same;
}

bool
front_matter_reads_back(const struct front_matter *old, struct str old_file,
			const struct front_matter_change *change,
			struct str file, struct str body,
			enum front_matter_key *fault)
{
	struct front_matter now = FRONT_MATTER_INIT;
	enum front_matter_key key = 0;
	bool good;

	front_matter_parse(&now, file, 0);
	good = now.kind == FRONT_MATTER_BLOCK;
	for (; good && key < FRONT_MATTER_KEYS; key++) {
		good = key_reads_back(old, change, &now, key);
		if (!good)
			*fault = key;
	}
	good = good && str_eq(str_from(file, now.body), body) &&
	       same_others(block_of(old, old_file), block_of(&now, file));
	front_matter_release(&now);
	return good;
}
