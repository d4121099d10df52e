// A field that points to structs leads to an array of them where what it is handed on to subscripts it.
// RUN: %busfare extract %s 2>/dev/null | %FileCheck %s
// RUN: %busfare loops %s 2>/dev/null | %FileCheck %s --check-prefix=LOOPS
struct point { double energy, total; };
struct data { struct point *grid, *spare, *one; int n; };

static double look(const struct point *points, int at) { return points[at].total; }
static double single(const struct point *point) { return point->total; }

// CHECK-LABEL: function handed(
// CHECK-DAG: array d.grid : struct<16>[?] parameter
// CHECK-DAG: array d.spare : struct<16>[?] parameter
// CHECK-DAG: array `d.one->total` : f64 parameter
// LOOPS: handed
// LOOPS: yes
double handed(struct data d, double *out) {
  const struct point *spare = d.spare;
  for (int i = 0; i < d.n; i++)
    out[i] = look(d.grid, i) + spare[i].energy;
  return single(d.one);
}
