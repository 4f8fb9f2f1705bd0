#include "history/session_facts.h"

#include <stdlib.h>
#include <sys/stat.h>

#include "base/io.h"
#include "base/json_span.h"
#include "base/shell.h"
#include "base/utf8.h"
#include "base/xalloc.h"
#include "text/ascii_search.h"
#include "transcript/event.h"
#include "transcript/hosts.h"
#include "transcript/lines.h"

#define NAME_BYTES ((size_t)262144) /* that a given name is looked for in */
#define NAME_WORDS 4
#define QUESTION_FIRST ((size_t)16384) /* bytes that mostly have one */
#define FIRST_LOOK ((size_t)65536)
#define QUESTION_BYTES ((size_t)1048576)
#define TITLES_MOST ((size_t)64 << 20)

void
session_facts_release(struct session_facts *f)
{
	buf_release(&f->cwd);
	buf_release(&f->title);
	buf_release(&f->started_at);
}

/* ---- the files --------------------------------------------------------- */

static int64_t
size_of(const struct corpus_file *file)
{
	struct buf path = BUF_INIT;
	struct stat st;
	int64_t size = 0;

	corpus_path(file, &path);
	if (stat(path.data, &st) == 0)
		size = st.st_size;
	buf_release(&path);
	return size;
}

static bool
is_of_session(const struct corpus_file *part, const struct corpus_file *file)
{
	return part->host == file->host && strcmp(part->id, file->id) == 0;
}

/* The file that the session began in: its first segment (2.5). */
static const struct corpus_file *
first_segment(const struct corpus *c, const struct corpus_file *file,
	      int64_t *bytes)
{
	const struct corpus_file *first = file;

	*bytes = size_of(file);
	for (size_t i = 0; i < c->n_parts; i++) {
		const struct corpus_file *part = &c->parts[i];

		if (!is_of_session(part, file))
			continue;
		*bytes += size_of(part);
		if (str_cmp(part->segment, first->segment) < 0)
			first = part;
	}
	return first;
}

/* Adds bytes until there are n, or the file ends. */
static void
read_up_to(struct source *source, size_t n, struct buf *out)
{
	long got;

	while (out->len < n) {
		got = source_read(source, buf_reserve(out, n - out->len),
				  n - out->len);
		if (got <= 0)
			return;
		out->len += (size_t)got;
		out->data[out->len] = '\0';
	}
}

/* ---- what records say -------------------------------------------------- */

static void
take_string(struct buf *out, struct str value)
{
	buf_reset(out);
	if (json_kind(value) == JSON_STRING)
		json_decode(value, out);
}

/* The name that a session was given, of the highest rank so far. */
struct given_name {
	struct buf text;
	unsigned rank;
};

static void
take_name(struct given_name *name, const struct decoder *decoder,
	  struct str record)
{
	unsigned rank = 0;
	struct str value;

	if (decoder->title == NULL)
		return;
	value = decoder->title(record, &rank);
	if (json_kind(value) != JSON_STRING || value.n <= 2 ||
	    (name->text.len > 0 && rank < name->rank))
		return;
	take_string(&name->text, value);
	name->rank = rank;
}

static void
take_record(struct session_facts *f, const struct decoder *decoder,
	    struct str record, bool first)
{
	struct str time = json_get(record, "timestamp");
	struct buf text = BUF_INIT;
	struct instant at;

	if (f->started_at.len == 0 && json_kind(time) == JSON_STRING &&
	    timestamp_rfc3339(json_text(time, &text), &at))
		take_string(&f->started_at, time);
	if (f->cwd.len == 0 && (first || decoder->later))
		take_string(&f->cwd, decoder->directory(record));
	buf_release(&text);
}

/*
 * Which lines may give a name.  Nearly none does, and parsing one takes many
 * times as long as looking for a word in it.
 */
struct name_words {
	struct ascii_needle needles[NAME_WORDS];
	unsigned n;
};

static void
name_words_init(struct name_words *w, const struct decoder *decoder)
{
	const char *const *word = decoder->title_words;

	/* Any letter may be escaped. */
	ascii_needle_init(&w->needles[0], STR("\\u00"));
	for (w->n = 1; word != NULL && word[w->n - 1] != NULL; w->n++)
		ascii_needle_init(&w->needles[w->n], str_of(word[w->n - 1]));
}

