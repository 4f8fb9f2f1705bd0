/*
 * Any file as the settings of the context family: what is read is within its
 * bounds, whatever is written there, and for every model there is a level.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/utf8.h"
#include "context/policy.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
must(bool holds)
{
	if (!holds)
		abort();
}

static void
check_config(struct life_config c)
{
	must(c.percent > 0 && c.percent < 1);
	must(c.floor >= 0 && c.ceiling >= 0 && c.hard >= 0);
	must(decide_level(&c, 16000) <= 8000 && decide_level(&c, 16000) >= 0);
}

static void
check_policy(const struct policy *p)
{
	static const char *const models[] = { "", "a", "a/b", "openai/gpt-5",
					      "anthropic/claude-x" };

	must(p->output_chars >= 1000 && p->output_chars <= 30000);
	must(p->note_bytes >= 1 && p->note_bytes <= 4000000);
	must(p->preview_chars >= 1 && p->preview_chars <= 4000);
	must(p->prompts_dir.len == 0 || p->prompts_dir.data[0] == '/');
	for (size_t i = 0; i < sizeof(models) / sizeof(models[0]); i++)
		check_config(policy_for(p, str_of(models[i])));
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char path[64];
	struct facts facts = { .value = { NULL } };
	struct buf remarks = BUF_INIT;
	struct fail fail = FAIL_INIT;
	struct policy p;
	int fd = memfd_create("settings", MFD_CLOEXEC);

	must(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	facts.value[FACT_CONFIG] = path;
	if (policy_read(&p, &facts, &remarks, &fail) == 0) {
		check_policy(&p);
		/* All that is amiss is one line. */
		must(remarks.len == 0 ||
		     memchr(remarks.data, '\n', remarks.len) ==
			     remarks.data + remarks.len - 1);
		must(utf8_valid(buf_str(&remarks)));
	} else {
		must(fail.kind == FAIL_ENVIRONMENT && fail.message.len > 0);
	}
	policy_release(&p);
	fail_release(&fail);
	buf_release(&remarks);
	close(fd);
	return 0;
}
