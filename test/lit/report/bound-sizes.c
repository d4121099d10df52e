// What --param binds holds for dependences and sections too.
// RUN: %busfare loops %s --function fill --param w=512 | %FileCheck %s
// CHECK: y yes
// CHECK-NOT: BF014
// RUN: %busfare loops %s --function fill --param w=513 | %FileCheck %s --check-prefix=WIDER
// WIDER: y no img[x + 512*y] -> img[x + 512*y]: img[512] at y = 0,
// WIDER-NEXT: then y = 1
// RUN: %busfare loops %s --function fill | %FileCheck %s --check-prefix=OPEN
// OPEN: y no
// Formulas keep the names of sizes.
// RUN: %busfare analyze %s --function tail --param m=100 --param n=100 --format json | %FileCheck %s --check-prefix=NAMES
// NAMES: "formula": "4*n
//
void fill(float *restrict img, int w, int h) {
#pragma omp parallel for
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++)
      img[y * 512 + x] = x;
}
void tail(float *restrict a, int m, int n) {
  for (int i = 0; i < n; i++)
    a[i] = 1;
  for (int i = m; i < n; i++)
    a[i] = 2;
}
