#include "context/control.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_write.h"
#include "base/timestamp.h"
#include "base/utf8.h"
#include "base/visible.h"
#include "base/xalloc.h"
#include "context/bounds.h"
#include "context/life_json.h"
#include "context/virtual_path.h"
#include "transcript/elements.h"

/* Of the index of recent items (4.5) and of the notes section (6.1). */
#define INDEX_ITEMS 25
#define INDEX_PREVIEW_CHARS 120
#define SECTION_CHARS 6000
#define SECTION_ESCAPED 12000
#define SECTION_FILES 25

#define ELLIPSIS "\xe2\x80\xa6"
#define DASH "\xe2\x80\x94"

/* ---- prose ------------------------------------------------------------- */

static struct prompt_values
values_of(const struct context *c, int64_t window, int64_t previous)
{
	return (struct prompt_values){ .window = window,
				       .previous = previous,
				       .agent = c->agent,
				       .remaining = decide_remaining(
					       &c->life) };
}

static void
add_prompt(const struct context *c, enum prompt prompt,
	   const struct prompt_values *values, struct buf *out)
{
	prompts_add(out, prompt, values, &c->policy, c->remarks);
}

void
control_prompt(const struct context *c, enum prompt prompt, struct buf *out)
{
	struct prompt_values values = values_of(c, c->life.window,
						c->life.previous);

	add_prompt(c, prompt, &values, out);
}

void
control_guidance(const struct context *c, struct buf *out)
{
	buf_adds(out, CONTROL_GUIDANCE_TAG "\n");
	control_prompt(c, PROMPT_GUIDANCE, out);
	buf_adds(out, "\n</pi_token_budget_guidance>");
}

void
control_identity(struct buf *out, struct str agent, int64_t window,
		 int64_t previous)
{
	buf_adds(out, "<context_window>\nAgent name: ");
	buf_add_str(out, agent);
	buf_addf(out,
		 "\nFirst context window id: w1\nCurrent context window id: "
		 "w%" PRId64 "\n",
		 window);
	if (previous != 0)
		buf_addf(out, "Previous context window id: w%" PRId64 "\n",
			 previous);
	buf_adds(out, "</context_window>");
}

/* ---- the index of recent items (4.5) ----------------------------------- */

static void
add_preview(struct buf *out, struct str text)
{
	struct buf line = BUF_INIT, shown = BUF_INIT;
	struct str cut;

	/* Much more than what is shown is never looked at. */
	text = utf8_prefix(text, (size_t)16 * INDEX_PREVIEW_CHARS);
	for (size_t i = 0; i < text.n; i++) {
		if (!elements_is_space(text.s[i]))
			buf_addc(&line, text.s[i]);
		else if (line.len > 0 && line.data[line.len - 1] != ' ')
			buf_addc(&line, ' ');
	}
	if (line.len > 0 && line.data[line.len - 1] == ' ')
		buf_truncate(&line, line.len - 1);
	visible_field(&shown, buf_str(&line));
	cut = utf8_prefix(buf_str(&shown), INDEX_PREVIEW_CHARS);
	if (cut.n < shown.len) {
		cut = utf8_prefix(cut, INDEX_PREVIEW_CHARS - 1);
		buf_add_str(out, cut);
		buf_adds(out, ELLIPSIS);
	} else {
		buf_add_str(out, cut);
	}
	buf_release(&line);
	buf_release(&shown);
}

static void
add_index_line(struct buf *out, const struct items *items,
	       const struct item *item)
{
	size_t at = items_window_of(items, item->record);

	buf_add_str(out, buf_str(&item->id));
	buf_addf(out, " " DASH " %s " DASH " ", item_roles[item->role]);
	add_preview(out, buf_str(&item->content));
	buf_addf(out, " (window w%" PRId64 ")", items->windows[at].number);
}

/* Lines of a section, the first of which must stay. */
struct section {
	struct buf lines[SECTION_FILES + 1];
	size_t n;
	size_t chars, escaped;
};

static void
add_line(struct section *s, struct buf *line)
{
	s->chars += utf8_count(buf_str(line)) + (s->n > 0);
	s->escaped += bounds_escaped_size(buf_str(line)) + (s->n > 0 ? 2 : 0);
	s->lines[s->n++] = *line;
}

