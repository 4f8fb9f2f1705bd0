#include "mcp/methods.h"

#include "base/json_span.h"
#include "base/utf8.h"

#define NAME_SHOWN 200	 /* characters of a name in a message */
#define REASON_SHOWN 200 /* bytes of the reason of a cancellation */
#define ROOTS_WAIT_MS 2000
#define META_VERSION "io.modelcontextprotocol/protocolVersion"
#define META_INFO "io.modelcontextprotocol/clientInfo"
#define META_CLIENT "io.modelcontextprotocol/clientCapabilities"

/* A request, and how it was made. */
struct request {
	const struct message *m;
	struct reply reply;
	bool modern;
	enum version version;
	struct str meta;
	struct client client;
};

/* ---- answers ----------------------------------------------------------- */

void
methods_error(struct server *s, struct str id, struct reply reply,
	      enum message_code code, struct str text)
{
	struct buf out = BUF_INIT;

	outbox_write_error(&out, id, code, text, STR(""));
	outbox_answer(&s->outbox, reply, &out, STR(""));
}

static void
refuse(struct server *s, const struct request *r, enum message_code code,
       const char *text)
{
	methods_error(s, r->m->id, r->reply, code, str_of(text));
}

/* An error that ends with a name of the client's, cut. */
static void
refuse_name(struct server *s, const struct request *r, enum message_code code,
	    const char *text, struct str name)
{
	struct buf out = BUF_INIT;

	buf_adds(&out, text);
	buf_add_str(&out, utf8_prefix(name, NAME_SHOWN));
	methods_error(s, r->m->id, r->reply, code, buf_str(&out));
	buf_release(&out);
}

static void
close_and_send(struct server *s, const struct request *r, struct json_writer *w,
	       struct buf *out)
{
	outbox_close_result(w, r->modern);
	outbox_answer(&s->outbox, r->reply, out, STR(""));
}

/* The list is the same for as long as the process lives; an hour is a bound. */
static void
write_caching(struct json_writer *w)
{
	json_member_integer(w, "ttlMs", 3600000);
	json_member_string(w, "cacheScope", STR("private"));
}

/* Every revision, newest first. */
static void
write_versions(struct json_writer *w)
{
	json_open_array(w);
	for (int v = VERSION_COUNT - 1; v >= 0; v--)
		json_string(w, str_of(message_versions[v]));
	json_close_array(w);
}

/* Tools, without listChanged: the list never changes. */
static void
write_capabilities(struct json_writer *w)
{
	json_key(w, "capabilities");
	json_open_object(w);
	json_key(w, "tools");
	json_open_object(w);
	json_close_object(w);
	json_close_object(w);
}

static void
write_instructions(struct server *s, struct json_writer *w)
{
	struct buf text = BUF_INIT;

	families_instructions(catalogue_tools(s->catalogue), &text);
	json_member_string(w, "instructions", buf_str(&text));
	buf_release(&text);
}

/* ---- methods ----------------------------------------------------------- */

/* What initialize says, for clients that greet nobody. */
static void
discover(struct server *s, const struct request *r)
{
	struct buf out = BUF_INIT;
	struct json_writer w;

	outbox_open_result(&w, &out, r->m->id);
	json_key(&w, "supportedVersions");
	write_versions(&w);
	write_capabilities(&w);
	write_instructions(s, &w);
	write_caching(&w);
	close_and_send(s, r, &w, &out);
}

/* A second one is answered like the first, and sets the version anew. */
static void
initialize(struct server *s, const struct request *r)
{
	struct str version = json_get(r->m->params, "protocolVersion");
	struct str client = json_get(r->m->params, "capabilities");
	struct buf scratch = BUF_INIT, out = BUF_INIT;
	struct json_writer w;

	/* The version decides whether there are batches: it must come first. */
	if (r->reply.batch != NULL) {
		refuse(s, r, MESSAGE_INVALID_REQUEST,
		       "initialize cannot be in a batch");
		return;
	}
	if (json_kind(version) != JSON_STRING) {
		refuse(s, r, MESSAGE_INVALID_PARAMS,
		       "protocolVersion is not a string");
		return;
	}
	/* To a version that we do not know, we say which one we would speak. */
	s->version = message_legacy_version(json_text(version, &scratch));
	if (s->version == VERSION_NONE)
		s->version = VERSION_NEWEST_LEGACY;
	s->client = client_read(json_get(r->m->params, "clientInfo"));
	/* Whether it tells of changes is of no interest: it may be asked. */
	s->roots.offered = json_kind(json_get(client, "roots")) == JSON_OBJECT;
	outbox_open_result(&w, &out, r->m->id);
	json_member_string(&w, "protocolVersion",
			   str_of(message_versions[s->version]));
	write_capabilities(&w);
	json_key(&w, "serverInfo");
	outbox_write_server(&w, s->version >= VERSION_2025_06_18);
	write_instructions(s, &w);
	close_and_send(s, r, &w, &out);
	buf_release(&scratch);
}

