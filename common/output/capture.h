#ifndef OUTPUT_CAPTURE_H
#define OUTPUT_CAPTURE_H

#include "output/spill.h"
#include "text/truncate.h"
#include "text/utf8_stream.h"

/*
 * The text of an output: bytes are decoded, a window of them is kept, all of
 * them are spilled once it is too small (spec/output.md section 6).
 */
struct capture {
	struct window_text window;
	struct utf8_stream decoder;
	struct spill spill;
	bool sanitize;
	uint64_t raw; /* bytes that came */
	struct buf decoded;
};

struct capture_options {
	enum truncate_retain retain;
	size_t max_bytes, max_lines;
	bool sanitize;
	enum spill_when spill;
	struct str spill_dir; /* absolute */
	const char *spill_kind;
};

void capture_init(struct capture *c, const struct capture_options *options);
void capture_release(struct capture *c);

/* 0, or -1: spill_failed; the bytes are in the window all the same. */
int capture_add(struct capture *c, struct str bytes, struct fail *fail);

/* The same of text, but: -1, and nothing has changed. */
int capture_add_text(struct capture *c, struct str text, struct fail *fail);

/* Only this text.  0, or -1: spill_failed, and nothing has changed. */
int capture_replace(struct capture *c, struct str text, struct fail *fail);

/* No more bytes come. */
int capture_end(struct capture *c, struct fail *fail);

/* Adds what is shown, and accounts for it. */
void capture_view(const struct capture *c, struct buf *shown,
		  struct truncation *t);

#endif /* OUTPUT_CAPTURE_H */
