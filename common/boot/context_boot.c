#include "boot/context_boot.h"

#include <inttypes.h>

#include "base/utf8.h"
#include "base/visible.h"
#include "base/xalloc.h"
#include "tool/budget.h"

const char *const context_boot_transcripts[] = { "found", "absent",
						 "unreadable", NULL };

void
context_boot_release(void *result)
{
	struct context_boot *boot = result;

	shelves_release(&boot->shelves);
	buf_release(&boot->windows_error);
	windows_release(&boot->windows);
	buf_release(&boot->identity);
	session_release(&boot->session);
	identity_release(&boot->who);
}

/* ---- what is shown ----------------------------------------------------- */

/* The i-th window shown, i < n_windows. */
static const struct windows_row *
window_shown(const struct context_boot *boot, size_t i)
{
	size_t from = boot->windows.n - boot->n_windows;

	return &boot->windows.rows[i == 0 ? 0 : from + i];
}

static size_t
windows_omitted(const struct context_boot *boot)
{
	return boot->windows.total - boot->n_windows;
}

static struct str
map_shown(const struct context_boot *boot, const struct shelf *shelf)
{
	return utf8_prefix(buf_str(&shelf->map), boot->map_chars);
}

static size_t
recent_shown(const struct context_boot *boot, const struct shelf *shelf)
{
	return shelf->n < boot->max_notes ? shelf->n : boot->max_notes;
}

/* ---- fitting ----------------------------------------------------------- */

static bool
fits(const struct context_boot *boot, size_t max_chars)
{
	struct buf text = BUF_INIT;
	bool within;

	if (!budget_fits(context_boot_json, context_boot_text, boot))
		return false;
	if (max_chars == 0)
		return true;
	context_boot_text(boot, &text);
	within = utf8_count(buf_str(&text)) <= max_chars;
	buf_release(&text);
	return within;
}

/*
 * One step less; false when nothing is left to be left out.  The first and
 * the current window stay.
 */
static bool
show_less(struct context_boot *boot)
{
	if (boot->map_chars > 512)
		boot->map_chars /= 2;
	else if (boot->map_chars > 0)
		boot->map_chars = 0;
	else if (boot->max_notes > 0)
		boot->max_notes--;
	else if (boot->n_windows > 2)
		boot->n_windows--;
	else
		return false;
	return true;
}

/* max_chars of the text, or 0. */
static int
fit(struct context_boot *boot, const struct context_boot_args *args,
    struct fail *fail)
{
	/* With the line feed that is printed behind it. */
	size_t max_chars = args->hook.given ? CONTEXT_BOOT_HOOK_CHARS - 1 : 0;

	boot->map_chars = SHELF_MAP_CHARS;
	boot->max_notes = (size_t)args->max_notes.v;
	boot->n_windows = boot->windows.n;
	while (!fits(boot, max_chars))
		if (!show_less(boot))
			return fail_refuse(fail, "output_too_large",
					   "what is known about the session "
					   "leaves no room for one character "
					   "of its notes");
	return 0;
}

/* ---- the transcript ---------------------------------------------------- */

/*
 * The host's own session may have no transcript yet, or one that cannot be
 * read; its notes must not be lost with it.  -1 when that is not the case.
 */
static int
do_without(struct context_boot *boot, struct fail *fail)
{
	if (boot->session.named)
		return -1;
	if (strcmp(fail->code, "unknown_session") == 0) {
		boot->transcript = CONTEXT_BOOT_ABSENT;
	} else if (strcmp(fail->code, "unreadable_session") == 0) {
		boot->transcript = CONTEXT_BOOT_UNREADABLE;
		buf_addf(&boot->windows_error, "%s: ", fail->code);
		buf_add_str(&boot->windows_error, buf_str(&fail->message));
	} else {
		return -1;
	}
	fail_release(fail);
	return 0;
}

