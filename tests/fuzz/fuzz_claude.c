/*
 * Any file as a transcript of Claude Code.  The first byte chooses the leaf
 * among the ids in the file.  The branch is compared with what the words of
 * spec/history.md section 3.3 say, done slowly: every id is compared as a
 * string with every other.
 */
#include "base/json_span.h"
#include "transcript/claude.h"
#include "transcript/lines.h"
#include "transcript_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

#define MOST 400 /* records, for the slow way */
#define NOWHERE SIZE_MAX

struct entry {
	struct str record, message;
	struct str uuid; /* raw, a string; or an empty span */
	bool chain, marked, answers;
	bool user, text; /* says something in the user's name */
	bool loose;	 /* has no uuid, and is where the one before it is */
	bool open;	 /* the path goes on in a row that is not a message */
	bool boundary;
	struct str segment; /* that a boundary keeps, an object; or empty */
};

struct tree {
	struct entry v[MOST];
	size_t n;
};

static bool
same(struct str a, struct str b)
{
	struct buf x = BUF_INIT, y = BUF_INIT;
	bool equal = json_kind(a) == JSON_STRING && json_kind(b) == JSON_STRING;

	if (equal) {
		json_decode(a, &x);
		json_decode(b, &y);
		equal = str_eq(buf_str(&x), buf_str(&y));
	}
	buf_release(&x);
	buf_release(&y);
	return equal;
}

static bool
is(struct str object, const char *name, const char *value)
{
	struct str v = json_get(object, name);

	return json_kind(v) == JSON_STRING && json_string_is(v, value);
}

static bool
is_type(struct str object, const char *type)
{
	return is(object, "type", type);
}

static void
read_tree(struct tree *tree, const struct transcript *t, struct str file)
{
	for (tree->n = 0; tree->n < t->n_records; tree->n++) {
		const struct record *r = &t->records[tree->n];
		struct entry *e = &tree->v[tree->n];

		*e = (struct entry){ .chain = false };
		must(lines_parse((struct str){ file.s + r->offset, r->length },
				 &e->record));
		e->message = json_get(e->record, "message");
		e->uuid = json_get(e->record, "uuid");
		if (json_kind(e->uuid) != JSON_STRING)
			e->uuid.n = 0;
		e->chain = e->uuid.n > 0 &&
			   !json_is_true(json_get(e->record, "isSidechain"));
		e->answers = e->chain && is_type(e->record, "assistant");
		e->user = e->chain && is_type(e->record, "user");
		e->boundary = is_type(e->record, "system") &&
			      is(e->record, "subtype", "compact_boundary");
		e->segment = json_get(json_get(e->record, "compactMetadata"),
				      "preservedSegment");
		if (!e->boundary || json_kind(e->segment) != JSON_OBJECT)
			e->segment.n = 0;
	}
	for (size_t i = 0; i < t->n_slots; i++) {
		struct entry *e = &tree->v[t->slots[i].record];

		e->text |= e->user && t->slots[i].kind == SLOT_TEXT;
		e->loose |= e->uuid.n == 0 &&
			    (is_type(e->record, "attachment") ||
			     is_type(e->record, "queue-operation"));
	}
}

/* The record with that id among the first n. */
static size_t
find(const struct tree *tree, struct str uuid, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (same(tree->v[i].uuid, uuid))
			return i;
	return NOWHERE;
}

static size_t
chain_before(const struct tree *tree, size_t i)
{
	while (i > 0)
		if (tree->v[--i].chain)
			return i;
	return NOWHERE;
}

/* Whether what the records say of their parents leads back in the file. */
static bool
leads_to(const struct tree *tree, size_t from, size_t to)
{
	while (from != NOWHERE && from != to) {
		struct str up = json_get(tree->v[from].record, "parentUuid");

		if (json_kind(up) == JSON_STRING)
			from = find(tree, up, from);
		else if (json_kind(up) == JSON_NULL)
			from = NOWHERE;
		else
			from = chain_before(tree, from);
	}
	return from == to;
}

/* Where a boundary without a parent goes on. */
static size_t
before_boundary(const struct tree *tree, size_t i)
{
	const struct entry *e = &tree->v[i];
	size_t last = chain_before(tree, i), at = NOWHERE;

	if (e->segment.n > 0)
		at = find(tree, json_get(e->segment, "tailUuid"), i);
	if (at != NOWHERE)
		return last != NOWHERE && leads_to(tree, last, at) ? last : at;
	at = find(tree, json_get(e->record, "logicalParentUuid"), i);
	return at != NOWHERE ? at : last;
}

/* Where a record goes on whose parent is the tail that a boundary keeps. */
static size_t
behind_tail(const struct tree *tree, size_t i, struct str up)
{
	size_t parent = find(tree, up, i);

	for (size_t k = i; k > 0; k--) {
		struct str segment = tree->v[k - 1].segment;
		struct str anchor = json_get(segment, "anchorUuid");

		if (tree->v[k - 1].uuid.n == 0 || segment.n == 0 ||
		    json_kind(anchor) != JSON_STRING ||
		    !same(json_get(segment, "tailUuid"), up))
			continue;
		return parent != NOWHERE && parent < k - 1
			       ? find(tree, anchor, i)
			       : NOWHERE;
	}
	return NOWHERE;
}

