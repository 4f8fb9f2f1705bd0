#include "context/agents.h"

#include <stdlib.h>
#include <string.h>

#include "base/json_check.h"
#include "base/json_span.h"
#include "base/json_write.h"
#include "base/xalloc.h"

#define NAMES_SHOWN 20

/* ---- names ------------------------------------------------------------- */

static const char *
segment_fault(struct str segment)
{
	if (segment.n == 0)
		return "a segment is empty";
	for (size_t i = 0; i < segment.n; i++) {
		char c = segment.s[i];

		if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
		      c == '_'))
			return "a segment holds a-z, 0-9 and _ only";
	}
	if (str_is(segment, "root") || str_is(segment, "notes"))
		return "the segments root and notes are reserved";
	return NULL;
}

/* The faults of "a/b/c", which follows a slash or begins a relative name. */
static const char *
segments_fault(struct str path)
{
	const char *fault;
	bool more;

	do {
		more = str_has(path, '/');
		fault = segment_fault(str_cut(&path, '/'));
	} while (more && fault == NULL);
	return fault;
}

const char *
agents_fault(struct str name)
{
	if (str_is(name, AGENTS_ROOT))
		return NULL;
	if (!str_starts(name, STR(AGENTS_ROOT "/")))
		return "an absolute name is /root, or begins with /root/";
	if (name.n > AGENTS_NAME_BYTES)
		return "a name has at most 120 bytes";
	return segments_fault(str_from(name, sizeof(AGENTS_ROOT)));
}

int
agents_refuse_bad(struct str name, const char *fault, struct fail *fail)
{
	struct buf quoted = BUF_INIT;

	fail_quote(&quoted, name);
	fail_refuse(fail, "bad_agent",
		    "%s is not an agent name: %s; give a registered absolute "
		    "name, or one below your own",
		    quoted.data, fault);
	buf_release(&quoted);
	return -1;
}

int
agents_resolve(struct buf *out, struct str given, struct str current,
	       const char *field, struct fail *fail)
{
	struct str name = str_trim(given, " \t\n\r\v\f");
	const char *fault;
	size_t start = out->len;

	if (name.n == 0)
		return fail_invalid(
			fail, "%s: nothing given; legal: an agent name", field);
	if (name.s[0] != '/') {
		fault = segments_fault(name);
		if (fault != NULL)
			return agents_refuse_bad(name, fault, fail);
		buf_add_str(out, current);
		buf_addc(out, '/');
	}
	buf_add_str(out, name);
	fault = agents_fault(str_from(buf_str(out), start));
	if (fault != NULL)
		return agents_refuse_bad(str_from(buf_str(out), start), fault,
					 fail);
	return 0;
}

void
agents_folder(struct buf *out, struct str name)
{
	for (size_t i = 1; i < name.n; i++)
		buf_addc(out, name.s[i] == '/' ? '.' : name.s[i]);
}

/* ---- the registry ------------------------------------------------------ */

static void
set(struct agent *agent, struct str session, const char *session_file)
{
	free(agent->session);
	free(agent->session_file);
	agent->session = xmemdup(session.s, session.n);
	agent->session_file = session_file == NULL ? NULL
						   : xstrdup(session_file);
}

