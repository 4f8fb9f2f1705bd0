/*
 * What the context family reads from outside.  The first byte says which: the
 * state of a window and the registry, which read back as they are written; the
 * record of times; a path or a prefix, whose canonical form is the same path.
 */
#include <stdint.h>
#include <stdlib.h>

#include "base/utf8.h"
#include "base/xalloc.h"
#include "context/agents.h"
#include "context/ledger.h"
#include "context/life_json.h"
#include "context/virtual_path.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
check(bool holds)
{
	if (!holds)
		abort();
}

static void
try_state(struct str text)
{
	struct buf once = BUF_INIT, twice = BUF_INIT;
	struct life a, b;

	decide_init(&a);
	decide_init(&b);
	if (life_json_read(&a, STR("s"), STR("/root"), text)) {
		life_json_write(&a, STR("s"), STR("/root"), &once);
		check(life_json_read(&b, STR("s"), STR("/root"),
				     buf_str(&once)));
		life_json_write(&b, STR("s"), STR("/root"), &twice);
		check(str_eq(buf_str(&once), buf_str(&twice)));
	}
	decide_release(&a);
	decide_release(&b);
	buf_release(&once);
	buf_release(&twice);
}

static void
try_registry(struct str text)
{
	struct buf once = BUF_INIT, twice = BUF_INIT;
	struct agents a;

	agents_init(&a, STR("x"));
	if (agents_parse(&a, text)) {
		check(agents_find(&a, STR(AGENTS_ROOT)) == &a.v[0]);
		agents_json(&a, &once);
		check(agents_parse(&a, buf_str(&once)));
		agents_json(&a, &twice);
		check(str_eq(buf_str(&once), buf_str(&twice)));
	}
	agents_release(&a);
	buf_release(&once);
	buf_release(&twice);
}

static void
try_ledger(struct str text)
{
	struct ledger l = LEDGER_INIT, again = LEDGER_INIT;
	struct buf out = BUF_INIT;

	buf_add_str(&l.text, text);
	ledger_parse(&l);
	ledger_write(&l, &again.text);
	ledger_parse(&again);
	check(again.n == l.n);
	ledger_write(&again, &out);
	check(str_eq(buf_str(&out), buf_str(&again.text)));
	buf_release(&out);
	ledger_release(&l);
	ledger_release(&again);
}

static void
try_path(struct str text, bool prefix)
{
	struct virtual_path p = VIRTUAL_PATH_INIT, again = VIRTUAL_PATH_INIT;
	int (*parse)(struct virtual_path *, struct str, struct str,
		     struct fail *) = prefix ? virtual_path_parse_prefix
					     : virtual_path_parse;
	struct fail fail = FAIL_INIT;
	struct buf canonical = BUF_INIT;

	if (parse(&p, text, STR("/root/a"), &fail) == 0) {
		check(agents_fault(buf_str(&p.agent)) == NULL);
		check(prefix || virtual_path_is_legal(buf_str(&p.relative)));
		virtual_path_canonical(&canonical, buf_str(&p.agent),
				       buf_str(&p.relative));
		check(parse(&again, buf_str(&canonical), STR("/root"), &fail) ==
		      0);
		check(str_eq(buf_str(&p.agent), buf_str(&again.agent)));
		check(str_eq(buf_str(&p.relative), buf_str(&again.relative)));
	}
	virtual_path_release(&p);
	virtual_path_release(&again);
	fail_release(&fail);
	buf_release(&canonical);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *copy;
	struct str text;

	if (size == 0)
		return 0;
	copy = xmemdup(data + 1, size - 1);
	text = (struct str){ copy, size - 1 };
	switch (data[0]) {
	case 's':
		try_state(text);
		break;
	case 'r':
		try_registry(text);
		break;
	case 'm':
		try_ledger(text);
		break;
	case 'f':
	case 'p':
		/* Arguments are text without NUL. */
		if (utf8_valid(text) && memchr(copy, '\0', text.n) == NULL)
			try_path(text, data[0] == 'p');
		break;
	default:
		break;
	}
	free(copy);
	return 0;
}
