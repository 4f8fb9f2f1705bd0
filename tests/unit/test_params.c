/* Parameters of the less usual types: binding, messages, schema, flags. */
#include "tool/declare.h"

#include "base/json_check.h"
#include "test.h"
#include "tool/bind.h"
#include "tool/command_line.h"
#include "tool/help.h"
#include "tool/schema.h"

struct even {
	int64_t half;
	bool given;
};

struct odd_args {
	struct arg_json any, list;
	struct arg_map env, words;
	struct arg_integers numbers;
	struct arg_string id, text;
	struct arg_integer start;
	struct even even;
	struct arg_objects evens; /* struct even */
	struct arg_objects groups;
	struct arg_boolean stream;
};

struct group {
	struct arg_integers members;
	struct arg_string why;
};

static int
bind_even(struct args *a, void *to, struct str value, struct buf *note)
{
	int64_t v;

	(void)a;
	if (json_kind(value) != JSON_NUMBER || !json_to_integer(value, &v))
		return -1;
	if (v % 2 != 0) {
		buf_adds(note, ", which is odd,");
		return -1;
	}
	*(struct even *)to = (struct even){ v / 2, true };
	return 0;
}

static void
even_schema(struct json_writer *w)
{
	json_member_string(w, "type", STR("integer"));
	json_member_integer(w, "multipleOf", 2);
}

static const struct param_kind even = { .legal = "an even number",
					.metavar = "EVEN",
					.is_json = true,
					.bind = bind_even,
					.schema = even_schema };

static const struct param group[] = { { .name = "members",
					.type = PARAM_INTEGER_LIST,
					.offset = offsetof(struct group,
							   members),
					.required = true,
					.min = 1,
					.max = 9,
					.min_items = 1 },
				      { .name = "why",
					.type = PARAM_STRING,
					.offset = offsetof(struct group, why) },
				      PARAM_END };

#define AT(member) .offset = offsetof(struct odd_args, member)
static const struct param params[] = {
	{ .name = "any", .type = PARAM_JSON, AT(any), .help = "Any." },
	{ .name = "list",
	  .type = PARAM_JSON,
	  AT(list),
	  .json = JSON_ARRAY,
	  .required = true,
	  .streamed = true,
	  .help = "A list." },
	{ .name = "env",
	  .type = PARAM_STRING_MAP,
	  AT(env),
	  .null_values = true,
	  .help = "Names." },
	{ .name = "words",
	  .type = PARAM_STRING_MAP,
	  AT(words),
	  .help = "Words." },
	{ .name = "numbers",
	  .type = PARAM_INTEGER_LIST,
	  AT(numbers),
	  .min = 0,
	  .max = 9999,
	  .max_items = 3,
	  .commas = true,
	  .help = "Numbers." },
	{ .name = "id",
	  .type = PARAM_STRING,
	  AT(id),
	  .min = 1,
	  .max = 3,
	  .bytes = true,
	  .help = "An id." },
	{ .name = "text",
	  .type = PARAM_STRING,
	  AT(text),
	  .nul = true,
	  .streamed = true,
	  .help = "A text." },
	{ .name = "start",
	  .type = PARAM_INTEGER,
	  AT(start),
	  .nullable = true,
	  .min = 1,
	  .max = PARAM_ANY_MAX - 1,
	  .max_unsaid = true,
	  .help = "The start." },
	{ .name = "even",
	  .type = PARAM_KIND,
	  AT(even),
	  .kind = &even,
	  .help = "Even." },
	{ .name = "evens",
	  .type = PARAM_KIND_LIST,
	  AT(evens),
	  .kind = &even,
	  .field_size = sizeof(struct even),
	  .max_items = 2,
	  .help = "Evens." },
	{ .name = "groups",
	  .type = PARAM_OBJECT_LIST,
	  AT(groups),
	  .fields = group,
	  .field_size = sizeof(struct group),
	  .help = "Groups." },
	{ .name = "stream",
	  .type = PARAM_BOOLEAN,
	  AT(stream),
	  .has_fallback = true,
	  .help = "Stream." },
	PARAM_END
};

static const struct tool tool = {
	.name = "odd_types",
	.title = "Odd types",
	.description = "Has a parameter of every other type.",
	.params = params,
	.args_size = sizeof(struct odd_args),
	.input_nul = true,
};

