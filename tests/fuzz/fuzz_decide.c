/*
 * The life of a window, driven by bytes: after every event decide() and the
 * model of the tables are in the same state.
 */
#include <stddef.h>
#include <stdint.h>

#include "../unit/life_model.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct bytes {
	const uint8_t *p;
	size_t n;
};

static unsigned
draw(void *ctx, unsigned below)
{
	struct bytes *b = ctx;

	if (b->n == 0)
		return 0;
	b->n--;
	return *b->p++ % below;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bytes bytes = { data, size };
	struct life_config c = { .percent = 0.25,
				 .floor = 1000,
				 .ceiling = 3000 };
	struct model m = { .n = 1 };
	struct life life;

	decide_init(&life);
	c.disabled = draw(&bytes, 16) == 1;
	c.hard = draw(&bytes, 2) == 1 ? 8000 : 0;
	while (bytes.n > 0) {
		struct life_event ev = model_random_event(&m, draw, &bytes);
		struct evidence e = model_random_evidence(&m, draw, &bytes);
		struct decision d = decide(&life, &ev, &c, &e);

		model_step(&m, &ev, &c, &e);
		if (d.claim && draw(&bytes, 4) > 0)
			life.claim.pid = m.claim = 1;
		if (model_differs(&m, &life, &d) != NULL)
			abort();
	}
	decide_release(&life);
	return 0;
}
