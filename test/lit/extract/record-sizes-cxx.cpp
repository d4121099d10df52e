// Constructors set a class's pointer and its length; what copies and moves do to them.
// RUN: %busfare extract %s -- | %FileCheck %s --check-prefix=KEPT
// RUN: %busfare extract %s -- -DLOST=0 | %FileCheck %s --check-prefix=LOST
// RUN: %busfare extract %s -- -DLOST=1 | %FileCheck %s --check-prefix=LOST
// RUN: %busfare extract %s -- -DLOST=2 | %FileCheck %s --check-prefix=LOST
// RUN: %busfare extract %s -- -DLOST=3 | %FileCheck %s --check-prefix=LOST
// RUN: %busfare extract %s -- -DLOST=4 | %FileCheck %s --check-prefix=LOST
// RUN: %busfare extract %s -- -DLOST=5 | %FileCheck %s --check-prefix=LOST
#include <cstdlib>
#include <utility>
template <class T> T *allocate(size_t count) { return static_cast<T *>(std::malloc(count * sizeof(T))); }
template <class T> struct Buffer {
  size_t nx, ny;
  T *data;
  Buffer(size_t nx, size_t ny) : nx(nx), ny(ny), data(allocate<T>(nx + ny)) {}
  Buffer(Buffer &&other) noexcept : nx(other.nx), ny(other.ny), data(std::exchange(other.data, nullptr)) {}
  Buffer(const Buffer &that) : nx(that.nx), ny(that.ny), data(that.data) {}
#ifndef LOST
#define LOST -1
#endif
#if LOST == 4 // after it has been made
  explicit Buffer(size_t n) : nx(n), ny(1), data(allocate<T>(n + 1)) {
    grow();
    nx = n + 1;
  }
  void grow() {}
#endif
#if LOST == 5 // not the length
  explicit Buffer(const Buffer &that, int) : nx(that.nx), ny(1), data(that.data) {}
#endif
};
// KEPT: function sum(
// KEPT: array b.data : f64[b.nx + b.ny] parameter
// LOST: function sum(
// LOST: array b.data : f64[?] parameter
double sum(const Buffer<double> &b, const int *at, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += b.data[at[i]];
  return s;
}
#if LOST == 0
void swap(Buffer<double> &a, Buffer<double> &b) { std::swap(a.data, b.data); }
#elif LOST == 1
size_t Buffer<double>::*chosen(bool second) { return second ? &Buffer<double>::ny : &Buffer<double>::nx; }
#elif LOST == 2
void cut(Buffer<double> &a) { auto &[x, y, data] = a; x = y; }
#elif LOST == 3
void cut(Buffer<double> &a) { auto halve = [](auto &one) { one.nx /= 2; }; halve(a); }
#elif LOST == 4
Buffer<double> more(2);
#elif LOST == 5
Buffer<double> less(Buffer<double>(3, 3), 1);
#endif
int main(int argc, char **argv) {
  Buffer<double> a(argc, 4), b(a), c(std::move(b));
  int at[2] = {0, 1};
  return sum(c, at, 2) > 0;
}
