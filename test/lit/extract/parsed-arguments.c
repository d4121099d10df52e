// RUN: %busfare extract %s | %FileCheck %s
// RUN: %busfare loops %s --function grid | %FileCheck --check-prefix=LOOPS %s

// One argument of the program is one number, however often it is read, as long as nobody can have changed the text. What ends
// the program in each of its ways does not come back: what is known on the other side of the branch stays known.
#include <stdio.h>
#include <stdlib.h>

static void usage(char **argv) {
  fprintf(stderr, "usage: %s SIZE\n", argv[0]);
  exit(1);
}
static void perhaps(int argc) {
  if (argc > 4) exit(1);
}
void unseen(char **);

// LOOPS: grid (
// LOOPS: i yes
// LOOPS: ..j yes
// CHECK: function grid
// CHECK: array a : f64[columns*columns] heap
double grid(int argc, char **argv) {
  int rows, columns;
  if (argc == 2) {
    rows = atoi(argv[1]);
    columns = atoi(argv[1]);
  } else
    usage(argv);
  double *a = malloc(sizeof *a * rows * columns);
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++)
      a[i * columns + j] = i;
  double last = a[rows * columns - 1];
  free(a);
  return last;
}

// CHECK: function others
// CHECK: array a : f64[columns*rows] heap
void others(int argc, char **argv) {
  int rows = atoi(argv[1]), columns = atoi(argv[2]);
  double *a = malloc(sizeof *a * rows * columns);
  a[0] = 0;
  free(a);
}

// CHECK: function changed
// CHECK: array a : f64[columns*rows] heap
void changed(int argc, char **argv) {
  int rows = atoi(argv[1]);
  unseen(argv);
  int columns = atoi(argv[1]);
  double *a = malloc(sizeof *a * rows * columns);
  a[0] = 0;
  free(a);
}

// CHECK: function written
// CHECK: array a : f64[columns*rows] heap
void written(int argc, char **argv) {
  int rows = atoi(argv[1]);
  argv[1][0] = '7';
  int columns = atoi(argv[1]);
  double *a = malloc(sizeof *a * rows * columns);
  a[0] = 0;
  free(a);
}

// CHECK: function stepped
// CHECK: array a : f64[columns*rows] heap
void stepped(int argc, char **argv) {
  int rows = atoi(argv[1]);
  argv++;
  int columns = atoi(argv[1]);
  double *a = malloc(sizeof *a * rows * columns);
  a[0] = 0;
  free(a);
}

// CHECK: function comesBack
// CHECK: call perhaps
// CHECK-NOT: for i = 0 .. 6 at
// CHECK: for i = 0 .. {{.*}}n
void comesBack(int argc, double *a) {
  int n = 3;
  if (argc == 1)
    n = 7;
  else
    perhaps(argc);
  for (int i = 0; i < n; i++)
    a[i] = 0;
}
