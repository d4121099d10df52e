// A container that a loop fills by push_back is one piece of memory after it, as long as the loop made it; who appends stays on the host.
// RUN: %busfare loops %s | %FileCheck %s
// CHECK: main (
// CHECK: 15 i no push_back allocates or frees memory
// CHECK: 17 i yes no two iterations touch the same element
// CHECK: 18 i no
// CHECK: 20 {{(it|x)}} yes reduction(+: s)
#include <cstdio>
#include <vector>
int main() {
  int n = 1000;
  std::vector<double> v, w(n);
  std::vector<int> even;

  for (int i = 0; i < n; i++) {
    v.push_back(i * 0.5); if (i % 2 == 0) even.push_back(i); }
  for (int i = 0; i < n; i++) w[i] = 2 * v[i];
  for (int i = 1; i < n; i++) v[i] += v[i - 1] + w[i];
  double s = 0;
  for (auto x : v) s += x;
  for (int i = 0; i < (int)even.size(); i++) s += w[even[i]];
  std::printf("%g %zu %zu\n", s, v.size(), even.size());
}
