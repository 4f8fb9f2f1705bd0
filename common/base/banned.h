#ifndef BANNED_H
#define BANNED_H

/*
 * Functions that are easy to use wrongly, made compile errors.  Included
 * before every source file by the Makefile; it has to take in the headers
 * that declare them first.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define BANNED(name) do_not_use_##name

#undef strcpy
#define strcpy(...) BANNED(strcpy)
#undef strcat
#define strcat(...) BANNED(strcat)
#undef strncpy
#define strncpy(...) BANNED(strncpy)
#undef strncat
#define strncat(...) BANNED(strncat)
#undef strtok
#define strtok(...) BANNED(strtok)
#undef strtok_r
#define strtok_r(...) BANNED(strtok_r)
#undef sprintf
#define sprintf(...) BANNED(sprintf)
#undef vsprintf
#define vsprintf(...) BANNED(vsprintf)
#undef gmtime
#define gmtime(...) BANNED(gmtime)
#undef localtime
#define localtime(...) BANNED(localtime)
#undef ctime
#define ctime(...) BANNED(ctime)
#undef ctime_r
#define ctime_r(...) BANNED(ctime_r)
#undef asctime
#define asctime(...) BANNED(asctime)
#undef asctime_r
#define asctime_r(...) BANNED(asctime_r)
#undef mktemp
#define mktemp(...) BANNED(mktemp)
#undef tmpnam
#define tmpnam(...) BANNED(tmpnam)
#undef atoi
#define atoi(...) BANNED(atoi)
#undef atol
#define atol(...) BANNED(atol)
#undef atoll
#define atoll(...) BANNED(atoll)

#endif /* BANNED_H */
