// An asm label is the name a linker sees: two variables of one label are one.
// RUN: %busfare loops %s | %FileCheck %s
// RUN: %busfare sections %s | %FileCheck %s --check-prefix=SECTIONS
// CHECK: 12 i no
// SECTIONS: nest in main at {{.*}}:15:3
// SECTIONS: real {{.*}} [0:49:1]
double real[100];
extern double other[100] __asm__("real");
int n = 10;
extern int m __asm__("n");
int main(void) {
  for (int i = 1; i < 100; i++) real[i] = other[i - 1] + 1;
  m = 50;
  double s = 0;
  for (int i = 0; i < n; i++) s += real[i];
  return (int)s;
}
