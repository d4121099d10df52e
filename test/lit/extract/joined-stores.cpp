// RUN: %busfare extract %s -- | FileCheck %s
// What is stored through a name for one of several integers is none of them for sure.
#include <algorithm>
#include <utility>
int &pick(int &a, int &b, bool first);
void run(bool c, double *b) {
  int m = 10, n = 20, k = 5, f = 7, p = 8, q = 9, r = 3, s = 4, t = 2;
  (c ? m : n) = 40;
  for (int i = 0; i < m; i++) b[i] += i; // CHECK: define m because
  std::fill_n(&k, 1, 49);
  for (int i = 0; i < k; i++) b[i] += i; // CHECK: define k because
  std::pair<int &, int> one(f, 1);
  one.first = 56;
  for (int i = 0; i < f; i++) b[i] += i; // CHECK: define f because
  pick(p, q, c) = 41;
  for (int i = 0; i < p; i++) b[i] += i; // CHECK: define p because
  int &either = c ? r : s;
  either = 49;
  for (int i = 0; i < r; i++) b[i] += i; // CHECK: define r because
  asm("movl $52,%0" : "=m"(t));
  for (int i = 0; i < t; i++) b[i] += i; // CHECK: define t because
}
