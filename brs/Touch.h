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
#include <map>
#include <set>

namespace busfare::brs {

struct Touch {
  bool host = false, device = false; ///< At all.
  bool hostWrites = false, deviceWrites = false;
};

class Touches {
public:
  Touches(const skeleton::Program &program, const skeleton::Function &function, const KernelLoops &kernels,
          const std::vector<std::string> &group)
      : program(program), function(function), kernels(kernels), group(group.begin(), group.end()) {}

  Touch of(const skeleton::Node &node);
  bool isOne(llvm::StringRef array) const { return group.count(array) != 0; }

private:
  const skeleton::Program &program;
  const skeleton::Function &function;
  const KernelLoops &kernels;
  std::set<std::string, std::less<>> group;
  std::map<const skeleton::Node *, Touch> known;

  bool mayBeOne(llvm::StringRef array) const;
};

} // namespace busfare::brs

#endif
