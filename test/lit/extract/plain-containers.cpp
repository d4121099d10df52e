// Containers of numbers are objects of their own: what works on them touches them and what it is given, and nothing else.
// RUN: %busfare extract %s 2>/dev/null | %FileCheck %s
// RUN: %busfare loops %s 2>/dev/null | %FileCheck %s --check-prefix=LOOPS
#include <algorithm>
#include <deque>
#include <list>
#include <map>
#include <set>
#include <string>
#include <vector>

double weight[100];

// The vector is where it was, and its size is what it was.
// CHECK-LABEL: function looksUp(
// CHECK: host library "count" at
// CHECK-NEXT: may read n at
// CHECK-NEXT: may read known at
// CHECK-NEXT: }
// CHECK-NOT: alias
// LOOPS-LABEL: looksUp (
// LOOPS: [[#@LINE+4]] i yes
void looksUp(std::vector<double> &v, const std::map<int, int> &known, int n) {
  v.resize(n);
  double first = known.count(n);
  for (int i = 0; i < n; i++) v[i] = first * weight[i % 100];
}

// CHECK-LABEL: function fills(
// CHECK: host library "insert" at
// CHECK-NEXT: may read seen at
// CHECK-NEXT: may write seen at
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: update weight[0]
int fills(int n) {
  std::set<int> seen;
  for (int i = 0; i < n; i++) seen.insert(i % 7);
  weight[0] += 1.0;
  return int(seen.size());
}

// What they are given is read, or written.
// CHECK-LABEL: function copies(
// CHECK: host library "insert" at
// CHECK: may read p[?]
// CHECK-NOT: may write p
// CHECK-NOT: weight
void copies(std::deque<double> &d, const double *p, int n) {
  d.insert(d.end(), p, p + n);
}

// CHECK-LABEL: function sorts(
// CHECK: host library "sort" at
// CHECK-NEXT: may read v[?]
// CHECK-NEXT: may write v[?]
// CHECK-NOT: weight
// CHECK: host library "sort" at
// CHECK: may write p[?]
void sorts(std::vector<int> &v, double *p, int n) {
  std::sort(v.begin(), v.end());
  std::sort(p, p + n, std::greater<double>());
}

// A number that is sorted, or replaced, is another one.
// CHECK-LABEL: function replaces(
// CHECK-NOT: for {{.*}} .. 4 at
double replaces() {
  int n = 5, *p = &n;
  std::replace(p, p + 1, 5, 50);
  double sum = 0;
  for (int i = 0; i < n; i++) sum += weight[i];
  return sum;
}

// By whatever name it is reached: in a callee, through a pointer of which nothing is known.
static void replacesIn(int *p) { std::replace(p, p + 1, 5, 50); }
// CHECK-LABEL: function replacesByCallee(
// CHECK-NOT: for {{.*}} .. 4 at
double replacesByCallee() {
  int n = 5;
  replacesIn(&n);
  double sum = 0;
  for (int i = 0; i < n; i++) sum += weight[i];
  return sum;
}
int count;
// CHECK-LABEL: function replacesAnywhere(
// CHECK-SAME: steady(count)
double replacesAnywhere(int **places) {
  count = 5;
  std::sort(*places, *places + 1);
  double sum = 0;
  for (int i = 0; i < count; i++) sum += weight[i];
  return sum;
}
struct Range { int low, high; };
// CHECK-LABEL: function replacesChosen(
// CHECK-NOT: for {{.*}} .. 4 at
double replacesChosen(bool first) {
  Range r = {0, 5}, q = {0, 5};
  int *p = first ? &r.high : &q.high;
  std::replace(p, p + 1, 5, 50);
  double sum = 0;
  for (int i = 0; i < r.high; i++) sum += weight[i];
  return sum;
}
// CHECK-LABEL: function sortsList(
// CHECK: host library "sort" at
// CHECK-NEXT: may read list[?]
// CHECK-NEXT: may write list[?]
// CHECK-NOT: weight
// CHECK: for {{.*}} .. 4 at
double sortsList(int *list, int n) {
  count = 5;
  std::sort(list, list + n);
  double sum = 0;
  for (int i = 0; i < 5; i++) sum += weight[list[i]];
  return sum;
}

// Those that hold pointers may keep them; those that run the program's code may do anything.
struct Descending { bool operator()(int a, int b) const; };
struct Counted { int value; Counted(int v); bool operator<(const Counted &other) const; };
// CHECK-LABEL: function keeps(
// CHECK: host opaque "insert" at
// CHECK: may write weight[?]
void keeps(std::set<double *> &all, double *p) {
  all.insert(p);
  weight[1] = 1;
}
// CHECK-LABEL: function compares(
// CHECK: host opaque "insert" at
// CHECK: may write weight[?]
// CHECK: host opaque "sort" at
// CHECK: may write weight[?]
void compares(std::set<int, Descending> &all, int *p, int n) {
  all.insert(n);
  weight[2] = 1;
  std::sort(p, p + n, Descending());
}
// CHECK-LABEL: function ordersObjects(
// CHECK: host opaque "insert" at
// CHECK: may write weight[?]
void ordersObjects(std::set<Counted> &all, const Counted &one) {
  all.insert(one);
  weight[3] = 1;
}
// CHECK-LABEL: function asksEach(
// CHECK: host opaque "remove_if" at
// CHECK: may write weight[?]
void asksEach(std::list<int> &all, bool (*isOdd)(int)) {
  all.remove_if(isOdd);
  weight[4] = 1;
}

// An enumeration may have operators of the program's; a vector in an element is memory elsewhere.
enum class Colour { red, blue };
bool operator<(Colour a, Colour b);
// CHECK-LABEL: function ordersColours(
// CHECK: host opaque "sort" at
// CHECK: may write weight[?]
void ordersColours(Colour *all, int n) {
  std::sort(all, all + n);
  weight[5] = 1;
}
// CHECK-LABEL: function keepsRows(
// CHECK: host opaque "insert" at
// CHECK: may write weight[?]
void keepsRows(std::map<int, std::vector<double>> &all, const std::pair<const int, std::vector<double>> &one) {
  all.insert(one);
  weight[6] = 1;
}
