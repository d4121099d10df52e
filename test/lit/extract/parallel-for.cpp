// RUN: %busfare extract %s -- -std=c++17 | %FileCheck %s
// parallel_for and its like are known by their shape: a name, a range, a callable. Their iterations are said to be
// independent, which is a claim to check.
#include <cstddef>
namespace Kokkos {
template <class F> void parallel_for(int n, const F &f) {}
template <class F> void parallel_for(const char *label, int n, const F &f) {}
template <class F, class R> void parallel_reduce(int n, const F &f, R &r) {}
template <int R> struct Rank {};
template <class... P> struct RangePolicy {
  RangePolicy(int a, int b);
};
template <class P> struct MDRangePolicy {
  template <class A, class B> MDRangePolicy(const A (&lower)[2], const B (&upper)[2]);
};
template <class... P> struct TeamPolicy {
  TeamPolicy(int leagues, int team);
};
struct Member {
  int league_rank() const;
};
template <class T> struct Max {
  Max(T &);
};
template <class P, class F> void parallel_for(const P &p, const F &f) {}
template <class F, class T> void parallel_reduce(int n, const F &f, const Max<T> &r) {}
} // namespace Kokkos
namespace tbb {
template <class T> struct blocked_range {
  blocked_range(T a, T b, T grain = 1);
  T begin() const;
  T end() const;
};
template <class R, class F> void parallel_for(const R &r, const F &f) {}
} // namespace tbb
namespace RAJA {
struct RangeSegment {
  RangeSegment(long a, long b);
};
struct seq_exec {};
template <class P, class S, class F> void forall(S &&s, F &&f) {}
} // namespace RAJA
namespace sycl {
template <int D> struct range {
  range(size_t a);
  range(size_t a, size_t b);
};
template <int D> struct id {
  operator size_t() const;
  size_t operator[](int) const;
};
struct handler {
  template <class R, class F> void parallel_for(R r, F f) {}
};
} // namespace sycl

struct Axpy {
  double a;
  const double *x;
  double *y;
  void operator()(int i) const { y[i] += a * x[i]; }
};

// CHECK-NOT: function Kokkos
// CHECK-LABEL: function kokkos(
void kokkos(int n, int m, double *a, const double *b, double s) {
  // CHECK: for it = 0 .. n - 1 algorithm at [[@LINE+2]]:3 omp("Kokkos::parallel_for" parallel) {
  // CHECK-NEXT: update a[it] +
  Kokkos::parallel_for(n, [=](int i) { a[i] += 2; });
  // A functor: its fields are what they were made from.
  // CHECK: for [[I:it.[0-9]+]] = 0 .. n - 1 algorithm at [[@LINE+4]]:3
  // CHECK-NEXT: read `Axpy (temporary).a`
  // CHECK-NEXT: read b{{\[}}[[I]]]
  // CHECK-NEXT: update a{{\[}}[[I]]] +
  Kokkos::parallel_for("axpy", n, Axpy{s, b, a});
  // CHECK: for it{{.*}} = 1 .. n - 2 algorithm at [[@LINE+1]]:3
  Kokkos::parallel_for(Kokkos::RangePolicy<>(1, n - 1), [=](int i) { a[i] = b[i - 1] + b[i + 1]; });
  // CHECK: for [[I:it.[0-9]+]] = 0 .. n - 1 algorithm at [[@LINE+4]]:3
  // CHECK-NEXT: for [[J:it.[0-9]+]] = 0 .. m - 1 algorithm
  // CHECK-NEXT: read b{{\[}}[[J]]*n + [[I]]]
  // CHECK-NEXT: write a{{\[}}[[I]]*m + [[J]]]
  Kokkos::parallel_for(Kokkos::MDRangePolicy<Kokkos::Rank<2>>({0, 0}, {n, m}), [=](int i, int j) { a[i * m + j] = b[j * n + i]; });
  double sum = 0;
  // CHECK: write sum at [[@LINE+4]]:3
  // CHECK-NEXT: for [[I:it.[0-9]+]] = 0 .. n - 1 algorithm
  // CHECK-NEXT: read b{{\[}}[[I]]]
  // CHECK-NEXT: update sum +
  Kokkos::parallel_reduce(n, [=](int i, double &t) { t += b[i]; }, sum);
}

