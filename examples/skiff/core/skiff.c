#include "skiff.h"

#include <math.h>
#include <stdio.h>

double skiff_displacement(const double *areas, size_t count, double spacing) {
  if (count < 3 || count % 2 == 0 || !(spacing > 0)) return -1;
  double sum = areas[0] + areas[count - 1];
  for (size_t i = 1; i + 1 < count; i++) sum += areas[i] * (i % 2 ? 4 : 2);
  return sum * spacing / 3;
}

double skiff_friction(double reynolds) {
  if (!(reynolds > 100)) return -1;
  double exponent = log(reynolds) / 2.302585092994046 - 2; /* ln 10 */
  return 0.075 / (exponent * exponent);
}

int skiff_text(char *to, size_t size, double volume) { return snprintf(to, size, "%.3f m3", volume); }

const char *skiff_machine(void) {
#if defined(__APPLE__) && defined(__aarch64__)
  return "arm64";
#elif defined(__aarch64__)
  return "aarch64";
#elif defined(__x86_64__)
  return "x86_64";
#else
  return "unknown";
#endif
}