static bool
has_room(const struct section *s, const struct buf *line)
{
	return s->chars + utf8_count(buf_str(line)) + 1 <= SECTION_CHARS &&
	       s->escaped + bounds_escaped_size(buf_str(line)) + 2 <=
		       SECTION_ESCAPED;
}

static void
section_release(struct section *s)
{
	for (size_t i = 0; i < s->n; i++)
		buf_release(&s->lines[i]);
}

/*
 * The newest items with their heading, oldest first.  They are gathered newest
 * first, so that the oldest are what has no room.
 */
static int
add_index(const struct context *c, struct items *items, struct buf *out,
	  struct fail *fail)
{
	struct prompt_values values = values_of(c, c->life.window, 0);
	struct section s = { 0 };
	struct buf line = BUF_INIT;
	struct item item;
	int rc = 0;

	item_init(&item);
	add_prompt(c, PROMPT_RECENT_HEADING, &values, &line);
	add_line(&s, &line);
	for (uint32_t r = items_records(items); r > 0 && s.n <= INDEX_ITEMS;
	     r--) {
		rc = items_load(items, r - 1, &item);
		if (rc < 0)
			break;
		if (rc == 0 || item.own_control)
			continue;
		buf_init(&line, BUF_UNLIMITED);
		add_index_line(&line, items, &item);
		if (!has_room(&s, &line)) {
			buf_release(&line);
			break;
		}
		add_line(&s, &line);
	}
	if (rc < 0) {
		rc = items_refuse_io(items, fail);
	} else {
		rc = 0;
		if (s.n > 1) {
			buf_adds(out, "\n\n");
			buf_add_str(out, buf_str(&s.lines[0]));
		}
		for (size_t i = s.n; i-- > 1;) {
			buf_addc(out, '\n');
			buf_add_str(out, buf_str(&s.lines[i]));
		}
	}
	section_release(&s);
	item_release(&item);
	return rc;
}

/* ---- messages ---------------------------------------------------------- */

static int
add_reminder(struct context *c, struct buf *out, struct fail *fail)
{
	struct prompt_values values = values_of(c, c->life.window, 0);
	struct note_files files = { 0 };
	struct buf advice = BUF_INIT;
	int rc = notebook_list(&c->own, STR(""), &files, fail);

	if (rc == 0) {
		notebook_warnings(&files, c->agent, c->policy.note_bytes,
				  &advice);
		values.cleanup_advice = buf_str(&advice);
		if (advice.len > 0)
			values.cleanup_advice.n--;
		add_prompt(c, PROMPT_REMINDER, &values, out);
	}
	notebook_files_release(&files);
	buf_release(&advice);
	return rc;
}

static int
compose(struct context *c, struct items *items, enum message_kind kind,
	struct buf *out, struct fail *fail)
{
	int64_t window = c->life.window;
	struct prompt_values values = values_of(c, window, 0);
	const char *tag = kind == MESSAGE_CHECKPOINT
				  ? "context_window_checkpoint"
				  : "context_window_reminder";

	if (kind == MESSAGE_IDENTITY) {
		control_identity(out, c->agent, window, c->life.previous);
		return 0;
	}
	if (kind == MESSAGE_CONTINUATION) {
		add_prompt(c, PROMPT_CONTINUATION, &values, out);
		return 0;
	}
	buf_addf(out, "<%s source_context_window_id=\"w%" PRId64 "\"%s>\n", tag,
		 window,
		 kind == MESSAGE_CHECKPOINT ? " reason=\"manual\"" : "");
	if (kind != MESSAGE_REMINDER)
		add_prompt(c,
			   kind == MESSAGE_FALLBACK ? PROMPT_FALLBACK
						    : PROMPT_CHECKPOINT,
			   &values, out);
	else if (add_reminder(c, out, fail) != 0)
		return -1;
	buf_addf(out, "\n</%s>", tag);
	return add_index(c, items, out, fail);
}

int
control_compose(struct context *c, struct items *items, struct fail *fail)
{
	for (unsigned i = 0; i < MESSAGE_COUNT; i++) {
		struct life_message *m = &c->life.outbox[i];

		if (m->number != 0 && m->text.len == 0 &&
		    compose(c, items, (enum message_kind)i, &m->text, fail) !=
			    0)
			return -1;
	}
	return 0;
}

