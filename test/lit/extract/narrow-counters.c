// A char or short that begins behind the end of `!=` gets there by way of its other end: it has not no turns.
// RUN: %busfare extract %s | %FileCheck %s

// CHECK-LABEL: function around(
// CHECK: define trips
// CHECK: for {{.*}} = 0 .. trips - 1
// CHECK: write u[?] at
void around(unsigned char end, double *u) {
  for (unsigned char t = 250; t != end; t++)
    u[t] = 1;
}

// CHECK-LABEL: function down(
// CHECK: define trips
// CHECK: for {{.*}} = 0 .. trips - 1
// CHECK: write u[?] at
void down(short end, double *u) {
  for (short t = 10; t != end; t--)
    u[t + 40000] = 1;
}

// It begins before its end.
// CHECK-LABEL: function plain(
// CHECK: for t = 0 .. end - 1
void plain(unsigned char end, double *u) {
  for (unsigned char t = 0; t != end; t++)
    u[t] = 1;
}
