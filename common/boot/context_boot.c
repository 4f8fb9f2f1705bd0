#include "boot/context_boot.h"

#include <inttypes.h>

#include "base/json_span.h"
#include "base/utf8.h"
#include "base/visible.h"
#include "base/xalloc.h"
#include "tool/budget.h"
#include "transcript/hooks.h"
#include "transcript/hosts.h"

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

static void
show_windows(struct context_boot *boot)
{
	size_t from = boot->windows.n - boot->n_windows;

	for (size_t i = 0; i < boot->n_windows; i++) {
		const struct windows_row *row =
			&boot->windows.rows[i == 0 ? 0 : from + i];
		struct context_boot_window *w = &boot->window[i];

		*w = (struct context_boot_window){
			.window_id = buf_str(&row->id),
			.first_seq = row->count > 0 ? row->first : FIELD_NONE,
			.last_seq = row->count > 0 ? row->last : FIELD_NONE,
			.event_count = row->count,
			.current = i + 1 == boot->n_windows,
		};
		if (row->has_created_at)
			w->created_at = buf_str(&row->created_at);
	}
	boot->windows_shown = (struct field_list){ boot->window,
						   boot->n_windows };
	boot->windows_omitted = (int64_t)(boot->windows.total -
					  boot->n_windows);
}

static void
show_shelf(struct context_boot *boot, struct context_boot_shelf *shown,
	   const struct shelf *shelf)
{
	size_t n = shelf->n < boot->max_notes ? shelf->n : boot->max_notes;

	*shown = (struct context_boot_shelf){
		.shelf = shelf,
		.home = shelf->home.label,
		.map_total_chars = FIELD_NONE,
		.recent = { shelf->notes, n },
		.more = (int64_t)(shelf->n - n),
	};
	if (shelf->home.kind == HOME_PROJECT)
		shown->project_key = boot->who.project;
	if (shelf->has_map) {
		shown->map = utf8_prefix(buf_str(&shelf->map), boot->map_chars);
		shown->map_total_chars = (int64_t)shelf->map_total_chars;
	}
}

/* A home without notes is not shown, unless it could not be read. */
static void
show_shelves(struct context_boot *boot)
{
	size_t n = 0, unavailable = 0;

	for (size_t i = 0; i < boot->shelves.n; i++) {
		const struct shelf *shelf = &boot->shelves.v[i];

		if (shelf->has_map || shelf->n > 0)
			show_shelf(boot, &boot->shelf[n++], shelf);
		if (shelf->unavailable)
			boot->unavailable[unavailable++] = str_of(
				shelf->home.label);
	}
	boot->shelves_shown = (struct field_list){ boot->shelf, n };
	boot->homes_unavailable = (struct field_list){ boot->unavailable,
						       unavailable };
}

/* ---- fitting ----------------------------------------------------------- */

static bool
fits(const struct tool *tool, struct context_boot *boot, size_t max_chars)
{
	struct buf text = BUF_INIT;
	bool within;

	show_windows(boot);
	show_shelves(boot);
	if (!budget_holds(tool, boot))
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
fit(struct context_boot *boot, const struct tool_call *call, struct fail *fail)
{
	const struct context_boot_args *args = call->args;
	/* With the line feed that is printed behind it. */
	size_t max_chars = args->hook.given ? CONTEXT_BOOT_HOOK_CHARS - 1 : 0;

	boot->map_chars = SHELF_MAP_CHARS;
	boot->max_notes = (size_t)args->max_notes.v;
	boot->n_windows = boot->windows.n;
	while (!fits(call->tool, boot, max_chars))
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
		boot->damage = head_damage(t);
		return 0;
	}
	windows_release(&boot->windows);
	session_refuse_io(&boot->session, fail);
	return do_without(boot, fail);
}

/*
 * A hook after a compaction may run before the host has written the boundary:
 * the window that begins is counted all the same.  Unless nothing was said
 * since the last one: then that is the boundary.
 */
static int
begin_window(struct context_boot *boot, const struct tool_call *call,
	     struct fail *fail)
{
	const struct context_boot_args *args = call->args;
	struct windows *w = &boot->windows;
	int64_t now;