static const char *
bind(const char *text, struct args_rules rules, struct args *a)
{
	static char message[4096];
	struct fail fail = FAIL_INIT;

	args_init(a, sizeof(struct odd_args));
	(void)args_bind(a, json_value(str_of(text)), params, rules, &fail);
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
		{ "{}", "list: nothing given; legal: array" },
		{ "{\"list\":{}}", "list: object given; legal: array" },
		{ "{\"list\":[],\"any\":null}", "" },
		{ "{\"list\":[],\"env\":{\"A\":\"b\",\"C\":null}}", "" },
		{ "{\"list\":[],\"env\":{\"A\":1}}",
		  "env.A: 1 given; legal: object of strings and nulls" },
		{ "{\"list\":[],\"words\":{\"A\":null}}",
		  "words.A: null given; legal: object of strings" },
		{ "{\"list\":[],\"words\":{\"A\":\"\\u0000\"}}",
		  "words.A: string \"\\u0000\" with U+0000 given; "
		  "legal: object of strings" },
		{ "{\"list\":[],\"numbers\":[1,2,3,4]}",
		  "numbers: array of 4 items given; "
		  "legal: array of at most 3 integers from 0 to 9999" },
		{ "{\"list\":[],\"numbers\":[1,10000]}",
		  "numbers[1]: 10000 given; legal: integer from 0 to 9999" },
		{ "{\"list\":[],\"id\":\"\xc3\xa9\xc3\xa9\"}",
		  "id: string \"\xc3\xa9\xc3\xa9\" of 4 bytes given; "
		  "legal: string of 1 to 3 bytes" },
		{ "{\"list\":[],\"id\":\"a\\u0000\"}",
		  "id: string \"a\\u0000\" with U+0000 given; "
		  "legal: string of 1 to 3 bytes" },
		{ "{\"list\":[],\"text\":\"a\\u0000b\"}", "" },
		{ "{\"list\":[],\"start\":null}", "" },
		{ "{\"list\":[],\"start\":0}",
		  "start: 0 given; legal: integer from 1 to 9007199254740991, "
		  "or null" },
		{ "{\"list\":[],\"even\":3}",
		  "even: 3, which is odd, given; legal: an even number" },
		{ "{\"list\":[],\"even\":\"4\"}",
		  "even: string \"4\" given; legal: an even number" },
		{ "{\"list\":[],\"evens\":[2,5]}",
		  "evens[1]: 5, which is odd, given; legal: an even number" },
		{ "{\"list\":[],\"evens\":[2,4,6]}",
		  "evens: array of 3 items given; legal: array of at most 2 "
		  "of: an even number" },
		{ "{\"list\":[],\"groups\":[{\"members\":[]}]}",
		  "groups[0].members: array of 0 items given; legal: array of "
		  "at least 1 integers from 1 to 9" },
		{ "{\"list\":[],\"groups\":[{\"members\":[1]},"
		  "{\"members\":[2,true]}]}",
		  "groups[1].members[1]: true given; legal: integer from 1 to "
		  "9" },
	};
	struct args a;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		is_string(bind(rows[i].json, (struct args_rules){ 0 }, &a),
			  rows[i].message, rows[i].json);
		args_release(&a);
	}
	is_string(bind("{}", (struct args_rules){ .stream = true }, &a), "",
		  "a stream brings what is streamed");
	args_release(&a);
	is_string(bind("{\"list\":[]}", (struct args_rules){ .stream = true },
		       &a),
		  "list: given with stream; legal: on stdin",
		  "which must not be given then");
	args_release(&a);
	is_string(bind("{\"list\":[],\"more\":1}",
		       (struct args_rules){ .open = true }, &a),
		  "", "unknown members of an open object");
	args_release(&a);
	is_string(bind("{}", (struct args_rules){ .supplied = &params[1] }, &a),
		  "", "one that is supplied otherwise");
	args_release(&a);
}

static void
test_values(void)
{
	const struct odd_args *all;
	const struct group *groups;
	struct args a;

	bind("{\"any\" : { \"a\":1.0,\"b\":\"\\u0000\" } ,\"list\":[1e400],"
	     "\"env\":{\"A\":\"b\",\"C\":null},\"numbers\":[7,0],"
	     "\"text\":\"a\\u0000b\",\"evens\":[8,-2],"
	     "\"groups\":[{\"members\":[1,2]},{\"members\":[3],\"why\":\"w\"}]"
	     "}",
	     (struct args_rules){ 0 }, &a);
	all = a.bound;
	is_bytes(all->any.text.s, all->any.text.n,
		 "{ \"a\":1.0,\"b\":\"\\u0000\" }", 24, "a value as written");
	is_bytes(all->list.text.s, all->list.text.n, "[1e400]", 7,
		 "any number");
	is_int((long long)all->env.n, 2, "a map");
	is_string(all->env.v[0].key.s, "A", "its first key");
	is_string(all->env.v[0].value.s, "b", "and value");
	ok(all->env.v[1].value.s == NULL, "null");
	is_int(all->numbers.v[0], 7, "an integer of a list");
	is_bytes(all->text.s, all->text.n, "a\0b", 3, "U+0000");
	is_int((long long)all->evens.n, 2, "values of a kind");
	is_int(((const struct even *)all->evens.v)[1].half, -1, "bound by it");
	groups = all->groups.v;
	is_int((long long)groups[0].members.n, 2, "a list in an object");
	is_string(groups[1].why.s, "w", "and a string");
	ok(!all->start.given && !all->even.given, "absent ones");
	args_release(&a);
}

