// RUN: %busfare loops %s | %python %S/Inputs/unwrap.py | %FileCheck %s
volatile int flag;
void f(int n) {
  for (int i = 0; i < n; i++)
    flag = i;
  // CHECK: BF028.c:[[#@LINE-1]]:5: remark: volatile access of flag, whose order is kept
}
