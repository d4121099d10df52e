// How elements are copied: rows and rectangles of static arrays and of what a parameter points to, everything between two
// elements, and a reduction into a static array whose bounds are conditions.
// DEFINE: %{roots} = --function squares --function edges --function column --function count
// RUN: %busfare port %s %{roots} -o %t.c
// RUN: sed -e '/\/\/ /d' -e :a -e '/\\$/N' -e 's/\\\n *//' -e ta %t.c | %FileCheck %s
// RUN: %clang -O1 %s -o %t.original && %t.original > %t.want
// RUN: gcc -O1 -Wall -Wextra -Werror -fopenmp %t.c -o %t.gcc && %t.gcc | cmp - %t.want
// RUN: %clang -O1 -Wall -Wextra -Werror -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu %t.c -o %t.clang
// RUN: env OMP_TARGET_OFFLOAD=MANDATORY LD_LIBRARY_PATH=%llvmlib %t.clang | cmp - %t.want
// RUN: %busfare port --variant present %s %{roots} -o %t.present.c
// RUN: %clang -O1 -Wall -Wextra -Werror -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu %t.present.c -o %t.present
// RUN: env OMP_TARGET_OFFLOAD=MANDATORY LD_LIBRARY_PATH=%llvmlib %t.present | cmp - %t.want
// REQUIRES: gcc, offload
#include <stdio.h>

static double grid[8][64], field[16], at[16];
static int sums[40], weights[64];

// The address of a static array is a constant: what use_device_ptr makes of it must not be one.
// CHECK-LABEL: static void squares(
// CHECK: __typeof__(&busfare_grid[0]) host = busfare_grid + (3), device = host;
static void squares(int n) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < 5; k++)
      grid[i][k + 3] = i * k;
}

// Rectangles of what parameters point to, one of them to const.
// CHECK-LABEL: static double edges(
// CHECK: omp_target_memcpy_rect((void *)(device - busfare_first), host - busfare_first, sizeof *in
// CHECK: omp_target_memcpy_rect((void *)(host - busfare_first), device - busfare_first, sizeof *out
static double edges(const double *in, double *out) {
  double all = 0;
  for (int i = 1; i < 5; i++)
    for (int k = 1; k < 3; k++)
      out[i * 65536 + k] = 2 * in[i * 65536 + k];
  for (int i = 1; i < 5; i++)
    all += out[i * 65536 + 1];
  return all;
}

// One column comes back, in a run that would bring what the device was never given: only the column may.
// CHECK-LABEL: static double column(
// CHECK-NOT: update from(field[6:5])
// CHECK: return
static double column(void) {
  for (int i = 0; i < 16; i++)
    at[i] = 7 * i;
  field[3] = 2;
  for (int i = 1; i < 3; i++)
    field[i * 4 + 2] = 100.5 * i + at[i];
  for (int i = 0; i < 16; i++)
    at[i] += field[i];
  double all = 0;
  for (int i = 0; i < 16; i++)
    all += all + field[i] + at[i];
  return all;
}

// CHECK-LABEL: static int count(
// CHECK: __typeof__(sums[0]) *busfare_sums = sums;
// CHECK-NOT: reduction
// CHECK: #pragma omp atomic update
// CHECK-NEXT: busfare_sums[i % 18] += weights[i];
static int count(int n) {
  int all = 0;
  for (int i = 0; i < 64; i++)
    weights[i] = i % 5;
  for (int i = 0; i < n; i += 2)
    sums[i % 18] += weights[i];
  for (int i = 0; i < 40; i++)
    all = 3 * all + sums[i];
  return all;
}

int main(void) {
  static double a[327700], b[327700];
  for (int i = 0; i < 327700; i++)
    a[i] = b[i] = i / 4.0;
  squares(8);
  for (int i = 0; i < 16; i++)
    field[i] = i / 2.0;
  double sum = 0;
  for (int i = 0; i < 8; i++)
    for (int k = 0; k < 64; k++)
      sum = sum / 2 + grid[i][k];
  printf("%.9g\n", sum);
  printf("%.9g\n", edges(a, b));
  printf("%.9g\n", column());
  printf("%d\n", count(40));
  return 0;
}
