//===- projection/Registers.cpp - Registers a kernel's thread needs ------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/Registers.h"
#include <algorithm>
#include <map>
#include <set>

namespace busfare::projection {
using namespace skeleton;

namespace {

/// Index computation, bounds, loop counters.
constexpr unsigned baseRegisters = 8;
constexpr unsigned mostRegisters = 128;

struct LiveRange {
  unsigned first = 0, last = 0;
};

struct Scan {
  const ArrayTable &table;
  unsigned position = 0;
  std::map<std::string, LiveRange> scalars;
  std::set<std::string> arrays;

  void scan(const Block &block) {
    for (const Node &node : block) {
      ++position;
      if (auto *access = std::get_if<Access>(&node.kind)) {
        const Array *array = table.find(access->array);
        if (array && array->isScalar())
          scalars.try_emplace(access->array, LiveRange{position, position}).first->second.last = position;
        else arrays.insert(access->array);
      } else if (auto *branch = std::get_if<Branch>(&node.kind)) {
        scan(branch->then);
        scan(branch->otherwise);
      } else if (auto *loop = std::get_if<Loop>(&node.kind)) {
        unsigned begin = position;
        scan(loop->body);
        // What comes in from before the loop is needed in every iteration.
        for (auto &[name, range] : scalars)
          if (range.first <= begin && range.last > begin) range.last = position;
      }
    }
  }
};

} // namespace

unsigned registersOf(const ArrayTable &arrays, const Loop &kernel) {
  Scan scan{arrays, 0, {}, {}};
  scan.scan(kernel.body);
  std::map<unsigned, int> changes;
  for (const auto &[name, range] : scan.scalars) {
    int registers = int((arrays.find(name)->type.bytes + 3) / 4);
    if (range.last == range.first) continue;
    changes[range.first] += registers;
    changes[range.last] -= registers;
  }
  int live = 0, most = 0;
  for (const auto &[position, change] : changes) most = std::max(most, live += change);
  return std::min<unsigned>(mostRegisters, baseRegisters + unsigned(most) + unsigned(scan.arrays.size()));
}

} // namespace busfare::projection
