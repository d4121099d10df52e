//===- test/programs/stencil3d.cpp - Seven-point stencil on a flattened block ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Diffuses a field on a block of NX x NY x NZ points with a varying
// coefficient. In the style of proxy applications for structured grids: one
// flat array a field, x fastest, a scalar idx that the subscripts are built on.
//
//   stencil3d      -DNX=128 -DNY=128 -DNZ=128 -DSTEPS=10
//
//===----------------------------------------------------------------------===//
#include <cstdio>
#include <cstdlib>

#ifndef NX
#define NX 128
#endif
#ifndef NY
#define NY 128
#endif
#ifndef NZ
#define NZ 128
#endif
#ifndef STEPS
#define STEPS 10
#endif

static void step(double *__restrict out, const double *__restrict in, const double *__restrict kappa, int nx, int ny,
                 int nz) {
#pragma omp parallel for collapse(2)
  for (int k = 1; k < nz - 1; ++k) {
    for (int j = 1; j < ny - 1; ++j) {
      for (int i = 1; i < nx - 1; ++i) {
        const int idx = i + nx * (j + ny * k);
        const double laplacian = in[idx - 1] + in[idx + 1] + in[idx - nx] + in[idx + nx] + in[idx - nx * ny] +
                                 in[idx + nx * ny] - 6.0 * in[idx];
        out[idx] = in[idx] + kappa[idx] * laplacian;
      }
    }
  }
}

static void setUp(double *field, double *kappa, int points) {
  for (int p = 0; p < points; ++p) {
    field[p] = std::rand() % 256;
    kappa[p] = 0.05 + 0.0001 * (std::rand() % 1000);
  }
}

/// Depends on the order of the points, so it stays where it is.
static double checksum(const double *field, int points) {
  double sum = 0, ofSums = 0;
  for (int p = 0; p < points; ++p) {
    sum += field[p];
    ofSums += sum;
  }
  return ofSums / points;
}

int main() {
  const int nx = NX, ny = NY, nz = NZ;
  const int points = nx * ny * nz;
  double *field = new double[points];
  double *next = new double[points];
  double *kappa = new double[points];
  std::srand(23);
  setUp(field, kappa, points);
  for (int p = 0; p < points; ++p)
    next[p] = field[p];

  for (int t = 0; t < STEPS; ++t) {
    step(next, field, kappa, nx, ny, nz);
    double *swap = field;
    field = next;
    next = swap;
  }

  std::printf("stencil3d %dx%dx%d, %d steps: checksum %.9e\n", nx, ny, nz, STEPS, checksum(field, points));
  delete[] field;
  delete[] next;
  delete[] kappa;
  return 0;
}
