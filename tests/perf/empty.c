/* What a process costs before it does anything: the unit of the benchmarks. */
int
main(void)
{
	return 0;
}
