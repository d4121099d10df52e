// RUN: %busfare extract %s | %FileCheck %s
// RUN: %busfare extract %s | %FileCheck --check-prefix=SCATTER %s
// Hints in headers and templates, and of members.
#include "Inputs/kernels.h"

struct Field {
  int n;
  double *u;
  // CHECK-LABEL: function Field::clear(
  // CHECK-SAME: hints(temporary(`this->u`) size(`this->n` = 32)
  // busfare: temporary(u) size(n=32)
  void clear() {
    for (int i = 0; i < n; i++) u[i] = 0;
  }
};

void use(Field &f, int n, double *a, float *b, const int *idx) {
  f.clear();
  scatter(n, a, idx);
  scatter(n, b, idx);
}
// SCATTER-LABEL: function scatter(
// SCATTER: hints(independent at 3:3
// SCATTER-LABEL: function scatter.2(
// SCATTER: hints(independent at 3:3
// SCATTER: finding BF023 note at "{{.*}}kernels.h":3:3
