#include "tool/completion.h"

#include <string.h>

#include "tool/bind.h"
#include "tool/command_line.h"
#include "tool/help.h"

/* One option as a shell sees it. */
struct option {
	struct buf flag; /* --foo-bar */
	const char *help;
	bool takes_value, repeats;
	const char *const *values; /* NULL: free text */
	bool directory, file;	   /* what a value names */
};

/*
 * What a parameter of that name means, for the functions of completions/:
 * `session` or `address`, or NULL.
 */
static const char *
kind_of(const char *name)
{
	if (strcmp(name, "session") == 0)
		return "session";
	if (strcmp(name, "address") == 0 || strcmp(name, "rename_to") == 0 ||
	    strcmp(name, "rename-to") == 0)
		return "address";
	return NULL;
}

/* Writes one option in a shell's language. */
typedef void option_writer(struct buf *out, const char *program,
			   const struct option *o);

static void
fixed(struct buf *out, const char *program, option_writer *write,
      const char *flag, const char *help)
{
	struct option o = { BUF_INIT, help, false, false, NULL, false, false };

	buf_adds(&o.flag, flag);
	write(out, program, &o);
	buf_release(&o.flag);
}

static void
color(struct buf *out, const char *program, option_writer *write)
{
	static const char *const when[] = { "auto", "always", "never", NULL };
	struct option o = { BUF_INIT, "Whether the text has colours",
			    true,     false,
			    when,     false,
			    false };

	buf_adds(&o.flag, "--color");
	write(out, program, &o);
	buf_release(&o.flag);
}

static void
each_param(struct buf *out, const char *program, option_writer *write,
	   const struct param *params)
{
	for (const struct param *p = params; p != NULL && p->name != NULL;
	     p++) {
		struct option o = { BUF_INIT,
				    p->help,
				    !param_is_boolean(p),
				    param_is_list(p),
				    p->values,
				    false,
				    false };
		struct buf negated = BUF_INIT;

		o.directory = strcmp(p->name, "cwd") == 0;
		flag_name(&o.flag, p->name);
		write(out, program, &o);
		if (param_has_negation(p)) {
			buf_addf(&negated, "no_%s", p->name);
			buf_reset(&o.flag);
			flag_name(&o.flag, negated.data);
			write(out, program, &o);
		}
		buf_release(&negated);
		buf_release(&o.flag);
	}
}

static void
each_fact(struct buf *out, const char *program, option_writer *write,
	  const struct tool *tool)
{
	const struct fact_info *info;

	for (int i = 0; i < FACT_COUNT; i++) {
		struct option o = { BUF_INIT, NULL,  true, false,
				    NULL,     false, false };

		info = fact_info((enum fact)i);
		if ((tool->facts & FACT_BIT(i)) == 0 || info->option == NULL)
			continue;
		o.help = info->help;
		o.directory = strcmp(info->metavar, "DIR") == 0;
		o.file = strcmp(info->metavar, "FILE") == 0;
		buf_addf(&o.flag, "--%s", info->option);
		write(out, program, &o);
		buf_release(&o.flag);
	}
}

static void
each_surface(struct buf *out, const char *program, option_writer *write,
	     const struct tool *tool)
{
	fixed(out, program, write, "--json", "Print only the JSON line");
	if (param_find(tool->params, STR("text")) == NULL)
		fixed(out, program, write, "--text", "Print only the text");
	color(out, program, write);
	fixed(out, program, write, "--schema", "Print the tool's definition");
}

static void
each_option(struct buf *out, const char *program, option_writer *write,
	    const struct tool *tool)
{
	each_param(out, program, write, tool->params);
	each_param(out, program, write, tool->options);
	each_fact(out, program, write, tool);
	if (tool->serve == NULL)
		each_surface(out, program, write, tool);
	fixed(out, program, write, "--help", "Print the usage");
	fixed(out, program, write, "--version", "Print the version");
}

/* Adds text for single quotes in bash and zsh; brackets and colons would end
 * a zsh description. */
static void
add_quoted(struct buf *out, const char *text)
{
	for (; *text != '\0'; text++) {
		if (*text == '\'')
			buf_adds(out, "'\\''");
		else if (*text == '[' || *text == ']' || *text == ':')
			buf_addf(out, "\\%c", *text);
		else
			buf_addc(out, *text);
	}
}

static void
add_words(struct buf *out, const char *const *values)
{
	const char *const *v;

	for (v = values; *v != NULL; v++)
		buf_addf(out, "%s%s", v == values ? "" : " ", *v);
}

/* ---- bash -------------------------------------------------------------- */

/* Where completions/values.bash stands before the script. */
static void
offer(struct buf *out, const char *kind)
{
	buf_addf(out,
		 "! declare -F _ctxtools_offer >/dev/null || "
		 "_ctxtools_offer %s\n",
		 kind);
}

static void
bash_value(struct buf *out, const char *program, const struct option *o)
{
	(void)program;
	if (!o->takes_value)
		return;
	buf_addf(out, "\t%s)\n\t\t", o->flag.data);
	if (o->values != NULL) {
		buf_adds(out, "mapfile -t COMPREPLY < <(compgen -W '");
		add_words(out, o->values);
		buf_adds(out, "' -- \"$cur\")\n");
	} else if (o->directory || o->file) {
		buf_addf(out,
			 "mapfile -t COMPREPLY < <(compgen -%c -- \"$cur\")\n",
			 o->directory ? 'd' : 'f');
	} else if (kind_of(o->flag.data + 2) != NULL) {
		offer(out, kind_of(o->flag.data + 2));
	} else {
		buf_adds(out, "COMPREPLY=()\n");
	}
	buf_adds(out, "\t\treturn\n\t\t;;\n");
}

