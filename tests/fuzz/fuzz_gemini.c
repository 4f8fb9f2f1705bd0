/* Any file as a transcript of Gemini CLI; its leaf is ignored. */
#include "transcript/gemini.h"
#include "transcript_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct str file;

	if (n == 0)
		return 0;
	file = copy_file(p, n);
	check_transcript(&gemini_decoder, file,
			 find_leaf(file, "\"id\":\"", *p % 16), NULL);
	free((void *)(uintptr_t)file.s);
	return 0;
}
