#include "lessons/settings.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <yaml.h>

#include "base/io.h"
#include "base/path.h"
#include "base/utf8.h"

#define SETTINGS_MAX (1 << 20)
#define SETTINGS_DEPTH 32
#define SETTINGS_EVENTS 20000

/* The table of spec/lessons.md section 3: names and members, then the rest. */
#define FIELD(key, member)                                \
	{                                                 \
		.name = (key), .type = FIELD_INTEGER,     \
		.offset = offsetof(struct limits, member) \
	}

const struct field limits_fields[] = {
	FIELD("projectMinOccurrences", project_occurrences),
	FIELD("globalMinOccurrences", global_occurrences),
	FIELD("globalMinProjects", global_projects),
	FIELD("maxLessonWords", lesson_words),
	FIELD("maxEvidenceWords", evidence_words),
	FIELD("maxRecallLessons", recall_lessons),
	FIELD("maxRecallBytes", recall_bytes),
	FIELD_END
};

static const struct {
	int64_t fallback, least;
} table[LIMITS_COUNT] = { { 2, 1 },  { 4, 1 },	{ 3, 1 },    { 20, 1 },
			  { 20, 1 }, { 30, 1 }, { 8192, 64 } };

const char *
limits_name(size_t i)
{
	return limits_fields[i].name;
}

static int64_t *
limit_at(struct limits *l, size_t i)
{
	return (int64_t *)(void *)((char *)l + limits_fields[i].offset);
}

int64_t
limits_value(const struct limits *l, size_t i)
{
	struct limits copy = *l;

	return *limit_at(&copy, i);
}

/* One reading of the file. */
struct reader {
	struct settings *settings;
	const struct facts *facts;
	struct buf path;
	struct buf *remarks; /* NULL: what is bad is an error */
	struct fail *fail;

	unsigned depth;	 /* open collections */
	bool key;	 /* the next node of the open mapping is a key */
	bool here;	 /* within the mapping `lessons` */
	struct buf name; /* the last key at depth 1 or, within, 2 */
	unsigned events;
};

/* An error, or where slips are forgiven a line for the person: 0 then. */
static int
slip(struct reader *r, const char *what)
{
	if (r->remarks == NULL)
		return fail_environment(r->fail, "%s: lessons.%s: %s",
					r->path.data, r->name.data, what);
	buf_addf(r->remarks, "%s%s: lessons.%s: %s",
		 r->remarks->len == 0 ? "" : "; ", r->path.data, r->name.data,
		 what);
	return 0;
}

/* A plain positive integer up to 2^53 - 1, or 0. */
static int64_t
positive(struct str text, bool plain)
{
	int64_t v = 0;
	size_t i;

	if (!plain || text.n == 0 || text.n > 16 || text.s[0] == '0')
		return 0;
	for (i = 0; i < text.n; i++) {
		if (text.s[i] < '0' || text.s[i] > '9')
			return 0;
		v = v * 10 + (text.s[i] - '0');
	}
	return v <= INT64_C(9007199254740991) ? v : 0;
}

static int
take_database(struct reader *r, struct str text, bool plain)
{
	const char *home = facts_home_directory();
	struct str folder = path_parent(buf_str(&r->path));
	struct buf given = BUF_INIT;

	if (text.n == 0 || (plain && str_is(text, "null")) ||
	    str_has(text, '\0') || str_is(text, ":memory:") ||
	    text.s[text.n - 1] == '/')
		return slip(r, "no path of a file");
	if (str_starts(text, STR("~/"))) {
		if (home == NULL)
			return slip(r, "there is no home directory");
		buf_adds(&given, home);
		buf_add_str(&given, str_from(text, 1));
	} else {
		buf_add_str(&given, text);
	}
	buf_reset(&r->settings->database);
	path_resolve(&r->settings->database, folder, buf_str(&given));
	buf_release(&given);
	return 0;
}

