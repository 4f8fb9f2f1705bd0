#include "output/overlap.h"

#include <stdlib.h>

#include "text/kmp.h"

#define PROBE 64 /* bytes of new that are looked for first */
#define HITS 8	 /* of the probe, before the matcher takes over */

/* New is matched all along old: how much of it stands where old ends. */
static size_t
match(struct str old, struct str new)
{
	size_t n = new.n < old.n ? new.n : old.n, i, k = 0, *border;

	if (n == 0)
		return 0;
	border = kmp_borders(new.s, n, 1);
	old = str_from(old, old.n - n);
	for (i = 0; i < n; i++) {
		/* k is n only where old ends. */
		while (k > 0 && old.s[i] != new.s[k])
			k = border[k];
		k += old.s[i] == new.s[k];
	}
	free(border);
	return k;
}

size_t
overlap(struct str old, struct str new)
{
	const char *at, *end;
	size_t rest;
	int hits;

	if (new.n < PROBE)
		return match(old, new);
	if (old.n > new.n)
		old = str_from(old, old.n - new.n);
	/* A longer overlap begins further left. */
	end = old.s + old.n;
	at = old.s;
	for (hits = 0; hits < HITS; hits++, at++) {
		rest = (size_t)(end - at);
		at = rest < PROBE ? NULL : memmem(at, rest, new.s, PROBE);
		if (at == NULL) /* it is shorter than the probe */
			return match(old.n < PROBE
					     ? old
					     : str_from(old, old.n - PROBE + 1),
				     (struct str){ new.s, PROBE - 1 });
		rest = (size_t)(end - at);
		if (memcmp(at, new.s, rest) == 0)
			return rest;
	}
	return match(old, new);
}
