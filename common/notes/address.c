#include "notes/address.h"

#include "base/utf8.h"
#include "base/xalloc.h"

static bool
is_control(uint32_t cp)
{
	return cp < 0x20 || (cp >= 0x7f && cp <= 0x9f);
}

/* What makes s no run of characters that an address may have; or NULL. */
static const char *
chars_fault(struct str s)
{
	uint32_t cp;
	unsigned n;

	for (size_t i = 0; i < s.n; i += n) {
		n = utf8_decode(s.s + i, s.n - i, &cp);
		if (n == 0)
			return "it is not valid UTF-8";
		if (cp == '@')
			return "the path holds an at sign";
		if (cp == '\\')
			return "the path holds a backslash";
		if (is_control(cp))
			return "the path holds a control character";
	}
	return NULL;
}

static bool
is_dots(struct str segment)
{
	return str_is(segment, ".") || str_is(segment, "..");
}

static const char *
path_fault(struct str path)
{
	const char *fault = chars_fault(path);
	struct str segment;

	for (; fault == NULL; path = str_from(path, segment.n + 1)) {
		segment = str_until(path, '/');
		if (segment.n == 0)
			fault = "the path has an empty segment";
		else if (is_dots(segment))
			fault = "the path has a dot segment";
		if (segment.n == path.n)
			break;
	}
	return fault;
}

bool
address_is_name(struct str name)
{
	return name.n > 0 && !str_has(name, '/') && !is_dots(name) &&
	       chars_fault(name) == NULL;
}

/* It may be given without its .md. */
bool
address_reaches(struct str path)
{
	return path.n <= ADDRESS_PATH_MAX + strlen(".md");
}

bool
address_reaches_into(struct str directory)
{
	return directory.n + strlen("/x") <= ADDRESS_PATH_MAX;
}

/* ---- parsing ----------------------------------------------------------- */

struct address_head {
	const char *word;
	enum home_kind kind;
	bool named; /* a slug follows */
};

static const struct address_head heads[] = {
	{ "@project", HOME_PROJECT, false },
	{ "@human", HOME_HUMAN, false },
	{ "@self", HOME_SELF, false },
	{ "@model", HOME_MODEL, false },
	{ "@agents", HOME_OTHER_AGENT, true },
	{ "@models", HOME_OTHER_MODEL, true },
};

/* An address taken apart, before it means a home. */
struct parts {
	enum home_kind kind;
	struct str slug, path;
};

static const struct address_head *
find_head(struct str word)
{
	for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++)
		if (str_is(word, heads[i].word))
			return &heads[i];
	return NULL;
}

/* Cuts the first segment and its slash off s; false when no slash follows. */
static bool
cut_segment(struct str *s, struct str *segment)
{
	*segment = str_until(*s, '/');
	if (segment->n == s->n)
		return false;
	*s = str_from(*s, segment->n + 1);
	return true;
}

/* What is wrong with input; NULL and *p filled when nothing is. */
static const char *
take_apart(struct str input, struct parts *p)
{
	const struct address_head *head;
	struct str word;
	bool more;

	*p = (struct parts){ HOME_SESSION, { NULL, 0 }, input };
	if (input.n == 0)
		return "it is empty";
	if (input.s[0] != '@')
		return path_fault(input);
	more = cut_segment(&p->path, &word);
	head = find_head(word);
	if (head == NULL)
		return "there is no such home";
	p->kind = head->kind;
	if (more && head->named) {
		more = cut_segment(&p->path, &p->slug);
		if (!identity_is_slug(p->slug))
			return "the name of the home is not a slug (lower-case "
			       "letters and digits, joined by single dashes)";
	}
	if (!more || p->path.n == 0)
		return "the home is named without a path in it";
	return path_fault(p->path);
}

static int
fail_address(struct fail *fail, struct str input, const char *fault)
{
	struct buf quoted = BUF_INIT;

	fail_quote(&quoted, input);
	fail_refuse(
		fail, "invalid_address",
		"%s is not the address of a note: %s; legal are a path with no "
		"@ for this session, @project/<path>, @human/<path>, "
		"@self/<path>, @model/<path>",
		quoted.data, fault);
	buf_release(&quoted);
	return -1;
}

