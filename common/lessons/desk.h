#ifndef DESK_H
#define DESK_H

#include "lessons/database.h"
#include "lessons/keep.h"
#include "lessons/origin.h"
#include "lessons/settings.h"
#include "lessons/sidecar.h"
#include "lessons/wording.h"
#include "tool/declare.h"

/*
 * Where a program of this family works: what the host said, the settings, the
 * store and the sidecar.  Each part is taken up when a program comes to it, so
 * that its checks run in the order of spec/lessons.md section 4.
 */
#define GLOBAL_SCOPE "global"

/* The host facts that these programs have options for. */
#define LESSONS_FACTS                                                          \
	(FACT_BIT(FACT_SESSION) | FACT_BIT(FACT_CWD) | FACT_BIT(FACT_CONFIG) | \
	 FACT_BIT(FACT_LESSONS_DB) | FACT_BIT(FACT_STATE_DIR) |                \
	 FACT_BIT(FACT_MODEL))

struct desk {
	const struct tool_call *call;
	int64_t now;
	struct origin origin;
	struct settings settings;
	struct database database;
	struct sidecar sidecar;
	struct buf cwd;	    /* absolute, as it was given */
	struct buf project; /* its root, after desk_project() */
	struct session session;
	struct keep keep;
};

/*
 * Time, origin, settings, and which store.  Whatever it answers,
 * desk_release() is due.
 */
int desk_begin(struct desk *d, const struct tool_call *call,
	       enum origin_actor actor, struct fail *fail);

/*
 * The same for a program that no slip in the settings may stop: they are
 * remarks; and the store is not looked at before desk_find().
 */
int desk_begin_lenient(struct desk *d, const struct tool_call *call,
		       struct fail *fail);
int desk_find(struct desk *d, struct fail *fail);
void desk_release(struct desk *d);

int desk_project(struct desk *d, struct fail *fail);

/* The sidecar, and in d->session what it knows of this one. */
int desk_sidecar(struct desk *d, enum sidecar_mode mode, struct fail *fail);

/*
 * The store.  Programs for people say on stderr that one was made.
 */
int desk_store(struct desk *d, bool write, struct fail *fail);

/* The key of this session in the sidecar. */
struct str desk_session_key(const struct desk *d);

/* Which votes count as one: the root, or a fixed word. */
struct str desk_lineage(const struct desk *d);

/* Whether only what the user asked for may be written. */
bool desk_ephemeral(const struct desk *d);

/* What a review depends on: the limits in force and the store. */
void desk_config_hash(const struct desk *d, char hash[WORDING_KEY_SIZE]);

/* A path of a parameter, below the session's working directory. */
void desk_path(const struct desk *d, const char *given, struct buf *out);

/*
 * Reads the regular file that such a parameter names, of at most max bytes; no
 * link unless `link`.  0, or -1 with `unreadable`.
 */
int desk_read_file(const struct desk *d, const char *given, bool link,
		   size_t max, struct buf *text, struct fail *fail);

#endif /* DESK_H */
