/*
 * transcript BYTES SEED [WORD [HOST]] - prints a transcript of about that size
 * of pi, claude, codex, copilot, qwen or gemini.
 *
 * The mix is that of a coding session: questions, answers that call a tool,
 * results of one line to some thousand.  Words are as frequent as in prose,
 * the n-th a n-th as often as the first; one in thirty is of letters outside
 * ASCII, and here and there something is escaped.  WORD, if given, is in every
 * twentieth question.  The same seed gives the same bytes.
 */
#include <err.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORDS 20000

static uint64_t state;
static size_t written;
static unsigned long entry;
static const char *session;

static unsigned
pick(unsigned n)
{
	state ^= state >> 12;
	state ^= state << 25;
	state ^= state >> 27;
	return (unsigned)((state * UINT64_C(2685821657736338717)) >> 33) % n;
}

/* 1 to WORDS, each as often as its share of 1/1 + 1/2 + ... + 1/WORDS. */
static unsigned
rank(void)
{
	static double sums[WORDS + 1];
	unsigned low = 1, high = WORDS;
	double at;

	for (unsigned i = 1; sums[WORDS] == 0 && i <= WORDS; i++)
		sums[i] = sums[i - 1] + 1.0 / i;
	at = sums[WORDS] * pick(1u << 30) / (double)(1u << 30);
	while (low < high) {
		unsigned middle = low + (high - low) / 2;

		if (sums[middle] < at)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static const char *
common(unsigned which)
{
	static const char *const word[] = {
		"the",	  "=",	    "of",	    "to",	 "if",
		"return", "a",	    "is",	    "in",	 "function",
		"and",	  "->next", "{\\n",	    "}\\n",	 "retry",
		"error:", "static", "\\tint rc;",   "for",	 "checkout",
		"const",  "build",  "#include",	    "test",	 "src/pay.c",
		"buffer", "quick",  "\\\"name\\\"", "config",	 "(n == 0)",
		"size_t", "0x7f",   "struct",	    "why",	 "passed",
		"[1, 2]", "//",	    "&&",	    "file.c:12", "null",
	};

	return which < sizeof(word) / sizeof(*word) ? word[which] : NULL;
}

static const char *
foreign(void)
{
	static const char *const word[] = {
		"\xc3\xa9t\xc3\xa9",
		"k\xc5\xaf\xc5\x88",
		"\xc5\xbelut\xc3\xbd",
		"\xd0\xbf\xd1\x80\xd0\xbe\xd0\xb2\xd0\xb5\xd1\x80\xd0\xba\xd0"
		"\xb0",
		"\xd1\x84\xd0\xb0\xd0\xb9\xd0\xbb",
		"\xe6\xa4\x9c\xe7\xb4\xa2",
		"\xe9\x8c\xaf\xe8\xaa\xa4",
		"\xf0\x9f\x98\x80",
		"\xe2\x80\x94",
		"\xe2\x9c\x93",
	};

	return word[pick(sizeof(word) / sizeof(*word))];
}

/* The word of a rank, out of syllables. */
static void
rare(unsigned n)
{
	static const char *const syllable[] = { "ka",  "re",  "to",  "mi", "su",
						"lo",  "ne",  "va",  "di", "pe",
						"gra", "sti", "con", "ber" };

	for (; n > 0; n /= 14)
		written += (size_t)printf("%s", syllable[n % 14]);
}

static void
text(unsigned words)
{
	for (unsigned i = 0; i < words; i++) {
		unsigned n = rank();

		written += (size_t)printf("%s", i % 11 == 10 ? "\\n" : " ");
		if (pick(30) == 0)
			written += (size_t)printf("%s", foreign());
		else if (pick(400) == 0)
			written += (size_t)printf("\\u001b[3%um", pick(8));
		else if (pick(3000) == 0)
			written += (size_t)printf("\\\\u00e9");
		else if (common(n - 1) != NULL)
			written += (size_t)printf("%s", common(n - 1));
		else
			rare(n);
	}
}

/* ---- Pi ---------------------------------------------------------------- */

/* The members that every entry has; the message is open after it. */
static void
pi_head(const char *role)
{
	unsigned long s = entry;

	entry++;
	written += (size_t)printf("{\"type\":\"message\",\"id\":\"%08lx\",",
				  entry);
	written += (size_t)(entry == 1 ? printf("\"parentId\":null")
				       : printf("\"parentId\":\"%08lx\"",
						entry - 1));
	written += (size_t)printf(
		",\"timestamp\":\"2026-03-%02luT%02lu:%02lu:%02lu.%03luZ\","
		"\"message\":{\"role\":\"%s\",",
		1 + s / 86400 % 28, s / 3600 % 24, s / 60 % 60, s % 60,
		strtoul(session, NULL, 10) % 1000, role);
}

static void
pi_turn(const char *word)
{
	pi_head("user");
	written += (size_t)printf("\"content\":\"%s", word);
	text(5 + pick(30));
	written += (size_t)printf("\"}}\n");
	for (unsigned calls = pick(4); calls > 0; calls--) {
		pi_head("assistant");
		written += (size_t)printf(
			"\"content\":[{\"type\":\"text\",\"text\":\"");
		text(pick(20));
		written += (size_t)printf(
			"\"},{\"type\":\"toolCall\",\"id\":\"c%lu\","
			"\"name\":\"bash\",\"arguments\":{\"command\":\"",
			entry);
		text(3 + pick(10));
		written += (size_t)printf("\"}}]}}\n");
		pi_head("toolResult");
		written += (size_t)printf(
			"\"toolCallId\":\"c%lu\",\"toolName\":\"bash\","
			"\"content\":[{\"type\":\"text\",\"text\":\"",
			entry - 1);
		text(pick(8) == 0 ? pick(3000) : pick(150));
		written += (size_t)printf("\"}],\"isError\":false}}\n");
	}
	pi_head("assistant");
	written += (size_t)printf(
		"\"content\":[{\"type\":\"text\",\"text\":\"");
	text(10 + pick(120));
	written += (size_t)printf("\"}]}}\n");
}

/* ---- Claude Code ------------------------------------------------------- */

static void
claude_head(const char *type)
{
	unsigned long s = entry;

	entry++;
	written += (size_t)(entry == 1 ? printf("{\"parentUuid\":null")
				       : printf("{\"parentUuid\":\"%s-%08lx\"",
						session, entry - 1));
	written += (size_t)printf(
		",\"isSidechain\":false,\"cwd\":\"/srv\",\"sessionId\":\"%s\","
		"\"type\":\"%s\",\"uuid\":\"%s-%08lx\",\"timestamp\":"
		"\"2026-03-%02luT%02lu:%02lu:%02lu.000Z\",\"message\":{",
		session, type, session, entry, 1 + s / 86400 % 28,
		s / 3600 % 24, s / 60 % 60, s % 60);
}

static void
claude_turn(const char *word)
{
	claude_head("user");
	written += (size_t)printf("\"role\":\"user\",\"content\":\"%s", word);
	text(5 + pick(30));
	written += (size_t)printf("\"}}\n");
	for (unsigned calls = pick(4); calls > 0; calls--) {
		claude_head("assistant");
		written += (size_t)printf(
			"\"id\":\"m%lu\",\"role\":\"assistant\",\"content\":"
			"[{\"type\":\"tool_use\",\"id\":\"t%lu\",\"name\":"
			"\"Bash\",\"input\":{\"command\":\"",
			entry, entry);
		text(3 + pick(10));
		written += (size_t)printf("\"}}]}}\n");
		claude_head("user");
		written += (size_t)printf(
			"\"role\":\"user\",\"content\":[{\"tool_use_id\":"
			"\"t%lu\",\"type\":\"tool_result\",\"content\":\"",
			entry - 1);
		text(pick(8) == 0 ? pick(3000) : pick(150));
		written += (size_t)printf("\",\"is_error\":false}]}}\n");
	}
	claude_head("assistant");
	written += (size_t)printf("\"id\":\"m%lu\",\"role\":\"assistant\","
				  "\"content\":[{\"type\":\"text\",\"text\":\"",
				  entry);
	text(10 + pick(120));
	written += (size_t)printf("\"}]}}\n");
}

/* ---- Codex ------------------------------------------------------------- */

static void
codex_head(void)
{
	unsigned long s = entry++;

	written += (size_t)printf(
		"{\"timestamp\":\"2026-03-%02luT%02lu:%02lu:%02lu.000Z\","
		"\"type\":\"response_item\",\"payload\":{",
		1 + s / 86400 % 28, s / 3600 % 24, s / 60 % 60, s % 60);
}

static void
codex_message(const char *role, const char *type, const char *word,
	      unsigned words)
{
	codex_head();
	written += (size_t)printf(
		"\"type\":\"message\",\"role\":\"%s\",\"content\":[{\"type\":"
		"\"%s\",\"text\":\"%s",
		role, type, word);
	text(words);
	written += (size_t)printf("\"}]}}\n");
}

static void
codex_turn(const char *word)
{
	codex_message("user", "input_text", word, 5 + pick(30));
	for (unsigned calls = pick(4); calls > 0; calls--) {
		unsigned long call = entry;

		codex_head();
		written += (size_t)printf(
			"\"type\":\"function_call\",\"name\":\"shell\","
			"\"call_id\":\"c%lu\",\"arguments\":"
			"\"{\\\"command\\\":[\\\"make %lu\\\"]}\"}}\n",
			call, call);
		codex_head();
		written += (size_t)printf(
			"\"type\":\"function_call_output\",\"call_id\":"
			"\"c%lu\",\"output\":\"",
			call);
		text(pick(8) == 0 ? pick(3000) : pick(150));
		written += (size_t)printf("\"}}\n");
	}
	codex_message("assistant", "output_text", "", 10 + pick(120));
}

/* ---- Copilot CLI ------------------------------------------------------- */

/* The time of the next entry, as a member. */
static void
timestamp(void)
{
	unsigned long s = entry++;

	written += (size_t)printf(
		"\"timestamp\":\"2026-03-%02luT%02lu:%02lu:%02lu.000Z\"",
		1 + s / 86400 % 28, s / 3600 % 24, s / 60 % 60, s % 60);
}

static void
copilot_head(const char *type)
{
	written += (size_t)printf("{\"type\":\"%s\",", type);
	timestamp();
	written += (size_t)printf(
		",\"id\":\"%s-%08lx\",\"parentId\":\"%s-%08lx\",\"data\":{",
		session, entry, session, entry - 1);
}

static void
copilot_turn(const char *word)
{
	copilot_head("user.message");
	written += (size_t)printf("\"content\":\"%s", word);
	text(5 + pick(30));
	written += (size_t)printf("\",\"attachments\":[]}}\n");
	for (unsigned calls = pick(4); calls > 0; calls--) {
		unsigned long call = entry;

		copilot_head("assistant.message");
		written += (size_t)printf(
			"\"content\":\"\",\"toolRequests\":[{\"toolCallId\":"
			"\"c%lu\",\"name\":\"bash\",\"arguments\":{"
			"\"command\":\"",
			call);
		text(3 + pick(10));
		written += (size_t)printf("\"}}]}}\n");
		copilot_head("tool.execution_complete");
		written += (size_t)printf("\"toolCallId\":\"c%lu\",\"success\":"
					  "true,\"result\":{\"content\":\"",
					  call);
		text(pick(8) == 0 ? pick(3000) : pick(150));
		written += (size_t)printf("\"}}}\n");
	}
	copilot_head("assistant.message");
	written += (size_t)printf("\"content\":\"");
	text(10 + pick(120));
	written += (size_t)printf("\",\"toolRequests\":[]}}\n");
}

/* ---- Qwen Code --------------------------------------------------------- */

/* The parts are open after it. */
static void
qwen_head(const char *type, const char *role)
{
	written += (size_t)(entry == 0 ? printf("{\"parentUuid\":null,")
				       : printf("{\"parentUuid\":\"%s-%08lx\",",
						session, entry));
	timestamp();
	written += (size_t)printf(
		",\"uuid\":\"%s-%08lx\",\"sessionId\":\"%s\",\"cwd\":\"/srv\","
		"\"type\":\"%s\",\"message\":{\"role\":\"%s\",\"parts\":[{",
		session, entry, session, type, role);
}

static void
qwen_turn(const char *word)
{
	qwen_head("user", "user");
	written += (size_t)printf("\"text\":\"%s", word);
	text(5 + pick(30));
	written += (size_t)printf("\"}]}}\n");
	for (unsigned calls = pick(4); calls > 0; calls--) {
		unsigned long call = entry;

		qwen_head("assistant", "model");
		written += (size_t)printf(
			"\"functionCall\":{\"id\":\"c%lu\",\"name\":"
			"\"run_shell_command\",\"args\":{\"command\":\"",
			call);
		text(3 + pick(10));
		written += (size_t)printf("\"}}}]}}\n");
		qwen_head("tool_result", "user");
		written += (size_t)printf(
			"\"functionResponse\":{\"id\":\"c%lu\",\"name\":"
			"\"run_shell_command\",\"response\":{\"output\":\"",
			call);
		text(pick(8) == 0 ? pick(3000) : pick(150));
		written += (size_t)printf("\"}}}]}}\n");
	}
	qwen_head("assistant", "model");
	written += (size_t)printf("\"text\":\"");
	text(10 + pick(120));
	written += (size_t)printf("\"}]}}\n");
}

/* ---- Gemini CLI -------------------------------------------------------- */

static void
gemini_head(unsigned long id, const char *type)
{
	written += (size_t)printf("{\"id\":\"%s-%08lx\",", session, id);
	timestamp();
	written += (size_t)printf(",\"type\":\"%s\",\"content\":", type);
}

/* A text that is written once more gets the same words again. */
static void
gemini_call(unsigned long id, unsigned number, bool done)
{
	uint64_t before = state;

	gemini_head(id, "gemini");
	written += (size_t)printf(
		"\"\",\"toolCalls\":[{\"id\":\"c%u\",\"name\":"
		"\"run_shell_command\",\"args\":{\"command\":\"",
		number);
	text(3 + pick(10));
	written += (size_t)printf("\"}");
	if (done) {
		written += (size_t)printf(
			",\"status\":\"success\",\"result\":[{"
			"\"functionResponse\":{\"id\":\"c%u\",\"response\":{"
			"\"output\":\"",
			number);
		text(pick(8) == 0 ? pick(3000) : pick(150));
		written += (size_t)printf("\"}}}]");
	} else {
		state = before;
	}
	written += (size_t)printf("}]}\n");
}

static void
gemini_turn(const char *word)
{
	gemini_head(entry, "user");
	written += (size_t)printf("[{\"text\":\"%s", word);
	text(5 + pick(30));
	written += (size_t)printf("\"}]}\n");
	for (unsigned calls = pick(4); calls > 0; calls--) {
		unsigned long id = entry;

		gemini_head(id, "gemini");
		written += (size_t)printf("\"\"}\n");
		gemini_call(id, calls, false);
		gemini_call(id, calls, true);
		written += (size_t)printf(
			"{\"$set\":{\"lastUpdated\":\"2026-03-01T00:00:00.000Z"
			"\"}}\n");
	}
	gemini_head(entry, "gemini");
	written += (size_t)printf("\"");
	text(10 + pick(120));
	written += (size_t)printf("\"}\n");
}

/* ---- all of them ------------------------------------------------------- */

static const struct {
	const char *name;
	void (*turn)(const char *word);
	const char *first; /* the header, with the session for %s; or NULL */
} hosts[] = {
	{ "pi", pi_turn,
	  "{\"type\":\"session\",\"version\":3,\"id\":\"bench-%s\","
	  "\"timestamp\":\"2026-03-01T00:00:00.000Z\",\"cwd\":\"/srv\"}\n" },
	{ "claude", claude_turn, NULL },
	{ "codex", codex_turn,
	  "{\"timestamp\":\"2026-03-01T00:00:00.000Z\",\"type\":"
	  "\"session_meta\",\"payload\":{\"id\":\"bench-%s\",\"cwd\":"
	  "\"/srv\"}}\n" },
	{ "copilot", copilot_turn,
	  "{\"type\":\"session.start\",\"timestamp\":"
	  "\"2026-03-01T00:00:00.000Z\",\"id\":\"%s\",\"data\":{\"context\":"
	  "{\"cwd\":\"/srv\"}}}\n" },
	{ "qwen", qwen_turn, NULL },
	{ "gemini", gemini_turn,
	  "{\"sessionId\":\"bench-%s\",\"projectHash\":\"h\",\"startTime\":"
	  "\"2026-03-01T00:00:00.000Z\",\"kind\":\"main\"}\n" },
};
#define HOSTS (sizeof(hosts) / sizeof(*hosts))

int
main(int argc, char *argv[])
{
	const char *word = argc > 3 ? argv[3] : "", *header;
	size_t bytes, host = 0;

	if (argc < 3)
		errx(2, "usage: transcript BYTES SEED [WORD [HOST]]");
	while (argc > 4 && strcmp(hosts[host].name, argv[4]) != 0)
		if (++host == HOSTS)
			errx(2, "%s is not a host", argv[4]);
	bytes = strtoul(argv[1], NULL, 10);
	session = argv[2];
	state = strtoul(argv[2], NULL, 10) * 2654435761U + 1;
	for (header = hosts[host].first; header != NULL && *header != '\0';
	     header++)
		if (strncmp(header, "%s", 2) == 0) {
			(void)fputs(session, stdout);
			header++;
		} else {
			(void)putchar(*header);
		}
	while (written < bytes)
		hosts[host].turn(pick(20) == 0 ? word : "");
	if (fflush(stdout) != 0)
		err(1, "stdout");
	return 0;
}