static int
read_windows(struct context_boot *boot, struct fail *fail)
{
	struct transcript *t = &boot->session.transcript;

	if (windows_read(&boot->windows, t, buf_str(&boot->identity))) {
		boot->lines_skipped = t->lines_skipped;
		return 0;
	}
	windows_release(&boot->windows);
	session_refuse_io(&boot->session, fail);
	return do_without(boot, fail);
}

static int
read_session(struct context_boot *boot, const struct facts *facts,
	     struct str parameter, struct fail *fail)
{
	bool opened = session_open(&boot->session, facts, parameter, NULL,
				   fail) == 0;
	const struct host *host;

	if (!opened && do_without(boot, fail) != 0)
		return -1;
	host = session_identity(&boot->session, &boot->identity);
	if (opened)
		return read_windows(boot, fail);
	if (boot->transcript == CONTEXT_BOOT_ABSENT)
		windows_absent(&boot->windows, host, buf_str(&boot->identity));
	return 0;
}

/* ---- the operation ----------------------------------------------------- */

/* The notes are those of the session described, whoever's it is. */
static void
read_notes(struct context_boot *boot, size_t most)
{
	struct str session = buf_str(&boot->identity), id;
	const char *colon = memchr(session.s, ':', session.n);

	id = str_from(session, (size_t)(colon - session.s) + 1);
	free(boot->who.session);
	/* A file may claim an id that can have no notes. */
	boot->who.session = selector_is_id(id) ? xmemdup(id.s, id.n) : NULL;
	shelves_read(&boot->shelves, &boot->who, most);
}

int
context_boot_run(const struct tool_call *call, void *result, struct fail *fail)
{
	static const struct arg_string none = { 0 };
	const struct context_boot_args *args = call->args;
	struct str session = { args->session.s, args->session.n };
	struct context_boot *boot = result;

	boot->session = (struct session)SESSION_INIT;
	buf_init(&boot->identity, BUF_UNLIMITED);
	buf_init(&boot->windows_error, BUF_UNLIMITED);
	if (identity_resolve(&boot->who, call->facts, &none, fail) != 0 ||
	    resolve_check(call->facts, fail) != 0 ||
	    resolve_parse_one(session, fail) != 0 ||
	    read_session(boot, call->facts, session, fail) != 0)
		return -1;
	read_notes(boot, (size_t)args->max_notes.v);
	return fit(boot, args, fail);
}

/* ---- JSON -------------------------------------------------------------- */

static void
window_json(struct json_writer *w, const struct windows_row *row, bool current)
{
	json_open_object(w);
	json_member_string(w, "window_id", buf_str(&row->id));
	if (row->has_created_at)
		json_member_string(w, "created_at", buf_str(&row->created_at));
	else
		json_member_null(w, "created_at");
	if (row->count > 0) {
		json_member_integer(w, "first_seq", row->first);
		json_member_integer(w, "last_seq", row->last);
	} else {
		json_member_null(w, "first_seq");
		json_member_null(w, "last_seq");
	}
	json_member_integer(w, "event_count", row->count);
	json_member_boolean(w, "current", current);
	json_close_object(w);
}

static void
windows_json(struct json_writer *w, const struct context_boot *boot)
{
	size_t omitted = windows_omitted(boot);

	json_key(w, "windows");
	json_open_array(w);
	for (size_t i = 0; i < boot->n_windows; i++)
		window_json(w, window_shown(boot, i), i + 1 == boot->n_windows);
	json_close_array(w);
	if (omitted > 0)
		json_member_integer(w, "windows_omitted", (int64_t)omitted);
	if (boot->windows_error.len > 0)
		json_member_string(w, "windows_error",
				   buf_str(&boot->windows_error));
}

static void
recent_json(struct json_writer *w, const struct context_boot *boot,
	    const struct shelf *shelf)
{
	json_key(w, "recent");
	json_open_array(w);
	for (size_t i = 0; i < recent_shown(boot, shelf); i++) {
		json_open_object(w);
		json_member_string(w, "address",
				   str_of(shelf->notes[i].address));
		json_member_string(w, "title", buf_str(&shelf->notes[i].title));
		survey_json_time(w, "updated_at", shelf->notes[i].updated_at);
		json_close_object(w);
	}
	json_close_array(w);
}

