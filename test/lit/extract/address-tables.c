// One block that is laid out in parts by a loop over the addresses of the pointers to them: each pointer leads to its part.
// RUN: %busfare extract %s | %FileCheck %s
// RUN: %busfare extract %s -- -DSET | %FileCheck --check-prefix=OPEN %s
// RUN: %busfare extract %s -- -DGIVEN | %FileCheck --check-prefix=OPEN %s
// RUN: %busfare extract %s -- -DMOVES | %FileCheck --check-prefix=OPEN %s
// RUN: %busfare extract %s -- -DLEAVES | %FileCheck --check-prefix=OPEN %s
// RUN: %busfare analyze %s --param main::n=1000000 | %FileCheck --check-prefix=PLAN %s
#include <stdio.h>
#include <stdlib.h>
struct parts {
  double *a, *b, *c;
};
void opaque(double ***);
static double *lay_out(struct parts *p, const size_t *sizes) {
  double *block = calloc(sizes[0] + sizes[1] + sizes[2], sizeof(double));
  double **ptrs[] = {&p->a, &p->b, &p->c};
  double *at = block;
#ifdef SET
  ptrs[1] = &p->a;
#elif defined GIVEN
  opaque(ptrs);
#elif defined MOVES
  if (sizes[0] > 7) p++;
#endif
  for (int i = 0; i < 3; i++) {
#ifdef LEAVES
    if (sizes[i] == 0) break;
#endif
    *(ptrs[i]) = at;
    at += sizes[i];
  }
  return block;
}
static void scale(double *c, const double *a, const double *b, int n) {
  for (int i = 0; i < n; i++) c[i] = 0.5 * c[i] + a[i] * b[i];
}
// OPEN-LABEL: function main(
// OPEN-NOT: call scale(&block
// OPEN: call scale(
// OPEN-NOT: call scale(&block
// PLAN: of the work
// PLAN: launches
// PLAN: {{address-tables.c:[0-9]+ +100 }}
// The loop around is no such loop: its index decides no address.
// CHECK-LABEL: function around(
// CHECK: for t = 0 .. 9 at
// CHECK: write {{.*}}[i]
// CHECK: rotate
void around(int n, double *restrict x, double *restrict y) {
  struct parts p = {x, y, x};
  double **ptrs[] = {&p.a, &p.b};
  for (int t = 0; t < 10; t++) {
    for (int i = 0; i < n; i++) p.a[i] = p.b[i] + 1;
    double *next = p.b, *last = p.a;
    for (int i = 0; i < 2; i++) {
      *(ptrs[i]) = next;
      next = last;
    }
  }
}
// CHECK-LABEL: function main(
// CHECK: array block : f64[3*n] heap
// CHECK: call scale(&block + 2*n, &block, &block + n, n)
int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 1000;
  size_t sizes[3] = {n, n, n};
  struct parts p;
  double *block = lay_out(&p, sizes);
  for (int t = 0; t < 100; t++) scale(p.c, p.a, p.b, n);
  double sum = 0;
  for (int i = 0; i < n; i++) sum += p.c[i];
  printf("%g\n", sum);
  free(block);
  return 0;
}
