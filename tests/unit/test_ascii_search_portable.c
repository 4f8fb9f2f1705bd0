/* The same tests for the form that machines without SSE2 get. */
#undef __SSE2__
#include "text/ascii_search.c"

#include "test_ascii_search.c"
