/*
 * Addresses: whatever comes in, an address that is accepted stays inside its
 * home, and reads back as itself.
 */
#include <stdint.h>

#include "base/utf8.h"
#include "base/xalloc.h"
#include "notes/address.h"

static char session[] = "s-1", agent[] = "ana-bot", model[] = "m-1",
	    project[] = "p-00000000", root[] = "/nowhere";

static const struct identity me = { .root = root,
				    .session = session,
				    .agent = agent,
				    .model = model,
				    .project = project };

static void
need(bool condition)
{
	if (!condition)
		abort();
}

/* Every segment is a name that can stand in a directory. */
static void
check_path(struct str path)
{
	const char *slash;
	struct str name;

	need(str_ends(path, STR(".md")));
	for (;;) {
		slash = memchr(path.s, '/', path.n);
		name = path;
		if (slash != NULL)
			name.n = (size_t)(slash - path.s);
		need(address_is_name(name));
		if (slash == NULL)
			return;
		path = str_from(path, name.n + 1);
	}
}

static void
check_accepted(const struct address *a)
{
	struct fail fail = FAIL_INIT;
	struct address again;

	check_path(str_of(a->path));
	need(str_starts(str_of(a->rendered), str_of(a->home.prefix)));
	need(str_is(str_from(str_of(a->rendered), strlen(a->home.prefix)),
		    a->path));
	need(strstr(a->home.directory, "..") == NULL);
	need(address_parse(&again, str_of(a->rendered), &me, &fail) == 0);
	need(strcmp(again.rendered, a->rendered) == 0);
	need(strcmp(again.path, a->path) == 0);
	need(strcmp(again.home.directory, a->home.directory) == 0);
	need(again.home.kind == a->home.kind);
	address_release(&again);
	fail_release(&fail);
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	char *exact = xmalloc(n);
	struct str input = { exact, n };
	struct fail fail = FAIL_INIT;
	struct address a;

	if (n > 0)
		memcpy(exact, p, n);
	/* What the validation of arguments lets through. */
	if (utf8_valid(input) && memchr(exact, '\0', n) == NULL) {
		if (address_parse(&a, input, &me, &fail) == 0)
			check_accepted(&a);
		else
			need(fail.kind == FAIL_REFUSED &&
			     utf8_valid(buf_str(&fail.message)));
		address_release(&a);
		fail_release(&fail);
	}
	free(exact);
	return 0;
}
