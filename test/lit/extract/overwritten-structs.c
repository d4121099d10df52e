// RUN: %busfare extract %s -- | FileCheck %s
// Fields that are followed by name, changed in other ways: as bytes, as another type, by a function of the library.
#include <stdio.h>
#include <string.h>
struct range { int first, end; };
// CHECK-LABEL: function copied(
void copied(double *a) {
  struct range wide = {3, 90}, copy = {10, 20};
  memcpy(&copy, &wide, sizeof copy);
  for (int i = copy.first; i < copy.end; i++) a[i] = 1; // CHECK: for i = 3 .. 89
}
// CHECK-LABEL: function cleared(
void cleared(double *a) {
  struct range r = {40, 60};
  memset(&r, 0, sizeof(int));
  for (int i = r.first; i < r.end; i++) a[i] = 1; // CHECK: for i = r.first .. r.end - 1
}
// CHECK-LABEL: function filled(
void filled(double *a, FILE *file) {
  struct range r = {40, 60};
  fread(&r, sizeof r, 1, file);
  for (int i = r.first; i < r.end; i++) a[i] = 1; // CHECK: for i = r.first .. r.end - 1
}
// As integers, in a loop.
// CHECK-LABEL: function walked(
void walked(double *a) {
  struct range r = {0, 5};
  int *word = (int *)&r;
  for (int t = 0; t < 8; t++) {
    // CHECK: define r.end because "r.end is carried by the loop"
    for (int i = 0; i < r.end; i++) a[i] = 1; // CHECK: for i = 0 .. r.end - 1
    word[1]++;
  }
}
// CHECK-LABEL: function either(
void either(double *a) {
  struct range left = {5, 9}, right = {6, 11}, other = {1, 2};
  struct range *chosen = a[0] > 1 ? &left : &right;
  chosen->end = 70;
  for (int i = left.first; i < left.end; i++) a[i] = 1;   // CHECK: for i = left.first .. left.end - 1
  for (int i = right.first; i < right.end; i++) a[i] = 1; // CHECK: for i.2 = right.first .. right.end - 1
  for (int i = other.first; i < other.end; i++) a[i] = 1; // CHECK: for i.3 = 1 .. 1
}
