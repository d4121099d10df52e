// RUN: %busfare analyze --details messages.c --machine summit-v100-nvlink2 -- -DN=1024 | %FileCheck %s
// RUN: %busfare analyze --details messages.c -- -DN=1024 | %FileCheck %s --check-prefix=UNPRICED
// RUN: %busfare analyze messages.c --machine summit-v100-nvlink2 --format json -- -DN=1024 | %FileCheck %s --check-prefix=JSON
// RUN: %busfare comm messages.c -- -DN=1024 | %FileCheck %s --check-prefix=COMM
// RUN: %busfare comm messages.c --format json --comm-share 0.25 --compute-speedup 5 -- -DN=1024 | %FileCheck %s --check-prefix=COMMJSON
// RUN: sh -c '%busfare comm %s --bytes 8 2>&1; echo exit=$?' | %FileCheck %s --check-prefix=BOTH
// RUN: sh -c '%busfare comm %s --machine a100-pcie4 2>&1; echo exit=$?' | %FileCheck %s --check-prefix=NONET
// Messages in a time loop whose buffers live on the device: only the rows that are sent and received cross.
#include "../extract/Inputs/mpi-objects.h"

static void step(double a[N][N], double b[N][N]) {
  for (int i = 1; i < N - 1; i++)
    for (int j = 1; j < N - 1; j++)
      b[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
}

double simulate(int rank, double u[restrict N][N], double v[restrict N][N]) {
  double norm = 0;
  for (int t = 0; t < 100; t++) {
    MPI_Request requests[2];
    if (rank > 0) {
      MPI_Irecv(u[0], N, MPI_DOUBLE, rank - 1, 0, MPI_COMM_WORLD, &requests[0]);
      MPI_Isend(u[1], N, MPI_DOUBLE, rank - 1, 0, MPI_COMM_WORLD, &requests[1]);
      MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    }
    step(u, v);
    step(v, u);
  }
  for (int j = 0; j < N; j++)
    norm += u[N / 2][j];
  MPI_Allreduce(MPI_IN_PLACE, &norm, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return norm;
}

// CHECK: What crosses the bus
// CHECK: u h2d 100x 8.0 KiB [0:0:1][1:1022:1]
// CHECK: u d2h 100x 8.0 KiB [1:1:1][1:1022:1]
// CHECK: Messages between processes
// CHECK: messages.c:22 MPI_Irecv 100 8.0 KiB
// CHECK: receive of 8,192 bytes (MPI_DOUBLE), nonblocking, the other end of a send;
// CHECK-NEXT: writes u (on the device); in the time loop
// CHECK: messages.c:23 MPI_Isend 100 8.0 KiB 3.91 us 7.65 us
// CHECK: send of 8,192 bytes (MPI_DOUBLE), nonblocking; reads u (on the device)
// CHECK: messages.c:31 MPI_Allreduce 1 8 B 7.99 us 25.3 us -
// CHECK: allreduce of 8 bytes (MPI_DOUBLE), among 16 processes (assumed)
// CHECK: 2 messages in the time loop have a buffer that lives on the device
// CHECK: remark: MPI_Isend is a message of 8192 bytes; it stays on
// CHECK: note: MPI_Waitall is taken to end every nonblocking message
// CHECK: busfare comm

// UNPRICED: messages.c:23 MPI_Isend 100 8.0 KiB - - -
// UNPRICED: The machine file has no part network

// JSON: "messages": [
// JSON: "call": "MPI_Irecv",
// JSON-NEXT: "count": 100,
// JSON-NEXT: "region": "messages.c:
// JSON-NEXT: "in_time_loop": true,
// JSON-NEXT: "reached": true,
// JSON-NEXT: "kind": "receive",
// JSON-NEXT: "type": "MPI_DOUBLE",
// JSON-NEXT: "formula": "8192",
// JSON-NEXT: "nonblocking": true,
// JSON-NEXT: "counted": false,
// JSON: "name": "u",
// JSON-NEXT: "use": "write",
// JSON-NEXT: "on_device": true
// JSON: "operation": "put",
// JSON-NEXT: "bytes": 8192,
// JSON: "machine": "summit-v100-nvlink2",
// JSON-NEXT: "initiator": "host",
// JSON: "library_calls": []

// COMM: Messages on summit-v100-nvlink2
// COMM: messages.c:23 MPI_Isend 100
// COMM: The whole port
// COMM: 104 messages of 800.0 KiB in all take
// COMM: of the CPU's time is communication ({{.*}} of messages between hosts
// COMM: messages take what they took (ceiling)
// COMM: Where the data are
// COMM: MPI_Isend of 8.0 KiB from a buffer on the device
// COMM: Nothing says how many processes take part: 16 are assumed (--ranks N)

// RUN: %busfare comm messages.c --ranks 1024 -- -DN=1024 | %FileCheck %s --check-prefix=RANKS
// RANKS: MPI_Allreduce 1 8 B 20.0 us
// RANKS-NEXT: allreduce of 8 bytes (MPI_DOUBLE), among 1024 processes: recursive
// RANKS-NEXT: doubling, 10 messages one after the other
// RANKS-NOT: are assumed (--ranks N)

// COMMJSON: "output": "comm",
// COMMJSON: "operation": "put",
// COMMJSON-NEXT: "initiator": "host",
// COMMJSON-NEXT: "bytes": 8192,
// COMMJSON: "call": "MPI_Irecv",
// COMMJSON: "communication_share": 0.25,
// COMMJSON-NEXT: "compute_speedup": 5,
// COMMJSON: "ceiling": 2.5,
// COMMJSON: "messages": 104,
// COMMJSON: "number": 1,

// BOTH: busfare: comm takes the sizes of messages from sources or from --bytes, not both
// BOTH-NEXT: exit=2
// NONET: busfare: a100-pcie4: expected a part network
// NONET-NEXT: exit=2

// RUN: %busfare comm messages.c --pipelining per-message -- -DN=1024 | %FileCheck %s --check-prefix=READING
// READING: pipelined, 10,000 a launch, Table II per message
