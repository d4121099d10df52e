// A try block is read as if it stood alone. Handlers that end the program, or throw on, are left out; where the program goes on behind
// one, nothing is assumed to be thrown there, and whoever relies on that says so.
// RUN: %busfare extract %s 2>/dev/null | %FileCheck %s
// RUN: %busfare loops --format json %s 2>/dev/null > %t.json
// RUN: %python -c "import json, sys; [print(l['location']['line'], l['parallel'], [a.split(':')[-2] for a in l['assuming']]) for l in json.load(open(sys.argv[1]))['loops']]" %t.json | %FileCheck %s --check-prefix=LOOPS
#include <cstdlib>
#include <iostream>
#include <stdexcept>
#include <string>

double a[1000], b[1000];
int failed;
void unseen();

// CHECK-LABEL: function ends(
// CHECK: for i = 0 .. 9 at
// CHECK-NEXT: write a[i]
// CHECK-NOT: host handler
// CHECK: {{^}}}
void ends() {
  int n = 5;
  try {
    n = 10;
  } catch (const std::exception &failure) {
    std::cerr << "failed: " << failure.what() << std::endl;
    throw std::runtime_error(std::string("again: ") + failure.what());
  } catch (int code) {
    exit(code);
  }
  for (int i = 0; i < n; i++) a[i] = 1;
}

// What the handler does is assumed not to happen; LOOPS-LABELs are lines.
// CHECK-LABEL: function goesOn(
// CHECK: for i = 0 .. 999 at
// CHECK: host opaque "unseen" at
// CHECK: host handler "catch (...)" at
// CHECK-NEXT: for i.2 = 0 .. 9 at
// LOOPS: [[#@LINE+4]] True []
// LOOPS: [[#@LINE+10]] True ['[[#@LINE+7]]']
void goesOn() {
  int n = 5;
  for (int i = 0; i < 1000; i++) b[i] = i;
  try {
    n = 10;
    unseen();
  } catch (...) {
    n = 1000;
  }
  for (int i = 0; i < n; i++) a[i] = b[i];
}

// A name of the program's own, be it only read, may be newer on the device.
// CHECK-LABEL: function says(
// CHECK: host handler "catch (int)" at
void says() {
  try {
    unseen();
  } catch (int) {
    std::cerr << a[0];
    throw;
  }
}

// In each round, from the one before.
// LOOPS: [[#@LINE+3]] True ['[[#@LINE+6]]']
void rounds(int n) {
  for (int t = 0; t < n; t++) {
    for (int i = 0; i < 1000; i++) b[i] *= 2;
    try {
      unseen();
    } catch (...) {
      failed++;
    }
  }
}

// What a throw guards against holds behind it, and nobody else is touched by it.
// CHECK-LABEL: function guarded(
// CHECK: if {{.*}} {
// CHECK-NOT: a[
// CHECK: host noreturn "throw" at
// CHECK-NEXT: }
// CHECK-NEXT: for i = 0 .. m - 1 at
// CHECK-NEXT: write a[i]
void guarded(int n, int m) {
  if (m != n) throw std::runtime_error("sizes differ");
  for (int i = 0; i < m; i++) a[i] = 1;
}

// In an expression it is no end of what follows, whatever the other operand is.
// CHECK-LABEL: function chosen(
// CHECK: if n - 1 >= 0
// CHECK: else {
// CHECK-NEXT: host noreturn "throw"
// CHECK-NEXT: }
// CHECK: for i = 0 .. {{.*}} at
void chosen(int n) {
  int m = n > 0 ? n : throw n;
  for (int i = 0; i < m; i++) a[i] = 1;
}

// Handlers that only seem to end the program.
struct Soft : std::exception {
  int code = 0;
  void exit() const;
};
namespace app {
void abort() { failed = 1; }
} // namespace app
// CHECK-LABEL: function leavesEarly(
// CHECK: host handler "catch (const Soft &)" at
void leavesEarly() {
  try {
    unseen();
  } catch (const Soft &soft) {
    if (std::string(soft.what()).empty()) return;
    throw;
  }
}
// CHECK-LABEL: function nextRound(
// CHECK: host handler "catch (int)" at
void nextRound() {
  for (int t = 0; t < 10; t++) {
    try {
      unseen();
    } catch (int) {
      continue;
      throw;
    }
  }
}
// CHECK-LABEL: function ownNames(
// CHECK: host handler "catch (const Soft &)" at
// CHECK-NEXT: host handler "catch (...)" at
void ownNames() {
  try {
    unseen();
  } catch (const Soft &soft) {
    soft.exit();
  } catch (...) {
    app::abort();
  }
}
// CHECK-LABEL: function looksThrough(
// CHECK: host handler "catch (int)" at
// CHECK-NEXT: host handler "catch (const double *)" at
void looksThrough() {
  double *const p = a;
  try {
    unseen();
  } catch (int) {
    std::cerr << p[3];
    throw;
  } catch (const double *q) {
    std::cerr << q[3];
    throw;
  }
}

// A block that no execution leaves but by throwing is not read: what is behind it is not dead.
// CHECK-LABEL: function always(
// CHECK-NOT: host handler
// CHECK: may write a[?]
// CHECK: for i = 0 .. 999 at
void always(int n) {
  try {
    a[0] = 1;
    if (n > 3) throw n;
    else throw 2;
  } catch (int) {
  }
  for (int i = 0; i < 1000; i++) b[i] = a[i];
}

// CHECK-LABEL: function main(
// CHECK-NOT: host handler
// CHECK: {{^}}}
int main(int argc, char **argv) {
  try {
    ends();
    guarded(argc, 1);
  } catch (const std::exception &failure) {
    std::cerr << failure.what() << '\n';
    return EXIT_FAILURE;
  }
}
