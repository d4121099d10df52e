// RUN: %busfare extract %s -- | %FileCheck %s
// MPICH's handles are numbers, and hold the size of a type.
#include "Inputs/mpi-numbers.h"
#define NUMBERS ((MPI_Datatype)0x4c000430)

// CHECK-LABEL: function f
void f(int n, double *u, unsigned *k, MPI_Datatype given) {
  MPI_Send(u, n, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
  // CHECK: host message "MPI_Send" send bytes 8*n type "MPI_DOUBLE"
  // CHECK-NEXT: may read u[? in 0 .. n - 1]
  MPI_Recv(k, 2 * n, NUMBERS, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  // CHECK: host message "MPI_Recv" receive bytes 8*n type "a type of 4 bytes"
  // CHECK-NEXT: may write k[? in 0 .. 2*n - 1]
  MPI_Send(u, n, given, 1, 0, MPI_COMM_WORLD);
  // CHECK: host message "MPI_Send" send bytes ? type "given"
  // CHECK-NEXT: may read u[?]
}

// A function of the program's own is just a function.
// CHECK-LABEL: function MPI_Allreduce
int MPI_Allreduce(const void *a, void *b, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  *(double *)b = *(const double *)a;
  return 0;
}
// CHECK-LABEL: function serial
double serial(double x) {
  double y;
  MPI_Allreduce(&x, &y, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); // CHECK: call MPI_Allreduce(
  return y;
}
