#include "lessons/settings.h"

#include "tool/config.h"

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
	bool forgiving;
	struct buf slips;
};

/* An error, or where slips are forgiven a line for the person: 0 then. */
static int
slip(struct reader *r, const struct config_value *v, const char *what,
     struct fail *fail)
{
	config_slip(&r->slips, v, what);
	return r->forgiving ? 0 : fail_environment(fail, "%s", r->slips.data);
}

static int
take_database(struct reader *r, const struct config_value *v, struct fail *fail)
{
	struct buf path = BUF_INIT;
	const char *fault = "no path of a file";

	if (!str_is(v->text, ":memory:") && !str_ends(v->text, STR("/")))
		fault = config_path(v, &path);
	if (fault == NULL) {
		buf_reset(&r->settings->database);
		buf_add_str(&r->settings->database, buf_str(&path));
	}
	buf_release(&path);
	return fault == NULL ? 0 : slip(r, v, fault, fail);
}

static int
take_limit(struct reader *r, const struct config_value *v, size_t i,
	   struct fail *fail)
{
	struct buf what = BUF_INIT;
	int rc;

	if (config_integer(v, table[i].least, INT64_C(9007199254740991),
			   limit_at(&r->settings->limits, i)))
		return 0;
	if (v->text.s == NULL)
		buf_adds(&what, "a collection");
	else
		fail_quote(&what, v->text);
	buf_addf(&what,
		 " given; legal: a plain integer from %lld to "
		 "9007199254740991",
		 (long long)table[i].least);
	rc = slip(r, v, what.data, fail);
	buf_release(&what);
	return rc;
}

static int
take(void *ctx, const struct config_value *v, struct fail *fail)
{
	struct reader *r = ctx;

	if (v->n == 1)
		return v->map || v->null
			       ? 0
			       : slip(r, v, "not a map of settings", fail);
	if (v->n > 2)
		return 0;
	if (str_is(v->keys[1], "databasePath"))
		return take_database(r, v, fail);
	for (size_t i = 0; i < LIMITS_COUNT; i++)
		if (str_is(v->keys[1], limits_fields[i].name))
			return take_limit(r, v, i, fail);
	return slip(r, v, "no such setting", fail);
}

int
settings_read(struct settings *s, const struct facts *facts,
	      struct buf *remarks, struct fail *fail)
{
	struct reader r = { .settings = s,
			    .forgiving = remarks != NULL,
			    .slips = BUF_INIT };
	int rc;

	*s = (struct settings){ .database = BUF_INIT };
	for (size_t i = 0; i < LIMITS_COUNT; i++)
		*limit_at(&s->limits, i) = table[i].fallback;
	rc = config_read(facts, "lessons", take, &r, fail);
	if (rc == 0 && r.slips.len > 0)
		buf_addf(remarks, "%s\n", r.slips.data);
	buf_release(&r.slips);
	return rc;
}

void
settings_release(struct settings *s)
{
	buf_release(&s->database);
}