static bool
has_notes(const struct shelf *shelf)
{
	return shelf->has_map || shelf->n > 0;
}

static void
shelf_json(struct json_writer *w, const struct context_boot *boot,
	   const struct shelf *shelf)
{
	json_open_object(w);
	json_member_string(w, "home", str_of(shelf->home.label));
	if (shelf->home.kind == HOME_PROJECT)
		json_member_string(w, "project_key", str_of(boot->who.project));
	if (shelf->has_map) {
		json_member_string(w, "map", map_shown(boot, shelf));
		json_member_integer(w, "map_total_chars",
				    (int64_t)shelf->map_total_chars);
	} else {
		json_member_null(w, "map");
		json_member_null(w, "map_total_chars");
	}
	recent_json(w, boot, shelf);
	json_member_integer(w, "more",
			    (int64_t)(shelf->n - recent_shown(boot, shelf)));
	json_close_object(w);
}

static void
notes_json(struct json_writer *w, const struct context_boot *boot)
{
	const struct shelves *s = &boot->shelves;

	json_key(w, "notes");
	json_open_object(w);
	json_key(w, "shelves");
	json_open_array(w);
	for (size_t i = 0; i < s->n; i++)
		if (has_notes(&s->v[i]))
			shelf_json(w, boot, &s->v[i]);
	json_close_array(w);
	json_key(w, "homes_unavailable");
	json_open_array(w);
	for (size_t i = 0; i < s->n; i++)
		if (s->v[i].unavailable)
			json_string(w, str_of(s->v[i].home.label));
	json_close_array(w);
	json_close_object(w);
}

void
context_boot_json(const void *result, struct buf *out)
{
	const struct context_boot *boot = result;
	struct json_writer w;

	json_begin(&w, out);
	json_open_object(&w);
	json_member_string(&w, "session", buf_str(&boot->identity));
	json_member_string(&w, "agent", str_of(boot->who.agent));
	json_member_string(&w, "model", str_of(boot->who.model));
	json_member_string(&w, "transcript",
			   str_of(context_boot_transcripts[boot->transcript]));
	windows_json(&w, boot);
	notes_json(&w, boot);
	if (boot->lines_skipped > 0)
		json_member_integer(&w, "lines_skipped",
				    (int64_t)boot->lines_skipped);
	json_close_object(&w);
}

/* ---- text -------------------------------------------------------------- */

/* A line of the first block that names a window, counted from the end. */
static void
window_id_text(struct buf *out, const char *label,
	       const struct windows_row *row)
{
	buf_adds(out, label);
	visible_field(out, buf_str(&row->id));
	buf_addc(out, '\n');
}

static void
identity_text(struct buf *out, const struct context_boot *boot)
{
	const struct windows *w = &boot->windows;

	buf_addf(out,
		 "<context_window>\n"
		 "Agent name: %s (brain: %s)\n",
		 boot->who.agent, boot->who.model);
	if (w->n > 0) {
		window_id_text(out, "First context window id: ", &w->rows[0]);
		window_id_text(
			out, "Current context window id: ", &w->rows[w->n - 1]);
	}
	if (w->n > 1)
		window_id_text(out, "Previous context window id: ",
			       &w->rows[w->n - 2]);
	buf_adds(out, "</context_window>\n");
}

/* How to list a shelf. */
static void
glob_text(struct buf *out, const struct shelf *shelf)
{
	buf_addf(out, "notes_list {\"glob\":\"%s**\"}\n", shelf->home.prefix);
}

static void
map_text(struct buf *out, const struct context_boot *boot,
	 const struct shelf *shelf)
{
	struct str map = map_shown(boot, shelf);
	size_t chars = utf8_count(map);

	buf_adds(out, SHELF_MAP ":\n");
	while (map.n > 0 && map.s[map.n - 1] == '\n')
		map.n--;
	if (map.n > 0) {
		visible_text(out, map);
		buf_addc(out, '\n');
	}
	if (chars < shelf->map_total_chars)
		buf_addf(out,
			 "[truncated; notes_read {\"address\":\"%s" SHELF_MAP
			 "\",\"offset_chars\":%zu}]\n",
			 shelf->home.prefix, chars);
}

