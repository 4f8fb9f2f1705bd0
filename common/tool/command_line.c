#include "tool/command_line.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_check.h"
#include "base/utf8.h"
#include "base/xalloc.h"
#include "text/near.h"
#include "tool/bind.h"
#include "tool/suggest.h"

struct parser {
	struct command_line *c;
	const struct tool *tool;
	struct facts *facts;
	uint32_t facts_given; /* FACT_BIT()s */
	bool color_given;
	struct fail *fail;
	int argc, next;
	char **argv;
};

void
flag_name(struct buf *out, const char *name)
{
	buf_adds(out, "--");
	for (const char *p = name; *p != '\0'; p++)
		buf_addc(out, *p == '_' ? '-' : *p);
}

void
command_line_release(struct command_line *c)
{
	free(c->params.v);
	free(c->options.v);
	*c = (struct command_line){ .request = REQUEST_RUN };
}

/* ---- what was given ---------------------------------------------------- */

static const struct given *
find_given(const struct given_list *list, const struct param *p)
{
	for (size_t i = 0; i < list->n; i++)
		if (list->v[i].param == p)
			return &list->v[i];
	return NULL;
}

bool
given_on(const struct given_list *list, const struct param *p)
{
	const struct given *g = find_given(list, p);

	return g != NULL && g->on;
}

static void
add_given(struct given_list *list, const struct param *p, struct str value,
	  bool on)
{
	XGROW(list->v, list->n + 1, list->cap);
	list->v[list->n++] = (struct given){ p, value, on };
}

static void
write_plain(struct json_writer *w, const struct param *p, struct str value)
{
	if (p->type == PARAM_INTEGER || p->type == PARAM_INTEGER_LIST)
		json_integer(w, strtoll(value.s, NULL, 10));
	else if (param_is_json(p))
		json_raw(w, json_value(value));
	else
		json_string(w, value);
}

/* Items of a list: what was typed, a part of it, or those of a JSON array. */
static void
write_items(struct json_writer *w, const struct param *p, struct str value)
{
	struct json_iter it;
	struct str item;

	if (param_is_json(p) && json_kind(json_value(value)) == JSON_ARRAY) {
		it = json_iterate(json_value(value));
		while (json_next_element(&it, &item))
			json_raw(w, item);
		return;
	}
	while (p->commas && str_has(value, ','))
		write_plain(w, p, str_cut(&value, ','));
	write_plain(w, p, value);
}

/* The first of a parameter's values stands for all of them. */
static void
write_given(struct json_writer *w, const struct given_list *list, size_t first)
{
	const struct given *g = &list->v[first];

	json_key(w, g->param->name);
	if (param_is_boolean(g->param)) {
		json_boolean(w, g->on);
	} else if (!param_is_list(g->param)) {
		write_plain(w, g->param, g->value);
	} else {
		json_open_array(w);
		for (size_t i = first; i < list->n; i++)
			if (list->v[i].param == g->param)
				write_items(w, g->param, list->v[i].value);
		json_close_array(w);
	}
}

void
given_object(const struct given_list *list, struct buf *out)
{
	struct json_writer w;

	json_begin(&w, out);
	json_open_object(&w);
	for (size_t i = 0; i < list->n; i++)
		if (find_given(list, list->v[i].param) == &list->v[i])
			write_given(&w, list, i);
	json_close_object(&w);
}

