#include "context/policy.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <yaml.h>

#include "base/io.h"
#include "base/path.h"
#include "base/utf8.h"
#include "base/xalloc.h"

#define FILE_MAX_BYTES ((size_t)1 << 20)
#define EVENTS_MOST 20000
#define DEPTH_MOST 32
#define KEYS_READ 5 /* context, models, a pattern, a key */

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

static bool
is_integer(struct str text, int64_t min, int64_t max, int64_t *v)
{
	int64_t value = 0;

	if (text.n == 0 || text.n > 16)
		return false;
	for (size_t i = 0; i < text.n; i++) {
		if (text.s[i] < '0' || text.s[i] > '9')
			return false;
		value = value * 10 + (text.s[i] - '0');
	}
	if (value < min || value > max)
		return false;
	*v = value;
	return true;
}

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
	struct buf path;
	struct buf slips; /* what is wrong, for people, in one line */
	bool in_mapping[DEPTH_MOST + 1], at_key[DEPTH_MOST + 1];
	unsigned depth;		   /* collections that are open */
	struct buf key[KEYS_READ]; /* key[i]: of the collection at depth i+1 */
};

/* The value of the key that the reader is at is not as it must be. */
static void
slip(struct reader *r, unsigned depth, const char *what)
{
	buf_addf(&r->slips, "%s", r->slips.len == 0 ? "" : "; ");
	if (r->path.len > 0)
		buf_addf(&r->slips, "%s: ", r->path.data);
	for (unsigned i = 0; i < depth && i < KEYS_READ; i++)
		buf_addf(&r->slips, "%s%s", i == 0 ? "" : ".", r->key[i].data);
	buf_addf(&r->slips, ": %s", what);
}

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

/* False: name is not a threshold. */
static bool
take_threshold(struct reader *r, struct policy_rule *rule, struct str name,
	       struct str text, bool plain)
{
	unsigned i = 0;

	while (i < THRESHOLDS && !str_is(name, threshold_names[i]))
		i++;
	if (i == THRESHOLDS)
		return false;
	if (i == PERCENT) {
		double v;

		if (!plain || !is_part(text, &v)) {
			slip(r, r->depth, "give a number between 0 and 1");
			return true;
		}
		rule->percent = v;
	} else if (!plain || !is_integer(text, 0, INT64_C(9007199254740991),
					 &rule->v[i])) {
		slip(r, r->depth, "give a whole number, 0 or more");
		return true;
	}
	rule->given[i] = true;
	return true;
}

static void
take_prompts(struct reader *r, struct str text)
{
	struct buf given = BUF_INIT;
	const char *home = facts_home_directory();

	if (text.n == 0 || str_has(text, '\0')) {
		slip(r, r->depth, "give a folder");
		return;
	}
	if (str_starts(text, STR("~/")) && home != NULL) {
		buf_adds(&given, home);
		text = str_from(text, 1);
	}
	buf_add_str(&given, text);
	buf_reset(&r->policy->prompts_dir);
	path_resolve(&r->policy->prompts_dir, path_parent(buf_str(&r->path)),
		     buf_str(&given));
	buf_release(&given);
}

/* A key of `context` itself. */
static void
take_key(struct reader *r, struct str name, struct str text, bool plain)
{
	int64_t *number;
	bool enabled;

	if (str_is(name, "enabled")) {
		if (plain && is_boolean(text, &enabled))
			r->policy->disabled = !enabled;
		else
			slip(r, r->depth, "give true or false");
		return;
	}
	if (str_is(name, "prompts_dir")) {
		take_prompts(r, text);
		return;
	}
	for (size_t i = 0; i < NUMBERS; i++) {
		if (!str_is(name, numbers[i].name))
			continue;
		number = (int64_t *)(void *)((char *)r->policy +
					     numbers[i].offset);
		if (!plain ||
		    !is_integer(text, numbers[i].min, numbers[i].max, number)) {
			char legal[80];

			snprintf(legal, sizeof(legal),
				 "give a whole number from %lld to %lld",
				 (long long)numbers[i].min,
				 (long long)numbers[i].max);
			slip(r, r->depth, legal);
		}
		return;
	}
	if (take_threshold(r, rule_of(r->policy, DIRECT, STR("")), name, text,
			   plain))
		return;
	if (str_is(name, "defaults") || str_is(name, "models")) {
		if (text.n > 0)
			slip(r, r->depth, "give a map");
	} else {
		slip(r, r->depth, "no such setting");
	}
}

