//===- runtime-bench/blas/Residents.cpp - Operands that stay on the device ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime-bench/blas/Residents.h"
#include <algorithm>

namespace busfare::blas {

Residents::~Residents() { dropAll(); }

bool Residents::dropAll() {
  const bool any = !copies.empty();
  while (!copies.empty()) drop(copies.size() - 1);
  return any;
}

void Residents::drop(size_t index) {
  device.release(copies[index].there);
  copies.erase(copies.begin() + std::ptrdiff_t(index));
}

void Residents::keep(const void *from, size_t bytes) {
  const char *first = static_cast<const char *>(from);
  if (bytes > 0) ranges.push_back({first, first + bytes});
}

void Residents::changed(const void *from, size_t bytes) {
  const char *first = static_cast<const char *>(from), *last = first + bytes;
  for (size_t i = copies.size(); i-- > 0;) {
    const Copy &copy = copies[i];
    const Range range =
        rangeOf({{const_cast<char *>(copy.host), copy.rowStride, copy.columnStride}, copy.rows, copy.columns},
                copy.elementBytes);
    if (overlap(range, {first, last})) drop(i);
  }
}

bool Residents::release(const void *from) {
  auto range = std::find_if(ranges.begin(), ranges.end(), [&](const Range &each) { return each.from == from; });
  if (range == ranges.end()) return false;
  const Range released = *range;
  ranges.erase(range);
  // What another range keeps as well is brought again when it is needed.
  changed(released.from, size_t(released.to - released.from));
  return true;
}

Range Residents::rangeOf(const Operand &operand, size_t elementBytes) {
  const View &view = operand.view;
  const int64_t down = (operand.rows - 1) * view.rowStride, across = (operand.columns - 1) * view.columnStride;
  const int64_t lowest = std::min<int64_t>(0, down) + std::min<int64_t>(0, across),
                highest = std::max<int64_t>(0, down) + std::max<int64_t>(0, across);
  const auto bytes = int64_t(elementBytes);
  return {view.at + lowest * bytes, view.at + (highest + 1) * bytes};
}

bool Residents::isKept(const Operand &operand, size_t elementBytes) const {
  if (operand.isWritten || operand.rows <= 0 || operand.columns <= 0 || !operand.view.at) return false;
  const Range range = rangeOf(operand, elementBytes);
  return std::any_of(ranges.begin(), ranges.end(),
                     [&](const Range &kept) { return kept.from <= range.from && range.to <= kept.to; });
}

const Residents::Copy *Residents::copyOf(const Operand &operand, size_t elementBytes) const {
  const View &view = operand.view;
  for (const Copy &copy : copies)
    if (copy.host == view.at && copy.rows == operand.rows && copy.columns == operand.columns &&
        copy.rowStride == view.rowStride && copy.columnStride == view.columnStride && copy.elementBytes == elementBytes)
      return &copy;
  return nullptr;
}

/// Column by column: the snapshot has what lies between columns as well.
bool Residents::copyIn(const Snapshot &snapshot, const View &placed, const Operand &operand, size_t elementBytes,
                       Staging &staging) {
  const auto bytes = int64_t(elementBytes);
  const int64_t first = (snapshot.range.from - operand.view.at) / bytes,
                last = (snapshot.range.to - operand.view.at) / bytes;
  const int64_t apart = operand.columns > 1 ? operand.view.columnStride : operand.rows;
  bool came = true;
  for (int64_t column = first / apart; column < operand.columns && column * apart < last; ++column) {
    const int64_t from = std::max<int64_t>(0, first - column * apart),
                  to = std::min(operand.rows, last - column * apart);
    if (from >= to) continue;
    char *source = const_cast<char *>(snapshot.bytes.data()) + (column * apart + from - first) * bytes;
    const View there{placed.at + (column * placed.columnStride + from) * bytes, 1, placed.columnStride};
    came = came && staging.copyIn(there, {source, 1, to - from}, to - from, 1, elementBytes);
  }
  return came;
}

size_t Residents::bring(Operand &operand, size_t elementBytes, Where where, Staging &staging,
                        const std::vector<Snapshot> &snapshots) {
  const View &view = operand.view;
  if (const Copy *copy = copyOf(operand, elementBytes)) {
    operand.view = {copy->there, 1, operand.rows};
    return 0;
  }
  const size_t bytes = size_t(operand.rows * operand.columns) * elementBytes;
  char *memory = static_cast<char *>(device.allocate(bytes));
  if (!memory) return 0;
  const View placed{memory, 1, operand.rows};
  device.newCall();
  staging.newCall();
  bool came = true;
  if (where == Where::Pinned && view.rowStride == 1)
    device.copyIn(placed, view, operand.rows, operand.columns, elementBytes);
  else came = staging.copyIn(placed, view, operand.rows, operand.columns, elementBytes);
  for (const Snapshot &snapshot : snapshots) came = came && copyIn(snapshot, placed, operand, elementBytes, staging);
  if (device.finish() != Status::Ok || !came) {
    device.release(memory);
    return 0;
  }
  copies.push_back({view.at, operand.rows, operand.columns, view.rowStride, view.columnStride, elementBytes, memory});
  operand.view = placed;
  return bytes;
}

void Residents::wrote(const Operand &operand, size_t elementBytes) {
  const Range range = rangeOf(operand, elementBytes);
  changed(range.from, size_t(range.to - range.from));
}

} // namespace busfare::blas
