// Locals that are only read and set by their names: `restrict`, no pointer leads to them. Those with another way to them are not.
// RUN: %busfare extract %s 2>/dev/null | %FileCheck %s
// RUN: %busfare loops %s 2>/dev/null | %FileCheck %s --check-prefix=LOOPS
#include <vector>
double *unseen(double *);
double wide(double x, double y) {
  double &again = y;
  again += 1;
  return x * y;
}
struct Pair { double first, second; };

// Which memory p[i] is nobody knows; it is not t, nor a part of s.
// LOOPS-LABEL: walk (
// LOOPS: yes private(pair.first, pair.second), lastprivate(t), if
// LOOPS-NEXT: {{^ *}}noalias(out,rows[]){{$}}
// CHECK-LABEL: function walk(
// CHECK-DAG: array t : f64 local restrict
// CHECK-DAG: array s : f64[4] local restrict
// CHECK-DAG: array pair.first : f64 local restrict
void walk(int n, double **rows, double *out) {
  double t, s[4];
  Pair pair;
  for (int i = 0; i < n; i++) {
    double *p = rows[0];
    t = p[i];
    (t) += 1;
    pair.first = t, pair.second = 2 * t;
    out[i] = pair.second + pair.first;
  }
  s[0] = t, s[1] = 2 * t;
  out[0] += s[1];
}

// CHECK-LABEL: function ways(
// CHECK-DAG: array taken : f64 local at
// CHECK-DAG: array bound : f64 local at
// CHECK-DAG: array handed : f64[4] local at
// CHECK-DAG: array changed : f64 local at
// CHECK-DAG: array caught : f64 local at
// CHECK-DAG: array chosen : f64 local at
// CHECK-DAG: array plain : f64 local restrict
// CHECK-DAG: array low.first : f64 local restrict
// CHECK-DAG: array wide.x : f64 local restrict
// CHECK-DAG: array wide.y : f64 local at
double ways(int n) {
  double taken = 1, bound = 2, handed[4] = {1}, changed = 3, caught = 4, chosen = 5, plain = 6;
  unseen(&taken);
  double &other = bound;
  other += 1;
  unseen(handed);
  double &last = (changed = 7);
  last += 1;
  auto add = [&] { caught += 1; };
  add();
  double &one = n > 1 ? chosen : bound;
  one += 1;
  if (n) plain = wide(plain, taken);
  Pair low, high = {plain, 2};
  low = high;
  plain = low.first;
  for (; n > 0; n--) plain++;
  return taken + bound + handed[0] + changed + caught + chosen + plain;
}

int main() {
  std::vector<double *> rows(3);
  double out[10];
  walk(10, rows.data(), out);
  return ways(3) > out[0];
}
