#ifndef DECLARE_H
#define DECLARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "tool/facts.h"
#include "tool/fail.h"

/*
 * The declaration of a program: one table that validation, flags, operand,
 * --help, --schema, completions and the MCP listing are read from.  Each
 * cmd/<program>.c holds one and hands it to tool_main().
 */

/* ---- parameters -------------------------------------------------------- */

enum param_type {
	PARAM_STRING,	      /* struct arg_string */
	PARAM_INTEGER,	      /* struct arg_integer */
	PARAM_BOOLEAN,	      /* struct arg_boolean */
	PARAM_ENUM,	      /* struct arg_enum: one of values */
	PARAM_ENUM_LIST,      /* struct arg_set: array of values */
	PARAM_STRING_LIST,    /* struct arg_list: array of strings */
	PARAM_STRING_OR_LIST, /* struct arg_list: a string, or an array of them */
	PARAM_OBJECT_LIST     /* struct arg_objects: array of objects */
};

/*
 * What a parameter is bound to: members of the program's argument struct, at
 * `offset`.  Absent: given is false and the value is the fallback, or zero.
 * Strings are valid UTF-8 without NUL, terminated, and live as long as the
 * call.
 */
struct arg_string {
	const char *s; /* "" when absent */
	size_t n;
	bool given;
};
struct arg_integer {
	int64_t v;
	bool given;
};
struct arg_boolean {
	bool v, given;
};
struct arg_enum {
	int v; /* index in values; the fallback, or -1, when absent */
	bool given;
};
struct arg_set {
	uint64_t bits; /* bit i: values[i] */
	bool given;
};
struct arg_list {
	struct str *v;
	size_t n;
	bool given;
};
struct arg_objects {
	void *v; /* n structs of field_size bytes, bound by fields */
	size_t n;
	bool given;
};

struct param {
	const char *name; /* foo_bar; the flag is --foo-bar */
	enum param_type type;
	size_t offset; /* in the argument struct */
	const char *help;
	bool required;
	bool blank_is_absent; /* "" is as if it were not given */
	bool has_fallback;
	int64_t fallback; /* integer; boolean 0 or 1; index of an enum value */

	/*
	 * Bounds, checked where max is not 0 or min is not 0: an integer's
	 * range (both always given; PARAM_ANY_MIN/MAX for none), a string's
	 * length in code points (for lists: of each entry; max 0 is none).
	 */
	int64_t min, max;
	size_t max_items;	    /* of lists; 0 is none */
	const char *const *values;  /* of enums, NULL-terminated */
	const struct param *fields; /* of PARAM_OBJECT_LIST, name NULL ends */
	size_t field_size;
	const char *metavar;	   /* in --help; NULL: from the type */
	const char *fallback_help; /* what --help says of the default, when
				      the number does not say it */
	bool commas; /* of PARAM_ENUM_LIST: `--foo a,b` is both of them */
};

#define PARAM_ANY_MAX INT64_C(9007199254740992) /* 2^53 */
#define PARAM_ANY_MIN (-PARAM_ANY_MAX)
#define PARAM_END            \
	{                    \
		.name = NULL \
	}

/* ---- results ----------------------------------------------------------- */

enum field_type {
	FIELD_STRING,
	FIELD_INTEGER,
	FIELD_BOOLEAN,
	FIELD_ENUM,	    /* a string, one of values */
	FIELD_STRINGS,	    /* array of strings */
	FIELD_STRING_LISTS, /* array of arrays of strings */
	FIELD_OBJECT,	    /* of fields */
	FIELD_OBJECTS,	    /* array of objects of fields */
	FIELD_MAP_INTEGER,  /* object, any keys, integers */
	FIELD_OPEN_OBJECT   /* object, any keys, any values */
};

/*
 * A member of a result, for --schema.  An object's alternatives (a page of
 * history has event rows and fold rows) are further tables in `other`.
 */
struct field {
	const char *name;
	enum field_type type;
	bool optional; /* may be absent */
	bool nullable; /* may be null */
	const char *const *values;
	const struct field *fields; /* name NULL ends */
	const struct field *other; /* FIELD_OBJECTS: a second kind of element */
	const char *help;	   /* NULL: the name says it */
	bool constant_true;	   /* FIELD_BOOLEAN that is only ever true */
};

#define FIELD_END            \
	{                    \
		.name = NULL \
	}

/* ---- hooks ------------------------------------------------------------- */

/*
 * A program that hosts run as a hook has an option `hook`, an enum of hosts.
 * With it stdin holds an object of the host's, not arguments: members that
 * are strings stand for the variables of host facts, and all else in it is
 * ignored.  Only the text of the result is printed; and whatever fails,
 * nothing is, and the status is 0, since a hook stops no host.
 */
struct hook_fact {
	const char *member; /* NULL ends the table */
	enum fact fact;
	const char *prefix; /* put before the value; "" for none */
};

#define HOOK_FACTS_MOST 8

/* ---- the program ------------------------------------------------------- */

struct tool_call {
	const void *args; /* the argument struct, bound and checked */
	const struct facts *facts;
	struct buf *remarks; /* lines for people, to be printed on stderr */
};

/*
 * Renders a result.  The JSON is one compact object without a newline, the
 * text has no final newline.  Both are derived from the same struct.
 */
typedef void tool_render(const void *result, struct buf *out);

#define TOOL_INPUT_MAX ((size_t)4 << 20)

struct tool {
	const char *name;   /* notes_read; the program is notes-read */
	const char *title;  /* Read note */
	const char *family; /* notes; common/mcp/families.txt has them all */
	const char
		*description; /* for the model: what it does, when to use it */
	bool model_tool; /* a host registers it; else for people and hosts */
	unsigned place;	 /* of a model tool in the list of its family, from 1;
			    0: after those, by name */
	bool sequential; /* executionMode */
	bool writes, destructive, idempotent; /* annotations */

	const struct param *params; /* PARAM_END last */
	const char *operand; /* the parameter that may stand bare, or NULL */
	/*
	 * Options that are no parameters: bound like them, but only from the
	 * command line, and giving one does not keep stdin from being read.
	 */
	const struct param *options;
	/* A table for each value of the option `hook`; NULL: no such option. */
	const struct hook_fact *const *hooks;
	uint32_t facts; /* FACT_BIT()s: which of them have an option here */

	size_t args_size;
	size_t input_max;	    /* bytes of arguments; 0: TOOL_INPUT_MAX */
	const struct field *result; /* FIELD_END last */
	size_t result_size;

	/*
	 * Does the work: 0 with *result filled, or -1 with *fail.  result
	 * comes zeroed; release frees what it owns in either case.
	 */
	int (*run)(const struct tool_call *call, void *result,
		   struct fail *fail);
	tool_render *json, *text;
	void (*release)(void *result); /* may be NULL */

	/*
	 * Instead of run, in a program that speaks a protocol of its own on
	 * stdin and stdout for as long as that lasts: it has options and host
	 * facts, but no parameters, no surfaces and no --schema.  As run.
	 */
	int (*serve)(const struct tool_call *call, struct fail *fail);
};

/* All of a program's main(): gives the exit status. */
int tool_main(const struct tool *tool, int argc, char *argv[]);

#endif /* DECLARE_H */
