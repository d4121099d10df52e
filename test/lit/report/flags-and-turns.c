// RUN: %busfare analyze --details flags-and-turns.c --function smooth --param n=100000 --param steps=90 -- | %FileCheck %s
// RUN: %busfare analyze --details flags-and-turns.c --function once --param n=100000 -- | %FileCheck %s --check-prefix=ONCE
// RUN: %busfare analyze --details flags-and-turns.c --function either --param n=100000 --param steps=90 -- | %FileCheck %s --check-prefix=EITHER
// RUN: %busfare extract flags-and-turns.c -- | %FileCheck %s --check-prefix=SKEL
//
// A flag that says whether all has gone well so far is one value, however often it is asked for. And two buffers that odd and
// even numbers of steps begin with one way round or the other end where they were meant to.
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

// What comes back is the result alone, and the buffer that is let go neither goes in nor comes back.
// CHECK-LABEL: What crosses the bus
// CHECK-NEXT: array
// CHECK-NEXT: in {{ *}}h2d {{ *}}1x
// CHECK-NOT: {{(h2d|d2h) +[0-9]+x}}
// CHECK: out {{ *}}d2h {{ *}}1x {{ *}}781.2 KiB {{ *}}[0:n-1:1]
// CHECK-NOT: {{(h2d|d2h) +[0-9]+x}}
// CHECK: The 2 kernels
// SKEL: define ok because "ok" in 0 .. 1
// SKEL: if ok - 1 >= 0 at
// SKEL-NEXT: if -(steps mod 2) >= 0 at
// SKEL-NEXT: } else {
// SKEL-NEXT: rotate mid <- out, out <- mid
bool smooth(double *out, const double *in, int n, int steps) {
  bool ok = true;
  double *mid = 0, *to = 0, *next = 0;
  const double *from = 0;
  if ((mid = calloc(n, sizeof(double))) == NULL) {
    fprintf(stderr, "no memory\n");
    ok = false;
  }
  if (ok) {
    from = in;
    if (steps % 2 == 0) {
      to = mid;
      next = out;
    } else {
      to = out;
      next = mid;
    }
  }
  if (ok) {
    for (int t = 0; t < steps; t++) {
      for (int i = 0; i < n; i++)
        to[i] = i > 0 && i < n - 1 ? 0.5 * (from[i - 1] + from[i + 1]) : from[i];
      double *written = to;
      to = next;
      next = written;
      from = written;
    }
  }
  if (mid)
    free(mid);
  return ok;
}

// What is made if the flag is set is there if it is set.
// ONCE-LABEL: What crosses the bus
// ONCE: Never cross (temporary): mid
int once(double *out, const double *in, int n) {
  int failed = 0;
  double *mid = malloc(n * sizeof(double));
  if (!mid)
    failed = 1;
  if (!failed)
    for (int i = 0; i < n; i++)
      mid[i] = in[i] + 1;
  if (!failed)
    for (int i = 0; i < n; i++)
      out[i] = 2 * mid[i];
  free(mid);
  return failed;
}

// Nobody says whether this loop takes an even number of steps: either buffer may hold the result.
// EITHER-LABEL: What crosses the bus
// EITHER-DAG: mid {{ *}}d2h
// EITHER-DAG: out {{ *}}d2h
// EITHER: The kernel
void either(double *out, int n, int steps) {
  double *mid = malloc(n * sizeof(double)), *from = out, *to = mid;
  for (int t = 0; t < steps; t++) {
    for (int i = 0; i < n; i++)
      to[i] = from[i] + 1;
    double *written = to;
    to = from;
    from = written;
  }
  free(mid);
}