int
address_parse(struct address *a, struct str input, const struct identity *who,
	      struct fail *fail)
{
	struct buf b = BUF_INIT;
	struct parts p;
	const char *fault;

	*a = (struct address)ADDRESS_INIT;
	fault = take_apart(input, &p);
	if (fault != NULL)
		return fail_address(fail, input, fault);
	a->given = p.path.n;
	buf_add_str(&b, p.path);
	if (!str_ends(p.path, STR(".md")))
		buf_adds(&b, ".md");
	a->path = buf_detach(&b);
	if (p.kind == HOME_SESSION && who->session == NULL)
		return fail_refuse(
			fail, "no_session",
			"CTX_SESSION is not set, so that %s is the note "
			"of no session; @project/%s needs none",
			a->path, a->path);
	home_init(&a->home, p.kind, p.slug, who);
	buf_adds(&b, a->home.prefix);
	buf_adds(&b, a->path);
	a->rendered = buf_detach(&b);
	return 0;
}

int
address_resolve(struct address *a, struct identity *who,
		const struct facts *facts, const struct arg_string *cwd,
		const struct arg_string *given, struct fail *fail)
{
	*a = (struct address)ADDRESS_INIT;
	if (identity_resolve(who, facts, cwd, fail) != 0)
		return -1;
	return address_parse(a, arg_str(*given), who, fail);
}

void
address_tell(const struct address *a, const struct identity *who,
	     char **rendered, char **project_key)
{
	*rendered = xstrdup(a->rendered);
	if (a->home.kind == HOME_PROJECT)
		*project_key = xstrdup(who->project);
}

void
address_release(struct address *a)
{
	home_release(&a->home);
	free(a->path);
	free(a->rendered);
	*a = (struct address)ADDRESS_INIT;
}

/* ---- what may be changed ----------------------------------------------- */

static int
check_names(struct str path, struct fail *fail)
{
	struct str name;

	for (;; path = str_from(path, name.n + 1)) {
		name = str_until(path, '/');
		if (name.n > ADDRESS_NAME_MAX)
			return fail_refuse(fail, "too_large",
					   "a name in the path of the address "
					   "has %zu bytes on disk, at most %d "
					   "are legal",
					   name.n, ADDRESS_NAME_MAX);
		if (name.n == path.n)
			return 0;
	}
}

int
address_check_length(const struct address *a, struct fail *fail)
{
	if (a->given > ADDRESS_PATH_MAX)
		return fail_refuse(fail, "too_large",
				   "the path of the address has %zu bytes, at "
				   "most %d are legal",
				   a->given, ADDRESS_PATH_MAX);
	/* The home of an agent or a model is called by a slug of any length. */
	if (check_names(str_of(a->home.directory), fail) != 0)
		return -1;
	return check_names(str_of(a->path), fail);
}

int
address_check_scope(const struct address *a, struct fail *fail)
{
	const char *own = a->home.kind == HOME_OTHER_AGENT ? "@self/"
							   : "@model/";

	if (address_check_length(a, fail) != 0)
		return -1;
	if (home_is_own(&a->home))
		return 0;
	return fail_refuse(fail, "invalid_scope",
			   "%s is not your home and can only be read; yours "
			   "is %s%s",
			   a->rendered, own, a->path);
}

/* ---- messages ---------------------------------------------------------- */

void
address_identity(struct buf *out, struct str rendered, const char *key)
{
	buf_add_str(out, rendered);
	if (key == NULL || !str_starts(rendered, STR("@project/")))
		return;
	buf_adds(out, " (project ");
	buf_adds(out, key);
	buf_addc(out, ')');
}

int
address_fail_unsafe(const struct address *a, const char *path,
		    const struct beneath_fault *fault, struct fail *fail)
{
	struct buf quoted = BUF_INIT;

	fail_quote(&quoted, (struct str){ path + fault->start,
					  fault->end - fault->start });
	fail_refuse(fail, "unsafe_path", "%s: %s is %s", a->rendered,
		    quoted.data, beneath_kind_name(fault->kind));
	buf_release(&quoted);
	return -1;
}

int
address_fail_io(const char *label, int error, struct fail *fail)
{
	return fail_refuse(fail, "io_error", "%s: %s", label, strerror(error));
}
