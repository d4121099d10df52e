//===- test/programs/state.c - The density of sea water on a grid ----------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What van Werkhoven et al. call state(): from temperature and salinity the density of
// sea water at every point of an ocean, level by level, and its derivatives by both.
// The equation of state is that of McDougall, Jackett, Wright and Feistel (2003), as
// ocean models use it; 35 psu and 25 degrees at 2000 dbar give 1031.654229 kg/m^3.
// Points are stored level by level, x fastest, in flat arrays.
//
//   state      -DX=1024 -DY=1024 -DLEVELS=42 for the grid of the paper
//
// Across the bus: temperature and salinity in; density and two derivatives out. Every
// element is touched once.
//
//===----------------------------------------------------------------------===//
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef X
#define X 96
#endif
#ifndef Y
#define Y 96
#endif
#ifndef LEVELS
#define LEVELS 42
#endif

/* density: kg/m^3; by_t, by_s: per degree and per psu. Pressure grows by about 1 dbar a metre. */
void state(const double *restrict temperature, const double *restrict salinity, double *restrict density,
           double *restrict by_t, double *restrict by_s, int levels, int ny, int nx) {
#pragma omp parallel for
  for (int k = 0; k < levels; k++) {
    for (int j = 0; j < ny; j++) {
      for (int i = 0; i < nx; i++) {
        const int at = (k * ny + j) * nx + i;
        const double t = temperature[at], s = salinity[at];
        const double p = 5500.0 * ((double)k + 0.5) / (double)levels;
        const double t2 = t * t, root = sqrt(s);
        const double above = 9.99843699e2 + t * (7.35212840 + t * (-5.45928211e-2 + t * 3.98476704e-4)) +
                             s * (2.96938239 - 7.23268813e-3 * t + 2.12382341e-3 * s) +
                             p * (1.04004591e-2 + 1.03970529e-7 * t2 + 5.18761880e-6 * s -
                                  p * (3.24041825e-8 + 1.23869360e-11 * t2));
        const double below = 1.0 + t * (7.28606739e-3 + t * (-4.60835542e-5 + t * (3.68390573e-7 + t * 1.80809186e-10))) +
                             s * (2.14691708e-3 - t * (9.27062484e-6 + 1.78343643e-10 * t2) +
                                  root * (4.76534122e-6 + 1.63410736e-9 * t2)) +
                             p * (5.30848875e-6 - p * t * (3.03175128e-16 * t2 + 1.27934137e-17 * p));
        const double above_t = 7.35212840 + t * (-1.091856422e-1 + 1.195430112e-3 * t) - 7.23268813e-3 * s +
                               2.0 * p * t * (1.03970529e-7 - 1.23869360e-11 * p);
        const double below_t = 7.28606739e-3 + t * (-9.21671084e-5 + t * (1.105171719e-6 + 7.23236744e-10 * t)) -
                               s * (9.27062484e-6 + 5.35030929e-10 * t2 - 3.26821472e-9 * root * t) -
                               p * p * (9.09525384e-16 * t2 + 1.27934137e-17 * p);
        const double above_s = 2.96938239 - 7.23268813e-3 * t + 4.24764682e-3 * s + 5.18761880e-6 * p;
        const double below_s = 2.14691708e-3 - t * (9.27062484e-6 + 1.78343643e-10 * t2) +
                               1.5 * root * (4.76534122e-6 + 1.63410736e-9 * t2);
        const double rho = above / below;
        density[at] = rho;
        by_t[at] = (above_t - rho * below_t) / below;
        by_s[at] = (above_s - rho * below_s) / below;
      }
    }
  }
}

static double *allocate(int count) {
  double *block = (double *)malloc(sizeof(double) * count);
  if (!block) {
    fprintf(stderr, "state: out of memory\n");
    exit(1);
  }
  return block;
}

/* Depends on the order of the points, so it stays where it is. */
static double checksum(const double *field, int points) {
  double sum = 0.0, of_sums = 0.0;
  for (int p = 0; p < points; p++) {
    sum += field[p];
    of_sums += sum;
  }
  return of_sums / points;
}

int main(void) {
  const int points = X * Y * LEVELS;
  double *temperature = allocate(points), *salinity = allocate(points);
  double *density = allocate(points), *by_t = allocate(points), *by_s = allocate(points);
  srand(11);
  for (int p = 0; p < points; p++) {
    temperature[p] = 2.0 + 0.001 * (rand() % 25000);
    salinity[p] = 32.0 + 0.001 * (rand() % 5000);
  }

  state(temperature, salinity, density, by_t, by_s, LEVELS, Y, X);

  printf("state %dx%dx%d: checksums %.9e %.9e %.9e\n", X, Y, LEVELS, checksum(density, points), checksum(by_t, points),
         checksum(by_s, points));
  free(temperature);
  free(salinity);
  free(density);
  free(by_t);
  free(by_s);
  return 0;
}
