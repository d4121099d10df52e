// A run knows better than the value that the code usually takes.
// RUN: %busfare measure %s --no-progress --args 2000 --format json -o %t.json
// RUN: %busfare analyze %s --no-progress --format json > %t.without && %python %S/Inputs/show_parameters.py %t.without | %FileCheck %s --check-prefix=WITHOUT
// WITHOUT: main::n = 30 (declared)
// RUN: %busfare analyze %s --no-progress --profile %t.json --format json > %t.with && %python %S/Inputs/show_parameters.py %t.with | %FileCheck %s --check-prefix=WITH
// WITH: main::n = 2000 (profile)
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  int n = 30;
  if (argc > 1)
    n = atoi(argv[1]);
  double *u = malloc(n * sizeof *u), *v = malloc(n * sizeof *v);
  for (int i = 0; i < n; i++)
    v[i] = i;
  for (int i = 0; i < n; i++)
    u[i] = 2 * v[i] + 1;
  printf("%g\n", u[n / 2]);
  return 0;
}
