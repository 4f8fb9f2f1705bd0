#include "output/recover.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/io.h"
#include "base/xalloc.h"

/* `B 11a2494a 00000044 payload` */
#define AT_CRC 2
#define AT_LENGTH 11
#define AT_PAYLOAD 20

/* ---- lines ------------------------------------------------------------- */

uint32_t
recover_crc(char class, struct str payload)
{
	static const uint32_t table[16] = { 0x00000000, 0x1db71064, 0x3b6e20c8,
					    0x26d930ac, 0x76dc4190, 0x6b6b51f4,
					    0x4db26158, 0x5005713c, 0xedb88320,
					    0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
					    0x9b64c2b0, 0x86d3d2d4, 0xa00ae278,
					    0xbdbdf21c };
	uint32_t crc = 0xffffffff;
	size_t i;

	for (i = 0; i <= payload.n; i++) {
		crc ^= (unsigned char)(i == 0 ? class : payload.s[i - 1]);
		crc = crc >> 4 ^ table[crc & 15];
		crc = crc >> 4 ^ table[crc & 15];
	}
	return ~crc;
}

/* Digits of a base, lower case only; false when any is none. */
static bool
read_digits(const char *p, unsigned n, unsigned base, uint32_t *v)
{
	static const char digits[] = "0123456789abcdef";
	const char *at;

	for (*v = 0; n > 0; n--, p++) {
		at = memchr(digits, *p, base);
		if (at == NULL)
			return false;
		*v = *v * base + (uint32_t)(at - digits);
	}
	return true;
}

/* The payload of a line without its LF; false: it is damaged. */
static bool
open_line(struct str line, struct str *payload)
{
	uint32_t crc, length;

	if (line.n < AT_PAYLOAD || line.s[1] != ' ' ||
	    line.s[AT_LENGTH - 1] != ' ' || line.s[AT_PAYLOAD - 1] != ' ' ||
	    !read_digits(line.s + AT_CRC, 8, 16, &crc) ||
	    !read_digits(line.s + AT_LENGTH, 8, 10, &length))
		return false;
	*payload = str_from(line, AT_PAYLOAD);
	return payload->n == length && recover_crc(line.s[0], *payload) == crc;
}

static bool
is_word(const struct value *v, const char *word)
{
	return v->kind == JSON_STRING && str_is(value_str(v), word);
}

/* An element of a payload: an array of n that begins with a word and a seq. */
static const struct value *
element(const struct value *payload, size_t i, const char *word, size_t n,
	uint64_t *seq)
{
	const struct value *v;

	if (i >= value_count(payload))
		return NULL;
	v = value_item(payload, i);
	if (v->kind != JSON_ARRAY || value_count(v) != n ||
	    !is_word(value_item(v, 0), word) ||
	    (seq != NULL && !value_integer(value_item(v, 1), seq)))
		return NULL;
	return v;
}

/* Folds wire ops; false: they do not apply. */
static bool
fold(struct recovered *r, const struct value *ops)
{
	struct fail fail = FAIL_INIT;
	struct op op;
	size_t i;
	bool good = ops->kind == JSON_ARRAY;

	apply_begin(&r->r);
	wire_begin(&r->d);
	for (i = 0; good && i < value_count(ops); i++) {
		int rc = wire_decode(&r->d, value_item(ops, i), &op, &fail);

		if (rc > 0)
			rc = apply_op(&r->r, &op, &fail);
		op_release(&op);
		good = rc >= 0;
	}
	if (good)
		apply_commit(&r->r);
	else
		apply_undo(&r->r);
	fail_release(&fail);
	return good;
}

/* ["l",seq,ops,"base"],["k",memos] */
static bool
take_base(struct recovered *r, const struct value *payload, uint64_t *seq)
{
	const struct value *l = element(payload, 0, "l", 4, seq);
	const struct value *k = element(payload, 1, "k", 2, NULL);

	if (value_count(payload) != 2 || l == NULL || k == NULL ||
	    !is_word(value_item(l, 3), "base") ||
	    value_item(k, 1)->kind != JSON_OBJECT ||
	    !op_batch_is_base(value_item(l, 2)) || !fold(r, value_item(l, 2)))
		return false;
	value_free(r->memos);
	r->memos = value_ref(value_item(k, 1));
	r->replayed = 0;
	r->bases++;
	return true;
}

