#include "test.h"

#include "notes/address.h"

static char session[] = "s-1", agent[] = "ana-bot", model[] = "m-1",
	    project[] = "shop-api-17b5613d", root[] = "/nowhere";

static const struct identity me = { .root = root,
				    .session = session,
				    .agent = agent,
				    .model = model,
				    .project = project };

static void
is(const char *input, const char *rendered, const char *directory,
   const char *path, enum home_kind kind)
{
	struct fail fail = FAIL_INIT;
	struct address a;

	if (ok(address_parse(&a, str_of(input), &me, &fail) == 0, "%s: %s",
	       input, fail.message.data)) {
		is_string(a.rendered, rendered, input);
		is_string(a.home.directory, directory, input);
		is_string(a.path, path, input);
		is_int(a.home.kind, kind, input);
	}
	address_release(&a);
	fail_release(&fail);
}

static void
refuses(const char *input, const char *name)
{
	struct fail fail = FAIL_INIT;
	struct address a;
	const char *m, *forms[] = { "no @ for this session", "@project/",
				    "@human/", "@self/", "@model/" };
	size_t i;

	ok(address_parse(&a, str_of(input), &me, &fail) == -1 &&
		   fail.kind == FAIL_REFUSED &&
		   strcmp(fail.code, "invalid_address") == 0,
	   "no address: %s", name);
	m = fail.message.data;
	/* The input may name a head itself; the forms come after it. */
	m = m[0] == '"' ? strstr(m, "legal are") : NULL;
	for (i = 0; m != NULL && i < 5; i++)
		m = strstr(m, forms[i]);
	ok(m != NULL, "the message has the input and the legal forms in order");
	address_release(&a);
	fail_release(&fail);
}

static void
test_parsing(void)
{
	is("plan", "plan.md", "pi/session/s-1", "plan.md", HOME_SESSION);
	is("plan.md", "plan.md", "pi/session/s-1", "plan.md", HOME_SESSION);
	is("a.MD", "a.MD.md", "pi/session/s-1", "a.MD.md", HOME_SESSION);
	is(".md", ".md", "pi/session/s-1", ".md", HOME_SESSION);
	is("a/.hidden", "a/.hidden.md", "pi/session/s-1", "a/.hidden.md",
	   HOME_SESSION);
	is("\xc3\x9c ber/Na me", "\xc3\x9c ber/Na me.md", "pi/session/s-1",
	   "\xc3\x9c ber/Na me.md", HOME_SESSION);
	is("@project/a/b", "@project/a/b.md", "project/shop-api-17b5613d",
	   "a/b.md", HOME_PROJECT);
	is("@human/x", "@human/x.md", "human", "x.md", HOME_HUMAN);
	is("@self/x", "@self/x.md", "agents/ana-bot", "x.md", HOME_SELF);
	is("@agents/ana-bot/x", "@self/x.md", "agents/ana-bot", "x.md",
	   HOME_SELF);
	is("@agents/bob/x.md", "@agents/bob/x.md", "agents/bob", "x.md",
	   HOME_OTHER_AGENT);
	is("@model/x", "@model/x.md", "models/m-1", "x.md", HOME_MODEL);
	is("@models/m-1/x", "@model/x.md", "models/m-1", "x.md", HOME_MODEL);
	is("@models/m-2/x", "@models/m-2/x.md", "models/m-2", "x.md",
	   HOME_OTHER_MODEL);
	is("@models/ana-bot/x", "@models/ana-bot/x.md", "models/ana-bot",
	   "x.md", HOME_OTHER_MODEL);
	is("..a/b..", "..a/b...md", "pi/session/s-1", "..a/b...md",
	   HOME_SESSION);
}

static void
test_refusals(void)
{
	refuses("", "empty");
	refuses("/", "a slash");
	refuses("/a", "an empty first segment");
	refuses("a/", "an empty last segment");
	refuses("a//b", "an empty segment");
	refuses(".", "a dot");
	refuses("a/./b", "a dot segment");
	refuses("../a", "two dots");
	refuses("a/..", "two dots at the end");
	refuses("a\\b", "a backslash");
	refuses("a@b", "an at sign");
	refuses("@project/a@b", "an at sign in a home");
	refuses("a\tb", "a tab");
	refuses("a\x7f", "DEL");
	refuses("a\xc2\x80", "U+0080");
	refuses("a\xc2\x9f", "U+009F");
	refuses("@", "a bare at sign");
	refuses("@typo/x", "an unknown head");
	refuses("@Project/x", "a head in upper case");
	refuses("@project", "a head alone");
	refuses("@self/", "a head and a slash");
	refuses("@self//x", "an empty segment after the head");
	refuses("@agents", "a namespace alone");
	refuses("@agents/x", "an agent alone");
	refuses("@agents/x/", "an agent and a slash");
	refuses("@agents//x", "an empty slug");
	refuses("@agents/Bob/x", "a slug in upper case");
	refuses("@agents/a--b/x", "a doubled dash");
	refuses("@agents/../x", "dots for a slug");
	refuses("@models/-a/x", "a leading dash");
}

