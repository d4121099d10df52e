// RUN: %busfare extract %s -- | %FileCheck %s
// SHMEM names its types in its calls. What others put, they may have put behind any synchronisation.
#include <stddef.h>
void shmem_double_put(double *dest, const double *source, size_t nelems, int pe);
void shmem_double_get(double *dest, const double *source, size_t nelems, int pe);
void shmem_putmem(void *dest, const void *source, size_t nelems, int pe);
void shmem_double_sum_to_all(double *dest, const double *source, int nreduce, int PE_start, int logPE_stride, int PE_size, double *pWrk, long *pSync);
void shmem_broadcast64(void *dest, const void *source, size_t nlong, int PE_root, int PE_start, int logPE_stride, int PE_size, long *pSync);
void shmem_barrier_all(void);
int shmem_my_pe(void);
static double symmetric[100], work[4];
static long sync[8];

// CHECK-LABEL: function exchange
void exchange(double *u, int n, int pe) {
  shmem_double_put(symmetric, u, n, pe);
  // CHECK: host message "shmem_double_put" put bytes 8*n type "double"
  // CHECK-DAG: may read u[? in 0 .. n - 1]
  // CHECK-DAG: may write symmetric[? in 0 .. 99]
  shmem_barrier_all();
  // CHECK: host opaque "shmem_barrier_all"
  // CHECK: may write symmetric[?]
  shmem_double_get(u, symmetric, n, pe);
  // CHECK: host message "shmem_double_get" get bytes 8*n type "double"
  // CHECK-DAG: may write u[? in 0 .. n - 1]
  // CHECK-DAG: may read symmetric[? in 0 .. 99]
  shmem_putmem(symmetric, u, 64, pe);
  // CHECK: host message "shmem_putmem" put bytes 64 type "bytes"
  // CHECK-DAG: may read u[? in 0 .. 7]
}

// CHECK-LABEL: function together
void together(double *sum, const double *mine) {
  shmem_double_sum_to_all(sum, mine, 3, 0, 0, 4, work, sync);
  // CHECK: host message "shmem_double_sum_to_all" allreduce bytes 24 type "double"
  // CHECK-DAG: may read mine[? in 0 .. 2]
  // CHECK-DAG: may write sum[? in 0 .. 2]
  shmem_broadcast64(sum, mine, 3, 0, 0, 0, 4, sync);
  // CHECK: host message "shmem_broadcast64" broadcast bytes 24 type "64 bits"
}
