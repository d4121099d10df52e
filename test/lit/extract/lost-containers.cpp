// Whatever may give a container in a container another length, or other memory, makes its table forget its rows.
// RUN: %busfare extract %s | %FileCheck %s
#include <algorithm>
#include <utility>
#include <vector>
using Row = std::vector<double>;
using Table = std::vector<Row>;

void grow(Row &r) { r.push_back(1); }
void exchange(Row &a, Row &b) { std::swap(a, b); }
void scale(Row &r) {
  for (double &x : r) x *= 2;
}
void unseen(Row &r);
void unseen(Row *r);
void unseen(Table *t);

// Each asks for a size afterwards, and reads an element.
#define LOSES(NAME, ...)                                                                                                                    \
  double NAME(Row w) {                                                                                                                      \
    Table u(40, Row(30));                                                                                                                   \
    __VA_ARGS__;                                                                                                                            \
    return u[3].size() + u[3][4];                                                                                                           \
  }

LOSES(swapsWithMember, u[1].swap(w))
LOSES(swapsOther, w.swap(u[1]))
LOSES(swapsTwo, std::swap(u[1], u[2]))
LOSES(inserts, u[3].insert(u[3].begin(), 5.0))
LOSES(erases, u[3].erase(u[3].begin()))
LOSES(givenToGrow, grow(u[3]))
LOSES(givenToGrowAll, for (Row &r : u) grow(r))
LOSES(givenToExchange, exchange(u[1], u[2]))
LOSES(givenToUnseen, unseen(u[3]))
LOSES(givenByPointer, unseen(&u[3]))
LOSES(givenAsATable, unseen(&u))
LOSES(appendsARow, u.push_back(Row(7)))
LOSES(erasesARow, u.erase(u.begin()))
LOSES(reverses, std::reverse(u.begin(), u.end()))
LOSES(sorts, std::sort(u.begin(), u.end()))
LOSES(assignsAList, u[3] = Row{1, 2, 3, 4, 5})
LOSES(movesOut, w = std::move(u[3]))
// CHECK-LABEL: function swapsWithMember(
// CHECK: {{^ *}}read unknown
// CHECK-LABEL: function swapsOther(
// CHECK: {{^ *}}read unknown
// CHECK-LABEL: function swapsTwo(
// CHECK: {{^ *}}read unknown
// CHECK-LABEL: function inserts(
// CHECK: {{^ *}}read unknown
// CHECK-LABEL: function erases(
// CHECK: {{^ *}}read unknown
// CHECK-LABEL: function givenToGrow(
// CHECK: {{^ *}}read unknown
// CHECK-LABEL: function givenToGrowAll(
// CHECK: {{^ *}}read unknown
// CHECK-LABEL: function givenToExchange(
// CHECK: {{^ *}}read unknown
// CHECK-LABEL: function givenToUnseen(
// CHECK: {{^ *}}read unknown
// CHECK-LABEL: function givenByPointer(
// CHECK: {{^ *}}read unknown
// CHECK-LABEL: function givenAsATable(
// CHECK: {{^ *}}read unknown
// CHECK-LABEL: function appendsARow(
// CHECK: {{^ *}}read unknown
// CHECK-LABEL: function erasesARow(
// CHECK: {{^ *}}read unknown
// CHECK-LABEL: function reverses(
// CHECK: {{^ *}}read unknown
// CHECK-LABEL: function sorts(
// CHECK: {{^ *}}read unknown
// CHECK-LABEL: function assignsAList(
// CHECK: {{^ *}}read unknown
// CHECK-LABEL: function movesOut(
// CHECK: {{^ *}}read unknown

// One that only changes elements leaves the table as it was.
double keeps() {
  Table u(40, Row(30));
  scale(u[3]);
  return u[3].size() + u[3][4];
}
// CHECK-LABEL: function keeps(
// CHECK: call scale(&`u[]`[3], 30)
// CHECK-NEXT: read `u[]`[3][4]
