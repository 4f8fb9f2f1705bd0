#ifndef VERSION_H
#define VERSION_H

/* The one place that says it; Makefile and packaging read it from here. */
#define CTXTOOLS_VERSION "0.1.0"

#endif /* VERSION_H */
