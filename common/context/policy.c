#include "context/policy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "tool/config.h"

#define NUMBER_LEGAL_SIZE 80

/* Thresholds from one place of the file. */
enum source { DIRECT, DEFAULTS, MODEL };
enum threshold { PERCENT, FLOOR, CEILING, HARD, THRESHOLDS };

struct policy_rule {
	enum source source;
	char *pattern; /* of MODEL */
	bool given[THRESHOLDS];
	double percent;
	int64_t v[THRESHOLDS];
};

static const char *const threshold_names[THRESHOLDS] = {
	"reminderRemainingPercent", "reminderRemainingFloorTokens",
	"reminderRemainingCeilingTokens", "hardRolloverUsedTokens"
};

/* The keys that are whole numbers, but for thresholds. */
static const struct {
	const char *name;
	size_t offset;
	int64_t min, max, fallback;
} numbers[] = {
	{ "maxToolOutputChars", offsetof(struct policy, output_chars), 1000,
	  30000, 12000 },
	{ "notesMaxFileBytes", offsetof(struct policy, note_bytes), 1, 4000000,
	  1000000 },
	{ "historyItemPreviewChars", offsetof(struct policy, preview_chars), 1,
	  4000, 400 },
};
#define NUMBERS (sizeof(numbers) / sizeof(numbers[0]))

/* ---- values ------------------------------------------------------------ */

/* A decimal number between 0 and 1, neither of them. */
static bool
is_part(struct str text, double *v)
{
	char copy[32], *end;

	if (text.n == 0 || text.n >= sizeof(copy) ||
	    strspn(text.s, "0123456789.eE-+") < text.n)
		return false;
	memcpy(copy, text.s, text.n);
	copy[text.n] = '\0';
	*v = strtod(copy, &end);
	return *end == '\0' && *v > 0 && *v < 1;
}

static bool
is_boolean(struct str text, bool *v)
{
	*v = str_is(text, "true") || str_is(text, "True") ||
	     str_is(text, "TRUE");
	return *v || str_is(text, "false") || str_is(text, "False") ||
	       str_is(text, "FALSE");
}

/* ---- reading the file -------------------------------------------------- */

struct reader {
	struct policy *policy;
	struct buf slips; /* what is wrong, for people, in one line */
};

static struct policy_rule *
rule_of(struct policy *p, enum source source, struct str pattern)
{
	for (size_t i = 0; i < p->n; i++)
		if (p->rules[i].source == source &&
		    (source != MODEL || str_is(pattern, p->rules[i].pattern)))
			return &p->rules[i];
	XGROW(p->rules, p->n + 1, p->cap);
	p->rules[p->n] = (struct policy_rule){
		.source = source, .pattern = xmemdup(pattern.s, pattern.n)
	};
	return &p->rules[p->n++];
}

/* What is wrong with a threshold, or NULL. */
static const char *
take_threshold(struct policy_rule *rule, const struct config_value *v)
{
	struct str name = v->keys[v->n - 1];
	unsigned i = 0;

	while (i < THRESHOLDS && !str_is(name, threshold_names[i]))
		i++;
	if (i == THRESHOLDS)
		return v->text.s == NULL ? "no such map or list"
					 : "no such setting";
	if (i == PERCENT) {
		double part;

		if (!v->plain || !is_part(v->text, &part))
			return "give a number between 0 and 1";
		rule->percent = part;
	} else if (!config_integer(v, 0, INT64_C(9007199254740991),
				   &rule->v[i])) {
		return "give a whole number, 0 or more";
	}
	rule->given[i] = true;
	return NULL;
}

static const char *
take_number(struct reader *r, const struct config_value *v, size_t i,
	    char legal[NUMBER_LEGAL_SIZE])
{
	char *at = (char *)r->policy + numbers[i].offset;

	if (config_integer(v, numbers[i].min, numbers[i].max,
			   (int64_t *)(void *)at))
		return NULL;
	snprintf(legal, NUMBER_LEGAL_SIZE,
		 "give a whole number from %lld to %lld",
		 (long long)numbers[i].min, (long long)numbers[i].max);
	return legal;
}

/* A key of `context` itself: what is wrong with its value, or NULL. */
static const char *
take_key(struct reader *r, const struct config_value *v,
	 char legal[NUMBER_LEGAL_SIZE])
{
	struct str name = v->keys[1];
	bool enabled;

	if (str_is(name, "defaults") || str_is(name, "models"))
		return v->map || v->null ? NULL : "give a map";
	if (str_is(name, "enabled")) {
		if (!v->plain || !is_boolean(v->text, &enabled))
			return "give true or false";
		r->policy->disabled = !enabled;
		return NULL;
	}
	if (str_is(name, "prompts_dir"))
		return config_path(v, &r->policy->prompts_dir) == NULL
			       ? NULL
			       : "give a folder";
	for (size_t i = 0; i < NUMBERS; i++)
		if (str_is(name, numbers[i].name))
			return take_number(r, v, i, legal);
	return take_threshold(rule_of(r->policy, DIRECT, STR("")), v);
}

