#include "mcp/call_facts.h"

#include <stdlib.h>
#include <string.h>

#include "base/json_check.h"
#include "base/json_span.h"
#include "base/xalloc.h"

#define DEPTH 16

static const struct {
	const char *name;
	enum fact fact;
} members[] = {
	{ "session", FACT_SESSION },
	{ "session_file", FACT_SESSION_FILE },
	{ "leaf", FACT_LEAF },
	{ "agent", FACT_AGENT },
	{ "model", FACT_MODEL },
	{ "cwd", FACT_CWD },
	{ "context_root", FACT_CONTEXT_ROOT },
	{ "context_agent", FACT_CONTEXT_AGENT },
};
#define MEMBERS (sizeof(members) / sizeof(members[0]))

bool
call_facts_fit(struct talk *talk, const char *from, struct str value,
	       size_t max)
{
	const char *fault = NULL;
	struct buf line = BUF_INIT;
	size_t i;

	if (value.n == 0)
		fault = "is empty";
	else if (value.n > max)
		fault = "is too long";
	for (i = 0; i < value.n && fault == NULL; i++)
		if ((unsigned char)value.s[i] < 0x20 || value.s[i] == 0x7f)
			fault = "has a control character";
	if (fault == NULL)
		return true;
	buf_addf(&line, "%s %s, and is not used", from, fault);
	talk_say(talk, NULL, buf_str(&line));
	buf_release(&line);
	return false;
}

static int
take_member(struct call_facts *c, struct str key, struct str value,
	    struct fail *fail)
{
	struct buf text = BUF_INIT, name = BUF_INIT;
	char **to;
	size_t i;
	int rc = -1;

	json_decode(key, &name);
	for (i = 0; i < MEMBERS && !str_is(buf_str(&name), members[i].name);)
		i++;
	json_decode(value, &text);
	if (i == MEMBERS) {
		fail_invalid(fail, "ctxtools/facts: %s is no fact", name.data);
	} else if (json_kind(value) != JSON_STRING ||
		   memchr(text.data, '\0', text.len) != NULL) {
		fail_invalid(fail, "ctxtools/facts: %s is not a string",
			     members[i].name);
	} else {
		rc = 0;
		to = &c->said[members[i].fact];
		free(*to);
		*to = text.len > 0 ? xstrdup(text.data) : NULL;
	}
	buf_release(&text);
	buf_release(&name);
	return rc;
}

static int
read_said(struct call_facts *c, struct str facts, struct fail *fail)
{
	struct json_iter it = json_iterate(facts);
	struct str key, value;

	if (facts.n == 0)
		return 0;
	if (json_kind(facts) != JSON_OBJECT)
		return fail_invalid(fail, "ctxtools/facts: not an object");
	while (json_next_member(&it, &key, &value))
		if (take_member(c, key, value, fail) != 0)
			return -1;
	return 0;
}

#define HOST "codex:"

/* `codex:<id>` of a string that is there, and fits with the host before it. */
static void
take_session(struct call_facts *c, struct str id, const char *from,
	     struct talk *talk)
{
	struct buf text = BUF_INIT;

	if (c->session == NULL && json_kind(id) == JSON_STRING) {
		json_decode(id, &text);
		if (call_facts_fit(talk, from, buf_str(&text),
				   CALL_FACTS_MAX - strlen(HOST))) {
			struct buf session = BUF_INIT;

			buf_addf(&session, HOST "%s", text.data);
			c->session = buf_detach(&session);
		}
	}
	buf_release(&text);
}

/* Whether a slug can be made of it: it has a letter or a digit. */
static bool
names_something(struct str s)
{
	size_t i;

	for (i = 0; i < s.n; i++)
		if ((s.s[i] >= '0' && s.s[i] <= '9') ||
		    (s.s[i] >= 'a' && s.s[i] <= 'z') ||
		    (s.s[i] >= 'A' && s.s[i] <= 'Z'))
			return true;
	return false;
}

static void
take_model(struct call_facts *c, struct str model, struct talk *talk)
{
	struct buf text = BUF_INIT;

	if (json_kind(model) == JSON_STRING) {
		json_decode(model, &text);
		if (call_facts_fit(talk, "the model of x-codex-turn-metadata",
				   buf_str(&text), CALL_FACTS_MAX) &&
		    names_something(buf_str(&text)))
			c->model = xstrdup(text.data);
	}
	buf_release(&text);
}

int
call_facts_read(struct call_facts *c, struct str meta, struct talk *talk,
		struct fail *fail)
{
	static const char *const names[] = { "ctxtools/facts",
					     "x-codex-turn-metadata",
					     "threadId" };
	struct buf text = BUF_INIT;
	struct str value[3], turn;

	*c = (struct call_facts){ .session = NULL };
	json_get_many(meta, names, value, 3);
	if (read_said(c, value[0], fail) != 0)
		return -1;
	turn = value[1];
	/* It is an object, or the text of one: it goes as a header, too. */
	if (json_kind(turn) == JSON_STRING) {
		json_decode(turn, &text);
		turn = buf_str(&text);
		turn = json_check(turn, DEPTH, 0, NULL) == 0 ? json_value(turn)
							     : STR("null");
	}
	take_session(c, json_get(turn, "thread_id"),
		     "the thread_id of x-codex-turn-metadata", talk);
	take_session(c, json_get(turn, "session_id"),
		     "the session_id of x-codex-turn-metadata", talk);
	take_session(c, value[2], "the threadId of _meta", talk);
	take_model(c, json_get(turn, "model"), talk);
	buf_release(&text);
	return 0;
}

void
call_facts_release(struct call_facts *c)
{
	int i;

	for (i = 0; i < FACT_COUNT; i++)
		free(c->said[i]);
	free(c->session);
	free(c->model);
	*c = (struct call_facts){ .session = NULL };
}
