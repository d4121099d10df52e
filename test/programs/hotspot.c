//===- test/programs/hotspot.c - Transient temperature of a chip ------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Steps the heat equation on a grid of GRID x GRID cells of a chip, with the
// power each cell draws as the source: one explicit Euler step an iteration,
// two buffers that change places. In the style of the HotSpot codes of GPU
// benchmark suites (Huang et al.'s thermal model): flattened arrays, a driver
// with the time loop, a kernel function for one step.
//
//   hotspot [AMBIENT]      -DGRID=64|512|1024 -DITERATIONS=n
//
// Across the bus, seen from main: temp and power in, temp out, once, whatever
// the number of iterations; the second buffer is scratch.
//
//===----------------------------------------------------------------------===//
#include <stdio.h>
#include <stdlib.h>

#ifndef GRID
#define GRID 512
#endif
#ifndef ITERATIONS
#define ITERATIONS 1
#endif

/* Chip: 16 mm by 16 mm, half a millimetre thick, silicon. */
#define CHIP_HEIGHT 0.016f
#define CHIP_WIDTH 0.016f
#define CHIP_THICKNESS 0.0005f
#define CONDUCTIVITY 100.0f
#define SPECIFIC_HEAT 1.75e6f
#define CAPACITY_FACTOR 0.5f
#define MAX_POWER_DENSITY 3.0e6f
#define PRECISION 0.001f

static void single_iteration(float *result, const float *temp, const float *power, int row, int col, float perCap,
                             float perRx, float perRy, float perRz, float ambient) {
#pragma omp parallel for
  for (int r = 0; r < row; r++) {
    for (int c = 0; c < col; c++) {
      const int at = r * col + c;
      const float centre = temp[at];
      /* No heat leaves through the rim: a missing neighbour is as warm as the cell. */
      const float north = r == 0 ? centre : temp[at - col];
      const float south = r == row - 1 ? centre : temp[at + col];
      const float west = c == 0 ? centre : temp[at - 1];
      const float east = c == col - 1 ? centre : temp[at + 1];
      result[at] = centre + perCap * (power[at] + (south + north - 2.0f * centre) * perRy +
                                      (east + west - 2.0f * centre) * perRx + (ambient - centre) * perRz);
    }
  }
}

/* Depends on the order of the cells, so it stays where it is. */
static double checksum(const float *grid, int cells) {
  double sum = 0.0, ofSums = 0.0;
  for (int k = 0; k < cells; k++) {
    sum += grid[k];
    ofSums += sum;
  }
  return ofSums / cells;
}

/* Advances temp by num_iterations steps; result is the other buffer. Returns the checksum of the last grid. */
double compute_tran_temp(float *result, int num_iterations, float *temp, const float *power, int row, int col,
                         float ambient) {
  const float cellHeight = CHIP_HEIGHT / (float)row;
  const float cellWidth = CHIP_WIDTH / (float)col;
  const float capacity = CAPACITY_FACTOR * SPECIFIC_HEAT * CHIP_THICKNESS * cellWidth * cellHeight;
  const float rx = cellWidth / (2.0f * CONDUCTIVITY * CHIP_THICKNESS * cellHeight);
  const float ry = cellHeight / (2.0f * CONDUCTIVITY * CHIP_THICKNESS * cellWidth);
  const float rz = CHIP_THICKNESS / (CONDUCTIVITY * cellHeight * cellWidth);
  const float maxSlope = MAX_POWER_DENSITY / (CAPACITY_FACTOR * CHIP_THICKNESS * SPECIFIC_HEAT);
  const float step = PRECISION / maxSlope;

  for (int i = 0; i < num_iterations; i++) {
    single_iteration(result, temp, power, row, col, step / capacity, 1.0f / rx, 1.0f / ry, 1.0f / rz, ambient);
    float *swap = temp;
    temp = result;
    result = swap;
  }
  return checksum(temp, row * col);
}

static void make_input(float *grid, int cells, float low, float range) {
  for (int k = 0; k < cells; k++)
    grid[k] = low + range * ((float)rand() / (float)RAND_MAX);
}

int main(int argc, char **argv) {
  const float ambient = argc > 1 ? strtof(argv[1], NULL) : 300.0f;
  float *temp = (float *)malloc(GRID * GRID * sizeof(float));
  float *power = (float *)malloc(GRID * GRID * sizeof(float));
  float *result = (float *)malloc(GRID * GRID * sizeof(float));
  if (!temp || !power || !result) {
    fprintf(stderr, "hotspot: out of memory\n");
    return 1;
  }
  srand(11);
  make_input(temp, GRID * GRID, 323.0f, 20.0f);
  make_input(power, GRID * GRID, 0.0f, 0.00001f);

  const double sum = compute_tran_temp(result, ITERATIONS, temp, power, GRID, GRID, ambient);

  printf("hotspot %dx%d, %d iterations: checksum %.9e\n", GRID, GRID, ITERATIONS, sum);
  free(temp);
  free(power);
  free(result);
  return 0;
}