static void
note_text(struct buf *out, const struct shelf_note *note)
{
	struct str title = buf_str(&note->title);

	buf_adds(out, "- ");
	visible_field(out, str_of(note->address));
	buf_adds(out, " | ");
	visible_field(out, title.n > 0 ? title : STR("(empty)"));
	survey_text_time(out, " | updated ", note->updated_at);
	buf_addc(out, '\n');
}

static void
shelf_text(struct buf *out, const struct context_boot *boot,
	   const struct shelf *shelf)
{
	size_t n = recent_shown(boot, shelf), more = shelf->n - n;

	buf_adds(out, shelf->home.label);
	if (shelf->home.kind == HOME_PROJECT)
		buf_addf(out, " (%s)", boot->who.project);
	buf_adds(out, ":\n");
	if (shelf->has_map)
		map_text(out, boot, shelf);
	for (size_t i = 0; i < n; i++)
		note_text(out, &shelf->notes[i]);
	if (more > 0) {
		survey_count(out, more, "more ", "note");
		buf_adds(out, "; ");
		glob_text(out, shelf);
	}
}

static void
notes_text(struct buf *out, const struct context_boot *boot)
{
	const struct shelves *s = &boot->shelves;
	size_t start;

	buf_adds(out, "<notes_index>\n");
	start = out->len;
	for (size_t i = 0; i < s->n; i++)
		if (has_notes(&s->v[i]))
			shelf_text(out, boot, &s->v[i]);
	for (size_t i = 0; i < s->n; i++) {
		if (!s->v[i].unavailable)
			continue;
		buf_addf(out, "%s could not be read; ", s->v[i].home.label);
		glob_text(out, &s->v[i]);
	}
	if (out->len == start)
		buf_adds(out, "no notes yet\n");
	buf_adds(out, "</notes_index>\n");
}

static void
window_text(struct buf *out, const struct windows_row *row, bool current)
{
	buf_adds(out, "window ");
	visible_field(out, buf_str(&row->id));
	if (row->count > 0) {
		buf_addf(out, " | seqs %" PRIu32 "-%" PRIu32 " | ", row->first,
			 row->last);
		survey_count(out, row->count, "", "event");
	} else {
		buf_adds(out, " | no events");
	}
	buf_adds(out, " | from ");
	visible_field(out, row->has_created_at ? buf_str(&row->created_at)
					       : STR("start"));
	if (current)
		buf_adds(out, " | current");
	buf_addc(out, '\n');
}

static void
windows_text(struct buf *out, const struct context_boot *boot)
{
	size_t omitted = windows_omitted(boot);

	buf_adds(out, "<history_windows>\n");
	for (size_t i = 0; i < boot->n_windows; i++)
		window_text(out, window_shown(boot, i),
			    i + 1 == boot->n_windows);
	if (omitted > 0) {
		survey_count(out, omitted, "earlier ", "window");
		buf_adds(out, " omitted\n");
	}
	if (boot->windows_error.len > 0) {
		buf_adds(out, "history unavailable: ");
		visible_field(out, buf_str(&boot->windows_error));
		buf_addc(out, '\n');
	}
	if (boot->lines_skipped > 0)
		buf_addf(out, "%" PRIu64 " malformed line%s skipped\n",
			 boot->lines_skipped,
			 boot->lines_skipped == 1 ? "" : "s");
	buf_adds(out, "</history_windows>");
}

void
context_boot_text(const void *result, struct buf *out)
{
	const struct context_boot *boot = result;

	identity_text(out, boot);
	buf_addc(out, '\n');
	notes_text(out, boot);
	buf_addc(out, '\n');
	windows_text(out, boot);
}
