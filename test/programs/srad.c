//===- test/programs/srad.c - Speckle reducing anisotropic diffusion --------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Smooths the speckle of an ultrasound image of ROWS x COLS while it keeps the
// edges (Yu and Acton, 2002). An iteration measures the speckle, computes a
// diffusion coefficient from the four differences of each pixel, then moves the
// image by its divergence. In the style of the SRAD codes of GPU benchmark
// suites: flattened float arrays, two sweeps, scratch arrays on the heap.
//
//   srad [LAMBDA]      -DROWS=1024 -DCOLS=1024 -DITERATIONS=n
//
// Across the bus: the image in and the image out. Differences and coefficient
// are temporaries.
//
//===----------------------------------------------------------------------===//
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef ROWS
#define ROWS 1024
#endif
#ifndef COLS
#define COLS 1024
#endif
#ifndef ITERATIONS
#define ITERATIONS 1
#endif

static float *allocate(int count) {
  float *block = (float *)malloc(sizeof(float) * count);
  if (!block) {
    fprintf(stderr, "srad: out of memory\n");
    exit(1);
  }
  return block;
}

void srad(float *J, int rows, int cols, int iterations, float lambda) {
  float *dN = allocate(rows * cols);
  float *dS = allocate(rows * cols);
  float *dW = allocate(rows * cols);
  float *dE = allocate(rows * cols);
  float *c = allocate(rows * cols);

  for (int iteration = 0; iteration < iterations; iteration++) {
    /* How speckled the image is: variance over squared mean. */
    float sum = 0.0f, sum2 = 0.0f;
#pragma omp parallel for reduction(+ : sum, sum2)
    for (int i = 0; i < rows; i++) {
      for (int j = 0; j < cols; j++) {
        const float pixel = J[i * cols + j];
        sum += pixel;
        sum2 += pixel * pixel;
      }
    }
    const float mean = sum / (float)(rows * cols);
    const float variance = sum2 / (float)(rows * cols) - mean * mean;
    const float q0sqr = variance / (mean * mean);

#pragma omp parallel for
    for (int i = 0; i < rows; i++) {
      for (int j = 0; j < cols; j++) {
        const int at = i * cols + j;
        const int iN = i == 0 ? 0 : i - 1;
        const int iS = i == rows - 1 ? rows - 1 : i + 1;
        const int jW = j == 0 ? 0 : j - 1;
        const int jE = j == cols - 1 ? cols - 1 : j + 1;
        const float Jc = J[at];
        dN[at] = J[iN * cols + j] - Jc;
        dS[at] = J[iS * cols + j] - Jc;
        dW[at] = J[i * cols + jW] - Jc;
        dE[at] = J[i * cols + jE] - Jc;

        const float g2 =
            (dN[at] * dN[at] + dS[at] * dS[at] + dW[at] * dW[at] + dE[at] * dE[at]) / (Jc * Jc);
        const float l = (dN[at] + dS[at] + dW[at] + dE[at]) / Jc;
        const float num = 0.5f * g2 - (1.0f / 16.0f) * (l * l);
        float den = 1.0f + 0.25f * l;
        const float qsqr = num / (den * den);
        den = (qsqr - q0sqr) / (q0sqr * (1.0f + q0sqr));
        float coefficient = 1.0f / (1.0f + den);
        if (coefficient < 0.0f)
          coefficient = 0.0f;
        else if (coefficient > 1.0f)
          coefficient = 1.0f;
        c[at] = coefficient;
      }
    }

#pragma omp parallel for
    for (int i = 0; i < rows; i++) {
      for (int j = 0; j < cols; j++) {
        const int at = i * cols + j;
        const int iS = i == rows - 1 ? rows - 1 : i + 1;
        const int jE = j == cols - 1 ? cols - 1 : j + 1;
        const float cN = c[at];
        const float cS = c[iS * cols + j];
        const float cW = c[at];
        const float cE = c[i * cols + jE];
        const float divergence = cN * dN[at] + cS * dS[at] + cW * dW[at] + cE * dE[at];
        J[at] = J[at] + 0.25f * lambda * divergence;
      }
    }
  }

  free(dN);
  free(dS);
  free(dW);
  free(dE);
  free(c);
}

/* A grey wedge under multiplicative speckle. */
static void make_image(float *J, int rows, int cols) {
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < cols; j++)
      J[i * cols + j] = expf((float)j / (float)cols) * (0.8f + 0.4f * ((float)rand() / (float)RAND_MAX));
}

/* Depends on the order of the pixels, so it stays where it is. */
static double checksum(const float *J, int pixels) {
  double sum = 0.0, ofSums = 0.0;
  for (int k = 0; k < pixels; k++) {
    sum += J[k] * J[k];
    ofSums += sum;
  }
  return ofSums / pixels;
}

int main(int argc, char **argv) {
  const float lambda = argc > 1 ? strtof(argv[1], NULL) : 0.5f;
  float *J = allocate(ROWS * COLS);
  srand(3);
  make_image(J, ROWS, COLS);

  srad(J, ROWS, COLS, ITERATIONS, lambda);

  printf("srad %dx%d, %d iterations: checksum %.5e\n", ROWS, COLS, ITERATIONS, checksum(J, ROWS * COLS));
  free(J);
  return 0;
}
