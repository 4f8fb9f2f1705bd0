#ifndef RECOVER_H
#define RECOVER_H

#include "base/str.h"

/*
 * The id of a message that cannot be read: the complete top-level "id" in the
 * first 4,096 bytes of text that may be cut or broken after it, as it stands
 * there, so that a call does not hang (spec/hosts.md section 2.2).  Without
 * one it is `null`.
 */
struct str recover_id(struct str head);

#endif /* RECOVER_H */
