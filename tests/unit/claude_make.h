#ifndef CLAUDE_MAKE_H
#define CLAUDE_MAKE_H

/* Transcripts of Claude Code, made by hand, and what is seen of them. */
#include "show_events.h"
#include "transcript/claude.h"

/* The pieces, NULL last, are those of the transcript. */
static void
check_pieces(const char *name, const char *leaf, const char *want,
	     const char *const pieces[])
{
	struct buf text = BUF_INIT, got = BUF_INIT;

	while (*pieces != NULL)
		buf_adds(&text, *pieces++);
	show_events(&claude_decoder, buf_str(&text), leaf, &got);
	is_string(got.data, want, name);
	buf_release(&text);
	buf_release(&got);
}

#define check_leaf(name, leaf, want, ...) \
	check_pieces(name, leaf, want,    \
		     (const char *const[]){ __VA_ARGS__, NULL })
#define check(name, want, ...) check_leaf(name, "", want, __VA_ARGS__)

/* ---- making transcripts ------------------------------------------------ */

/* A chain record; place is its `parentUuid`, or another member, or none. */
#define RECORD(uuid, place, type, members)                   \
	"{" place "\"isSidechain\":false,\"type\":\"" type   \
	"\",\"uuid\":\"" uuid "\",\"sessionId\":\"another\"" \
	"" members "}\n"
#define UNDER(uuid) "\"parentUuid\":\"" uuid "\","
#define ROOT "\"parentUuid\":null,"
#define USER_OF(uuid, place, content, members)                        \
	RECORD(uuid, place, "user",                                   \
	       ",\"message\":{\"role\":\"user\",\"content\":" content \
	       "}" members)
#define USER(uuid, place, text) USER_OF(uuid, place, "\"" text "\"", "")
#define ASSISTANT(uuid, place, message, blocks)                           \
	RECORD(uuid, place, "assistant",                                  \
	       ",\"message\":{\"id\":\"" message "\",\"role\":"           \
	       "\"assistant\",\"content\":[" blocks "]},\"requestId\":\"" \
	       "r\"")
#define BOUNDARY(uuid, place, text)                            \
	RECORD(uuid, place, "system",                          \
	       ",\"subtype\":\"compact_boundary\",\"content\"" \
	       ":\"" text "\"")
#define TEXT(text) "{\"type\":\"text\",\"text\":\"" text "\"}"
#define USE(id, name)                                               \
	"{\"type\":\"tool_use\",\"id\":\"" id "\",\"name\":\"" name \
	"\",\"input\":{}}"
#define RESULT(id, text)                                        \
	"{\"tool_use_id\":\"" id "\",\"type\":\"tool_result\"," \
	"\"content\":\"" text "\"}"
#define RESULTS(uuid, place, blocks) USER_OF(uuid, place, "[" blocks "]", "")
#define SIDE(uuid, place, type, members)                        \
	"{" place "\"isSidechain\":true,\"type\":\"" type "\"," \
	"\"uuid\":\"" uuid "\",\"message\":{\"id\":\"m\","      \
	"\"content\":[" TEXT("side") "," USE("t1", "side") "]}" members "}\n"

/* A compaction that says what came before it. */
#define LOGICAL(uuid) ",\"logicalParentUuid\":\"" uuid "\""
#define COMPACT(uuid, place, members)                          \
	RECORD(uuid, place, "system",                          \
	       ",\"subtype\":\"compact_boundary\",\"content\"" \
	       ":\"c\"" members)

#endif /* CLAUDE_MAKE_H */