static void
bash_flag(struct buf *out, const char *program, const struct option *o)
{
	(void)program;
	buf_addf(out, " %s", o->flag.data);
}

static void
print_bash(struct buf *out, const char *program, const struct tool *tool)
{
	buf_addf(
		out,
		"# bash completion for %s\n_ctxtools_%s()\n{\n"
		"\tlocal cur=${COMP_WORDS[COMP_CWORD]}\n"
		"\tlocal prev=${COMP_WORDS[COMP_CWORD-1]}\n"
		"\t! declare -F _ctxtools_words >/dev/null || _ctxtools_words\n"
		"\tCOMPREPLY=()\n\tcase $prev in\n",
		program, tool->name);
	each_option(out, program, bash_value, tool);
	buf_adds(out, "\tesac\n");
	if (tool->operand != NULL && kind_of(tool->operand) != NULL) {
		buf_adds(out, "\tif [[ $cur != -* ]]; then\n\t\t");
		offer(out, kind_of(tool->operand));
		buf_adds(out, "\tfi\n");
	}
	buf_adds(out, "\t[[ $cur == -* ]] || return\n"
		      "\tmapfile -t COMPREPLY < <(compgen -W '");
	each_option(out, program, bash_flag, tool);
	buf_addf(out, "' -- \"$cur\")\n}\ncomplete -F _ctxtools_%s %s\n",
		 tool->name, program);
}

/* ---- zsh --------------------------------------------------------------- */

static void
zsh_option(struct buf *out, const char *program, const struct option *o)
{
	(void)program;
	buf_addf(out, " \\\n\t'%s%s[", o->repeats ? "*" : "", o->flag.data);
	add_quoted(out, o->help);
	buf_addc(out, ']');
	if (o->values != NULL) {
		buf_adds(out, ":value:(");
		add_words(out, o->values);
		buf_addc(out, ')');
	} else if (o->directory) {
		buf_adds(out, ":directory:_files -/");
	} else if (o->file) {
		buf_adds(out, ":file:_files");
	} else if (o->takes_value && kind_of(o->flag.data + 2) != NULL) {
		buf_addf(out, ":value:_ctxtools_%s", kind_of(o->flag.data + 2));
	} else if (o->takes_value) {
		buf_adds(out, ":value:");
	}
	buf_addc(out, '\'');
}

static void
print_zsh(struct buf *out, const char *program, const struct tool *tool)
{
	const char *kind = tool->operand == NULL ? NULL
						 : kind_of(tool->operand);

	buf_addf(out, "#compdef %s\n\n_arguments", program);
	each_option(out, program, zsh_option, tool);
	if (tool->operand != NULL)
		buf_addf(out, " \\\n\t'::%s:%s%s'", tool->operand,
			 kind != NULL ? "_ctxtools_" : "",
			 kind != NULL ? kind : "");
	buf_addc(out, '\n');
}

/* ---- fish -------------------------------------------------------------- */

static void
fish_option(struct buf *out, const char *program, const struct option *o)
{
	buf_addf(out, "complete -c %s -l %s", program, o->flag.data + 2);
	if (o->takes_value)
		buf_adds(out, o->file ? " -rF" : " -x");
	if (o->values != NULL) {
		buf_adds(out, " -a '");
		add_words(out, o->values);
		buf_addc(out, '\'');
	} else if (o->directory) {
		buf_adds(out, " -a '(__fish_complete_directories)'");
	} else if (o->takes_value && kind_of(o->flag.data + 2) != NULL) {
		buf_addf(out, " -k -a '(__ctxtools_%s)'",
			 kind_of(o->flag.data + 2));
	}
	buf_adds(out, " -d '");
	for (const char *p = o->help; *p != '\0'; p++) {
		if (*p == '\'' || *p == '\\')
			buf_addc(out, '\\');
		buf_addc(out, *p);
	}
	buf_adds(out, "'\n");
}

static void
print_fish(struct buf *out, const char *program, const struct tool *tool)
{
	buf_addf(out, "# fish completion for %s\ncomplete -c %s -f\n", program,
		 program);
	if (tool->operand != NULL && kind_of(tool->operand) != NULL)
		buf_addf(out, "complete -c %s -k -a '(__ctxtools_%s)'\n",
			 program, kind_of(tool->operand));
	each_option(out, program, fish_option, tool);
}

int
completion_print(const struct tool *tool, const char *shell,
		 const struct facts *facts, struct buf *out, struct fail *fail)
{
	static const struct {
		const char *shell;
		void (*print)(struct buf *out, const char *program,
			      const struct tool *tool);
	} shells[] = { { "bash", print_bash },
		       { "zsh", print_zsh },
		       { "fish", print_fish } };
	struct buf program = BUF_INIT, quoted = BUF_INIT;
	size_t i;

	if (tool->offer != NULL && strcmp(shell, "values") == 0) {
		tool->offer(facts, out);
		return 0;
	}
	program_name(&program, tool);
	for (i = 0; i < sizeof(shells) / sizeof(shells[0]); i++)
		if (strcmp(shells[i].shell, shell) == 0)
			break;
	if (i < sizeof(shells) / sizeof(shells[0])) {
		shells[i].print(out, program.data, tool);
	} else {
		fail_quote(&quoted, str_of(shell));
		fail_invalid(fail,
			     "--completion: %s given; legal: bash, zsh, fish",
			     quoted.data);
	}
	buf_release(&program);
	buf_release(&quoted);
	return fail->kind == FAIL_NONE ? 0 : -1;
}
