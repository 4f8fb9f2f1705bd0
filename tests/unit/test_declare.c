/*
 * The declaration and all that is read from it, on a tool that has a
 * parameter of each type: binding, messages, schema, flags, help.
 */
#include "tool/declare.h"

#include <stddef.h>

#include "base/json_check.h"
#include "tool/bind.h"
#include "tool/command_line.h"
#include "tool/completion.h"
#include "tool/help.h"
#include "tool/schema.h"

#include "test.h"

struct pair {
	struct arg_string before, after;
};

struct all_args {
	struct arg_string path, filler;
	struct arg_integer limit, offset;
	struct arg_boolean loud, quiet;
	struct arg_enum origin, blank;
	struct arg_set roles;
	struct arg_list names, query;
	struct arg_objects edits;
	struct arg_integer fd;
};

static const char *const origins[] = { "user", "self", NULL };
static const char *const roles[] = { "user", "tool", "context", NULL };

static const struct param pair_params[] = {
	{ .name = "before",
	  .type = PARAM_STRING,
	  .offset = offsetof(struct pair, before),
	  .required = true,
	  .min = 1 },
	{ .name = "after",
	  .type = PARAM_STRING,
	  .offset = offsetof(struct pair, after),
	  .required = true },
	PARAM_END
};

#define AT(member) .offset = offsetof(struct all_args, member)
static const struct param params[] = {
	{ .name = "path",
	  .type = PARAM_STRING,
	  AT(path),
	  .required = true,
	  .max = 5,
	  .help = "A path." },
	{ .name = "filler",
	  .type = PARAM_STRING,
	  AT(filler),
	  .blank_is_absent = true,
	  .help = "A filler." },
	{ .name = "limit",
	  .type = PARAM_INTEGER,
	  AT(limit),
	  .min = 1,
	  .max = 500,
	  .has_fallback = true,
	  .fallback = 20,
	  .help = "A limit." },
	{ .name = "offset_chars",
	  .type = PARAM_INTEGER,
	  AT(offset),
	  .min = PARAM_ANY_MIN,
	  .max = PARAM_ANY_MAX,
	  .has_fallback = true,
	  .help = "An offset." },
	{ .name = "loud", .type = PARAM_BOOLEAN, AT(loud), .help = "Loud." },
	{ .name = "quiet",
	  .type = PARAM_BOOLEAN,
	  AT(quiet),
	  .has_fallback = true,
	  .fallback = 1,
	  .help = "Quiet." },
	{ .name = "origin",
	  .type = PARAM_ENUM,
	  AT(origin),
	  .values = origins,
	  .has_fallback = true,
	  .fallback = 1,
	  .help = "An origin." },
	{ .name = "blank",
	  .type = PARAM_ENUM,
	  AT(blank),
	  .values = origins,
	  .blank_is_absent = true,
	  .help = "Another." },
	{ .name = "roles",
	  .type = PARAM_ENUM_LIST,
	  AT(roles),
	  .values = roles,
	  .help = "Roles." },
	{ .name = "names",
	  .type = PARAM_STRING_LIST,
	  AT(names),
	  .max_items = 3,
	  .help = "Names." },
	{ .name = "query",
	  .type = PARAM_STRING_OR_LIST,
	  AT(query),
	  .max_items = 2,
	  .max = 4,
	  .help = "A query." },
	{ .name = "edits",
	  .type = PARAM_OBJECT_LIST,
	  AT(edits),
	  .max_items = 2,
	  .fields = pair_params,
	  .field_size = sizeof(struct pair),
	  .help = "Edits." },
	PARAM_END
};

static const struct param options[] = { { .name = "details_fd",
					  .type = PARAM_INTEGER,
					  AT(fd),
					  .min = 3,
					  .max = 1023,
					  .help = "A descriptor." },
					PARAM_END };

static const struct field row[] = {
	{ .name = "n", .type = FIELD_INTEGER },
	{ .name = "next", .type = FIELD_INTEGER, .nullable = true },
	FIELD_END
};
static const struct field fold[] = {
	{ .name = "folded", .type = FIELD_BOOLEAN, .constant_true = true },
	{ .name = "tools", .type = FIELD_MAP_INTEGER },
	FIELD_END
};
static const struct field *const kinds[] = { row, fold, NULL };
static const struct field result[] = {
	{ .name = "rows", .type = FIELD_KINDS, .kinds = kinds },
	{ .name = "extra", .type = FIELD_OPEN_OBJECT, .optional = true },
	{ .name = "meta", .type = FIELD_OBJECT, .fields = row },
	{ .name = "groups", .type = FIELD_STRING_LISTS },
	{ .name = "labels", .type = FIELD_STRINGS },
	{ .name = "kind", .type = FIELD_ENUM, .values = origins },
	FIELD_END
};

