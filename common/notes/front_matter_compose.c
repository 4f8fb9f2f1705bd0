/* New blocks and the values in them (spec/notes.md section 3). */

#include <inttypes.h>

#include "base/json_write.h"
#include "base/timestamp.h"
#include "base/utf8.h"
#include "notes/front_matter_lines.h"
#include "notes/yaml_tree.h"

static bool
is_bare_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9') || (c != '\0' && strchr("_.+:/-", c));
}

static bool
is_bare(struct str text)
{
	size_t i;

	if (text.n == 0 || text.s[0] == '-' || text.s[0] == ':' ||
	    text.s[text.n - 1] == ':')
		return false;
	for (i = 0; i < text.n; i++)
		if (!is_bare_char(text.s[i]))
			return false;
	return yaml_tree_resolve(text) == YAML_IS_STRING;
}

/*
 * Characters that JSON leaves as they are, but YAML takes for a line break or
 * does not admit.
 */
static bool
is_foreign(uint32_t cp)
{
	return (cp >= 0x7f && cp < 0xa0) || cp == 0x2028 || cp == 0x2029 ||
	       cp == 0xfeff || cp == 0xfffe || cp == 0xffff;
}

static void
add_quoted(struct buf *out, struct str text)
{
	struct buf json = BUF_INIT;
	uint32_t cp;
	size_t i;
	unsigned n;

	json_quote(&json, text);
	for (i = 0; i < json.len; i += n) {
		n = utf8_decode(json.data + i, json.len - i, &cp);
		if (n == 0) /* no valid UTF-8 was given */
			n = 1, cp = 0xfffd;
		if (is_foreign(cp))
			buf_addf(out, "\\u%04" PRIx32, cp);
		else
			buf_add(out, json.data + i, n);
	}
	buf_release(&json);
}

void
front_matter_scalar(struct buf *out, struct str text)
{
	if (is_bare(text))
		buf_add_str(out, text);
	else
		add_quoted(out, text);
}

static void
add_time(struct buf *out, int64_t ms)
{
	char text[TIMESTAMP_SIZE];

	timestamp_local(ms, text);
	buf_adds(out, text);
}

void
front_matter_value(struct buf *out, enum front_matter_key key,
		   const struct note_meta *meta)
{
	switch (key) {
	case FRONT_MATTER_ORIGIN:
		buf_adds(out, note_origins[meta->origin]);
		break;
	case FRONT_MATTER_CREATED_AT:
		add_time(out, meta->created_at);
		break;
	case FRONT_MATTER_UPDATED_AT:
		add_time(out, meta->updated_at);
		break;
	case FRONT_MATTER_CRUMPLED_AT:
		add_time(out, meta->crumpled_at);
		break;
	case FRONT_MATTER_LAST_ACCESSED:
		add_time(out, meta->last_accessed);
		break;
	case FRONT_MATTER_ACCESS_COUNT:
		buf_addf(out, "%" PRId64, meta->access_count);
		break;
	case FRONT_MATTER_PROJECT:
		front_matter_scalar(out, meta->project);
		break;
	default:
		break;
	}
}

void
front_matter_compose(struct buf *out, const struct note_meta *meta,
		     struct str body)
{
	enum front_matter_key key;

	buf_adds(out, "---\n");
	for (key = 0; key < FRONT_MATTER_KEYS; key++) {
		if (key == FRONT_MATTER_CRUMPLED_AT && !meta->crumpled)
			continue;
		if (key == FRONT_MATTER_PROJECT && !meta->has_project)
			continue;
		buf_addf(out, "%s: ", front_matter_names[key]);
		front_matter_value(out, key, meta);
		buf_addc(out, '\n');
	}
	buf_adds(out, "---\n\n");
	buf_add_str(out, body);
}

void
front_matter_apply(const struct front_matter_change *change,
		   struct note_meta *meta)
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
