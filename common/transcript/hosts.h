#ifndef TRANSCRIPT_HOSTS_H
#define TRANSCRIPT_HOSTS_H

#include "transcript/decoder.h"

/*
 * The hosts that selectors can name.  A host whose transcripts can be read is
 * a decoder and a row in hosts.c; where they lie is corpus.c's.
 */
enum host {
	HOST_PI,
	HOST_CLAUDE,
	HOST_CODEX,
	HOST_COUNT /* also: not known */
};

#define HOST_BIT(host) (1u << (host))
#define HOSTS_ALL (HOST_BIT(HOST_COUNT) - 1)

const char *hosts_name(enum host host);

/* NULL: none of this host's transcripts can be read. */
const struct decoder *hosts_decoder(enum host host);

/* HOST_COUNT when there is none of that name. */
enum host hosts_find(struct str name);

/* By the first record, in the order of 2.3; HOST_COUNT: nobody's. */
enum host hosts_recognise(struct str first);

#endif /* TRANSCRIPT_HOSTS_H */