static void
ping(struct server *s, const struct request *r)
{
	struct buf out = BUF_INIT;
	struct json_writer w;

	outbox_open_result(&w, &out, r->m->id);
	close_and_send(s, r, &w, &out);
}

/* One page: no cursor is ever given, so none can be right. */
static void
list_tools(struct server *s, const struct request *r)
{
	enum json_kind cursor = json_kind(json_get(r->m->params, "cursor"));
	struct buf out = BUF_INIT;
	struct json_writer w;

	if (cursor != JSON_NONE && cursor != JSON_NULL) {
		refuse(s, r, MESSAGE_INVALID_PARAMS, "invalid cursor");
		return;
	}
	outbox_open_result(&w, &out, r->m->id);
	json_key(&w, "tools");
	catalogue_write(&w, s->catalogue, r->version, s->options.surface);
	if (r->modern)
		write_caching(&w);
	close_and_send(s, r, &w, &out);
}

/* Adds a call to those that wait; arguments is an object, or empty. */
static void
add_call(struct server *s, const struct request *r,
	 const struct definition *tool, struct str arguments,
	 const struct call_said *facts)
{
	struct call *call = calls_add(&s->calls, tool, arguments);

	buf_add_str(&call->id, r->m->id);
	buf_add_str(&call->key, buf_str(&r->m->key));
	call->facts = *facts;
	call->facts.client = r->client;
	call->reply = r->reply;
	call->version = r->version;
	call->modern = r->modern;
	call->look_at = host_facts_want_live(&s->facts, &call->facts) ? s->now
								      : 0;
	call->wants_roots = !r->modern &&
			    !host_facts_have_cwd(&s->facts, facts);
}

/*
 * What is wrong with the call itself is an error of the protocol; what is wrong
 * with the arguments is the program's to say, so that the model sees it.
 */
static void
call_tool(struct server *s, const struct request *r)
{
	struct str name = json_get(r->m->params, "name");
	struct str arguments = json_get(r->m->params, "arguments");
	struct buf text = BUF_INIT;
	struct fail fail = FAIL_INIT;
	struct call_said facts;
	const struct definition *tool;

	if (json_kind(name) != JSON_STRING) {
		refuse(s, r, MESSAGE_INVALID_PARAMS, "name is not a string");
		return;
	}
	json_decode(name, &text);
	/* Not only by its bytes: "notes\u005flist" is the same name. */
	tool = catalogue_find(s->catalogue, buf_str(&text));
	if (json_kind(arguments) == JSON_NONE ||
	    json_kind(arguments) == JSON_NULL)
		arguments = STR("{}");
	if (tool == NULL) {
		refuse_name(s, r, MESSAGE_INVALID_PARAMS,
			    "Unknown tool: ", buf_str(&text));
	} else if (json_kind(arguments) != JSON_OBJECT) {
		refuse(s, r, MESSAGE_INVALID_PARAMS,
		       "arguments is not an object");
	} else if (!calls_have_room(&s->calls, arguments.n)) {
		refuse(s, r, MESSAGE_INTERNAL, "too many calls in flight");
	} else if (host_facts_read_call(&facts, r->meta, &s->talk, &fail) !=
		   0) {
		host_facts_release_call(&facts);
		refuse(s, r, MESSAGE_INVALID_PARAMS, fail.message.data);
	} else {
		add_call(s, r, tool, arguments, &facts);
	}
	fail_release(&fail);
	buf_release(&text);
}

/* ---- requests ---------------------------------------------------------- */

/* Each method in each era; NULL: there it is unknown (section 3). */
typedef void method(struct server *s, const struct request *r);

static const struct {
	const char *name;
	method *legacy, *modern;
	bool greets; /* served before initialize */
} methods[] = {
	{ "initialize", initialize, NULL, true },
	{ "ping", ping, NULL, true },
	{ "server/discover", NULL, discover, false },
	{ "tools/list", list_tools, list_tools, false },
	{ "tools/call", call_tool, call_tool, false },
};
#define METHODS (sizeof(methods) / sizeof(methods[0]))

/* The version that a modern request names: 0, or -1 when it was refused. */
static int
check_modern(struct server *s, const struct request *r, struct str version)
{
	struct buf data = BUF_INIT, out = BUF_INIT;
	struct json_writer w;

	if (json_kind(version) != JSON_STRING) {
		refuse(s, r, MESSAGE_INVALID_PARAMS,
		       META_VERSION " is not a string");
		return -1;
	}
	if (!json_string_is(version, message_versions[VERSION_2026_07_28])) {
		json_begin(&w, &data);
		json_open_object(&w);
		json_key(&w, "supported");
		write_versions(&w);
		json_key(&w, "requested");
		json_raw(&w, version);
		json_close_object(&w);
		outbox_write_error(&out, r->m->id, MESSAGE_UNSUPPORTED_VERSION,
				   STR("Unsupported protocol version"),
				   buf_str(&data));
		outbox_answer(&s->outbox, r->reply, &out, STR(""));
		buf_release(&data);
		return -1;
	}
	if (json_kind(json_get(r->meta, META_CLIENT)) != JSON_OBJECT) {
		refuse(s, r, MESSAGE_INVALID_PARAMS,
		       META_CLIENT " is not an object");
		return -1;
	}
	return 0;
}

