// --args: what main does with its words decides sizes; nothing is proved with them.
// RUN: %busfare sizes %s --args "-n 300 --steps=70 8x4" | %FileCheck %s
// CHECK-DAG: main::s.n = 300, command line
// CHECK-DAG: main::s.steps = 70, command line
// CHECK-DAG: main::rows = 8, command line
// CHECK-DAG: main::argc = 5, command line
//
// Without them the program's own defaults hold, also of a loop that data may end.
// RUN: %busfare sizes %s | %FileCheck %s --check-prefix=NONE
// NONE-DAG: main::s.n = 100, declared
// NONE-DAG: main::s.steps = 1000, declared
//
// Words that are not well quoted are refused.
// RUN: not %busfare analyze %s --args "'open" 2>&1 | %FileCheck %s --check-prefix=QUOTE
// QUOTE: busfare: a quote (') is not closed
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct settings {
  int n, steps;
};

static struct settings parse(int argc, char **argv) {
  static const struct option known[] = {{"steps", required_argument, 0, 's'}, {0, 0, 0, 0}};
  struct settings s = {100, 1000};
  int c;
  while ((c = getopt_long(argc, argv, "n:s:", known, NULL)) != -1)
    switch (c) {
    case 'n':
      s.n = atoi(optarg);
      break;
    case 's':
      s.steps = (int)strtol(optarg, NULL, 10);
      break;
    default:
      exit(2);
    }
  return s;
}

int main(int argc, char **argv) {
  struct settings s = parse(argc, argv);
  int n = s.n, rows = 1, steps = s.steps, columns = 1;
  if (argc > 1)
    sscanf(argv[argc - 1], "%dx%d", &rows, &columns);
  double *a = malloc(sizeof(double) * n * rows), change = 1;
  for (int i = 0; i < n * rows; i++)
    a[i] = i;
  for (int t = 0; t < steps && change > 1e-9; t++) {
    change = 0;
    for (int i = 0; i < n * rows; i++) {
      a[i] = a[i] * 0.5 + 1;
      change += a[i];
    }
  }
  printf("%g\n", a[3]);
  return 0;
}
