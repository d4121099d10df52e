//===- runtime-bench/blas/Execute.h - The steps of a call on a device -----===//
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
#ifndef BUSFARE_RUNTIMEBENCH_BLAS_EXECUTE_H
#define BUSFARE_RUNTIMEBENCH_BLAS_EXECUTE_H

#include "runtime-bench/blas/Staging.h"

namespace busfare::blas {

/// Device memory that is kept from call to call: one block for tiles of matrices, one for pieces of vectors.
class TileMemory {
public:
  explicit TileMemory(Device &device) : device(device) {}
  ~TileMemory();
  TileMemory(const TileMemory &) = delete;
  /// What calls may take in all; 0: nine tenths of what is free.
  void limit(size_t bytes) { most = bytes; }
  size_t limit();
  /// The device's memory was taken or given back by others.
  void askAgain() { found = 0; }
  /// Blocks of at least these sizes; false where there is no memory.
  bool reserve(size_t matrixBytes, size_t vectorBytes);
  char *matrices() const { return blocks[0].at; }
  char *vectors() const { return blocks[1].at; }
  void clear();

private:
  struct Block {
    char *at = nullptr;
    size_t bytes = 0;
  };
  Device &device;
  Block blocks[2];
  size_t most = 0;
  size_t found = 0; ///< What limit() answered last; asking the device takes longer than a small call. 0: not asked.
};

/// Side of the tiles that ran, smaller than asked for where the device's memory is: 0 if nothing did.
struct Ran {
  Status status = Status::Ok;
  int64_t tile = 0;
  size_t bytesIn = 0, bytesOut = 0;
  size_t kernels = 0;
};

/// The call has work to do: no dimension is 0.
Ran execute(const Call &call, int64_t tile, Device &device, TileMemory &memory, Staging &staging);

} // namespace busfare::blas

#endif
