#include <inttypes.h>
#include <string.h>

#include "base/utf8.h"
#include "base/visible.h"
#include "history/history_export.h"

/*
 * A session as Markdown (spec/people.md section 2).  What was said is shown as
 * Markdown, since it mostly is; but no HTML passes, and what is open at its
 * end is closed.  Where a renderer might see code otherwise than we do, the
 * whole text is shown as code.
 */

/* ---- fences ------------------------------------------------------------ */

static size_t
run_of(struct str s, char c)
{
	size_t n = 0;

	while (n < s.n && s.s[n] == c)
		n++;
	return n;
}

/* The longest run of a character. */
static size_t
longest_run(struct str s, char c)
{
	size_t longest = 0, n;

	for (size_t i = 0; i < s.n; i += n + 1) {
		n = run_of(str_from(s, i), c);
		longest = n > longest ? n : longest;
	}
	return longest;
}

static void
add_ticks(struct buf *out, size_t n)
{
	while (n-- > 0)
		buf_addc(out, '`');
}

/* The text as code, in a fence that is longer than any run of it. */
static void
add_fenced(struct buf *out, struct str text)
{
	size_t ticks = longest_run(text, '`') + 1;

	if (ticks < 3)
		ticks = 3;
	add_ticks(out, ticks);
	buf_addc(out, '\n');
	visible_text(out, text);
	if (text.n > 0 && text.s[text.n - 1] != '\n')
		buf_addc(out, '\n');
	add_ticks(out, ticks);
	buf_adds(out, "\n\n");
}

/* ---- text -------------------------------------------------------------- */

/* Of a line at the margin that is a fence: its length, else 0. */
static size_t
fence_of(struct str line)
{
	size_t n = line.n == 0 ? 0 : run_of(line, line.s[0]);
	struct str info;

	if (n < 3 || (line.s[0] != '`' && line.s[0] != '~'))
		return 0;
	info = str_from(line, n);
	/* Back-ticks after it make it code in a line. */
	return line.s[0] == '`' && str_has(info, '`') ? 0 : n;
}

/* Whether a line closes the fence that is open. */
static bool
closes(struct str line, char fence, size_t length)
{
	size_t n = run_of(line, fence);

	return n >= length && str_is_blank(str_from(line, n));
}

/*
 * Whether what is code in the text can be told from single lines: each fence
 * begins and ends at the margin, and nothing else looks like one.
 */
static bool
is_plain(struct str text)
{
	char fence = '\0';
	size_t length = 0, n;

	while (text.n > 0) {
		struct str line = str_cut(&text, '\n');

		n = fence_of(line);
		if (fence != '\0') {
			if (closes(line, fence, length))
				fence = '\0';
		} else if (n > 0) {
			fence = line.s[0];
			length = n;
		} else if (longest_run(line, '`') >= 3 ||
			   longest_run(line, '~') >= 3) {
			return false;
		}
	}
	return true;
}

/* Where the code that begins with n back-ticks ends; 0: it does not. */
static size_t
code_end(struct str s, size_t n)
{
	size_t i = n, run;

	while (i < s.n) {
		run = run_of(str_from(s, i), '`');
		if (run == n)
			return i + n;
		i += run > 0 ? run : 1;
	}
	return 0;
}

/* Whether every run of back-ticks of a line belongs to code of that line. */
static bool
is_closed(struct str line)
{
	size_t i = 0, n, end;

	while (i < line.n) {
		n = run_of(str_from(line, i), '`');
		if (n == 0) {
			i++;
			continue;
		}
		if (i > 0 && line.s[i - 1] == '\\')
			return false;
		end = code_end(str_from(line, i), n);
		if (end == 0)
			return false;
		i += end;
	}
	return true;
}

static bool
begins_html(struct str s)
{
	char c = s.n > 1 ? s.s[1] : ' ';

	return s.s[0] == '<' &&
	       ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '/' ||
		c == '!' || c == '?');
}

/* A line outside of fences; code: what is between back-ticks stays. */
static void
add_line(struct buf *out, struct str line, bool code)
{
	size_t i = 0, start = 0, n, end;

	while (i < line.n) {
		n = code ? run_of(str_from(line, i), '`') : 0;
		end = n > 0 ? code_end(str_from(line, i), n) : 0;
		if (end > 0) {
			i += end;
			continue;
		}
		if (begins_html(str_from(line, i))) {
			visible_text(out,
				     (struct str){ line.s + start, i - start });
			buf_adds(out, "&lt;");
			start = i + 1;
		}
		i++;
	}
	visible_text(out, (struct str){ line.s + start, line.n - start });
}

