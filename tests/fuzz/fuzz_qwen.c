/* Any file as a transcript of Qwen Code.  The first byte chooses the leaf among the
 * ids in the file. */
#include "transcript/qwen.h"
#include "transcript_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct str file;

	if (n == 0)
		return 0;
	file = copy_file(p, n);
	check_transcript(&qwen_decoder, file,
			 find_leaf(file, "\"uuid\":\"", *p % 16), NULL);
	free((void *)(uintptr_t)file.s);
	return 0;
}
