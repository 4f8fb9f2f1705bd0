/*
 * The edits are planned as splices over the old file, carried out in one go,
 * and the result is parsed again before anybody gets to see it.
 */

#include "notes/front_matter_rewrite.h"

#include "base/xalloc.h"
#include "notes/yaml_tree.h"

#define CODE "bad_front_matter"

/* file[start .. end) becomes text[from .. to). */
struct splice {
	size_t start, end, from, to;
};

struct editor {
	const struct front_matter *fm;
	struct str file;
	const struct front_matter_change *change; /* times to record included */
	struct splice *splices;
	size_t n, cap;
	struct buf text;
	struct fail *fail;
};

static int
refuse_key(const struct editor *ed, enum front_matter_key key, size_t at)
{
	return fail_refuse(ed->fail, CODE,
			   "%s at line %zu of the note cannot be changed "
			   "safely; change the front matter there by hand",
			   front_matter_names[key],
			   front_matter_line(ed->file, at));
}

/* Opens a splice; what is added to ed->text until the next one is its text. */
static void
splice(struct editor *ed, size_t start, size_t end)
{
	XGROW(ed->splices, ed->n + 1, ed->cap);
	ed->splices[ed->n++] = (struct splice){ start, end, ed->text.len,
						ed->text.len };
}

static void
splice_value(struct editor *ed, enum front_matter_key key)
{
	front_matter_value(&ed->text, key, &ed->change->to);
	ed->splices[ed->n - 1].to = ed->text.len;
}

/* ---- lines ------------------------------------------------------------- */

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static size_t
line_start(struct str file, size_t at)
{
	while (at > 0 && file.s[at - 1] != '\n')
		at--;
	return at;
}

static size_t
skip_blanks(struct str file, size_t at)
{
	while (at < file.n && is_blank(file.s[at]))
		at++;
	return at;
}

/* Where the line's own bytes end: before its \n or \r\n. */
static size_t
line_end(struct str file, size_t at)
{
	size_t end = at + str_until(str_from(file, at), '\n').n;

	return end > at && file.s[end - 1] == '\r' ? end - 1 : end;
}

/* The colon of a key, which is followed by its value; false: none there. */
static bool
find_colon(struct str file, const struct front_matter_entry *e, size_t *after)
{
	size_t at = skip_blanks(file, e->key_end);

	*after = at + 1;
	return at < file.n && file.s[at] == ':';
}

static bool
starts_line(struct str file, size_t at)
{
	return skip_blanks(file, line_start(file, at)) == at;
}

/*
 * Whether file[at .. end) is nothing, blanks or a comment.  YAML knows line
 * breaks that are none for us (CR, NEL, LS, PS): behind one of those another
 * key might stand.
 */
static bool
is_rest(struct str file, size_t at, size_t end)
{
	size_t hash = skip_blanks(file, at);
	struct str rest = { file.s + hash, end - hash };

	if (rest.n == 0)
		return true;
	return rest.s[0] == '#' && hash > at && !str_has(rest, '\r') &&
	       memmem(rest.s, rest.n, "\xc2\x85", 2) == NULL &&
	       memmem(rest.s, rest.n, "\xe2\x80\xa8", 3) == NULL &&
	       memmem(rest.s, rest.n, "\xe2\x80\xa9", 3) == NULL;
}

/* ---- planning ---------------------------------------------------------- */

/*
 * A block collection starts on a line below its key: the new value goes
 * behind the colon, and its lines go.  A comment behind it stays.
 */
static int
replace_block_collection(struct editor *ed, const struct front_matter_entry *e,
			 size_t colon)
{
	size_t start = line_start(ed->file, e->start);
	size_t end = line_end(ed->file, e->end);

	if (start <= colon || !starts_line(ed->file, e->start))
		return refuse_key(ed, e->key, e->key_start);
	if (skip_blanks(ed->file, e->end) == end)
		end += ed->file.s[end] == '\r' ? 2 : 1;
	else
		end = e->end;
	splice(ed, colon, colon);
	buf_addc(&ed->text, ' ');
	splice_value(ed, e->key);
	splice(ed, start, end);
	return 0;
}

static int
plan_set(struct editor *ed, const struct front_matter_entry *e)
{
	size_t colon;
	bool empty = e->start == e->end;
	bool below;

	if (!find_colon(ed->file, e, &colon))
		return refuse_key(ed, e->key, e->key_start);
	below = line_start(ed->file, e->start) > colon;
	if (e->block && below)
		return replace_block_collection(ed, e, colon);
	if (empty) {
		splice(ed, colon, colon);
		buf_addc(&ed->text, ' ');
	} else {
		splice(ed, e->start, e->end);
	}
	splice_value(ed, e->key);
	return 0;
}

