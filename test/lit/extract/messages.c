// RUN: %busfare extract %s -- | %FileCheck %s
// Messages, with the sections of their buffers where count and type are known; declared as Open MPI does.
#include "Inputs/mpi-objects.h"

// CHECK-LABEL: function halo
void halo(int n, int m, double *u, int up, int down) {
  MPI_Status status;
  MPI_Sendrecv(&u[n * m], m, MPI_DOUBLE, up, 0, &u[0], m, MPI_DOUBLE, down, 0, MPI_COMM_WORLD, &status);
  // CHECK: host message "MPI_Sendrecv" exchange bytes 8*m type "MPI_DOUBLE" at [[#@LINE-1]]:3 {
  // CHECK-NEXT: may read u[? in m*n .. m*n + m - 1]
  // CHECK-NEXT: may write u[? in 0 .. m - 1]
}

// CHECK-LABEL: function rows
void rows(double u[64][100], int up) {
  MPI_Send(u[63], 100, MPI_DOUBLE, up, 0, MPI_COMM_WORLD);
  // CHECK: host message "MPI_Send" send bytes 800 type "MPI_DOUBLE"
  // CHECK-NEXT: may read u[63][? in 0 .. 99]
  MPI_Recv(&u[0][10], 5, MPI_DOUBLE, up, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  // CHECK: host message "MPI_Recv" receive bytes 40
  // CHECK-NEXT: may write u[0][? in 10 .. 14]
}

// CHECK-LABEL: function scalars
double scalars(double local) {
  double sum, all = local;
  MPI_Allreduce(&local, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  // CHECK: host message "MPI_Allreduce" allreduce bytes 8 type "MPI_DOUBLE"
  // CHECK-NEXT: read local at
  // CHECK-NEXT: {{^ *}}write sum at
  MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  // CHECK: host message "MPI_Allreduce"
  // CHECK-NEXT: read all at
  // CHECK-NEXT: {{^ *}}write all at
  MPI_Reduce(&local, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  // CHECK: host message "MPI_Reduce" reduce bytes 8
  // CHECK: may write sum
  return sum + all;
}

// The size that all get is one symbol behind the broadcast.
// CHECK-LABEL: function sizes
void sizes(double *a) {
  int n;
  MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);
  // CHECK: host message "MPI_Bcast" broadcast bytes 4 type "MPI_INT"
  for (int i = 0; i < n; i++) // CHECK: for i = 0 .. n - 1
    a[i] = 0;
}

// CHECK-LABEL: function parts
void parts(int n, double *mine, double *all) {
  MPI_Allgather(mine, n, MPI_DOUBLE, all, n, MPI_DOUBLE, MPI_COMM_WORLD);
  // CHECK: host message "MPI_Allgather" allgather bytes 8*n
  // CHECK-NEXT: may read mine[? in 0 .. n - 1]
  // CHECK-NEXT: may write all[?]
  MPI_Scatter(all, n, MPI_DOUBLE, mine, n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  // CHECK: host message "MPI_Scatter" scatter bytes 8*n
  // CHECK-NEXT: may read all[?]
  // CHECK-NEXT: may write mine[? in 0 .. n - 1]
}

// A type of the program's own: no size, the whole array.
// CHECK-LABEL: function columns
void columns(int n, double *u) {
  MPI_Datatype column;
  MPI_Type_vector(n, 1, n, MPI_DOUBLE, &column);
  MPI_Type_commit(&column);
  MPI_Send(u, 1, column, 1, 0, MPI_COMM_WORLD);
  // CHECK: host message "MPI_Send" send bytes ? type "column"
  // CHECK-NEXT: may read u[?]
}

// Through a variable that nobody sets again, and a constant condition.
// CHECK-LABEL: function chosen
void chosen(int n, float *u) {
  MPI_Datatype type = sizeof(*u) == 4 ? MPI_FLOAT : MPI_DOUBLE;
  MPI_Send(u, n, type, 1, 0, MPI_COMM_WORLD);
  // CHECK: host message "MPI_Send" send bytes 4*n type "MPI_FLOAT"
}

// Until the wait, and at it.
// CHECK-LABEL: function nonblocking
void nonblocking(int n, double *u, double *v) {
  MPI_Request requests[2];
  MPI_Irecv(u, n, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, &requests[0]);
  // CHECK: host message "MPI_Irecv" receive bytes 8*n type "MPI_DOUBLE" nonblocking
  // CHECK: may write u[? in 0 .. n - 1]
  MPI_Isend(v, n, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, &requests[1]);
  // CHECK: host message "MPI_Isend" send bytes 8*n type "MPI_DOUBLE" nonblocking
  // CHECK: may read v[? in 0 .. n - 1]
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  // CHECK: host message "MPI_Waitall" wait at
  // CHECK: may write u[? in 0 .. n - 1]
  // CHECK-NOT: v[
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE); // nothing is in flight any more
  // CHECK: host message "MPI_Waitall" wait at
  // CHECK-NOT: write u
  u[0] = 1; // CHECK: {{^ *}}write u[0]
}

// In a loop a wait may end what the iteration before began.
// CHECK-LABEL: function carried
void carried(int n, double *u) {
  MPI_Request request;
  for (int t = 0; t < 10; t++) {
    if (t > 0) MPI_Wait(&request, MPI_STATUS_IGNORE);
    // CHECK: host message "MPI_Wait" wait at
    // CHECK: may write u[?]
    MPI_Irecv(u, n, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, &request);
  }
}

// Waited for elsewhere: what a function leaves in flight its caller tells those that it calls.
// CHECK-LABEL: function begin
void begin(double *u, int n, MPI_Request *request) { MPI_Irecv(u, n, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, request); }
// CHECK-LABEL: function end
void end(MPI_Request *request) { MPI_Wait(request, MPI_STATUS_IGNORE); }
// CHECK-LABEL: function both
void both(double *u, int n) {
  MPI_Request requests[1];
  begin(u, n, requests);
  end(requests); // CHECK: call end({{.*}} exposing (u)
}

// One-sided: other processes' memory is not ours.
// CHECK-LABEL: function onesided
void onesided(int n, double *u, double *v, MPI_Win window) {
  MPI_Put(u, n, MPI_DOUBLE, 1, 0, n, MPI_DOUBLE, window);
  // CHECK: host message "MPI_Put" put bytes 8*n type "MPI_DOUBLE" nonblocking
  // CHECK-NEXT: may read u[? in 0 .. n - 1]
  MPI_Get(v, n, MPI_DOUBLE, 1, 0, n, MPI_DOUBLE, window);
  // CHECK: host message "MPI_Get" get bytes 8*n
  // CHECK-NEXT: may write v[? in 0 .. n - 1]
  MPI_Win_fence(0, window);
  // CHECK: host opaque "MPI_Win_fence"
  // CHECK-DAG: may write v
}

// A size that is received anew in every iteration, although no other unit sees it.
static int bound;
// CHECK-LABEL: function renewed
void renewed(double *a) {
  for (int t = 0; t < 9; t++) {
    MPI_Bcast(&bound, 1, MPI_INT, 0, MPI_COMM_WORLD);
    // CHECK: for t = 0 .. 8
    // CHECK: define [[SIZE:[^ ]+]] because "bound as received"
    // CHECK: host message "MPI_Bcast"
    for (int i = 0; i < bound; i++) // CHECK: for i = 0 .. [[SIZE]] - 1
      a[i] = 0;
  }
}

// What asks about processes touches what it is given.
int counter;
// CHECK-LABEL: function main
int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  // CHECK: host message "MPI_Comm_rank" at
  // CHECK-NEXT: write rank
  // CHECK-NOT: counter
  MPI_Finalize();
  // CHECK: host message "MPI_Finalize"
  return 0;
}
