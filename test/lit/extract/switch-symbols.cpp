// What one case of a switch, a block that is left by break, or a way to a label makes unknown has a name behind it.
// RUN: %busfare extract %s | %FileCheck %s
// CHECK: function solve(
// CHECK: call finished(
// CHECK: function once(
// CHECK: call finished(
// CHECK: function label(
// CHECK: call finished(
struct Settings {
  int solver, chunks;
};
void ppcg(Settings &s);
void finished(Settings &s) {
  for (int k = 0; k < s.chunks; ++k) {
  }
}
void step(Settings &s, int n) {
  for (int k = 0; k < n; ++k) {
  }
}
void solve(Settings &s) {
  step(s, s.chunks);
  switch (s.solver) {
  case 1:
    ppcg(s);
    break;
  }
  finished(s);
}
void once(Settings &s) {
  step(s, s.chunks);
  do {
    if (s.solver == 1) {
      ppcg(s);
      break;
    }
    s.solver = 2;
  } while (0);
  finished(s);
}
void label(Settings &s) {
  step(s, s.chunks);
  if (s.solver == 1) {
    ppcg(s);
    goto end;
  }
  s.solver = 2;
end:
  finished(s);
}
