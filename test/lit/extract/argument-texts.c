// What main is given are texts of the system's: who reads them reads nothing of the program. Not so once a pointer is set among them.
// RUN: %busfare extract %s | FileCheck %s
#include <stdio.h>
#include <stdlib.h>

static void save(const double *u, int n, const char *name) {
  FILE *file = fopen(name, "w");
  for (int i = 0; i < n; i++)
    fprintf(file, "%f\n", u[i]);
  fclose(file);
}

// CHECK-LABEL: function main(
// CHECK:       host io "fopen"
// CHECK-NEXT:    may read `argv[]`[?][?]
// CHECK-NEXT:  }
// CHECK:       write argv[2]
// CHECK:       host io "fopen"
// CHECK-NEXT:    may read `argv[2]`[?]
// CHECK-NOT: BF041
int main(int argc, char **argv) {
  double *u = malloc(100 * sizeof *u);
  if (argc < 2) {
    printf("usage: %s file\n", argv[0]);
    return 1;
  }
  for (int i = 0; i < 100; i++)
    u[i] = i;
  save(u, 100, argv[1]);
  argv[2] = (char *)u;
  save(u, 100, argv[2]);
  return 0;
}
