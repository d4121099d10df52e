// RUN: %busfare extract %s -- -std=c++17 | %FileCheck %s
// Limits of types are constants: asking for one touches nothing.
namespace std {
template <class T> struct numeric_limits {
  static T epsilon() noexcept;
};
} // namespace std

// CHECK-LABEL: function relax
void relax(double *a, int n) {
  // CHECK: for i = 0 .. n - 1
  // CHECK-NOT: host
  // CHECK: update a[i] +
  for (int i = 0; i < n; i++)
    a[i] += std::numeric_limits<double>::epsilon();
}

struct limits {
  static double epsilon();
};

// Those of others are calls like any.
// CHECK-LABEL: function other
void other(double *a, int n) {
  // CHECK: host opaque "epsilon"
  for (int i = 0; i < n; i++)
    a[i] += limits::epsilon();
}

extern "C" int rand();
extern "C" int unseen();
double everywhere[8];

// What a function of the C library touches is known: nothing here, though others may know the array.
// CHECK-LABEL: function drawn
int drawn() {
  everywhere[0] = 1;
  // CHECK: host library "rand"
  // CHECK-NOT: everywhere[?]
  // CHECK: host opaque "unseen"
  // CHECK: everywhere[?]
  return rand() + unseen();
}