static void
name_words_release(struct name_words *w)
{
	while (w->n > 0)
		ascii_needle_release(&w->needles[--w->n]);
}

static bool
may_name(const struct name_words *w, struct str line)
{
	for (unsigned i = 0; i < w->n; i++)
		if (ascii_search(&w->needles[i], line.s, line.n) != ASCII_NONE)
			return true;
	return false;
}

/* Whether records after the first can still tell something. */
static bool
wants_more(const struct session_facts *f, const struct decoder *decoder)
{
	return f != NULL &&
	       (f->started_at.len == 0 || (f->cwd.len == 0 && decoder->later));
}

/* Reads records of a part of a file; f NULL: only for a name. */
static void
read_records(struct session_facts *f, struct given_name *name,
	     const struct decoder *decoder, struct str bytes)
{
	struct source *source = source_memory(bytes);
	struct name_words words;
	struct lines lines;
	struct line line;
	struct str record;
	bool first = f != NULL;

	name_words_init(&words, decoder);
	lines_init(&lines, source, LINES_LONGEST);
	while (lines_next(&lines, &line) > 0) {
		if (line.blank || line.too_long ||
		    (!first && !wants_more(f, decoder) &&
		     !may_name(&words, line.text)) ||
		    !lines_parse(line.text, &record))
			continue;
		if (f != NULL)
			take_record(f, decoder, record, first);
		take_name(name, decoder, record);
		first = false;
	}
	lines_release(&lines);
	source_close(source);
	name_words_release(&words);
}

/* ---- titles ------------------------------------------------------------ */

/* White space runs as one blank, cut to SESSION_TITLE_CHARS. */
static void
add_title(struct buf *out, struct str text)
{
	static const char space[] = " \t\n\v\f\r";
	struct buf whole = BUF_INIT;
	struct str cut;

	for (size_t i = 0; i < text.n; i++) {
		bool blank = text.s[i] != '\0' &&
			     strchr(space, text.s[i]) != NULL;

		if (!blank)
			buf_addc(&whole, text.s[i]);
		else if (whole.len > 0 && whole.data[whole.len - 1] != ' ')
			buf_addc(&whole, ' ');
	}
	if (whole.len > 0 && whole.data[whole.len - 1] == ' ')
		buf_truncate(&whole, whole.len - 1);
	cut = utf8_prefix(buf_str(&whole), SESSION_TITLE_CHARS);
	if (cut.n < whole.len) {
		buf_add_str(out, utf8_prefix(cut, SESSION_TITLE_CHARS - 1));
		buf_adds(out, "…");
	} else {
		buf_add_str(out, cut);
	}
	buf_release(&whole);
}

/* The first thing that a user said, in file order. */
static bool
add_question(struct buf *out, const struct corpus_file *file, struct str bytes)
{
	struct source *source = source_memory(bytes);
	struct transcript t = { 0 };
	struct event e;
	bool found = false;

	event_init(&e);
	if (hosts_open(&t, source, file->host,
		       (struct transcript_options){ .agent = file->agent }) ==
		    TRANSCRIPT_OK &&
	    transcript_select(&t, STR("")))
		for (uint32_t seq = 1; seq <= transcript_highest(&t) && !found;
		     seq++) {
			const struct slot *slot = transcript_slot(&t, seq);

			if (slot->role != ROLE_USER ||
			    slot->kind != SLOT_TEXT ||
			    (slot->flags & (SLOT_EMPTY | SLOT_MIRROR)) != 0 ||
			    !event_load(&t, seq, &e) || e.document.len == 0)
				continue;
			add_title(out, buf_str(&e.document));
			found = true;
		}
	event_release(&e);
	transcript_close(&t);
	return found;
}

/* A host that keeps its names beside its transcripts. */
static void
read_titles(struct given_name *name, const struct corpus_file *file)
{
	struct buf path = BUF_INIT, text = BUF_INIT;
	struct str rest, line, id, given;
	FILE *in;

	if (file->host->titles == NULL || file->root == NULL)
		return;
	buf_addf(&path, "%s/%s", file->root, file->host->titles);
	in = fopen(path.data, "re");
	if (in != NULL) {
		(void)io_read_all(fileno(in), TITLES_MOST, &text);
		(void)fclose(in);
	}
	rest = buf_str(&text);
	while (rest.n > 0) {
		line = str_cut(&rest, '\n');
		/* Most lines are of other sessions. */
		if (memmem(line.s, line.n, file->id, strlen(file->id)) ==
			    NULL ||
		    !lines_parse(line, &given))
			continue;
		id = json_get(given, "id");
		given = json_get(given, "thread_name");
		if (json_string_is(id, file->id) &&
		    json_kind(given) == JSON_STRING && given.n > 2)
			take_string(&name->text, given);
	}
	buf_release(&path);
	buf_release(&text);
}

