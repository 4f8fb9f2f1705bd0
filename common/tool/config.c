#include "tool/config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <yaml.h>

#include "base/io.h"
#include "base/path.h"

#define BYTES_MOST ((size_t)1 << 20)
#define EVENTS_MOST 20000
/* Also what bounds the time that libyaml takes for brackets: yaml_tree.c. */
#define DEPTH_MOST 32

struct reader {
	const char *family;
	struct buf path;
	config_take *take;
	void *ctx;
	struct fail *fail;

	/* Of the open collections, from 1: which are maps in maps, and ... */
	bool in_map[DEPTH_MOST + 1];
	bool at_key[DEPTH_MOST + 1]; /* ... where a key comes next */
	unsigned depth;
	struct buf keys[CONFIG_KEYS];
};

/* ---- values ------------------------------------------------------------ */

bool
config_integer(const struct config_value *v, int64_t min, int64_t max,
	       int64_t *out)
{
	int64_t value = 0;

	if (!v->plain || v->text.n == 0 || v->text.n > 16 ||
	    (v->text.s[0] == '0' && v->text.n > 1))
		return false;
	for (size_t i = 0; i < v->text.n; i++) {
		if (v->text.s[i] < '0' || v->text.s[i] > '9')
			return false;
		value = value * 10 + (v->text.s[i] - '0');
	}
	if (value < min || value > max)
		return false;
	*out = value;
	return true;
}

const char *
config_path(const struct config_value *v, struct buf *out)
{
	const char *home = facts_home_directory();
	struct buf given = BUF_INIT;
	struct str text = v->text;

	if (v->null || text.n == 0 || str_has(text, '\0'))
		return "no path of a file";
	if (str_starts(text, STR("~/"))) {
		if (home == NULL)
			return "there is no home directory";
		buf_adds(&given, home);
		text = str_from(text, 1);
	}
	buf_add_str(&given, text);
	buf_reset(out);
	path_resolve(out, path_parent(str_of(v->path)), buf_str(&given));
	buf_release(&given);
	return NULL;
}

void
config_slip(struct buf *slips, const struct config_value *v, const char *what)
{
	if (slips->len > 0)
		buf_adds(slips, "; ");
	if (*v->path != '\0')
		buf_addf(slips, "%s: ", v->path);
	for (unsigned i = 0; i < v->n; i++) {
		buf_adds(slips, i == 0 ? "" : ".");
		buf_add_str(slips, v->keys[i]);
	}
	buf_addf(slips, ": %s", what);
}

/* ---- reading the file -------------------------------------------------- */

static int
fail_at(struct reader *r, const yaml_mark_t *mark, const char *why)
{
	return fail_environment(r->fail, "%s: line %zu: %s", r->path.data,
				mark->line + 1, why);
}

/* A value, complete or a collection that begins. */
static int
take_value(struct reader *r, struct config_value *v)
{
	if (r->depth == 0)
		return v->map || v->null
			       ? 0
			       : fail_environment(r->fail,
						  "%s: not a map of settings",
						  r->path.data);
	if (r->depth > CONFIG_KEYS || !r->in_map[r->depth] ||
	    !str_is(buf_str(&r->keys[0]), r->family))
		return 0;
	v->path = r->path.data;
	for (v->n = 0; v->n < r->depth; v->n++)
		v->keys[v->n] = buf_str(&r->keys[v->n]);
	return r->take(r->ctx, v, r->fail);
}

static int
take_node(struct reader *r, struct config_value *v)
{
	bool key = r->in_map[r->depth] && r->at_key[r->depth];

	r->at_key[r->depth] = !r->at_key[r->depth];
	if (!key)
		return take_value(r, v);
	if (r->depth <= CONFIG_KEYS) {
		buf_reset(&r->keys[r->depth - 1]);
		buf_add_str(&r->keys[r->depth - 1],
			    v->text.s == NULL ? STR("?") : v->text);
	}
	v->map = false; /* none of settings */
	return 0;
}

