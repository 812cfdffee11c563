#pragma once
#include "version.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The sum of the squares of first, first + 1, ..., last - 1. */
long long ray_square_sum(int first, int last);

/* The commit that the library was built from. */
const char *ray_commit(void);

#ifdef __cplusplus
}
#endif
