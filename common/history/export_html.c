#include <inttypes.h>
#include <string.h>

#include "base/utf8.h"
#include "base/visible.h"
#include "history/history_export.h"

/*
 * A session as one page (spec/people.md section 2): no script, no request to
 * anywhere, and every character of a transcript is text.
 */

#define QUESTION_CHARS 80

/* For text and for attributes between double quotes. */
static void
add_escaped(struct buf *out, struct str s)
{
	struct buf shown = BUF_INIT;

	visible_text(&shown, s);
	for (size_t i = 0; i < shown.len; i++)
		switch (shown.data[i]) {
		case '&':
			buf_adds(out, "&amp;");
			break;
		case '<':
			buf_adds(out, "&lt;");
			break;
		case '>':
			buf_adds(out, "&gt;");
			break;
		case '"':
			buf_adds(out, "&quot;");
			break;
		case '\'':
			buf_adds(out, "&#39;");
			break;
		case '\r':
			/* A parser would make a line feed of it. */
			buf_adds(out, "&#13;");
			break;
		default:
			buf_addc(out, shown.data[i]);
		}
	buf_release(&shown);
}

/* A newline at its very start would not be shown. */
static void
add_pre(struct buf *out, struct str text)
{
	buf_adds(out, "<pre>");
	if (text.n > 0 && text.s[0] == '\n')
		buf_addc(out, '\n');
	add_escaped(out, text);
	buf_adds(out, "</pre>\n");
}

static const char style[] =
	":root{color-scheme:light dark;--line:#8884;--soft:#8882}"
	"body{font:16px/1.5 system-ui,sans-serif;margin:0 auto;"
	"max-width:60rem;padding:1rem}"
	"h1{font-size:1.4rem}h2{font-size:1rem;margin:1.5rem 0 .3rem}"
	"dl{display:grid;grid-template-columns:max-content 1fr;gap:0 1rem}"
	"dt{opacity:.7}dd{margin:0;overflow-wrap:anywhere}"
	"nav{border:1px solid var(--line);padding:.5rem 1rem}"
	"nav ol{margin:0;padding-left:1.5rem}"
	"pre{white-space:pre-wrap;overflow-wrap:anywhere;margin:0;"
	"font:inherit}"
	".tool pre,.context pre{font:.85rem/1.4 ui-monospace,monospace}"
	"section{border-left:3px solid var(--line);padding-left:1rem}"
	".user{border-color:#2a6fd6;background:var(--soft)}"
	".window{border:0;border-top:1px dashed;margin:2rem 0}"
	"time{opacity:.7;font-weight:normal}"
	"@media print{nav{display:none}details{display:block}"
	"section{break-inside:avoid}}";

static void
add_fact(struct buf *out, const char *name, struct str value)
{
	if (value.n == 0)
		return;
	buf_addf(out, "<dt>%s</dt><dd>", name);
	add_escaped(out, value);
	buf_adds(out, "</dd>\n");
}

static void
begin(struct export *x, const char *session, const struct session_facts *facts,
      int64_t updated_at, struct str resume)
{
	struct str title = facts->title.len > 0 ? buf_str(&facts->title)
						: str_of(session);
	struct buf *out = &x->out, text = BUF_INIT;

	buf_adds(out,
		 "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
		 "<meta charset=\"utf-8\">\n"
		 "<meta http-equiv=\"Content-Security-Policy\" content=\""
		 "default-src 'none'; style-src 'unsafe-inline'\">\n"
		 "<meta name=\"viewport\" content=\"width=device-width\">\n"
		 "<title>");
	add_escaped(out, title);
	buf_addf(out, "</title>\n<style>%s</style>\n</head>\n<body>\n<h1>",
		 style);
	add_escaped(out, title);
	buf_adds(out, "</h1>\n<dl>\n");
	add_fact(out, "session", str_of(session));
	add_fact(out, "directory", buf_str(&facts->cwd));
	export_time(&text, "", buf_str(&facts->started_at));
	add_fact(out, "began", buf_str(&text));
	buf_reset(&text);
	export_moment(&text, updated_at);
	add_fact(out, "last recorded to", buf_str(&text));
	buf_reset(&text);
	buf_addf(&text, "%" PRId64, facts->bytes);
	add_fact(out, "bytes", buf_str(&text));
	add_fact(out, "resume", resume);
	buf_adds(out, "</dl>\n<nav>\n<ol>\n");
	buf_release(&text);
}

/* The first line of what was asked that says something. */
static void
question(struct export *x, const struct export_event *e)
{
	struct str line = e->text;

	while (line.n > 0 && strchr(" \t\r\n", line.s[0]) != NULL &&
	       line.s[0] != '\0')
		line = str_from(line, 1);
	if (line.n == 0)
		return;
	line = str_until(line, '\n');
	buf_addf(&x->out, "<li><a href=\"#seq-%" PRId64 "\">", e->head.seq);
	add_escaped(&x->out, utf8_prefix(line, QUESTION_CHARS));
	if (utf8_prefix(line, QUESTION_CHARS).n < line.n)
		buf_adds(&x->out, "…");
	buf_adds(&x->out, "</a></li>\n");
}

static void
questions_end(struct export *x)
{
	buf_adds(&x->out, "</ol>\n</nav>\n<main>\n");
}

static void
add_heading(struct buf *out, const struct export_event *e)
{
	if (e->head.role == ROLE_TOOL) {
		add_escaped(out, e->head.tool);
		buf_addf(out, " · %s",
			 decoder_status_names[e->head.tool_status]);
	} else {
		buf_adds(out, decoder_role_names[e->head.role]);
	}
	buf_adds(out, " <time>");
	export_time(out, "", buf_str(&e->head.created_at));
	buf_adds(out, "</time>");
}

static void
event(struct export *x, const struct export_event *e)
{
	struct buf *out = &x->out;

	if (e->begins_window)
		buf_adds(out, "<hr class=\"window\">\n");
	buf_addf(out, "<section class=\"%s\" id=\"seq-%" PRId64 "\">\n",
		 decoder_role_names[e->head.role], e->head.seq);
	if (e->head.role == ROLE_CONTEXT) {
		buf_adds(out, "<details><summary>");
		add_heading(out, e);
		buf_adds(out, "</summary>\n");
		add_pre(out, e->text);
		buf_adds(out, "</details>\n");
	} else {
		buf_adds(out, "<h2>");
		add_heading(out, e);
		buf_adds(out, "</h2>\n");
		if (e->head.role != ROLE_TOOL)
			add_pre(out, e->text);
		if (e->arguments.s != NULL)
			add_pre(out, e->arguments);
		if (e->output.s != NULL) {
			buf_adds(out, "<details><summary>output</summary>\n");
			add_pre(out, e->output);
			buf_adds(out, "</details>\n");
		}
	}
	if (e->truncated)
		buf_addf(out,
			 "<p>[the first %zu of %" PRId64 " characters]</p>\n",
			 utf8_count(e->text), e->total_chars);
	buf_adds(out, "</section>\n");
}

static void
end(struct export *x)
{
	buf_adds(&x->out, "</main>\n</body>\n</html>\n");
}

const struct export_format export_html = {
	.begin = begin,
	.question = question,
	.questions_end = questions_end,
	.event = event,
	.end = end,
};
