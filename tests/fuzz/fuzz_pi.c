/*
 * Any file as a transcript of Pi.  Whatever it holds: pairs point at each
 * other, events have documents in valid UTF-8, and what was indexed without
 * decoding (empty or not, the tool's name) agrees with what is decoded.  The
 * first byte chooses the leaf among the ids in the file.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "base/xalloc.h"
#include "history/event.h"
#include "history/pi.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

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

static void
check(struct str file, struct str leaf)
{
	struct transcript t;
	struct event e;

	event_init(&e);
	if (transcript_open(&t, source_memory(file), &pi_decoder, NULL) ==
		    TRANSCRIPT_OK &&
	    transcript_select(&t, leaf))
		for (uint32_t seq = 1; seq <= transcript_highest(&t); seq++)
			check_slot(&t, seq, &e);
	event_release(&e);
	transcript_close(&t);
}

/* The k-th thing that looks like an id, or nothing. */
static struct str
find_leaf(struct str file, unsigned k)
{
	const char *at = file.s, *end = file.s + file.n, *quote;

	while (k > 0 && at != NULL) {
		at = memmem(at, (size_t)(end - at), "\"id\":\"", 6);
		at = at == NULL ? NULL : at + 6;
		k--;
	}
	if (at == NULL || at == file.s)
		return STR("");
	quote = memchr(at, '"', (size_t)(end - at));
	return quote == NULL ? STR("")
			     : (struct str){ at, (size_t)(quote - at) };
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	char *copy;
	struct str file;

	if (n == 0)
		return 0;
	copy = malloc(n - 1 > 0 ? n - 1 : 1);
	must(copy != NULL);
	memcpy(copy, p + 1, n - 1);
	file = (struct str){ copy, n - 1 };
	check(file, find_leaf(file, *p % 16));
	free(copy);
	return 0;
}