void
methods_request(struct server *s, const struct message *m, struct reply reply)
{
	struct request r = { .m = m,
			     .reply = reply,
			     .version = s->version,
			     .meta = json_get(m->params, "_meta"),
			     .client = s->client };
	struct str name = buf_str(&m->method);
	struct str version = json_get(r.meta, META_VERSION);
	method *run = NULL;
	size_t i;

	if (r.meta.n > 0 && json_kind(r.meta) != JSON_OBJECT) {
		refuse(s, &r, MESSAGE_INVALID_PARAMS, "_meta is not an object");
		return;
	}
	/* Each request chooses its era by how it is made. */
	if (version.n > 0) {
		r.modern = true;
		r.version = VERSION_2026_07_28;
		r.client = client_read(json_get(r.meta, META_INFO));
		if (check_modern(s, &r, version) != 0)
			return;
	}
	for (i = 0; i < METHODS && !str_is(name, methods[i].name);)
		i++;
	if (!r.modern && r.version == VERSION_NONE &&
	    (i == METHODS || !methods[i].greets)) {
		refuse(s, &r, MESSAGE_INVALID_PARAMS,
		       "not initialized: send initialize first, or name "
		       "the version of each request in params._meta, as "
		       "\"" META_VERSION "\"");
		return;
	}
	if (i < METHODS)
		run = r.modern ? methods[i].modern : methods[i].legacy;
	if (run != NULL)
		run(s, &r);
	else
		refuse_name(s, &r, MESSAGE_UNKNOWN_METHOD,
			    "Method not found: ", name);
}

/* ---- notifications ----------------------------------------------------- */

/* The reason, to people: at most so many bytes of valid UTF-8. */
static void
tell_reason(struct server *s, const struct call *call, struct str reason)
{
	struct buf text = BUF_INIT, line = BUF_INIT;
	struct str cut;

	if (json_kind(reason) != JSON_STRING)
		return;
	json_decode(reason, &text);
	cut = buf_str(&text);
	if (cut.n > REASON_SHOWN)
		cut.n = REASON_SHOWN;
	cut.n = utf8_valid_prefix(cut);
	buf_adds(&line, "cancelled: ");
	buf_add_str(&line, cut);
	talk_say(&s->talk, families_tools[call->tool->tool], buf_str(&line));
	buf_release(&text);
	buf_release(&line);
}

static void
cancel(struct server *s, const struct message *m)
{
	struct buf key = BUF_INIT;
	struct call *call;

	if (!message_id_key(json_get(m->params, "requestId"), &key))
		goto out;
	call = calls_find(&s->calls, buf_str(&key));
	if (call == NULL) {
		/* Its answer may still be here. */
		outbox_withdraw(&s->outbox, buf_str(&key));
		goto out;
	}
	tell_reason(s, call, json_get(m->params, "reason"));
	/* Its id is free again once the program is reaped. */
	if (call->running) {
		calls_end(call, END_CANCELLED, s->now);
	} else {
		outbox_no_answer(&s->outbox, call->reply);
		calls_remove(&s->calls, call);
	}
out:
	buf_release(&key);
}

/*
 * Calls that come before the answer wait for it, but not for long: a client may
 * never answer.
 */
static void
ask_roots(struct server *s)
{
	struct buf line = BUF_INIT;

	if (!s->options.ask_roots || !s->roots.offered ||
	    s->version == VERSION_NONE || host_facts_have_cwd(&s->facts, NULL))
		return;
	buf_addf(&line,
		 "{\"jsonrpc\":\"2.0\",\"id\":\"ctx-roots-%u\","
		 "\"method\":\"roots/list\"}",
		 ++s->roots.number);
	s->roots.open = true;
	s->roots.until = s->now + ROOTS_WAIT_MS;
	outbox_answer(&s->outbox, REPLY_ALONE, &line, STR(""));
}

void
methods_notification(struct server *s, const struct message *m)
{
	struct str name = buf_str(&m->method);

	if (str_is(name, "notifications/cancelled"))
		cancel(s, m);
	else if (str_is(name, "notifications/initialized") ||
		 str_is(name, "notifications/roots/list_changed"))
		ask_roots(s);
}

/* Only the answer to the last question counts; an error means no roots. */
void
methods_response(struct server *s, const struct message *m)
{
	struct buf key = BUF_INIT;

	buf_addf(&key, "\"ctx-roots-%u\"", s->roots.number);
	if (s->roots.number > 0 && str_eq(buf_str(&key), buf_str(&m->key))) {
		s->roots.open = false;
		host_facts_set_roots(&s->facts, m->result);
	}
	buf_release(&key);
}
