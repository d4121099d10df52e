// A struct whose fields are each added to is a sum, however that is written: an operator that returns what a constructor makes, a
// list, an operator of its own. What a constructor computes is not.
// RUN: %busfare loops %s | %FileCheck %s
// CHECK: by_operator (
// CHECK: i {{ *}}yes {{ *}}reduction(+: sum.im, sum.re)
// CHECK: by_list (
// CHECK: i {{ *}}yes {{ *}}reduction(+: sum.im, sum.re)
// CHECK: by_member (
// CHECK: i {{ *}}yes {{ *}}reduction(+: sum.im, sum.re)
// CHECK: computed (
// CHECK: i {{ *}}no
// The value is used: each iteration sees what the others did so far.
// CHECK: used (
// CHECK: i {{ *}}no
// CHECK: twice (
// CHECK: i {{ *}}no
// Another argument may write what is copied, before or after: then the copy is read first, and nothing is added up.
// CHECK: changed (
// CHECK: i {{ *}}no
// CHECK: nested (
// CHECK: i {{ *}}yes {{ *}}reduction(+: sum.im, sum.re)
struct Number {
  double re, im;
  Number(double r, double i) : re(r), im(i) {}
  Number &operator+=(const Number &other) {
    re += other.re;
    im += other.im;
    return *this;
  }
};
inline Number operator+(const Number &a, const Number &b) { return Number(a.re + b.re, a.im + b.im); }

struct Half {
  double re, im;
  Half(double r, double i) : re(r / 2), im(i) {}
};

struct Plain {
  double re, im;
};

Number by_operator(const Number *u, int n) {
  Number sum(0, 0);
  for (int i = 0; i < n; i++)
    sum = sum + u[i];
  return sum;
}

Plain by_list(const Plain *u, int n) {
  Plain sum = {0, 0};
  for (int i = 0; i < n; i++)
    sum = {u[i].re + sum.re, sum.im - u[i].im};
  return sum;
}

Number by_member(const Number *u, int n) {
  Number sum(0, 0);
  for (int i = 0; i < n; i++)
    sum += u[i];
  return sum;
}

Half computed(const Half *u, int n) {
  Half sum(0, 0);
  for (int i = 0; i < n; i++)
    sum = Half(sum.re + u[i].re, sum.im + u[i].im);
  return sum;
}

void used(const Number *u, Number *prefix, int n) {
  Number sum(0, 0);
  for (int i = 0; i < n; i++)
    prefix[i] = sum = sum + u[i];
}

Number twice(const Number *u, int n) {
  Number sum(0, 0);
  for (int i = 0; i < n; i++)
    sum = sum + Number(u[i].re, sum.re);
  return sum;
}

static Plain total;
static Plain add(Plain a, Plain b) { return {a.re + b.re, a.im + b.im}; }
static Plain touch(const Plain &from) {
  total.re = 3;
  return from;
}
Plain changed(const Plain *u, int n) {
  for (int i = 0; i < n; i++)
    total = add(total, touch(u[i]));
  return total;
}

static Plain half(Plain a) { return {a.re / 2, a.im / 2}; }
Plain nested(const Plain *u, int n) {
  Plain sum = {0, 0};
  for (int i = 0; i < n; i++)
    sum = add(sum, half(u[i]));
  return sum;
}