/* Where the name stands, or would stand. */
static size_t
place(const struct agents *a, struct str name, bool *there)
{
	size_t low = 0, high = a->n, middle;
	int c;

	*there = false;
	while (low < high) {
		middle = low + (high - low) / 2;
		c = str_cmp(str_of(a->v[middle].name), name);
		if (c == 0) {
			*there = true;
			return middle;
		}
		if (c < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static struct agent *
insert(struct agents *a, struct str name)
{
	bool there;
	size_t at = place(a, name, &there);

	if (there)
		return &a->v[at];
	XGROW(a->v, a->n + 1, a->cap);
	memmove(&a->v[at + 1], &a->v[at], (a->n - at) * sizeof(*a->v));
	a->n++;
	a->v[at] = (struct agent){ .name = xmemdup(name.s, name.n) };
	return &a->v[at];
}

void
agents_init(struct agents *a, struct str session)
{
	*a = (struct agents){ 0 };
	set(insert(a, STR(AGENTS_ROOT)), session, NULL);
}

void
agents_release(struct agents *a)
{
	for (size_t i = 0; i < a->n; i++) {
		free(a->v[i].name);
		free(a->v[i].session);
		free(a->v[i].session_file);
	}
	free(a->v);
	*a = (struct agents){ 0 };
}

/* One row of agents.json. */
static bool
parse_agent(struct agents *a, struct str row)
{
	static const char *const names[] = { "agent_name", "session",
					     "session_file" };
	enum { NAME, SESSION, FILE, COUNT };
	struct buf text[COUNT] = { BUF_INIT, BUF_INIT, BUF_INIT };
	struct str v[COUNT];
	bool fine;

	json_get_many(row, names, v, COUNT);
	fine = json_kind(v[NAME]) == JSON_STRING &&
	       json_kind(v[SESSION]) == JSON_STRING &&
	       (json_kind(v[FILE]) == JSON_STRING ||
		json_kind(v[FILE]) == JSON_NULL);
	for (size_t i = 0; fine && i < COUNT; i++)
		if (json_kind(v[i]) == JSON_STRING)
			json_decode(v[i], &text[i]);
	fine = fine && a->n < AGENTS_MOST &&
	       agents_fault(buf_str(&text[NAME])) == NULL;
	if (fine)
		set(insert(a, buf_str(&text[NAME])), buf_str(&text[SESSION]),
		    json_kind(v[FILE]) == JSON_STRING ? text[FILE].data : NULL);
	for (size_t i = 0; i < COUNT; i++)
		buf_release(&text[i]);
	return fine;
}

bool
agents_parse(struct agents *a, struct str json)
{
	struct agents read = { 0 };
	struct str object, rows, row;
	struct json_iter it;
	int64_t version;
	bool fine;

	if (json_check(json, 8, 0, NULL) != 0)
		return false;
	object = json_value(json);
	rows = json_get(object, "agents");
	fine = json_to_integer(json_get(object, "version"), &version) &&
	       version == 1 && json_kind(rows) == JSON_ARRAY;
	it = json_iterate(rows);
	while (fine && json_next_element(&it, &row))
		fine = parse_agent(&read, row);
	fine = fine && agents_find(&read, STR(AGENTS_ROOT)) != NULL;
	if (fine) {
		agents_release(a);
		*a = read;
	} else {
		agents_release(&read);
	}
	return fine;
}

void
agents_json(const struct agents *a, struct buf *out)
{
	struct json_writer w;

	json_begin(&w, out);
	json_open_object(&w);
	json_member_integer(&w, "version", 1);
	json_key(&w, "agents");
	json_open_array(&w);
	for (size_t i = 0; i < a->n; i++) {
		json_open_object(&w);
		json_member_string(&w, "agent_name", str_of(a->v[i].name));
		json_member_string(&w, "session", str_of(a->v[i].session));
		if (a->v[i].session_file != NULL)
			json_member_string(&w, "session_file",
					   str_of(a->v[i].session_file));
		else
			json_member_null(&w, "session_file");
		json_close_object(&w);
	}
	json_close_array(&w);
	json_close_object(&w);
}

const struct agent *
agents_find(const struct agents *a, struct str name)
{
	bool there;
	size_t at = place(a, name, &there);

	return there ? &a->v[at] : NULL;
}

int
agents_require(const struct agents *a, struct str name, struct fail *fail)
{
	struct buf listed = BUF_INIT, quoted = BUF_INIT;

	if (agents_find(a, name) != NULL)
		return 0;
	for (size_t i = 0; i < a->n && i < NAMES_SHOWN; i++)
		buf_addf(&listed, "%s%s", i == 0 ? "" : ", ", a->v[i].name);
	if (a->n > NAMES_SHOWN)
		buf_addf(&listed, " and %zu more", a->n - NAMES_SHOWN);
	fail_quote(&quoted, name);
	fail_refuse(fail, "unknown_agent",
		    "no agent %s is registered; registered: %s", quoted.data,
		    listed.data);
	buf_release(&quoted);
	buf_release(&listed);
	return -1;
}

int
agents_bind(struct agents *a, struct str name, struct str session,
	    const char *session_file, bool *created, struct fail *fail)
{
	struct str parent = name;

	*created = agents_find(a, name) == NULL;
	while (*created && parent.s[--parent.n] != '/')
		;
	if (*created && agents_require(a, parent, fail) != 0)
		return -1;
	if (*created && a->n >= AGENTS_MOST)
		return fail_refuse(fail, "limit_reached",
				   "a root session holds at most %d agents",
				   AGENTS_MOST);
	set(insert(a, name), session, session_file);
	return 0;
}
