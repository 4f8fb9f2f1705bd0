#ifndef YAML_TREE_H
#define YAML_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/str.h"

/*
 * The part of YAML that front matter may use, read through libyaml's event
 * parser into a flat tree that knows where each value stands
 * (spec/notes.md section 3.1).
 */
#define YAML_TREE_DEPTH 32
#define YAML_TREE_EVENTS 20000

enum yaml_kind { YAML_SCALAR, YAML_SEQUENCE, YAML_MAPPING };

/* A node; those below it follow it directly, in order, up to `next`. */
struct yaml_node {
	enum yaml_kind kind;
	bool plain;	     /* a scalar without quotes */
	bool block;	     /* a block scalar or block collection */
	bool hidden;	     /* a key that comes again in its mapping */
	size_t start, end;   /* bytes in the source; an empty scalar has none */
	size_t text, length; /* a scalar's content, in tree->text */
	size_t next;
};

struct yaml_tree {
	struct yaml_node *nodes; /* the root first; none: an empty document */
	size_t n, cap;
	struct buf text;

	/* After a failure: one line, and the byte where it lies. */
	char reason[200];
	size_t fault;
};

#define YAML_TREE_INIT           \
	{                        \
		.text = BUF_INIT \
	}

/*
 * Parses source, one document without directives, anchors, aliases or tags,
 * every key a scalar, nothing deeper than YAML_TREE_DEPTH, no NUL.  0, or -1
 * with reason and fault.  Linear time, whatever the source is.
 */
int yaml_tree_parse(struct yaml_tree *t, struct str source);
void yaml_tree_release(struct yaml_tree *t);

/* Borrowed; of a scalar. */
struct str yaml_tree_text(const struct yaml_tree *t, size_t node);

/* What a scalar stands for (section 3.1): plain ones are resolved. */
enum yaml_type {
	YAML_IS_NULL,
	YAML_IS_TRUE,
	YAML_IS_FALSE,
	YAML_IS_NUMBER,
	YAML_IS_STRING,
	YAML_IS_COLLECTION
};

enum yaml_type yaml_tree_type(const struct yaml_tree *t, size_t node);

/* The type of a plain scalar with this text. */
enum yaml_type yaml_tree_resolve(struct str plain);

/* Hides the keys that occur again later in the same mapping, everywhere. */
void yaml_tree_hide_duplicates(struct yaml_tree *t);

/*
 * Adds a node as compact JSON, hidden keys left out.  What goes over the
 * buf's max is lost (out->full).
 */
void yaml_tree_json(const struct yaml_tree *t, size_t node, struct buf *out);

#endif /* YAML_TREE_H */
