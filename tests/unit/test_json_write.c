#include "test.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/json_write.h"

static struct buf out = BUF_INIT;

static void
is_out(const char *want, const char *name)
{
	is_bytes(out.data, out.len, want, strlen(want), name);
	buf_reset(&out);
}

static void
structure(void)
{
	struct json_writer w;

	json_begin(&w, &out);
	json_open_object(&w);
	json_member_string(&w, "s", STR("x"));
	json_member_integer(&w, "i", INT64_MIN);
	json_member_boolean(&w, "b", true);
	json_member_null(&w, "n");
	json_key(&w, "o");
	json_open_object(&w);
	json_close_object(&w);
	json_key(&w, "a");
	json_open_array(&w);
	json_integer(&w, INT64_MAX);
	json_open_array(&w);
	json_close_array(&w);
	json_boolean(&w, false);
	json_null(&w);
	json_raw(&w, STR("1.0"));
	json_string(&w, STR(""));
	json_close_array(&w);
	json_key_str(&w, STR("k\0\""));
	json_raw(&w, STR("{}"));
	json_close_object(&w);
	is_out("{\"s\":\"x\",\"i\":-9223372036854775808,\"b\":true,"
	       "\"n\":null,\"o\":{},\"a\":[9223372036854775807,[],false,null,"
	       "1.0,\"\"],\"k\\u0000\\\"\":{}}",
	       "commas and colons are right at every level");
	ok(w.depth == 0, "everything is closed");

	json_begin(&w, &out);
	json_string(&w, STR("alone"));
	is_out("\"alone\"", "a value of its own");
}

/* Every character, at every distance from a word's edge. */
static void
string_rule(void)
{
	static const char *const special[0x20] = {
		['\b'] = "\\b", ['\t'] = "\\t", ['\n'] = "\\n",
		['\f'] = "\\f", ['\r'] = "\\r",
	};
	unsigned c, at, wrong = 0;
	struct buf want = BUF_INIT;
	char s[24];

	for (c = 0; c < 0x100; c++)
		for (at = 0; at < sizeof(s); at++) {
			memset(s, 'a', sizeof(s));
			s[at] = (char)c;
			buf_reset(&want);
			buf_addc(&want, '"');
			buf_add(&want, s, at);
			if (c == '"' || c == '\\')
				buf_addf(&want, "\\%c", (int)c);
			else if (c >= 0x20)
				buf_addc(&want, (char)c);
			else if (special[c] != NULL)
				buf_adds(&want, special[c]);
			else
				buf_addf(&want, "\\u%04x", c);
			buf_add(&want, s + at + 1, sizeof(s) - at - 1);
			buf_addc(&want, '"');
			buf_reset(&out);
			json_quote(&out, (struct str){ s, sizeof(s) });
			wrong += !str_eq(buf_str(&out), buf_str(&want));
		}
	is_int(wrong, 0, "history section 4: which characters are escaped");
	buf_release(&want);
	buf_reset(&out);
	json_quote(&out, (struct str){ NULL, 0 });
	is_out("\"\"", "the empty span");
	json_quote(&out, STR("/\x7f\xc2\x80\xe2\x80\xa8\xf0\x9f\x98\x80"));
	is_out("\"/\x7f\xc2\x80\xe2\x80\xa8\xf0\x9f\x98\x80\"",
	       "slash, DEL, C1, U+2028 and what is above stay raw");
}

/* What a caller might do wrong, one letter a call. */
static void
misuse(const char *calls)
{
	struct json_writer w;

	json_begin(&w, &out);
	for (; *calls != '\0'; calls++) {
		switch (*calls) {
		case '{':
			json_open_object(&w);
			break;
		case '}':
			json_close_object(&w);
			break;
		case '[':
			json_open_array(&w);
			break;
		case ']':
			json_close_array(&w);
			break;
		case 'k':
			json_key(&w, "k");
			break;
		case 's':
			json_string(&w, STR("s"));
			break;
		case 'i':
			json_integer(&w, 1);
			break;
		case 'b':
			json_boolean(&w, true);
			break;
		case 'n':
			json_null(&w);
			break;
		default:
			json_raw(&w, STR("{}"));
		}
	}
}

/* In a process of its own, whose last words are not for us. */
static int
signal_of(const char *calls)
{
	int status = 0;
	pid_t pid = fork();

	if (pid == 0) {
		const struct rlimit none = { 0, 0 };

		setrlimit(RLIMIT_CORE, &none);
		close(STDERR_FILENO);
		misuse(calls);
		_exit(0);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		abort();
	return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

static void
misnesting(void)
{
	static const char *const right[] = {
		"{}", "[]", "s", "r", "{ki}", "{k{}ks}", "[s[{}]{k[n]kb}r]",
	};
	static const char *const wrong[] = {
		"}",   "]",   "{]",   "[}",    "[{]",	"{k[}", "{s}",	"{i}",
		"{b}", "{n}", "{r}",  "{[",    "{{",	"{k}",	"{kk}", "[k",
		"k",   "ss",  "{}{}", "[k[]]", "{kss}", "[[{]", "{ki[",
	};
	size_t i;

	fflush(stdout);
	for (i = 0; i < sizeof(right) / sizeof(right[0]); i++)
		is_int(signal_of(right[i]), 0, right[i]);
	fflush(stdout);
	for (i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		int got = signal_of(wrong[i]);

		ok(got == SIGABRT, "asserted: %s", wrong[i]);
		fflush(stdout);
	}
}

int
main(void)
{
	misnesting();
	structure();
	string_rule();
	buf_release(&out);
	return done();
}
