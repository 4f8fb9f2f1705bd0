#include "test.h"

#include "base/buf.h"
#include "base/xalloc.h"

static void
growth(void)
{
	struct buf b = BUF_INIT;
	size_t i;
	bool good = true;

	ok(b.len == 0 && b.data[0] == '\0', "an empty buf is a string");
	buf_add(&b, NULL, 0);
	ok(b.cap == 0, "nothing takes no memory");
	for (i = 0; i < 100000; i++) {
		buf_addc(&b, (char)i);
		good &= b.data[b.len] == '\0';
	}
	ok(good, "terminated after every addition");
	for (i = 0; i < 100000; i++)
		good &= b.data[i] == (char)i;
	ok(good && b.len == 100000, "bytes stay, NUL among them");
	buf_truncate(&b, 3);
	ok(b.len == 3 && b.data[3] == '\0', "truncated");
	buf_release(&b);
	ok(b.len == 0 && b.cap == 0 && b.data[0] == '\0',
	   "released, it is empty again");
	buf_release(&b);
}

static void
additions(void)
{
	struct buf b = BUF_INIT;
	char *p;

	buf_adds(&b, "a");
	buf_addf(&b, "%d%s", 12, "b");
	buf_addf(&b, "%s", "");
	buf_add_str(&b, STR("c\0d"));
	buf_add_str(&b, (struct str){ NULL, 0 });
	is_bytes(b.data, b.len, "a12bc\0d", 7, "all ways to add");
	p = buf_reserve(&b, 1000);
	memset(p, 'x', 1000);
	b.len += 1000;
	ok(b.data[7] == 'x' && b.data[1006] == 'x', "room that was reserved");
	buf_reset(&b);
	ok(buf_str(&b).n == 0 && b.cap > 1000, "reset keeps the memory");
	buf_addf(&b, "%0500d", 0);
	is_int((long long)b.len, 500, "a long formatted text");
	p = buf_detach(&b);
	ok(strlen(p) == 500 && b.len == 0 && b.cap == 0, "detached");
	free(p);
	p = buf_detach(&b);
	is_string(p, "", "an empty buf detaches an empty string");
	free(p);
}

static void
ceiling(void)
{
	struct buf b;
	char *p;

	buf_init(&b, 5);
	buf_adds(&b, "12345");
	ok(!b.full && b.len == 5, "as much as max");
	buf_adds(&b, "");
	ok(!b.full, "nothing more still fits");
	buf_reset(&b);
	buf_adds(&b, "1234");
	buf_adds(&b, "56");
	is_bytes(b.data, b.len, "1234", 4, "what does not fit is not cut");
	ok(b.full, "and is told");
	buf_adds(&b, "5");
	buf_addf(&b, "%d", 5);
	buf_addc(&b, '5');
	is_int((long long)b.len, 4, "after that nothing is added");
	buf_reset(&b);
	buf_addf(&b, "%d", 123456);
	ok(b.full && b.len == 0, "a formatted text that does not fit");
	buf_reset(&b);
	buf_addf(&b, "%d", 12345);
	ok(!b.full && b.len == 5, "and one that does");
	p = buf_detach(&b);
	free(p);
	buf_adds(&b, "123456");
	ok(b.full, "max outlives the contents");
	buf_release(&b);
	ok(!b.full && b.max == 5, "and the memory");
}

static void
arrays(void)
{
	int *v = NULL;
	size_t n = 0, cap = 0;
	bool good = true;
	char *copy;

	for (; n < 1000; n++) {
		XGROW(v, n + 1, cap);
		v[n] = (int)n;
		good &= cap > n;
	}
	for (n = 0; n < 1000; n++)
		good &= v[n] == (int)n;
	ok(good, "an array grows and keeps its elements");
	free(v);
	copy = xmemdup("a\0b", 3);
	is_bytes(copy, 4, "a\0b", 4, "a copy is terminated");
	free(copy);
	copy = xmemdup(NULL, 0);
	is_string(copy, "", "a copy of nothing");
	free(copy);
	copy = xstrdup("x");
	is_string(copy, "x", "a copy of a string");
	free(copy);
	v = xcalloc(0, 0);
	ok(v != NULL, "no bytes are still a pointer");
	free(v);
}

static void
spans(void)
{
	struct str none = { NULL, 0 };

	ok(str_eq(none, STR("")) && str_eq(STR("a\0b"), STR("a\0b")) &&
		   !str_eq(STR("a\0b"), STR("a\0c")) &&
		   !str_eq(STR("a"), STR("ab")),
	   "equal spans");
	ok(str_is(STR("ab"), "ab") && !str_is(STR("ab\0"), "ab"),
	   "a span and a string");
	ok(str_starts(STR("abc"), STR("ab")) && str_starts(none, none) &&
		   !str_starts(STR("ab"), STR("abc")),
	   "prefixes");
	ok(str_ends(STR("abc"), STR("bc")) && str_ends(none, STR("")) &&
		   !str_ends(STR("bc"), STR("abc")),
	   "suffixes");
	ok(str_cmp(STR("a"), STR("b")) < 0 && str_cmp(STR("b"), STR("a")) > 0 &&
		   str_cmp(STR("a"), STR("ab")) < 0 &&
		   str_cmp(STR("\xff"), STR("a")) > 0 &&
		   str_cmp(none, STR("")) == 0,
	   "byte order");
	ok(str_is(str_from(STR("abc"), 1), "bc") && str_from(none, 0).n == 0,
	   "the rest of a span");
}

int
main(void)
{
	growth();
	additions();
	ceiling();
	arrays();
	spans();
	return done();
}
