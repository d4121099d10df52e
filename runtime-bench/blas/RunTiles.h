//===- runtime-bench/blas/RunTiles.h - A call by tiles on a device ------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Puts the steps of a call (projection/BlasTiles.h) into a device's queues. A tile comes in
// when a step first needs it, and stays for the others; a tile of the result goes back when
// it is complete. Operands that lie on the device are used where they are. All is handed
// over without waiting, so that copies, kernels and copies back of different tiles overlap:
//
//   in       A00 B00 C00 | B01 C01 | A01 B10 | ...
//   kernels              | 00 00   | 00 01   | ...
//   out                                              C00 ...
//
// Where the tiles are more than the device's memory holds, the one that is needed last goes
// (Belady: the steps are known), a half-made result back to the host.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_RUNTIMEBENCH_BLAS_RUNTILES_H
#define BUSFARE_RUNTIMEBENCH_BLAS_RUNTILES_H

#include "runtime-bench/blas/Staging.h"
#include "runtime-bench/blas/TileMemory.h"

namespace busfare::blas {

/// The call has work to do: no dimension is 0.
Ran executeTiles(const Call &call, int64_t tile, Device &device, TileMemory &memory, Staging &staging);

} // namespace busfare::blas

#endif
