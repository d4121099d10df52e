// Each instance of a variable template is a global of its own.
// RUN: %busfare extract %s | %FileCheck %s
template <class T> int limit = 10;
template <> int limit<double> = 90;
template <int> double room[100];
int count() {
  limit<int> = 20, limit<double> = 80;
  // CHECK: for i = 0 .. 19
  // CHECK-NEXT: update `room<1>`[i] +
  for (int i = 0; i < limit<int>; i++) room<1>[i] += 1;
  // CHECK: for i.2 = 1 .. 79
  // CHECK: read `room<1>`[i.2 - 1]
  // CHECK: write `room<2>`[i.2]
  for (int i = 1; i < limit<double>; i++) room<2>[i] = room<1>[i - 1] * 0.5;
  return 0;
}