	if (!args->hook.given || !boot->session.current ||
	    !hooks_host((size_t)args->hook.v)->early_hook ||
	    !json_string_is(json_get(call->hook, "source"), "compact") ||
	    w->n == 0 || !w->rows[w->n - 1].spoken)
		return 0;
	if (facts_now_ms(call->facts, &now, fail) != 0)
		return -1;
	windows_begin(w, buf_str(&boot->identity), now);
	return 0;
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
	struct str id = hosts_session_id(buf_str(&boot->identity));

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
	struct str session = resolve_parameter(call, &args->session);
	struct context_boot *boot = result;

	boot->session = (struct session)SESSION_INIT;
	buf_init(&boot->identity, BUF_UNLIMITED);
	buf_init(&boot->windows_error, BUF_UNLIMITED);
	if (identity_resolve(&boot->who, call->facts, &none, fail) != 0 ||
	    resolve_check(call->facts, fail) != 0 ||
	    resolve_parse_one(session, fail) != 0 ||
	    read_session(boot, call->facts, session, fail) != 0 ||
	    begin_window(boot, call, fail) != 0)
		return -1;
	read_notes(boot, (size_t)args->max_notes.v);
	return fit(boot, call, fail);
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
map_text(struct buf *out, const struct context_boot_shelf *shown)
{
	struct str map = shown->map;
	int64_t chars = (int64_t)utf8_count(map);

	buf_adds(out, SHELF_MAP ":\n");
	while (map.n > 0 && map.s[map.n - 1] == '\n')
		map.n--;
	if (map.n > 0) {
		visible_text(out, map);
		buf_addc(out, '\n');
	}
	if (chars < shown->map_total_chars)
		buf_addf(out,
			 "[truncated; notes_read {\"address\":\"%s" SHELF_MAP
			 "\",\"offset_chars\":%" PRId64 "}]\n",
			 shown->shelf->home.prefix, chars);
}

static void
note_text(struct buf *out, const struct shelf_note *note)
{
	struct str title = buf_str(&note->title);

	buf_adds(out, "- ");
	visible_field(out, str_of(note->address));
	buf_adds(out, " | ");
	visible_field(out, title.n > 0 ? title : STR("(empty)"));
	survey_text_time(out, NULL, " | updated ", note->updated_at);
	buf_addc(out, '\n');
}

static void
shelf_text(struct buf *out, const struct context_boot_shelf *shown)
{
	buf_adds(out, shown->home);
	if (shown->project_key != NULL)
		buf_addf(out, " (%s)", shown->project_key);
	buf_adds(out, ":\n");
	if (shown->map_total_chars != FIELD_NONE)
		map_text(out, shown);
	for (size_t i = 0; i < shown->recent.n; i++)
		note_text(out, &shown->shelf->notes[i]);
	if (shown->more > 0) {
		buf_add_count(out, (uint64_t)shown->more, "more note");
		buf_adds(out, "; ");
		glob_text(out, shown->shelf);
	}
}

static void
notes_text(struct buf *out, const struct context_boot *boot)
{
	const struct shelves *s = &boot->shelves;
	size_t start;

	buf_adds(out, "<notes_index>\n");
	start = out->len;
	for (size_t i = 0; i < boot->shelves_shown.n; i++)
		shelf_text(out, &boot->shelf[i]);
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
window_text(struct buf *out, const struct context_boot_window *w)
{
	buf_adds(out, "window ");
	visible_field(out, w->window_id);
	if (w->event_count > 0) {
		buf_addf(out, " | seqs %" PRId64 "-%" PRId64 " | ",
			 w->first_seq, w->last_seq);
		buf_add_count(out, (uint64_t)w->event_count, "event");
	} else {
		buf_adds(out, " | no events");
	}
	buf_adds(out, " | from ");
	visible_field(out,
		      w->created_at.s != NULL ? w->created_at : STR("start"));
	if (w->current)
		buf_adds(out, " | current");
	buf_addc(out, '\n');
}

static void
windows_text(struct buf *out, const struct context_boot *boot)
{
	buf_adds(out, "<history_windows>\n");
	for (size_t i = 0; i < boot->n_windows; i++)
		window_text(out, &boot->window[i]);
	if (boot->windows_omitted > 0) {
		buf_add_count(out, (uint64_t)boot->windows_omitted,
			      "earlier window");
		buf_adds(out, " omitted\n");
	}
	if (boot->windows_error.len > 0) {
		buf_adds(out, "history unavailable: ");
		visible_field(out, buf_str(&boot->windows_error));
		buf_addc(out, '\n');
	}
	head_damage_text(out, &boot->damage);
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
