/* Transcripts that change while they are read: spec/history.md section 3.1. */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "test.h"
#include "transcript/event.h"
#include "transcript/pi.h"

#define HEADER "{\"type\":\"session\",\"version\":3,\"id\":\"s\"}\n"
#define USER(id, text)                                                   \
	"{\"type\":\"message\",\"id\":\"" id "\",\"message\":{\"role\":" \
	"\"user\",\"content\":\"" text "\"}}\n"
#define CALL                                                              \
	"{\"type\":\"message\",\"id\":\"1\",\"message\":{\"role\":"       \
	"\"assistant\",\"content\":[{\"type\":\"toolCall\",\"id\":\"c\"," \
	"\"name\":\"f\"}]}}\n"
#define RESULT                                                               \
	"{\"type\":\"message\",\"id\":\"2\",\"parentId\":\"1\",\"message\":" \
	"{\"role\":\"toolResult\",\"toolCallId\":\"c\",\"content\":\"x\"}}\n"

/* A file without a name that holds the text, at its start. */
static int
file_of(const char *text)
{
	char path[] = "/tmp/history-source-XXXXXX";
	int fd = mkstemp(path);

	if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text) ||
	    lseek(fd, 0, SEEK_SET) != 0)
		abort();
	unlink(path);
	return fd;
}

static void
resize(int fd, size_t size)
{
	if (ftruncate(fd, (off_t)size) != 0)
		abort();
}

static void
check_size(void)
{
	int fd = file_of("0123456789");
	struct source *s = source_file(fd);
	char got[20];

	if (pwrite(fd, "more", 4, 10) != 4)
		abort();
	ok(source_read(s, got, 4) == 4 && memcmp(got, "0123", 4) == 0,
	   "a file is read");
	ok(source_read(s, got, sizeof(got)) == 6 &&
		   source_read(s, got, sizeof(got)) == 0,
	   "what was appended since it was opened does not exist");
	ok(source_read_at(s, 8, got, 2) && memcmp(got, "89", 2) == 0 &&
		   !source_read_at(s, 8, got, 3) &&
		   !source_read_at(s, 11, got, 1) &&
		   !source_read_at(s, UINT64_MAX, got, 2),
	   "nor can it be read by position");
	resize(fd, 5);
	source_rewind(s, 3);
	ok(source_read(s, got, sizeof(got)) == 2 &&
		   source_read(s, got, sizeof(got)) == 0,
	   "a file that shrank ends where it ends");
	ok(!source_read_at(s, 4, got, 2) && source_read_at(s, 3, got, 2),
	   "and has nothing there to be read by position");
	source_close(s);
}

/* Reads of all lengths, mostly in the order of the file. */
static bool
reads_same(struct source *s, const char *text, size_t n)
{
	uint32_t random = 1;
	char *got = malloc(n);
	bool same = got != NULL;

	for (size_t at = 0, round = 0; same && at < n; round++) {
		size_t most = n - at, length;

		random = random * 1664525 + 1013904223;
		length = round % 97 == 0 ? 70000 : random >> 22;
		if (length > most)
			length = most;
		same = source_read_at(s, at, got, length) &&
		       memcmp(got, text + at, length) == 0;
		/* On, now and then back or far on. */
		at = round % 31 == 0   ? at - at / 8 % 4096
		     : round % 47 == 0 ? at + 66000
				       : at + length + (random >> 26);
	}
	free(got);
	return same;
}

static void
check_order(void)
{
	size_t n = (size_t)1 << 20;
	char *text = malloc(n + 1), got[8];
	uint32_t random = 7;
	struct source *s, *again;

	if (text == NULL)
		abort();
	for (size_t i = 0; i < n; i++) {
		random = random * 1664525 + 1013904223;
		text[i] = (char)('!' + (random >> 25) % 90);
	}
	text[n] = '\0';
	s = source_file(file_of(text));
	ok(reads_same(s, text, n), "records that are read in order are read");
	again = source_again(s);
	ok(again != NULL && again->size_hint == n && reads_same(again, text, n),
	   "another source of the file reads the same");
	ok(source_read(s, got, 4) == 4 && memcmp(got, text, 4) == 0 &&
		   source_read_at(again, n - 4, got, 4) &&
		   memcmp(got, text + n - 4, 4) == 0 &&
		   !source_read_at(again, n - 4, got, 5),
	   "each with its own place, and up to the end");
	source_close(s);
	ok(source_read_at(again, 5, got, 4) && memcmp(got, text + 5, 4) == 0,
	   "and outlives the other");
	source_close(again);
	s = source_memory((struct str){ text, n });
	ok(source_again(s) == NULL, "others are read by one thread");
	source_close(s);
	free(text);
}

static void
check_kinds(void)
{
	int ends[2];

	ok(source_file(open("/", O_RDONLY | O_CLOEXEC)) == NULL &&
		   errno == EINVAL,
	   "a directory is not a transcript");
	if (pipe(ends) != 0)
		abort();
	ok(source_file(ends[0]) == NULL && errno == EINVAL, "nor is a pipe");
	ok(close(ends[0]) != 0 && errno == EBADF, "which is closed then");
	close(ends[1]);
	ok(source_file(-1) == NULL && errno == EBADF, "nor is nothing");
}

static void
open_transcript(struct transcript *t, int fd)
{
	if (transcript_open(t, source_file(fd), &pi_decoder, NULL) !=
		    TRANSCRIPT_OK ||
	    !transcript_select(t, STR("")))
		abort();
}

/* Between the index and the events asked for. */
static void
check_shrinking(void)
{
	struct transcript t;
	struct event e;
	int fd = file_of(HEADER CALL RESULT);

	event_init(&e);
	open_transcript(&t, fd);
	resize(fd, strlen(HEADER CALL) + 20);
	ok(event_load(&t, 1, &e), "what is still there is an event");
	ok(!event_load(&t, 2, &e), "a call whose result is cut off is none");
	resize(fd, strlen(HEADER) + 9);
	ok(!event_load(&t, 2, &e), "nor one that is cut off itself");
	is_string(event_tool_name(&t, transcript_slot(&t, 2)->name).s, "f",
		  "a name that is held can be told");
	transcript_close(&t);

	fd = file_of(HEADER USER("1", "a") USER("2", "b"));
	open_transcript(&t, fd);
	resize(fd, 0);
	ok(!event_load(&t, 1, &e) && !event_load(&t, 2, &e),
	   "a file that is empty now has no events");
	transcript_close(&t);
	event_release(&e);
}

int
main(void)
{
	check_size();
	check_order();
	check_kinds();
	check_shrinking();
	return done();
}