static const struct tool tool = {
	.name = "all_types",
	.title = "All types",
	.family = "tests",
	.description = "Has a parameter of every type.",
	.writes = true,
	.sequential = true,
	.params = params,
	.operand = "path",
	.options = options,
	.facts = FACT_BIT(FACT_AGENT) | FACT_BIT(FACT_NOW_MS),
	.args_size = sizeof(struct all_args),
	.result = result,
};

/* Binds text and gives the message ("" when it was accepted). */
static const char *
bind(const char *text, struct args *a)
{
	static char message[4096];
	struct fail fail = FAIL_INIT;

	args_init(a, sizeof(struct all_args));
	(void)args_bind(a, json_value(str_of(text)), params,
			(struct args_rules){ 0 }, &fail);
	(void)snprintf(message, sizeof(message), "%s", fail.message.data);
	fail_release(&fail);
	return message;
}

static void
test_messages(void)
{
	static const struct {
		const char *json, *message;
	} rows[] = {
		{ "{}", "path: nothing given; legal: string of at most 5 "
			"characters" },
		{ "{\"path\":7}",
		  "path: 7 given; legal: string of at most 5 characters" },
		{ "{\"path\":\"abcdef\"}",
		  "path: string \"abcdef\" of 6 characters given; "
		  "legal: string of at most 5 characters" },
		{ "{\"path\":\"\xc3\xb6\xc3\xb6\xc3\xb6\xc3\xb6\xc3\xb6\"}",
		  "" },
		{ "{\"path\":null}",
		  "path: null given; legal: string of at most 5 characters" },
		{ "{\"path\":\"a\",\"limit\":0}",
		  "limit: 0 given; legal: integer from 1 to 500" },
		{ "{\"path\":\"a\",\"limit\":501}",
		  "limit: 501 given; legal: integer from 1 to 500" },
		{ "{\"path\":\"a\",\"limit\":1.5}",
		  "limit: 1.5 given; legal: integer from 1 to 500" },
		{ "{\"path\":\"a\",\"limit\":1e400}",
		  "limit: 1e400 given; legal: integer from 1 to 500" },
		{ "{\"path\":\"a\",\"limit\":\"9\"}",
		  "limit: string \"9\" given; legal: integer from 1 to 500" },
		{ "{\"path\":\"a\",\"limit\":2e1}", "" },
		{ "{ \"path\" :\"a\", \"offset_chars\" : 9007199254740993 }",
		  "offset_chars: 9007199254740993 given; legal: integer from "
		  "-9007199254740992 to 9007199254740992" },
		{ "{\"path\":\"a\",\"offset_chars\":9007199254740992}", "" },
		{ "{\"path\":\"a\",\"limit\":1.000000000000000000001}",
		  "limit: 1.000000000000000000001 given; legal: integer from 1 "
		  "to 500" },
		{ "{\"path\":\"a\",\"limit\":"
		  "1000000000000000000000000000000000000000000}",
		  "limit: 1000000000000000000000000000000000000000\xe2\x80\xa6 "
		  "given; legal: integer from 1 to 500" },
		{ "{\"path\":\"a\",\"limit\":1.0e0}", "" },
		{ "{\"path\":\"a\",\"loud\":1}",
		  "loud: 1 given; legal: true or false" },
		{ "{\"path\":\"a\",\"origin\":\"me\"}",
		  "origin: string \"me\" given; legal: one of user, self" },
		{ "{\"path\":\"a\",\"origin\":\"\"}",
		  "origin: string \"\" given; legal: one of user, self" },
		{ "{\"path\":\"a\",\"blank\":\"\"}", "" },
		{ "{\"path\":\"a\",\"roles\":\"tool\"}",
		  "roles: string \"tool\" given; "
		  "legal: array of any of user, tool, context" },
		{ "{\"path\":\"a\",\"roles\":[\"tool\",\"x\"]}",
		  "roles[1]: string \"x\" given; "
		  "legal: one of user, tool, context" },
		{ "{\"path\":\"a\",\"roles\":[]}", "" },
		{ "{\"path\":\"a\",\"names\":[\"a\",\"b\",\"c\",\"d\"]}",
		  "names: array of 4 items given; "
		  "legal: array of at most 3 strings" },
		{ "{\"path\":\"a\",\"names\":[\"a\",{}]}",
		  "names[1]: object given; legal: string" },
		{ "{\"path\":\"a\",\"query\":\"abcde\"}",
		  "query: string \"abcde\" of 5 characters given; legal: "
		  "string, "
		  "or array of at most 2 strings of at most 4 characters "
		  "each" },
		{ "{\"path\":\"a\",\"query\":[\"a\",\"abcde\"]}",
		  "query[1]: string \"abcde\" of 5 characters given; legal: "
		  "string of at most 4 characters" },
		{ "{\"path\":\"a\",\"edits\":[{\"before\":\"x\",\"after\":\"\"}"
		  ","
		  "{\"before\":\"\",\"after\":\"\"}]}",
		  "edits[1].before: string \"\" of 0 characters given; "
		  "legal: string that is not empty" },
		{ "{\"path\":\"a\",\"edits\":[{\"before\":\"x\"}]}",
		  "edits[0].after: nothing given; legal: string" },
		{ "{\"path\":\"a\",\"edits\":[{\"before\":\"x\",\"after\":\"\","
		  "\"more\":1}]}",
		  "edits[0]: \"more\" is not a parameter; legal: before, "
		  "after" },
		{ "{\"path\":\"a\",\"edits\":[7]}",
		  "edits[0]: 7 given; legal: object of before and after" },
		{ "{\"path\":\"a\",\"Path\":\"b\"}",
		  "\"Path\" is not a parameter; legal: path, filler, limit, "
		  "offset_chars, loud, quiet, origin, blank, roles, names, "
		  "query, edits; did you mean path?" },
		{ "{\"path\":\"a\",\"origin\":\"sself\"}",
		  "origin: string \"sself\" given; legal: one of user, self; "
		  "did you mean self?" },
		{ "{\"path\":\"a\",\"roles\":[\"toil\",\"user\"]}",
		  "roles[0]: string \"toil\" given; legal: one of user, tool, "
		  "context; did you mean tool?" },
		{ "{\"path\":\"a\",\"edits\":[{\"before\":\"x\",\"aftr\":1}]}",
		  "edits[0]: \"aftr\" is not a parameter; legal: before, "
		  "after; "
		  "did you mean after?" },
	};
	size_t i;
	struct args a;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		is_string(bind(rows[i].json, &a), rows[i].message,
			  rows[i].json);
		args_release(&a);
	}
}