void
command_line_set_stdin(struct command_line *c, struct str text)
{
	for (size_t i = 0; i < c->params.n; i++)
		if (c->params.v[i].param == c->from_stdin &&
		    str_is(c->params.v[i].value, "-")) {
			c->params.v[i].value = text;
			return;
		}
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

/* One integer, or several between commas. */
static bool
is_integer(const struct param *p, const char *value)
{
	const char *digits;
	char *end;
	long long v;

	for (;; value = end + 1) {
		digits = value + (*value == '-');
		errno = 0;
		v = strtoll(value, &end, 10);
		if (*digits < '0' || *digits > '9' || errno != 0 ||
		    v < PARAM_ANY_MIN || v > PARAM_ANY_MAX)
			return false;
		if (*end != ',' || !p->commas)
			return *end == '\0';
	}
}

static int
check_json(const struct tool *tool, const struct param *p, const char *value,
	   struct fail *fail)
{
	struct json_error error;

	if (args_check(tool, str_of(value), &error) == 0)
		return 0;
	return fail_invalid(fail, "%s: not JSON: line %u, column %u: %s",
			    p->name, error.line, error.column, error.reason);
}

/* That it can stand in JSON; whether it is legal, binding tells. */
static int
check_value(const struct tool *tool, const struct param *p, const char *value,
	    struct fail *fail)
{
	size_t bad = utf8_valid_prefix(str_of(value));

	if (value[bad] != '\0')
		return fail_invalid(fail,
				    "%s: invalid UTF-8 at byte %zu; "
				    "legal: UTF-8 text",
				    p->name, bad);
	if ((p->type == PARAM_INTEGER || p->type == PARAM_INTEGER_LIST) &&
	    !is_integer(p, value))
		return bad_value(p, value, fail);
	return param_is_json(p) ? check_json(tool, p, value, fail) : 0;
}

static int
twice(const char *what, struct fail *fail)
{
	return fail_invalid(fail, "%s: given twice; legal: once", what);
}

static bool
reads_stdin(const struct param *p, const char *value)
{
	return strcmp(value, "-") == 0 &&
	       (p->type == PARAM_STRING || p->type == PARAM_STRING_OR_LIST ||
		(p->type == PARAM_KIND && !p->kind->is_json));
}

/* The place of a value that is yet to come from stdin. */
static int
take_stdin(struct parser *s, const struct param *p)
{
	if (s->c->from_stdin != NULL)
		return fail_invalid(s->fail,
				    "%s: - given, but stdin is already read "
				    "for %s; legal: one parameter from stdin",
				    p->name, s->c->from_stdin->name);
	s->c->from_stdin = p;
	return 0;
}

static int
set_value(struct parser *s, struct given_list *list, const struct param *p,
	  const char *value)
{
	if (check_value(s->tool, p, value, s->fail) != 0)
		return -1;
	if (!param_is_list(p) && find_given(list, p) != NULL)
		return twice(p->name, s->fail);
	if (list == &s->c->params && reads_stdin(p, value) &&
	    take_stdin(s, p) != 0)
		return -1;
	add_given(list, p, str_of(value), false);
	return 0;
}

static int
set_boolean(struct parser *s, struct given_list *list, const struct param *p,
	    bool on)
{
	if (find_given(list, p) != NULL)
		return twice(p->name, s->fail);
	add_given(list, p, STR(""), on);
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
try_table(struct parser *s, struct given_list *list, const struct param *params,
	  struct str name, const char *inline_value)
{
	bool negated = str_starts(name, STR("no-"));
	struct buf plain = BUF_INIT;
	const struct param *p;
	const char *value;
	int rc = 0;

	buf_add_str(&plain, name);
	for (size_t i = 0; i < plain.len; i++)
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
		rc = set_boolean(s, list, p, !negated);
	} else if (param_is_boolean(p)) {
		rc = bad_switch(p, inline_value, s->fail);
	} else {
		value = option_value(s, name, inline_value);
		rc = value == NULL ? -1 : set_value(s, list, p, value);
	}
	if (rc == 0)
		rc = 1;
out:
	buf_release(&plain);
	return rc;
}

/* Host facts: 1 taken, 0 not there, -1 failed. */
static int
try_fact(struct parser *s, struct str name, const char *inline_value)
{
	const struct fact_info *info;
	struct buf option = BUF_INIT;
	const char *value;

	for (int i = 0; i < FACT_COUNT; i++) {
		info = fact_info((enum fact)i);
		if ((s->tool->facts & FACT_BIT(i)) == 0 ||
		    info->option == NULL || !str_is(name, info->option))
			continue;
		if ((s->facts_given & FACT_BIT(i)) != 0) {
			buf_addf(&option, "--%s", info->option);
			(void)twice(option.data, s->fail);
			buf_release(&option);
			return -1;
		}
		s->facts_given |= FACT_BIT(i);
		value = option_value(s, name, inline_value);
		if (value == NULL)
			return -1;
		s->facts->value[i] = *value == '\0' ? NULL : value;
		return 1;
	}
	return 0;
}

static int
set_surface(struct parser *s, enum surface surface)
{
	if (s->c->surface == surface)
		return twice(surface == SURFACE_JSON ? "-j" : "-t", s->fail);
	if (s->c->surface != SURFACE_DEFAULT)
		return fail_invalid(s->fail,
				    "-j and -t given; legal: one of them");
	s->c->surface = surface;
	return 0;
}

/* Whether there are to be colours. */
static int
set_color(struct parser *s, struct str name, const char *value)
{
	static const char *const words[] = { [COLOR_AUTO] = "auto",
					     [COLOR_ALWAYS] = "always",
					     [COLOR_NEVER] = "never",
					     NULL };
	struct suggestion meant;
	struct buf text = BUF_INIT;

	if (s->color_given)
		return twice("--color", s->fail);
	s->color_given = true;
	value = option_value(s, name, value);
	if (value == NULL)
		return -1;
	for (int i = 0; words[i] != NULL; i++) {
		if (strcmp(words[i], value) != 0)
			continue;
		s->c->color = (enum color)i;
		return 0;
	}
	fail_quote(&text, str_of(value));
	buf_adds(&text, " given; legal: auto, always, never");
	meant = (struct suggestion)SUGGESTION(str_of(value));
	suggest_values(&meant, words);
	suggest_add(&text, &meant, "");
	fail_invalid(s->fail, "--color: %s", text.data);
	buf_release(&text);
	return -1;
}

/* What every program has: 1 taken, 0 not there, -1 failed. */
static int
common_option(struct parser *s, struct str name)
{
	if (str_is(name, "help"))
		s->c->request = REQUEST_HELP;
	else if (str_is(name, "version"))
		s->c->request = REQUEST_VERSION;
	else if (s->tool->serve != NULL)
		return 0;
	else if (str_is(name, "schema"))
		s->c->request = REQUEST_SCHEMA;
	else if (str_is(name, "json"))
		return set_surface(s, SURFACE_JSON) == 0 ? 1 : -1;
	else if (str_is(name, "text"))
		return set_surface(s, SURFACE_TEXT) == 0 ? 1 : -1;
	else
		return 0;
	return 1;
}

/* What all programs have, but those that speak a protocol. */
static const char *const common_names[] = { "help", "version", "completion",
					    NULL };
static const char *const surface_names[] = { "json", "text", "schema", "color",
					     NULL };

static int
unknown_option(struct parser *s, const char *word)
{
	struct str name = { word, strcspn(word, "=") };
	struct buf text = BUF_INIT, plain = BUF_INIT;
	struct suggestion meant;

	buf_adds(&text, "unknown option ");
	fail_quote(&text, str_of(word));
	for (size_t i = name.n > 2 ? 2 : 0; i < name.n; i++)
		buf_addc(&plain, word[i] == '-' ? '_' : word[i]);
	meant = (struct suggestion)SUGGESTION(buf_str(&plain));
	suggest_params(&meant, s->tool->params);
	suggest_params(&meant, s->tool->options);
	for (int i = 0; i < FACT_COUNT; i++) {
		const struct fact_info *info = fact_info((enum fact)i);

		if ((s->tool->facts & FACT_BIT(i)) != 0 && info->option != NULL)
			suggest_name(&meant, info->option);
	}
	suggest_values(&meant, common_names);
	if (s->tool->serve == NULL)
		suggest_values(&meant, surface_names);
	if (word[1] == '-' && meant.name != NULL)
		suggest_add(&text, &meant, "--");
	else
		buf_adds(&text, "; try --help");
	fail_invalid(s->fail, "%s", text.data);
	buf_release(&text);
	buf_release(&plain);
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

	rc = try_table(s, &s->c->params, s->tool->params, name, value);
	if (rc == 0)
		rc = try_table(s, &s->c->options, s->tool->options, name,
			       value);
	if (rc == 0)
		rc = try_fact(s, name, value);
	if (rc != 0)
		return rc < 0 ? -1 : 0;
	if (str_is(name, "completion")) {
		s->c->request = REQUEST_COMPLETION;
		s->c->shell = option_value(s, name, value);
		return s->c->shell == NULL ? -1 : 0;
	}
	if (str_is(name, "color") && s->tool->serve == NULL)
		return set_color(s, name, value);
	rc = value == NULL ? common_option(s, name) : 0;
	if (rc == 0)
		return unknown_option(s, word);
	return rc < 0 ? -1 : 0;
}

static int
parse_operand(struct parser *s, const char *word)
{
	const struct param *p = s->tool->operand == NULL
					? NULL
					: param_find(s->tool->params,
						     str_of(s->tool->operand));
	struct buf quoted = BUF_INIT;

	if (p != NULL && find_given(&s->c->params, p) == NULL)
		return set_value(s, &s->c->params, p, word);
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
		return set_surface(s, SURFACE_JSON);
	else if (strcmp(word, "-t") == 0)
		return set_surface(s, SURFACE_TEXT);
	else
		return unknown_option(s, word);
	return 0;
}

/* The words behind `--` stand for the parameter that is the operand. */
static int
take_command(struct parser *s)
{
	const struct param *p = param_find(s->tool->params,
					   str_of(s->tool->operand));

	if (s->next == s->argc)
		return fail_invalid(s->fail,
				    "--: nothing given; legal: a command");
	if (find_given(&s->c->params, p) != NULL)
		return twice(p->name, s->fail);
	s->c->command = (const char *const *)(void *)&s->argv[s->next];
	s->next = s->argc;
	return 0;
}

int
command_line_parse(struct command_line *c, const struct tool *tool, int argc,
		   char *argv[], struct facts *facts, struct fail *fail)
{
	struct parser s = { .c = c,
			    .tool = tool,
			    .facts = facts,
			    .fail = fail,
			    .argc = argc,
			    .next = 1,
			    .argv = argv };
	bool options_end = false;
	const char *word;
	int rc = 0;

	*c = (struct command_line){ .request = REQUEST_RUN };
	while (rc == 0 && s.next < argc) {
		word = argv[s.next++];
		if (options_end)
			rc = parse_operand(&s, word);
		else if (strcmp(word, "--") != 0)
			rc = parse_word(&s, word);
		else if (tool->takes_command)
			rc = take_command(&s);
		else
			options_end = true;
	}
	return rc;
}
