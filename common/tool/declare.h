#ifndef DECLARE_H
#define DECLARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/json_span.h"
#include "base/json_write.h"
#include "tool/facts.h"
#include "tool/fail.h"

/*
 * The declaration of a program: one table that validation, flags, operand,
 * --help, --schema, completions, the MCP listing and the JSON result are made
 * from.  Each cmd/<program>.c holds one and ends with TOOL_MAIN(tool).
 */

struct args;

/*
 * The start of a row of a parameter or a member of a result that has the name
 * of the member of the struct that it is bound to; `at` gives the offset of a
 * member.
 */
#define MEMBER(at, member, kind) \
	.name = #member, .type = (kind), .offset = at(member)

/* ---- parameters -------------------------------------------------------- */

enum param_type {
	PARAM_STRING,	      /* struct arg_string */
	PARAM_INTEGER,	      /* struct arg_integer */
	PARAM_BOOLEAN,	      /* struct arg_boolean */
	PARAM_ENUM,	      /* struct arg_enum: one of values */
	PARAM_ENUM_LIST,      /* struct arg_set: array of values */
	PARAM_STRING_LIST,    /* struct arg_list: array of strings */
	PARAM_STRING_OR_LIST, /* struct arg_list: a string, or an array of them */
	PARAM_INTEGER_LIST,   /* struct arg_integers: array of integers */
	PARAM_OBJECT_LIST,    /* struct arg_objects: array of objects */
	PARAM_STRING_MAP,     /* struct arg_map: object, any keys, strings */
	PARAM_JSON,	      /* struct arg_json: any value, or one of `json` */
	PARAM_KIND,	      /* what `kind` makes of a value */
	PARAM_KIND_LIST	      /* struct arg_objects: an array of them */
};

/*
 * What a parameter is bound to: members of the program's argument struct, at
 * `offset`.  Absent: given is false and the value is the fallback, or zero.
 * Strings are valid UTF-8, terminated, without NUL unless `nul` says
 * otherwise, and live as long as the call.
 */
struct arg_string {
	const char *s; /* "" when absent; NULL: it is to be read from stdin, if
			  the parameter is `streamed` */
	size_t n;
	bool given;
};

/* What was given; s NULL: nothing was. */
static inline struct str
arg_str(struct arg_string given)
{
	return given.given ? (struct str){ given.s, given.n }
			   : (struct str){ NULL, 0 };
}

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
struct arg_integers {
	int64_t *v;
	size_t n;
	bool given;
};
struct arg_objects {
	void *v; /* n structs of field_size bytes, bound by fields or kind */
	size_t n;
	bool given;
};
struct arg_pair {
	struct str key, value; /* value.s is NULL for null */
};
struct arg_map {
	struct arg_pair *v; /* in the order given */
	size_t n;
	bool given;
};
struct arg_json {
	struct str text; /* the value as it was written; see json_span.h */
	bool given;
};

/*
 * A type of value that several programs of a family share and that none of
 * the above is.
 */
struct param_kind {
	const char *legal;   /* in words, for messages: `lesson id` */
	const char *metavar; /* in --help */
	bool is_json;	     /* on the command line it is JSON, not a string */
	/*
	 * Binds a value to what `to` points to (`given`, if it has one, too).
	 * 0; or -1 when that is not legal, with what is to be said of the
	 * value in *note, if anything: ` of 21 words`.  args_own() is for
	 * what it needs to keep.
	 */
	int (*bind)(struct args *a, void *to, struct str value,
		    struct buf *note);
	/* Writes the members of its schema: "type" and what follows. */
	void (*schema)(struct json_writer *w);
};

struct param {
	const char *name; /* foo_bar; the flag is --foo-bar */
	enum param_type type;
	size_t offset; /* in the argument struct */
	const char *help;
	bool required;
	bool blank_is_absent; /* "" is as if it were not given */
	bool nullable;	      /* null is as if it were not given */
	bool has_fallback;
	int64_t fallback; /* integer; boolean 0 or 1; index of an enum value */

