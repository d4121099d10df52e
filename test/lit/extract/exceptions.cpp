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

// What a throw guards against holds behind it.
// CHECK-LABEL: function guarded(
// CHECK: for i = 0 .. m - 1 at
// CHECK-NEXT: write a[i]
void guarded(int n, int m) {
  if (m != n) throw std::runtime_error("sizes differ");
  for (int i = 0; i < m; i++) a[i] = 1;
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