/* ["l",seq,ops] */
static bool
take_batch(struct recovered *r, const struct value *payload, uint64_t *seq)
{
	const struct value *l = element(payload, 0, "l", 3, seq);

	if (value_count(payload) != 1 || l == NULL ||
	    op_batch_is_base(value_item(l, 2)) || r->r.value == NULL ||
	    !fold(r, value_item(l, 2)))
		return false;
	r->replayed++;
	return true;
}

/* ["z",seq,isError] and ["!",seq] */
static bool
take_end(struct recovered *r, char class, const struct value *payload,
	 uint64_t *seq)
{
	const struct value *v = class == 'Z' ? element(payload, 0, "z", 3, seq)
					     : element(payload, 0, "!", 2, seq);

	if (value_count(payload) != 1 || v == NULL || r->retired)
		return false;
	if (class == 'R') {
		r->retired = true;
		return true;
	}
	if (r->settled || value_item(v, 2)->kind != JSON_BOOLEAN)
		return false;
	r->settled = true;
	r->is_error = str_is(value_str(value_item(v, 2)), "true");
	return true;
}

/* One line: false when anything of it is not as it must be. */
static bool
take_line(struct recovered *r, struct str line)
{
	struct str text;
	struct value *payload;
	uint64_t seq = 0;
	char class;
	bool good;

	if (!open_line(line, &text))
		return false;
	payload = value_read(text, NULL);
	if (payload == NULL)
		return false;
	class = line.s[0];
	if (class == 'Z' || class == 'R')
		good = take_end(r, class, payload, &seq);
	else if (r->settled || r->retired)
		good = false;
	else if (class == 'B' || class == 'M')
		good = take_base(r, payload, &seq);
	else
		good = class == 'D' && take_batch(r, payload, &seq);
	value_free(payload);
	if (!good || (r->seq >= 0 && seq != (uint64_t)r->seq + 1))
		return false;
	r->seq = (int64_t)seq;
	r->lines++;
	if (class == 'B' || class == 'M' || class == 'D') {
		r->batch_seq = r->seq;
		r->batches++;
	}
	return true;
}

/* ---- the header -------------------------------------------------------- */

static bool
read_header(struct recovered *r, struct str line)
{
	struct value *v = value_read(line, NULL);
	const struct value *version, *id, *kind;
	bool good = false;

	if (v == NULL)
		return false;
	version = value_get(v, "v");
	id = value_get(v, "id");
	kind = value_get(v, "kind");
	if (version != NULL && version->kind == JSON_NUMBER &&
	    str_is(value_str(version), "1") && id != NULL &&
	    id->kind == JSON_STRING && kind != NULL &&
	    kind->kind == JSON_STRING) {
		buf_add_str(&r->id, value_str(id));
		buf_add_str(&r->kind, value_str(kind));
		good = r->exists = true;
	}
	value_free(v);
	return good;
}

/* ---- backwards --------------------------------------------------------- */

/* The file from `from` on, which was read block by block from its end. */
struct back {
	int fd;
	uint64_t from, size;
	struct buf *block; /* the last one first */
	size_t n, cap;
};

static void
back_release(struct back *b)
{
	while (b->n > 0)
		buf_release(&b->block[--b->n]);
	free(b->block);
}

/* One block more in front, not before `least`.  0, or -1 with errno. */
static int
back_read(struct back *b, uint64_t least)
{
	uint64_t from = b->from - least > RECOVER_BLOCK
				? b->from - RECOVER_BLOCK
				: least;
	size_t n = (size_t)(b->from - from);
	struct buf *block;
	long got;

	XGROW(b->block, b->n + 1, b->cap);
	block = &b->block[b->n++];
	buf_init(block, BUF_UNLIMITED);
	got = io_pread_all(b->fd, buf_reserve(block, n), n, (long long)from);
	if (got != (long)n) {
		if (got >= 0)
			errno = ESTALE; /* it was cut meanwhile */
		return -1;
	}
	block->len = n;
	block->data[n] = '\0';
	b->from = from;
	return 0;
}

/*
 * Reads back to the line from which to read forwards: the last base of those
 * from `least` on; `least` when there is none, or all is to be read.  *end is
 * where the last whole line ends.  Of a line only the first byte is looked at.
 */
