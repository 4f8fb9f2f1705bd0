/* The table of hosts: what its rows need, and what no row may do. */
#include "transcript/hosts.h"

#include "test.h"
#include "transcript/event.h"
#include "transcript/hooks.h"

/* A first record of each host, and of nobody. */
static const struct {
	const char *host, *record;
} firsts[] = {
	{ "pi", "{\"type\":\"session\",\"version\":3,\"id\":\"x\"}" },
	{ "claude", "{\"type\":\"user\",\"uuid\":\"u\"}" },
	{ "codex", "{\"type\":\"session_meta\",\"payload\":{\"id\":\"x\"}}" },
	{ "codex", "{\"id\":\"x\",\"timestamp\":\"2026-03-05T09:00:00Z\"}" },
	{ "copilot", "{\"type\":\"session.start\",\"data\":{},\"id\":\"e\"}" },
	{ "qwen", "{\"uuid\":\"u\",\"type\":\"user\",\"message\":"
		  "{\"parts\":[]}}" },
	{ "qwen", "{\"uuid\":\"u\",\"type\":\"system\","
		  "\"systemPayload\":{}}" },
	{ "gemini", "{\"sessionId\":\"s\",\"projectHash\":\"h\"}" },
	{ "claude", "{\"type\":\"session.start\",\"data\":[]}" },
	{ "claude", "{\"uuid\":\"u\",\"type\":\"user\",\"message\":"
		    "{\"parts\":{}}}" },
	{ "claude", "{\"type\":\"x\",\"sessionId\":\"s\","
		    "\"projectHash\":\"h\"}" },
	{ "nobody", "{\"sessionId\":\"s\",\"projectHash\":1}" },
	{ "nobody", "{\"hello\":1}" },
	{ "nobody", "{}" },
	{ "nobody", "{\"type\":17,\"payload\":[],\"id\":null}" },
};
#define FIRSTS (sizeof(firsts) / sizeof(*firsts))

/* What C cannot ask of a row: a decoder without a function is a crash. */
static void
check_row(const struct host *h)
{
	const struct decoder *d = h->decoder;
	const struct host *same = hosts_find(str_of(h->name));

	ok(d->recognises != NULL && d->begin != NULL && d->index != NULL &&
		   d->branch != NULL && d->parts != NULL && d->text != NULL &&
		   d->call != NULL && d->result != NULL,
	   "%s: the decoder has all its functions", h->name);
	ok(same == h && hosts_of(d) == h, "%s: found by name and by decoder",
	   h->name);
	ok(h->roots[0].below != NULL && h->roots[HOST_ROOTS - 1].below == NULL,
	   "%s: there is a root, and an end of them", h->name);
	ok(h->sessions != NULL && h->sessions[0] != NULL,
	   "%s: some files are transcripts", h->name);
	for (const char *const *w = d->words; w != NULL && *w != NULL; w++)
		for (const char *c = *w; *c != '\0'; c++)
			if (*c >= 'A' && *c <= 'Z')
				ok(false, "%s: \"%s\" is in lower case",
				   h->name, *w);
}

/* Every host meets every other's transcript, and no transcript at all. */
static void
check_foreign(const struct host *h, const char *host, const char *record)
{
	struct transcript t;
	bool own = strcmp(h->name, host) == 0;
	enum transcript_error error = hosts_open(
		&t, source_memory(str_of(record)), h,
		(struct transcript_options){ 0 });

	ok(error == (own ? TRANSCRIPT_OK : TRANSCRIPT_FOREIGN),
	   "%s takes %s's: %s", h->name, host, own ? "yes" : "no");
	if (error == TRANSCRIPT_OK)
		transcript_select(&t, STR(""));
	transcript_close(&t);
	ok(hosts_recognises(h, str_of(record)) == own, "and says so: %s",
	   record);
}

static void
check_recognition(void)
{
	for (size_t i = 0; i < FIRSTS; i++) {
		const struct host *h = hosts_recognise(
			str_of(firsts[i].record));

		is_string(h == NULL ? "nobody" : h->name, firsts[i].host,
			  firsts[i].record);
		for (h = host_table; h->name != NULL; h++)
			check_foreign(h, firsts[i].host, firsts[i].record);
	}
}

