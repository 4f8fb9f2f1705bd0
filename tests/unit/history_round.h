#ifndef HISTORY_ROUND_H
#define HISTORY_ROUND_H

/*
 * A session that was generated, in a file, with a host that may wrap texts:
 * what tests of lists and reads go round by round over.
 */
#include <unistd.h>
#include <zstd.h>

#include "claude_gen.h"
#include "codex_gen.h"
#include "copilot_gen.h"
#include "gemini_gen.h"
#include "pi_gen.h"
#include "qwen_gen.h"

#define ROUNDS 16

static const struct host_gen {
	const char *host;
	void (*make)(struct gen *g, uint64_t seed, unsigned entries);
	bool packed;
} host_gens[] = {
	{ "pi", gen_pi, false },	   { "claude", gen_claude, false },
	{ "codex", gen_codex, false },	   { "packed codex", gen_codex, true },
	{ "copilot", gen_copilot, false }, { "qwen", gen_qwen, false },
	{ "gemini", gen_gemini, false }
};

/* What a round is about. */
struct round {
	const char *host;
	struct gen gen;
	char path[64];
	struct facts facts;
	char *prefix, *suffix;
	uint64_t state;
	unsigned seed;
};

static unsigned
pick(struct round *r, unsigned n)
{
	return (unsigned)(test_random(&r->state) >> 33) % n;
}

/* What zstd makes of the file, in two frames. */
static void
pack(struct buf *file)
{
	size_t half = file->len / 2, size = ZSTD_compressBound(file->len) + 64;
	struct buf packed = BUF_INIT;

	for (unsigned i = 0; i < 2; i++) {
		size_t n = i == 0 ? half : file->len - half;

		packed.len += ZSTD_compress(buf_reserve(&packed, size), size,
					    file->data + (i == 0 ? 0 : half), n,
					    1);
	}
	buf_reset(file);
	buf_add_str(file, buf_str(&packed));
	buf_release(&packed);
}

static void
write_file(struct round *r, bool packed)
{
	const char *end = packed ? ".zst" : "";
	int fd;

	snprintf(r->path, sizeof(r->path), "/tmp/history-pages-XXXXXX%s", end);
	fd = mkstemps(r->path, (int)strlen(end));
	if (packed)
		pack(&r->gen.file);
	if (fd < 0 || write(fd, r->gen.file.data, r->gen.file.len) !=
			      (ssize_t)r->gen.file.len)
		abort();
	close(fd);
	r->facts.value[FACT_SESSION_FILE] = r->path;
}

static char *
filling(unsigned n)
{
	char *s = xmalloc(n + 1);

	memset(s, '.', n);
	s[n] = '\0';
	return s;
}

static void
round_begin(struct round *r, const struct host_gen *made, unsigned seed)
{
	*r = (struct round){ .host = made->host,
			     .seed = seed,
			     .state = seed * 7919u + 17 };
	made->make(&r->gen, seed, 3 + pick(r, 150));
	r->prefix = filling(pick(r, 3) ? 0 : pick(r, 4096));
	r->suffix = filling(pick(r, 3) ? 0 : pick(r, 4096));
	if (*r->prefix != '\0')
		r->facts.value[FACT_TEXT_PREFIX] = r->prefix;
	if (*r->suffix != '\0')
		r->facts.value[FACT_TEXT_SUFFIX] = r->suffix;
	write_file(r, made->packed);
}

static void
round_end(struct round *r)
{
	unlink(r->path);
	free(r->prefix);
	free(r->suffix);
	gen_release(&r->gen);
}

/* Calls check() on a session of each host and seed. */
static void
rounds(void (*check)(struct round *r))
{
	for (size_t i = 0; i < sizeof(host_gens) / sizeof(*host_gens); i++)
		for (unsigned seed = 1; seed <= ROUNDS; seed++) {
			struct round r;

			round_begin(&r, &host_gens[i], seed);
			check(&r);
			round_end(&r);
		}
}

#endif /* HISTORY_ROUND_H */
