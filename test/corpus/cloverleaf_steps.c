//===- test/corpus/cloverleaf_steps.c - CloverLeaf's time loop, in C ------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// CloverLeaf_Serial has its kernels in C, and what calls them in Fortran, which busfare does
// not read. This calls them in the same order, each argument by its address, for one tile:
//
//   busfare analyze test/corpus/cloverleaf_steps.c $T/*_kernel_c.c -- -I$T
//
// Run with 960 cells a side and 87 steps it ends with the kinetic energy that CloverLeaf
// compares its test problem 2 with, 1.193168988.
//
//===----------------------------------------------------------------------===//
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef CELLS
#define CELLS 960
#endif
#ifndef STEPS
#define STEPS 87
#endif

void initialise_chunk_kernel_c_(int *xmin, int *xmax, int *ymin, int *ymax, double *minx, double *miny, double *dx,
                                double *dy, double *vertexx, double *vertexdx, double *vertexy, double *vertexdy,
                                double *cellx, double *celldx, double *celly, double *celldy, double *volume,
                                double *xarea, double *yarea);
void generate_chunk_kernel_c_(int *xmin, int *xmax, int *ymin, int *ymax, double *vertexx, double *vertexy,
                              double *cellx, double *celly, double *density0, double *energy0, double *xvel0,
                              double *yvel0, int *states, double *density, double *energy, double *xvel, double *yvel,
                              double *left, double *right, double *bottom, double *top, double *radius, int *geometry,
                              int *rectangle, int *circle, int *point);
void ideal_gas_kernel_c_(int *xmin, int *xmax, int *ymin, int *ymax, double *density, double *energy, double *pressure,
                         double *soundspeed);
void viscosity_kernel_c_(int *xmin, int *xmax, int *ymin, int *ymax, double *celldx, double *celldy, double *density0,
                         double *pressure, double *viscosity, double *xvel0, double *yvel0);
void calc_dt_kernel_c_(int *xmin, int *xmax, int *ymin, int *ymax, double *small, double *big, double *dtmin,
                       double *dtc, double *dtu, double *dtv, double *dtdiv, double *xarea, double *yarea,
                       double *cellx, double *celly, double *celldx, double *celldy, double *volume, double *density0,
                       double *energy0, double *pressure, double *viscosity, double *soundspeed, double *xvel0,
                       double *yvel0, double *work, double *dt, int *control, double *x, double *y, int *j, int *k,
                       int *isSmall);
void pdv_kernel_c_(int *predict, int *xmin, int *xmax, int *ymin, int *ymax, double *dt, double *xarea, double *yarea,
                   double *volume, double *density0, double *density1, double *energy0, double *energy1,
                   double *pressure, double *viscosity, double *xvel0, double *xvel1, double *yvel0, double *yvel1,
                   double *work);
void revert_kernel_c_(int *xmin, int *xmax, int *ymin, int *ymax, double *density0, double *density1, double *energy0,
                      double *energy1);
void accelerate_kernel_c_(int *xmin, int *xmax, int *ymin, int *ymax, double *dt, double *xarea, double *yarea,
                          double *volume, double *density0, double *pressure, double *viscosity, double *xvel0,
                          double *yvel0, double *xvel1, double *yvel1);
void flux_calc_kernel_c_(int *xmin, int *xmax, int *ymin, int *ymax, double *dt, double *xarea, double *yarea,
                         double *xvel0, double *yvel0, double *xvel1, double *yvel1, double *vol_flux_x,
                         double *vol_flux_y);
void advec_cell_kernel_c_(int *xmin, int *xmax, int *ymin, int *ymax, int *direction, int *sweep, double *vertexdx,
                          double *vertexdy, double *volume, double *density1, double *energy1, double *mass_flux_x,
                          double *vol_flux_x, double *mass_flux_y, double *vol_flux_y, double *work1, double *work2,
                          double *work3, double *work4, double *work5, double *work6, double *work7);
void advec_mom_kernel_c_(int *xmin, int *xmax, int *ymin, int *ymax, double *vel1, double *mass_flux_x,
                         double *vol_flux_x, double *mass_flux_y, double *vol_flux_y, double *volume, double *density1,
                         double *work1, double *work2, double *work3, double *work4, double *work5, double *work6,
                         double *celldx, double *celldy, int *velocity, int *sweep, int *direction);
void reset_field_kernel_c_(int *xmin, int *xmax, int *ymin, int *ymax, double *density0, double *density1,
                           double *energy0, double *energy1, double *xvel0, double *xvel1, double *yvel0,
                           double *yvel1);
void update_halo_kernel_c_(int *xmin, int *xmax, int *ymin, int *ymax, int *chunk, int *tile, double *density0,
                           double *energy0, double *pressure, double *viscosity, double *soundspeed, double *density1,
                           double *energy1, double *xvel0, double *yvel0, double *xvel1, double *yvel1,
                           double *vol_flux_x, double *vol_flux_y, double *mass_flux_x, double *mass_flux_y,
                           int *fields, int *depth);
