//===- test/programs/cfd.c - Euler equations on an unstructured mesh --------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A finite-volume solver for the compressible Euler equations: each element has
// four faces, the flux through a face depends on the element behind it, and a
// Runge-Kutta step advances density, momentum and energy. In the style of the
// unstructured euler3d codes of GPU benchmark suites (Corrigan et al., 2011):
// structure of arrays, variables[j * nelr + i], neighbours by index, elements
// padded to a multiple of the block size.
//
//   cfd [MACH]      -DELEMENTS=97046|193474|232536 -DITERATIONS=n
//
// Across the bus, per padded element: 12 normals, 4 neighbours and 1 area in
// (68 B), 5 variables out (20 B). The variables are set on the device; their
// old values, the fluxes and the step factors are temporaries.
//
//===----------------------------------------------------------------------===//
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef ELEMENTS
#define ELEMENTS 97046
#endif
#ifndef ITERATIONS
#define ITERATIONS 1
#endif

#define BLOCK 192
#define PADDED (((ELEMENTS) + BLOCK - 1) / BLOCK * BLOCK)

#define GAMMA 1.4f
#define RK 3 /* Runge-Kutta stages */
#define NNB 4
#define NDIM 3
#define NVAR 5

#define VAR_DENSITY 0
#define VAR_MOMENTUM_X 1
#define VAR_MOMENTUM_Y 2
#define VAR_MOMENTUM_Z 3
#define VAR_ENERGY 4

#define WALL (-1)
#define FAR_FIELD (-2)

static float *allocate(int count) {
  float *block = (float *)malloc(sizeof(float) * count);
  if (!block) {
    fprintf(stderr, "cfd: out of memory\n");
    exit(1);
  }
  return block;
}

static void initialize_variables(int nelr, float *variables, float density, float momentum, float energy) {
#pragma omp parallel for
  for (int i = 0; i < nelr; i++) {
    variables[i + VAR_DENSITY * nelr] = density;
    variables[i + VAR_MOMENTUM_X * nelr] = momentum;
    variables[i + VAR_MOMENTUM_Y * nelr] = 0.0f;
    variables[i + VAR_MOMENTUM_Z * nelr] = 0.0f;
    variables[i + VAR_ENERGY * nelr] = energy;
  }
}

static void copy(float *to, const float *from, int count) {
#pragma omp parallel for
  for (int i = 0; i < count; i++)
    to[i] = from[i];
}

static float compute_pressure(float density, float energy, float speed_sqd) {
  return (GAMMA - 1.0f) * (energy - 0.5f * density * speed_sqd);
}

static void compute_step_factor(int nelr, const float *variables, const float *areas, float *step_factors) {
#pragma omp parallel for
  for (int i = 0; i < nelr; i++) {
    const float density = variables[i + VAR_DENSITY * nelr];
    const float vx = variables[i + VAR_MOMENTUM_X * nelr] / density;
    const float vy = variables[i + VAR_MOMENTUM_Y * nelr] / density;
    const float vz = variables[i + VAR_MOMENTUM_Z * nelr] / density;
    const float energy = variables[i + VAR_ENERGY * nelr];
    const float speed_sqd = vx * vx + vy * vy + vz * vz;
    const float pressure = compute_pressure(density, energy, speed_sqd);
    const float speed_of_sound = sqrtf(GAMMA * pressure / density);
    step_factors[i] = 0.5f / (sqrtf(areas[i]) * (sqrtf(speed_sqd) + speed_of_sound));
  }
}