static void
test_values(void)
{
	struct args a;
	const struct all_args *all;
	const struct pair *pairs;

	bind("{\"path\":\"a/b\",\"limit\":500,\"offset_chars\":-3,"
	     "\"loud\":false,\"origin\":\"user\",\"roles\":[\"context\","
	     "\"user\",\"user\"],\"names\":[\"x\",\"yy\"],\"query\":\"q\","
	     "\"edits\":[{\"after\":\"2\",\"before\":\"1\"}]}",
	     &a);
	all = a.bound;
	is_string(all->path.s, "a/b", "a string");
	is_int((long long)all->path.n, 3, "its length");
	ok(all->path.given && !all->filler.given, "given or not");
	is_string(all->filler.s, "", "an absent string is empty");
	is_int(all->limit.v, 500, "an integer");
	is_int(all->offset.v, -3, "a negative integer");
	ok(!all->loud.v && all->loud.given, "false is given");
	ok(all->quiet.v && !all->quiet.given, "a boolean's fallback");
	is_int(all->origin.v, 0, "an enum's index");
	is_int(all->blank.v, -1, "an absent enum");
	is_int((long long)all->roles.bits, 5, "a set of values");
	is_int((long long)all->names.n, 2, "a list");
	is_bytes(all->names.v[1].s, all->names.v[1].n, "yy", 2, "its item");
	is_int((long long)all->query.n, 1, "a string as a list of one");
	is_int((long long)all->edits.n, 1, "a list of objects");
	pairs = all->edits.v;
	is_string(pairs[0].before.s, "1", "bound by name, not by order");
	is_string(pairs[0].after.s, "2", "the other member");
	args_release(&a);
	bind("{\"path\":\"a\"}", &a);
	all = a.bound;
	is_int(all->limit.v, 20, "an integer's fallback");
	is_int(all->origin.v, 1, "an enum's fallback");
	args_release(&a);
}

/* Parses a command line; gives its parameters as JSON, or the message. */
static const char *
parse(char *argv[], struct command_line *c)
{
	static char text[4096];
	struct fail fail = FAIL_INIT;
	struct facts facts = { { NULL } };
	struct buf object = BUF_INIT;
	int argc = 0;

	while (argv[argc] != NULL)
		argc++;
	if (command_line_parse(c, &tool, argc, argv, &facts, &fail) != 0) {
		(void)snprintf(text, sizeof(text), "%s", fail.message.data);
	} else {
		given_object(&c->params, &object);
		(void)snprintf(text, sizeof(text), "%s", object.data);
	}
	buf_release(&object);
	fail_release(&fail);
	return text;
}

