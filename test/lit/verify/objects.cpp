// Objects come to life and go, and their constructors and destructors do what they do, whoever wrote the class around them:
// bases and fields of classes without a constructor of their own, copies, arrays, elements of vectors, statics.
// RUN: %busfare verify %s -- -O2 | %FileCheck %s
// CHECK: verify: passed
#include <cstdio>
#include <new>
#include <vector>
static double tab[100], out[100];
struct Field {
  double x[100];
  Field() { for (int i = 0; i < 100; i++) x[i] = i; }
  Field(const Field &other) { for (int i = 0; i < 100; i++) x[i] = other.x[i] + 1; }
};
struct Derived : Field { double z = 4; };
struct Holder { Field field; double k = 4; };
struct Counting {
  double v;
  Counting() : v(1) { for (int i = 1; i < 100; i++) tab[i] += tab[i - 1]; }
};
struct Buffer {
  double *p;
  Buffer() : p(new double[100]) { for (int i = 0; i < 100; i++) p[i] = i; }
  Buffer(const Buffer &other) : p(new double[100]) { for (int i = 0; i < 100; i++) p[i] = other.p[i] + 1; }
  ~Buffer() { delete[] p; }
};
struct Owner { Buffer buffer; double k = 2; };
struct Pair { double a = 1, b = 2; };
int main() {
  Derived derived;
  Holder holder, copy(holder);
  for (int i = 0; i < 100; i++) out[i] = derived.x[i] * derived.z + holder.field.x[i] + copy.field.x[i];
  Owner first;
  Owner second = first;
  for (int i = 0; i < 100; i++) second.buffer.p[i] *= 7;
  for (int i = 0; i < 100; i++) out[i] += first.buffer.p[i];
  for (int i = 0; i < 100; i++) out[i] -= second.buffer.p[i];
  Pair *pairs = new Pair[100];
  Field *fields = new Field[2];
  for (int i = 0; i < 100; i++) out[i] += pairs[i].b + fields[1].x[i];
  for (int i = 0; i < 100; i++) tab[i] = i;
  static Counting once;
  std::vector<Counting> several(3);
  Counting inRow[2];
  for (int i = 0; i < 100; i++) out[i] += tab[i] + once.v + several[1].v + inRow[1].v;
  static char room[100 * sizeof(Pair)];
  Pair *placed = new (room) Pair[100];
  for (int i = 0; i < 100; i++) out[i] += placed[i].a;
  double sum = 0;
  for (int i = 0; i < 100; i++) sum += out[i] * i;
  std::printf("%.12g\n", sum);
  delete[] pairs;
  delete[] fields;
}
