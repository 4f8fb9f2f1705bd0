#include "transcript/decoder.h"

const char *const decoder_role_names[] = { "user", "assistant", "tool",
					   "context", NULL };
const char *const decoder_status_names[] = { "ok", "error", "unfinished",
					     NULL };