static void
test_session(void)
{
	struct identity nobody = me;
	struct fail fail = FAIL_INIT;
	struct address a;

	nobody.session = NULL;
	ok(address_parse(&a, STR("plan"), &nobody, &fail) == -1 &&
		   strcmp(fail.code, "no_session") == 0 &&
		   strstr(fail.message.data, "CTX_SESSION") != NULL,
	   "no session");
	address_release(&a);
	ok(address_parse(&a, STR("../plan"), &nobody, &fail) == -1 &&
		   strcmp(fail.code, "invalid_address") == 0,
	   "the address is looked at first");
	address_release(&a);
	ok(address_parse(&a, STR("@human/plan"), &nobody, &fail) == 0,
	   "other homes need none");
	address_release(&a);
	fail_release(&fail);
}

/* The code of the refusal for a path of n bytes with segments of `each`. */
static const char *
length_code(size_t n, size_t each)
{
	struct fail fail = FAIL_INIT;
	struct buf b = BUF_INIT;
	struct address a;
	const char *code = "fine";
	size_t i;

	for (i = 0; i < n; i++)
		buf_addc(&b, (i + 1) % (each + 1) == 0 ? '/' : 'a');
	if (address_parse(&a, buf_str(&b), &me, &fail) != 0 ||
	    address_check_length(&a, &fail) != 0)
		code = fail.code;
	address_release(&a);
	buf_release(&b);
	fail_release(&fail);
	return code;
}

static void
test_limits(void)
{
	struct fail fail = FAIL_INIT;
	struct address a;
	char slug[300];

	is_string(length_code(500, 99), "invalid_address",
		  "a slash at the end");
	is_string(length_code(512, 100), "fine", "a path of 512 bytes");
	is_string(length_code(513, 100), "too_large", "a path of 513 bytes");
	is_string(length_code(252, 300), "fine", "a name of 255 with its .md");
	is_string(length_code(253, 300), "too_large", "one of 256");
	is_string(length_code(400, 256), "too_large", "a long directory name");

	memcpy(slug, "@agents/", 8);
	memset(slug + 8, 'a', 256);
	memcpy(slug + 8 + 256, "/x", 3);
	ok(address_parse(&a, str_of(slug), &me, &fail) == 0 &&
		   address_check_length(&a, &fail) == -1 &&
		   strcmp(fail.code, "too_large") == 0,
	   "a slug of 256 bytes is a name on disk as well");
	address_release(&a);
	memcpy(slug + 8 + 255, "/x", 3);
	ok(address_parse(&a, str_of(slug), &me, &fail) == 0 &&
		   address_check_length(&a, &fail) == 0,
	   "one of 255 can be");
	address_release(&a);
	ok(address_parse(&a, STR("@agents/bob/x"), &me, &fail) == 0 &&
		   address_check_scope(&a, &fail) == -1 &&
		   strcmp(fail.code, "invalid_scope") == 0 &&
		   strstr(fail.message.data, "@agents/bob/x.md") != NULL &&
		   strstr(fail.message.data, "not your home") != NULL &&
		   strstr(fail.message.data, "@self/") != NULL,
	   "somebody else's home");
	address_release(&a);
	ok(address_parse(&a, STR("@models/x/y"), &me, &fail) == 0 &&
		   address_check_scope(&a, &fail) == -1 &&
		   strstr(fail.message.data, "@model/y.md") != NULL,
	   "another model's");
	address_release(&a);
	ok(address_parse(&a, STR("@agents/ana-bot/x"), &me, &fail) == 0 &&
		   address_check_scope(&a, &fail) == 0,
	   "the own one by its name");
	address_release(&a);
	fail_release(&fail);
}

static void
test_names(void)
{
	ok(address_is_name(STR("a b.md")) && address_is_name(STR(".git")) &&
		   address_is_name(STR("\xc3\xa9")),
	   "names that an address can have");
	ok(!address_is_name(STR("")) && !address_is_name(STR(".")) &&
		   !address_is_name(STR("..")) &&
		   !address_is_name(STR("a@b")) &&
		   !address_is_name(STR("a/b")) &&
		   !address_is_name(STR("a\\b")) &&
		   !address_is_name(STR("a\nb")) &&
		   !address_is_name(STR("a\xff")),
	   "names that none can have");
}

int
main(void)
{
	test_parsing();
	test_refusals();
	test_session();
	test_limits();
	test_names();
	return done();
}
