// A pointer that walks over the bytes of a number stays in it; one that leaves a number as a whole leads nobody knows where.
// RUN: %busfare extract %s | %FileCheck %s

// CHECK-LABEL: function save(
// CHECK-NOT: alias
void save(const double *w, int n, char *out) {
  int at = 0;
  double value;
  for (int i = 0; i < n; i++) {
    value = w[i];
    const char *from = (const char *)&value;
    char *to = &out[at];
    for (unsigned k = 0; k < sizeof value; k++) *to++ = *from++;
    // CHECK: read value at [[@LINE-1]]
    // CHECK-NEXT: write out[8*i + k]
    at += sizeof value;
  }
}

// CHECK-LABEL: function load(
// CHECK-NOT: alias
double load(const char *in) {
  double value;
  char *to = (char *)&value;
  for (int k = 0; k < 8; k++) *to++ = in[k];
  // CHECK: read in[k]
  // CHECK-NEXT: may write value
  return value;
}

// CHECK-LABEL: function beyond(
// CHECK: array {{.*}} alias
double beyond(void) {
  double value = 1, *p = &value;
  double sum = 0;
  for (int k = 0; k < 2; k++) sum += *p++;
  return sum;
}

// An integer that is set byte by byte has a value nobody knows.
// CHECK-LABEL: function number(
void number(const char *in, double *a) {
  int i = 0;
  char *to = (char *)&i;
  for (int k = 0; k < 4; k++) *to++ = in[k];
  a[i] = 1;
  // CHECK: define [[I:i[.0-9]*]] because
  // CHECK: write a{{\[}}[[I]]]
}
