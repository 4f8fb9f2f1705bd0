/*
 * Two texts with 0xff between them: the diff, applied to the old one, gives
 * the new one (spec/notes.md section 4.5), and equal texts have none.
 */
#include <stdint.h>
#include <stdlib.h>

#include "../unit/diff_apply.h"
#include "text/diff.h"

static char *
copy_of(struct str s)
{
	char *copy = malloc(s.n + (s.n == 0));

	if (copy == NULL)
		abort();
	if (s.n > 0)
		memcpy(copy, s.s, s.n);
	return copy;
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	const uint8_t *mark = n == 0 ? NULL : memchr(p, 0xff, n);
	struct buf out = BUF_INIT;
	struct str old, new;
	char *copy_old, *copy_new;

	if (mark == NULL)
		return 0;
	old = (struct str){ (const char *)p, (size_t)(mark - p) };
	new = (struct str){ (const char *)mark + 1, n - old.n - 1 };
	old.s = copy_old = copy_of(old);
	new.s = copy_new = copy_of(new);

	diff_unified(&out, old, new, STR("n"));
	if ((out.len == 0) != str_eq(old, new) ||
	    !diff_applies(buf_str(&out), old, new))
		abort();

	buf_release(&out);
	free(copy_old);
	free(copy_new);
	return 0;
}
