//===- runtime-bench/blas/TileMemory.h - Device memory, kept from call to call ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What tiles and panels lie in on the device. Allocating takes longer than a small call, so
// what one call took is there for the next, up to a limit.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_RUNTIMEBENCH_BLAS_TILEMEMORY_H
#define BUSFARE_RUNTIMEBENCH_BLAS_TILEMEMORY_H

#include "runtime-bench/blas/Device.h"

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

} // namespace busfare::blas

#endif
