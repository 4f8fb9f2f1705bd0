#include "tool/help.h"

#include <string.h>

#include "tool/bind.h"
#include "tool/command_line.h"

#define WIDTH 79
#define INDENT 26     /* where the words of an option begin */
#define FAR INT32_MAX /* a bound from here on stops nobody, and is not said */

void
program_name(struct buf *out, const struct tool *tool)
{
	for (const char *p = tool->name; *p != '\0'; p++)
		buf_addc(out, *p == '_' ? '-' : *p);
}

static void
spaces(struct buf *out, size_t n)
{
	while (n-- > 0)
		buf_addc(out, ' ');
}

/* Adds words, broken at blanks before WIDTH; column is where we stand. */
static void
wrap(struct buf *out, const char *text, size_t indent, size_t column)
{
	size_t n;
	bool first = true;

	while (*text != '\0') {
		n = strcspn(text, " ");
		if (!first && column + 1 + n > WIDTH) {
			buf_addc(out, '\n');
			spaces(out, indent);
			column = indent;
		} else if (!first) {
			buf_addc(out, ' ');
			column++;
		}
		buf_add(out, text, n);
		column += n;
		first = false;
		text += n;
		text += strspn(text, " ");
	}
	buf_addc(out, '\n');
}

/* `left` is the option as typed; the words stand beside or below it. */
static void
entry(struct buf *out, const struct buf *left, const char *words)
{
	buf_adds(out, "  ");
	buf_add_str(out, buf_str(left));
	if (left->len + 4 > INDENT) {
		buf_addc(out, '\n');
		spaces(out, INDENT);
	} else {
		spaces(out, INDENT - left->len - 2);
	}
	wrap(out, words, INDENT, INDENT);
}

static const char *
metavar(const struct param *p)
{
	if (p->metavar != NULL)
		return p->metavar;
	if (p->kind != NULL)
		return p->kind->metavar;
	if (p->type == PARAM_INTEGER || p->type == PARAM_INTEGER_LIST)
		return "N";
	return param_is_json(p) ? "JSON" : "TEXT";
}

static void
add_choices(struct buf *out, const char *const *values)
{
	const char *const *v;

	for (v = values; *v != NULL; v++)
		buf_addf(out, "%s%s", v == values ? "" : "|", *v);
}

static void
add_flag(struct buf *out, const struct param *p)
{
	struct buf negated = BUF_INIT;

	flag_name(out, p->name);
	if (param_is_boolean(p)) {
		if (!param_has_negation(p))
			return;
		buf_addf(&negated, "no_%s", p->name);
		buf_adds(out, ", ");
		flag_name(out, negated.data);
		buf_release(&negated);
		return;
	}
	buf_addc(out, ' ');
	if (p->metavar == NULL &&
	    (p->type == PARAM_ENUM || p->type == PARAM_ENUM_LIST))
		add_choices(out, p->values);
	else
		buf_adds(out, metavar(p));
	if (param_is_list(p) && !p->commas)
		buf_adds(out, " ...");
}

/* What the words of a parameter do not say: bounds, default, operand. */
static void
add_facts(struct buf *out, const struct tool *tool, const struct param *p)
{
	struct buf notes = BUF_INIT;

	bool ranges = p->type == PARAM_INTEGER || p->type == PARAM_INTEGER_LIST;

	if (ranges && p->min > -FAR) {
		if (p->max < FAR && !p->max_unsaid)
			buf_addf(&notes, "; %lld to %lld", (long long)p->min,
				 (long long)p->max);
		else
			buf_addf(&notes, "; from %lld", (long long)p->min);
	}
	if (p->fallback_help != NULL)
		buf_addf(&notes, "; default: %s", p->fallback_help);
	else if (p->has_fallback && p->type == PARAM_INTEGER)
		buf_addf(&notes, "; default %lld", (long long)p->fallback);
	else if (p->has_fallback && p->type == PARAM_ENUM)
		buf_addf(&notes, "; default %s", p->values[p->fallback]);
	if (p->required)
		buf_adds(&notes, p->streamed ? "; required without --stream"
					     : "; required");
	if (tool->operand != NULL && strcmp(tool->operand, p->name) == 0)
		buf_adds(&notes, "; also as operand");
	if (notes.len > 0)
		buf_addf(out, " (%s)", notes.data + 2);
	buf_release(&notes);
}