#define ARGV(...) ((char *[]){ (char[]){ "all-types" }, __VA_ARGS__, NULL })
#define W(word) ((char[]){ word })

static void
parses_to(char *argv[], const char *want, const char *name)
{
	struct command_line c;

	is_string(parse(argv, &c), want, name);
	command_line_release(&c);
}

static void
test_command_line(void)
{
	parses_to(ARGV(W("x")), "{\"path\":\"x\"}", "the operand");
	parses_to(ARGV(W("--path=x=y")), "{\"path\":\"x=y\"}",
		  "a value after =");
	parses_to(ARGV(W("--offset-chars"), W("-5")), "{\"offset_chars\":-5}",
		  "a value that looks like an option");
	parses_to(ARGV(W("--loud"), W("--no-quiet")),
		  "{\"loud\":true,\"quiet\":false}", "booleans");
	parses_to(ARGV(W("--names"), W("a"), W("--names"), W("b")),
		  "{\"names\":[\"a\",\"b\"]}", "a list repeats its flag");
	parses_to(ARGV(W("--edits"), W("{\"before\":\"a\",\"after\":\"b\"}"),
		       W("--edits"), W("[{\"before\":\"c\",\"after\":\"d\"}]")),
		  "{\"edits\":[{\"before\":\"a\",\"after\":\"b\"},"
		  "{\"before\":\"c\",\"after\":\"d\"}]}",
		  "objects are JSON text, one or a list");
	parses_to(ARGV(W("--"), W("--path")), "{\"path\":\"--path\"}",
		  "after -- all is operand");
	parses_to(ARGV(W("--details-fd"), W("3")), "{}",
		  "an option is not a parameter");
	parses_to(ARGV(W("--limit"), W("1x")),
		  "limit: \"1x\" given; legal: integer from 1 to 500",
		  "no integer");
	parses_to(ARGV(W("--limit"), W("99999999999999999999")),
		  "limit: \"99999999999999999999\" given; "
		  "legal: integer from 1 to 500",
		  "an integer too large for any type");
	parses_to(ARGV(W("--limit")), "--limit: nothing given; legal: a value",
		  "a missing value");
	parses_to(ARGV(W("--limit"), W("1"), W("--limit"), W("2")),
		  "limit: given twice; legal: once", "given twice");
	parses_to(ARGV(W("x"), W("y")),
		  "unexpected operand \"y\"; legal: one operand, path",
		  "a second operand");
	parses_to(ARGV(W("--no-limit")),
		  "unknown option \"--no-limit\"; try --help",
		  "--no- is for booleans");
	parses_to(ARGV(W("--loud=yes")),
		  "loud: \"yes\" given; legal: --loud or --no-loud, "
		  "without a value",
		  "a boolean takes no value");
	parses_to(ARGV(W("--edits"), W("{\"a\":1,\"a\":2}")),
		  "edits: not JSON: line 1, column 8: duplicate key \"a\"",
		  "JSON text is checked");
	parses_to(ARGV(W("--path"), W("a\xff")),
		  "path: invalid UTF-8 at byte 1; legal: UTF-8 text",
		  "invalid UTF-8");
	parses_to(ARGV(W("--now-ms"), W("1")),
		  "unknown option \"--now-ms\"; try --help",
		  "a fact of the environment only");
	parses_to(ARGV(W("--agent"), W("a")), "{}",
		  "a fact is not a parameter");
	parses_to(ARGV(W("--ofset-chars=3")),
		  "unknown option \"--ofset-chars=3\"; did you mean "
		  "--offset-chars?",
		  "what may have been meant");
	parses_to(ARGV(W("--agnt"), W("a")),
		  "unknown option \"--agnt\"; did you mean --agent?",
		  "a fact may have been meant");
	parses_to(ARGV(W("--schem")),
		  "unknown option \"--schem\"; did you mean --schema?",
		  "or what all programs have");
	parses_to(ARGV(W("--path"), W("-"), W("--query"), W("-")),
		  "query: - given, but stdin is already read for path; "
		  "legal: one parameter from stdin",
		  "stdin can be one parameter only");
}

static void
test_stdin(void)
{
	struct command_line c;
	struct buf object = BUF_INIT;

	parse(ARGV(W("--query"), W("a"), W("--query"), W("-")), &c);
	command_line_set_stdin(&c, STR("from stdin"));
	given_object(&c.params, &object);
	is_string(object.data, "{\"query\":[\"a\",\"from stdin\"]}",
		  "an item of a list from stdin");
	command_line_release(&c);
	buf_reset(&object);
	parse(ARGV(W("-")), &c);
	command_line_set_stdin(&c, STR("all"));
	given_object(&c.params, &object);
	is_string(object.data, "{\"path\":\"all\"}", "the operand from stdin");
	command_line_release(&c);
	buf_release(&object);
}

