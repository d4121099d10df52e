// RUN: %busfare loops returned-captures.cpp | %FileCheck %s
//
// What a lambda returns is no memory that unseen code gives. What is declared in a statement expression goes at its end.
static int count;
struct Last {
  double *x;
  ~Last() { count = 0; }
};
// CHECK-LABEL: captured (
// CHECK: i {{ *}}no
void captured(int n, double *a) {
  auto same = [&] { return a; };
  double *q = same();
  for (int i = 0; i < n; i++)
    q[i] = a[i + 1];
}
// CHECK-LABEL: ended (
// CHECK: i {{ *}}no
void ended(int n, double *a) {
  count = 1;
  double *q = ({ Last last{a}; last.x; });
  int k = count;
  for (int i = 0; i < n; i++)
    q[i * k] = i;
}
