// RUN: %busfare port %s --function all --kernels all -o %t.c 2>&1 | %FileCheck --allow-empty %s
// RUN: %FileCheck --check-prefix=PORT --input-file %t.c %s
// RUN: %clang -fopenmp -Wall -Werror -c %t.c -o /dev/null

// The third row is known by a name declared as an array: what lies before it cannot be named by that. The kernel needs no more
// than where it begins; the copy has a pointer of its own.
// CHECK-NOT: warning
static void clear(double row[64]) {
  // PORT: {{^}}#pragma omp target teams distribute parallel for map(alloc: row[0:0])
  // PORT-NOT: row[-
  // PORT: __typeof__(row[0]) *const [[P:busfare_row]] = row;
  // PORT: target update from([[P]][-128:192])
  for (int i = 0; i < 64; i++)
    row[i] = 0;
}

void all(double (*restrict a)[64]) {
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 64; j++)
      a[i][j] = i + j;
  clear(a[2]);
}
