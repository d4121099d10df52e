// RUN: %busfare analyze %s --function evolve --format json | %FileCheck --check-prefix=REPORT %s
// RUN: %busfare analyze %s --function evolve | %FileCheck --check-prefix=TEXT %s
// RUN: %busfare port %s --function evolve -o %t.c 2>&1 | %FileCheck --check-prefix=WHY %s
// RUN: %FileCheck --check-prefix=PLANNED --input-file %t.c %s
// RUN: %busfare port %s --function evolve --kernels all -o %t.c 2>&1 | %FileCheck --check-prefix=ALL-WHY --allow-empty %s
// RUN: %FileCheck --check-prefix=ALL --input-file %t.c %s
// RUN: not %busfare port %s --kernels some 2>&1 | %FileCheck --check-prefix=BAD %s
// RUN: not %busfare analyze %s --kernels all 2>&1 | %FileCheck --check-prefix=ELSEWHERE %s

// A kernel of four numbers that is launched 100 times a step costs more than it saves: the plan, which is what is reported and
// written, leaves it on the host.
#define N 4000000
void evolve(double *restrict u, double *restrict v, double w[restrict 4]) {
  for (int t = 0; t < 50; t++) {
    for (int i = 1; i < N - 1; i++)
      v[i] = 0.5 * (u[i - 1] + u[i + 1]);
    for (int j = 1; j < N - 1; j++)
      u[j] = 0.5 * (v[j - 1] + v[j + 1]);
    for (int r = 0; r < 100; r++)
      for (int k = 0; k < 4; k++)
        w[k] = 0.5 * w[k] + 0.1;
  }
}

// REPORT: "id": "planned-kernels.c:20"
// REPORT: "planned_on": "host"
// REPORT: "kernels_on_host": [
// REPORT-NEXT: "planned-kernels.c:20"
// REPORT-NEXT: ]
// TEXT: The plan keeps 1 of 3 kernels on
// TEXT: The kernel at line 20 on the host: {{.*}}
// TEXT: This is the plan

// WHY: planned-kernels.c:20:7: remark: this loop stays on the host: with its copies it costs more on a100-pcie4 than it saves
// PLANNED: {{^}}#pragma omp target teams distribute parallel for
// PLANNED-NEXT: int i = 1
// PLANNED: {{^}}#pragma omp target teams distribute parallel for
// PLANNED-NEXT: int j = 1
// PLANNED-NOT: {{^}}#pragma omp target teams
// PLANNED: {{^}} {{.*}}for (int k = 0

// ALL-WHY-NOT: stays on the host
// ALL: {{^}}#pragma omp target teams distribute parallel for
// ALL: {{^}}#pragma omp target teams distribute parallel for
// ALL: {{^}}#pragma omp target teams distribute parallel for
// ALL-NEXT: int k = 0

// BAD: --kernels takes all, planned or marked, not 'some'
// ELSEWHERE: --kernels is for port and verify
