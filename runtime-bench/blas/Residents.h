//===- runtime-bench/blas/Residents.h - Operands that stay on the device --===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Of host memory that the caller promises not to change unsaid, operands that are only read
// cross once and are used from the device until the memory is said to have changed:
//
//   keep(a, bytes)    dgemm(a, b, c)   a crosses
//                     dgemm(a, d, e)   a is there
//   changed(a, bytes) dgemm(a, b, c)   a crosses again
//
// A result that a call writes into kept memory is a change, and is noticed here. What a
// program does to its memory otherwise is not: this is for callers who know.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_RUNTIMEBENCH_BLAS_RESIDENTS_H
#define BUSFARE_RUNTIMEBENCH_BLAS_RESIDENTS_H

#include "runtime-bench/blas/Staging.h"

namespace busfare::blas {

class Residents {
public:
  explicit Residents(Device &device) : device(device) {}
  ~Residents();
  Residents(const Residents &) = delete;

  void keep(const void *from, size_t bytes);
  /// Those copies of which any byte lies in there are void.
  void changed(const void *from, size_t bytes);
  /// Gives back the memory of all copies; false if there are none. What is kept is brought again.
  bool dropAll();
  /// Nothing of the range that begins there is kept any more; false if none begins there.
  bool release(const void *from);

  /// Is it used from the device? It lies in kept memory, and the call only reads it.
  bool isKept(const Operand &operand, size_t elementBytes) const;
  /// Of an operand that is kept: brings it if it is not there, and says how many bytes came. Leaves it on the host
  /// where the device has no memory for it.
  size_t bring(Operand &operand, size_t elementBytes, Where where, Staging &staging);
  /// The call wrote it.
  void wrote(const Operand &operand, size_t elementBytes);

private:
  struct Range {
    const char *from, *to;
  };
  struct Copy {
    const char *host;
    int64_t rows, columns, rowStride, columnStride;
    size_t elementBytes;
    char *there;
  };
  static Range rangeOf(const Operand &operand, size_t elementBytes);
  void drop(size_t index);
  Device &device;
  std::vector<Range> ranges;
  std::vector<Copy> copies;
};

} // namespace busfare::blas

#endif
