#include "test.h"

#include <sys/stat.h>
#include <unistd.h>

#include "notes/identity.h"

static void
slug_is(const char *from, const char *want)
{
	struct buf b = BUF_INIT;

	identity_slug(&b, str_of(from));
	is_string(b.data, want, from);
	ok(b.len == 0 || identity_is_slug(buf_str(&b)), "and it is one");
	buf_release(&b);
}

/* Resolves with one fact set, in directory `cwd`. */
static int
resolve(struct identity *who, enum fact which, const char *value,
	const char *cwd, struct fail *fail)
{
	struct facts facts = { { NULL } };
	struct arg_string given = { cwd, strlen(cwd), true };

	facts.value[FACT_NOTES_HOME] = "/nowhere";
	facts.value[FACT_CWD] = "/tmp";
	facts.value[FACT_NOW_MS] = "1785571200000";
	facts.value[which] = value;
	return identity_resolve(who, &facts, &given, fail);
}

static void
session_is(const char *value, const char *want)
{
	struct identity who;
	struct fail fail = FAIL_INIT;

	if (ok(resolve(&who, FACT_SESSION, value, "", &fail) == 0, "%s", value))
		is_string(who.session, want, value);
	identity_release(&who);
	fail_release(&fail);
}

static void
session_fails(const char *value, const char *name)
{
	struct identity who;
	struct fail fail = FAIL_INIT;

	ok(resolve(&who, FACT_SESSION, value, "", &fail) == -1 &&
		   fail.kind == FAIL_ENVIRONMENT &&
		   strstr(fail.message.data, "CTX_SESSION") != NULL,
	   "no session id: %s", name);
	identity_release(&who);
	fail_release(&fail);
}

static void
test_sessions(void)
{
	char name[258];

	session_is("pi:7f3", "7f3");
	session_is("7f3", "7f3");
	session_is("claude:a b.c", "a b.c");
	session_fails("pi:", "empty");
	session_fails("../x", "a path");
	session_fails("a:b:c", "a second colon");
	session_fails("pi:..", "two dots");
	session_fails(".", "one dot");
	session_fails("a\\b", "a backslash");
	session_fails("a\nb", "a newline");
	session_fails("a\xc2\x85"
		      "b",
		      "a C1 control");
	session_fails("a\xff", "no UTF-8");
	memset(name, 'a', sizeof(name));
	name[256] = '\0';
	session_fails(name, "256 bytes");
	name[255] = '\0';
	session_is(name, name);
}

static void
test_slugs(void)
{
	struct identity who;
	struct fail fail = FAIL_INIT;
	char name[200];

	slug_is("ana bot", "ana-bot");
	slug_is("--A..B__c--", "a-b-c");
	slug_is("\xc3\x89ric", "ric");
	slug_is("***", "");
	slug_is("", "");
	ok(!identity_is_slug(STR("")) && !identity_is_slug(STR("-a")) &&
		   !identity_is_slug(STR("a-")) &&
		   !identity_is_slug(STR("a--b")) &&
		   !identity_is_slug(STR("A")) && !identity_is_slug(STR("a b")),
	   "what is not a slug");
	ok(identity_is_slug(STR("a-1-b")), "what is one");

	ok(resolve(&who, FACT_AGENT, "***", "", &fail) == 0, "an empty slug");
	is_string(who.agent, "anonymous", "gives the default");
	is_string(who.model, "default", "as does no fact");
	identity_release(&who);
	ok(resolve(&who, FACT_MODEL, "vendor/line/Model 4.5", "", &fail) == 0,
	   "a model");
	is_string(who.model, "model-4-5", "is what follows the last slash");
	identity_release(&who);
	memset(name, 'a', sizeof(name));
	name[129] = '\0';
	ok(resolve(&who, FACT_AGENT, name, "", &fail) == -1 &&
		   fail.kind == FAIL_ENVIRONMENT,
	   "a slug over 128 bytes is not an environment to work in");
	identity_release(&who);
	name[128] = '\0';
	ok(resolve(&who, FACT_AGENT, name, "", &fail) == 0, "one of 128 is");
	identity_release(&who);
	fail_release(&fail);
}

static void
directory_is(const char *base, const char *cwd, const char *want)
{
	struct identity who;
	struct fail fail = FAIL_INIT;

	if (ok(resolve(&who, FACT_CWD, base, cwd, &fail) == 0, "%s", cwd))
		is_string(who.directory, want, cwd);
	identity_release(&who);
	fail_release(&fail);
}

static void
cwd_fails(const char *cwd, const char *reason)
{
	struct identity who;
	struct fail fail = FAIL_INIT;

	ok(resolve(&who, FACT_CWD, "/tmp", cwd, &fail) == -1 &&
		   fail.kind == FAIL_REFUSED &&
		   strcmp(fail.code, "invalid_cwd") == 0 &&
		   strstr(fail.message.data, reason) != NULL,
	   "%s: %s", reason, fail.message.data);
	identity_release(&who);
	fail_release(&fail);
}

static void
test_directories(void)
{
	char folder[] = "/tmp/test_identity.XXXXXX", sub[64], file[64];
	char name[4098];

	if (mkdtemp(folder) == NULL || chdir(folder) != 0 ||
	    mkdir("sub", 0700) != 0)
		abort();
	snprintf(sub, sizeof(sub), "%s/sub", folder);
	snprintf(file, sizeof(file), "%s/file", folder);
	fclose(fopen(file, "w"));

	directory_is("/no/such/place", "", "/no/such/place");
	directory_is("sub//x/..", "", sub);
	directory_is(NULL, "", folder);
	directory_is(folder, "sub", sub);
	directory_is(folder, "/tmp/.", "/tmp");
	cwd_fails("/no/such/place", "does not exist");
	cwd_fails(file, "is not a directory");
	memset(name, 'a', sizeof(name));
	name[4097] = '\0';
	cwd_fails(name, "too long");

	unlink(file);
	rmdir("sub");
	rmdir(folder);
}

int
main(void)
{
	test_sessions();
	test_slugs();
	test_directories();
	return done();
}
