/*
 * One byte that says what to change, then a note.  Whatever the note is, a
 * rewrite is refused, or: the new file is the old one but for the values of
 * changed keys, the keys read back as intended, and so does the body
 * (spec/notes.md section 3.2).
 */
#include <stdint.h>
#include <stdlib.h>

#include "base/xalloc.h"
#include "notes/front_matter_rewrite.h"

#define BIT(key) FRONT_MATTER_BIT(FRONT_MATTER_##key)
#define MTIME INT64_C(1700000000123)
#define STAMP INT64_C(1785571200000)

static void
check(bool holds)
{
	if (!holds)
		abort();
}

static struct str
body_of(const struct front_matter *fm, struct str file)
{
	return str_from(file, fm->body);
}

/* The longest common run of bytes at the start, and at the end after it. */
static size_t
common_start(struct str a, struct str b)
{
	size_t n = 0;

	while (n < a.n && n < b.n && a.s[n] == b.s[n])
		n++;
	return n;
}

/* Whether b is a with bytes put in, never one taken out: a subsequence. */
static bool
is_within(struct str a, struct str b)
{
	size_t i, k = 0;

	for (i = 0; i < a.n; i++, k++) {
		while (k < b.n && b.s[k] != a.s[i])
			k++;
		if (k == b.n)
			return false;
	}
	return true;
}

static void
check_values(const struct front_matter *now, uint32_t set, uint32_t removed)
{
	check((now->readable & set) == set);
	check((now->present & removed) == 0);
	if (set & BIT(ORIGIN))
		check(now->raw.origin == NOTE_ORIGIN_EXTERNAL);
	if (set & BIT(UPDATED_AT))
		check(now->raw.updated_at == STAMP);
	if (set & BIT(CRUMPLED_AT))
		check(now->raw.crumpled_at == STAMP);
	if (set & BIT(ACCESS_COUNT))
		check(now->raw.access_count == 1234567);
	if (set & BIT(PROJECT))
		check(str_is(now->raw.project, "a b"));
}

/* What stands before, between and after changed values is still there. */
static void
check_bytes(const struct front_matter *old, struct str file, struct str out,
	    uint32_t set, uint32_t removed)
{
	size_t i, end, from = 0;
	struct buf kept = BUF_INIT;

	for (i = 0; i < old->n; i++) {
		const struct front_matter_entry *e = &old->entries[i];

		/* Where a key goes its line goes, whatever is on it. */
		if (removed & FRONT_MATTER_BIT(e->key)) {
			buf_release(&kept);
			return;
		}
		if (!(set & FRONT_MATTER_BIT(e->key)))
			continue;
		/* A block value goes with its lines and their indentation. */
		end = e->block ? e->key_end : e->start;
		buf_add(&kept, file.s + from, end - from);
		from = e->end;
		while (e->block && strchr(" \t\r", file.s[from]) != NULL &&
		       file.s[from] != '\0')
			from++;
	}
	buf_add(&kept, file.s + from, file.n - from);
	check(is_within(buf_str(&kept), out));
	buf_release(&kept);
}

static void
check_extra(struct str file, struct str out)
{
	struct front_matter a = FRONT_MATTER_INIT, b = FRONT_MATTER_INIT;

	front_matter_parse(&a, file, FRONT_MATTER_EXTRA);
	front_matter_parse(&b, out, FRONT_MATTER_EXTRA);
	if (a.kind == FRONT_MATTER_BLOCK)
		check(str_eq(buf_str(&a.extra), buf_str(&b.extra)));
	front_matter_release(&a);
	front_matter_release(&b);
}

static void
check_change(const struct front_matter *old, struct str file,
	     const struct front_matter_change *change, struct str out)
{
	struct front_matter now = FRONT_MATTER_INIT;
	struct str body = change->body != NULL ? *change->body
					       : body_of(old, file);

	front_matter_parse(&now, out, 0);
	if (old->kind == FRONT_MATTER_BROKEN) {
		check(str_eq(out, body));
	} else {
		check(now.kind == FRONT_MATTER_BLOCK);
		check(str_eq(body_of(&now, out), body));
		check_values(&now, change->set, change->remove);
	}
	if (old->kind == FRONT_MATTER_BLOCK && change->body == NULL)
		check_bytes(old, file, out, change->set, change->remove);
	check_extra(file, out);
	if (old->kind == FRONT_MATTER_BLOCK && old->n > 0 &&
	    !(change->remove & old->present))
		check(common_start(file, out) >= old->entries[0].key_end);
	front_matter_release(&now);
}

static void
check_bump(const struct front_matter *fm, struct str file)
{
	struct front_matter now = FRONT_MATTER_INIT;
	struct buf bytes = BUF_INIT, out = BUF_INIT;
	size_t at;

	if (front_matter_bump_in_place(fm, file, 1234567, STAMP, &bytes, &at)) {
		check(at + bytes.len <= file.n);
		buf_add_str(&out, file);
		memcpy(out.data + at, bytes.data, bytes.len);
		front_matter_parse(&now, buf_str(&out), 0);
		check(now.kind == FRONT_MATTER_BLOCK && now.body == fm->body);
		check(now.raw.access_count == 1234567 &&
		      now.raw.last_accessed == STAMP);
		check_extra(file, buf_str(&out));
	}
	front_matter_release(&now);
	buf_release(&bytes);
	buf_release(&out);
}

static void
try_change(struct str file, unsigned choice)
{
	struct front_matter fm = FRONT_MATTER_INIT;
	struct front_matter_change change = { .record_times = choice & 32 };
	struct note_meta meta;
	struct fail fail = FAIL_INIT;
	struct buf out = BUF_INIT;
	struct str body = STR("\nanother body");

	if (choice & 1)
		change.set |= BIT(ORIGIN);
	if (choice & 2)
		change.set |= BIT(UPDATED_AT) | BIT(ACCESS_COUNT);
	if (choice & 4)
		change.set |= BIT(CRUMPLED_AT);
	else if (choice & 8)
		change.remove |= BIT(CRUMPLED_AT);
	if (choice & 16)
		change.set |= BIT(PROJECT);
	else if (choice & 128)
		change.remove |= BIT(PROJECT);
	if (choice & 64)
		change.body = &body;
	change.to = (struct note_meta){ .origin = NOTE_ORIGIN_EXTERNAL,
					.updated_at = STAMP,
					.crumpled_at = STAMP,
					.access_count = 1234567,
					.project = STR("a b") };
	front_matter_parse(&fm, file, 0);
	front_matter_meta(&fm, MTIME, &meta);
	check(fm.kind == FRONT_MATTER_BLOCK || fm.body == 0);
	check(fm.body <= file.n);
	if (front_matter_rewrite(&fm, file, &meta, &change, &out, &fail) == 0)
		check_change(&fm, file, &change, buf_str(&out));
	else
		check(out.len == 0 && fail.kind == FAIL_REFUSED);
	check_bump(&fm, file);
	front_matter_release(&fm);
	fail_release(&fail);
	buf_release(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	char *copy;

	if (n == 0)
		return 0;
	copy = xmalloc(n - 1);
	if (n > 1)
		memcpy(copy, p + 1, n - 1);
	try_change((struct str){ copy, n - 1 }, p[0]);
	free(copy);
	return 0;
}