/* Of what may be several hosts' the first test decides; a host has its own. */
static void
check_order(void)
{
	static const struct {
		const char *host, *record;
	} both[] = {
		{ "pi", "{\"type\":\"session\",\"id\":\"x\",\"uuid\":\"u\","
			"\"systemPayload\":{}}" },
		{ "codex", "{\"type\":\"session_meta\",\"payload\":{},"
			   "\"uuid\":\"u\",\"systemPayload\":{}}" },
		{ "codex", "{\"id\":\"x\",\"timestamp\":\"t\","
			   "\"sessionId\":\"s\",\"projectHash\":\"h\"}" },
		{ "copilot", "{\"type\":\"session.start\",\"data\":{},"
			     "\"uuid\":\"u\",\"systemPayload\":{}}" },
	};

	for (size_t i = 0; i < sizeof(both) / sizeof(*both); i++) {
		struct str record = str_of(both[i].record);

		is_string(hosts_recognise(record)->name, both[i].host,
			  "2.3: the first of those that it may be of");
		ok(!hosts_recognises(hosts_find(STR("claude")), record),
		   "and it is not claude's");
	}
	ok(hosts_recognises(hosts_find(STR("qwen")), str_of(both[3].record)) &&
		   hosts_recognises(hosts_find(STR("gemini")),
				    str_of(both[2].record)),
	   "where the host is told only its own test is made");
}

static void
check_file_name(const char *host, const char *path, const char *id,
		const char *segment)
{
	const struct host *h = hosts_find(str_of(host));
	struct file_name name = hosts_file_name(h, str_of(path));

	ok(id == NULL ? name.id.s == NULL : str_is(name.id, id),
	   "%s: the id in %s", host, path);
	ok(str_is(name.segment, segment), "and the segment");
}

#define UUID_A "0199f0a0-0000-7000-8000-00000000000a"
#define UUID_B "0199f0a0-0000-7000-8000-00000000000b"
#define ROLLOUT "sessions/2026/03/05/rollout-2026-03-05T09-00-00-"

static void
check_file_names(void)
{
	check_file_name("pi", "a/2026-03-05T09-00-00-000Z_x.1.jsonl", "x.1",
			"");
	check_file_name("pi", "/tmp/2026-03-05T09-00-00-000Z_x", "x", "");
	check_file_name("pi", "mine.jsonl", NULL, "");
	check_file_name("claude", "/tmp/p/abc.jsonl", "abc", "");
	check_file_name("claude", "p/s/subagents/agent-1.jsonl", "agent-1", "");
	check_file_name("codex", ROLLOUT "x.jsonl", "x", "");
	check_file_name("codex", ROLLOUT "x.jsonl.zst", "x", "");
	check_file_name("codex", ROLLOUT UUID_A ".jsonl", UUID_A, "");
	check_file_name("codex", ROLLOUT UUID_A "_" UUID_B ".jsonl", UUID_A,
			UUID_B);
	check_file_name("codex", ROLLOUT UUID_A "_" UUID_B ".jsonl.zst", UUID_A,
			UUID_B);
	/* Of two parts that are not both UUIDs the id is all. */
	check_file_name("codex", ROLLOUT "x_" UUID_B ".jsonl", "x_" UUID_B, "");
	check_file_name("codex", ROLLOUT UUID_A "_y.jsonl", UUID_A "_y", "");
	check_file_name("codex", "rollout-mine.jsonl", NULL, "");
	check_file_name("copilot", "/x/session-state/ab-1/events.jsonl", "ab-1",
			"");
	check_file_name("copilot", "ab-1//events.jsonl", "ab-1", "");
	check_file_name("qwen", "p/chats/ab-1.jsonl", "ab-1", "");
	check_file_name("gemini", "p/chats/session-2026-03-05T09-00-ab.jsonl",
			NULL, "");
}

/* A hook tells the session of its own host. */
static void
check_hooks(void)
{
	for (size_t i = 0; hooks_hosts[i] != NULL; i++) {
		const struct host *h = hooks_host(i);
		const struct hook_fact *f = hooks_facts[i];
		bool told = false;

		for (; h != NULL && f->member != NULL; f++)
			told |= f->fact == FACT_SESSION &&
				str_starts(str_of(f->prefix),
					   str_of(h->name)) &&
				strlen(f->prefix) == strlen(h->name) + 1;
		ok(told, "the hook of %s tells its session", hooks_hosts[i]);
	}
}

/* A name that a client gives itself is of one host. */
static void
check_clients(void)
{
	for (const struct host *a = host_table; a->name != NULL; a++)
		for (const struct host *b = host_table; b->name != NULL; b++)
			if (a != b && a->client.name != NULL &&
			    b->client.name != NULL)
				ok(!str_starts(str_of(a->client.name),
					       str_of(b->client.name)),
				   "%s is told from %s", a->name, b->name);
}

int
main(void)
{
	struct buf names = BUF_INIT;

	for (const struct host *h = host_table; h->name != NULL; h++)
		check_row(h);
	check_recognition();
	check_order();
	check_file_names();
	check_hooks();
	check_clients();
	hosts_add_names(&names, " or ");
	is_string(names.data, "pi, claude, codex, copilot, qwen or gemini",
		  "their names");
	buf_release(&names);
	ok(hosts_find(STR("")) == NULL && hosts_find(STR("Pi")) == NULL,
	   "names are as they are written");
	return done();
}
