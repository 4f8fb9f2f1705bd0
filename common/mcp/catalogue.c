#include "mcp/catalogue.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/path.h"
#include "base/xalloc.h"

void
catalogue_load(struct catalogue *c, const char *bin, uint64_t tools)
{
	struct catalogue_gap gap;
	size_t i;

	*c = (struct catalogue){ NULL, 0, NULL, 0 };
	c->v = xcalloc(FAMILIES_TOOLS_MAX, sizeof(*c->v));
	c->gap = xcalloc(FAMILIES_TOOLS_MAX, sizeof(*c->gap));
	for (i = 0; families_tools[i] != NULL; i++) {
		if ((tools & UINT64_C(1) << i) == 0)
			continue;
		gap = (struct catalogue_gap){ i, false, FAIL_INIT };
		if (definition_ask(&c->v[c->n], bin, i, &gap.absent,
				   &gap.fail) == 0)
			c->n++;
		else
			c->gap[c->gaps++] = gap;
	}
}

void
catalogue_release(struct catalogue *c)
{
	size_t i;

	for (i = 0; i < c->n; i++)
		definition_release(&c->v[i]);
	for (i = 0; i < c->gaps; i++)
		fail_release(&c->gap[i].fail);
	free(c->v);
	free(c->gap);
	*c = (struct catalogue){ NULL, 0, NULL, 0 };
}

const struct definition *
catalogue_find(const struct catalogue *c, struct str name)
{
	size_t i;

	for (i = 0; i < c->n; i++)
		if (str_is(name, families_tools[c->v[i].tool]))
			return &c->v[i];
	return NULL;
}

uint64_t
catalogue_tools(const struct catalogue *c)
{
	uint64_t tools = 0;
	size_t i;

	for (i = 0; i < c->n; i++)
		tools |= UINT64_C(1) << c->v[i].tool;
	return tools;
}

int
catalogue_own_folder(struct buf *out, struct fail *fail)
{
	char path[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path));

	if (n <= 0 || (size_t)n == sizeof(path))
		return fail_environment(fail, "/proc/self/exe: %s",
					n < 0 ? strerror(errno) : "too long");
	buf_add_str(out, path_parent((struct str){ path, (size_t)n }));
	return 0;
}
