// RUN: %busfare port %s --kernels all -o %t.c 2>&1 | %FileCheck %s
// RUN: %FileCheck --check-prefix=PORT --input-file %t.c %s

// What is said before the program ends goes behind the loop with the call; not what an iteration has computed.
#include <stdio.h>
#include <stdlib.h>
#define COMPLAIN(text) fprintf(stderr, text)

// PORT: {{^ *}}int busfare_ends{{.*}} = 0;
// PORT: {{^ *}}for (int i = 0; i < 64; i++) {
// PORT-NEXT: {{^ *}}if (a[i] < 0.0) {
// PORT: {{^ *}}{ busfare_ends{{.*}} = 1; continue; }
// PORT-NEXT: {{^ *}}}
// PORT: {{^ *}}if (busfare_ends{{.*}}) { fprintf(stderr, "negative, line %d\n", 18); fflush(stderr); exit(3); }
void constant(double a[restrict 64]) {
  for (int i = 0; i < 64; i++) {
    if (a[i] < 0.0) {
      // said once
      fprintf(stderr, "negative, line %d\n", 18);
      fflush(stderr);
      exit(3);
    }
    a[i] *= 2.0;
  }
}

// PORT: {{^ *}}long busfare_ends{{.*}} = __LONG_MAX__;
// PORT: == 0) { puts("small"); exit(3); }
// PORT: == 1) { puts("large"); exit(3); }
void either(double a[restrict 64]) {
  for (int i = 0; i < 64; i++) {
    if (a[i] < 0.0) {
      puts("small");
      exit(3);
    } else if (a[i] > 8.0) {
      puts("large");
      exit(3);
    }
    a[i] *= 2.0;
  }
}

// CHECK: last-words.c:[[#@LINE+3]]:3: warning: this loop stays on the host: what it says before the program ends is computed in it
void computed(double a[restrict 64]) {
  // PORT-LABEL: void computed
  for (int i = 0; i < 64; i++) {
    if (a[i] < 0.0) {
      fprintf(stderr, "%d\n", i);
      exit(3);
    }
    a[i] *= 2.0;
  }
}

// CHECK: last-words.c:[[#@LINE+2]]:3: warning: this loop stays on the host: a macro writes the message before the program ends
void written(double a[restrict 64]) {
  for (int i = 0; i < 64; i++) {
    if (a[i] < 0.0) {
      COMPLAIN("negative\n");
      exit(3);
    }
    a[i] *= 2.0;
  }
}
