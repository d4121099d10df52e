// Pointers to whole arrays, as PolyBench has them: they name the array in main, where its device memory begins, although the function in
// which the region begins has no name for all of them.
// RUN: %busfare verify --mutants %s -- -O1 | %FileCheck %s
// RUN: %busfare port --kernels all %s | %FileCheck --check-prefix=PORT %s
// CHECK: verify: passed
// CHECK: 3 kernels
// PORT: enter data map(alloc: A[0:1]) map(alloc: B[0:1]) map(alloc: E[0:1])
#include <stdio.h>
#include <stdlib.h>
#define NI 20
#define NJ 30
static void init(int ni, int nj, double A[NI][NJ], double B[NI][NJ]) {
  for (int i = 0; i < ni; i++)
    for (int j = 0; j < nj; j++)
      A[i][j] = B[i][j] = i * j;
}
static void kernel(int ni, int nj, double A[NI][NJ], double B[NI][NJ], double E[NI][NJ]) {
  for (int i = 0; i < ni; i++)
    for (int j = 0; j < nj; j++)
      E[i][j] = A[i][j] * 2;
  for (int i = 0; i < ni; i++)
    for (int j = 0; j < nj; j++)
      A[i][j] += E[i][j] + B[i][j];
}
static void print(int ni, int nj, double A[NI][NJ]) {
  for (int i = 0; i < ni; i++)
    for (int j = 0; j < nj; j++)
      printf("%g\n", A[i][j]);
}
// Its size has what a global holds in it.
static size_t padding;
static void *allocate(unsigned long long n, int size) {
  size_t bytes = n;
  bytes *= size;
  padding += 0;
  void *memory = malloc(bytes + padding);
  if (!memory) {
    fprintf(stderr, "no memory\n");
    exit(1);
  }
  return memory;
}
int main(void) {
  int ni = NI, nj = NJ;
  double(*A)[NI][NJ] = (double(*)[NI][NJ])allocate(NI * NJ, sizeof(double));
  double(*B)[NI][NJ] = (double(*)[NI][NJ])allocate(NI * NJ, sizeof(double));
  double(*E)[NI][NJ] = (double(*)[NI][NJ])allocate(NI * NJ, sizeof(double));
  init(ni, nj, *A, *B);
  kernel(ni, nj, *A, *B, *E);
  print(ni, nj, *A);
  free((void *)A);
}
