#ifndef TRANSCRIPT_CHECK_H
#define TRANSCRIPT_CHECK_H

/*
 * What holds of any file as a transcript of a host: pairs point at each other,
 * events have documents in valid UTF-8, and what was indexed without decoding
 * (empty or not, the tool's name) agrees with what is decoded.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "base/xalloc.h"
#include "transcript/event.h"

static void
must(bool holds)
{
	if (!holds)
		abort();
}

static void
check_slot(struct transcript *t, uint32_t seq, struct event *e)
{
	const struct slot *slot = transcript_slot(t, seq), *other;

	must(slot->record < t->n_records);
	if (slot->pair != 0) {
		other = transcript_slot(t, slot->pair);
		must(other->pair == seq && other->call == slot->call);
		must((slot->flags & other->flags & SLOT_BRANCH) != 0);
		must((slot->kind == SLOT_CALL) == (slot->pair > seq));
	}
	must(((slot->flags & SLOT_CONSUMED) != 0) ==
	     (slot->kind == SLOT_RESULT && slot->pair != 0));
	if (!transcript_is_event(t, seq))
		return;

	must(event_load(t, seq, e));
	must(e->seq == seq && e->role == (enum role)slot->role);
	must(utf8_valid(buf_str(&e->document)));
	if (slot->kind == SLOT_TEXT) {
		must(slot->role == ROLE_CONTEXT ||
		     ((slot->flags & SLOT_EMPTY) != 0) ==
			     (e->document.len == 0));
		return;
	}
	must(utf8_valid(e->tool) && e->tool.n > 0);
	must(str_starts(buf_str(&e->document), e->tool));
	must(str_eq(event_tool_name(t, slot->name), e->tool));
}

/*
 * check(t, file, leaf), when given, looks at the transcript once its branch
 * is marked.
 */
static void
check_transcript(const struct decoder *decoder, struct str file,
		 struct str leaf,
		 void (*check)(const struct transcript *t, struct str file,
			       struct str leaf))
{
	struct transcript t;
	struct event e;

	event_init(&e);
	if (transcript_open(&t, source_memory(file), decoder, NULL) ==
		    TRANSCRIPT_OK &&
	    transcript_select(&t, leaf)) {
		for (uint32_t seq = 1; seq <= transcript_highest(&t); seq++)
			check_slot(&t, seq, &e);
		if (check != NULL)
			check(&t, file, leaf);
	}
	event_release(&e);
	transcript_close(&t);
}

/* What follows the k-th occurrence of `before`, up to a quote; or nothing. */
static struct str
find_leaf(struct str file, const char *before, unsigned k)
{
	const char *at = file.s, *end = file.s + file.n, *quote;
	size_t n = strlen(before);

	while (k > 0 && at != NULL) {
		at = memmem(at, (size_t)(end - at), before, n);
		at = at == NULL ? NULL : at + n;
		k--;
	}
	if (at == NULL || at == file.s)
		return STR("");
	quote = memchr(at, '"', (size_t)(end - at));
	return quote == NULL ? STR("")
			     : (struct str){ at, (size_t)(quote - at) };
}

/* The input but for its first byte, in a block of its exact size. */
static struct str
copy_file(const uint8_t *p, size_t n)
{
	char *copy = malloc(n - 1 > 0 ? n - 1 : 1);

	must(copy != NULL);
	memcpy(copy, p + 1, n - 1);
	return (struct str){ copy, n - 1 };
}

#endif /* TRANSCRIPT_CHECK_H */
