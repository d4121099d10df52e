// A long function that only prints what it is given is one statement of the host that may read all of that (InlineOutput.cpp).
// REQUIRES: watch, gcc, offload
// RUN: %busfare verify %s --mutants --no-progress --args "20 3" | FileCheck %s
// CHECK: verify: passed
// CHECK: 0 survived
// RUN: %busfare analyze %s --format json --quiet | FileCheck %s --check-prefix=FOLDED
// FOLDED: "host_statements": [
// FOLDED: dump
#include <cstdio>
#include <cstdlib>
#include <vector>
struct Fields {
  double *density, *energy, *pressure, *viscosity, *soundspeed, *xvel, *yvel, *xflux, *yflux, *volume, *xarea, *yarea;
};

static void show(const char *name, int n, const double *field) {
  std::vector<double> copy(n);
  double most = 0;
  for (int i = 0; i < n; i++) {
    copy[i] = field[i] * 1.0;
    most = field[i] > most ? field[i] : most;
  }
  std::printf("%s: at most %g\n", name, most);
  for (int i = 0; i < n; i++) {
    std::printf("%g ", copy[i]);
    if (i % 10 == 9)
      std::printf("\n");
  }
  if (n % 10)
    std::printf("\n");
}

static void dump(int step, int n, const Fields &f) {
  std::printf("step %d\n", step);
  show("density", n, f.density);
  show("energy", n, f.energy);
  show("pressure", n, f.pressure);
  show("viscosity", n, f.viscosity);
  show("soundspeed", n, f.soundspeed);
  show("xvel", n, f.xvel);
  show("yvel", n, f.yvel);
  show("xflux", n, f.xflux);
  show("yflux", n, f.yflux);
  show("volume", n, f.volume);
  show("xarea", n, f.xarea);
  show("yarea", n, f.yarea);
}

int main(int argc, char **argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 10, steps = argc > 2 ? std::atoi(argv[2]) : 2;
  Fields f;
  f.density = new double[n];
  f.energy = new double[n];
  f.pressure = new double[n];
  f.viscosity = new double[n];
  f.soundspeed = new double[n];
  f.xvel = new double[n];
  f.yvel = new double[n];
  f.xflux = new double[n];
  f.yflux = new double[n];
  f.volume = new double[n];
  f.xarea = new double[n];
  f.yarea = new double[n];
  for (int i = 0; i < n; i++) {
    f.density[i] = i * 0.25 + 0;
    f.energy[i] = i * 0.25 + 1;
    f.pressure[i] = i * 0.25 + 2;
    f.viscosity[i] = i * 0.25 + 3;
    f.soundspeed[i] = i * 0.25 + 4;
    f.xvel[i] = i * 0.25 + 5;
    f.yvel[i] = i * 0.25 + 6;
    f.xflux[i] = i * 0.25 + 7;
    f.yflux[i] = i * 0.25 + 8;
    f.volume[i] = i * 0.25 + 9;
    f.xarea[i] = i * 0.25 + 10;
    f.yarea[i] = i * 0.25 + 11;
  }
  dump(-1, n, f);
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      f.density[i] = f.energy[i - 1] + f.energy[i + 1] + f.xflux[i];
    for (int i = 1; i < n - 1; i++)
      f.energy[i] = f.density[i] * 0.5 + f.pressure[i];
    if (t % 2)
      dump(t, n, f);
    for (int i = 0; i < n; i++)
      f.pressure[i] = f.volume[i] * f.energy[i];
  }
  dump(steps, n, f);
  delete[] f.density;
  delete[] f.energy;
  delete[] f.pressure;
  delete[] f.viscosity;
  delete[] f.soundspeed;
  delete[] f.xvel;
  delete[] f.yvel;
  delete[] f.xflux;
  delete[] f.yflux;
  delete[] f.volume;
  delete[] f.xarea;
  delete[] f.yarea;
  return 0;
}
