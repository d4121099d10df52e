#include "s.h"
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  struct S s;
  s.n = 100;
  s.a = calloc(100, 8);
  a(&s);
#ifndef ONE
  b(&s);
#endif
  s.run(&s);
  printf("%f\n", s.a[3]);
  return 0;
}
