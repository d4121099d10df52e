// Memory that a variable gets on either side of a branch, or on one instead of what it had: one array.
// RUN: %busfare extract %s | FileCheck %s
#include <stdlib.h>

typedef struct {
  long length;
  double *values;
} Table;

// CHECK-LABEL: function equal(
// CHECK:       array a : f64[n] heap
// CHECK-NOT:   alias
// CHECK:         alloc a[n]
// CHECK:         alloc a[n]
// CHECK:       read a[i]
double equal(int n, int clear) {
  double *a, sum = 0;
  if (clear)
    a = calloc(n, sizeof *a);
  else
    a = malloc(n * sizeof *a);
  for (int i = 0; i < n; i++)
    sum += a[i];
  return sum;
}

// The sizes differ: the one that a variable holds on either side.
// CHECK-LABEL: function counted(
// CHECK:       array a : f64[count] heap
// CHECK:       define count because "count"
double counted(int n, int large, const int *at) {
  double *a, sum = 0;
  long count;
  if (large > 3) {
    count = 4 * n;
    a = malloc(count * sizeof *a);
  } else {
    count = n;
    a = malloc(count * sizeof *a);
  }
  for (int i = 0; i < n; i++)
    sum += a[at[i]];
  return sum;
}

// No variable holds it.
// CHECK-LABEL: function open(
// CHECK:       array a : f64[?] heap
double open(int n, int large, const int *at) {
  double *a = malloc(n * sizeof *a), sum = 0;
  if (large)
    a = malloc(3 * n * sizeof *a);
  for (int i = 0; i < n; i++)
    sum += a[at[i]];
  return sum;
}

// On a way that ends there is more of it: what the others agree on is not all.
// CHECK-LABEL: function three(
// CHECK:       array a : f64[?] heap
double three(int n, int way, const int *at) {
  double *a = 0, sum = 0;
  long count;
  if (way == 1) {
    a = malloc(9 * n * sizeof *a);
    for (int i = 0; i < n; i++)
      sum += a[at[i]];
    return sum;
  }
  if (way > 1) {
    count = 4 * n;
    a = malloc(count * sizeof *a);
  } else {
    count = n;
    a = malloc(count * sizeof *a);
  }
  for (int i = 0; i < n; i++)
    sum += a[at[i]];
  return sum;
}

// Somebody else still leads to the old memory.
// CHECK-LABEL: function kept(
// CHECK:       alias fixed may-be(a, a.2)
double kept(int n, int large) {
  double *a = malloc(n * sizeof *a), *old = a;
  if (large)
    a = malloc(n * sizeof *a);
  for (int i = 0; i < n; i++)
    a[i] = i;
  return old[0];
}

// A struct that functions give by value, put into one that is there.
// CHECK-LABEL: function assigned(
// CHECK:       array table.values : f64[{{.*}}] heap
// CHECK-NOT:   alias
// CHECK:       read table.values[i
static Table ramp(long n) {
  Table table = {n, malloc(n * sizeof(double))};
  for (long i = 0; i < n; i++)
    table.values[i] = i;
  return table;
}
double assigned(long n, int large) {
  Table table;
  double sum = 0;
  if (large)
    table = ramp(2 * n);
  else
    table = ramp(n);
  for (long i = 0; i < n; i++)
    sum += table.values[i];
  return sum;
}

// What is made from the old one is not made in its place.
// CHECK-LABEL: function from(
// CHECK:       read `Table (temporary).values`[i.3]
static Table doubled(const Table *from) {
  Table table = {from->length, malloc(from->length * sizeof(double))};
  for (long i = 0; i < from->length; i++)
    table.values[i] = 2 * from->values[i];
  return table;
}
double from(long n) {
  Table table = ramp(n);
  table = doubled(&table);
  double sum = 0;
  for (long i = 0; i < n; i++)
    sum += table.values[i];
  return sum;
}
