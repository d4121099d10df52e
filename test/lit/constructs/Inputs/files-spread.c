// Linked with files.c.
#include "files.h"
double field[cells];

void spread(double *to, const double *from, int n) {
  for (int i = 0; i < n; i++)
    to[i] = from[i] + from[(i + 1) % n] / 4;
}