/* A value of a key of `lessons`; text.s NULL: it is not a scalar. */
static int
take_value(struct reader *r, struct str text, bool plain)
{
	struct buf what = BUF_INIT;
	int64_t v;
	size_t i;
	int rc = 0;

	if (str_is(buf_str(&r->name), "databasePath"))
		return text.s == NULL ? slip(r, "no path of a file")
				      : take_database(r, text, plain);
	for (i = 0; i < LIMITS_COUNT; i++)
		if (str_is(buf_str(&r->name), limits_fields[i].name))
			break;
	if (i == LIMITS_COUNT)
		return slip(r, "no such setting");
	v = text.s == NULL ? 0 : positive(text, plain);
	if (v >= table[i].least) {
		*limit_at(&r->settings->limits, i) = v;
	} else {
		if (text.s == NULL)
			buf_adds(&what, "a collection");
		else
			fail_quote(&what, text);
		buf_addf(&what,
			 " given; legal: a plain integer from %lld to "
			 "9007199254740991",
			 (long long)table[i].least);
		rc = slip(r, what.data);
	}
	buf_release(&what);
	return rc;
}

static void
set_name(struct reader *r, struct str text)
{
	buf_reset(&r->name);
	buf_add_str(&r->name, text);
}

/* A scalar, or (text.s NULL) the beginning of a collection. */
static int
take_node(struct reader *r, struct str text, bool plain, bool mapping)
{
	unsigned depth = r->depth;
	bool nothing = text.s != NULL &&
		       (text.n == 0 ||
			(plain && (str_is(text, "~") || str_is(text, "null"))));

	if (depth == 0)
		return text.s == NULL || nothing
			       ? 0
			       : fail_environment(r->fail,
						  "%s: not a map of settings",
						  r->path.data);
	if (depth == 1 && r->key) {
		set_name(r, text);
		r->here = str_is(text, "lessons");
	} else if (depth == 1 && r->here && !mapping && !nothing) {
		set_name(r, STR(""));
		return slip(r, "not a map of settings");
	} else if (depth == 2 && r->here && r->key) {
		set_name(r, text.s == NULL ? STR("?") : text);
	} else if (depth == 2 && r->here) {
		return take_value(r, text, plain);
	}
	return 0;
}

static int
bad_yaml(struct reader *r, const char *why, size_t line)
{
	return fail_environment(r->fail, "%s: line %zu: %s", r->path.data,
				line + 1, why);
}

/* Which of the open collections are mappings, and what comes next there. */
struct nesting {
	bool mapping[SETTINGS_DEPTH + 1];
	bool key[SETTINGS_DEPTH + 1];
};

static int
take_event(struct reader *r, struct nesting *n, const yaml_event_t *e)
{
	bool opens = e->type == YAML_MAPPING_START_EVENT ||
		     e->type == YAML_SEQUENCE_START_EVENT;
	struct str text = { NULL, 0 };
	bool plain = false;
	int rc;

	if (e->type == YAML_ALIAS_EVENT)
		return bad_yaml(r, "aliases are not used here",
				e->start_mark.line);
	if (e->type == YAML_MAPPING_END_EVENT ||
	    e->type == YAML_SEQUENCE_END_EVENT) {
		r->depth--;
		return 0;
	}
	if (!opens && e->type != YAML_SCALAR_EVENT)
		return 0;
	if (e->type == YAML_SCALAR_EVENT) {
		text = (struct str){ (const char *)e->data.scalar.value,
				     e->data.scalar.length };
		plain = e->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
	}
	r->key = r->depth > 0 && n->mapping[r->depth] && n->key[r->depth];
	rc = take_node(r, text, plain, e->type == YAML_MAPPING_START_EVENT);
	if (r->depth > 0)
		n->key[r->depth] = !n->key[r->depth];
	if (!opens || rc != 0)
		return rc;
	if (r->depth == SETTINGS_DEPTH)
		return bad_yaml(r, "nested too deeply", e->start_mark.line);
	r->depth++;
	n->mapping[r->depth] = e->type == YAML_MAPPING_START_EVENT;
	n->key[r->depth] = true;
	return 0;
}

