#include "ops.h"
int main(void) {
  static double x[1000];
  struct ops o;
  fill(&o);
  o.run(x, 1000);
  return x[3] > 0;
}