void field_summary_kernel_c_(int *xmin, int *xmax, int *ymin, int *ymax, double *volume, double *density0,
                             double *energy0, double *pressure, double *xvel0, double *yvel0, double *vol, double *mass,
                             double *ie, double *ke, double *press);

enum Field {
  Density0,
  Density1,
  Energy0,
  Energy1,
  Pressure,
  Viscosity,
  SoundSpeed,
  Xvel0,
  Xvel1,
  Yvel0,
  Yvel1,
  VolFluxX,
  VolFluxY,
  MassFluxX,
  MassFluxY,
  Fields
};

static int x_min = 1, x_max = CELLS, y_min = 1, y_max = CELLS;
static double *density0, *density1, *energy0, *energy1, *pressure, *viscosity, *soundspeed, *xvel0, *xvel1, *yvel0,
    *yvel1;
static double *vol_flux_x, *vol_flux_y, *mass_flux_x, *mass_flux_y, *volume, *xarea, *yarea;
static double *work1, *work2, *work3, *work4, *work5, *work6, *work7;
static double *cellx, *celldx, *celly, *celldy, *vertexx, *vertexdx, *vertexy, *vertexdy;

static double *field(int columns, int rows) { return malloc(sizeof(double) * columns * rows); }

static void allocate(void) {
  const int nx = CELLS + 4, ny = CELLS + 4;
  density0 = field(nx, ny);
  density1 = field(nx, ny);
  energy0 = field(nx, ny);
  energy1 = field(nx, ny);
  pressure = field(nx, ny);
  viscosity = field(nx, ny);
  soundspeed = field(nx, ny);
  volume = field(nx, ny);
  xvel0 = field(nx + 1, ny + 1);
  xvel1 = field(nx + 1, ny + 1);
  yvel0 = field(nx + 1, ny + 1);
  yvel1 = field(nx + 1, ny + 1);
  vol_flux_x = field(nx + 1, ny);
  mass_flux_x = field(nx + 1, ny);
  xarea = field(nx + 1, ny);
  vol_flux_y = field(nx, ny + 1);
  mass_flux_y = field(nx, ny + 1);
  yarea = field(nx, ny + 1);
  work1 = field(nx + 1, ny + 1);
  work2 = field(nx + 1, ny + 1);
  work3 = field(nx + 1, ny + 1);
  work4 = field(nx + 1, ny + 1);
  work5 = field(nx + 1, ny + 1);
  work6 = field(nx + 1, ny + 1);
  work7 = field(nx + 1, ny + 1);
  cellx = field(nx, 1);
  celldx = field(nx, 1);
  celly = field(ny, 1);
  celldy = field(ny, 1);
  vertexx = field(nx + 1, 1);
  vertexdx = field(nx + 1, 1);
  vertexy = field(ny + 1, 1);
  vertexdy = field(ny + 1, 1);
}

static void halo(int *fields, int depth) {
  int chunk[4] = {-1, -1, -1, -1}, tile[4] = {-1, -1, -1, -1}; // the edge of the world on each side
  update_halo_kernel_c_(&x_min, &x_max, &y_min, &y_max, chunk, tile, density0, energy0, pressure, viscosity, soundspeed,
                        density1, energy1, xvel0, yvel0, xvel1, yvel1, vol_flux_x, vol_flux_y, mass_flux_x, mass_flux_y,
                        fields, &depth);
}

static void gas(double *density, double *energy) {
  ideal_gas_kernel_c_(&x_min, &x_max, &y_min, &y_max, density, energy, pressure, soundspeed);
}

static void start(void) {
  double left = 0, bottom = 0, dx = 10.0 / CELLS, dy = 10.0 / CELLS;
  initialise_chunk_kernel_c_(&x_min, &x_max, &y_min, &y_max, &left, &bottom, &dx, &dy, vertexx, vertexdx, vertexy,
                             vertexdy, cellx, celldx, celly, celldy, volume, xarea, yarea);
  int states = 2, rectangle = 1, circle = 2, point = 3;
  int geometry[2] = {0, 1};
  double density[2] = {0.2, 1.0}, energy[2] = {1.0, 2.5}, none[2] = {0, 0};
  double lefts[2] = {0, dx / 100}, rights[2] = {0, 5 - dx / 100}, bottoms[2] = {0, dy / 100},
         tops[2] = {0, 2 - dy / 100};
  generate_chunk_kernel_c_(&x_min, &x_max, &y_min, &y_max, vertexx, vertexy, cellx, celly, density0, energy0, xvel0,
                           yvel0, &states, density, energy, none, none, lefts, rights, bottoms, tops, none, geometry,
                           &rectangle, &circle, &point);
  gas(density0, energy0);
  int fields[Fields] = {0};
  for (int f = Density0; f <= Yvel1; f++)
    fields[f] = f != SoundSpeed;
  halo(fields, 2);
}

