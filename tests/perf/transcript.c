/*
 * transcript BYTES SEED [WORD] - prints a Pi transcript of about that size.
 *
 * The mix is that of a coding session: questions, answers that call a tool,
 * results of one line to some thousand.  WORD, if given, is in every twentieth
 * question.  The same seed gives the same bytes.
 */
#include <err.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t state;
static size_t written;
static unsigned long entry;

static unsigned
pick(unsigned n)
{
	state ^= state >> 12;
	state ^= state << 25;
	state ^= state >> 27;
	return (unsigned)((state * UINT64_C(2685821657736338717)) >> 33) % n;
}

static void
text(unsigned words)
{
	static const char *const word[] = {
		"the",	       "retry",	     "return",	     "buffer",
		"if (n == 0)", "\\tint rc;", "\\\"name\\\"", "checkout",
		"build",       "error:",     "src/pay.c",    "static",
		"0x7f",	       "=",	     "size_t",	     "config",
		"test passed", "struct",     "why",	     "\u00e9t\u00e9",
		"->next",      "{\\n",	     "}\\n",	     "#include"
	};
	unsigned n = sizeof(word) / sizeof(word[0]);

	for (unsigned i = 0; i < words; i++)
		written += (size_t)printf("%s%s", i % 11 == 10 ? "\\n" : " ",
					  word[pick(n)]);
}

/* The members that every entry has; the message is open after it. */
static void
head(const char *role)
{
	unsigned long s = entry;

	entry++;
	written += (size_t)printf("{\"type\":\"message\",\"id\":\"%08lx\",",
				  entry);
	written += (size_t)(entry == 1 ? printf("\"parentId\":null")
				       : printf("\"parentId\":\"%08lx\"",
						entry - 1));
	written += (size_t)printf(
		",\"timestamp\":\"2026-03-%02luT%02lu:%02lu:%02lu.000Z\","
		"\"message\":{\"role\":\"%s\",",
		1 + s / 86400 % 28, s / 3600 % 24, s / 60 % 60, s % 60, role);
}

static void
turn(const char *word)
{
	head("user");
	written += (size_t)printf("\"content\":\"%s",
				  pick(20) == 0 ? word : "");
	text(5 + pick(30));
	written += (size_t)printf("\"}}\n");
	for (unsigned calls = pick(4); calls > 0; calls--) {
		head("assistant");
		written += (size_t)printf(
			"\"content\":[{\"type\":\"text\",\"text\":\"");
		text(pick(20));
		written += (size_t)printf(
			"\"},{\"type\":\"toolCall\",\"id\":\"c%lu\","
			"\"name\":\"bash\",\"arguments\":{\"command\":\"",
			entry);
		text(3 + pick(10));
		written += (size_t)printf("\"}}]}}\n");
		head("toolResult");
		written += (size_t)printf(
			"\"toolCallId\":\"c%lu\",\"toolName\":\"bash\","
			"\"content\":[{\"type\":\"text\",\"text\":\"",
			entry - 1);
		text(pick(8) == 0 ? pick(3000) : pick(150));
		written += (size_t)printf("\"}],\"isError\":false}}\n");
	}
	head("assistant");
	written += (size_t)printf(
		"\"content\":[{\"type\":\"text\",\"text\":\"");
	text(10 + pick(120));
	written += (size_t)printf("\"}]}}\n");
}

int
main(int argc, char *argv[])
{
	size_t bytes;

	if (argc < 3)
		errx(2, "usage: transcript BYTES SEED [WORD]");
	bytes = strtoul(argv[1], NULL, 10);
	state = strtoul(argv[2], NULL, 10) * 2654435761U + 1;
	printf("{\"type\":\"session\",\"version\":3,\"id\":\"bench-%s\","
	       "\"timestamp\":\"2026-03-01T00:00:00.000Z\",\"cwd\":\"/srv\"}\n",
	       argv[2]);
	while (written < bytes)
		turn(argc > 3 ? argv[3] : "");
	if (fflush(stdout) != 0)
		err(1, "stdout");
	return 0;
}
