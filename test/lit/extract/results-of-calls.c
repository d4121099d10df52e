// What a call is given has a name of its own: not that of the variable which gets the call's result, nor that one's usual value.
// RUN: %busfare extract %s | %FileCheck %s
// CHECK: function main
// CHECK-NOT: define status
// CHECK: define {{.*}} because "m->n"
// CHECK: call solve
#include <stdio.h>
#include <stdlib.h>
struct matrix {
  int n;
  double *v;
};
static void made(int n, struct matrix **m) {
  *m = malloc(sizeof **m);
  (*m)->n = n;
  (*m)->v = malloc(n * sizeof(double));
}
static void loaded(const char *path, struct matrix **m) {
  FILE *file = fopen(path, "r");
  int n = 0;
  if (fscanf(file, "%d", &n) != 1)
    exit(1);
  made(n, m);
}
static int solve(struct matrix *m, int steps) {
  for (int t = 0; t < steps; t++)
    for (int i = 0; i < m->n; i++)
      m->v[i] = m->v[i] * 0.5 + 1;
  return 0;
}
int main(int argc, char **argv) {
  struct matrix *m;
  int status = 5;
  if (argc == 3)
    made(atoi(argv[1]), &m);
  else
    loaded(argv[1], &m);
  status = solve(m, 150);
  if (status)
    return 1;
  printf("%g\n", m->v[0]);
  return 0;
}
