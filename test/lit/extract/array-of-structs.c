// RUN: %busfare extract %s -- | FileCheck %s
// Elements are whole structs; writing a field overwrites only a part.
struct point { float x, y, z; };
void move(struct point *p, int n) { // CHECK: array p : struct<12>[?] parameter
  for (int i = 0; i < n; i++)
    p[i].x = p[i].y; // CHECK: read p[i]
                     // CHECK-NEXT: write p[i] part 0 + 4
}
