#include "lessons/origin.h"

#include <stdlib.h>
#include <string.h>

#include "base/json_write.h"
#include "base/utf8.h"
#include "lessons/wording.h"

void
origin_init(struct origin *o)
{
	*o = (struct origin){ .harness = BUF_INIT,
			      .session = BUF_INIT,
			      .provider = BUF_INIT,
			      .model = BUF_INIT };
}

void
origin_release(struct origin *o)
{
	buf_release(&o->harness);
	buf_release(&o->session);
	buf_release(&o->provider);
	buf_release(&o->model);
	origin_init(o);
}

int
origin_bad_fact(const struct facts *facts, enum fact which, struct fail *fail,
		const char *what)
{
	const struct fact_info *info = fact_info(which);
	const char *given = fact(facts, which), *name = info->variable;
	struct buf quoted = BUF_INIT;
	int rc;

	fail_quote(&quoted, str_of(given));
	/* The environment's own bytes: nothing on the command line replaced them. */
	if (given == getenv(info->variable) ||
	    (info->alias != NULL && given == getenv(info->alias))) {
		if (given != getenv(info->variable))
			name = info->alias;
		rc = fail_environment(fail, "%s: %s given; legal: %s", name,
				      quoted.data, what);
	} else {
		rc = fail_invalid(fail, "--%s: %s given; legal: %s",
				  info->option, quoted.data, what);
	}
	buf_release(&quoted);
	return rc;
}

/* [a-z][a-z0-9-]{0,31} */
static bool
is_host(struct str s)
{
	size_t i;

	if (s.n == 0 || s.n > 32 || s.s[0] < 'a' || s.s[0] > 'z')
		return false;
	for (i = 1; i < s.n; i++)
		if (!((s.s[i] >= 'a' && s.s[i] <= 'z') ||
		      (s.s[i] >= '0' && s.s[i] <= '9') || s.s[i] == '-'))
			return false;
	return true;
}

/* Not blank, within max units, and no control character at all. */
static bool
plain(struct str s, size_t max)
{
	size_t i;

	for (i = 0; i < s.n; i++)
		if ((unsigned char)s.s[i] < 0x20)
			return false;
	return utf8_valid(s) && wording_legal(s, max);
}

bool
origin_session_id(struct str given, struct str *harness, struct str *id)
{
	struct str host = str_until(given, ':');

	*harness = STR("cli");
	*id = given;
	if (host.n < given.n) {
		if (is_host(host))
			*harness = host;
		*id = str_from(given, host.n + 1);
	}
	*id = wording_trim(*id);
	return plain(*id, WORDING_SESSION);
}

static int
take_session(struct origin *o, const struct facts *facts, struct fail *fail)
{
	const char *given = fact(facts, FACT_SESSION);
	struct str harness = STR("cli"), id = { "", 0 };

	if (given != NULL) {
		if (!origin_session_id(str_of(given), &harness, &id))
			return origin_bad_fact(facts, FACT_SESSION, fail,
					       "<host>:<id> or an id of 1 to "
					       "160 UTF-16 units without "
					       "control characters");
		o->has_session = true;
	}
	buf_add_str(&o->harness, harness);
	buf_add_str(&o->session, id);
	return 0;
}

static int
take_model(struct origin *o, const struct facts *facts, struct fail *fail)
{
	const char *given = fact(facts, FACT_MODEL);
	const char *slash = given == NULL ? NULL : strchr(given, '/');
	struct str provider = { "", 0 }, model = str_of(given);

	if (given == NULL)
		return 0;
	if (slash != NULL) {
		provider = (struct str){ given, (size_t)(slash - given) };
		model = str_of(slash + 1);
		o->has_provider = true;
	}
	o->has_model = true;
	if (!plain(model, WORDING_MODEL) ||
	    (o->has_provider && !plain(provider, WORDING_PROVIDER)))
		return origin_bad_fact(facts, FACT_MODEL, fail,
				       "<provider>/<model> or a model, of at "
				       "most 200 and 300 UTF-16 units, without "
				       "control characters");
	buf_add_str(&o->provider, wording_trim(provider));
	buf_add_str(&o->model, wording_trim(model));
	return 0;
}

int
origin_take(struct origin *o, const struct facts *facts,
	    enum origin_actor actor, struct fail *fail)
{
	o->actor = actor;
	if (take_session(o, facts, fail) != 0)
		return -1;
	return actor == ORIGIN_MODEL ? take_model(o, facts, fail) : 0;
}

static struct str
nullable(bool has, const struct buf *value)
{
	return has ? buf_str(value) : (struct str){ NULL, 0 };
}

struct str
origin_session(const struct origin *o)
{
	return nullable(o->has_session, &o->session);
}

struct str
origin_provider(const struct origin *o)
{
	return nullable(o->has_provider, &o->provider);
}

struct str
origin_model(const struct origin *o)
{
	return nullable(o->has_model, &o->model);
}

static void
member(struct json_writer *w, const char *key, struct str value)
{
	if (value.s != NULL)
		json_member_string(w, key, value);
	else
		json_member_null(w, key);
}

void
origin_json(const struct origin *o, struct str reason, struct buf *out)
{
	struct json_writer w;

	json_begin(&w, out);
	json_open_object(&w);
	json_member_string(&w, "harness", buf_str(&o->harness));
	member(&w, "session", origin_session(o));
	json_member_string(&w, "actor",
			   o->actor == ORIGIN_MODEL ? STR("model")
						    : STR("user"));
	member(&w, "provider", origin_provider(o));
	member(&w, "model", origin_model(o));
	if (reason.s != NULL)
		json_member_string(&w, "reason", reason);
	json_close_object(&w);
}

void
origin_owner(const struct origin *o, struct str lineage, struct buf *out)
{
	struct json_writer w;

	json_begin(&w, out);
	json_open_array(&w);
	json_string(&w, buf_str(&o->harness));
	json_string(&w, o->has_session ? buf_str(&o->session) : lineage);
	json_close_array(&w);
}
