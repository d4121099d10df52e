// RUN: %busfare extract --quiet temporaries.cpp | %FileCheck %s
//
// Temporaries that no constructor of theirs makes: what their destructors do is not followed, but never left out.
static double q[1000];
struct Ender {
  int k;
  ~Ender() {
    for (int i = 0; i < 1000; i++)
      q[i] = k;
  }
};
static int use(const Ender &g) { return g.k; }
static Ender make(int k) { return Ender{k}; }
// CHECK-LABEL: function given(
// CHECK: host {{.*}}"~Ender"
void given(int *r) { *r = use(Ender{1}); }
// CHECK-LABEL: function alone(
// CHECK: host {{.*}}"~Ender"
void alone() { Ender{1}; }
// CHECK-LABEL: function dropped(
// CHECK: host {{.*}}"~Ender"
void dropped() { make(1); }
// CHECK-LABEL: function asked(
// CHECK: host {{.*}}"~Ender"
// CHECK: if
void asked(int *r) {
  if (use(Ender{1}))
    *r = 1;
}
// CHECK-LABEL: function again(
// CHECK: for
// CHECK: host {{.*}}"~Ender"
// CHECK: write r[?]
void again(int *r) {
  for (int j = 0; j < 3; j += use(Ender{1}))
    r[j] = 1;
}
// The variable itself: it goes at the end of its block.
// CHECK-LABEL: function variable(
// CHECK-NOT: host
// CHECK: write r[0]
// CHECK: call {{.*}}~Ender
void variable(int *r) {
  Ender one = Ender{1};
  r[0] = 1;
}
// Of initialisers, and of what is followed where it is called.
struct Maker {
  int x;
  Maker(int i) : x(use(Ender{i})) {}
};
// CHECK-LABEL: function Maker::Maker(
// CHECK: host {{.*}}"~Ender"
static int usual(int i) { return use(Ender{i}); }
// CHECK-LABEL: function initialised(
// CHECK: for i
// CHECK: call Maker::Maker(
// CHECK: call usual(
void initialised(int *r, int n) {
  for (int i = 0; i < n; i++) {
    Maker m(i);
    r[i] = m.x + usual(i);
  }
}
// The condition of `do` runs behind the last iteration, too.
// CHECK-LABEL: function behind(
// CHECK: write r[
// CHECK: host {{.*}}"~Ender"
// CHECK: read r[0]
int behind(int *r) {
  int j = 0;
  do {
    r[j] = 1;
  } while (use(Ender{j++}) < 3);
  return r[0];
}
