// Who constructs an object knows where it is: it is no local that only its name denotes, and what unseen code gives later may lie in it.
// RUN: %busfare extract %s 2>/dev/null | %FileCheck %s
// RUN: %busfare loops %s 2>/dev/null | %FileCheck %s --check-prefix=LOOPS
double *give();
double *kept;
struct Unseen { double v[100]; Unseen(); };
struct Own { double v[100], *p; Own() : p(v) {} };
struct Copied { double v[100]; Copied() { kept = v; } Copied(const Copied &o) { kept = v; } };

// CHECK-LABEL: function unseen(
// CHECK-NOT: array s.v {{.*}}restrict
// LOOPS-LABEL: unseen (
// LOOPS: [[#@LINE+4]] i no
double unseen() {
  Unseen s;
  double *q = give(), sum = 0;
  for (int i = 1; i < 100; i++) q[i] = s.v[i - 1];
  for (int i = 1; i < 100; i++) sum += s.v[i];
  return sum;
}

// CHECK-LABEL: function own(
// CHECK-NOT: array q {{.*}}restrict
// LOOPS-LABEL: own (
// LOOPS: [[#@LINE+4]] i {{no|yes if noalias}}
double own() {
  Own q[2];
  double sum = 0;
  for (int i = 1; i < 100; i++) q[0].p[i] = q[0].v[i - 1];
  for (int i = 0; i < 100; i++) sum += q[0].v[i];
  return sum;
}

// CHECK-LABEL: function copied(
// CHECK-NOT: array s.v {{.*}}restrict
double copied(Copied s) {
  for (int i = 1; i < 100; i++) kept[i] = s.v[i - 1];
  return s.v[7];
}
