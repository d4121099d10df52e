// RUN: %busfare extract %s -- | FileCheck %s
// RUN: %busfare sections %s -- | tr -s ' ' | FileCheck %s --check-prefix=SECTIONS
// A method of a field of an element: what its pointers lead to are rows of the array.
#include <vector>
template <class T> struct Line {
  int size;
  T *data;
  T &operator[](int i) const { return data[i]; }
};
struct Fields {
  Line<double> cells, corners;
};
struct Tile {
  int low, high;
  Fields f;
};
struct Chunk {
  std::vector<Tile> t;
};

// CHECK-LABEL: function middle(
void middle(int k, Chunk &c, int n) {
  Fields &field = c.t[k].f;
  // CHECK: for i = 0 .. n - 1
  // CHECK: read `c.t[].f.corners.data`[k][i]
  // CHECK: read `c.t[].f.corners.data`[k][i + 1]
  // CHECK: write `c.t[].f.cells.data`[k][i]
  for (int i = 0; i < n; i++) field.cells[i] = 0.5 * (field.corners[i] + field.corners[i + 1]);
}
// SECTIONS: nest in middle at
// SECTIONS: c.t[].f.cells.data write, must-write exact [k:k:1][0:n-1:1]
// SECTIONS: c.t[].f.corners.data read, live-in at most [k:k:1][0:n:1]