static int
read_back(struct back *b, uint64_t least, bool all, uint64_t *base,
	  uint64_t *end)
{
	char next = '\0'; /* the byte after the block */
	bool ended = false;

	*base = *end = least;
	while (b->from > least) {
		const struct buf *block;
		const char *p, *lf;
		size_t n;

		if (back_read(b, least) != 0)
			return -1;
		block = &b->block[b->n - 1];
		p = block->data;
		for (n = block->len; (lf = memrchr(p, '\n', n)) != NULL;
		     n = (size_t)(lf - p)) {
			size_t at = (size_t)(lf - p) + 1;
			char class = at == block->len ? next : p[at];

			if (!ended) {
				*end = b->from + at;
				ended = true;
			} else if (!all && (class == 'B' || class == 'M')) {
				*base = b->from + at;
				return 0;
			}
		}
		next = p[0];
	}
	return 0;
}

/* What was read, from `at` to `end`, as one text. */
static void
join(const struct back *b, uint64_t at, uint64_t end, struct buf *out)
{
	uint64_t from = b->from;
	size_t i;

	for (i = b->n; i-- > 0; from += b->block[i].len) {
		struct str s = buf_str(&b->block[i]);

		if (from + s.n <= at)
			continue;
		if (from < at)
			s = str_from(s, (size_t)(at - from));
		buf_add_str(out, s);
	}
	buf_truncate(out, (size_t)(end - at));
}

/* ---- reading ----------------------------------------------------------- */

/* Takes the lines of a text that begins at offset `at` of the file. */
static int
take_lines(struct recovered *r, struct str text, uint64_t at, const char *name,
	   struct fail *fail)
{
	while (text.n > 0) {
		struct str line = str_cut(&text, '\n');

		if (!take_line(r, line))
			return fail_refuse(fail, "damaged",
					   "%s: the line at byte %" PRIu64
					   " is damaged",
					   name, at);
		at += line.n + 1;
	}
	return 0;
}

#define HEADER_BYTES 4096

/*
 * Reads the header: *n is where the lines after it begin, 0 when it is torn or
 * there is none.  0, or -1: not_text.
 */
static int
take_header(struct recovered *r, int fd, uint64_t size, const char *name,
	    uint64_t *n, struct fail *fail)
{
	struct buf text = BUF_INIT;
	size_t want = size < HEADER_BYTES ? (size_t)size : HEADER_BYTES;
	const char *lf;
	long got = io_pread_all(fd, buf_reserve(&text, want), want, 0);
	int rc = 0;

	*n = 0;
	if (got < 0) {
		rc = fail_environment(fail, "%s: %s", name, strerror(errno));
		goto out;
	}
	r->bytes_read += (uint64_t)got;
	lf = memchr(text.data, '\n', (size_t)got);
	if (lf == NULL && (uint64_t)got == size)
		goto out;
	if (lf == NULL ||
	    !read_header(r,
			 (struct str){ text.data, (size_t)(lf - text.data) })) {
		rc = fail_refuse(fail, "not_text",
				 "%s: no journal; legal: a file whose first "
				 "line is a journal's header, version 1",
				 name);
		goto out;
	}
	*n = (uint64_t)(lf - text.data) + 1;
out:
	buf_release(&text);
	return rc;
}

int
recover(int fd, const char *name, bool all, unsigned verbs, struct recovered *r,
	struct fail *fail)
{
	struct back b = { .fd = fd };
	struct buf text = BUF_INIT;
	uint64_t first, base;
	struct stat st;
	int rc = -1;

	*r = (struct recovered){
		.id = BUF_INIT, .kind = BUF_INIT, .seq = -1, .batch_seq = -1
	};
	wire_decoder_init(&r->d, verbs);
	if (fstat(fd, &st) != 0) {
		(void)fail_environment(fail, "%s: %s", name, strerror(errno));
		goto out;
	}
	b.from = b.size = (uint64_t)st.st_size;
	if (take_header(r, fd, b.size, name, &first, fail) != 0)
		goto out;
	if (first == 0) { /* a torn header is as none */
		r->torn = b.size;
		rc = 0;
		goto out;
	}
	if (read_back(&b, first, all, &base, &r->end) != 0) {
		(void)fail_environment(fail, "%s: %s", name, strerror(errno));
		goto out;
	}
	r->bytes_read += b.size - b.from;
	r->torn = b.size - r->end;
	join(&b, base, r->end, &text);
	rc = take_lines(r, buf_str(&text), base, name, fail);
out:
	back_release(&b);
	buf_release(&text);
	return rc;
}

void
recovered_release(struct recovered *r)
{
	buf_release(&r->id);
	buf_release(&r->kind);
	replica_release(&r->r);
	value_free(r->memos);
	wire_decoder_release(&r->d);
}