static void
test_schema(void)
{
	static const char *const parts[] = {
		"\"path\":{\"type\":\"string\",\"maxLength\":5,",
		"\"limit\":{\"type\":\"integer\",\"minimum\":1,"
		"\"maximum\":500,\"default\":20,",
		"\"offset_chars\":{\"type\":\"integer\",\"default\":0,",
		"\"roles\":{\"type\":\"array\",\"items\":{\"type\":\"string\","
		"\"enum\":[\"user\",\"tool\",\"context\"]},",
		"\"query\":{\"anyOf\":[{\"type\":\"string\",\"maxLength\":4},"
		"{\"type\":\"array\",\"items\":{\"type\":\"string\","
		"\"maxLength\":4},\"maxItems\":2}],",
		"\"before\":{\"type\":\"string\",\"minLength\":1}",
		"\"required\":[\"before\",\"after\"],"
		"\"additionalProperties\":false},\"maxItems\":2",
		"\"required\":[\"path\"],\"additionalProperties\":false},"
		"\"outputSchema\":",
		"\"next\":{\"type\":[\"integer\",\"null\"]}",
		"\"folded\":{\"type\":\"boolean\",\"const\":true}",
		"\"tools\":{\"type\":\"object\",\"additionalProperties\":"
		"{\"type\":\"integer\"}}",
		"\"required\":[\"rows\",\"meta\",\"groups\",\"labels\","
		"\"kind\"],\"additionalProperties\":false}",
		"\"executionMode\":\"sequential\",\"annotations\":{"
		"\"readOnlyHint\":false,\"destructiveHint\":false,"
		"\"idempotentHint\":false,\"openWorldHint\":false}}",
	};
	struct buf out = BUF_INIT;
	size_t i;

	schema_print(&tool, &out);
	ok(json_check(buf_str(&out), 64, 0, NULL) == 0, "the schema is JSON");
	for (i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (!ok(strstr(out.data, parts[i]) != NULL, "%s", parts[i]))
			printf("# %s\n", out.data);
	buf_release(&out);
}

static void
test_help(void)
{
	static const char *const parts[] = {
		"usage: all-types [OPTION]... [PATH]\n",
		"  --path TEXT             A path. (required; also as "
		"operand)\n",
		"  --limit N               A limit. (1 to 500; default 20)\n",
		"  --loud, --no-loud       Loud.\n",
		"  --origin user|self      An origin. (default self)\n",
		"  --edits JSON ...        Edits.\n",
		"  --details-fd N          A descriptor. (3 to 1023)\n",
		"  --agent NAME            This agent's name. (CTX_AGENT; "
		"default: "
		"anonymous)\n",
	};
	struct buf out = BUF_INIT;
	size_t i;

	help_print(&tool, &out);
	for (i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (!ok(strstr(out.data, parts[i]) != NULL, "help: %.*s",
			(int)strcspn(parts[i], "\n"), parts[i]))
			printf("# %s\n", out.data);
	ok(strstr(out.data, "NOW_MS") == NULL, "no option, no line");
	buf_release(&out);
}

static void
test_completion(void)
{
	struct fail fail = FAIL_INIT;
	struct buf out = BUF_INIT;

	ok(completion_print(&tool, "bash", NULL, &out, &fail) == 0 &&
		   strstr(out.data, "--offset-chars") != NULL &&
		   strstr(out.data, "'user self'") != NULL,
	   "bash");
	buf_reset(&out);
	ok(completion_print(&tool, "zsh", NULL, &out, &fail) == 0 &&
		   strstr(out.data, "'*--roles[Roles.]:value:(user tool "
				    "context)'") != NULL,
	   "zsh");
	buf_reset(&out);
	ok(completion_print(&tool, "fish", NULL, &out, &fail) == 0 &&
		   strstr(out.data, "complete -c all-types -l no-quiet -d") !=
			   NULL,
	   "fish");
	ok(completion_print(&tool, "csh", NULL, &out, &fail) != 0, "no other");
	is_string(fail.message.data,
		  "--completion: \"csh\" given; legal: bash, zsh, fish",
		  "and says so");
	buf_release(&out);
	fail_release(&fail);
}

int
main(void)
{
	test_messages();
	test_values();
	test_command_line();
	test_stdin();
	test_schema();
	test_help();
	test_completion();
	return done();
}