/* ---- all of it --------------------------------------------------------- */

static void
read_end(struct given_name *name, const struct corpus_file *file,
	 struct source *source)
{
	struct buf end = BUF_INIT;
	uint64_t size = source->size_hint;

	if (file->host->decoder->title != NULL && size > NAME_BYTES &&
	    source_read_at(source, size - NAME_BYTES,
			   buf_reserve(&end, NAME_BYTES), NAME_BYTES)) {
		end.len = NAME_BYTES;
		end.data[end.len] = '\0';
		read_records(NULL, name, file->host->decoder, buf_str(&end));
	}
	buf_release(&end);
}

static struct str
at_most(struct str s, size_t n)
{
	return (struct str){ s.s, s.n < n ? s.n : n };
}

void
session_facts_read(struct session_facts *f, const struct corpus *c,
		   const struct corpus_file *file)
{
	const struct corpus_file *first = first_segment(c, file, &f->bytes);
	struct source *source = corpus_open(first);
	struct given_name name = { BUF_INIT, 0 };
	struct buf head = BUF_INIT, given = BUF_INIT;

	f->agent = corpus_is_agent(file);
	if (source == NULL)
		goto out;
	read_up_to(source, FIRST_LOOK, &head);
	if (file->host->decoder->title != NULL)
		read_up_to(source, NAME_BYTES, &head);
	read_records(f, &name, file->host->decoder,
		     at_most(buf_str(&head), NAME_BYTES));
	read_end(&name, file, source);
	read_titles(&name, file);
	if (corpus_read_beside(file, &file->host->given_name, &given)) {
		buf_reset(&name.text);
		buf_add_str(&name.text, buf_str(&given));
	}
	if (f->cwd.len == 0)
		(void)corpus_read_beside(file, &file->host->directory, &f->cwd);
	if (name.text.len > 0)
		add_title(&f->title, buf_str(&name.text));
	else if (!add_question(&f->title, first,
			       at_most(buf_str(&head), QUESTION_FIRST)) &&
		 !add_question(&f->title, first, buf_str(&head))) {
		read_up_to(source, QUESTION_BYTES, &head);
		(void)add_question(&f->title, first, buf_str(&head));
	}
	source_close(source);
	/* The directory is that of the last segment (2.5). */
	if (first != file)
		session_facts_where(f, file);
out:
	buf_release(&name.text);
	buf_release(&head);
	buf_release(&given);
}

void
session_facts_where(struct session_facts *f, const struct corpus_file *file)
{
	struct session_facts beginning = SESSION_FACTS_INIT;
	struct given_name name = { BUF_INIT, 0 };
	struct source *source = corpus_open(file);
	struct buf head = BUF_INIT;

	buf_reset(&f->cwd);
	if (source == NULL)
		return;
	read_up_to(source, FIRST_LOOK, &head);
	read_records(&beginning, &name, file->host->decoder, buf_str(&head));
	buf_add_str(&f->cwd, buf_str(&beginning.cwd));
	if (f->cwd.len == 0)
		(void)corpus_read_beside(file, &file->host->directory, &f->cwd);
	source_close(source);
	session_facts_release(&beginning);
	buf_release(&name.text);
	buf_release(&head);
}

void
session_facts_resume(struct buf *out, const struct session_facts *f,
		     const struct corpus_file *file)
{
	if (f->agent || f->cwd.len == 0 || file->host->resume == NULL)
		return;
	buf_adds(out, "cd ");
	/* One that begins with a dash is not an option. */
	if (f->cwd.data[0] == '-')
		buf_adds(out, "-- ");
	shell_word(out, buf_str(&f->cwd));
	buf_addf(out, " && %s ", file->host->resume);
	shell_word(out, str_of(file->id));
}
