// Who throws may be caught: the program goes on with what was thrown for.
// RUN: %busfare loops %s -- | %FileCheck %s
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
static double a[100000];
[[noreturn]] void fail(const char *);
int main(int argc, char **argv) {
  long length = atol(argv[1]), thrown = atol(argv[2]), unseen = atol(argv[3]), ended = atol(argv[4]);
  try {
    if (thrown < 0) throw std::runtime_error("thrown");
  } catch (const std::exception &e) {
    puts(e.what());
  }
  if (unseen < 0) fail("unseen");
  if (ended < 0) std::exit(1);
  // CHECK: [[#@LINE+1]] i no a[i]
  for (long i = 0; i < length; i++) a[i] += a[i + length + thrown];
  // CHECK: [[#@LINE+1]] i no a[i]
  for (long i = 0; i < length; i++) a[i] += a[i + length + unseen];
  // CHECK: [[#@LINE+1]] i yes
  for (long i = 0; i < length; i++) a[i] += a[i + length + ended];
  std::printf("%g\n", a[5]);
}