static bool
is_key(const struct reader *r, unsigned i, const char *name)
{
	return str_is(buf_str(&r->key[i]), name);
}

/* A scalar that is the value of the key at the current depth. */
static void
take_scalar(struct reader *r, struct str text, bool plain)
{
	struct str name;
	struct policy_rule *rule;

	if (r->depth < 1 || r->depth > KEYS_READ || !r->in_mapping[1] ||
	    !is_key(r, 0, "context"))
		return;
	name = buf_str(&r->key[r->depth - 1]);
	if (r->depth == 1) {
		if (text.n > 0 && !(plain && str_is(text, "null")) &&
		    !(plain && str_is(text, "~")))
			slip(r, 1, "give a map");
	} else if (r->depth == 2) {
		take_key(r, name, text, plain);
	} else if (r->depth == 3 && is_key(r, 1, "models")) {
		if (text.n > 0)
			slip(r, r->depth, "give a map");
	} else if ((r->depth == 3 && is_key(r, 1, "defaults")) ||
		   (r->depth == 4 && is_key(r, 1, "models"))) {
		rule = r->depth == 3
			       ? rule_of(r->policy, DEFAULTS, STR(""))
			       : rule_of(r->policy, MODEL, buf_str(&r->key[2]));
		if (!take_threshold(r, rule, name, text, plain))
			slip(r, r->depth, "no such setting");
	}
}

/* A list, or a map, as the value of the key at the current depth. */
static void
take_collection(struct reader *r, bool mapping)
{
	unsigned depth = r->depth;

	if (depth < 1 || depth > 4 || !is_key(r, 0, "context"))
		return;
	if (mapping && (depth == 1 ||
			(depth == 2 && (is_key(r, 1, "defaults") ||
					is_key(r, 1, "models"))) ||
			(depth == 3 && is_key(r, 1, "models"))))
		return;
	/* What stands inside one that is invalid is not looked at. */
	for (unsigned i = 1; i < depth; i++)
		if (!r->in_mapping[i])
			return;
	slip(r, depth, depth == 1 ? "give a map" : "no such map or list");
}

static bool
open_collection(struct reader *r, bool mapping)
{
	take_collection(r, mapping);
	if (r->depth == DEPTH_MOST)
		return false;
	r->depth++;
	r->in_mapping[r->depth] = mapping;
	r->at_key[r->depth] = mapping;
	if (r->depth <= KEYS_READ)
		buf_reset(&r->key[r->depth - 1]);
	return true;
}

/* False: too deep. */
static bool
take_event(struct reader *r, const yaml_event_t *event)
{
	struct str text;

	switch (event->type) {
	case YAML_MAPPING_START_EVENT:
	case YAML_SEQUENCE_START_EVENT:
		return open_collection(r,
				       event->type == YAML_MAPPING_START_EVENT);
	case YAML_MAPPING_END_EVENT:
	case YAML_SEQUENCE_END_EVENT:
		r->depth--;
		break;
	case YAML_SCALAR_EVENT:
		text = (struct str){ (const char *)event->data.scalar.value,
				     event->data.scalar.length };
		if (r->at_key[r->depth]) {
			r->at_key[r->depth] = false;
			if (r->depth <= KEYS_READ) {
				buf_reset(&r->key[r->depth - 1]);
				buf_add_str(&r->key[r->depth - 1], text);
			}
			return true;
		}
		if (r->in_mapping[r->depth])
			take_scalar(r, text,
				    event->data.scalar.style ==
					    YAML_PLAIN_SCALAR_STYLE);
		break;
	case YAML_ALIAS_EVENT:
		if (r->in_mapping[r->depth])
			take_scalar(r, STR("*"), true);
		break;
	default:
		return true;
	}
	/* A value is complete: in a map a key comes next. */
	r->at_key[r->depth] = r->in_mapping[r->depth];
	return true;
}

