//===- projection/BlasRate.h - BLAS whose operands are on the device -----===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What a call of BLAS takes where nothing crosses: between two kernels of a plan, or as the
// kernel on a tile. At the rate at which the machine file's `blas_tiles` has the routine run on
// a cube (square, line) of as much work, between two sides of the table by the rate; but no
// faster than the device's memory delivers the operands:
//
//   dgemm 2048^3, h100-sxm5: 0.36 ms; the host's 16 cores 11 ms
//
// Of routines that the table does not have, products in the same precision stand in, four
// real ones for a complex one, and at last a roofline (Blas.h), which cuBLAS misses by up to
// twice on small operands. A solve waits row for row, and has no such stand-in.
//
// Not handled: routines that Blas.h does not have, what making cuBLAS ready takes once, and
// dot, whose sum the host wants at once.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_BLASRATE_H
#define BUSFARE_PROJECTION_BLASRATE_H

#include "projection/Blas.h"
#include "skeleton/Expr.h"
#include "skeleton/Message.h"

namespace busfare::projection {

/// s of as many multiplications as a cube (square, line) of that side has, at the rate of the kernel on such a tile.
double tileSeconds(const BlasCall &call, const Machine &machine, double side);

/// s of one call, operands on the device. Nothing: a dimension or an operand's array is not known, or the routine.
std::optional<double> libraryTimeOnDevice(const skeleton::LibraryCall &call, const skeleton::RealValues &values,
                                          const Machine &machine);

} // namespace busfare::projection

#endif
