//===- brs/Touch.h - Which side of the bus touches some arrays -------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Below a node of a region: does the host, does the device touch one of a group of
// arrays, and does it write? Kernels belong to the device, everything else to the host.
// An access through a pointer that may denote one of them counts.
//
//   for t { for i (kernel) { write a[i] }  read a[0] }    host reads, device writes
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_BRS_TOUCH_H
#define BUSFARE_BRS_TOUCH_H

#include "brs/Kernels.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include <set>

namespace busfare::brs {

struct Touch {
  bool host = false, device = false; ///< At all.
  bool hostWrites = false, deviceWrites = false;
  bool overwrites = false; ///< Some element of an array of the group surely gets a new value, if control comes there.

  /// Does it add anything?
  bool join(const Touch &other) {
    Touch before = *this;
    host |= other.host;
    device |= other.device;
    hostWrites |= other.hostWrites;
    deviceWrites |= other.deviceWrites;
    overwrites |= other.overwrites;
    return *this != before;
  }
  bool operator==(const Touch &) const = default;
};

/// Where a function touches what, for all groups of names and sets of kernels.
class TouchIndex {
public:
  TouchIndex(const skeleton::Program &program, const skeleton::Function &function) : typesMix(program.typesMix) {
    add(function.body, nullptr, false);
  }

private:
  friend class Touches;
  struct Place {
    const skeleton::Node *in; ///< The loop, branch or host statement around it; null: the function.
    bool writes;
    bool isValue; ///< Read as a value of the array's type: what pointers of that type cannot denote is not meant.
    bool overwrites = false;
  };
  bool typesMix;
  llvm::StringMap<std::vector<Place>> byName;
  std::vector<Place> calls; ///< They may touch anything.
  llvm::DenseMap<const skeleton::Node *, const skeleton::Node *> around; ///< Of nodes with others below.

  void add(const skeleton::Block &block, const skeleton::Node *in, bool isHost);
};

class Touches {
public:
  Touches(const TouchIndex &index, const skeleton::ArrayTable &arrays, const KernelLoops &kernels,
          const std::vector<std::string> &group);

  /// Of a node of the function that is in no kernel.
  Touch of(const skeleton::Node &node) const;
  bool isOne(llvm::StringRef array) const { return group.count(array) != 0; }
  /// Of a node of the block: only the host touches the arrays there, and nothing on the host touches them beside it
  /// (but perhaps under another condition, or between kernels of a loop, which has copies of its own).
  bool isAloneOnHost(const skeleton::Block &block, const skeleton::Node &node) const;
  /// Of a branch of the block: only the device touches the arrays on one side of it, and only the host on the other,
  /// which is not taken more often; and nothing on the host touches them beside it, as above.
  bool hasHostOnOneSide(const skeleton::Block &block, const skeleton::Node &node) const;

private:
  Touch ofAll(const skeleton::Block &block) const;
  bool isHostElsewhere(const skeleton::Block &block, const skeleton::Node &node) const;
  const skeleton::ArrayTable &arrays;
  std::set<std::string, std::less<>> group;
  llvm::DenseMap<const skeleton::Node *, Touch> known; ///< Of nodes with others below them; others touch nothing.

  bool typesMix;
  /// isValue: read as a value of its own type.
  bool mayBeOne(llvm::StringRef array, bool isValue) const;
};

} // namespace busfare::brs

#endif
