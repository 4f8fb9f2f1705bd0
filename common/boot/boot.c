#include "boot/boot.h"

#include "base/utf8.h"
#include "base/xalloc.h"
#include "tool/budget.h"

const char *const boot_transcripts[] = { "found", "absent", "unreadable",
					 NULL };

void
boot_release(void *result)
{
	struct boot *boot = result;

	shelves_release(&boot->shelves);
	buf_release(&boot->windows_error);
	windows_release(&boot->windows);
	buf_release(&boot->identity);
	session_release(&boot->session);
	identity_release(&boot->who);
}

/* ---- what is shown ----------------------------------------------------- */

const struct windows_row *
boot_window(const struct boot *boot, size_t i)
{
	size_t from = boot->windows.n - boot->n_windows;

	return &boot->windows.rows[i == 0 ? 0 : from + i];
}

size_t
boot_windows_omitted(const struct boot *boot)
{
	return boot->windows.total - boot->n_windows;
}

struct str
boot_map(const struct boot *boot, const struct shelf *shelf)
{
	return utf8_prefix(buf_str(&shelf->map), boot->map_chars);
}

size_t
boot_recent(const struct boot *boot, const struct shelf *shelf)
{
	return shelf->n < boot->max_notes ? shelf->n : boot->max_notes;
}

/* ---- fitting ----------------------------------------------------------- */

static bool
fits(const struct boot *boot, size_t max_chars)
{
	struct buf text = BUF_INIT;
	bool within;

	if (!budget_fits(boot_json, boot_text, boot))
		return false;
	if (max_chars == 0)
		return true;
	boot_text(boot, &text);
	within = utf8_count(buf_str(&text)) <= max_chars;
	buf_release(&text);
	return within;
}

/*
 * One step less; false when nothing is left to be left out.  The first and
 * the current window stay.
 */
static bool
show_less(struct boot *boot)
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
fit(struct boot *boot, const struct boot_args *args, struct fail *fail)
{
	/* With the line feed that is printed behind it. */
	size_t max_chars = args->hook.given ? BOOT_HOOK_CHARS - 1 : 0;

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
do_without(struct boot *boot, struct fail *fail)
{
	if (boot->session.named)
		return -1;
	if (strcmp(fail->code, "unknown_session") == 0) {
		boot->transcript = BOOT_ABSENT;
	} else if (strcmp(fail->code, "unreadable_session") == 0) {
		boot->transcript = BOOT_UNREADABLE;
		buf_addf(&boot->windows_error, "%s: ", fail->code);
		buf_add_str(&boot->windows_error, buf_str(&fail->message));
	} else {
		return -1;
	}
	fail_release(fail);
	return 0;
}

static int
read_windows(struct boot *boot, struct fail *fail)
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
read_session(struct boot *boot, const struct facts *facts, struct str parameter,
	     struct fail *fail)
{
	bool opened = session_open(&boot->session, facts, parameter, NULL,
				   fail) == 0;
	enum host host;

	if (!opened && do_without(boot, fail) != 0)
		return -1;
	host = session_identity(&boot->session, &boot->identity);
	if (opened)
		return read_windows(boot, fail);
	if (boot->transcript == BOOT_ABSENT)
		windows_absent(&boot->windows, host, buf_str(&boot->identity));
	return 0;
}

/* ---- the operation ----------------------------------------------------- */

/* The notes are those of the session described, whoever's it is. */
static void
read_notes(struct boot *boot, size_t most)
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
boot_run(const struct tool_call *call, void *result, struct fail *fail)
{
	static const struct arg_string none = { 0 };
	const struct boot_args *args = call->args;
	struct str session = { args->session.s, args->session.n };
	struct boot *boot = result;

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
