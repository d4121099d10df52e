// What no size tells is measured in one run and taken by analyze; what the source says by itself is not.
// RUN: %busfare measure %s --no-progress --args 4000 --format json -o %t.json -- -O2
// RUN: %busfare schema profile > %t.schema && %python %S/../report/Inputs/check_json.py %t.schema %t.json
// RUN: %python %S/Inputs/show_profile.py %t.json | %FileCheck %s --check-prefix=PROFILE
// PROFILE: exit 0
// PROFILE-DAG: loop of main executed 1, iterations 10
// PROFILE-DAG: branch of clip executed 4000, taken 200
// PROFILE-DAG: nest of clip executed 1
// PROFILE-DAG: nest of relax executed 10
// PROFILE-DAG: size main::n = 4000
// PROFILE-NOT: loop of relax

// As tables.
// RUN: %busfare measure %s --no-progress --args 4000 | %FileCheck %s --check-prefix=TEXT
// TEXT: One run of {{.*}}run.c with 4000
// TEXT-NEXT: ====
// TEXT-NEXT: It took {{.*}} with timers and counters {{.*}}: an overhead of
// TEXT: Trips that no size tells
// TEXT: Branches that nothing decides
// TEXT: 4,000 200 5 %
// TEXT: busfare analyze {{.*}} --profile profile.json

// Sizes come from it, with their source; a given one goes before it.
// RUN: %busfare analyze %s --no-progress --profile %t.json --format json > %t.report
// RUN: %python %S/Inputs/show_parameters.py %t.report | %FileCheck %s --check-prefix=USED
// USED: main::n = 4000 (profile)
// USED-NEXT: main::trips = 10 (profile)
// USED: measured host time: True
// RUN: %busfare analyze %s --no-progress --profile %t.json --iterations 7 --format json > %t.given
// RUN: %python %S/Inputs/show_parameters.py %t.given | %FileCheck %s --check-prefix=GIVEN
// GIVEN: iterations: 7

// It proves nothing: sections and verdicts are the same without it.
// RUN: %busfare analyze %s --no-progress --format json > %t.without
// RUN: %python %S/Inputs/same_sections.py %t.report %t.without

// Lines may move; a function that is another one now loses its rows, which is said.
// RUN: sed '1i // one line more' %s > %t.moved.c && %busfare analyze %t.moved.c --no-progress --profile %t.json --format json 2>&1 >%t.moved | %FileCheck %s --check-prefix=MOVED --allow-empty
// MOVED-NOT: clip
// MOVED-NOT: main has changed
// RUN: sed 's/w\[i\] > 0.9/i > 2/' %s > %t.changed.c && %busfare analyze %t.changed.c --no-progress --profile %t.json --format json 2>&1 >%t.changed | %FileCheck %s --check-prefix=CHANGED
// CHANGED: busfare: --profile {{.*}}: function clip has changed since it was measured; its rows are skipped

// What is no profile, or does not build or run.
// RUN: %not %busfare analyze %s --profile %t.report 2>&1 | %FileCheck %s --check-prefix=NOPROFILE
// NOPROFILE: busfare: --profile {{.*}}.report: expected "profile": this is no profile that measure wrote
// RUN: %not %busfare analyze %s --profile %t.nowhere 2>&1 | %FileCheck %s --check-prefix=NOWHERE
// NOWHERE: busfare: --profile {{.*}}.nowhere: cannot be read:
// RUN: %not %busfare measure %s --no-progress 2>&1 | %FileCheck %s --check-prefix=CRASH
// CRASH: busfare: the program: {{.*}}signal
#include <stdio.h>
#include <stdlib.h>
static double relax(const double *u, double *v, int n) {
  double most = 0;
  for (int i = 1; i < n - 1; i++) {
    v[i] = 0.5 * (u[i - 1] + u[i + 1]);
    double d = v[i] > u[i] ? v[i] - u[i] : u[i] - v[i];
    most = d > most ? d : most;
  }
  return most;
}
static void clip(double *restrict v, const double *restrict w, int n) {
  for (int i = 0; i < n; i++)
    if (w[i] > 0.9)
      v[i] = w[i] * w[i] + v[i];
}
int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  double *u = malloc(n * sizeof *u), *v = malloc(n * sizeof *v), *w = malloc(n * sizeof *w);
  for (int i = 0; i < n; i++) {
    u[i] = i % 10;
    v[i] = 0;
    w[i] = (i % 20) / 20.0;
  }
  v[0] = u[0];
  v[n - 1] = u[n - 1];
  double eps = 1;
  int steps = 0;
  while (eps > 1e-3) {
    eps = relax(u, v, n) < 1e-9 ? 0 : eps * 0.5;
    double *t = u;
    u = v;
    v = t;
    steps++;
  }
  clip(v, w, n);
  printf("%d %g\n", steps, v[n / 2]);
  return 0;
}
