#include "notes/survey.h"

#include <errno.h>
#include <inttypes.h>
#include <unistd.h>

#include "base/timestamp.h"
#include "base/tree.h"
#include "base/xalloc.h"
#include "notes/address.h"
#include "notes/note.h"

/* The walk of one home. */
struct round {
	const struct scope *scope;
	const struct home *home;
	survey_visit *visit;
	void *ctx;
	struct survey_tally tally;
	struct buf address;
};

static void
take_note(struct round *r, const struct tree_node *node)
{
	struct survey_note note = { .home = r->home,
				    .dir = node->dir,
				    .name = node->name };

	buf_reset(&r->address);
	buf_adds(&r->address, r->home->prefix);
	buf_adds(&r->address, node->path);
	note.address = buf_str(&r->address);
	if (r->scope == NULL ||
	    scope_matches(r->scope, r->home, node->path, note.address))
		r->visit(r->ctx, &note, &r->tally);
}

/*
 * Files that are not notes are nobody's business.  What is too deep for any
 * address is not gone into: depth is bounded.
 */
static bool
take_node(void *ctx, const struct tree_node *node)
{
	struct round *r = ctx;
	struct str name = str_of(node->name), path = str_of(node->path);
	bool directory = node->kind == TREE_DIRECTORY;

	if (!directory && node->kind != TREE_LINK &&
	    !str_ends(name, STR(".md")))
		return false;
	if (address_is_name(name)) {
		if (directory && address_reaches_into(path))
			return true;
		if (node->kind == TREE_FILE && address_reaches(path)) {
			take_note(r, node);
			return false;
		}
	}
	r->tally.skipped++;
	return false;
}

static void
add_unavailable(struct survey *survey, const char *label)
{
	size_t n = survey->homes_unavailable.n;

	XGROW(survey->labels, n + 1, survey->cap);
	survey->labels[n] = (struct str){ xstrdup(label), strlen(label) };
	survey->homes_unavailable = (struct field_list){ survey->labels,
							 n + 1 };
}

void
survey_home(struct survey *survey, int root, const struct home *home,
	    const struct scope *scope, survey_visit *visit, void *ctx)
{
	struct round r = { .scope = scope,
			   .home = home,
			   .visit = visit,
			   .ctx = ctx,
			   .address = BUF_INIT };
	int fd;

	fd = home_open(root, home, NULL);
	if (fd >= 0) {
		if (tree_walk(fd, take_node, &r) != 0)
			r.tally.incomplete = true;
		close(fd);
	} else {
		r.tally.incomplete = errno != ENOENT;
	}
	survey->skipped += (int64_t)r.tally.skipped;
	if (r.tally.incomplete)
		add_unavailable(survey, home->label);
	buf_release(&r.address);
}

/* Without a root there are no notes; one that fails hides every home. */
static void
survey_homes(struct survey *survey, struct scope *scope, survey_visit *visit,
	     void *ctx)
{
	int root = home_open_root(&survey->who);
	bool missing = root < 0 && errno == ENOENT;

	if (missing)
		return;
	if (scope->space != NULL &&
	    (root < 0 || scope_expand(scope, root, &survey->who) != 0))
		add_unavailable(survey, scope_space_label(scope));
	for (size_t i = 0; i < scope->n; i++) {
		if (root < 0)
			add_unavailable(survey, scope->homes[i].label);
		else
			survey_home(survey, root, &scope->homes[i], scope,
				    visit, ctx);
	}
	if (root >= 0)
		close(root);
}

int
survey_run(struct survey *survey, const struct facts *facts,
	   const struct arg_string *cwd, const struct arg_string *glob,
	   survey_visit *visit, void *ctx, struct fail *fail)
{
	struct scope scope = SCOPE_INIT;
	int rc;

	rc = identity_resolve(&survey->who, facts, cwd, fail);
	if (rc == 0)
		rc = scope_parse(&scope, arg_str(*glob), &survey->who, fail);
	if (rc == 0)
		survey_homes(survey, &scope, visit, ctx);
	scope_release(&scope);
	return rc;
}

void
survey_release(struct survey *survey)
{
	for (size_t i = 0; i < survey->homes_unavailable.n; i++)
		free((char *)(uintptr_t)survey->labels[i].s);
	free(survey->labels);
	identity_release(&survey->who);
	*survey = (struct survey){ 0 };
}

bool
survey_open(const struct survey_note *note, struct survey_tally *tally, int *fd,
	    struct stat *st)
{
	switch (note_peek_open(note->dir, note->name, fd, st)) {
	case NOTE_PEEK_FINE:
	case NOTE_PEEK_UNREADABLE:
		return true;
	case NOTE_PEEK_GONE:
		return false;
	case NOTE_PEEK_SPECIAL:
		tally->skipped++;
		return false;
	case NOTE_PEEK_UNKNOWN:
		tally->incomplete = true;
		return false;
	}
	return false;
}

bool
survey_peek(const struct survey_note *note, struct survey_tally *tally,
	    struct buf *head, struct front_matter *fm, struct note_meta *meta,
	    struct stat *st)
{
	struct stat own;
	int fd;

	if (st == NULL)
		st = &own;
	if (!survey_open(note, tally, &fd, st))
		return false;
	/* What cannot be read counts as bare. */
	if (fd >= 0 && note_peek_head(fd, head) == 0)
		front_matter_parse(fm, buf_str(head), 0);
	if (fd >= 0)
		close(fd);
	front_matter_meta(fm, note_mtime_ms(st), meta);
	return true;
}

/* ---- rendering --------------------------------------------------------- */

const struct field survey_fields[] = {
	{ .name = "homes_unavailable",
	  .type = FIELD_STRINGS,
	  .offset = offsetof(struct survey, homes_unavailable) },
	{ .name = "skipped",
	  .type = FIELD_INTEGER,
	  .offset = offsetof(struct survey, skipped),
	  .optional = true,
	  .zero_is_none = true },
	FIELD_END
};

void
survey_line(struct buf *out)
{
	if (out->len > 0)
		buf_addc(out, '\n');
}

void
survey_text(const struct survey *survey, struct buf *out)
{
	for (size_t i = 0; i < survey->homes_unavailable.n; i++) {
		survey_line(out);
		buf_add_str(out, survey->labels[i]);
		buf_adds(out, " could not be read completely");
	}
	if (survey->skipped > 0) {
		survey_line(out);
		buf_addf(out, "%" PRId64 " %s skipped: not readable as notes",
			 survey->skipped,
			 survey->skipped == 1 ? "entry" : "entries");
	}
}

void
survey_text_time(struct buf *out, const struct terminal *t, const char *before,
		 int64_t ms)
{
	buf_adds(out, before);
	terminal_list_time(out, t, ms);
}

const char *
survey_project_key(const struct survey *survey, const char *address)
{
	return str_starts(str_of(address), STR("@project/"))
		       ? survey->who.project
		       : NULL;
}

void
survey_text_identity(struct buf *out, const struct terminal *t,
		     const struct survey *survey, const char *address)
{
	terminal_on(out, t, TERMINAL_ADDRESS);
	address_identity(out, str_of(address), survey->who.project);
	terminal_off(out, t);
}