// CHECK-LABEL: function others(
void others(int n, int m, double *a, sycl::handler &h) {
  // The callable walks its range itself.
  // CHECK: for i = 0 .. n - 1 at [[@LINE+2]]:5 {
  tbb::parallel_for(tbb::blocked_range<int>(0, n), [&](const tbb::blocked_range<int> &r) {
    for (int i = r.begin(); i != r.end(); ++i) a[i] = i;
  });
  // `return` ends one iteration.
  // CHECK: for [[I:it[.0-9]*]] = 0 .. n - 1 algorithm at [[@LINE+4]]:3 omp("RAJA::forall<RAJA::seq_exec>" parallel) {
  // CHECK-NEXT: if
  // CHECK-NEXT: } else {
  // CHECK-NEXT: write a{{\[}}[[I]]]
  RAJA::forall<RAJA::seq_exec>(RAJA::RangeSegment(0, n), [=](int i) {
    if (i == 3) return;
    a[i] = 1;
  });
  // CHECK: for [[I:it[.0-9]*]] = 0 .. n - 1 algorithm at [[@LINE+3]]:3
  // CHECK-NEXT: for [[J:it[.0-9]*]] = 0 .. m - 1 algorithm
  // CHECK-NEXT: write a{{\[}}[[I]]*m + [[J]]]
  h.parallel_for(sycl::range<2>(n, m), [=](sycl::id<2> i) { a[i[0] * m + i[1]] = 0; });
  // CHECK: for [[I:it[.0-9]*]] = 0 .. n - 1 algorithm
  // CHECK-NEXT: write a{{\[}}[[I]]]
  h.parallel_for(sycl::range<1>(n), [=](sycl::id<1> i) { a[i] = 0; });
}

// One whose body is seen is followed: it counts down, whatever its name says.
template <class F> void parallel_for(int n, F f) {
  for (int i = n; i > 0; i--) f(i);
}
// CHECK-LABEL: function own(
void own(int n, double *a, const double *b) {
  // CHECK: for i = n .. 1 step -1 at {{[0-9]+}}:3 {
  // CHECK-NEXT: read b[i]
  // CHECK-NEXT: write a[i - 1]
  parallel_for(n, [=](int i) { a[i - 1] = b[i]; });
}

// A range in a variable is what it was made from, if nothing changes it.
// CHECK-LABEL: function held(
void held(double *a, int n) {
  const Kokkos::RangePolicy<> fixed(0, n);
  Kokkos::RangePolicy<> never(1, n), later(0, n);
  n = 3;
  later = Kokkos::RangePolicy<>(0, 2);
  // CHECK: for it = 0 .. n - 1 algorithm
  Kokkos::parallel_for(fixed, [=](int i) { a[i] = 1; });
  // CHECK: for {{.*}} = 1 .. n - 1 algorithm
  Kokkos::parallel_for(never, [=](int i) { a[i] = 1; });
  // CHECK: host opaque "parallel_for" {{.*}} {
  // CHECK-NEXT: may read
  Kokkos::parallel_for(later, [=](int i) { a[i] = 1; });
}

// Of teams, of pieces of a range that are used for more than a loop, and of reducers nothing is known.
// CHECK-LABEL: function refused(
void refused(double *a, const double *b, int n) {
  // CHECK: host opaque "parallel_for"
  // CHECK: may write a[?]
  Kokkos::parallel_for(Kokkos::TeamPolicy<>(n, 4), [=](const Kokkos::Member &m) { a[m.league_rank()] = 1; });
  // CHECK: host opaque "parallel_for"
  // CHECK: may write a[?]
  tbb::parallel_for(tbb::blocked_range<int>(0, n), [=](const tbb::blocked_range<int> &r) { a[r.begin()] = 1; });
  double most = 0;
  // CHECK: host opaque "parallel_reduce"
  // CHECK: may write most
  Kokkos::parallel_reduce(n, [=](int i, double &m) { m = b[i] > m ? b[i] : m; }, Kokkos::Max<double>(most));
}

// Only of these libraries: elsewhere a function of that name may do anything.
namespace mine {
template <class F> void forall(int threads, int n, const F &f);
}
// CHECK-LABEL: function elsewhere(
void elsewhere(double *a, int n) {
  // CHECK: host opaque "forall"
  // CHECK: may write a[?]
  mine::forall(4, n, Axpy{1, a, a});
}
