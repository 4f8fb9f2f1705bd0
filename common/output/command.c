#include "output/command.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "output/place.h"

static int
take_argv(struct command *c, const char *const *words,
	  const struct arg_list *list, struct fail *fail)
{
	size_t n = list->n, i;

	if (words != NULL)
		for (n = 0; words[n] != NULL; n++)
			;
	c->argv = xcalloc(n + 1, sizeof(char *));
	for (i = 0; i < n; i++)
		c->argv[i] = words != NULL ? words[i] : list->v[i].s;
	if (c->argv[0] == NULL || c->argv[0][0] == '\0')
		return fail_invalid(fail, "argv: an empty first word given; "
					  "legal: a command");
	return 0;
}

static bool
is_given(const struct arg_map *env, struct str name)
{
	size_t i;

	for (i = 0; i < env->n; i++)
		if (str_eq(env->v[i].key, name))
			return true;
	return false;
}

/* Ours, without what is given; then what is given and not null. */
static int
take_environment(struct command *c, const struct arg_map *env,
		 struct fail *fail)
{
	size_t n = 0, i;

	for (i = 0; i < env->n; i++)
		if (env->v[i].key.n == 0 || str_has(env->v[i].key, '='))
			return fail_invalid(fail,
					    "env: a name that is empty or has "
					    "a \"=\" given; legal: names "
					    "without");
	while (environ[n] != NULL)
		n++;
	c->environment = c->made = xcalloc(n + env->n + 1, sizeof(char *));
	for (i = 0; i < n; i++)
		if (!is_given(env, (struct str){ environ[i],
						 strcspn(environ[i], "=") }))
			*c->made++ = environ[i];
	for (i = 0, n = 0; i < env->n; i++) {
		struct buf text = BUF_INIT;

		if (env->v[i].value.s == NULL)
			continue;
		buf_add_str(&text, env->v[i].key);
		buf_addc(&text, '=');
		buf_add_str(&text, env->v[i].value);
		c->made[n++] = buf_detach(&text);
	}
	return 0;
}

static int
take_cwd(struct command *c, const struct facts *facts,
	 const struct arg_string *cwd, struct fail *fail)
{
	struct buf quoted = BUF_INIT;
	struct stat st;
	int rc = place_resolve(&c->cwd, facts, cwd->given ? cwd->s : ".", fail);

	if (rc != 0)
		return rc;
	fail_quote(&quoted, buf_str(&c->cwd));
	if (stat(c->cwd.data, &st) != 0)
		rc = fail_refuse(fail, "not_found",
				 "cwd: there is no directory %s", quoted.data);
	else if (!S_ISDIR(st.st_mode))
		rc = fail_refuse(fail, "not_file", "cwd: %s is not a directory",
				 quoted.data);
	buf_release(&quoted);
	return rc;
}

int
command_init(struct command *c, const struct facts *facts,
	     const char *const *words, const struct arg_list *argv,
	     const struct arg_map *env, const struct arg_string *cwd,
	     struct fail *fail)
{
	*c = (struct command){ .cwd = BUF_INIT };
	if (take_argv(c, words, argv, fail) != 0 ||
	    take_environment(c, env, fail) != 0)
		return -1;
	return take_cwd(c, facts, cwd, fail);
}

void
command_release(struct command *c)
{
	size_t i;

	for (i = 0; c->made != NULL && c->made[i] != NULL; i++)
		free(c->made[i]);
	free(c->environment);
	free(c->argv);
	buf_release(&c->cwd);
}
