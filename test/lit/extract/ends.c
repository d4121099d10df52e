// Loops that may end the program: parallel if they are without that, for nobody looks at what later iterations wrote.
// RUN: %busfare loops %s | %python %S/../rules/Inputs/unwrap.py | %FileCheck %s
// RUN: %busfare loops %s | %python %S/../rules/Inputs/unwrap.py | %FileCheck %s --check-prefix=NOTE
// RUN: %busfare extract %s | %FileCheck %s --check-prefix=SKELETON
// What is registered for the end of the program may read memory.
// RUN: %busfare loops %s -- -DREGISTERED | %python %S/../rules/Inputs/unwrap.py | %FileCheck %s --check-prefix=REGISTERED
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
enum { Broken = -1 };
extern double total;
#ifdef REGISTERED
static void last(void) { printf("%g\n", total); }
void begin(void) { atexit(last); }
#endif

// CHECK: single (
// CHECK: [[#@LINE+8]] i yes reduction(max: busfare_ends)
// NOTE: ends.c:[[#@LINE+8]]:21: note: exit(3) may end the program from inside the loop at line [[#@LINE+7]]: a device finishes the loop and sets a flag
// SKELETON: function single
// SKELETON: if ? at [[#@LINE+6]]:
// SKELETON-NEXT: end "exit(3)" at [[#@LINE+5]]:21
// SKELETON-NEXT: }
// REGISTERED: ends.c:[[#@LINE+3]]:21: remark: exit ends the program from inside a loop, and what runs at its end (atexit, destructors) may read memory
void single(int n, const double *restrict a, double *restrict b) {
  for (int i = 0; i < n; i++) {
    if (a[i] < 0.0) exit(3);
    b[i] = 1.0 / a[i];
  }
}

// CHECK: nested (
// CHECK: [[#@LINE+4]] i yes reduction(max: busfare_ends)
// CHECK: [[#@LINE+4]] ..j yes reduction(max: busfare_ends)
// NOTE: note: exit(-1) may end the program from inside the loop at line [[#@LINE+2]]:
void nested(int n, double (*restrict a)[64]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 64; j++) {
      if (a[i][j] < 0.0) exit(Broken);
      a[i][j] *= 2.0;
    }
}

static double checked(double x) {
  if (x < 0.0) _Exit(5);
  return x * 2.0;
}
// CHECK: inlined (
// CHECK: [[#@LINE+3]] i yes reduction(max: busfare_ends)
// NOTE: note: _Exit(5) may end the program from inside the loop at line [[#@LINE+2]]:
void inlined(int n, double *restrict a) {
  for (int i = 0; i < n; i++) a[i] = checked(a[i]);
}

// CHECK: asserted (
// CHECK: [[#@LINE+3]] i yes reduction(max: busfare_ends)
// NOTE: note: assert(a[i] >= 0.0) of line [[#@LINE+3]] may end the program
void asserted(int n, const double *restrict a, double *restrict b) {
  for (int i = 0; i < n; i++) {
    assert(a[i] >= 0.0);
    b[i] = a[i];
  }
}

// A dependence stays one.
// CHECK: recurrence (
// CHECK: [[#@LINE+2]] i no
void recurrence(int n, double *a) {
  for (int i = 1; i < n; i++) {
    if (a[i] < 0.0) abort();
    a[i] += a[i - 1];
  }
}

// What is said right before the end belongs to it; which iteration says it matters if it is another thing each time.
// CHECK: spoken (
// CHECK: [[#@LINE+5]] i yes reduction(max: busfare_ends)
// NOTE: note: exit(1) after the message of line [[#@LINE+6]] may end the program from inside the loop at line [[#@LINE+4]]:
// SKELETON: function spoken
// SKELETON: end "exit(1) after the message of line [[#@LINE+4]]" at
void spoken(int n, const double *restrict a, double *restrict b) {
  for (int i = 0; i < n; i++) {
    if (a[i] < 0.0) {
      fprintf(stderr, "negative\n");
      fflush(stderr);
      exit(1);
    }
    b[i] = a[i];
  }
}

// CHECK: saysWhich (
// CHECK: [[#@LINE+4]] i yes reduction(min: busfare_ends)
// SKELETON: function saysWhich
// SKELETON: end "exit(1) after the message of line [[#@LINE+5]]" where at
void saysWhich(int n, const double *restrict a, double *restrict b) {
  for (int i = 0; i < n; i++) {
    if (a[i] < 0.0) {
      int worst = i;
      printf("%d: %g\n", worst, a[i]);
      exit(1);
    }
    b[i] = a[i];
  }
}

// Not if something else comes between, if the device would need a text, or if it may be that nothing ends.
// CHECK: goesOn (
// CHECK: [[#@LINE+2]] i no fprintf does I/O
void goesOn(int n, const double *restrict a, double *restrict b) {
  for (int i = 0; i < n; i++) {
    if (a[i] < 0.0) fprintf(stderr, "negative\n");
    if (a[i] < -1.0) exit(1);
    b[i] = a[i];
  }
}
// CHECK: names (
// CHECK: [[#@LINE+2]] i no fprintf does I/O
void names(int n, const double *restrict a, double *restrict b, const char *name) {
  for (int i = 0; i < n; i++) {
    if (a[i] < 0.0) {
      fprintf(stderr, "%s\n", name);
      exit(1);
    }
    b[i] = a[i];
  }
}

// CHECK: unknownNames (
// CHECK: [[#@LINE+3]] i no fprintf does I/O
extern const char *const *messages;
void unknownNames(int n, const double *restrict a, double *restrict b) {
  for (int i = 0; i < n; i++) {
    if (a[i] < 0.0) {
      fprintf(stderr, "%s\n", messages[i]);
      exit(1);
    }
    b[i] = a[i];
  }
}

// CHECK: varying (
// CHECK: [[#@LINE+3]] i no exit does not return
// NOTE: remark: exit ends the program from inside a loop, and how it ends is computed there
void varying(int n, const int *restrict code, double *restrict b) {
  for (int i = 0; i < n; i++) {
    if (code[i]) exit(code[i]);
    b[i] = i;
  }
}

// The first one counts.
// CHECK: several (
// CHECK: [[#@LINE+4]] i yes reduction(min: busfare_ends)
// NOTE: note: exit(1) may end the program from inside the loop at line [[#@LINE+3]]
// NOTE: note: exit(2) may end the program from inside the loop at line [[#@LINE+2]]
void several(int n, const double *restrict a, double *restrict b) {
  for (int i = 0; i < n; i++) {
    if (a[i] < 0.0) exit(1);
    if (a[i] > 9.0) exit(2);
    b[i] = a[i];
  }
}
// Each loop by itself.
// CHECK: apart (
// CHECK: [[#@LINE+3]] i yes reduction(max: busfare_ends)
// CHECK: [[#@LINE+4]] i yes reduction(max: busfare_ends)
void apart(int n, double *restrict a) {
  for (int i = 0; i < n; i++)
    if (a[i] < 0.0) exit(1);
  for (int i = 0; i < n; i++)
    if (a[i] > 9.0) exit(2);
}

// What runs behind the loop runs because nothing ended it: t is surely set.
// CHECK: surely (
// CHECK: [[#@LINE+3]] i yes private(t), reduction(max: busfare_ends)
void surely(int n, const double *restrict a, double *restrict b) {
  double t;
  for (int i = 0; i < n; i++) {
    if (a[i] < 0.0) abort();
    else t = a[i];
    b[i] = t;
  }
}