static size_t
parent_of(const struct tree *tree, size_t i)
{
	const struct entry *e = &tree->v[i];
	struct str up = json_get(e->record, "parentUuid");
	size_t parent = NOWHERE;

	if (json_kind(up) == JSON_NULL)
		return e->boundary ? before_boundary(tree, i) : NOWHERE;
	if (json_kind(up) == JSON_STRING) {
		parent = behind_tail(tree, i, up);
		if (parent == NOWHERE)
			parent = find(tree, up, tree->n);
	}
	return parent != NOWHERE ? parent : chain_before(tree, i);
}

static void
mark_path(struct tree *tree, size_t i)
{
	bool row = false;

	while (i != NOWHERE && !tree->v[i].marked) {
		tree->v[i].marked = true;
		tree->v[i].open = row;
		row = !tree->v[i].user && !tree->v[i].answers;
		i = parent_of(tree, i);
	}
}

/* Whether the path goes around it only for rows of the host's own. */
static bool
is_detour(const struct tree *tree, size_t i)
{
	for (size_t steps = 0; steps <= tree->n; steps++) {
		const struct entry *e = &tree->v[i];
		size_t parent;

		if (e->marked || !e->chain)
			return false;
		parent = parent_of(tree, i);
		if (parent == NOWHERE)
			return false;
		if (tree->v[parent].marked)
			return e->answers && tree->v[parent].open;
		if (e->text)
			return false;
		i = parent;
	}
	return false;
}

static void
mark_detours(struct tree *tree)
{
	static bool add[MOST];

	for (size_t i = 0; i < tree->n; i++)
		add[i] = is_detour(tree, i);
	for (size_t i = 0; i < tree->n; i++)
		tree->v[i].marked = tree->v[i].marked || add[i];
}

static void
mark_answers(struct tree *tree)
{
	bool add[MOST] = { false };

	for (size_t i = 0; i < tree->n; i++)
		for (size_t k = 0; k < tree->n; k++)
			add[i] = add[i] ||
				 (tree->v[i].answers && tree->v[k].answers &&
				  tree->v[k].marked &&
				  json_get(tree->v[i].message, "id").n > 2 &&
				  same(json_get(tree->v[i].message, "id"),
				       json_get(tree->v[k].message, "id")));
	for (size_t i = 0; i < tree->n; i++)
		tree->v[i].marked = tree->v[i].marked || add[i];
}

/* Whether a marked answer has a call of that id. */
static bool
is_called(const struct tree *tree, struct str id)
{
	struct json_iter it;
	struct str block;

	for (size_t i = 0; i < tree->n; i++) {
		const struct entry *e = &tree->v[i];

		if (!e->marked || !e->answers)
			continue;
		it = json_iterate(json_get(e->message, "content"));
		while (json_next_element(&it, &block))
			if (is_type(block, "tool_use") &&
			    same(json_get(block, "id"), id))
				return true;
	}
	return false;
}

static void
mark_results(struct tree *tree)
{
	struct json_iter it;
	struct str block, id;

	for (size_t i = 0; i < tree->n; i++) {
		struct entry *e = &tree->v[i];

		if (!e->chain || !is_type(e->record, "user"))
			continue;
		it = json_iterate(json_get(e->message, "content"));
		while (json_next_element(&it, &block)) {
			id = json_get(block, "tool_use_id");
			if (is_type(block, "tool_result") && id.n > 2 &&
			    is_called(tree, id))
				e->marked = true;
		}
	}
}

static void
check_branch(const struct transcript *t, struct str file, struct str leaf)
{
	static struct tree tree;
	struct str decoded;
	struct buf scratch = BUF_INIT;
	size_t at = NOWHERE;

	if (t->n_records > MOST)
		return;
	read_tree(&tree, t, file);
	for (size_t i = 0; leaf.n > 0 && i < tree.n; i++) {
		decoded = json_text(tree.v[i].uuid, &scratch);
		if (tree.v[i].uuid.n > 0 && str_eq(decoded, leaf))
			at = i;
	}
	mark_path(&tree, leaf.n > 0 ? at : chain_before(&tree, tree.n));
	mark_detours(&tree);
	mark_answers(&tree);
	mark_results(&tree);
	for (size_t i = 0; i < tree.n; i++)
		if (tree.v[i].loose && chain_before(&tree, i) != NOWHERE)
			tree.v[i].marked =
				tree.v[chain_before(&tree, i)].marked;
	for (size_t i = 0; i < tree.n; i++)
		must(((t->records[i].flags & RECORD_BRANCH) != 0) ==
		     tree.v[i].marked);
	buf_release(&scratch);
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct str file;

	if (n == 0)
		return 0;
	file = copy_file(p, n);
	check_transcript(&claude_decoder, file,
			 find_leaf(file, "\"uuid\":\"", *p % 16), check_branch);
	free((void *)(uintptr_t)file.s);
	return 0;
}
