// --guard: the break-even that analyze reports, as one flag that every construct of the region has for a clause.
// RUN: %busfare analyze %s --function smooth --runs 1 --param n=4M --format json | %FileCheck --check-prefix=REPORT %s
// RUN: %busfare port --guard %s --function smooth --runs 1 --param n=4M --kernels all -o %t.c 2>&1 | %FileCheck --allow-empty --check-prefix=QUIET %s
// RUN: sed -e '/\/\/ /d' %t.c | %FileCheck %s
// RUN: gcc -fopenmp -Wall -Wextra -Werror -c %t.c -o %t.o
// RUN: %busfare port --guard %s --function smooth --runs 1 --param n=4M --kernels all --format json | %FileCheck --check-prefix=JSON %s

// Two sizes: each as large as where both together break even.
// RUN: %busfare port --guard %s --function outer --runs 1 --param n=4000 --param m=4000 --kernels all 2>&1 | %FileCheck --check-prefix=TWO %s
// Threads of the host stay, where the program has them.
// RUN: %busfare port --guard %s --function threads --runs 1 --param n=4M --kernels all 2>&1 | %FileCheck --check-prefix=THREADS %s

// Why there is none.
// RUN: %busfare port --guard %s --function fixed --kernels all 2>&1 | %FileCheck --check-prefix=FIXED %s
// RUN: %busfare port --guard %s --function light --runs 1 --param n=1000 --kernels all 2>&1 | %FileCheck --check-prefix=LIGHT %s
// RUN: %busfare port --guard %s --function light --runs 1 --param n=1000 2>&1 | %FileCheck --check-prefix=NEVER %s
// RUN: %busfare port --guard %s --function hidden --runs 1 --kernels all 2>&1 | %FileCheck --check-prefix=HIDDEN %s
// RUN: not %busfare port --runs 1 %s 2>&1 | %FileCheck --check-prefix=RUNS %s
// RUN: not %busfare port --guard --variant ordered %s 2>&1 | %FileCheck --check-prefix=ORDERED %s
// RUN: not %busfare analyze --guard %s 2>&1 | %FileCheck --check-prefix=ANALYZE %s
#include <math.h>

double heavy(double x) {
  for (int k = 0; k < 2000; k++) x = 0.5 * x + 1 / (1 + x * x);
  return x;
}

// REPORT: "pays_off": [
// REPORT: "intervals": [
// REPORT-NEXT: [
// REPORT-NEXT: [[FROM:[0-9]+]],
// REPORT-NEXT: null
// REPORT: "size": "smooth::n"
// QUIET-NOT: {{.}}
// CHECK: /* Where this pays on a100-pcie4, as busfare projects it. */
// CHECK-NEXT: const int busfare_pays = n >= 1 &&
// CHECK-NEXT: n > {{[0-9]+}};
// CHECK-NEXT: {{^}}#pragma omp target enter data map(alloc: u[0:n]) if(busfare_pays)
// CHECK-NEXT: {{^}}#pragma omp target update to(u[0:n]) if(busfare_pays)
// CHECK-NEXT: {{^}}#pragma omp target teams distribute parallel for map(alloc: u[0:n]) if(busfare_pays)
// CHECK-NEXT: for (int i
// CHECK-NEXT: u[i]
// CHECK-NEXT: {{^}}#pragma omp target update from(u[0:n]) if(busfare_pays)
// CHECK-NEXT: {{^}}#pragma omp target exit data map(delete: u[0:n]) if(busfare_pays)
// JSON: "guards": [
// JSON: "about": false
// JSON: "any_of": [
// JSON: "from": [[FROM:[0-9]+]]
// JSON-NEXT: "size": "smooth::n"
// JSON-NEXT: "to": null
// JSON: "as_reported": true
// JSON: "condition": "n > {{[0-9]+}}"
// JSON: "flag": "busfare_pays"
// JSON: "root": "smooth"
void smooth(double *u, int n) {
  for (int i = 0; i < n; i++)
    u[i] = heavy(u[i]);
}

// TWO-NOT: without a guard
// TWO: busfare_pays = {{.*}}
// TWO: n > {{[0-9]+}} && m > {{[0-9]+}}{{;$}}
void outer(double *u, int n, int m) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      u[(long)i * m + j] = heavy(u[(long)i * m + j]);
}

// THREADS: target teams distribute parallel for {{.*}}if(target: busfare_pays)
void threads(double *u, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    u[i] = heavy(u[i]);
}

// FIXED: warning: ported without a guard: no size varies on which its price rests: it does not pay [BF040]
// FIXED-NOT: {{^ *(const int )?busfare_pays}}
void fixed(double u[100]) {
  for (int i = 0; i < 100; i++)
    u[i] = heavy(u[i]);
}

// LIGHT: warning: ported without a guard: it pays at no size that was looked at [BF040]
// LIGHT-NOT: {{^ *(const int )?busfare_pays}}
void light(double *u, int n) {
  for (int i = 0; i < n; i++)
    u[i] += 1;
}

// NEVER: warning: not ported: it pays at no size that was looked at (--kernels all ports it, without a guard) [BF040]
// NEVER-NOT: {{^}}#pragma omp target

// HIDDEN: warning: ported without a guard: {{.*}}[BF040]
int reading(void);
static double kept[1 << 20];
void hidden(void) {
  for (int t = 0; t < reading(); t++)
    for (int i = 0; i < 1 << 20; i++)
      kept[i] = heavy(kept[i]);
}

// RUNS: --runs is for the conditions that port --guard writes
// ORDERED: --guard is about a device, and the ordered variant has none
// ANALYZE: --guard is for port and verify
