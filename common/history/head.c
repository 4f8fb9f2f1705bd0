#include "history/head.h"

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

#include "base/json_write.h"
#include "base/shell.h"
#include "base/timestamp.h"
#include "base/utf8.h"
#include "base/visible.h"
#include "base/xalloc.h"
#include "transcript/document.h"
#include "transcript/hosts.h"

/* A spill file is named only while it is there. */
static bool
exists(struct str path)
{
	struct stat st;

	return path.n > 0 && path.s[0] == '/' && !str_has(path, '\0') &&
	       stat(path.s, &st) == 0 && S_ISREG(st.st_mode);
}

void
head_set(struct head *h, struct str session, const struct event *e)
{
	struct str nested = e->result.nested;

	if (session.n > 0)
		h->session = session;
	h->seq = e->seq;
	h->role = (int)e->role;
	if (e->has_created_at)
		buf_add_str(&h->created_at, buf_str(&e->created_at));
	if (e->role != ROLE_TOOL)
		return;
	buf_add_str(&h->name, e->tool);
	h->tool = buf_str(&h->name);
	h->tool_status = (int)e->status;
	h->output_truncated = e->result.truncated;
	if (exists(buf_str(&e->result.path)))
		buf_add_str(&h->full_output_path, buf_str(&e->result.path));
	h->has_nested = nested.n > 0;
	if (h->has_nested) {
		h->nested.call_count = (int64_t)document_nested_count(nested);
		h->nested.complete = document_nested_complete(nested);
	}
}

void
head_omit_name(struct head *h)
{
	h->tool = (struct str){ NULL, 0 };
	h->tool_name_omitted = true;
}

void
head_release(struct head *h)
{
	buf_release(&h->created_at);
	buf_release(&h->name);
	buf_release(&h->full_output_path);
}

#define AT(member) .offset = offsetof(struct head, member)

const struct field head_fields[] = {
	{ .name = "session",
	  .type = FIELD_STRING,
	  AT(session),
	  .optional = true },
	{ .name = "seq", .type = FIELD_INTEGER, AT(seq) },
	{ .name = "role",
	  .type = FIELD_ENUM,
	  AT(role),
	  .values = decoder_role_names },
	{ .name = "created_at",
	  .type = FIELD_BUF,
	  AT(created_at),
	  .nullable = true },
	{ .name = "tool", .type = FIELD_STRING, AT(tool), .optional = true },
	{ .name = "tool_status",
	  .type = FIELD_ENUM,
	  AT(tool_status),
	  .optional = true,
	  .values = decoder_status_names },
	{ .name = "output_truncated",
	  .type = FIELD_BOOLEAN,
	  AT(output_truncated),
	  .optional = true,
	  .constant_true = true },
	{ .name = "full_output_path",
	  .type = FIELD_BUF,
	  AT(full_output_path),
	  .optional = true },
	FIELD_END
};

const struct field head_omitted_fields[] = { { .name = "tool_name_omitted",
					       .type = FIELD_BOOLEAN,
					       AT(tool_name_omitted),
					       .optional = true,
					       .constant_true = true },
					     FIELD_END };

void
head_session_text(struct buf *out, const struct terminal *t, struct str session)
{
	if (session.n == 0)
		return;
	buf_adds(out, "session ");
	terminal_field(out, t, TERMINAL_ADDRESS, session);
	buf_adds(out, " | ");
}

void
head_session_option(struct buf *out, struct str session)
{
	if (session.n == 0)
		return;
	buf_adds(out, " --session ");
	buf_add_str(out, session);
}

static void
tool_text(struct buf *out, const struct head *h, bool nested)
{
	buf_adds(out, "\ntool ");
	if (h->tool_name_omitted)
		buf_adds(out, "name omitted");
	else
		visible_field(out, h->tool);
	buf_addf(out, " | status %s", decoder_status_names[h->tool_status]);
	if (h->output_truncated)
		buf_adds(out, " | output truncated");
	if (h->full_output_path.len > 0) {
		buf_adds(out, ", full text at ");
		visible_field(out, buf_str(&h->full_output_path));
	}
	if (nested && h->has_nested)
		buf_addf(out, " | nested calls %" PRId64 " recorded, %s",
			 h->nested.call_count,
			 h->nested.complete ? "complete" : "incomplete");
}

/* As it was recorded where that is not a time. */
static void
time_text(struct buf *out, const struct terminal *t, struct str recorded)
{
	struct instant at;

	if (t == NULL || recorded.n == 0)
		return;
	buf_adds(out, " | ");
	if (timestamp_rfc3339(recorded, &at))
		terminal_time(out, t, instant_to_ms(at));
	else
		visible_field(out, recorded);
}

void
head_text(struct buf *out, const struct terminal *t, const struct head *h,
	  bool nested)
{
	head_session_text(out, t, h->session);
	buf_addf(out, "seq %" PRId64 " | ", h->seq);
	terminal_field(out, t, TERMINAL_ROLE,
		       str_of(decoder_role_names[h->role]));
	time_text(out, t, buf_str(&h->created_at));
	if (h->tool_status >= 0)
		tool_text(out, h, nested);
}

/* ---- what could not be read -------------------------------------------- */

struct damage
head_damage(const struct transcript *t)
{
	return (struct damage){
		.lines_skipped = (int64_t)t->lines_skipped,
		.records_repeated = (int64_t)t->records_repeated,
		.base_missing = t->base_missing,
	};
}

