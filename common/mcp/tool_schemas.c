#include "mcp/tool_schemas.h"

#include <string.h>

#include "base/json_span.h"
#include "base/visible.h"

/*
 * A program that is missing is left out, unless it was asked for by name or
 * there is none at all; one that does not define itself is an error.
 */
static int
judge_gaps(const struct catalogue *c, const struct tool_schemas_args *args,
	   struct fail *fail)
{
	for (size_t i = 0; i < c->gaps; i++)
		if (!c->gap[i].absent || c->n == 0 ||
		    families_named(args->families.bits, args->tools.bits,
				   c->gap[i].tool))
			return fail_environment(fail, "%s",
						c->gap[i].fail.message.data);
	return 0;
}

static void
write_one(struct json_writer *w, const struct definition *d)
{
	const struct {
		const char *key;
		struct str value;
	} rest[] = { { "description", d->description },
		     { "inputSchema", d->input_schema },
		     { "outputSchema", d->output_schema },
		     { "executionMode", d->mode },
		     { "annotations", d->annotations } };

	json_open_object(w);
	json_key(w, "name");
	json_raw(w, d->name);
	json_key(w, "title");
	json_raw(w, d->title);
	json_member_string(
		w, "family",
		str_of(families[families_facts[d->tool].family].name));
	json_member_string(w, "program", str_of(d->program));
	for (size_t i = 0; i < sizeof(rest) / sizeof(rest[0]); i++) {
		json_key(w, rest[i].key);
		json_raw(w, rest[i].value);
	}
	json_close_object(w);
}

static void
write_list(struct tool_schemas *r, const struct tool_schemas_args *args)
{
	struct json_writer w;

	json_begin(&w, &r->list);
	if (args->mcp.v) {
		catalogue_write(&w, &r->catalogue,
				(enum version)args->protocol.v,
				(enum tool_surface)args->surface.v);
	} else {
		json_open_array(&w);
		for (size_t i = 0; i < r->catalogue.n; i++)
			write_one(&w, &r->catalogue.v[i]);
		json_close_array(&w);
	}
	r->tools = buf_str(&r->list);
}

int
tool_schemas_run(const struct tool_call *call, void *result, struct fail *fail)
{
	const struct tool_schemas_args *args = call->args;
	struct tool_schemas *r = result;
	struct buf bin = BUF_INIT;
	uint64_t chosen;
	int rc = -1;

	buf_init(&r->list, BUF_UNLIMITED);
	if (families_choose(args->families.given
				    ? args->families.bits
				    : UINT64_C(1) << families_count,
			    args->tools.bits, &chosen, fail) != 0 ||
	    catalogue_own_folder(&bin, fail) != 0)
		goto out;
	catalogue_load(&r->catalogue, bin.data, chosen);
	rc = judge_gaps(&r->catalogue, args, fail);
	if (rc == 0)
		write_list(r, args);
out:
	buf_release(&bin);
	return rc;
}

void
tool_schemas_release(void *result)
{
	struct tool_schemas *r = result;

	catalogue_release(&r->catalogue);
	buf_release(&r->list);
}

/* Up to the first full stop that a blank or the end follows. */
static struct str
first_sentence(struct str text)
{
	for (size_t i = 0; i + 1 < text.n; i++)
		if (text.s[i] == '.' && text.s[i + 1] == ' ')
			return (struct str){ text.s, i + 1 };
	return text;
}

void
tool_schemas_text(const void *result, struct buf *out)
{
	const struct tool_schemas *r = result;
	struct buf scratch = BUF_INIT;

	for (size_t i = 0; i < r->catalogue.n; i++) {
		const struct definition *d = &r->catalogue.v[i];

		buf_addf(out, "%s%s\t%s\t", i == 0 ? "" : "\n",
			 families_tools[d->tool],
			 d->sequential ? "sequential" : "parallel");
		visible_field(out, first_sentence(json_text(d->description,
							    &scratch)));
	}
	buf_release(&scratch);
}