static int
take_event(struct reader *r, const yaml_event_t *e)
{
	struct config_value v = { .map = e->type == YAML_MAPPING_START_EVENT };
	bool opens = v.map || e->type == YAML_SEQUENCE_START_EVENT;
	bool in_map = r->depth == 0 || r->in_map[r->depth];

	if (e->type == YAML_MAPPING_END_EVENT ||
	    e->type == YAML_SEQUENCE_END_EVENT)
		r->depth--;
	if (e->type == YAML_SCALAR_EVENT) {
		v.text = (struct str){ (const char *)e->data.scalar.value,
				       e->data.scalar.length };
		v.plain = e->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
		v.null = v.text.n == 0 || (v.plain && (str_is(v.text, "~") ||
						       str_is(v.text, "null")));
	} else if (!opens && e->type != YAML_ALIAS_EVENT) {
		return 0;
	}
	if (take_node(r, &v) != 0)
		return -1;
	if (!opens)
		return 0;
	if (r->depth == DEPTH_MOST)
		return fail_at(r, &e->start_mark, "nested too deeply");
	r->depth++;
	r->in_map[r->depth] = in_map && v.map;
	r->at_key[r->depth] = true;
	return 0;
}

static int
parse(struct reader *r, struct str text)
{
	yaml_parser_t parser;
	yaml_event_t event;
	bool ended = false;
	unsigned n = 0;
	int rc = 0;

	if (!yaml_parser_initialize(&parser))
		abort();
	yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
	yaml_parser_set_input_string(
		&parser, (const unsigned char *)(text.n == 0 ? "" : text.s),
		text.n);
	while (rc == 0 && !ended) {
		if (!yaml_parser_parse(&parser, &event)) {
			rc = fail_at(r, &parser.problem_mark,
				     parser.problem == NULL ? "not YAML"
							    : parser.problem);
			break;
		}
		ended = event.type == YAML_STREAM_END_EVENT ||
			event.type == YAML_DOCUMENT_END_EVENT;
		rc = ++n > EVENTS_MOST
			     ? fail_at(r, &event.start_mark, "too long")
			     : take_event(r, &event);
		yaml_event_delete(&event);
	}
	yaml_parser_delete(&parser);
	return rc;
}

/* CTX_CONFIG, or where it is by default; empty: there is no home. */
static int
find_file(struct buf *path, const struct facts *facts, struct fail *fail)
{
	const char *given = fact(facts, FACT_CONFIG);
	const char *folder = getenv("XDG_CONFIG_HOME");
	const char *home = facts_home_directory();
	struct buf here = BUF_INIT;
	int rc = 0;

	if (given != NULL) {
		if (given[0] != '/' && path_working_directory(&here) != 0)
			rc = fail_environment(fail, "%s: %s", given,
					      strerror(errno));
		else
			path_resolve(path, buf_str(&here), str_of(given));
	} else if (folder != NULL && folder[0] == '/') {
		buf_addf(path, "%s/ctxtools/config.yaml", folder);
	} else if (home != NULL) {
		buf_addf(path, "%s/.config/ctxtools/config.yaml", home);
	}
	buf_release(&here);
	return rc;
}

static int
read_file(struct reader *r)
{
	struct buf text = BUF_INIT;
	int fd = open(r->path.data, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	int rc;

	if (fd < 0 && (errno == ENOENT || errno == ENOTDIR))
		return 0;
	rc = fd < 0 ? -1 : io_read_all(fd, BYTES_MOST, &text);
	if (rc != 0)
		rc = fail_environment(r->fail, "%s: %s", r->path.data,
				      rc < 0 ? strerror(errno)
					     : "more than 1 MiB");
	else
		rc = parse(r, buf_str(&text));
	if (fd >= 0)
		close(fd);
	buf_release(&text);
	return rc;
}

int
config_read(const struct facts *facts, const char *family, config_take *take,
	    void *ctx, struct fail *fail)
{
	struct reader r = { .family = family,
			    .path = BUF_INIT,
			    .take = take,
			    .ctx = ctx,
			    .fail = fail };
	int rc;

	for (size_t i = 0; i < CONFIG_KEYS; i++)
		buf_init(&r.keys[i], BUF_UNLIMITED);
	rc = find_file(&r.path, facts, fail);
	if (rc == 0 && r.path.len > 0)
		rc = read_file(&r);
	for (size_t i = 0; i < CONFIG_KEYS; i++)
		buf_release(&r.keys[i]);
	buf_release(&r.path);
	return rc;
}
