// RUN: %busfare loops %s --function mix 2>/dev/null | %FileCheck --check-prefix=LOOPS %s
// RUN: %busfare port %s --function mix -o %t.c 2>&1 | %FileCheck %s
// RUN: %FileCheck --check-prefix=PORT --input-file %t.c %s

// OpenMP allows no jump out of its loops, taken or not: an outer one stays, an inner one is not collapsed.
// LOOPS: {{^ *}}12 {{.*}}yes
// LOOPS: {{^ *}}19 {{.*}}yes
// LOOPS: {{^ *}}26 {{.*}}yes
// CHECK: dead-jumps.c:12:3: {{.*}}stays on the host: a jump leads out of it, though none is ever taken
// CHECK-NOT: warning
void mix(double a[restrict 64], const double b[restrict 64], double c[restrict 64][32], double d[restrict 64]) {
  for (int t = 0; t < 64; t++) {
    a[t] = 2.0 * b[t];
    if (t == 0) {
      if (t == 1)
        break;
    }
  }
  for (int i = 0; i < 64; i++)
    for (int j = 0; j < 32; j++) {
      c[i][j] = 0.5 * b[i] + j;
      if (j == 0 && j == 1)
        break;
    }
  // Jumps inside lead nowhere else.
  for (int i = 0; i < 64; i++) {
    for (int k = 0; k < 4; k++) {
      if (b[i] < k)
        break;
      d[i] += k;
    }
    if (b[i] > 2.0)
      goto next;
    d[i] *= 0.5;
  next:;
  }
}

// PORT-NOT: {{^}}#pragma omp target teams
// PORT: {{^}}#pragma omp target teams distribute parallel for map
// PORT-NEXT: {{^}}  for (int i = 0; i < 64; i++)
// PORT-NEXT: {{^}}    for (int j = 0; j < 32; j++) {
// PORT: {{^}}#pragma omp target teams distribute parallel for map
// PORT-NEXT: {{^}}  for (int i = 0; i < 64; i++) {
// PORT-NEXT: {{^}}    for (int k = 0
