//===- runtime-bench/blas/Staging.cpp - Pageable memory through pinned pieces ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime-bench/blas/Staging.h"
#include <algorithm>
#include <cstring>

namespace busfare::blas {
namespace {

char *elementOf(const View &view, int64_t row, int64_t column, size_t elementBytes) {
  return view.at + (row * view.rowStride + column * view.columnStride) * int64_t(elementBytes);
}

/// Copies `count` elements that lie a stride apart on either side.
void copyStrided(char *to, int64_t toStride, const char *from, int64_t fromStride, int64_t count, size_t elementBytes) {
  if (toStride == 1 && fromStride == 1) {
    std::memcpy(to, from, size_t(count) * elementBytes);
    return;
  }
  for (int64_t i = 0; i < count; ++i)
    std::memcpy(to + i * toStride * int64_t(elementBytes), from + i * fromStride * int64_t(elementBytes), elementBytes);
}

} // namespace

Staging::~Staging() {
  if (memory) device.releasePinned(memory);
}

bool Staging::reserve() {
  if (!memory) {
    memory = static_cast<char *>(device.allocatePinned(2 * piecesEachWay * pieceBytes));
    inUse.assign(piecesEachWay, noEvent);
  }
  return memory;
}

void Staging::newCall() {
  std::fill(inUse.begin(), inUse.end(), noEvent);
  arriving.clear();
}

void Staging::share(int64_t length, size_t bytes, const std::function<void(int64_t, int64_t)> &work) {
  // One core copies it in the time that it takes to tell the others.
  constexpr size_t little = size_t(128) << 10;
  if (bytes < little) return work(0, length);
  workers.run(length, work);
}

template <class Copy> void Staging::inPieces(int64_t rows, int64_t columns, size_t elementBytes, Copy copy) {
  const int64_t most = int64_t(pieceBytes / elementBytes);
  const int64_t rowsAtOnce = std::min(rows, most), columnsAtOnce = std::max<int64_t>(1, most / rowsAtOnce);
  for (int64_t column = 0; column < columns; column += columnsAtOnce)
    for (int64_t row = 0; row < rows; row += rowsAtOnce)
      copy(row, std::min(rowsAtOnce, rows - row), column, std::min(columnsAtOnce, columns - column));
}

bool Staging::copyIn(View tile, View host, int64_t rows, int64_t columns, size_t elementBytes) {
  if (!reserve()) return false;
  inPieces(rows, columns, elementBytes, [&](int64_t row, int64_t rowCount, int64_t column, int64_t columnCount) {
    const size_t number = nextIn++ % piecesEachWay;
    char *piece = memory + number * pieceBytes;
    if (inUse[number] != noEvent) device.wait(inUse[number]);
    const View packed{piece, 1, rowCount};
    // A block of one column is shared out by rows.
    const bool byRows = columnCount == 1;
    share(byRows ? rowCount : columnCount, size_t(rowCount * columnCount) * elementBytes,
          [&](int64_t first, int64_t last) {
            for (int64_t j = byRows ? 0 : first; j < (byRows ? 1 : last); ++j) {
              const int64_t from = byRows ? first : 0, to = byRows ? last : rowCount;
              copyStrided(elementOf(packed, from, j, elementBytes), 1,
                          elementOf(host, row + from, column + j, elementBytes), host.rowStride, to - from,
                          elementBytes);
            }
          });
    View target = tile;
    target.at = elementOf(tile, row, column, elementBytes);
    device.copyIn(target, packed, rowCount, columnCount, elementBytes);
    inUse[number] = device.record(Queue::In);
  });
  return true;
}

bool Staging::copyOut(View host, View tile, int64_t rows, int64_t columns, size_t elementBytes, Part part) {
  if (!reserve()) return false;
  inPieces(rows, columns, elementBytes, [&](int64_t row, int64_t rowCount, int64_t column, int64_t columnCount) {
    while (arriving.size() >= piecesEachWay) {
      device.wait(arriving.front().event);
      if (!device.hasFailed()) unpack(arriving.front());
      arriving.pop_front();
    }
    char *piece = memory + (piecesEachWay + nextOut++ % piecesEachWay) * pieceBytes;
    View source = tile;
    source.at = elementOf(tile, row, column, elementBytes);
    device.copyOut({piece, 1, rowCount}, source, rowCount, columnCount, elementBytes);
    arriving.push_back(
        {piece, device.record(Queue::Out), host, rowCount, columnCount, row, column, elementBytes, part});
  });
  return true;
}

void Staging::unpack(const Arriving &block) {
  const bool byRows = block.columns == 1;
  const View packed{block.piece, 1, block.rows};
  share(byRows ? block.rows : block.columns, size_t(block.rows * block.columns) * block.elementBytes,
        [&](int64_t first, int64_t last) {
          for (int64_t j = byRows ? 0 : first; j < (byRows ? 1 : last); ++j) {
            int64_t from = byRows ? first : 0, to = byRows ? last : block.rows;
            const int64_t diagonal = block.firstColumn + j - block.firstRow;
            if (block.part == Part::Lower) from = std::max(from, diagonal);
            if (block.part == Part::Upper) to = std::min(to, diagonal + 1);
            if (from < to)
              copyStrided(elementOf(block.host, block.firstRow + from, block.firstColumn + j, block.elementBytes),
                          block.host.rowStride, elementOf(packed, from, j, block.elementBytes), 1, to - from,
                          block.elementBytes);
          }
        });
}

void Staging::settle(bool all) {
  if (device.hasFailed()) arriving.clear(); // what lies in the pieces is not what was asked for
  while (!arriving.empty()) {
    if (!all && !device.isDone(arriving.front().event)) return;
    device.wait(arriving.front().event);
    if (!device.hasFailed()) unpack(arriving.front());
    arriving.pop_front();
  }
}

} // namespace busfare::blas
