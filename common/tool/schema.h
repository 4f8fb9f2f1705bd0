#ifndef SCHEMA_H
#define SCHEMA_H

#include "tool/declare.h"

/*
 * The tool's definition as --schema prints it, from its declaration: one
 * compact JSON object.  JSON Schema 2020-12 without $ref, $schema or a
 * composition at the top level (spec/hosts.md section 8).
 */
void schema_print(const struct tool *tool, struct buf *out);

#endif /* SCHEMA_H */
