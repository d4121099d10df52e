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
  Fields field;
};
struct Chunk {
  std::vector<Tile> tiles;
};

// CHECK-LABEL: function middle(
void middle(int tile, Chunk &chunk, int n) {
  Fields &field = chunk.tiles[tile].field;
  // CHECK: for i = 0 .. n - 1
  // CHECK: read `chunk.tiles[].field.corners.data`[tile][i]
  // CHECK: read `chunk.tiles[].field.corners.data`[tile][i + 1]
  // CHECK: write `chunk.tiles[].field.cells.data`[tile][i]
  for (int i = 0; i < n; i++) field.cells[i] = 0.5 * (field.corners[i] + field.corners[i + 1]);
}
// SECTIONS: nest in middle at
// SECTIONS: chunk.tiles[].field.cells.data write, must-write exact [tile:tile:1][0:n-1:1]
// SECTIONS: chunk.tiles[].field.corners.data read, live-in exact [tile:tile:1][0:n:1]
