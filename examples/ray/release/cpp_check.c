#include <ray/api.h>
#include <stdio.h>

int main(void) {
  if (ray_square_sum(0, 4) != 14) return 1;
  printf("ray-cpp %s %s ok\n", RAY_VERSION, ray_commit());
  return 0;
}