static void
print_params(struct buf *out, const struct tool *tool,
	     const struct param *params)
{
	struct buf left = BUF_INIT, words = BUF_INIT;

	for (const struct param *p = params; p != NULL && p->name != NULL;
	     p++) {
		buf_reset(&left);
		buf_reset(&words);
		add_flag(&left, p);
		buf_adds(&words, p->help);
		add_facts(&words, tool, p);
		entry(out, &left, words.data);
	}
	buf_release(&left);
	buf_release(&words);
}

static void
print_one(struct buf *out, const char *option, const char *words)
{
	struct buf left = BUF_INIT;

	buf_adds(&left, option);
	entry(out, &left, words);
	buf_release(&left);
}

static void
print_surfaces(struct buf *out, const struct tool *tool)
{
	print_one(out, "-j, --json", "Print only the result, one JSON line.");
	print_one(out,
		  param_find(tool->params, STR("text")) != NULL ? "-t"
								: "-t, --text",
		  "Print only the text. The default for a person: when a "
		  "parameter was given on the command line, or stdin is a "
		  "terminal. Else both are printed, the JSON line first.");
	print_one(out, "--color WHEN",
		  "Whether the text has colours: auto, on a terminal unless "
		  "NO_COLOR is set; always; never. (default auto)");
	print_one(out, "--schema", "Print the tool's definition as JSON.");
}

static void
print_facts(struct buf *out, const struct tool *tool)
{
	struct buf left = BUF_INIT, words = BUF_INIT;
	const struct fact_info *info;

	for (int i = 0; i < FACT_COUNT; i++) {
		info = fact_info((enum fact)i);
		if ((tool->facts & FACT_BIT(i)) == 0 || info->option == NULL)
			continue;
		buf_reset(&left);
		buf_reset(&words);
		buf_addf(&left, "--%s %s", info->option, info->metavar);
		buf_addf(&words, "%s (%s%s%s)", info->help, info->variable,
			 info->fallback == NULL ? "" : "; default: ",
			 info->fallback == NULL ? "" : info->fallback);
		entry(out, &left, words.data);
	}
	buf_release(&left);
	buf_release(&words);
}

static void
print_usage(struct buf *out, const struct tool *tool)
{
	struct buf name = BUF_INIT;

	program_name(&name, tool);
	buf_addf(out, "usage: %s [OPTION]...", name.data);
	if (tool->takes_command) {
		buf_adds(out, " -- COMMAND [ARG]...");
	} else if (tool->operand != NULL) {
		buf_adds(out, " [");
		for (const char *p = tool->operand; *p != '\0'; p++)
			buf_addc(out, *p >= 'a' && *p <= 'z'
					      ? (char)(*p - 'a' + 'A')
					      : *p);
		buf_addc(out, ']');
	}
	if (tool->serve == NULL)
		buf_addf(out, "\n       %s < arguments.json", name.data);
	buf_adds(out, "\n\n");
	buf_release(&name);
}

void
help_print(const struct tool *tool, struct buf *out)
{
	print_usage(out, tool);
	wrap(out, tool->description, 0, 0);
	if (tool->params != NULL && tool->params->name != NULL) {
		buf_adds(out, "\nParameters, as options or as members of one "
			      "JSON object on stdin:\n");
		print_params(out, tool, tool->params);
	}
	buf_adds(out, "\nOptions:\n");
	print_params(out, tool, tool->options);
	if (tool->serve == NULL)
		print_surfaces(out, tool);
	print_one(out, "-h, --help", "Print this.");
	print_one(out, "--version", "Print the version.");
	if (tool->facts != 0) {
		buf_adds(out,
			 "\nHost facts, over what the environment says:\n");
		print_facts(out, tool);
	}
	buf_addf(out,
		 "\nExit status: 0 done, %s2 invalid arguments, "
		 "4 the environment failed.\n",
		 tool->serve == NULL ? "1 refused, " : "");
}
