// RUN: %busfare port %s --function all --kernels all -o %t.c 2>&1 | %FileCheck %s
// RUN: %FileCheck --check-prefix=PORT --input-file %t.c %s
// RUN: %clang -fopenmp -Wall -Werror -c %t.c -o /dev/null

// The third row is known by a name declared as an array: what lies before it cannot be named by that.
// CHECK: rows-handed-on.c:[[#@LINE+3]]:3: warning: this loop stays on the host: the size of {{.*}} has no name at this place
static void clear(double row[64]) {
  // PORT-NOT: {{^}}#pragma omp target {{.*}}row[-
  for (int i = 0; i < 64; i++)
    row[i] = 0;
}

void all(double (*restrict a)[64]) {
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 64; j++)
      a[i][j] = i + j;
  clear(a[2]);
}
