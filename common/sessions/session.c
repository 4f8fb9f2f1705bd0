#include "sessions/session.h"

#include <errno.h>

#include "base/path.h"
#include "sessions/places.h"
#include "transcript/source_zstd.h"

void
session_release(struct session *s)
{
	if (s->opened)
		transcript_close(&s->transcript);
	corpus_release(&s->corpus);
	buf_release(&s->label);
}

static int
refuse_unreadable(const struct corpus_file *file, const char *reason,
		  struct fail *fail)
{
	if (file->host == HOST_COUNT || *file->id == '\0')
		return fail_refuse(fail, "unreadable_session",
				   "CTX_SESSION_FILE cannot be read: %s",
				   reason);
	return fail_refuse(fail, "unreadable_session",
			   "%s:%s cannot be read: %s", hosts_name(file->host),
			   file->id, reason);
}

static int
refuse_foreign(const struct corpus_file *file, struct fail *fail)
{
	struct buf reason = BUF_INIT;

	buf_addf(&reason, "not a %s transcript",
		 file->host == HOST_COUNT ? "pi, claude or codex"
					  : hosts_name(file->host));
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
		return resolve_refuse_unknown(s->corpus.facts, parameter, fail);
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
select_branch(struct session *s, struct fail *fail)
{
	struct str leaf = STR("");

	if (s->current)
		leaf = str_of(fact(s->corpus.facts, FACT_LEAF));
	if (transcript_select(&s->transcript, leaf))
		return 0;
	return session_refuse_leaf(s->corpus.facts, fail);
}

int
session_refuse_leaf(const struct facts *facts, struct fail *fail)
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

int
session_open(struct session *s, const struct facts *facts, struct str parameter,
	     const struct time_range *times, struct fail *fail)
{
	const struct decoder *decoder = NULL;
	struct source *source;

	corpus_init(&s->corpus, facts);
	s->named = parameter.n > 0;
	if (resolve_session(&s->corpus, parameter, &s->file, &s->current,
			    fail) != 0)
		return -1;
	if (s->named)
		buf_addf(&s->label, "%s:%s", hosts_name(s->file->host),
			 s->file->id);
	source = corpus_open(s->file);
	if (source == NULL)
		return refuse_errno(s, parameter, errno, fail);
	if (s->file->host != HOST_COUNT) {
		decoder = hosts_decoder(s->file->host);
		if (decoder == NULL) {
			source_close(source);
			return refuse_foreign(s->file, fail);
		}
	}
	s->opened = true;
	switch (transcript_open_search(&s->transcript, source, decoder, times,
				       s->prefilter)) {
	case TRANSCRIPT_FOREIGN:
		return refuse_foreign(s->file, fail);
	case TRANSCRIPT_IO:
		return refuse_errno(s, parameter, errno, fail);
	case TRANSCRIPT_OK:
		break;
	}
	return select_branch(s, fail);
}

int
session_refuse_io(const struct session *s, struct fail *fail)
{
	return refuse_unreadable(s->file, "I/O error", fail);
}

/* ---- identity ---------------------------------------------------------- */

/* The id of a file that does not tell one: its name. */
static struct str
id_of_name(const char *path)
{
	const struct place *place = place_of(HOST_PI);
	struct str stem = place_stem(place, str_of(path)), id = STR("");

	if (stem.s != NULL)
		id = place_id(place, stem);
	return id.n > 0 ? id : resolve_stem(str_of(path));
}

enum host
session_identity(const struct session *s, struct buf *out)
{
	const char *path = fact(s->corpus.facts, FACT_SESSION_FILE);
	enum host host = s->file != NULL ? s->file->host : HOST_COUNT;
	struct str id = str_of(s->file != NULL ? s->file->id : "");
	struct selector own;

	if (selector_parse(str_of(fact(s->corpus.facts, FACT_SESSION)), &own)) {
		host = host == HOST_COUNT ? own.host : host;
		id = id.n == 0 ? own.id : id;
	}
	if (s->opened && s->transcript.decoder != NULL) {
		if (host == HOST_COUNT)
			host = hosts_find(str_of(s->transcript.decoder->host));
		if (id.n == 0)
			id = buf_str(&s->transcript.session_id);
	}
	if (id.n == 0 && path != NULL)
		id = id_of_name(path);
	if (host == HOST_COUNT)
		host = HOST_PI;
	buf_addf(out, "%s:", hosts_name(host));
	buf_add_str(out, id);
	return host;
}
