#include "sessions/session.h"

#include <errno.h>

#include "base/path.h"
#include "transcript/source_zstd.h"

void
session_release(struct session *s)
{
	if (s->opened)
		transcript_close(&s->transcript);
	chain_release(&s->chain);
	corpus_release(&s->corpus);
	corpus_release(&s->bases);
	buf_release(&s->label);
}

static int
refuse_unreadable(const struct corpus_file *file, const char *reason,
		  struct fail *fail)
{
	if (file->host == NULL || *file->id == '\0')
		return fail_refuse(fail, "unreadable_session",
				   "CTX_SESSION_FILE cannot be read: %s",
				   reason);
	return fail_refuse(fail, "unreadable_session",
			   "%s:%s cannot be read: %s", file->host->name,
			   file->id, reason);
}

static int
refuse_foreign(const struct corpus_file *file, struct fail *fail)
{
	struct buf reason = BUF_INIT;

	buf_adds(&reason, "not a ");
	if (file->host == NULL)
		hosts_add_names(&reason, " or ");
	else
		buf_adds(&reason, file->host->name);
	buf_adds(&reason, " transcript");
	refuse_unreadable(file, reason.data, fail);
	buf_release(&reason);
	return -1;
}

/* By errno of opening or reading. */
static int
refuse_errno(const struct session *s, struct str parameter, int error,
	     struct fail *fail)
{
	switch (error) {
	case ENOENT:
	case ENOTDIR:
		return resolve_refuse_unknown(&s->corpus, parameter, fail);
	case EACCES:
	case EPERM:
		return refuse_unreadable(s->file, "permission denied", fail);
	case EINVAL:
	case EISDIR:
	case ELOOP:
	case ENXIO:
		return refuse_unreadable(s->file, "not a regular file", fail);
	case SOURCE_ZSTD_CORRUPT:
		return refuse_unreadable(s->file, "corrupt zstd data", fail);
	default:
		return refuse_unreadable(s->file, "I/O error", fail);
	}
}

static int
refuse_leaf(const struct facts *facts, struct fail *fail)
{
	struct buf quoted = BUF_INIT;

	fail_quote(&quoted, str_of(fact(facts, FACT_LEAF)));
	fail_refuse(fail, "invalid_session",
		    "CTX_LEAF %s names no record of the session: give the id "
		    "of one, or leave it unset for the last",
		    quoted.data);
	buf_release(&quoted);
	return -1;
}

static int
select_branch(struct session *s, struct fail *fail)
{
	struct str leaf = STR("");

	if (s->current)
		leaf = str_of(fact(s->corpus.facts, FACT_LEAF));
	if (transcript_select(&s->transcript, leaf))
		return 0;
	return refuse_leaf(s->corpus.facts, fail);
}

int
session_check_leaf(const struct corpus *c, const struct corpus_file *current,
		   struct fail *fail)
{
	struct str leaf = str_of(fact(c->facts, FACT_LEAF));
	struct source *source;
	struct transcript t;
	int rc = 0;

	if (leaf.n == 0 || !current->host->decoder->has_ids)
		return 0;
	source = corpus_open(current);
	if (source == NULL)
		return 0;
	if (hosts_open(&t, source, current->host,
		       (struct transcript_options){
			       .agent = current->agent }) == TRANSCRIPT_OK &&
	    !transcript_select(&t, leaf))
		rc = refuse_leaf(c->facts, fail);
	transcript_close(&t);
	return rc;
}

static const struct chain *
chain_of(const struct session *s)
{
	return s->chain.n > 0 ? &s->chain : NULL;
}

int
session_open(struct session *s, const struct facts *facts, struct str parameter,
	     const struct time_range *times, struct fail *fail)
{
	struct corpus_opener opener = CORPUS_OPENER_INIT;
	struct source *source;
	int saved;

	corpus_init(&s->corpus, facts);
	corpus_init(&s->bases, facts);
	s->named = parameter.n > 0;
	if (resolve_session(&s->corpus, parameter, &s->file, &s->current,
			    fail) != 0)
		return -1;
	if (s->named)
		buf_addf(&s->label, "%s:%s", s->file->host->name, s->file->id);
	source = segments_open(&s->corpus, &s->bases, &opener, s->file,
			       &s->chain);
	saved = errno;
	corpus_opener_release(&opener);
	if (source == NULL)
		return refuse_errno(s, parameter, saved, fail);
	s->opened = true;
	switch (hosts_open(
		&s->transcript, source, s->file->host,
		(struct transcript_options){ .times = times,
					     .prefilter = s->prefilter,
					     .chain = chain_of(s),
					     .agent = s->file->agent })) {
	case TRANSCRIPT_FOREIGN:
		return refuse_foreign(s->file, fail);
	case TRANSCRIPT_IO:
		return refuse_errno(s, parameter, errno, fail);
	case TRANSCRIPT_OK:
		break;
	}
	if (*s->file->id == '\0' &&
	    resolve_own_id(hosts_of(s->transcript.decoder),
			   buf_str(&s->transcript.session_id), s->file->path)
			    .n == 0)
		return refuse_unreadable(s->file,
					 "neither the id that it records nor "
					 "its name is a session id",
					 fail);
	return select_branch(s, fail);
}

int
session_refuse_io(const struct session *s, struct fail *fail)
{
	return refuse_unreadable(s->file, "I/O error", fail);
}

/* ---- identity ---------------------------------------------------------- */

/* The id of a file that does not tell one: by its name. */
static struct str
id_of_name(const struct host *host, const char *path)
{
	struct str id = hosts_file_name(host, str_of(path)).id;

	return id.n > 0 ? id : resolve_stem(str_of(path));
}

const struct host *
session_identity(const struct session *s, struct buf *out)
{
	const char *path = fact(s->corpus.facts, FACT_SESSION_FILE);
	const struct host *host = s->file != NULL ? s->file->host : NULL;
	struct str id = str_of(s->file != NULL ? s->file->id : "");
	struct selector own;

	if (selector_parse_one(str_of(fact(s->corpus.facts, FACT_SESSION)),
			       &own)) {
		host = host == NULL ? own.host : host;
		id = id.n == 0 ? own.id : id;
	}
	if (s->opened && s->transcript.decoder != NULL) {
		if (host == NULL)
			host = hosts_of(s->transcript.decoder);
		if (id.n == 0 && path != NULL)
			id = resolve_own_id(
				host, buf_str(&s->transcript.session_id), path);
	}
	if (host == NULL)
		host = hosts_find(STR("pi"));
	if (id.n == 0 && path != NULL)
		id = id_of_name(host, path);
	buf_addf(out, "%s:", host->name);
	buf_add_str(out, id);
	return host;
}
