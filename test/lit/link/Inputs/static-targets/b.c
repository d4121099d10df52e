#include "s.h"
static void step(struct S *s) {
  for (int i = 0; i < s->n; i++)
    s->a[i] += 2;
}
void b(struct S *s) {
  s->run = step;
  s->run(s);
}
