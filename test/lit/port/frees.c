// A loop of nothing but `free` is the host's, whatever is known of the memory.
// RUN: %busfare port --kernels all %s | sed -e "/^\/\/ /d" | %FileCheck %s
// CHECK: for (int i = 0; i < 51; i++) {
// CHECK-NOT: #pragma omp target
#include <stdio.h>
#include <stdlib.h>
struct point {
  double *in, *out;
};
static void load(double **to) {
  if (scanf("%p", (void **)to) != 1)
    *to = NULL;
}
int main(void) {
  struct point points[51];
  for (int i = 0; i < 51; i++) {
    load(&points[i].in);
    load(&points[i].out);
  }
  for (int i = 0; i < 51; i++) {
    free(points[i].in);
    free(points[i].out);
  }
  puts("done");
}