static int
take(void *ctx, const struct config_value *v, struct fail *fail)
{
	struct reader *r = ctx;
	char legal[NUMBER_LEGAL_SIZE];
	const char *wrong = NULL;
	bool defaults = str_is(v->keys[1], "defaults");
	bool models = str_is(v->keys[1], "models");

	(void)fail;
	if (v->n == 2)
		wrong = take_key(r, v, legal);
	else if (v->n == 1 || (v->n == 3 && models))
		wrong = v->map || v->null ? NULL : "give a map";
	else if (v->n == 3 && defaults)
		wrong = take_threshold(rule_of(r->policy, DEFAULTS, STR("")),
				       v);
	else if (models)
		wrong = take_threshold(rule_of(r->policy, MODEL, v->keys[2]),
				       v);
	if (wrong != NULL)
		config_slip(&r->slips, v, wrong);
	return 0;
}

/* ---- the environment --------------------------------------------------- */

static struct config_value
variable(const char *name)
{
	const char *value = getenv(name);

	return (struct config_value){ .path = "",
				      .keys = { str_of(name) },
				      .n = 1,
				      .text = str_of(value),
				      .plain = true };
}

static void
read_environment(struct reader *r)
{
	const char *disabled = getenv("CTX_CONTEXT_DISABLED");
	struct config_value percent = variable("CTX_CONTEXT_REMINDER_PERCENT");
	struct config_value hard = variable("CTX_CONTEXT_HARD_ROLLOVER_TOKENS");
	struct policy *p = r->policy;

	if (disabled != NULL && strcmp(disabled, "1") == 0)
		p->disabled = true;
	if (percent.text.n > 0 &&
	    !is_part(percent.text, &p->percent_override)) {
		p->percent_override = 0;
		config_slip(&r->slips, &percent,
			    "give a number between 0 and 1");
	}
	if (hard.text.n > 0 &&
	    !config_integer(&hard, 1, INT64_C(9007199254740991),
			    &p->hard_override))
		config_slip(&r->slips, &hard, "give a whole number above 0");
}

int
policy_read(struct policy *p, const struct facts *facts, struct buf *remarks,
	    struct fail *fail)
{
	struct reader r = { .policy = p, .slips = BUF_INIT };
	int rc;

	*p = (struct policy){ .prompts_dir = BUF_INIT };
	for (size_t i = 0; i < NUMBERS; i++)
		*(int64_t *)(void *)((char *)p +
				     numbers[i].offset) = numbers[i].fallback;
	rc = config_read(facts, "context", take, &r, fail);
	read_environment(&r);
	if (rc == 0 && r.slips.len > 0)
		buf_addf(remarks, "%s\n", r.slips.data);
	buf_release(&r.slips);
	return rc;
}

void
policy_release(struct policy *p)
{
	for (size_t i = 0; i < p->n; i++)
		free(p->rules[i].pattern);
	free(p->rules);
	buf_release(&p->prompts_dir);
	*p = (struct policy){ .prompts_dir = BUF_INIT };
}

/* ---- by model ---------------------------------------------------------- */

static char
lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Greedy, going back to the last star only: linear but for repeated stars. */
static bool
matches(struct str pattern, struct str s)
{
	size_t p = 0, i = 0, star = pattern.n, from = 0;

	while (i < s.n) {
		if (p < pattern.n && pattern.s[p] == '*') {
			star = p++;
			from = i;
		} else if (p < pattern.n &&
			   lower(pattern.s[p]) == lower(s.s[i])) {
			p++;
			i++;
		} else if (star < pattern.n) {
			p = star + 1;
			i = ++from;
		} else {
			return false;
		}
	}
	while (p < pattern.n && pattern.s[p] == '*')
		p++;
	return p == pattern.n;
}

unsigned
policy_score(struct str pattern, struct str model)
{
	unsigned literal = 0;
	bool slash = false;

	if (!matches(pattern, model))
		return 0;
	if (str_is(pattern, "*"))
		return 1;
	for (size_t i = 0; i < pattern.n; i++) {
		/* Characters, not bytes: what follows a first byte is none. */
		if (pattern.s[i] != '*' &&
		    ((unsigned char)pattern.s[i] & 0xc0) != 0x80)
			literal++;
		slash = slash || pattern.s[i] == '/';
	}
	return (slash ? 1000 : 100) + literal;
}

static void
apply(struct life_config *c, const struct policy_rule *rule)
{
	if (rule->given[PERCENT])
		c->percent = rule->percent;
	if (rule->given[FLOOR])
		c->floor = rule->v[FLOOR];
	if (rule->given[CEILING])
		c->ceiling = rule->v[CEILING];
	if (rule->given[HARD])
		c->hard = rule->v[HARD];
}

struct life_config
policy_for(const struct policy *p, struct str model)
{
	struct life_config c = { .disabled = p->disabled,
				 .percent = 0.25,
				 .floor = 21384,
				 .ceiling = 60000 };
	const struct policy_rule *best = NULL;
	unsigned score, most = 0;

	for (unsigned source = DIRECT; source < MODEL; source++)
		for (size_t i = 0; i < p->n; i++)
			if (p->rules[i].source == source)
				apply(&c, &p->rules[i]);
	for (size_t i = 0; i < p->n; i++) {
		if (p->rules[i].source != MODEL)
			continue;
		score = policy_score(str_of(p->rules[i].pattern), model);
		if (score > most) {
			most = score;
			best = &p->rules[i];
		}
	}
	if (best != NULL)
		apply(&c, best);
	if (p->percent_override > 0)
		c.percent = p->percent_override;
	if (p->hard_override > 0)
		c.hard = p->hard_override;
	return c;
}
