/*
 * Replays a corpus without libFuzzer, so that any compiler's tests run it.
 * Without arguments the corpus is tests/fuzz/corpus/<module> for a program
 * called fuzz_<module>; else the arguments are the files.  Prints TAP.
 */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

/* Gives each input in a block of its exact size. */
static int
replay(const char *path)
{
	FILE *f = fopen(path, "rb");
	uint8_t *p;
	long n;

	if (f == NULL || fseek(f, 0, SEEK_END) != 0 || (n = ftell(f)) < 0) {
		printf("# %s: cannot be read\n", path);
		if (f != NULL)
			fclose(f);
		return -1;
	}
	rewind(f);
	/* Said before the run: a crash leaves the name as the last line. */
	printf("# %s\n", path);
	fflush(stdout);
	p = malloc(n > 0 ? (size_t)n : 1);
	if (p == NULL || fread(p, 1, (size_t)n, f) != (size_t)n)
		abort();
	fclose(f);
	LLVMFuzzerTestOneInput(p, (size_t)n);
	free(p);
	return 0;
}

static int
replay_folder(const char *folder, size_t *count)
{
	DIR *d = opendir(folder);
	struct dirent *e;
	char path[4096];
	int rc = 0;

	if (d == NULL)
		return 0;
	while ((e = readdir(d)) != NULL) {
		if (e->d_name[0] == '.')
			continue;
		if (snprintf(path, sizeof(path), "%s/%s", folder, e->d_name) >=
			    (int)sizeof(path) ||
		    replay(path) != 0)
			rc = -1;
		(*count)++;
	}
	closedir(d);
	return rc;
}

int
main(int argc, char *argv[])
{
	const char *name = strrchr(argv[0], '/');
	char folder[4096];
	size_t count = 0;
	int rc = 0;

	name = name == NULL ? argv[0] : name + 1;
	if (strncmp(name, "fuzz_", 5) == 0)
		name += 5;
	for (int i = 1; i < argc; i++, count++)
		if (replay(argv[i]) != 0)
			rc = -1;
	if (argc < 2) {
		snprintf(folder, sizeof(folder), "tests/fuzz/corpus/%s", name);
		rc = replay_folder(folder, &count);
	}
	if (count == 0)
		rc = -1;
	printf("%sok 1 - %s: %zu inputs of the corpus\n1..1\n",
	       rc == 0 ? "" : "not ", name, count);
	return rc == 0 ? 0 : 1;
}