static void compute_flux(int nelr, const int *neighbours, const float *normals, const float *variables, float *fluxes,
                         float ff_density, float ff_momentum, float ff_energy) {
#pragma omp parallel for
  for (int i = 0; i < nelr; i++) {
    const float density_i = variables[i + VAR_DENSITY * nelr];
    const float mx_i = variables[i + VAR_MOMENTUM_X * nelr];
    const float my_i = variables[i + VAR_MOMENTUM_Y * nelr];
    const float mz_i = variables[i + VAR_MOMENTUM_Z * nelr];
    const float energy_i = variables[i + VAR_ENERGY * nelr];
    const float vx_i = mx_i / density_i;
    const float vy_i = my_i / density_i;
    const float vz_i = mz_i / density_i;
    const float speed_sqd_i = vx_i * vx_i + vy_i * vy_i + vz_i * vz_i;
    const float pressure_i = compute_pressure(density_i, energy_i, speed_sqd_i);
    const float sound_i = sqrtf(GAMMA * pressure_i / density_i);

    float flux_density = 0.0f;
    float flux_mx = 0.0f;
    float flux_my = 0.0f;
    float flux_mz = 0.0f;
    float flux_energy = 0.0f;

    for (int j = 0; j < NNB; j++) {
      const int nb = neighbours[i + j * nelr];
      const float nx = normals[i + (j + 0 * NNB) * nelr];
      const float ny = normals[i + (j + 1 * NNB) * nelr];
      const float nz = normals[i + (j + 2 * NNB) * nelr];

      if (nb == WALL) {
        /* Only the pressure pushes on a wall. */
        flux_mx += nx * pressure_i;
        flux_my += ny * pressure_i;
        flux_mz += nz * pressure_i;
      } else {
        float density_nb = ff_density;
        float mx_nb = ff_momentum;
        float my_nb = 0.0f;
        float mz_nb = 0.0f;
        float energy_nb = ff_energy;
        if (nb >= 0) {
          density_nb = variables[nb + VAR_DENSITY * nelr];
          mx_nb = variables[nb + VAR_MOMENTUM_X * nelr];
          my_nb = variables[nb + VAR_MOMENTUM_Y * nelr];
          mz_nb = variables[nb + VAR_MOMENTUM_Z * nelr];
          energy_nb = variables[nb + VAR_ENERGY * nelr];
        }
        const float vx_nb = mx_nb / density_nb;
        const float vy_nb = my_nb / density_nb;
        const float vz_nb = mz_nb / density_nb;
        const float speed_sqd_nb = vx_nb * vx_nb + vy_nb * vy_nb + vz_nb * vz_nb;
        const float pressure_nb = compute_pressure(density_nb, energy_nb, speed_sqd_nb);
        const float sound_nb = sqrtf(GAMMA * pressure_nb / density_nb);

        /* The mean of both sides' fluxes, and a dissipation by the fastest wave. */
        const float through_i = nx * vx_i + ny * vy_i + nz * vz_i;
        const float through_nb = nx * vx_nb + ny * vy_nb + nz * vz_nb;
        const float area = sqrtf(nx * nx + ny * ny + nz * nz);
        const float factor =
            0.25f * area * (sqrtf(speed_sqd_i) + sqrtf(speed_sqd_nb) + sound_i + sound_nb);
        flux_density += 0.5f * (density_i * through_i + density_nb * through_nb) + factor * (density_i - density_nb);
        flux_mx += 0.5f * (mx_i * through_i + mx_nb * through_nb + nx * (pressure_i + pressure_nb)) +
                   factor * (mx_i - mx_nb);
        flux_my += 0.5f * (my_i * through_i + my_nb * through_nb + ny * (pressure_i + pressure_nb)) +
                   factor * (my_i - my_nb);
        flux_mz += 0.5f * (mz_i * through_i + mz_nb * through_nb + nz * (pressure_i + pressure_nb)) +
                   factor * (mz_i - mz_nb);
        flux_energy += 0.5f * ((energy_i + pressure_i) * through_i + (energy_nb + pressure_nb) * through_nb) +
                       factor * (energy_i - energy_nb);
      }
    }

    fluxes[i + VAR_DENSITY * nelr] = flux_density;
    fluxes[i + VAR_MOMENTUM_X * nelr] = flux_mx;
    fluxes[i + VAR_MOMENTUM_Y * nelr] = flux_my;
    fluxes[i + VAR_MOMENTUM_Z * nelr] = flux_mz;
    fluxes[i + VAR_ENERGY * nelr] = flux_energy;
  }
}

static void time_step(int stage, int nelr, const float *old_variables, float *variables, const float *step_factors,
                      const float *fluxes) {
#pragma omp parallel for
  for (int i = 0; i < nelr; i++) {
    const float factor = step_factors[i] / (float)(RK + 1 - stage);
    for (int j = 0; j < NVAR; j++)
      variables[i + j * nelr] = old_variables[i + j * nelr] - factor * fluxes[i + j * nelr];
  }
}

