#include "notes/front_matter.h"

#include <inttypes.h>

#include "base/json_span.h"
#include "base/json_write.h"
#include "base/timestamp.h"
#include "base/utf8.h"
#include "base/xalloc.h"
#include "notes/yaml_tree.h"

/* What extra may cost (spec/notes.md section 5.3). */
#define EXTRA_ENTRY_BYTES 1024
#define EXTRA_BYTES 2048
#define EXTRA_OMITTED "[omitted: too large]"

/* 0001-01-01 to 9999-12-31, in milliseconds. */
#define TIME_MIN INT64_C(-62135596800000)
#define TIME_MAX INT64_C(253402300799999)

const char *const note_origins[] = { "user", "self", "external", NULL };

const char *const front_matter_names[FRONT_MATTER_KEYS] = {
	[FRONT_MATTER_ORIGIN] = "origin",
	[FRONT_MATTER_CREATED_AT] = "createdAt",
	[FRONT_MATTER_UPDATED_AT] = "updatedAt",
	[FRONT_MATTER_CRUMPLED_AT] = "crumpledAt",
	[FRONT_MATTER_LAST_ACCESSED] = "lastAccessed",
	[FRONT_MATTER_ACCESS_COUNT] = "accessCount",
	[FRONT_MATTER_PROJECT] = "project",
};

/* ---- finding the block ------------------------------------------------- */

static bool
is_fence(struct str line)
{
	if (!str_starts(line, STR("---")))
		return false;
	for (size_t i = 3; i < line.n; i++)
		if (memchr(" \t\r", line.s[i], 3) == NULL)
			return false;
	return true;
}

/* The line at byte `at`, without its newline; *next is after that. */
static struct str
line_at(struct str file, size_t at, size_t *next)
{
	struct str rest = str_from(file, at), line = str_cut(&rest, '\n');

	*next = file.n - rest.n;
	return line;
}

/* The opening line; false when there is none, or it is the last. */
static bool
find_opening(struct str file, size_t *start)
{
	size_t at = str_starts(file, STR("\xef\xbb\xbf")) ? 3 : 0;

	return is_fence(line_at(file, at, start)) && *start > at &&
	       file.s[*start - 1] == '\n';
}

static bool
find_closing(struct str file, size_t start, size_t *close, size_t *close_end)
{
	size_t next;

	for (size_t at = start; at < file.n; at = next) {
		if (is_fence(line_at(file, at, &next))) {
			*close = at;
			*close_end = next;
			return true;
		}
	}
	return false;
}

/*
 * Whether more bytes cannot change where the block is.  A closing line that
 * ends with the head may be going on, and the separator may follow it.
 */
bool
front_matter_closed(struct str head)
{
	size_t start, close, close_end;

	if (!find_opening(head, &start)) {
		size_t at = str_starts(head, STR("\xef\xbb\xbf")) ? 3 : 0;
		struct str line = line_at(head, at, &start);

		/* Cut in the middle of what may be an opening line? */
		return start > at + line.n || !is_fence(line);
	}
	return find_closing(head, start, &close, &close_end) &&
	       head.s[close_end - 1] == '\n' && head.n - close_end >= 2;
}

/*
 * A key is on one line, or has a backslash in it, or two quotes for one: no
 * name of ours has a quote.
 */
bool
front_matter_may_have(struct str file, enum front_matter_key key)
{
	const char *name = front_matter_names[key];
	size_t start, close, close_end;

	if (!find_opening(file, &start) ||
	    !find_closing(file, start, &close, &close_end))
		return false;
	return memmem(file.s + start, close - start, name, strlen(name)) !=
		       NULL ||
	       memchr(file.s + start, '\\', close - start) != NULL;
}

size_t
front_matter_separator(struct str rest)
{
	if (str_starts(rest, STR("\n")))
		return 1;
	return str_starts(rest, STR("\r\n")) ? 2 : 0;
}

size_t
front_matter_line(struct str file, size_t at)
{
	size_t i, line = 1;

	for (i = 0; i < at && i < file.n; i++)
		line += file.s[i] == '\n';
	return line;
}

/* Comments and blank lines only, with a comment: a rule, a heading, a rule. */
static bool
is_prose(struct str block)
{
	size_t next, i;
	bool comment = false;

	for (size_t at = 0; at < block.n; at = next) {
		struct str line = line_at(block, at, &next);

		for (i = 0; i < line.n; i++)
			if (memchr(" \t\r", line.s[i], 3) == NULL)
				break;
		if (i < line.n && line.s[i] != '#')
			return false;
		comment |= i < line.n;
	}
	return comment;
}

/* ---- the known keys ---------------------------------------------------- */

static bool
read_integer(const struct yaml_tree *t, size_t node, int64_t *v)
{
	return yaml_tree_type(t, node) == YAML_IS_NUMBER &&
	       json_to_integer(yaml_tree_text(t, node), v);
}

