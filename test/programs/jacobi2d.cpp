//===- test/programs/jacobi2d.cpp - Jacobi relaxation as a C++ template -----===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The relaxation of jacobi2d.c as C++ codes have it: a template over the
// element type, new[] and delete[], std::swap between the sweeps.
//
//   jacobi2d      -DN=1024 -DSTEPS=100
//
//===----------------------------------------------------------------------===//
#include <cstdio>
#include <cstdlib>
#include <utility>

#ifndef N
#define N 1024
#endif
#ifndef STEPS
#define STEPS 100
#endif

namespace {

constexpr int side = N;

template <typename Real> void sweep(const Real *from, Real *to, int n) {
#pragma omp parallel for
  for (int i = 1; i < n - 1; ++i) {
    const Real *above = from + (i - 1) * n;
    const Real *here = from + i * n;
    const Real *below = from + (i + 1) * n;
    for (int j = 1; j < n - 1; ++j)
      to[i * n + j] = Real(0.25) * (above[j] + below[j] + here[j - 1] + here[j + 1]);
  }
}

template <typename Real> void setUp(Real *u, Real *v, int n) {
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      u[i * n + j] = i == 0 ? Real(100) : Real(0.01) * Real(std::rand() % 100);
      v[i * n + j] = u[i * n + j];
    }
  }
}

/// Depends on the order of the cells, so it stays where it is.
template <typename Real> double checksum(const Real *u, int cells) {
  double sum = 0, ofSums = 0;
  for (int k = 0; k < cells; ++k) {
    sum += u[k];
    ofSums += sum;
  }
  return ofSums / cells;
}

template <typename Real> double relax(int steps) {
  Real *current = new Real[side * side];
  Real *next = new Real[side * side];
  setUp(current, next, side);
  for (int t = 0; t < steps; ++t) {
    sweep(current, next, side);
    std::swap(current, next);
  }
  const double sum = checksum(current, side * side);
  delete[] current;
  delete[] next;
  return sum;
}

} // namespace

int main() {
  std::srand(19);
  std::printf("jacobi2d %dx%d, %d steps: checksum %.4e\n", side, side, STEPS, relax<float>(STEPS));
  return 0;
}
