#include "tool/fail.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/json_write.h"
#include "base/utf8.h"

#define ELLIPSIS "\xe2\x80\xa6"

/*
 * Adds raw to out with U+FFFD for what is not valid UTF-8, at most max code
 * points: when there are more, the last one is an ellipsis.
 */
static void
add_clean(struct buf *out, struct str raw, size_t max)
{
	size_t i = 0, count = 0, last = out->len;
	uint32_t cp;

	while (i < raw.n) {
		unsigned n = utf8_decode(raw.s + i, raw.n - i, &cp);

		if (count == max) {
			buf_truncate(out, last);
			buf_adds(out, ELLIPSIS);
			return;
		}
		last = out->len;
		if (n == 0)
			buf_adds(out, UTF8_REPLACEMENT);
		else
			buf_add(out, raw.s + i, n);
		i += n == 0 ? 1 : n;
		count++;
	}
}

__attribute__((format(printf, 4, 0))) static int
store(struct fail *f, enum fail_kind kind, const char *code, const char *fmt,
      va_list ap)
{
	struct buf raw = BUF_INIT;

	buf_vaddf(&raw, fmt, ap);
	buf_reset(&f->message);
	buf_reset(&f->members);
	buf_reset(&f->person);
	add_clean(&f->message, buf_str(&raw), FAIL_MESSAGE_CHARS);
	f->kind = kind;
	f->code = code;
	buf_release(&raw);
	return -1;
}

int
fail_refuse(struct fail *f, const char *code, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	store(f, FAIL_REFUSED, code, fmt, ap);
	va_end(ap);
	return -1;
}

int
fail_block(struct fail *f, const char *code, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	store(f, FAIL_BLOCKED, code, fmt, ap);
	va_end(ap);
	return -1;
}

int
fail_invalid(struct fail *f, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	store(f, FAIL_INVALID, NULL, fmt, ap);
	va_end(ap);
	return -1;
}

int
fail_environment(struct fail *f, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	store(f, FAIL_ENVIRONMENT, NULL, fmt, ap);
	va_end(ap);
	return -1;
}

void
fail_member(struct fail *f, const char *key, struct str value)
{
	if (f->members.len > 0)
		buf_addc(&f->members, ',');
	json_quote(&f->members, str_of(key));
	buf_addc(&f->members, ':');
	buf_add_str(&f->members, value);
}

void
fail_member_integer(struct fail *f, const char *key, int64_t v)
{
	char text[24];

	(void)snprintf(text, sizeof(text), "%" PRId64, v);
	fail_member(f, key, str_of(text));
}

void
fail_for_person(struct fail *f, const char *fmt, ...)
{
	struct buf raw = BUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	buf_vaddf(&raw, fmt, ap);
	va_end(ap);
	buf_reset(&f->person);
	add_clean(&f->person, buf_str(&raw), FAIL_MESSAGE_CHARS);
	buf_release(&raw);
}

void
fail_release(struct fail *f)
{
	buf_release(&f->message);
	buf_release(&f->members);
	buf_release(&f->person);
	f->kind = FAIL_NONE;
	f->code = NULL;
}

void
fail_quote(struct buf *out, struct str input)
{
	size_t i = 0, count;
	uint32_t cp;

	buf_addc(out, '"');
	for (count = 0; i < input.n; count++) {
		unsigned n = utf8_decode(input.s + i, input.n - i, &cp);

		if (count == FAIL_QUOTE_CHARS) {
			buf_adds(out, ELLIPSIS);
			break;
		}
		if (n == 0)
			buf_adds(out, UTF8_REPLACEMENT);
		else if (cp == '"' || cp == '\\')
			buf_addf(out, "\\%c", (char)cp);
		else if (cp == '\n')
			buf_adds(out, "\\n");
		else if (cp == '\t')
			buf_adds(out, "\\t");
		else if (cp == '\r')
			buf_adds(out, "\\r");
		else if (cp < 0x20 || (cp >= 0x7f && cp <= 0x9f))
			buf_addf(out, "\\u%04x", (unsigned)cp);
		else
			buf_add(out, input.s + i, n);
		i += n == 0 ? 1 : n;
	}
	buf_addc(out, '"');
}