static int
parse(struct reader *r, struct str text, struct fail *fail)
{
	yaml_parser_t parser;
	yaml_event_t event;
	bool ended = false;
	unsigned n = 0;
	int rc = 0;

	if (!yaml_parser_initialize(&parser))
		abort();
	yaml_parser_set_input_string(&parser, (const unsigned char *)text.s,
				     text.n);
	while (rc == 0 && !ended) {
		if (!yaml_parser_parse(&parser, &event)) {
			rc = fail_environment(
				fail, "%s: line %zu: no YAML: %s", r->path.data,
				parser.problem_mark.line + 1,
				parser.problem == NULL ? "not UTF-8"
						       : parser.problem);
			break;
		}
		ended = event.type == YAML_STREAM_END_EVENT ||
			event.type == YAML_DOCUMENT_END_EVENT;
		if (!take_event(r, &event) || ++n > EVENTS_MOST)
			rc = fail_environment(fail,
					      "%s: more than settings need",
					      r->path.data);
		yaml_event_delete(&event);
	}
	yaml_parser_delete(&parser);
	return rc;
}

/* CTX_CONFIG, or where it is by default; empty: there is no home. */
static void
find_file(struct buf *path, const struct facts *facts)
{
	const char *file = fact(facts, FACT_CONFIG);
	const char *folder = getenv("XDG_CONFIG_HOME");
	const char *home = facts_home_directory();
	struct buf here = BUF_INIT;

	if (file != NULL) {
		if (file[0] != '/')
			(void)path_working_directory(&here);
		path_resolve(path, buf_str(&here), str_of(file));
	} else if (folder != NULL && folder[0] == '/') {
		buf_addf(path, "%s/ctxtools/config.yaml", folder);
	} else if (home != NULL) {
		buf_addf(path, "%s/.config/ctxtools/config.yaml", home);
	}
	buf_release(&here);
}

static int
read_file(struct reader *r, struct fail *fail)
{
	struct buf text = BUF_INIT;
	int fd, rc;

	if (r->path.len == 0)
		return 0;
	fd = open(r->path.data, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0 && (errno == ENOENT || errno == ENOTDIR))
		return 0;
	rc = fd < 0 ? -1 : io_read_all(fd, FILE_MAX_BYTES, &text);
	if (rc < 0)
		fail_environment(fail, "%s: %s", r->path.data, strerror(errno));
	else if (rc > 0)
		rc = fail_environment(fail, "%s: more than 1 MiB",
				      r->path.data);
	if (fd >= 0)
		close(fd);
	if (rc == 0)
		rc = parse(r, buf_str(&text), fail);
	buf_release(&text);
	return rc;
}

/* ---- the environment --------------------------------------------------- */

static void
read_environment(struct reader *r)
{
	const char *disabled = getenv("CTX_CONTEXT_DISABLED");
	const char *percent = getenv("CTX_CONTEXT_REMINDER_PERCENT");
	const char *hard = getenv("CTX_CONTEXT_HARD_ROLLOVER_TOKENS");
	struct policy *p = r->policy;

	/* What follows is not the file's. */
	buf_reset(&r->path);
	if (disabled != NULL && strcmp(disabled, "1") == 0)
		p->disabled = true;
	buf_reset(&r->key[0]);
	buf_adds(&r->key[0], "CTX_CONTEXT_REMINDER_PERCENT");
	if (percent != NULL && *percent != '\0' &&
	    !is_part(str_of(percent), &p->percent_override)) {
		p->percent_override = 0;
		slip(r, 1, "give a number between 0 and 1");
	}
	buf_reset(&r->key[0]);
	buf_adds(&r->key[0], "CTX_CONTEXT_HARD_ROLLOVER_TOKENS");
	if (hard != NULL && *hard != '\0' &&
	    !is_integer(str_of(hard), 1, INT64_C(9007199254740991),
			&p->hard_override))
		slip(r, 1, "give a whole number above 0");
}

int
policy_read(struct policy *p, const struct facts *facts, struct buf *remarks,
	    struct fail *fail)
{
	struct reader r = { .policy = p };
	int rc;

	*p = (struct policy){ .prompts_dir = BUF_INIT };
	for (size_t i = 0; i < NUMBERS; i++)
		*(int64_t *)(void *)((char *)p +
				     numbers[i].offset) = numbers[i].fallback;
	buf_init(&r.path, BUF_UNLIMITED);
	buf_init(&r.slips, BUF_UNLIMITED);
	for (size_t i = 0; i < KEYS_READ; i++)
		buf_init(&r.key[i], BUF_UNLIMITED);
	find_file(&r.path, facts);
	rc = read_file(&r, fail);
	read_environment(&r);
	if (rc == 0 && r.slips.len > 0)
		buf_addf(remarks, "%s\n", r.slips.data);
	buf_release(&r.path);
	buf_release(&r.slips);
	for (size_t i = 0; i < KEYS_READ; i++)
		buf_release(&r.key[i]);
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
