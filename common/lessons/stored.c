#include "lessons/stored.h"

#include <cjson/cJSON.h>

struct str
stored_text(struct keep *keep, const cJSON *object, const char *name)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);

	return keep_str(keep, cJSON_IsString(item) ? str_of(item->valuestring)
						   : STR(""));
}

int64_t
stored_number(const cJSON *item)
{
	return cJSON_IsNumber(item) ? (int64_t)item->valuedouble : 0;
}

int64_t
stored_integer(const cJSON *object, const char *name)
{
	return stored_number(cJSON_GetObjectItemCaseSensitive(object, name));
}

int
stored_damaged(struct fail *fail)
{
	return fail_environment(fail, "the stored review is damaged");
}
