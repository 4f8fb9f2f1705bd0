#include "mcp/answer.h"

#include "mcp/talk.h"
#include "tool/version.h"

static void
open_message(struct json_writer *w, struct buf *out, struct str id)
{
	json_begin(w, out);
	json_open_object(w);
	json_member_string(w, "jsonrpc", STR("2.0"));
	json_key(w, "id");
	json_raw(w, id);
}

void
answer_open(struct json_writer *w, struct buf *out, struct str id)
{
	open_message(w, out, id);
	json_key(w, "result");
	json_open_object(w);
}

void
answer_server(struct json_writer *w, bool title)
{
	json_open_object(w);
	json_member_string(w, "name", STR("ctxtools"));
	if (title)
		json_member_string(w, "title", STR("ctxtools"));
	json_member_string(w, "version", STR(CTXTOOLS_VERSION));
	json_close_object(w);
}

void
answer_close(struct json_writer *w, bool modern)
{
	if (modern) {
		json_member_string(w, "resultType", STR("complete"));
		json_key(w, "_meta");
		json_open_object(w);
		json_key(w, "io.modelcontextprotocol/serverInfo");
		answer_server(w, false);
		json_close_object(w);
	}
	json_close_object(w);
	json_close_object(w);
}

void
answer_error(struct buf *out, struct str id, enum message_code code,
	     struct str text, struct str data)
{
	struct buf clean = BUF_INIT;
	struct json_writer w;

	talk_clean(&clean, text);
	open_message(&w, out, id);
	json_key(&w, "error");
	json_open_object(&w);
	json_member_integer(&w, "code", code);
	json_member_string(&w, "message", buf_str(&clean));
	if (data.n > 0) {
		json_key(&w, "data");
		json_raw(&w, data);
	}
	json_close_object(&w);
	json_close_object(&w);
	buf_release(&clean);
}
