//===- test/programs/buoydiff.c - Differences of buoyancy between levels ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What van Werkhoven et al. call buoydiff(): how much lighter the water of the surface,
// and that of the level above, would be than the water of a level if it were brought down
// to it. Vertical mixing in ocean models rests on both. Level k reads temperature and
// salinity of the first level, of level k - 1 and of its own; the difference to the
// surface belongs to level k, the one to the level above to level k - 1.
//
//   buoydiff      -DX=1024 -DY=1024 -DLEVELS=42 for the grid of the paper
//
// Across the bus: temperature and salinity in, both differences out; a thread reads three
// elements of each input.
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

/* kg/m^3 at p dbar, the equation of state of McDougall, Jackett, Wright and Feistel (2003). */
static inline double density(double t, double s, double p) {
  const double t2 = t * t;
  const double above = 9.99843699e2 + t * (7.35212840 + t * (-5.45928211e-2 + t * 3.98476704e-4)) +
                       s * (2.96938239 - 7.23268813e-3 * t + 2.12382341e-3 * s) +
                       p * (1.04004591e-2 + 1.03970529e-7 * t2 + 5.18761880e-6 * s -
                            p * (3.24041825e-8 + 1.23869360e-11 * t2));
  const double below = 1.0 + t * (7.28606739e-3 + t * (-4.60835542e-5 + t * (3.68390573e-7 + t * 1.80809186e-10))) +
                       s * (2.14691708e-3 - t * (9.27062484e-6 + 1.78343643e-10 * t2) +
                            sqrt(s) * (4.76534122e-6 + 1.63410736e-9 * t2)) +
                       p * (5.30848875e-6 - p * t * (3.03175128e-16 * t2 + 1.27934137e-17 * p));
  return above / below;
}

/* to_surface, to_above: m/s^2. */
void buoydiff(const double *restrict temperature, const double *restrict salinity, double *restrict to_surface,
              double *restrict to_above, int levels, int ny, int nx) {
  const double gravity = 9.806;
#pragma omp parallel for
  for (int k = 0; k < levels; k++) {
    for (int j = 0; j < ny; j++) {
      for (int i = 0; i < nx; i++) {
        const int higher = k > 0 ? k - 1 : 0;
        const int column = j * nx + i, at = k * ny * nx + column, next = higher * ny * nx + column;
        const double p = 5500.0 * ((double)k + 0.5) / (double)levels;
        const double own = density(temperature[at], salinity[at], p);
        const double sunk = density(temperature[column], salinity[column], p);
        const double lowered = density(temperature[next], salinity[next], p);
        to_surface[at] = gravity * (1.0 - sunk / own);
        if (k > 0)
          to_above[(k - 1) * ny * nx + column] = gravity * (1.0 - lowered / own);
        if (k == levels - 1)
          to_above[at] = 0.0;
      }
    }
  }
}

static double *allocate(int count) {
  double *block = (double *)malloc(sizeof(double) * count);
  if (!block) {
    fprintf(stderr, "buoydiff: out of memory\n");
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
  double *to_surface = allocate(points), *to_above = allocate(points);
  srand(12);
  for (int p = 0; p < points; p++) {
    temperature[p] = 2.0 + 0.001 * (rand() % 25000);
    salinity[p] = 32.0 + 0.001 * (rand() % 5000);
  }

  buoydiff(temperature, salinity, to_surface, to_above, LEVELS, Y, X);

  printf("buoydiff %dx%dx%d: checksums %.9e %.9e\n", X, Y, LEVELS, checksum(to_surface, points),
         checksum(to_above, points));
  free(temperature);
  free(salinity);
  free(to_surface);
  free(to_above);
  return 0;
}
