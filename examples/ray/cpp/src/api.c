#include <ray/api.h>

long long ray_square_sum(int first, int last) {
  long long total = 0;
  for (int number = first; number < last; number++) total += (long long)number * number;
  return total;
}

const char *ray_commit(void) { return RAY_COMMIT; }