	/*
	 * Bounds, checked where max is not 0 or min is not 0: an integer's
	 * range (both always given; PARAM_ANY_MIN/MAX for none), a string's
	 * length in code points (for lists: of each entry; max 0 is none).
	 */
	int64_t min, max;
	bool bytes;		     /* a string's bounds count bytes */
	bool max_unsaid;	     /* the schema and --help do not tell max */
	bool nul;		     /* a string may hold U+0000 */
	size_t min_items, max_items; /* of lists; max 0 is none */
	const char *const *values;   /* of enums, NULL-terminated */
	const struct param *fields;  /* of PARAM_OBJECT_LIST, name NULL ends */
	size_t field_size;	     /* also of PARAM_KIND_LIST */
	enum json_kind json;	     /* of PARAM_JSON: only this kind */
	bool null_values; /* of PARAM_STRING_MAP: a value may be null */
	const struct param_kind *kind;
	const char *metavar;	   /* in --help; NULL: from the type */
	const char *fallback_help; /* what --help says of the default, when
				      the number does not say it */
	bool commas;		   /* of lists: `--foo a,b` is both of them */
	/*
	 * In a stream program, what the stream brings instead: required only
	 * without --stream, and with it not legal.  `--text -` of a string
	 * leaves stdin to the program.
	 */
	bool streamed;
};

#define PARAM_ANY_MAX INT64_C(9007199254740992) /* 2^53 */
#define PARAM_ANY_MIN (-PARAM_ANY_MAX)
#define PARAM_END            \
	{                    \
		.name = NULL \
	}
/*
 * The same, with reasons why names that callers may expect are none here:
 * pairs of a name and the reason, NULL ends.
 */
#define PARAM_END_WITHOUT(reasons)                \
	{                                         \
		.name = NULL, .values = (reasons) \
	}

/* ---- results ----------------------------------------------------------- */

/*
 * What a member of a result is, and what stands for it at `offset` of the
 * struct that the table describes.  The right column tells when there is none:
 * an optional member is then left out, a nullable one is null.
 */
enum field_type {
	FIELD_STRING,  /* struct str; none: s is NULL */
	FIELD_CHARS,   /* char *, terminated; none: NULL */
	FIELD_BUF,     /* struct buf; none: it is empty */
	FIELD_INTEGER, /* int64_t; none: FIELD_NONE, 0 if zero_is_none */
	FIELD_TIME,    /* int64_t, ms since 1970, a string; none: FIELD_NONE */
	FIELD_BOOLEAN, /* bool; none: false if constant_true.  Optional or
			  nullable otherwise: int, none: -1 */
	FIELD_ENUM,    /* int, index of values; none: -1 */
	FIELD_STRINGS, /* struct field_list of struct str; none: v is NULL */
	FIELD_STRING_LISTS, /* struct field_list of such lists; likewise */
	FIELD_OBJECT,	    /* a struct of fields; optional or nullable: a
			       pointer to one, none: NULL */
	FIELD_OBJECTS,	    /* struct field_list of structs of `size` bytes;
			       none: v is NULL */
	FIELD_KINDS,	    /* struct field_list of struct field_kind: objects
			       of several kinds */
	FIELD_MAP_INTEGER,  /* struct field_list of struct field_count: an
			       object, any keys, integers */
	FIELD_JSON,	    /* struct str, any value as JSON text; none: s is
			       NULL */
	FIELD_OPEN_OBJECT,  /* the same, and it is an object */
	FIELD_OPEN_OBJECTS, /* the same, and it is an array of objects: of
			       fields, if given */
	FIELD_MEMBERS /* a struct of fields, whose members stand here as if
			       they were our own; name is "" */
};

struct field_list {
	const void *v;
	size_t n;
};
struct field_count {
	struct str name;
	int64_t n;
};
struct field_kind {
	int kind;      /* index of the table in kinds */
	const void *v; /* a struct that it describes */
};

#define FIELD_NONE INT64_MIN

struct field {
	const char *name;
	enum field_type type;
	size_t offset; /* in the result struct, or that of the object */
	bool optional; /* may be absent */
	bool nullable; /* may be null */
	bool zero_is_none;
	bool constant_true; /* FIELD_BOOLEAN that is only ever true */
	const char *const *values;
	const struct field *fields;	  /* name NULL ends */
	size_t size;			  /* of an element of FIELD_OBJECTS */
	const struct field *const *kinds; /* NULL-terminated */
	const char *help;		  /* NULL: the name says it */
};

/* A row for all members of `table`, whose struct is a member of ours. */
#define MEMBERS(at, member, table)                                       \
	{                                                                \
		.name = "", .type = FIELD_MEMBERS, .offset = at(member), \
		.fields = (table)                                        \
	}

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
	const char *prefix;   /* put before the value; "" for none */
	const char *variable; /* of the host's own: goes before the member
				 where it is set; NULL: there is none */
};

