// RUN: %busfare loops %s | %python %S/Inputs/unwrap.py | %FileCheck %s
#include <atomic>
std::atomic<int> count;
void f(int n, int *a) {
  for (int i = 0; i < n; i++)
    __atomic_fetch_add(&a[0], 1, __ATOMIC_RELAXED);
  // CHECK: BF029.cpp:[[#@LINE-1]]:5: remark: an atomic operation, whose order is kept
  for (int i = 0; i < n; i++)
    count.fetch_add(1);
  // CHECK: BF029.cpp:[[#@LINE-1]]:5: remark: fetch_add of std::{{.*}} is an atomic operation
}
