#include "tool/command_line.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_check.h"
#include "base/utf8.h"
#include "base/xalloc.h"
#include "tool/bind.h"

#define ARGUMENT_DEPTH 64

struct parser {
	struct command_line *c;
	const struct tool *tool;
	struct facts *facts;
	struct fail *fail;
	int argc, next;
	char **argv;
};

void
flag_name(struct buf *out, const char *name)
{
	const char *p;

	buf_adds(out, "--");
	for (p = name; *p != '\0'; p++)
		buf_addc(out, *p == '_' ? '-' : *p);
}

void
command_line_release(struct command_line *c)
{
	cJSON_Delete(c->params);
	cJSON_Delete(c->options);
	c->params = c->options = NULL;
}

static cJSON *
must(cJSON *item)
{
	if (item == NULL)
		abort(); /* out of memory */
	return item;
}

static void
put(cJSON *object, const char *name, cJSON *value)
{
	if (!cJSON_AddItemToObject(object, name, must(value)))
		abort();
}

/* ---- one value --------------------------------------------------------- */

static int
bad_value(const struct param *p, const char *value, struct fail *fail)
{
	struct buf text = BUF_INIT;

	buf_addf(&text, "%s: ", p->name);
	fail_quote(&text, str_of(value));
	buf_adds(&text, " given; legal: ");
	param_legal(&text, p);
	fail_invalid(fail, "%s", text.data);
	buf_release(&text);
	return -1;
}

static int
bad_switch(const struct param *p, const char *value, struct fail *fail)
{
	struct buf quoted = BUF_INIT, flag = BUF_INIT;

	fail_quote(&quoted, str_of(value));
	flag_name(&flag, p->name);
	fail_invalid(fail,
		     "%s: %s given; legal: %s or --no-%s, without a value",
		     p->name, quoted.data, flag.data, flag.data + 2);
	buf_release(&quoted);
	buf_release(&flag);
	return -1;
}

static cJSON *
integer_value(const struct param *p, const char *value, struct fail *fail)
{
	const char *digits = value + (*value == '-');
	char *end;
	long long v;

	errno = 0;
	v = strtoll(value, &end, 10);
	if (*digits < '0' || *digits > '9' || *end != '\0' || errno != 0 ||
	    v < PARAM_ANY_MIN || v > PARAM_ANY_MAX) {
		bad_value(p, value, fail);
		return NULL;
	}
	return must(cJSON_CreateNumber((double)v));
}

static cJSON *
object_value(const struct param *p, const char *value, struct fail *fail)
{
	struct json_error error;
	cJSON *item;

	if (json_check(str_of(value), ARGUMENT_DEPTH, 0, &error) != 0) {
		fail_invalid(fail, "%s: not JSON: line %u, column %u: %s",
			     p->name, error.line, error.column, error.reason);
		return NULL;
	}
	item = must(cJSON_Parse(value));
	return item;
}

/* An array of what stands between the commas. */
static cJSON *
comma_values(const char *value)
{
	cJSON *array = must(cJSON_CreateArray());
	char *piece;
	size_t n;

	for (;; value += n + 1) {
		n = strcspn(value, ",");
		piece = xmemdup(value, n);
		if (!cJSON_AddItemToArray(array,
					  must(cJSON_CreateString(piece))))
			abort();
		free(piece);
		if (value[n] == '\0')
			return array;
	}
}

static cJSON *
make_value(const struct param *p, const char *value, struct fail *fail)
{
	if (p->type == PARAM_INTEGER)
		return integer_value(p, value, fail);
	if (p->type == PARAM_OBJECT_LIST)
		return object_value(p, value, fail);
	if (p->commas)
		return comma_values(value);
	return must(cJSON_CreateString(value));
}

/* A list parameter given once more: its array grows. */
static void
append(cJSON *array, cJSON *value)
{
	cJSON *first;

	/* JSON text of a whole list is taken as its items. */
	while (cJSON_IsArray(value) && value->child != NULL) {
		first = cJSON_DetachItemViaPointer(value, value->child);
		if (!cJSON_AddItemToArray(array, must(first)))
			abort();
	}
	if (cJSON_IsArray(value))
		cJSON_Delete(value);
	else if (!cJSON_AddItemToArray(array, value))
		abort();
}

static int
twice(const struct param *p, struct fail *fail)
{
	return fail_invalid(fail, "%s: given twice; legal: once", p->name);
}

