// A field that is only ever set to one function: calls through it are calls of that function. Its loops are kernels; the loop around
// the call stays on the host.
// RUN: %busfare extract %s | %FileCheck %s
// RUN: %busfare analyze %s | %FileCheck --check-prefix=REPORT %s
// RUN: %busfare extract %s -- -DTWO | %FileCheck --check-prefix=TWO %s
// RUN: %busfare extract %s -- -DTAKEN | %FileCheck --check-prefix=OPEN %s
// RUN: %busfare extract %s -- -DREAD | %FileCheck --check-prefix=OPEN %s
// CHECK: host unsupported "a call through a pointer"
// CHECK-NEXT: call lj(
// CHECK: "this call is always one of lj, the only function that it can be of; the call itself stays on the host"
// TWO: if ? at
// TWO: call lj(
// TWO-NEXT: } else {
// TWO-NEXT: read s.n
// OPEN-NOT: call lj(
// OPEN: host opaque
// OPEN-NOT: call lj(
// REPORT: What to do
// REPORT-NEXT: {{PORT|KEEP|MEASURE}} only-target.c:{{[0-9]+}}, in lj
// REPORT: The 2 kernels
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
struct potential;
struct simulation {
  int n;
  double *f, *r;
  struct potential *pot;
};
struct potential {
  int (*force)(struct simulation *);
  double e;
};
static int lj(struct simulation *s) {
  for (int i = 0; i < s->n; i++)
    s->f[i] = 2 * s->r[i] + s->r[i] * s->r[i] * s->r[i] / (1 + s->r[i]);
  return 0;
}
#ifdef TWO
static int none(struct simulation *s) { return s->n; }
#endif
static struct potential *make(void) {
  struct potential *p = malloc(sizeof *p);
  p->force = lj;
  p->e = 1;
#ifdef TWO
  if (getenv("NONE"))
    p->force = none;
#elif defined TAKEN
  int (**at)(struct simulation *) = &p->force;
  *at = NULL;
#elif defined READ
  fread(p, sizeof *p, 1, stdin);
#endif
  return p;
}
int main(void) {
  struct simulation s;
  s.n = 1 << 24;
  s.f = malloc(s.n * sizeof(double));
  s.r = malloc(s.n * sizeof(double));
  s.pot = make();
  for (int i = 0; i < s.n; i++)
    s.r[i] = i;
  for (int t = 0; t < 100; t++)
    s.pot->force(&s);
  printf("%f\n", s.f[5]);
  return 0;
}
