//===- runtime-bench/blas/TileMemory.cpp - Device memory, kept from call to call ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime-bench/blas/TileMemory.h"
#include <algorithm>

namespace busfare::blas {

TileMemory::~TileMemory() { clear(); }

void TileMemory::clear() {
  for (Block &block : blocks) {
    if (block.at) device.release(block.at);
    block = {};
  }
}

size_t TileMemory::limit() {
  if (most) return most;
  if (found == 0) found = (device.freeBytes() + blocks[0].bytes + blocks[1].bytes) / 10 * 9;
  return found;
}

bool TileMemory::reserve(size_t matrixBytes, size_t vectorBytes) {
  const size_t wanted[] = {matrixBytes, vectorBytes};
  const size_t together = std::max(blocks[0].bytes, matrixBytes) + std::max(blocks[1].bytes, vectorBytes);
  // What is too small goes first, and what is too large where both do not fit: the memory may be what the other one
  // needs.
  for (int i = 0; i < 2; ++i)
    if (blocks[i].at && (blocks[i].bytes < wanted[i] || (blocks[i].bytes > wanted[i] && together > limit()))) {
      device.release(blocks[i].at);
      blocks[i] = {};
    }
  for (int i = 0; i < 2; ++i)
    if (!blocks[i].at && wanted[i] > 0) {
      found = 0; // what is free is about to change, and may have since
      blocks[i].at = static_cast<char *>(device.allocate(wanted[i]));
      if (!blocks[i].at) return false;
      blocks[i].bytes = wanted[i];
    }
  return true;
}

} // namespace busfare::blas
