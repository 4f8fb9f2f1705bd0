#include "mcp/client.h"

#include <stdlib.h>
#include <string.h>

#include "base/json_span.h"
#include "base/xalloc.h"

struct client
client_read(struct str info)
{
	struct str name = json_get(info, "name");
	struct client client = { .named = json_kind(name) == JSON_STRING };
	struct buf scratch = BUF_INIT;
	struct str text = json_text(name, &scratch);

	/* A client's name begins with its host's: what follows is its own. */
	for (const struct host *h = host_table; h->name != NULL; h++)
		if (h->client.name != NULL &&
		    str_starts(text, str_of(h->client.name)))
			client.host = h;
	buf_release(&scratch);
	return client;
}

/*
 * What a host says goes into a program's environment and from there into the
 * name of a file: what cannot be such a value is dropped, and the call goes on
 * without it, since no call can be mended by its host.
 */
bool
client_fact_fits(struct talk *talk, const char *from, struct str value,
		 size_t max)
{
	const char *fault = NULL;
	struct buf line = BUF_INIT;

	if (value.n == 0)
		fault = "is empty";
	else if (value.n > max)
		fault = "is too long";
	for (size_t i = 0; i < value.n && fault == NULL; i++)
		if ((unsigned char)value.s[i] < 0x20 || value.s[i] == 0x7f)
			fault = "has a control character";
	if (fault == NULL)
		return true;
	buf_addf(&line, "%s %s, and is not used", from, fault);
	talk_say(talk, NULL, buf_str(&line));
	buf_release(&line);
	return false;
}

/* ---- the environment --------------------------------------------------- */

/* What the variable of a host says, or NULL. */
static char *
session_of(const struct host *host, struct talk *talk)
{
	const char *variable = host->client.session;
	const char *id = variable == NULL ? NULL : getenv(variable);
	struct buf session = BUF_INIT;

	/* Empty is a fault only where another variable says who runs us. */
	if (id == NULL || (id[0] == '\0' && host->client.started == NULL))
		return NULL;
	buf_addf(&session, "%s:%s", host->name, id);
	if (client_fact_fits(talk, variable, str_of(id),
			     CLIENT_FACT_MAX - strlen(host->name) - 1))
		return buf_detach(&session);
	buf_release(&session);
	return NULL;
}

static bool
is_one(const char *variable)
{
	const char *value = getenv(variable);

	return value != NULL && strcmp(value, "1") == 0;
}

void
clients_init(struct clients *c, struct talk *talk)
{
	*c = (struct clients){ .v = NULL };
	for (const struct host *h = host_table; h->name != NULL; h++) {
		const char *started = h->client.started;
		char *session = started == NULL || is_one(started)
					? session_of(h, talk)
					: NULL;

		if (started == NULL ? session == NULL : !is_one(started))
			continue;
		XGROW(c->v, c->n + 1, c->cap);
		c->v[c->n++] = (struct client_speaker){ h, session };
	}
}

void
clients_release(struct clients *c)
{
	for (size_t i = 0; i < c->n; i++)
		free(c->v[i].session);
	free(c->v);
	*c = (struct clients){ .v = NULL };
}

/* Whether the client may be that host. */
static bool
may_be(struct client client, const struct host *host)
{
	return !client.named || client.host == host ||
	       (client.host == NULL && host->client.name == NULL);
}

const struct host *
clients_speaker(const struct clients *c, struct client client,
		const char **session)
{
	const struct client_speaker *best = NULL;

	/* Of several the one that would have been told by its name. */
	for (size_t i = 0; i < c->n; i++)
		if (may_be(client, c->v[i].host) &&
		    (best == NULL || best->host->client.name == NULL))
			best = &c->v[i];
	*session = best == NULL ? NULL : best->session;
	return best == NULL ? client.host : best->host;
}

const char *
clients_id(const char *session)
{
	return session == NULL ? NULL : strchr(session, ':') + 1;
}
