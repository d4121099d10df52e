// Lines that a port changes are laid out as the .clang-format above the source says; without one, or with formatting switched off,
// as they are made. The loop under a directive at the margin keeps its indentation.
// RUN: rm -rf %t && mkdir -p %t/tree/src %t/other && cp %s %t/tree/src/one.c && cp %s %t/other/one.c
// RUN: printf 'BasedOnStyle: LLVM\nColumnLimit: 60\n' > %t/tree/.clang-format
// RUN: printf 'DisableFormat: true\nSortIncludes: Never\n' > %t/other/.clang-format
// RUN: clang-format-19 -i %t/tree/src/one.c
// RUN: %busfare port --kernels all %t/tree/src/one.c -o %t/tree/src/ported.c
// RUN: clang-format-19 --dry-run -Werror %t/tree/src/ported.c
// RUN: gcc -fopenmp -Wall -Wextra -Werror -c %t/tree/src/ported.c -o %t/one.o
// RUN: %busfare port --kernels all %t/other/one.c | sed -e '/\/\/ /d' | %FileCheck %s
// RUN: cd %t/tree && %busfare port --kernels all src/one.c --format patch > %t/one.patch && patch -p1 --dry-run < %t/one.patch

// CHECK: {{^}}#pragma omp target update to(from[0:n]) if(busfare_runs)
// CHECK-NEXT: {{^}}#pragma omp target teams distribute parallel for {{.*}}if(busfare_runs)
// CHECK-NEXT: {{^ }}for (int i = 1; i < n - 1; i++)
// CHECK-NEXT: {{^ }}to[i]
void smooth(double *restrict to, const double *restrict from, int n) {
#pragma omp parallel for
  for (int i = 1; i < n - 1; i++)
    to[i] = 0.25 * from[i - 1] + 0.5 * from[i] + 0.25 * from[i + 1];
}
