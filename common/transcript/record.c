#include "transcript/record.h"

#include "base/json_check.h"
#include "base/json_span.h"

#define DEPTH 1024

bool
record_parse(struct str line, struct str *object)
{
	if (json_check(line, DEPTH,
		       JSON_ALLOW_NUL | JSON_ALLOW_DUPLICATES | JSON_ALLOW_LONE,
		       NULL) != 0)
		return false;
	*object = json_value(line);
	return json_kind(*object) == JSON_OBJECT;
}