static int
plan_remove(struct editor *ed, const struct front_matter_entry *e)
{
	size_t colon, last, end;

	if (!starts_line(ed->file, e->key_start) ||
	    !find_colon(ed->file, e, &colon))
		return refuse_key(ed, e->key, e->key_start);
	last = e->end > colon ? e->end : colon;
	end = line_end(ed->file, last);
	if (!is_rest(ed->file, last, end))
		return refuse_key(ed, e->key, e->key_start);
	end += ed->file.s[end] == '\r' ? 2 : 1;
	splice(ed, line_start(ed->file, e->key_start), end);
	return 0;
}

static struct str
line_ending(const struct editor *ed)
{
	size_t start = ed->fm->start;

	if (start >= 2 && ed->file.s[start - 2] == '\r')
		return STR("\r\n");
	return STR("\n");
}

/* Keys that are not there yet, directly before the closing line. */
static void
plan_adds(struct editor *ed)
{
	const struct front_matter *fm = ed->fm;
	struct str indent = { NULL, 0 };

	if (fm->first_key < fm->close) {
		size_t start = line_start(ed->file, fm->first_key);

		indent.s = ed->file.s + start;
		indent.n = skip_blanks(ed->file, start) - start;
	}
	for (enum front_matter_key key = 0; key < FRONT_MATTER_KEYS; key++) {
		if (!(ed->change->set & ~fm->present & FRONT_MATTER_BIT(key)))
			continue;
		splice(ed, fm->close, fm->close);
		buf_add_str(&ed->text, indent);
		buf_addf(&ed->text, "%s: ", front_matter_names[key]);
		front_matter_value(&ed->text, key, &ed->change->to);
		buf_add_str(&ed->text, line_ending(ed));
		ed->splices[ed->n - 1].to = ed->text.len;
	}
}

static int
plan(struct editor *ed)
{
	const struct front_matter *fm = ed->fm;
	int rc = 0;

	for (size_t i = 0; i < fm->n && rc == 0; i++) {
		const struct front_matter_entry *e = &fm->entries[i];
		uint32_t bit = FRONT_MATTER_BIT(e->key);

		if (ed->change->remove & bit)
			rc = plan_remove(ed, e);
		else if ((ed->change->set & bit) &&
			 e == front_matter_last(fm, e->key))
			rc = plan_set(ed, e);
	}
	if (rc == 0)
		plan_adds(ed);
	return rc;
}

/* ---- carrying out ------------------------------------------------------ */

/* The file up to its closing line, with the splices. */
static void
add_block(const struct editor *ed, struct buf *out)
{
	size_t i, at = 0;

	for (i = 0; i < ed->n; i++) {
		const struct splice *s = &ed->splices[i];

		buf_add(out, ed->file.s + at, s->start - at);
		buf_add(out, ed->text.data + s->from, s->to - s->from);
		at = s->end;
	}
	buf_add(out, ed->file.s + at, ed->fm->close_end - at);
}

static struct str
new_body(const struct editor *ed)
{
	if (ed->change->body != NULL)
		return *ed->change->body;
	return str_from(ed->file, ed->fm->body);
}

static void
add_body(const struct editor *ed, struct buf *out)
{
	const struct front_matter *fm = ed->fm;
	struct str body = new_body(ed);

	if (ed->file.s[fm->close_end - 1] != '\n')
		buf_add_str(out, line_ending(ed));
	buf_add(out, ed->file.s + fm->close_end, fm->body - fm->close_end);
	/* Else the next parse would take the body's first line for one. */
	if (fm->body == fm->close_end && front_matter_separator(body) > 0)
		buf_add_str(out, line_ending(ed));
	buf_add_str(out, body);
}

/* ---- reading back ------------------------------------------------------ */

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

/*
 * Whether file, which the change has made of old_file, reads back as it
 * should: the known keys, all others, and the body.  If a known key is wrong,
 * *fault is that; else it stays.
 */
static bool
reads_back(const struct front_matter *old, struct str old_file,
	   const struct front_matter_change *change, struct str file,
	   struct str body, enum front_matter_key *fault)
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

/* The key to name when something went wrong that is not a key's own fault. */
static enum front_matter_key
blame(const struct editor *ed)
{
	uint32_t bits = ed->change->set | ed->change->remove;
	enum front_matter_key key = 0;

	while (key + 1 < FRONT_MATTER_KEYS && !(bits & FRONT_MATTER_BIT(key)))
		key++;
	return key;
}

static int
check(const struct editor *ed, struct str file)
{
	enum front_matter_key key = blame(ed);
	const struct front_matter_entry *e;

	if (reads_back(ed->fm, ed->file, ed->change, file, new_body(ed), &key))
		return 0;
	e = front_matter_last(ed->fm, key);
	return refuse_key(ed, key, e != NULL ? e->key_start : ed->fm->close);
}

/* ---- the three kinds of note ------------------------------------------- */

static int
rewrite_block(const struct front_matter *fm, struct str file,
	      const struct front_matter_change *change, struct buf *out,
	      struct fail *fail)
{
	struct editor ed = { .fm = fm,
			     .file = file,
			     .change = change,
			     .text = BUF_INIT,
			     .fail = fail };
	size_t from = out->len;
	int rc;