static double timestep(double before) {
  gas(density0, energy0);
  int fields[Fields] = {0};
  fields[Pressure] = fields[Energy0] = fields[Density0] = fields[Xvel0] = fields[Yvel0] = 1;
  halo(fields, 1);
  viscosity_kernel_c_(&x_min, &x_max, &y_min, &y_max, celldx, celldy, density0, pressure, viscosity, xvel0, yvel0);
  int stress[Fields] = {0};
  stress[Viscosity] = 1;
  halo(stress, 1);
  double small = 1e-16, big = 1e21, least = 1e-7, sound = 0.7, side = 0.5, div = 0.7, dt, x, y;
  int control, j, k, isSmall;
  calc_dt_kernel_c_(&x_min, &x_max, &y_min, &y_max, &small, &big, &least, &sound, &side, &side, &div, xarea, yarea,
                    cellx, celly, celldx, celldy, volume, density0, energy0, pressure, viscosity, soundspeed, xvel0,
                    yvel0, work1, &dt, &control, &x, &y, &j, &k, &isSmall);
  return fmin(dt, fmin(before * 1.5, 0.04));
}

static void pdv(int predict, double dt) {
  pdv_kernel_c_(&predict, &x_min, &x_max, &y_min, &y_max, &dt, xarea, yarea, volume, density0, density1, energy0,
                energy1, pressure, viscosity, xvel0, xvel1, yvel0, yvel1, work1);
}

static void predict(double dt) {
  pdv(0, dt);
  gas(density1, energy1);
  int fields[Fields] = {0};
  fields[Pressure] = 1;
  halo(fields, 1);
  revert_kernel_c_(&x_min, &x_max, &y_min, &y_max, density0, density1, energy0, energy1);
}

static void sweep(int number, int direction) {
  int x = 1, y = 2;
  advec_cell_kernel_c_(&x_min, &x_max, &y_min, &y_max, &direction, &number, vertexdx, vertexdy, volume, density1,
                       energy1, mass_flux_x, vol_flux_x, mass_flux_y, vol_flux_y, work1, work2, work3, work4, work5,
                       work6, work7);
  int fields[Fields] = {0};
  fields[Density1] = fields[Energy1] = fields[Xvel1] = fields[Yvel1] = fields[MassFluxX] = fields[MassFluxY] = 1;
  halo(fields, 2);
  advec_mom_kernel_c_(&x_min, &x_max, &y_min, &y_max, xvel1, mass_flux_x, vol_flux_x, mass_flux_y, vol_flux_y, volume,
                      density1, work1, work2, work3, work4, work5, work6, celldx, celldy, &x, &number, &direction);
  advec_mom_kernel_c_(&x_min, &x_max, &y_min, &y_max, yvel1, mass_flux_x, vol_flux_x, mass_flux_y, vol_flux_y, volume,
                      density1, work1, work2, work3, work4, work5, work6, celldx, celldy, &y, &number, &direction);
}

static void advect(int isXFirst) {
  int fields[Fields] = {0};
  fields[Energy1] = fields[Density1] = fields[VolFluxX] = fields[VolFluxY] = 1;
  halo(fields, 2);
  sweep(1, isXFirst ? 1 : 2);
  sweep(2, isXFirst ? 2 : 1);
}

static void summary(int step) {
  double vol, mass, internal, kinetic, press;
  gas(density0, energy0);
  field_summary_kernel_c_(&x_min, &x_max, &y_min, &y_max, volume, density0, energy0, pressure, xvel0, yvel0, &vol,
                          &mass, &internal, &kinetic, &press);
  printf("step %d: mass %.9g, internal energy %.9g, kinetic energy %.9g\n", step, mass, internal, kinetic);
}

int main(void) {
  allocate();
  start();
  summary(0);
  double dt = 0.04;
  int isXFirst = 1;
  for (int step = 1; step <= STEPS; step++) {
    dt = timestep(dt);
    predict(dt);
    accelerate_kernel_c_(&x_min, &x_max, &y_min, &y_max, &dt, xarea, yarea, volume, density0, pressure, viscosity,
                         xvel0, yvel0, xvel1, yvel1);
    pdv(1, dt);
    flux_calc_kernel_c_(&x_min, &x_max, &y_min, &y_max, &dt, xarea, yarea, xvel0, yvel0, xvel1, yvel1, vol_flux_x,
                        vol_flux_y);
    advect(isXFirst);
    reset_field_kernel_c_(&x_min, &x_max, &y_min, &y_max, density0, density1, energy0, energy1, xvel0, xvel1, yvel0,
                          yvel1);
    isXFirst = !isXFirst;
    if (step % 10 == 0)
      summary(step);
  }
  summary(STEPS);
}
