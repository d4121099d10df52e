#include "s.h"
static void step(struct S *s) {
  for (int i = 0; i < s->n; i++)
    s->a[i] = 1;
}
void a(struct S *s) {
  s->run = step;
  s->run(s);
}