const struct field head_damage_fields[] = {
	{ .name = "lines_skipped",
	  .type = FIELD_INTEGER,
	  .offset = offsetof(struct damage, lines_skipped),
	  .optional = true,
	  .zero_is_none = true },
	{ .name = "records_repeated",
	  .type = FIELD_INTEGER,
	  .offset = offsetof(struct damage, records_repeated),
	  .optional = true,
	  .zero_is_none = true },
	{ .name = "base_missing",
	  .type = FIELD_BOOLEAN,
	  .offset = offsetof(struct damage, base_missing),
	  .optional = true,
	  .constant_true = true },
	FIELD_END
};

void
head_damage_text(struct buf *out, const struct damage *d)
{
	if (d->lines_skipped > 0) {
		buf_add_count(out, (uint64_t)d->lines_skipped,
			      "malformed line");
		buf_adds(out, " skipped\n");
	}
	if (d->records_repeated > 0) {
		buf_add_count(out, (uint64_t)d->records_repeated,
			      "repeated record");
		buf_adds(out, " skipped\n");
	}
	if (d->base_missing)
		buf_adds(out, "earlier history is missing: the file it "
			      "continues is gone\n");
}

struct field_list
head_hosts(unsigned hosts, struct str **names)
{
	size_t n = 0;

	*names = NULL;
	if (hosts == 0)
		return (struct field_list){ NULL, 0 };
	for (const struct host *host = host_table; host->name != NULL; host++)
		n++;
	*names = xcalloc(n, sizeof(**names));
	n = 0;
	for (const struct host *host = host_table; host->name != NULL; host++)
		if ((hosts & HOST_BIT(host)) != 0)
			(*names)[n++] = str_of(host->name);
	return (struct field_list){ *names, n };
}

void
head_hosts_text(struct buf *out, const struct field_list *hosts)
{
	const struct str *names = hosts->v;

	for (size_t i = 0; i < hosts->n; i++) {
		buf_add_str(out, names[i]);
		buf_adds(out, " transcripts could not be listed completely\n");
	}
}

void
head_left_text(struct buf *out, const struct terminal *t, int64_t n)
{
	if (n <= 0)
		return;
	buf_add_count(out, (uint64_t)n, "session");
	buf_adds(out, t == NULL ? " not searched to the end: narrow by cwd, "
				  "since, until or query, or raise limit\n"
				: " not searched to the end: narrow by --cwd, "
				  "--since, --until or --query, or raise "
				  "--limit\n");
}

/* ---- what else could be asked ------------------------------------------ */

/* Of a query, for which looking for any of its words is offered. */
#define WORDS_LEAST 2
#define WORDS_MOST 8

/* Cuts the next word off, between white space; empty at the end. */
static struct str
next_word(struct str *text)
{
	static const char space[] = " \t\n\v\f\r";
	size_t start = 0, end;

	while (start < text->n && strchr(space, text->s[start]) != NULL)
		start++;
	for (end = start; end < text->n; end++)
		if (strchr(space, text->s[end]) != NULL)
			break;
	*text = str_from(*text, end);
	return (struct str){ text->s - (end - start), end - start };
}

/* The words of a query as a JSON array, or as options. */
static void
add_words(struct buf *out, const struct terminal *t, struct str query)
{
	struct json_writer w;
	struct str word;

	if (t != NULL) {
		while ((word = next_word(&query)).n > 0) {
			buf_adds(out, out->len > 0 ? " --query " : "--query ");
			shell_word(out, word);
		}
		return;
	}
	json_begin(&w, out);
	json_open_object(&w);
	json_key(&w, "query");
	json_open_array(&w);
	while ((word = next_word(&query)).n > 0)
		json_string(&w, word);
	json_close_array(&w);
	json_close_object(&w);
}

void
head_offer_words(struct buf *out, const struct terminal *t, struct str query)
{
	struct buf recipe = BUF_INIT;
	struct str rest = query;
	size_t n = 0;

	while (next_word(&rest).n > 0)
		n++;
	if (n < WORDS_LEAST || n > WORDS_MOST)
		return;
	buf_adds(out, "\nno event holds it as one text; to find any of its "
		      "words: ");
	add_words(&recipe, t, query);
	visible_text(out, buf_str(&recipe));
	buf_release(&recipe);
}

/* ---- the host's wrapper ------------------------------------------------ */

int
head_wrapper(struct wrapper *w, const struct facts *facts, struct fail *fail)
{
	w->prefix = str_of(fact(facts, FACT_TEXT_PREFIX));
	w->suffix = str_of(fact(facts, FACT_TEXT_SUFFIX));
	if (!utf8_valid(w->prefix))
		return fail_environment(fail,
					"CTX_TEXT_PREFIX: not valid UTF-8");
	if (!utf8_valid(w->suffix))
		return fail_environment(fail,
					"CTX_TEXT_SUFFIX: not valid UTF-8");
	if (w->prefix.n + w->suffix.n > HEAD_WRAPPER_BYTES)
		return fail_environment(fail,
					"CTX_TEXT_PREFIX and CTX_TEXT_SUFFIX: "
					"%zu bytes together; at most %d are "
					"taken",
					w->prefix.n + w->suffix.n,
					HEAD_WRAPPER_BYTES);
	return 0;
}