/* ---- the bootstrap ----------------------------------------------------- */

static int
by_update(const void *a, const void *b)
{
	const struct note_file *x = *(const struct note_file *const *)a;
	const struct note_file *y = *(const struct note_file *const *)b;

	if (x->updated_ms != y->updated_ms)
		return x->updated_ms < y->updated_ms ? 1 : -1;
	return strcmp(x->path, y->path);
}

static void
add_file_line(struct buf *out, struct str agent, const struct note_file *file)
{
	char at[TIMESTAMP_SIZE];
	struct buf path = BUF_INIT;
	struct json_writer w;

	virtual_path_canonical(&path, agent, str_of(file->path));
	timestamp_utc(file->updated_ms, at);
	json_begin(&w, out);
	json_open_object(&w);
	json_member_string(&w, "path", buf_str(&path));
	json_member_integer(&w, "bytes", file->bytes);
	json_member_string(&w, "updated_at", str_of(at));
	json_close_object(&w);
	buf_release(&path);
}

static void
add_rest_line(struct buf *out, size_t n)
{
	buf_addf(out, "[%zu more note files; use notes_list_files_by_prefix]",
		 n);
}

/* The files that fit, and how many do not. */
static void
add_files(const struct context *c, const struct note_files *files,
	  struct section *s)
{
	const struct note_file **v = xcalloc(files->n + 1,
					     sizeof(struct note_file *));
	struct buf line = BUF_INIT, rest = BUF_INIT;

	for (size_t i = 0; i < files->n; i++)
		v[i] = &files->v[i];
	if (files->n > 1)
		qsort(v, files->n, sizeof(struct note_file *), by_update);
	/* Room is kept for the last line, which few have. */
	add_rest_line(&rest, files->n);
	s->chars += rest.len + 1;
	s->escaped += rest.len + 2;
	for (size_t i = 0; i < files->n && i < SECTION_FILES; i++) {
		buf_init(&line, BUF_UNLIMITED);
		add_file_line(&line, c->agent, v[i]);
		if (i + 1 == files->n) {
			s->chars -= rest.len + 1;
			s->escaped -= rest.len + 2;
		}
		if (!has_room(s, &line)) {
			buf_release(&line);
			break;
		}
		add_line(s, &line);
	}
	buf_release(&rest);
	free(v);
}

static int
add_notes_section(struct context *c, const struct prompt_values *values,
		  struct buf *out, struct fail *fail)
{
	struct note_files files = { 0 };
	struct section s = { 0 };
	struct buf heading = BUF_INIT;
	int rc = notebook_list(&c->own, STR(""), &files, fail);

	if (rc == 0 && files.n == 0)
		add_prompt(c, PROMPT_NO_NOTES, values, out);
	if (rc == 0 && files.n > 0) {
		add_prompt(c, PROMPT_NOTES_HEADING, values, &heading);
		add_line(&s, &heading);
		add_files(c, &files, &s);
		for (size_t i = 0; i < s.n; i++) {
			if (i > 0)
				buf_addc(out, '\n');
			buf_add_str(out, buf_str(&s.lines[i]));
		}
		if (s.n - 1 < files.n) {
			buf_addc(out, '\n');
			add_rest_line(out, files.n - (s.n - 1));
		}
	}
	section_release(&s);
	notebook_files_release(&files);
	return rc;
}

int
control_bootstrap(struct context *c, struct buf *out, struct fail *fail)
{
	struct prompt_values values = values_of(c, c->life.pending.window,
						c->life.window);

	values.remaining = -1;
	buf_adds(out, "<context_window_reset/>\n");
	add_prompt(c, PROMPT_BOOTSTRAP_NOTICE, &values, out);
	buf_adds(out, "\n\n");
	control_identity(out, c->agent, values.window, values.previous);
	buf_adds(out, "\n\n");
	add_prompt(c, PROMPT_BOOTSTRAP_RECOVERY, &values, out);
	buf_adds(out, "\n\n");
	return add_notes_section(c, &values, out, fail);
}