/* The text as a JSON string, and what stands around it; NULL: as it is. */
struct hook_form {
	const char *before, *after;
};

#define HOOK_FACTS_MOST 8

/* ---- the program ------------------------------------------------------- */

enum surface {
	SURFACE_DEFAULT, /* both; text only when a person typed parameters */
	SURFACE_JSON,
	SURFACE_TEXT
};

struct tool_call {
	const struct tool *tool;
	const void *args; /* the argument struct, bound and checked */
	const struct facts *facts;
	struct buf *remarks; /* lines for people, to be printed on stderr */
	struct str hook;     /* the object of the host that runs this as a hook:
			    checked JSON; else empty */

	/* For stream programs. */
	enum surface surface;	    /* that was asked for */
	bool typed;		    /* by a person: as flags, or at a prompt */
	const char *const *command; /* what follows `--`, or NULL */
};

/*
 * Renders a result as text, without a final newline.  The JSON line is made
 * of the same struct, by tool->result.
 */
typedef void tool_render(const void *result, struct buf *out);

/* The same for a person at a terminal: see tool/terminal.h. */
struct terminal;
typedef void tool_person(const void *result, const struct terminal *t,
			 struct buf *out);

#define TOOL_INPUT_MAX ((size_t)4 << 20)
#define TOOL_INPUT_DEPTH 64

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
	bool open;	     /* unknown members of the arguments are ignored */
	/*
	 * Options that are not parameters: bound like them, but only from the
	 * command line, and giving one does not keep stdin from being read.
	 */
	const struct param *options;
	/* A table for each value of the option `hook`; NULL: no such option. */
	const struct hook_fact *const *hooks;
	/* And the form of what it prints; NULL: its text, as of every host. */
	const struct hook_form *hook_forms;
	uint32_t facts;	    /* FACT_BIT()s: which of them have an option here */
	bool takes_command; /* `-- COMMAND ARG...` may stand last */

	size_t args_size;
	size_t input_max;     /* bytes of arguments; 0: TOOL_INPUT_MAX */
	unsigned input_depth; /* 0: TOOL_INPUT_DEPTH */
	bool input_nul;	      /* values may hold U+0000; see param.nul */

	const struct field *result; /* FIELD_END last */
	/*
	 * Where the result may be one of several shapes: a table for each,
	 * NULL-terminated, and the offset of the int that tells which.  The
	 * schema is what is common to them; result is NULL then.
	 */
	const struct field *const *shapes;
	size_t shape_offset;
	size_t result_size;

	/*
	 * Does the work: 0 with *result filled; a status above 0 to exit with
	 * although *result is filled and printed; or -1 with *fail.  result
	 * comes zeroed; release frees what it owns in either case.
	 */
	int (*run)(const struct tool_call *call, void *result,
		   struct fail *fail);
	tool_render *text;
	tool_person *person; /* NULL: a terminal gets the text as well */
	void (*release)(void *result); /* may be NULL */
	/*
	 * What is to be done once the result is printed; may be NULL.  0, or
	 * -1 with FAIL_ENVIRONMENT.
	 */
	int (*printed)(const struct tool_call *call, void *result,
		       struct fail *fail);

	/*
	 * A program that reads stdin and writes stdout as it goes.  It is
	 * called instead of run when the parameter `stream` is true, when a
	 * command follows `--`, or when there is no run; stdin is read
	 * for arguments only in the last case.  Gives the exit status, or -1
	 * with *fail: then nothing has been written to stdout, and a refusal
	 * is printed as always.
	 */
	int (*stream)(const struct tool_call *call, struct fail *fail);

	/*
	 * Instead of run, in a program that speaks a protocol of its own on
	 * stdin and stdout for as long as that lasts: it has options and host
	 * facts, but no parameters, no surfaces and no --schema.  0, or -1
	 * with *fail.
	 */
	int (*serve)(const struct tool_call *call, struct fail *fail);

	/*
	 * What completions offer, by `--completion values`: a value a line,
	 * and what describes it after a tab.  May be NULL.
	 */
	void (*offer)(const struct facts *facts, struct buf *out);
};

/* All of a program's main(): gives the exit status. */
int tool_main(const struct tool *tool, int argc, char *argv[]);

/* And the main() itself, which is the same in each of them. */
#define TOOL_MAIN(tool)                                \
	int main(int argc, char *argv[])               \
	{                                              \
		return tool_main(&(tool), argc, argv); \
	}

#endif /* DECLARE_H */