static bool
reads_stdin(const struct param *p, const char *value)
{
	return strcmp(value, "-") == 0 &&
	       (p->type == PARAM_STRING || p->type == PARAM_STRING_OR_LIST);
}

/* The place of a value that is yet to come from stdin. */
static int
take_stdin(struct parser *s, const struct param *p)
{
	if (s->c->from_stdin != NULL)
		return fail_invalid(s->fail,
				    "%s: - given, but stdin is already read "
				    "for %s; legal: one parameter from stdin",
				    p->name, s->c->from_stdin);
	s->c->from_stdin = p->name;
	return 0;
}

static int
set_value(struct parser *s, cJSON *object, const struct param *p,
	  const char *value)
{
	cJSON *old = cJSON_GetObjectItemCaseSensitive(object, p->name);
	size_t bad = utf8_valid_prefix(str_of(value));
	cJSON *item;

	if (value[bad] != '\0')
		return fail_invalid(s->fail,
				    "%s: invalid UTF-8 at byte %zu; "
				    "legal: UTF-8 text",
				    p->name, bad);
	if (old != NULL && !param_is_list(p))
		return twice(p, s->fail);
	if (object == s->c->params && reads_stdin(p, value) &&
	    take_stdin(s, p) != 0)
		return -1;
	item = make_value(p, value, s->fail);
	if (item == NULL)
		return -1;
	if (param_is_list(p)) {
		if (old == NULL) {
			old = must(cJSON_CreateArray());
			put(object, p->name, old);
		}
		append(old, item);
	} else {
		put(object, p->name, item);
	}
	return 0;
}

static int
set_boolean(struct parser *s, cJSON *object, const struct param *p, bool v)
{
	if (cJSON_GetObjectItemCaseSensitive(object, p->name) != NULL)
		return twice(p, s->fail);
	put(object, p->name, cJSON_CreateBool(v));
	return 0;
}

/* ---- one option -------------------------------------------------------- */

/* The text after `=`, else the next word of the command line. */
static const char *
option_value(struct parser *s, struct str name, const char *inline_value)
{
	if (inline_value != NULL)
		return inline_value;
	if (s->next < s->argc)
		return s->argv[s->next++];
	fail_invalid(s->fail, "--%.*s: nothing given; legal: a value",
		     (int)name.n, name.s);
	return NULL;
}

/* Tries one table of parameters: 1 taken, 0 not there, -1 failed. */
static int
try_table(struct parser *s, cJSON *object, const struct param *params,
	  struct str name, const char *inline_value)
{
	bool negated = str_starts(name, STR("no-"));
	struct buf plain = BUF_INIT;
	const struct param *p;
	const char *value;
	size_t i;
	int rc = 0;

	buf_add_str(&plain, name);
	for (i = 0; i < plain.len; i++)
		if (plain.data[i] == '-')
			plain.data[i] = '_';
	p = param_find(params, buf_str(&plain));
	if (p == NULL && negated) {
		p = param_find(params, str_from(buf_str(&plain), 3));
		if (p != NULL && !param_is_boolean(p))
			p = NULL;
	} else {
		negated = false;
	}
	if (p == NULL)
		goto out;
	if (param_is_boolean(p) && inline_value == NULL) {
		rc = set_boolean(s, object, p, !negated);
	} else if (param_is_boolean(p)) {
		rc = bad_switch(p, inline_value, s->fail);
	} else {
		value = option_value(s, name, inline_value);
		rc = value == NULL ? -1 : set_value(s, object, p, value);
	}
	if (rc == 0) {
		rc = 1;
		s->c->has_params |= object == s->c->params;
	}
out:
	buf_release(&plain);
	return rc;
}

/* Host facts: 1 taken, 0 not there, -1 failed. */
static int
try_fact(struct parser *s, struct str name, const char *inline_value)
{
	const struct fact_info *info;
	const char *value;
	int i;

	for (i = 0; i < FACT_COUNT; i++) {
		info = fact_info((enum fact)i);
		if ((s->tool->facts & FACT_BIT(i)) == 0 ||
		    info->option == NULL || !str_is(name, info->option))
			continue;
		value = option_value(s, name, inline_value);
		if (value == NULL)
			return -1;
		s->facts->value[i] = *value == '\0' ? NULL : value;
		return 1;
	}
	return 0;
}

