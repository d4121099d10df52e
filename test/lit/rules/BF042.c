// RUN: %busfare loops %s | %python %S/Inputs/unwrap.py | %FileCheck %s
typedef int MPI_Comm, MPI_Datatype;
#define MPI_DOUBLE ((MPI_Datatype)0x4c00080b)
int MPI_Send(const void *, int, MPI_Datatype, int, int, MPI_Comm);
void f(int n, double *a, MPI_Comm comm) {
  for (int i = 0; i < n; i++)
    MPI_Send(&a[i], 1, MPI_DOUBLE, i, 0, comm);
  // CHECK: BF042.c:[[#@LINE-1]]:5: remark: MPI_Send is a message of 8 bytes; it stays on the host
}