void euler3d(float *variables, const float *areas, const int *neighbours, const float *normals, int nelr,
             int iterations, float mach) {
  float *old_variables = allocate(nelr * NVAR);
  float *fluxes = allocate(nelr * NVAR);
  float *step_factors = allocate(nelr);

  /* The free stream, along x. */
  const float ff_density = 1.4f;
  const float ff_pressure = 1.0f;
  const float ff_speed = mach * sqrtf(GAMMA * ff_pressure / ff_density);
  const float ff_momentum = ff_density * ff_speed;
  const float ff_energy = ff_pressure / (GAMMA - 1.0f) + 0.5f * ff_density * ff_speed * ff_speed;

  initialize_variables(nelr, variables, ff_density, ff_momentum, ff_energy);
  for (int n = 0; n < iterations; n++) {
    copy(old_variables, variables, nelr * NVAR);
    compute_step_factor(nelr, variables, areas, step_factors);
    for (int stage = 1; stage <= RK; stage++) {
      compute_flux(nelr, neighbours, normals, variables, fluxes, ff_density, ff_momentum, ff_energy);
      time_step(stage, nelr, old_variables, variables, step_factors, fluxes);
    }
  }

  free(old_variables);
  free(fluxes);
  free(step_factors);
}

static void set_normal(float *normals, int nelr, int i, int j, float x, float y, float z) {
  normals[i + (j + 0 * NNB) * nelr] = x;
  normals[i + (j + 1 * NNB) * nelr] = y;
  normals[i + (j + 2 * NNB) * nelr] = z;
}

/* A closed band of cells, numbered along it, with obstacles. Padding repeats the last element. */
static void make_mesh(int nel, int nelr, float *areas, int *neighbours, float *normals) {
  const int across = 250;
  for (int i = 0; i < nelr; i++) {
    const int e = i < nel ? i : nel - 1;
    const float jitter = 1.0f + 0.01f * ((float)rand() / (float)RAND_MAX - 0.5f);
    areas[i] = jitter;
    neighbours[i + 0 * nelr] = e % 97 == 0 ? WALL : e + 1 < nel ? e + 1 : FAR_FIELD;
    neighbours[i + 1 * nelr] = e > 0 ? e - 1 : FAR_FIELD;
    neighbours[i + 2 * nelr] = e + across < nel ? e + across : WALL;
    neighbours[i + 3 * nelr] = e >= across ? e - across : FAR_FIELD;
    set_normal(normals, nelr, i, 0, jitter, 0.0f, 0.05f * jitter);
    set_normal(normals, nelr, i, 1, -jitter, 0.0f, -0.05f * jitter);
    set_normal(normals, nelr, i, 2, 0.0f, jitter, 0.05f * jitter);
    set_normal(normals, nelr, i, 3, 0.0f, -jitter, -0.05f * jitter);
  }
}

/* Depends on the order of the elements, so it stays where it is. */
static double checksum(const float *x, int count) {
  double sum = 0.0, ofSums = 0.0;
  for (int k = 0; k < count; k++) {
    sum += x[k];
    ofSums += sum;
  }
  return ofSums / count;
}

int main(int argc, char **argv) {
  const float mach = argc > 1 ? strtof(argv[1], NULL) : 1.2f;
  float *areas = allocate(PADDED);
  float *normals = allocate(PADDED * NDIM * NNB);
  float *variables = allocate(PADDED * NVAR);
  int *neighbours = (int *)malloc(PADDED * NNB * sizeof(int));
  if (!neighbours) {
    fprintf(stderr, "cfd: out of memory\n");
    return 1;
  }
  srand(5);
  make_mesh(ELEMENTS, PADDED, areas, neighbours, normals);

  euler3d(variables, areas, neighbours, normals, PADDED, ITERATIONS, mach);

  printf("cfd %d elements (%d padded), %d iterations: checksum %.7e\n", ELEMENTS, PADDED, ITERATIONS,
         checksum(variables, PADDED * NVAR));
  free(areas);
  free(normals);
  free(variables);
  free(neighbours);
  return 0;
}