static bool
common_option(struct parser *s, struct str name)
{
	if (str_is(name, "help"))
		s->c->request = REQUEST_HELP;
	else if (str_is(name, "version"))
		s->c->request = REQUEST_VERSION;
	else if (s->tool->serve != NULL)
		return false;
	else if (str_is(name, "schema"))
		s->c->request = REQUEST_SCHEMA;
	else if (str_is(name, "json"))
		s->c->surface = SURFACE_JSON;
	else if (str_is(name, "text"))
		s->c->surface = SURFACE_TEXT;
	else
		return false;
	return true;
}

static int
unknown_option(struct parser *s, const char *word)
{
	struct buf quoted = BUF_INIT;

	fail_quote(&quoted, str_of(word));
	fail_invalid(s->fail, "unknown option %s; try --help", quoted.data);
	buf_release(&quoted);
	return -1;
}

static int
parse_long(struct parser *s, const char *word)
{
	const char *equals = strchr(word, '=');
	struct str name = { word + 2, equals != NULL
					      ? (size_t)(equals - word) - 2
					      : strlen(word + 2) };
	const char *value = equals != NULL ? equals + 1 : NULL;
	int rc;

	rc = try_table(s, s->c->params, s->tool->params, name, value);
	if (rc == 0)
		rc = try_table(s, s->c->options, s->tool->options, name, value);
	if (rc == 0)
		rc = try_fact(s, name, value);
	if (rc != 0)
		return rc < 0 ? -1 : 0;
	if (str_is(name, "completion")) {
		s->c->request = REQUEST_COMPLETION;
		s->c->shell = option_value(s, name, value);
		return s->c->shell == NULL ? -1 : 0;
	}
	if (value == NULL && common_option(s, name))
		return 0;
	return unknown_option(s, word);
}

static int
parse_operand(struct parser *s, const char *word)
{
	const struct param *p = s->tool->operand == NULL
					? NULL
					: param_find(s->tool->params,
						     str_of(s->tool->operand));
	struct buf quoted = BUF_INIT;

	if (p != NULL &&
	    cJSON_GetObjectItemCaseSensitive(s->c->params, p->name) == NULL) {
		s->c->has_params = true;
		return set_value(s, s->c->params, p, word);
	}
	fail_quote(&quoted, str_of(word));
	fail_invalid(s->fail, "unexpected operand %s; legal: %s%s", quoted.data,
		     p == NULL ? "options only" : "one operand, ",
		     p == NULL ? "" : p->name);
	buf_release(&quoted);
	return -1;
}

static int
parse_word(struct parser *s, const char *word)
{
	if (word[0] != '-' || word[1] == '\0')
		return parse_operand(s, word);
	if (word[1] == '-')
		return parse_long(s, word);
	if (strcmp(word, "-h") == 0)
		s->c->request = REQUEST_HELP;
	else if (s->tool->serve != NULL)
		return unknown_option(s, word);
	else if (strcmp(word, "-j") == 0)
		s->c->surface = SURFACE_JSON;
	else if (strcmp(word, "-t") == 0)
		s->c->surface = SURFACE_TEXT;
	else
		return unknown_option(s, word);
	return 0;
}

int
command_line_parse(struct command_line *c, const struct tool *tool, int argc,
		   char *argv[], struct facts *facts, struct fail *fail)
{
	struct parser s = { c, tool, facts, fail, argc, 1, argv };
	bool options_end = false;
	const char *word;
	int rc = 0;

	*c = (struct command_line){ .request = REQUEST_RUN };
	c->params = must(cJSON_CreateObject());
	c->options = must(cJSON_CreateObject());
	while (rc == 0 && s.next < argc) {
		word = argv[s.next++];
		if (options_end)
			rc = parse_operand(&s, word);
		else if (strcmp(word, "--") == 0)
			options_end = true;
		else
			rc = parse_word(&s, word);
	}
	return rc;
}

void
command_line_set_stdin(struct command_line *c, const char *text)
{
	cJSON *old = cJSON_GetObjectItemCaseSensitive(c->params, c->from_stdin);
	cJSON *entry;

	if (!cJSON_IsArray(old)) {
		if (!cJSON_ReplaceItemInObjectCaseSensitive(
			    c->params, c->from_stdin,
			    must(cJSON_CreateString(text))))
			abort();
		return;
	}
	cJSON_ArrayForEach(entry, old)
	{
		if (strcmp(entry->valuestring, "-") != 0)
			continue;
		if (!cJSON_ReplaceItemViaPointer(
			    old, entry, must(cJSON_CreateString(text))))
			abort();
		return;
	}
}