	rc = plan(&ed);
	if (rc == 0) {
		add_block(&ed, out);
		add_body(&ed, out);
		rc = check(&ed, str_from(buf_str(out), from));
	}
	if (rc < 0)
		buf_truncate(out, from);
	free(ed.splices);
	buf_release(&ed.text);
	return rc;
}

/* Does to the values what change does to the keys. */
static void
apply(const struct front_matter_change *change, struct note_meta *meta)
{
	const struct note_meta *to = &change->to;

#define SETS(key) (change->set & FRONT_MATTER_BIT(FRONT_MATTER_##key))
#define REMOVES(key) (change->remove & FRONT_MATTER_BIT(FRONT_MATTER_##key))
	if (SETS(ORIGIN))
		meta->origin = to->origin;
	if (SETS(CREATED_AT))
		meta->created_at = to->created_at;
	if (SETS(UPDATED_AT))
		meta->updated_at = to->updated_at;
	if (SETS(LAST_ACCESSED))
		meta->last_accessed = to->last_accessed;
	if (SETS(ACCESS_COUNT))
		meta->access_count = to->access_count;
	if (SETS(CRUMPLED_AT)) {
		meta->crumpled = true;
		meta->crumpled_at = to->crumpled_at;
	}
	if (REMOVES(CRUMPLED_AT))
		meta->crumpled = false;
	if (SETS(PROJECT)) {
		meta->has_project = true;
		meta->project = to->project;
	}
	if (REMOVES(PROJECT))
		meta->has_project = false;
#undef SETS
#undef REMOVES
}

static void
rewrite_bare(struct str file, const struct note_meta *meta,
	     const struct front_matter_change *change, struct buf *out)
{
	struct note_meta fresh = *meta;

	fresh.last_accessed = fresh.updated_at;
	fresh.access_count = 0;
	fresh.has_project = false;
	apply(change, &fresh);
	front_matter_compose(out, &fresh,
			     change->body != NULL ? *change->body : file);
}

static int
rewrite_broken(const struct front_matter *fm, struct str file,
	       const struct front_matter_change *change, struct buf *out,
	       struct fail *fail)
{
	uint32_t state = FRONT_MATTER_BIT(FRONT_MATTER_ORIGIN) |
			 FRONT_MATTER_BIT(FRONT_MATTER_CRUMPLED_AT);

	if ((change->set | change->remove) & state)
		return fail_refuse(fail, CODE,
				   "the front matter is broken at line %zu of "
				   "the note: %s; mend it by an edit of the "
				   "text first",
				   fm->line, fm->reason);
	buf_add_str(out, change->body != NULL ? *change->body : file);
	return 0;
}

int
front_matter_rewrite(const struct front_matter *fm, struct str file,
		     const struct note_meta *meta,
		     const struct front_matter_change *change, struct buf *out,
		     struct fail *fail)
{
	struct front_matter_change full = *change;
	uint32_t times = FRONT_MATTER_BIT(FRONT_MATTER_CREATED_AT) |
			 FRONT_MATTER_BIT(FRONT_MATTER_UPDATED_AT);

	if (fm->kind == FRONT_MATTER_BROKEN)
		return rewrite_broken(fm, file, change, out, fail);
	if (fm->kind == FRONT_MATTER_NONE) {
		rewrite_bare(file, meta, change, out);
		return 0;
	}
	times &= ~(fm->present | full.set);
	if (full.record_times) {
		full.set |= times;
		if (times & FRONT_MATTER_BIT(FRONT_MATTER_CREATED_AT))
			full.to.created_at = meta->created_at;
		if (times & FRONT_MATTER_BIT(FRONT_MATTER_UPDATED_AT))
			full.to.updated_at = meta->updated_at;
	}
	return rewrite_block(fm, file, &full, out, fail);
}

/* ---- the access bump --------------------------------------------------- */

bool
front_matter_bump_in_place(const struct front_matter *fm, struct str file,
			   int64_t access_count, int64_t last_accessed,
			   struct buf *bytes, size_t *offset)
{
	const struct note_meta to = { .access_count = access_count,
				      .last_accessed = last_accessed };
	const struct front_matter_entry *a, *b, *first, *second;
	struct buf one = BUF_INIT, two = BUF_INIT;
	bool fits;

	a = front_matter_last(fm, FRONT_MATTER_LAST_ACCESSED);
	b = front_matter_last(fm, FRONT_MATTER_ACCESS_COUNT);
	if (a == NULL || b == NULL || !a->plain || !b->plain)
		return false;
	first = a->start < b->start ? a : b;
	second = first == a ? b : a;
	front_matter_value(&one, first->key, &to);
	front_matter_value(&two, second->key, &to);
	fits = one.len == first->end - first->start &&
	       two.len == second->end - second->start;
	if (fits) {
		*offset = first->start;
		buf_add_str(bytes, buf_str(&one));
		buf_add(bytes, file.s + first->end, second->start - first->end);
		buf_add_str(bytes, buf_str(&two));
	}
	buf_release(&one);
	buf_release(&two);
	return fits;
}