static int
parse(struct reader *r, struct str text)
{
	struct nesting nesting;
	yaml_parser_t parser;
	yaml_event_t event;
	bool done = false;
	int rc = 0;

	if (yaml_parser_initialize(&parser) == 0)
		abort();
	yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
	yaml_parser_set_input_string(&parser, (const unsigned char *)text.s,
				     text.n);
	while (!done && rc == 0) {
		if (yaml_parser_parse(&parser, &event) == 0) {
			rc = bad_yaml(r,
				      parser.problem == NULL ? "not YAML"
							     : parser.problem,
				      parser.problem_mark.line);
			break;
		}
		done = event.type == YAML_STREAM_END_EVENT;
		rc = ++r->events > SETTINGS_EVENTS
			     ? bad_yaml(r, "too long", event.start_mark.line)
			     : take_event(r, &nesting, &event);
		yaml_event_delete(&event);
	}
	yaml_parser_delete(&parser);
	return rc;
}

/* The parser takes quadratic time in open flow brackets; it is spared them. */
static bool
too_many_brackets(struct str text)
{
	size_t i, open = 0;

	for (i = 0; i < text.n; i++) {
		if (text.s[i] == '[' || text.s[i] == '{')
			open++;
		else if ((text.s[i] == ']' || text.s[i] == '}') && open > 0)
			open--;
		if (open > 1000)
			return true;
	}
	return false;
}

static int
find_file(struct reader *r, struct fail *fail)
{
	const char *given = fact(r->facts, FACT_CONFIG);
	const char *config = getenv("XDG_CONFIG_HOME");
	const char *home = facts_home_directory();
	struct buf cwd = BUF_INIT;

	if (given != NULL) {
		if (given[0] != '/' && path_working_directory(&cwd) != 0) {
			buf_release(&cwd);
			return fail_environment(fail, "%s: %s", given,
						strerror(errno));
		}
		path_resolve(&r->path, buf_str(&cwd), str_of(given));
		buf_release(&cwd);
	} else if (config != NULL && config[0] == '/') {
		buf_addf(&r->path, "%s/ctxtools/config.yaml", config);
	} else if (home != NULL) {
		buf_addf(&r->path, "%s/.config/ctxtools/config.yaml", home);
	}
	return 0;
}

static int
read_whole(struct reader *r, struct fail *fail)
{
	struct buf text = BUF_INIT;
	int fd, rc;

	if (r->path.len == 0)
		return 0;
	fd = open(r->path.data, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return errno == ENOENT || errno == ENOTDIR
			       ? 0
			       : fail_environment(fail, "%s: %s", r->path.data,
						  strerror(errno));
	rc = io_read_all(fd, SETTINGS_MAX, &text);
	if (rc != 0)
		rc = fail_environment(fail, "%s: %s", r->path.data,
				      rc < 0 ? strerror(errno)
					     : "more than 1 MiB");
	else if (!utf8_valid(buf_str(&text)) ||
		 too_many_brackets(buf_str(&text)))
		rc = fail_environment(fail, "%s: not YAML in UTF-8",
				      r->path.data);
	else
		rc = parse(r, buf_str(&text));
	(void)close(fd);
	buf_release(&text);
	return rc;
}

int
settings_read(struct settings *s, const struct facts *facts,
	      struct buf *remarks, struct fail *fail)
{
	struct buf found = BUF_INIT;
	struct reader r = { .settings = s,
			    .facts = facts,
			    .path = BUF_INIT,
			    .remarks = remarks == NULL ? NULL : &found,
			    .fail = fail,
			    .name = BUF_INIT };
	size_t i;
	int rc;

	*s = (struct settings){ .database = BUF_INIT };
	for (i = 0; i < LIMITS_COUNT; i++)
		*limit_at(&s->limits, i) = table[i].fallback;
	rc = find_file(&r, fail);
	if (rc == 0)
		rc = read_whole(&r, fail);
	if (rc == 0 && found.len > 0)
		buf_addf(remarks, "%s\n", found.data);
	buf_release(&found);
	buf_release(&r.path);
	buf_release(&r.name);
	return rc;
}

void
settings_release(struct settings *s)
{
	buf_release(&s->database);
}
