/* The arithmetic that Python and Java share. No allocation, no I/O; of the C library snprintf() and log(). The latter
 * has a new version in glibc 2.29: what is compiled on a new Debian does not load where an old system runs. */
#ifndef SKIFF_H
#define SKIFF_H

#include <stddef.h>

/* Volume that a hull displaces, in cubic metres, by Simpson's first rule.
 * areas: immersed areas of cross sections in square metres, from stem to stern, at equal distances
 * count: their number, odd and at least 3
 * spacing: distance of two sections in metres, above 0
 * Answers -1 where count or spacing are none of this. Exact where the areas follow a cubic. */
double skiff_displacement(const double *areas, size_t count, double spacing);

/* Coefficient of a hull's friction in water, by the ITTC line of 1957: 0.075 / (log10(reynolds) - 2)^2.
 * reynolds: speed x length / viscosity, above 100; answers -1 where it is not. */
double skiff_friction(double reynolds);

/* Writes a volume as skiff tells it, `4.000 m3`; answers as snprintf() does. */
int skiff_text(char *to, size_t size, double volume);

/* The machine that this very library was compiled for, in the words of `uname -m`. */
const char *skiff_machine(void);

#endif
