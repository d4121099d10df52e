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

#include "runtime-bench/blas/Range.h"
#include "runtime-bench/blas/Staging.h"

namespace busfare::blas {

/// Bytes of an operand as they were.
struct Snapshot {
  Range range;
  std::vector<char> bytes;
};

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
  /// Every byte of it lies in there; of a matrix also what lies between its columns.
  static Range rangeOf(const Operand &operand, size_t elementBytes);
  /// There is a copy of just this block.
  bool isHere(const Operand &operand, size_t elementBytes) const { return copyOf(operand, elementBytes); }
  /// Of an operand that is to stay: brings it if it is not there, and says how many bytes came. Leaves it on the host
  /// where the device has no memory for it.
  /// Elements in `snapshots` come from there; their ranges hold whole elements of an operand whose rows lie side by
  /// side.
  size_t bring(Operand &operand, size_t elementBytes, Where where, Staging &staging,
               const std::vector<Snapshot> &snapshots = {});
  /// The call wrote it.
  void wrote(const Operand &operand, size_t elementBytes);

private:
  struct Copy {
    const char *host;
    int64_t rows, columns, rowStride, columnStride;
    size_t elementBytes;
    char *there;
  };
  const Copy *copyOf(const Operand &operand, size_t elementBytes) const;
  void drop(size_t index);
  static bool copyIn(const Snapshot &snapshot, const View &placed, const Operand &operand, size_t elementBytes,
                     Staging &staging);
  Device &device;
  std::vector<Range> ranges;
  std::vector<Copy> copies;
};

} // namespace busfare::blas

#endif
