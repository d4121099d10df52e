// The body of a function says what a call does only if no other definition can stand in its place.
// RUN: %busfare loops %s -- | %FileCheck %s
// RUN: %busfare loops %s -- -fPIC | %FileCheck %s --check-prefix=LIBRARY
// RUN: %busfare loops %s -- -fPIC -fsemantic-interposition | %FileCheck %s --check-prefix=REPLACED
__attribute__((weak)) int weakly(void) { return 1; }
void f1(double *a, int n) {
  for (int i = 0; i < n; i++)
    a[i * weakly()] = i;
}
// CHECK: f1
// CHECK: 7 i no

int later(void) { return 1; }
#pragma weak later
void f2(double *a, int n) {
  for (int i = 0; i < n; i++)
    a[i * later()] = i;
}
// CHECK: f2
// CHECK: 16 i no

inline int alternative(void) { return 1; }
void f3(double *a, int n) {
  for (int i = 0; i < n; i++)
    a[i * alternative()] = i;
}
// CHECK: f3
// CHECK: 24 i no

static int zero(void) { return 0; }
int second(void) __attribute__((alias("zero")));
void f4(double *a, int n) {
  for (int i = 0; i < n; i++)
    a[i * second()] = i;
}
// CHECK: f4
// CHECK: 33 i no

static int (*choose(void))(void) { return zero; }
int chosen(void) __attribute__((ifunc("choose")));
void f5(double *a, int n) {
  for (int i = 0; i < n; i++)
    a[i * chosen()] = i;
}
// CHECK: f5
// CHECK: 42 i no

__attribute__((weak)) double *place(double *p, int i) { return p + i; }
void f6(double *a, int n) {
  for (int i = 0; i < n; i++)
    *place(a, i) = i;
}
// CHECK: f6
// CHECK: 50 i no

int visible(void) { return 1; }
void f7(double *a, int n) {
  for (int i = 0; i < n; i++)
    a[i * visible()] = i;
}
// CHECK: f7
// CHECK: 58 i yes
// LIBRARY: f7
// LIBRARY: 58 i yes if uninterposed(visible)
// REPLACED: f7
// REPLACED: 58 i no

__attribute__((visibility("hidden"))) int hidden(void) { return 1; }
void f8(double *a, int n) {
  for (int i = 0; i < n; i++)
    a[i * hidden()] = i;
}
// LIBRARY: f8
// LIBRARY: 70 i yes no two
// REPLACED: f8
// REPLACED: 70 i yes