static bool
read_time(const struct yaml_tree *t, size_t node, int64_t *ms)
{
	struct instant instant;

	if (!read_integer(t, node, ms)) {
		if (yaml_tree_type(t, node) != YAML_IS_STRING ||
		    !timestamp_loose(yaml_tree_text(t, node), &instant))
			return false;
		*ms = instant_to_ms(instant);
	}
	/* An offset can move a time of these years out of them. */
	return *ms >= TIME_MIN && *ms <= TIME_MAX;
}

static bool
read_origin(struct str text, enum note_origin *origin)
{
	for (int i = 0; note_origins[i] != NULL; i++) {
		if (str_is(text, note_origins[i])) {
			*origin = (enum note_origin)i;
			return true;
		}
	}
	return false;
}

static bool
read_value(struct front_matter *fm, enum front_matter_key key,
	   const struct yaml_tree *t, size_t node)
{
	struct note_meta *raw = &fm->raw;

	switch (key) {
	case FRONT_MATTER_ORIGIN:
		return yaml_tree_type(t, node) == YAML_IS_STRING &&
		       read_origin(yaml_tree_text(t, node), &raw->origin);
	case FRONT_MATTER_CREATED_AT:
		return read_time(t, node, &raw->created_at);
	case FRONT_MATTER_UPDATED_AT:
		return read_time(t, node, &raw->updated_at);
	case FRONT_MATTER_CRUMPLED_AT:
		raw->crumpled = true;
		return read_time(t, node, &raw->crumpled_at);
	case FRONT_MATTER_LAST_ACCESSED:
		return read_time(t, node, &raw->last_accessed);
	case FRONT_MATTER_ACCESS_COUNT:
		return read_integer(t, node, &raw->access_count) &&
		       raw->access_count >= 0;
	case FRONT_MATTER_PROJECT:
		if (yaml_tree_type(t, node) != YAML_IS_STRING)
			return false;
		buf_reset(&fm->text);
		buf_add_str(&fm->text, yaml_tree_text(t, node));
		raw->project = buf_str(&fm->text);
		raw->has_project = true;
		return true;
	default:
		return false;
	}
}

enum front_matter_key
front_matter_key_of(struct str name)
{
	enum front_matter_key key;

	for (key = 0; key < FRONT_MATTER_KEYS; key++)
		if (str_is(name, front_matter_names[key]))
			break;
	return key;
}

const struct front_matter_entry *
front_matter_last(const struct front_matter *fm, enum front_matter_key key)
{
	size_t i = fm->n;

	while (i > 0)
		if (fm->entries[--i].key == key)
			return &fm->entries[i];
	return NULL;
}

/* A value that can be overwritten where it stands: ASCII on its key's line. */
static bool
is_simple(struct str file, const struct yaml_node *value, size_t key_end)
{
	if (value->kind != YAML_SCALAR || !value->plain)
		return false;
	for (size_t i = key_end; i < value->end; i++)
		if ((unsigned char)file.s[i] < 0x20 || file.s[i] == 0x7f ||
		    (unsigned char)file.s[i] >= 0x80)
			return false;
	return true;
}

static void
add_entry(struct front_matter *fm, enum front_matter_key key, struct str file,
	  const struct yaml_tree *t, size_t node)
{
	const struct yaml_node *name = &t->nodes[node], *value = name + 1;
	struct front_matter_entry *e;
	uint32_t bit = FRONT_MATTER_BIT(key);

	XGROW(fm->entries, fm->n + 1, fm->cap);
	e = &fm->entries[fm->n++];
	*e = (struct front_matter_entry){
		.key = key,
		.key_start = fm->start + name->start,
		.key_end = fm->start + name->end,
		.start = fm->start + value->start,
		.end = fm->start + value->end,
		.block = value->block,
	};
	e->plain = is_simple(
		(struct str){ file.s + fm->start, fm->close - fm->start },
		value, name->end);
	fm->present |= bit;
	fm->readable &= ~bit;
	if (read_value(fm, key, t, node + 1))
		fm->readable |= bit;
}

/* ---- extra ------------------------------------------------------------- */

/* One entry as JSON: `"key":value`, in place. */
static void
add_extra(struct front_matter *fm, const struct yaml_tree *t, size_t node,
	  size_t *spent)
{
	struct buf *out = &fm->extra;
	struct buf value;
	size_t from;

	if (out->len > 1)
		buf_addc(out, ',');
	from = out->len;
	json_quote(out, yaml_tree_text(t, node));
	buf_addc(out, ':');
	buf_init(&value, EXTRA_ENTRY_BYTES);
	yaml_tree_json(t, node + 1, &value);
	from = out->len - from + value.len;
	if (value.full || from > EXTRA_ENTRY_BYTES ||
	    from > EXTRA_BYTES - *spent) {
		buf_adds(out, "\"" EXTRA_OMITTED "\"");
	} else {
		*spent += from;
		buf_add_str(out, buf_str(&value));
	}
	buf_release(&value);
}

