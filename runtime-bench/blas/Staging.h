//===- runtime-bench/blas/Staging.h - Pageable memory through pinned pieces ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A copy from pageable memory makes the host wait, and reaches a fraction of the bus. Here
// a tile goes through pieces of pinned memory, a ring each way: threads of the host pack a
// piece while the bus moves the one before. What comes back is unpacked when its piece is
// needed again, or when settle() asks for it.
//
// Rows that do not lie side by side (vectors with increments) go the same way, and so do
// triangles on their way back: what lies on the other side of the diagonal is the caller's.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_RUNTIMEBENCH_BLAS_STAGING_H
#define BUSFARE_RUNTIMEBENCH_BLAS_STAGING_H

#include "runtime-bench/blas/Device.h"
#include "runtime-bench/blas/Workers.h"
#include <deque>

namespace busfare::blas {

/// Which elements of a tile are copied back.
enum class Part { All, Lower, Upper };

class Staging {
public:
  /// threads: that pack; 0: as Workers sees fit.
  explicit Staging(Device &device, unsigned threads = 0) : device(device), workers(threads) {}
  ~Staging();
  Staging(const Staging &) = delete;

  /// Takes the pinned memory, if it is not there yet; false where there is none.
  bool reserve();
  /// False where there is no pinned memory.
  bool copyIn(View tile, View host, int64_t rows, int64_t columns, size_t elementBytes);
  bool copyOut(View host, View tile, int64_t rows, int64_t columns, size_t elementBytes, Part part);
  /// Unpacks what has arrived; with all = true waits for the rest.
  void settle(bool all);
  unsigned threadCount() const { return workers.threadCount(); }
  /// The pieces are free again: all copies are done or given up.
  void newCall();

  static constexpr size_t pieceBytes = size_t(8) << 20;
  static constexpr size_t piecesEachWay = 6;

private:
  struct Arriving {
    char *piece;
    Event event;
    View host;
    int64_t rows, columns, firstRow, firstColumn;
    size_t elementBytes;
    Part part;
  };
  /// work(first, last) for parts of [0, length), on threads if there is enough to copy.
  void share(int64_t length, size_t bytes, const std::function<void(int64_t, int64_t)> &work);
  void unpack(const Arriving &block);
  /// Runs `copy(first row, rows, first column, columns)` for blocks that fit into a piece.
  template <class Copy> static void inPieces(int64_t rows, int64_t columns, size_t elementBytes, Copy copy);

  Device &device;
  Workers workers;
  char *memory = nullptr;
  size_t nextIn = 0, nextOut = 0;
  std::vector<Event> inUse; ///< By piece of the way in: the copy that reads it.
  std::deque<Arriving> arriving;
};

} // namespace busfare::blas

#endif
