#ifndef TRANSCRIPT_PAIRING_H
#define TRANSCRIPT_PAIRING_H

struct transcript;

/*
 * Pairs the calls on the branch with their results (spec/history.md section
 * 3.5): of the results with one call id the first is a candidate, and goes to
 * the first call with that id that stands before it.
 */
void pairing_mark(struct transcript *t);

#endif /* TRANSCRIPT_PAIRING_H */
