#ifndef HISTORY_HOSTS_H
#define HISTORY_HOSTS_H

#include "history/decoder.h"

/*
 * The hosts whose transcripts can be read, in the order in which one is
 * recognised where nothing tells it.  A host is its decoder and a row here;
 * where its transcripts lie is corpus.c's.
 */
#define HOSTS_COUNT 1

extern const struct decoder *const hosts_decoders[HOSTS_COUNT];

/* NULL when nobody recognises the first record. */
const struct decoder *hosts_recognise(struct str first);

/* By name; NULL when there is none. */
const struct decoder *hosts_find(struct str name);

#endif /* HISTORY_HOSTS_H */
