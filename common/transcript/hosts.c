#include "transcript/hosts.h"

#include "transcript/claude.h"
#include "transcript/codex.h"
#include "transcript/pi.h"

static const struct {
	const char *name;
	const struct decoder *decoder;
} hosts[HOST_COUNT] = {
	[HOST_PI] = { "pi", &pi_decoder },
	[HOST_CLAUDE] = { "claude", &claude_decoder },
	[HOST_CODEX] = { "codex", &codex_decoder },
};

const char *
hosts_name(enum host host)
{
	return hosts[host].name;
}

const struct decoder *
hosts_decoder(enum host host)
{
	return hosts[host].decoder;
}

enum host
hosts_find(struct str name)
{
	enum host host = 0;

	while (host < HOST_COUNT && !str_is(name, hosts[host].name))
		host++;
	return host;
}

enum host
hosts_recognise(struct str first)
{
	static const enum host order[] = { HOST_PI, HOST_CODEX, HOST_CLAUDE };

	for (size_t i = 0; i < HOST_COUNT; i++)
		if (hosts[order[i]].decoder != NULL &&
		    hosts[order[i]].decoder->recognises(first))
			return order[i];
	return HOST_COUNT;
}