static void
fill_extra(struct front_matter *fm, struct yaml_tree *t)
{
	size_t i, spent = 0;

	yaml_tree_hide_duplicates(t);
	buf_addc(&fm->extra, '{');
	for (i = 1; i < t->n; i = t->nodes[i + 1].next)
		if (!t->nodes[i].hidden && front_matter_key_of(yaml_tree_text(
						   t, i)) == FRONT_MATTER_KEYS)
			add_extra(fm, t, i, &spent);
	buf_addc(&fm->extra, '}');
}

/* ---- all together ------------------------------------------------------ */

static void
set_broken(struct front_matter *fm, struct str file, size_t at,
	   const char *reason)
{
	fm->kind = FRONT_MATTER_BROKEN;
	fm->body = 0;
	fm->line = front_matter_line(file, at);
	snprintf(fm->reason, sizeof(fm->reason), "%s", reason);
}

static void
read_block(struct front_matter *fm, struct str file, struct yaml_tree *t,
	   unsigned flags)
{
	struct str block = { file.s + fm->start, fm->close - fm->start };

	if (yaml_tree_parse(t, block) < 0) {
		/* A fault at the very end belongs to the last line. */
		if (t->fault >= block.n)
			t->fault = block.n - 1;
		set_broken(fm, file, fm->start + t->fault, t->reason);
		return;
	}
	if (t->n > 0 &&
	    (t->nodes[0].kind != YAML_MAPPING || !t->nodes[0].block)) {
		set_broken(fm, file, fm->start + t->nodes[0].start,
			   "not a list of keys with values");
		return;
	}
	fm->kind = FRONT_MATTER_BLOCK;
	fm->first_key = t->n > 0 ? fm->start + t->nodes[0].start : fm->close;
	for (size_t i = 1; i < t->n; i = t->nodes[i + 1].next) {
		enum front_matter_key key = front_matter_key_of(
			yaml_tree_text(t, i));

		if (key < FRONT_MATTER_KEYS)
			add_entry(fm, key, file, t, i);
	}
	if (flags & FRONT_MATTER_EXTRA)
		fill_extra(fm, t);
}

void
front_matter_parse(struct front_matter *fm, struct str file, unsigned flags)
{
	struct yaml_tree tree = YAML_TREE_INIT;
	struct str block;

	fm->kind = FRONT_MATTER_NONE;
	if (!find_opening(file, &fm->start) ||
	    !find_closing(file, fm->start, &fm->close, &fm->close_end))
		return;
	block = (struct str){ file.s + fm->start, fm->close - fm->start };
	if (is_prose(block))
		return;
	fm->body = fm->close_end +
		   front_matter_separator(str_from(file, fm->close_end));
	if (block.n > FRONT_MATTER_BYTES) {
		set_broken(fm, file, fm->start, "more than 262144 bytes");
		return;
	}
	read_block(fm, file, &tree, flags);
	yaml_tree_release(&tree);
}

void
front_matter_release(struct front_matter *fm)
{
	free(fm->entries);
	buf_release(&fm->extra);
	buf_release(&fm->text);
	*fm = (struct front_matter)FRONT_MATTER_INIT;
}

void
front_matter_meta(const struct front_matter *fm, int64_t mtime_ms,
		  struct note_meta *meta)
{
	const struct note_meta *raw = &fm->raw;

#define READABLE(key) (fm->readable & FRONT_MATTER_BIT(FRONT_MATTER_##key))
	*meta = (struct note_meta){ .origin = NOTE_ORIGIN_SELF };
	if (READABLE(ORIGIN))
		meta->origin = raw->origin;
	meta->updated_at = READABLE(UPDATED_AT) ? raw->updated_at : mtime_ms;
	/* Without updatedAt this is the mtime as well. */
	meta->created_at = READABLE(CREATED_AT) ? raw->created_at
						: meta->updated_at;
	meta->last_accessed = READABLE(LAST_ACCESSED) ? raw->last_accessed
						      : meta->updated_at;
	meta->access_count = READABLE(ACCESS_COUNT) ? raw->access_count : 0;
	meta->crumpled = raw->crumpled;
	meta->crumpled_at = READABLE(CRUMPLED_AT) ? raw->crumpled_at
						  : meta->updated_at;
	if (READABLE(PROJECT)) {
		meta->has_project = true;
		meta->project = raw->project;
	}
#undef READABLE
}

/* ---- new blocks -------------------------------------------------------- */

static bool
is_bare_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9') || (c != '\0' && strchr("_.+:/-", c));
}

static bool
is_bare(struct str text)
{
	if (text.n == 0 || text.s[0] == '-' || text.s[0] == ':' ||
	    text.s[text.n - 1] == ':')
		return false;
	for (size_t i = 0; i < text.n; i++)
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
	unsigned n;

	json_quote(&json, text);
	for (size_t i = 0; i < json.len; i += n) {
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
	buf_adds(out, "---\n");
	for (enum front_matter_key key = 0; key < FRONT_MATTER_KEYS; key++) {
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
