#ifndef LESSONS_SCHEMA_H
#define LESSONS_SCHEMA_H

#include <stddef.h>
#include <stdint.h>

/*
 * The store's tables (spec/lessons.md section 3.1).  The file is shared with
 * another program, so that names and meaning are fixed.
 */
#define SCHEMA_APPLICATION 1347241293
#define SCHEMA_VERSION 9

/* Statements that make all of it in an empty database. */
extern const char *const schema_script[]; /* NULL ends */

/* The trigger that a move takes away, and puts back as it was. */
extern const char schema_immutable[];

/*
 * The tables in the order of the specification.  types has a letter for each
 * column: t text, i integer; a capital one may be NULL.
 */
struct schema_table {
	const char *name; /* NULL ends */
	const char *columns[16];
	const char *types;
	const char *select; /* all rows, by primary key */
};
extern const struct schema_table schema_tables[];

#endif /* LESSONS_SCHEMA_H */
