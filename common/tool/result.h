#ifndef RESULT_H
#define RESULT_H

#include "tool/declare.h"

/* The JSON of results, from the tables that declare them. */

/* A result as one compact JSON object, without a newline. */
void result_json(const struct tool *tool, const void *result, struct buf *out);

/* An object of fields as a value: an element of a list, a line of a stream. */
void result_object(struct json_writer *w, const struct field *fields,
		   const void *object);

/* Its members, in an object that is open. */
void result_members(struct json_writer *w, const struct field *fields,
		    const void *object);

/* One value: what f describes stands at `at`. */
void result_value(struct json_writer *w, const struct field *f, const void *at);

/* `{"error":...,"code":...}` and what else the failure has. */
void result_refusal(const struct fail *fail, struct buf *out);

#endif /* RESULT_H */
