#include "transcript/lines.h"

#include <stdlib.h>
#include <string.h>

#include "base/json_span.h"
#include "base/xalloc.h"

#define BLOCK ((size_t)256 * 1024)
#define SMALLEST ((size_t)4096)
#define FIRST_BYTES ((size_t)16 * 1024)

void
lines_init(struct lines *l, struct source *source, size_t longest)
{
	*l = (struct lines){ .source = source, .longest = longest };
	/* One byte more than a small file has: its end shows in one read. */
	l->cap = source->size_hint > 0 && source->size_hint < BLOCK
			 ? (size_t)source->size_hint + 1
			 : BLOCK;
	if (l->cap < SMALLEST)
		l->cap = SMALLEST;
	l->data = xmalloc(l->cap);
}

void
lines_release(struct lines *l)
{
	free(l->data);
	l->data = NULL;
	allowance_give(l->allowance, &l->holds);
}

static void
move_to_start(struct lines *l)
{
	if (l->start > 0) {
		memmove(l->data, l->data + l->start, l->end - l->start);
		l->end -= l->start;
		l->start = 0;
	}
}

/* A large line has been used: others may have one. */
static void
let_go(struct lines *l)
{
	if (l->end - l->start > BLOCK)
		return;
	move_to_start(l);
	l->cap = BLOCK;
	l->data = xreallocarray(l->data, l->cap, 1);
	allowance_give(l->allowance, &l->holds);
}

/* Reads a block behind what is there: 1, 0 at the end, -1 with errno. */
static int
fill(struct lines *l)
{
	long got;

	move_to_start(l);
	if (l->end == l->cap) {
		if (l->cap >= ALLOWANCE_FREE)
			allowance_take(l->allowance, &l->holds);
		l->cap *= 2; /* at most twice LINES_LONGEST and a block */
		l->data = xreallocarray(l->data, l->cap, 1);
	}
	got = source_read(l->source, l->data + l->end,
			  l->cap - l->end < BLOCK ? l->cap - l->end : BLOCK);
	if (got < 0)
		return -1;
	l->end += (size_t)got;
	l->ended = got == 0;
	return got > 0;
}

/* Gives the next n bytes as the line, and `skip` more with them. */
static void
take(struct lines *l, struct line *line, size_t n, size_t skip)
{
	struct str text = { l->data + l->start, n };
	size_t nuls = 0;

	if (l->offset == 0 && str_starts(text, STR("\xef\xbb\xbf")))
		text = str_from(text, 3);
	while (nuls < text.n && text.s[nuls] == '\0')
		nuls++;
	text = str_from(text, nuls);
	line->text = text;
	line->ahead = (struct str){ text.s,
				    (size_t)(l->data + l->end - text.s) };
	line->offset = l->offset + (n - text.n);
	line->number = ++l->number;
	line->blank = str_is_blank(text);
	line->too_long = false;
	line->nuls = nuls > 0;
	l->start += n + skip;
	l->offset += n + skip;
}

/*
 * The rest of a line that is too long, without keeping it.  What it is made
 * of still matters: blank lines do not count as malformed.
 */
static int
skip_long(struct lines *l, struct line *line)
{
	uint64_t from = l->offset;
	bool blank = true;
	const char *lf = NULL;
	int more = 1;

	while (lf == NULL && more > 0) {
		size_t n = l->end - l->start;

		lf = n == 0 ? NULL : memchr(l->data + l->start, '\n', n);
		if (lf != NULL)
			n = (size_t)(lf - (l->data + l->start));
		blank = blank &&
			str_is_blank((struct str){ l->data + l->start, n });
		n += lf != NULL;
		l->start += n;
		l->offset += n;
		if (lf == NULL)
			more = fill(l);
	}
	if (more < 0)
		return -1;
	*line = (struct line){ .offset = from,
			       .number = ++l->number,
			       .blank = blank,
			       .too_long = true };
	return 1;
}

int
lines_next(struct lines *l, struct line *line)
{
	size_t searched = 0, n;
	const char *lf;

	if (l->holds)
		let_go(l);
	for (;;) {
		n = l->end - l->start;
		lf = n == searched ? NULL
				   : memchr(l->data + l->start + searched, '\n',
					    n - searched);
		if (lf != NULL)
			n = (size_t)(lf - (l->data + l->start));
		if (n > l->longest)
			return skip_long(l, line);
		if (lf != NULL) {
			take(l, line, n, 1);
			return 1;
		}
		searched = n;
		if (l->ended)
			break;
		if (fill(l) < 0)
			return -1;
	}
	if (n == 0)
		return 0;
	take(l, line, n, 0);
	return 1;
}

bool
lines_map(struct json_map *map, struct str line, struct str *object)
{
	if (!json_map_text(map, line))
		return false;
	*object = json_value(line);
	return json_kind(*object) == JSON_OBJECT;
}

bool
lines_parse(struct str line, struct str *object)
{
	return lines_map(NULL, line, object);
}

bool
lines_first(struct lines *l, struct source *source, struct str *record)
{
	struct line line;

	lines_init(l, source, LINES_LONGEST);
	/* One block of the usual size would be far more than is needed. */
	if (l->cap > FIRST_BYTES)
		l->cap = FIRST_BYTES;
	while (lines_next(l, &line) > 0)
		if (!line.blank && !line.too_long &&
		    lines_parse(line.text, record))
			return true;
	return false;
}