static void
test_schema(void)
{
	static const char *const parts[] = {
		"\"any\":{\"description\":\"Any.\"}",
		"\"list\":{\"type\":\"array\",",
		"\"env\":{\"type\":\"object\",\"additionalProperties\":{"
		"\"type\":[\"string\",\"null\"]},",
		"\"words\":{\"type\":\"object\",\"additionalProperties\":{"
		"\"type\":\"string\"},",
		"\"numbers\":{\"type\":\"array\",\"items\":{\"type\":"
		"\"integer\",\"minimum\":0,\"maximum\":9999},\"maxItems\":3,",
		"\"start\":{\"anyOf\":[{\"type\":\"integer\",\"minimum\":1},"
		"{\"type\":\"null\"}],",
		"\"even\":{\"type\":\"integer\",\"multipleOf\":2,",
		"\"evens\":{\"type\":\"array\",\"items\":{\"type\":\"integer\","
		"\"multipleOf\":2},\"maxItems\":2,",
		"\"minItems\":1",
	};
	struct buf out = BUF_INIT;

	schema_print(&tool, &out);
	ok(json_check(buf_str(&out), 64, 0, NULL) == 0, "the schema is JSON");
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (!ok(strstr(out.data, parts[i]) != NULL, "%s", parts[i]))
			printf("# %s\n", out.data);
	buf_reset(&out);
	help_print(&tool, &out);
	ok(strstr(out.data, "--even EVEN") != NULL, "help: its word");
	ok(strstr(out.data, "--list JSON") != NULL, "help: JSON");
	ok(strstr(out.data, "(required without --stream)") != NULL,
	   "help: what a stream brings");
	ok(strstr(out.data, "The start. (from 1)") != NULL,
	   "help: a bound that is not told");
	buf_release(&out);
}

static void
parses_to(char *argv[], const char *want, const char *name)
{
	struct command_line c;
	struct fail fail = FAIL_INIT;
	struct facts facts = { { NULL } };
	struct buf object = BUF_INIT;
	int argc = 0;

	while (argv[argc] != NULL)
		argc++;
	if (command_line_parse(&c, &tool, argc, argv, &facts, &fail) == 0)
		given_object(&c.params, &object);
	else
		buf_adds(&object, fail.message.data);
	is_string(object.data, want, name);
	command_line_release(&c);
	buf_release(&object);
	fail_release(&fail);
}

#define ARGV(...) ((char *[]){ (char[]){ "odd-types" }, __VA_ARGS__, NULL })
#define W(word) ((char[]){ word })

static void
test_command_line(void)
{
	parses_to(ARGV(W("--any"), W(" {\"a\" : 1.50} ")),
		  "{\"any\":{\"a\" : 1.50}}", "a value is JSON text");
	parses_to(ARGV(W("--any"), W("{\"a\":\"\\u0000\"}")),
		  "{\"any\":{\"a\":\"\\u0000\"}}", "U+0000 where it may be");
	parses_to(ARGV(W("--any"), W("nope")),
		  "any: not JSON: line 1, column 2: expected null",
		  "which it has to be");
	parses_to(ARGV(W("--numbers"), W("1,2"), W("--numbers"), W("03")),
		  "{\"numbers\":[1,2,3]}", "integers, with commas or again");
	parses_to(ARGV(W("--numbers"), W("1,x")),
		  "numbers: \"1,x\" given; legal: array of at most 3 integers "
		  "from 0 to 9999",
		  "no integer");
	parses_to(ARGV(W("--evens"), W("2"), W("--evens"), W("[4]")),
		  "{\"evens\":[2,4]}", "values of a kind, one or a list");
	parses_to(ARGV(W("-j"), W("-t")), "-j and -t given; legal: one of them",
		  "one surface");
	parses_to(ARGV(W("--json"), W("-j")), "-j: given twice; legal: once",
		  "once");
}

int
main(void)
{
	test_messages();
	test_values();
	test_schema();
	test_command_line();
	return done();
}
