// Parts of a block that are set through a table of addresses, perhaps not all: where they lead is not known, which is said first, with what would come
// of it if each led to memory of its own.
// RUN: %busfare analyze --details %s --param main::n=1000000 | %FileCheck %s
// RUN: %busfare analyze %s --param main::n=1000000 --format json | %FileCheck --check-prefix=JSON %s
// CHECK: MEASURE FIRST: 99 % of the work that is modelled is not priced.
// CHECK-NEXT: parts-through-a-table.c:[[#LOOP:]], in scale
// CHECK: Give: --function scale
// CHECK: judged alone
// CHECK-NOT: The whole program
// CHECK: If the pointers are distinct
// CHECK-NEXT: Where these lead is not known: p.a, p.b, p.c
// CHECK: 2{{[[:space:]]+}}kernels
// JSON: "in": "alone"
// JSON: "unpriced": [
// JSON: "if_distinct": [
// JSON: "pointers": [
// JSON-NEXT: "p.a",
#include <stdio.h>
#include <stdlib.h>
struct parts {
  double *a, *b, *c;
};
static double *lay_out(struct parts *p, const size_t *sizes) {
  double *block = calloc(sizes[0] + sizes[1] + sizes[2], sizeof(double));
  double **ptrs[] = {&p->a, &p->b, &p->c};
  double *at = block;
  for (int i = 0; i < 3; i++) {
    if (sizes[i] == 0)
      break;
    *(ptrs[i]) = at;
    at += sizes[i];
  }
  return block;
}
static void scale(double *c, const double *a, const double *b, int n) {
  for (int i = 0; i < n; i++)
    c[i] = 0.5 * c[i] + a[i] * b[i];
}
int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 1000;
  size_t sizes[3] = {n, n, n};
  struct parts p;
  double *block = lay_out(&p, sizes);
  for (int t = 0; t < 100; t++)
    scale(p.c, p.a, p.b, n);
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += p.c[i];
  printf("%g\n", sum);
  free(block);
  return 0;
}