static void
add_text(struct buf *out, struct str text)
{
	char fence = '\0';
	size_t length = 0, n;
	bool open = false; /* code may go on from a line before */

	if (!is_plain(text)) {
		add_fenced(out, text);
		return;
	}
	while (text.n > 0) {
		struct str line = str_cut(&text, '\n');

		n = fence_of(line);
		if (fence != '\0') {
			visible_text(out, line);
			if (closes(line, fence, length))
				fence = '\0';
		} else if (n > 0) {
			fence = line.s[0];
			length = n;
			open = false;
			/* What follows it is not HTML either. */
			visible_text(out, (struct str){ line.s, n });
			add_line(out, str_from(line, n), false);
		} else {
			if (str_is_blank(line))
				open = false;
			open |= !is_closed(line);
			add_line(out, line, !open);
		}
		buf_addc(out, '\n');
	}
	if (fence != '\0') {
		for (n = 0; n < length; n++)
			buf_addc(out, fence);
		buf_addc(out, '\n');
	}
	buf_addc(out, '\n');
}

/* ---- the document ------------------------------------------------------ */

/* On one line, with nothing that Markdown or HTML would act on. */
static void
add_words(struct buf *out, struct str s)
{
	struct buf shown = BUF_INIT;

	visible_field(&shown, s);
	for (size_t i = 0; i < shown.len; i++) {
		char c = shown.data[i];

		if (c == '<')
			buf_adds(out, "&lt;");
		else if (c == '&')
			buf_adds(out, "&amp;");
		else if (strchr("\\`*_[]#|~", c) != NULL)
			buf_addf(out, "\\%c", c);
		else
			buf_addc(out, c);
	}
	buf_release(&shown);
}

static void
add_fact(struct buf *out, const char *name, struct str value)
{
	if (value.n == 0)
		return;
	buf_addf(out, "- %s: ", name);
	add_words(out, value);
	buf_addc(out, '\n');
}

static void
begin(struct export *x, const char *session, const struct session_facts *facts,
      int64_t updated_at, struct str resume)
{
	struct buf text = BUF_INIT;

	buf_adds(&x->out, "# ");
	add_words(&x->out, facts->title.len > 0 ? buf_str(&facts->title)
						: str_of(session));
	buf_adds(&x->out, "\n\n");
	add_fact(&x->out, "session", str_of(session));
	add_fact(&x->out, "directory", buf_str(&facts->cwd));
	export_time(&text, "", buf_str(&facts->started_at));
	add_fact(&x->out, "began", buf_str(&text));
	buf_reset(&text);
	export_moment(&text, updated_at);
	add_fact(&x->out, "last recorded to", buf_str(&text));
	buf_reset(&text);
	buf_addf(&text, "%" PRId64, facts->bytes);
	add_fact(&x->out, "bytes", buf_str(&text));
	add_fact(&x->out, "resume", resume);
	buf_addc(&x->out, '\n');
	buf_release(&text);
}

static void
add_cut(struct buf *out, const struct export_event *e)
{
	if (e->truncated)
		buf_addf(out, "*[the first %zu of %" PRId64 " characters]*\n\n",
			 utf8_count(e->text), e->total_chars);
}

static void
tool(struct buf *out, const struct export_event *e)
{
	buf_adds(out, "### ");
	add_words(out, e->head.tool);
	buf_addf(out, " · %s", decoder_status_names[e->head.tool_status]);
	export_time(out, " · ", buf_str(&e->head.created_at));
	buf_adds(out, "\n\n");
	if (e->arguments.s != NULL)
		add_fenced(out, e->arguments);
	if (e->output.s != NULL)
		add_fenced(out, e->output);
}

static void
event(struct export *x, const struct export_event *e)
{
	struct buf *out = &x->out;
	const char *role = decoder_role_names[e->head.role];

	if (e->begins_window)
		buf_adds(out, "---\n\n");
	if (e->head.role == ROLE_TOOL) {
		tool(out, e);
	} else if (e->head.role == ROLE_CONTEXT) {
		buf_addf(out, "<details><summary>%s", role);
		export_time(out, " · ", buf_str(&e->head.created_at));
		buf_adds(out, "</summary>\n\n");
		add_fenced(out, e->text);
		buf_adds(out, "</details>\n\n");
	} else {
		buf_addf(out, "## %s", role);
		export_time(out, " · ", buf_str(&e->head.created_at));
		buf_adds(out, "\n\n");
		add_text(out, e->text);
	}
	add_cut(out, e);
}

static void
end(struct export *x)
{
	/* The last blank line. */
	if (x->out.len > 1 && x->out.data[x->out.len - 2] == '\n')
		buf_truncate(&x->out, x->out.len - 1);
}

const struct export_format export_markdown = {
	.begin = begin,
	.event = event,
	.end = end,
};
