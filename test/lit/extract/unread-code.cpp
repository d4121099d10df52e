// Code that is not read may change the fields of what it names, in callers too, and where their pointers lead.
// RUN: %busfare extract %s 2>/dev/null | %FileCheck %s
// RUN: %busfare loops %s 2>/dev/null | %FileCheck %s --check-prefix=LOOPS
#include <vector>
struct Mesh { int n; std::vector<double> v; void growItself(int k); };
static int count;
static double *where;
static double a[1000], b[1000];

void grow(Mesh &m, Mesh *q, int k) {
  for (int once = 0; once < 1; once++) try { if (k < 0) throw k; m.n = k; m.v.resize(k); q->n = k; count = k; where = b; } catch (int) {}
}
void Mesh::growItself(int k) { for (int once = 0; once < 1; once++) try { if (k < 0) throw k; n = k; } catch (int) {} }
void byAsm(int k) { asm volatile("" : "=r"(count) : "r"(k)); }

// CHECK-LABEL: function main(
// CHECK-NOT: for i{{[.0-9]*}} = 0 .. {{[0-9]+}} at
// CHECK: {{^}}}
// LOOPS-LABEL: main (
// LOOPS: [[#@LINE+14]] i no b -> where: they may be the same memory
int main() {
  Mesh m, q;
  m.n = q.n = count = 5;
  m.v.resize(5);
  where = a;
  grow(m, &q, 100);
  for (int i = 0; i < m.n; i++) a[i] = 1;
  for (int i = 0; i < q.n; i++) a[i] = 2;
  for (int i = 0; i < (int)m.v.size(); i++) a[i] = 3;
  for (int i = 0; i < count; i++) a[i] = 4;
  count = 6;
  byAsm(100);
  for (int i = 0; i < count; i++) a[i] = 5;
  for (int i = 1; i < 100; i++) where[i] = b[i - 1];
  int k = 7;
  std::vector<int> w(7);
  for (int once = 0; once < 1; once++) try { if (m.n < 0) throw k; w.resize(100); k = 100; m.n = 8; } catch (int) {}
  for (int i = 0; i < k; i++) a[i] = 6;
  for (int i = 0; i < m.n; i++) a[i] = 7;
  for (int i = 0; i < (int)w.size(); i++) a[i] = 8;
  Mesh o;
  o.n = 9;
  o.growItself(200);
  for (int i = 0; i < o.n; i++) a[i] = 9;
}
