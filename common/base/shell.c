#include "base/shell.h"

#include <string.h>

void
shell_word(struct buf *out, struct str word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
				    "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_./-:@%+=,";
	size_t i = 0;

	while (i < word.n && word.s[i] != '\0' &&
	       strchr(plain, word.s[i]) != NULL)
		i++;
	if (i == word.n && word.n > 0) {
		buf_add_str(out, word);
		return;
	}
	buf_addc(out, '\'');
	for (i = 0; i < word.n; i++)
		if (word.s[i] == '\'')
			buf_adds(out, "'\\''");
		else
			buf_addc(out, word.s[i]);
	buf_addc(out, '\'');
}
