#include "history/hosts.h"

#include "history/pi.h"

const struct decoder *const hosts_decoders[HOSTS_COUNT] = { &pi_decoder };

const struct decoder *
hosts_recognise(struct str first)
{
	for (size_t i = 0; i < HOSTS_COUNT; i++)
		if (hosts_decoders[i]->recognises(first))
			return hosts_decoders[i];
	return NULL;
}

const struct decoder *
hosts_find(struct str name)
{
	for (size_t i = 0; i < HOSTS_COUNT; i++)
		if (str_is(name, hosts_decoders[i]->host))
			return hosts_decoders[i];
	return NULL;
}
