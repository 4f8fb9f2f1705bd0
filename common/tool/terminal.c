#include "tool/terminal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/timestamp.h"
#include "base/visible.h"
#include "text/fold.h"

static bool
is_set(const char *variable)
{
	const char *value = getenv(variable);

	return value != NULL && *value != '\0';
}

static bool
is_dumb(void)
{
	const char *term = getenv("TERM");

	return term != NULL && strcmp(term, "dumb") == 0;
}

bool
terminal_init(struct terminal *t, enum color color, const struct facts *facts)
{
	bool is_terminal = isatty(STDOUT_FILENO) == 1;
	struct fail ignored = FAIL_INIT;
	struct winsize size;

	tzset();
	*t = (struct terminal){ .color = color == COLOR_ALWAYS };
	if (color == COLOR_AUTO)
		t->color = is_terminal && !is_set("NO_COLOR") && !is_dumb();
	if (is_terminal && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0)
		t->columns = size.ws_col;
	if (facts_now_ms(facts, &t->now_ms, &ignored) != 0)
		t->now_ms = clock_now_ms();
	fail_release(&ignored);
	return is_terminal || color == COLOR_ALWAYS;
}

void
terminal_on(struct buf *out, const struct terminal *t,
	    enum terminal_style style)
{
	/* The eight colours that every terminal has. */
	static const char *const codes[] = {
		[TERMINAL_ADDRESS] = "\033[36m", [TERMINAL_ROLE] = "\033[32m",
		[TERMINAL_HIT] = "\033[33m",	 [TERMINAL_HEADER] = "\033[34m",
		[TERMINAL_REFUSAL] = "\033[31m",
	};

	if (t != NULL && t->color)
		buf_adds(out, codes[style]);
}

void
terminal_off(struct buf *out, const struct terminal *t)
{
	if (t != NULL && t->color)
		buf_adds(out, "\033[0m");
}

void
terminal_field(struct buf *out, const struct terminal *t,
	       enum terminal_style style, struct str s)
{
	terminal_on(out, t, style);
	visible_field(out, s);
	terminal_off(out, t);
}

void
terminal_hits(struct buf *out, const struct terminal *t,
	      const struct fold_query *query, struct str text)
{
	size_t hit, n;

	while (t != NULL && t->color && query != NULL && text.n > 0) {
		hit = fold_find(query, text, &n);
		if (hit == FOLD_NONE || n == 0)
			break;
		/* A CR is shown by what follows it. */
		if (hit + n < text.n && text.s[hit + n - 1] == '\r')
			n++;
		visible_text(out, (struct str){ text.s, hit });
		terminal_on(out, t, TERMINAL_HIT);
		visible_text(out, (struct str){ text.s + hit, n });
		terminal_off(out, t);
		text = str_from(text, hit + n);
	}
	visible_text(out, text);
}

/* False where a local time cannot be had, or is none that four digits hold. */
static bool
local(int64_t ms, struct tm *tm)
{
	time_t s = (time_t)instant_from_ms(ms).s;

	return localtime_r(&s, tm) != NULL && tm->tm_year >= -1900 &&
	       tm->tm_year <= 9999 - 1900;
}

static void
add_plain(struct buf *out, int64_t ms)
{
	char text[TIMESTAMP_SIZE];

	timestamp_utc(ms, text);
	buf_adds(out, text);
}

void
terminal_time(struct buf *out, const struct terminal *t, int64_t ms)
{
	char text[TIMESTAMP_SIZE];
	struct tm tm;

	if (t == NULL || !local(ms, &tm)) {
		add_plain(out, ms);
		return;
	}
	(void)strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S", &tm);
	buf_adds(out, text);
}

void
terminal_list_time(struct buf *out, const struct terminal *t, int64_t ms)
{
	struct instant now, day;
	char text[TIMESTAMP_SIZE];
	struct tm tm;

	if (t == NULL || !local(ms, &tm)) {
		add_plain(out, ms);
		return;
	}
	now = instant_from_ms(t->now_ms);
	day = timestamp_day(instant_from_ms(ms), 0, true);
	(void)strftime(text, sizeof(text), "%Y-%m-%d %H:%M", &tm);
	if (instant_cmp(day, timestamp_day(now, 0, true)) == 0)
		(void)strftime(text, sizeof(text), "today %H:%M", &tm);
	else if (instant_cmp(day, timestamp_day(now, 1, true)) == 0)
		(void)strftime(text, sizeof(text), "yesterday %H:%M", &tm);
	buf_adds(out, text);
}

void
terminal_continuation(struct buf *out, const struct terminal *t,
		      int64_t offset_chars)
{
	if (offset_chars == FIELD_NONE)
		return;
	buf_addf(out, "\n\n[truncated; continue at %s%" PRId64 "]",
		 t == NULL ? "offset_chars=" : "--offset-chars ", offset_chars);
}
