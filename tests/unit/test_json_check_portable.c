/* The same tests for the form that machines without SSE2 get. */
#undef __SSE2__
#include "base/json_check.c"

#include "test_json_check.c"
