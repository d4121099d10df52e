// A field of a struct that holds one of two functions, as C writes classes: the call is a branch over them, and each may run.
// RUN: %busfare extract %s | %FileCheck %s
// RUN: %busfare extract %s -- -DELSEWHERE | %FileCheck --check-prefix=LOST %s
// RUN: %busfare extract %s -- -DOVERLAPS | %FileCheck --check-prefix=LOST %s
// RUN: %busfare extract %s -- -DKEEPS | %FileCheck --check-prefix=LOST %s
// RUN: %busfare analyze %s | %FileCheck --check-prefix=PLAN %s
// CHECK: function main(
// CHECK: for t =
// CHECK: host unsupported "a call through a pointer"
// CHECK-NEXT: if ? at
// CHECK-NEXT: read s.n
// CHECK-NEXT: call eam(
// CHECK-NEXT: } else {
// CHECK-NEXT: read s.n
// CHECK-NEXT: call lj(
// CHECK: "this call is of one of eam, lj; the call itself stays on the host"
// LOST: function main(
// LOST: host opaque "s.pot->force"
// LOST-NOT: call lj(
// PLAN: In all: h2d 0 B
// PLAN: reached by eam (line [[#LINE:]])
// PLAN: reached by lj (line [[#LINE]])
#include <stdio.h>
#include <stdlib.h>
struct sim;
struct potential {
  double (*force)(struct sim *);
  double cutoff;
};
struct lj {
  double (*force)(struct sim *);
  double cutoff, sigma;
};
struct eam {
#ifdef OVERLAPS
  long kind; // seen as a potential, it is the function
#else
  double (*force)(struct sim *);
#endif
  double cutoff, *table;
};
struct sim {
  int n;
  double *x, *f;
  struct potential *pot;
};
static double lj(struct sim *s) {
  double sigma = ((struct lj *)s->pot)->sigma;
  for (int i = 0; i < s->n; i++)
    s->f[i] = sigma * s->x[i];
  return s->f[0];
}
static double eam(struct sim *s) {
  for (int i = 0; i < s->n; i++)
    s->f[i] = s->x[i] * s->x[i] + 1;
  return s->f[1];
}
#ifdef ELSEWHERE
double other(struct sim *s);
#endif
#ifdef KEEPS
static void *kept;
static void release(void *p) { kept = p; }
#else
static void release(void *p) {
  if (p)
    free(p);
}
#endif
static struct potential *make_lj(void) {
  struct lj *p = malloc(sizeof *p);
  p->force = lj;
  p->sigma = 2;
  return (struct potential *)p;
}
static struct potential *make_eam(void) {
  struct eam *p = malloc(sizeof *p);
#ifdef OVERLAPS
  p->kind = 1;
#else
  p->force = eam;
#endif
  return (struct potential *)p;
}
int main(int argc, char **argv) {
  int n = 1000000;
  double *x = malloc(n * sizeof(double)), *f = malloc(n * sizeof(double)), e = 0, sum = 0;
  struct potential *pot = argc > 1 ? make_eam() : make_lj();
#ifdef ELSEWHERE
  pot->force = argc > 2 ? other : pot->force;
#endif
  struct sim s = {n, x, f, pot};
  for (int i = 0; i < n; i++)
    x[i] = i * 0.5;
  for (int t = 0; t < 50; t++) {
    e += s.pot->force(&s);
    for (int i = 0; i < n; i++)
      x[i] += 0.001 * f[i];
  }
  for (int i = 0; i < n; i++)
    sum += x[i];
  printf("%g %g\n", e, sum);
  release(pot);
  free(x);
  free(f);
  return 0;
}
