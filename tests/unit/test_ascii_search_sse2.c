/* The same tests for the form that machines without AVX2 get. */
#define HAS_AVX2 false
#include "text/ascii_search.c"

#include "test_ascii_search.c"
